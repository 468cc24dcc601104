"""Random numbers → damaged files of other programs: databases, dumps, snapshots, call stacks, Perfetto's traces."""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import pickle
import random
import re
import sqlite3
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from tests.build_python_stats import Stats
from tests.decode import test_call_stacks as stacks
from tests.decode.databases import Nsys, Nvprof
from tests.decode.perfetto_traces import annotation, converted, event, fixed, loaded, number, packet, part, track
from tests.decode.test_nsys import a_step
from tests.decode.test_perfetto_pytorch import trace
from tests.decode.test_perfetto_system import TREE, bundle, mark, packed, switch, waking
from tests.decode.test_rocpd import Rocpd
from tests.fuzz import wire_mutants
from tests.snapshots import Device, snapshot, train

_ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1, 1.5, -0.0, 1e300, float("nan"), float("inf"), 1 << 31, 1 << 62, 1 << 63, 1 << 64, 10**30),
    *("", "1", "\0", "ä" * 50, b"", b"\xff" * 9, (), (1,), [], [[]], {}, {"a": 1}, {1: 2}, {(1, 2): 3}),
)
_CELLS: tuple[Any, ...] = (
    *(None, 0, -1, 1, 1.5, 1e300, 1 << 31, 1 << 40, (1 << 63) - 1, -(1 << 63), "", "text", "9" * 30, b"", b"\xff" * 9),
)
_HOSTILE = (
    "CREATE VIEW StringIds2 AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END",
    "CREATE TABLE g (a INT, b INT GENERATED ALWAYS AS (abs(a)) STORED)",
    "CREATE INDEX i ON {table} (1)",
)


def damaged(rng: random.Random, data: bytes, most: int) -> bytes:
    """Bytes changed, taken out, put in, repeated or cut off, up to so many times; maybe none."""
    made = bytearray(data)
    for _ in range(rng.randint(0, most)):
        at, how = rng.randrange(len(made) + 1), rng.randrange(7)
        if how == 0:
            made[at : at + 1] = bytes([rng.randrange(256)])
        elif how == 1:
            del made[at : at + rng.randrange(1, 30)]
        elif how == 2:
            made[at:at] = made[at : at + rng.randrange(1, 60)]
        elif how == 3:
            made[at : at + 4] = rng.choice((b"\xff\xff\xff\x7f", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x01\0\0\0"))
        elif how == 4 and rng.random() < 0.3:
            del made[at:]
        else:
            made[at : at + 1] = bytes([made[at] ^ 1 << rng.randrange(8)]) if at < len(made) else b""
    return bytes(made)


def _changed(rng: random.Random, value: Any) -> Any:
    """A value with one change somewhere within."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        made, key = dict(value), rng.choice(list(value))
        if rng.random() < 0.1:
            del made[key]
        elif rng.random() < 0.15 and isinstance(key, tuple):
            made[_changed_key(rng, key)] = made.pop(key)
        else:
            made[key] = _changed(rng, made[key])
        return made
    if isinstance(value, list | tuple) and value and rng.random() < 0.9:
        items, at = list(value), rng.randrange(len(value))
        if rng.random() < 0.1:
            del items[at]
        elif rng.random() < 0.15:
            items.insert(at, items[rng.randrange(len(items))])
        else:
            items[at] = _changed(rng, items[at])
        return type(value)(items)
    return rng.choice(_ODD)


def _changed_key(rng: random.Random, key: tuple[Any, ...]) -> Any:
    hashable = [odd for odd in _ODD if not isinstance(odd, list | dict | tuple)]
    return tuple(rng.choice(hashable) if rng.random() < 0.4 else each for each in key)


def _times(rng: random.Random, value: Any) -> Any:
    for _ in range(rng.choice((0, 1, 1, 2, 4))):
        value = _changed(rng, value)
    return value


@cache
def _perfetto_samples() -> tuple[bytes, ...]:
    data = loaded(json.dumps(trace()))
    main = track(1, process=(7, "app")) + track(2, 1, thread=(7, 7, "main")) + track(3, 1, "c", counter=number(3, 3))
    clocks = packet(
        part(6, part(1, number(1, 6) + number(2, 500)) + part(1, number(1, 64) + number(2, 5) + number(3, 1)))
    )
    words = packet(
        part(12, b"".join(part(f, number(1, 1) + part(2, "w")) for f in (1, 2, 3, 4, 24, 29, 1000, 1001))), flags=1
    )
    args = (annotation("k", {"a": [1, {"b": "c"}]}), part(4, number(1, 1) + number(17, 1)), fixed(47, 5), number(34, 1))
    slices = packet(event(1, 2, 1, {"x": 1.5}, *args), at=10, flags=2) + packet(event(2, 2, "", {"y": 2}), at=90)
    counted = packet(event(4, 3, "", None, number(30, 7)), at=20) + packet(
        event(3, 2, "i", category="a"), at=30, clock=64
    )
    legacy = packet(
        part(11, number(10, 1) + part(6, number(2, ord("X")) + number(3, 9) + number(18, 7) + number(19, 8))), at=5
    )
    ran = part(
        53, number(2, 9) + number(13, 1) + number(14, 1) + part(21, part(1, number(1, 4)) + part(3, part(2, "k")))
    )
    gpu = packet(ran, at=99, flags=2) + packet(part(52, part(2, number(1, 1) + number(2, 5))), at=7)
    compact = packed(1, 1000, 1000) + packed(2, 0, 1) + packed(3, 7, 8) + packed(7, 2100) + packed(8, 8)
    system = TREE + bundle(
        0, switch(1000, 0, 0, 7), switch(2000, 7, 1, 8), waking(3500, 7), mark(9, 8, "B|7|l"), mark(10, 8, "E")
    )
    system += bundle(1, part(4, compact))
    heap = (
        part(1, number(1, 1) + part(2, "grow"))
        + part(2, number(1, 1) + number(2, 1))
        + part(3, number(1, 1) + number(2, 1))
    )
    heap += part(5, number(1, 7) + part(11, "malloc") + number(9, 5) + part(2, number(1, 1) + number(2, 9)))
    return (
        converted(data)[:6000],
        converted(data, False)[:6000],
        main + clocks + words + slices + counted + legacy + gpu,
        (system + packet(part(37, heap))),
    )


def perfetto(rng: random.Random) -> bytes:
    """Whole fields changed, or bytes."""
    data = wire_mutants.joined(rng, _perfetto_samples()) or _perfetto_samples()[2]
    for _ in range(rng.choice((0, 1, 2, 5, 20))):
        data = wire_mutants.changed(rng, data)
    return damaged(rng, data, rng.choice((0, 0, 3)))


@cache
def _database(kind: str) -> bytes:
    if kind == "nsys":
        made: Nsys | Nvprof = Nsys(2025)
        a_step(made)  # type: ignore[arg-type]
        a_step(made, 2_000_000, 200)  # type: ignore[arg-type]
        return made.bytes()
    if kind == "rocpd":
        return Rocpd(42, 43).bytes()
    made = Nvprof(12)
    made.range("train", 0, 1000, id=1)
    made.call(211, 10, 16, 1)
    made.call(131, 40, 900, 2)
    made.kernel("_Z3addPfS_", 50, 650, 1)
    made.on_device("MEMCPY", 660, 670, 3, copyKind=2, srcKind=3, dstKind=2, flags=1, bytes=8)
    made.on_device("SYNCHRONIZATION", 41, 899, 2, type=3)
    return made.bytes()


def database(rng: random.Random, kind: str) -> bytes:
    """Cells changed, tables lost, and what SQLite would run; else bytes."""
    data = _database(kind)
    if rng.random() < 0.4:
        return damaged(rng, data, 30)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "database")
        file.write_bytes(data)
        with contextlib.closing(sqlite3.connect(file)) as connection:
            _change(rng, connection)
        made = file.read_bytes()
    return damaged(rng, made, rng.choice((0, 0, 5)))


def _change(rng: random.Random, connection: sqlite3.Connection) -> None:
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    full = [name for name in tables if connection.execute(f'SELECT 1 FROM "{name}"').fetchone()]
    for _ in range(rng.choice((1, 2, 5, 20))):
        table = rng.choice(full)
        columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
        with contextlib.suppress(sqlite3.IntegrityError):
            connection.execute(
                f'UPDATE OR IGNORE "{table}" SET "{rng.choice(columns)}" = ? WHERE rowid % ? = 0',
                (rng.choice(_CELLS), rng.choice((1, 2, 3))),
            )
    if rng.random() < 0.2:
        connection.execute(f'DROP TABLE "{rng.choice(full)}"')
    elif rng.random() < 0.2:
        connection.execute(rng.choice(_HOSTILE).format(table=rng.choice(full)))
    connection.commit()


def cprofile(rng: random.Random) -> bytes:
    made = (
        Stats().function("a.py:3(f)", 1.0, 3.0, 5, 3, {"a.py:9(g)": (5, 3, 1.0, 3.0)}).function("a.py:9(g)", 0.5, 3.5)
    )
    made = made.function("<built-in method time.sleep>", 2.0, callers={"a.py:3(f)": (1, 1, 2.0, 2.0)})
    value = _times(rng, made.stats)
    if rng.random() < 0.05:
        # Code is data of this format, too, which nothing may run.
        value = {("x", 1, "f"): compile("raise SystemExit", "x", "exec")}
    try:
        data = marshal.dumps(value, rng.choice((2, 3, 4)))
    except (ValueError, TypeError):
        data = made.bytes()
    return damaged(rng, data, rng.choice((0, 3, 10)))


_NUMBERS = (b"0", b"-1", b"9" * 18, b"9" * 40, b"1.5", b"1e9", b"nan", b"NaN", b"0x1", b"", b"null", b"\xd9\xa1")


def call_stacks(rng: random.Random) -> bytes:
    """Lines repeated, lost or in another order, and numbers changed; then bytes."""
    tree: Any = stacks.TREE
    for _ in range(rng.choice((0, 1, 3, 300))):
        times = rng.choice((0.01, -1, 1e300, 0, "1", None))
        tree = {**stacks.TREE, "time": times, "children": [tree] if rng.random() < 0.9 else [tree, stacks.TREE, 3]}
    records = [[["main\0a.py\0009", "f\0b.py\0003\x01l4"], 0.002], [[], 0.5], [["main\0a.py\0009"], 0.001]]
    sessions = (stacks.session(frame_records=records), stacks.session(root_frame=tree))
    data = rng.choice((stacks.COLLAPSED, stacks.PERF, stacks.AUSTIN, *sessions))
    lines = data.split(b"\n")
    for _ in range(rng.choice((0, 1, 3, 10))):
        at = rng.randrange(len(lines))
        how = rng.randrange(4)
        if how == 0:
            lines[at] = re.sub(rb"\d+", lambda match: rng.choice((*_NUMBERS, match[0])), lines[at])
        elif how == 1:
            lines.insert(rng.randrange(len(lines)), lines[at])
        elif how == 2 and len(lines) > 1:
            del lines[at]
        elif len(lines[at]) < 1000:
            lines[at] = lines[at].replace(b";", rng.choice((b";;", b" ", b"", b";" * 1500)))
    return damaged(rng, b"\n".join(lines), rng.choice((0, 0, 3, 10)))


@cache
def _snapshot() -> dict[str, Any]:
    device = Device()
    return snapshot([device], train(device, 1, 2))


class _Runs:
    """Ends the process where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def memory_snapshot(rng: random.Random) -> bytes:
    value = _times(rng, _snapshot())
    if rng.random() < 0.03:
        value = {"segments": [_Runs()]}
    try:
        data = pickle.dumps(value, rng.choice((2, 3, 4, 5)))
    except (pickle.PicklingError, ValueError, TypeError):
        data = pickle.dumps(_snapshot())
    return damaged(rng, data, rng.choice((0, 3, 10)))
