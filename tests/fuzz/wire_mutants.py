"""A message of the wire format → one like it, of which fields are changed at any depth; lengths stay right."""

from __future__ import annotations

import random
from collections.abc import Iterable

from tensorboard_perfplugin.wire import FIXED64, LENGTH, VARINT, DamagedError, walk
from tests.decode.perfetto_traces import fixed, number, part

_ODD = (0, 1, 2, 3, 7, 64, 127, 128, 1 << 31, (1 << 32) - 1, 1 << 40, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
_MOST_DEPTH = 8


def changed(rng: random.Random, data: bytes, depth: int = 0) -> bytes:
    """With one change."""
    fields = _fields(data)
    if not fields:
        return rng.choice((b"", data + data, rng.randbytes(rng.randrange(9))))
    at, how = rng.randrange(len(fields)), rng.random()
    made = [_written(*field) for field in fields]
    if how < 0.06:
        del made[at]
    elif how < 0.12:
        made.insert(at, rng.choice(made))
    elif how < 0.16:
        rng.shuffle(made)
    elif how < 0.22:
        made[at] = _written(rng.choice((rng.randrange(1, 64), fields[rng.randrange(len(fields))][0])), fields[at][1])
    elif how < 0.26:
        made[at] = number(fields[at][0], rng.choice(_ODD))
    else:
        made[at] = _written(fields[at][0], _value(rng, fields[at][1], depth))
    return b"".join(made)


def _value(rng: random.Random, value: int | float | bytes, depth: int) -> int | float | bytes:
    if isinstance(value, bytes):
        return changed(rng, value, depth + 1) if depth < _MOST_DEPTH else value[: rng.randrange(len(value) + 1)]
    if isinstance(value, float):
        return float(rng.choice(_ODD))
    return rng.choice((rng.choice(_ODD), value + 1, max(value - 1, 0), value ^ 1 << rng.randrange(64)))


def _fields(data: bytes) -> list[tuple[int, int | float | bytes]]:
    """Number and value, a fixed one as a decimal; none where it is no message."""
    found: list[tuple[int, int | float | bytes]] = []
    try:
        for field in walk(data, 0, len(data)):
            if field.wire == LENGTH:
                found.append((field.number, data[field.begin : field.end]))
            elif field.wire in (VARINT, FIXED64):
                found.append((field.number, field.value if field.wire == VARINT else float(field.value)))
    except DamagedError:
        return []
    return found


def _written(field: int, value: int | float | bytes) -> bytes:
    if isinstance(value, bytes):
        return part(field, value)
    return number(field, value) if isinstance(value, int) else fixed(field, min(int(value), (1 << 64) - 1))


def joined(rng: random.Random, samples: Iterable[bytes]) -> bytes:
    """Some of the samples, one after another."""
    chosen = [sample for sample in samples if rng.random() < 0.5]
    return b"".join(chosen)
