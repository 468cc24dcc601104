"""Trace-event JSON in pieces, packed, in other encodings, and broken in the midst: what of it is read."""

from __future__ import annotations

import gzip
import io
import json
import os
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import heap
from tensorboard_perfplugin.decode import read, read_bytes
from tensorboard_perfplugin.decode.common import source
from tensorboard_perfplugin.decode.json import plain as plain_json
from tensorboard_perfplugin.decode.json import reader
from tensorboard_perfplugin.decode.json.plain import Parser as PlainParser
from tensorboard_perfplugin.decode.json.reader import Document, Reader
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture

EVENTS = [
    {"ph": "X", "pid": 1, "tid": "a", "ts": i + 0.125, "dur": 0.5, "name": f"näme {i % 3}", "cat": "c",
     "args": {"int": i, "list": [i, {"k": "}]"}], "text": 'q"\\', "float": i / 7, "none": None, "yes": True}}
    for i in range(40)
]  # fmt: skip
WHOLE = json.dumps({"first": [1, "]}"], "traceEvents": EVENTS, "displayTimeUnit": "ns"}).encode()


def rows(document: Document) -> tuple[Any, ...]:
    """All that was read, with texts for their numbers."""
    e = document.events
    texts, ids = np.array(e.texts, object), np.array([*e.ids, None], object)
    values = [texts[v] if kind == 4 else v for v, kind in zip(e.values.tolist(), e.kinds.tolist(), strict=True)]
    columns = {name: column.tolist() for name, column in e.columns.items()}
    columns |= {name: texts[e.columns[name]].tolist() for name in ("name", "category")}
    columns |= {name: ids[e.columns[name]].tolist() for name in ("pid", "tid", "id")}
    rare = {name: (of.tolist(), ids[found].tolist()) for name, (of, found) in e.rare.items()}
    return columns, texts[e.keys].tolist(), e.kinds.tolist(), values, document.members, document.dropped, rare


def names(capture: Capture) -> list[str]:
    capture.check()
    return [capture.event_name(i) for i in range(len(capture.events))]


@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "plain"])
@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_pieces_of_any_size_give_the_same(monkeypatch: pytest.MonkeyPatch, size: int, plain: bool) -> None:
    whole = rows(Reader([WHOLE]).read())
    if plain:
        monkeypatch.setattr(reader, "Parser", PlainParser)
    assert rows(Reader([WHOLE[i : i + size] for i in range(0, len(WHOLE), size)]).read()) == whole
    assert len(whole[0]["phase"]) == 40
    assert whole[3][:6] == [0, '[0,{"k":"}]"}]', 'q"\\', 0, "", 1]


def packed(data: bytes, **files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, each in {"t.json": data, **files}.items():
            archive.writestr(name, each)
    return made.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("t.json", WHOLE),
        ("t.json", b"\xef\xbb\xbf" + WHOLE),
        ("t.json", json.dumps(json.loads(WHOLE), ensure_ascii=False).encode("utf-16")),
        ("t.json.gz", gzip.compress(WHOLE)),
        ("t.json.gz", gzip.compress(WHOLE[:500]) + gzip.compress(WHOLE[500:])),
        ("t.zip", packed(WHOLE, **{"readme.txt": b"x"})),
        ("t.zip", packed(WHOLE)),
        ("t.trace", packed(WHOLE)),
    ],
    ids=["plain", "mark", "utf16", "gzip", "members", "zip_and_other", "zip", "zip_called_otherwise"],
)
def test_each_packing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, data: bytes) -> None:
    monkeypatch.setattr(source, "TEXT_BYTES", 100)
    monkeypatch.setattr(source, "CHUNK_BYTES", 50)
    (tmp_path / name).write_bytes(data)
    expected = [f"näme {i % 3}" for i in range(40)]
    assert names(read(str(tmp_path / name))) == expected
    assert names(read_bytes(data, name)) == expected


def test_a_cut_gzip_file_gives_what_it_holds(tmp_path: Path) -> None:
    data = gzip.compress(WHOLE, mtime=0)
    (tmp_path / "t.json.gz").write_bytes(data[: len(data) * 2 // 3])
    capture = read(str(tmp_path / "t.json.gz"))
    assert 5 < len(names(capture)) < 40
    assert capture.quality.warnings[0] == message("gzip_cut", at=len(data) * 2 // 3)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (packed(WHOLE, **{"u.json": WHOLE}), "a zip archive with 2 JSON files, not one"),
        (packed(WHOLE)[:200] + b"PK\x05\x06", "a zip archive that cannot be read"),
    ],
    ids=["two", "cut"],
)
def test_archives_that_are_no_trace(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "t.zip").write_bytes(data)
    with pytest.raises(UnreadableError, match=says):
        read(str(tmp_path / "t.zip"))


def test_what_unpacks_to_far_too_much_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.json.gz").write_bytes(gzip.compress(b'[{"ph":"X"},' + b" " * (100 << 20)))
    with pytest.raises(UnreadableError, match=r"unpacks to more than 67.1 MB. Unpack it first."):
        read(str(tmp_path / "t.json.gz"))


def event(name: str, ts: int = 1) -> str:
    return f'{{"ph": "X", "pid": 1, "tid": 1, "ts": {ts}, "dur": 1, "name": {name}}}'


@pytest.mark.parametrize("plain", [False, True], ids=["compiled", "plain"])
@pytest.mark.parametrize(
    "bad",
    [
        event('"5" disk"'),
        event('"a "quoted" word"'),
        event('"open'),
        event('[[[['),
        event('"a"}]'),
        event('tru'),
        event('"a"')[:-1],
        event('"a"')[:40],
        "}{",
        '"text',
    ],
)  # fmt: skip
def test_one_broken_event_costs_itself_alone(monkeypatch: pytest.MonkeyPatch, bad: str, plain: bool) -> None:
    """Quotes that are not escaped, brackets that are not closed, what was cut: the next event is read again."""
    if plain:
        monkeypatch.setattr(reader, "Parser", PlainParser)
    good = [event(f'"good {i}"', i) for i in range(50)]
    text = f'{{"traceEvents": [{", ".join([*good[:25], bad, *good[25:]])}], "after": 1}}'
    capture = read_bytes(text.encode(), "t.trace.json")
    assert [name for name in names(capture) if name.startswith("good")] == [f"good {i}" for i in range(50)]
    assert sum(capture.quality.dropped.values()) <= 1


def test_what_unpacks_to_more_than_memory_holds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """26 MB unpacked to 2.2 GB, a hundred times as much, however little memory was free."""
    monkeypatch.setattr(heap, "free_bytes", lambda: 300_000_000)
    packed_data = gzip.compress(b"[" + os.urandom(1 << 20) + b" " * (76 << 20))
    for name in ("t.json.gz", "t.xplane.pb.gz"):
        (tmp_path / name).write_bytes(packed_data)
        says = r"\(1.13 MB\) unpacks to more than 75 MB, the most for the 286 MiB of memory that is free. End other"
        with pytest.raises(UnreadableError, match=says):
            read(str(tmp_path / name))


@pytest.mark.parametrize("compiled", [False, True])
def test_rows_are_stored_beside_parsing_as_they_are_alone(monkeypatch: pytest.MonkeyPatch, compiled: bool) -> None:
    """Many rows and few by turns: none is written anew before it is stored, and all keep their order."""
    monkeypatch.setattr(reader, "Parser", reader.Parser if compiled else PlainParser)
    monkeypatch.setattr(plain_json, "_FEW", 100)
    texts = [f'{{"ph": "X", "ts": {i}, "name": "n{i % 997}", "args": {{"a": {i}}}}}' for i in range(20_000)]
    texts[9_000:9_000] = ['{"ph": "X", "ts": 7, "name": "\\x"}'] * 3
    text = f"[{','.join(texts)}]".encode()
    monkeypatch.setattr(plain_json, "usable_cores", lambda: 1)
    alone = Reader([text]).read()
    assert len(alone.events) == 20_003
    monkeypatch.setattr(plain_json, "usable_cores", lambda: 2)
    for _ in range(3):
        assert rows(Reader([text]).read()) == rows(alone)


@pytest.mark.parametrize("cores", [1, 2])
def test_pieces_are_read_ahead_in_order_up_to_an_error(monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr(source, "usable_cores", lambda: cores)
    asked: list[int] = []

    def given() -> Iterator[bytes]:
        for i in range(5):
            asked.append(i)
            yield b"" if i == 1 else bytes([i])
        raise UnreadableError("broken")

    found = source.ahead(given())
    assert next(found) == b"\0"
    first = list(asked)
    assert [next(found) for _ in range(4)] == [b"", b"\2", b"\3", b"\4"]
    with pytest.raises(UnreadableError, match="broken"):
        next(found)
    assert asked == list(range(5))
    assert len(first) <= cores


def test_reading_ahead_ends_where_nobody_takes_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "usable_cores", lambda: 2)
    asked: list[int] = []
    found = source.ahead(bytes([asked.append(i) or i]) for i in range(100))  # type: ignore[func-returns-value]
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert len(asked) == 2
    assert not [one for one in threading.enumerate() if one.name.startswith("ahead")]


def test_rows_stay_until_the_call_after_the_next() -> None:
    """While they are stored the next are parsed."""
    text = memoryview(f"{','.join(event(chr(34) + name + chr(34), i) for i, name in enumerate('abcd'))}".encode())
    parser = reader.Parser({"": 0}, {})
    half = bytes(text).index(b'"c"') // 2
    _, at, first, _ = parser.parse(text, 0, half)
    kept = first.copy()
    _, _, second, _ = parser.parse(text, at, len(text))
    assert len(first)
    assert len(second)
    assert first.tolist() == kept.tolist()
