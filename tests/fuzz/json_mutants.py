"""A document of JSON → text of one like it: values, members and elements changed, then bytes."""

from __future__ import annotations

import json
import random
from typing import Any

_ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1.5, -0.0, 1e300, -1e300, 0.1 + 0.2, 1e-7, float("nan"), float("inf")),
    *(1 << 62, 1 << 63, (1 << 64) - 1, 1 << 64, -(1 << 63), -(1 << 63) - 1, 10**30),
    *("", "1", "1.5", "0x10", "-1", "NaN", "X", "B", "E", "M", "C", "\ud800", "\0", "äää", "a" * 70),
    *([], [1], [[]], {}, {"a": 1}, {"a": {"b": [1, 2]}}),
)
_KEYS = (
    *("ph", "ts", "dur", "name", "cat", "pid", "tid", "id", "args", "s", "bp", "id2", "scope", "tts", "tdur"),
    *("bind_id", "flow_in", "flow_out", "stack", "sf", "x"),
)
_PUT = (
    *(
        b'"',
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b"\xff",
        b"0",
        b"NaN",
        b"-",
        b"e",
        b".",
        b"\n",
        b" ",
        b"\0",
        b"00",
        b":",
    ),
    *(b"\\u12", b"\\ud800", b"\xed\xa0\x80", b"/**/", b"1e999", b"null", b"true", b'"a":1,', b'{"ph":"X"}'),
)


def mutant(rng: random.Random, document: Any) -> bytes:
    """A document that may be damaged, or be none."""
    for _ in range(rng.choice((0, 1, 2, 4))):
        document = _changed(rng, document)
    text = json.dumps(document, indent=rng.choice((None, None, 1)), ensure_ascii=rng.random() < 0.5)
    return damaged(rng, text.encode("utf-8", "surrogatepass"))


def damaged(rng: random.Random, data: bytes, most: int = 3) -> bytes:
    """Bytes put in, cut off, taken out, repeated or changed, up to so many times; maybe none."""
    for _ in range(rng.randint(0, most)):
        at, how = rng.randrange(len(data) + 1), rng.random()
        if how < 0.5:
            data = data[:at] + rng.choice(_PUT) + data[at + rng.randrange(4) :]
        elif how < 0.6:
            data = data[:at]
        elif how < 0.7:
            data = data[:at] + data[at + rng.randrange(200) :]
        elif how < 0.8:
            again = rng.randrange(len(data) + 1)
            data = data[:at] + data[again : again + rng.randrange(300)] + data[at:]
        else:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    return data


def _changed(rng: random.Random, value: Any) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.8:
        return _changed_members(rng, dict(value))
    if isinstance(value, list) and value and rng.random() < 0.9:
        return _changed_elements(rng, list(value))
    return rng.choice(_ODD)


def _changed_members(rng: random.Random, value: dict[str, Any]) -> dict[str, Any]:
    key, how = rng.choice(list(value)), rng.random()
    if how < 0.1:
        del value[key]
    elif how < 0.2:
        value[rng.choice(_KEYS)] = rng.choice(_ODD)
    elif how < 0.3:
        value[rng.choice(_KEYS)] = value.pop(key)
    else:
        value[key] = _changed(rng, value[key])
    return value


def _changed_elements(rng: random.Random, value: list[Any]) -> list[Any]:
    at, how = rng.randrange(len(value)), rng.random()
    if how < 0.1:
        del value[at]
    elif how < 0.2:
        value.insert(at, rng.choice(value))
    elif how < 0.25:
        rng.shuffle(value)
    else:
        value[at] = _changed(rng, value[at])
    return value
