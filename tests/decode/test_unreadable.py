"""What is no capture says what it is instead, and what to do."""

from __future__ import annotations

import gzip
import os
import pickle
import sqlite3
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode, units
from tensorboard_perfplugin.errors import NotFoundError, UnreadableError
from tests.build_capture import Space
from tests.decode.both import read_both


def sqlite(folder: Path) -> bytes:
    with sqlite3.connect(folder / "db") as connection:
        connection.execute("create table t (x)")
    connection.close()
    return (folder / "db").read_bytes()


def zipped(folder: Path) -> bytes:
    with zipfile.ZipFile(folder / "zip", "w") as archive:
        archive.writestr("a", "b")
    return (folder / "zip").read_bytes()


def event_file(folder: Path) -> bytes:
    record = b"\x09\0\0\0\0\0\0\xf0\x3f\x1a\x0dbrain.Event:2"
    return struct.pack("<QI", len(record), 0) + record + b"\0\0\0\0"


def mangled(folder: Path) -> bytes:
    space = Space()
    line = space.plane("/host:CPU").line(-1)
    for i in range(100):
        line.event("op", i * 1_000_003, 99_999)
    return space.bytes().decode(errors="replace").encode()


CASES: dict[str, Callable[[Path], bytes]] = {
    "an empty file": lambda _: b"",
    "only zero bytes": lambda _: bytes(5000),
    "an HTML page": lambda _: b"\n<!DOCTYPE html><html><body>404</body></html>",
    "a git-lfs pointer": lambda _: b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n",
    "JSON": lambda _: b'{"traceEvents": []}',
    "text": lambda _: "Grüße vom Profiler\n".encode(),
    "an SQLite database": sqlite,
    "a zip archive": zipped,
    "a Python pickle": lambda _: pickle.dumps({"a": 1}),
    "a TensorBoard event file": event_file,
    "binary data that was converted as if it were text": mangled,
    "a damaged XPlane capture": lambda _: bytes(range(7, 256)) * 3,
}


@pytest.mark.parametrize("looks", CASES)
def test_what_it_looks_like(looks: str, tmp_path: Path) -> None:
    data = CASES[looks](tmp_path)
    assert decode.sniff(data, "host.xplane.pb") == looks
    for given in (data, gzip.compress(data)):
        with pytest.raises(UnreadableError) as caught:
            read_both(given, "run/host.xplane.pb")
        message = str(caught.value)
        assert message.startswith(f"run/host.xplane.pb ({units.size(len(given))}) is not a capture: it looks like ")
        assert f"{looks}. " in message
        assert ("gzip data that holds" in message) == (given is not data)


def test_another_name_is_judged_by_content() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("op", 1, 1)
    assert len(read_both(space.bytes(), "download (1)").events) == 1
    with pytest.raises(UnreadableError, match="it looks like JSON"):
        read_both(b'{"a": 1}', "trace.json")


@pytest.mark.parametrize("data", [b"\x28\x01", b"\x32\x03abc", b"\x0a\x05hello", b"\x22\x01\x00\x07", b'"a\n'])
def test_bytes_that_happen_to_parse(data: bytes) -> None:
    with pytest.raises(UnreadableError, match="is not a capture"):
        read_both(data)


def test_a_sound_capture_may_hold_replacement_characters() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "\ufffd" * 50).event("op", 1, 1)
    assert len(read_both(space).events) == 1


def test_gzip_that_ends_before_anything_can_be_read() -> None:
    with pytest.raises(UnreadableError, match=r"gzip data that is damaged, from byte 12 on\."):
        read_both(gzip.compress(Space().bytes())[:12])


def test_gzip_that_unpacks_to_too_much() -> None:
    bomb = gzip.compress(gzip.compress(bytes(70 << 20)))
    assert len(bomb) < 1000
    with pytest.raises(UnreadableError, match=r"unpacks to more than 67\.1 MB"):
        read_both(gzip.compress(bytes(70 << 20)))


def test_no_such_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.xplane.pb", tmp_path / "a" / "b"):
        with pytest.raises(NotFoundError, match=f"There is no file {path}"):
            decode.read(str(path))


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="is a folder"):
        decode.read(str(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableError, match="is a pipe"):
        decode.read(str(tmp_path / "pipe"))


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "h.xplane.pb"
    path.write_bytes(Space().bytes())

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(sys.modules["tensorboard_perfplugin.decode.common.source"], "open", refuse, raising=False)
    with pytest.raises(UnreadableError, match=r"is not readable by this user. .*chmod a\+r "):
        decode.read(str(path))


def test_an_empty_file_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "h.xplane.pb"
    path.write_bytes(b"")
    with pytest.raises(UnreadableError, match=r"\(0 bytes\) is not a capture: it looks like an empty file"):
        decode.read(str(path))
