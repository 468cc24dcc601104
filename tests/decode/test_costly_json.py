"""Archives and trace-event JSON that would cost much: what of them is unpacked, looked at or given up."""

from __future__ import annotations

import io
import itertools
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_perfplugin.decode import read, read_bytes
from tensorboard_perfplugin.decode.common.source import most_unpacked, within
from tensorboard_perfplugin.decode.json.reader import Document, Reader
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture

Opens = Callable[[], Capture]
EVENT = '{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "a"}'


def ways(folder: Path, name: str, data: bytes) -> tuple[Opens, Opens]:
    """A file that is read piece by piece, and bytes that are there."""
    (folder / name).write_bytes(data)
    return lambda: read(str(folder / name)), lambda: read_bytes(data, name)


@pytest.mark.parametrize(
    ("size", "fits", "too_much"), [(1000, 67_000_000, 67_200_000), (2_000_000, 199_000_000, 201_000_000)]
)
def test_what_a_packed_file_may_unpack_to(size: int, fits: int, too_much: int) -> None:
    """64 MiB, or a hundred times as much as it has."""
    piece = bytes(100_000)

    def unpack(total: int) -> int:
        pieces = itertools.repeat(piece, total // len(piece))
        return sum(map(len, within(pieces, most_unpacked(size), size, "h.json.gz")))

    assert unpack(fits) == fits
    with pytest.raises(UnreadableError, match="Unpack it first"):
        unpack(too_much)


# -- archives --


def packed(method: int = zipfile.ZIP_DEFLATED, comment: bytes = b"") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("t.json", f"[{EVENT}]")
        archive.comment = comment
    return made.getvalue()


def end_of(list_bytes: int) -> bytes:
    return struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, list_bytes, 0, 0)


def end_64_of(list_bytes: int) -> bytes:
    """The end of an archive of more than 4 GB, whose list is elsewhere."""
    end = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, list_bytes, 0)
    return end + struct.pack("<4sLQL", b"PK\6\7", 0, 0, 1) + end_of(0)


@pytest.mark.parametrize("end", [end_of, end_64_of])
@pytest.mark.parametrize(
    ("list_bytes", "says"), [(1_048_000, "that cannot be read"), (1_049_000, "of very many files. Unpack it")]
)
def test_a_long_list_of_files_is_not_read(end: Callable[[int], bytes], list_bytes: int, says: str) -> None:
    """`zipfile` reads it at once, and makes an object of each 46 bytes."""
    data = b"PK\3\4" + bytes(1_060_000) + end(list_bytes)
    with pytest.raises(UnreadableError, match=f"is a zip archive {says}"):
        read_bytes(data, "t.zip")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_may_ask_for_gigabytes(method: int) -> None:
    with pytest.raises(UnreadableError, match="cannot be read: it is packed by another method than deflate"):
        read_bytes(packed(method), "t.zip")


def changed() -> dict[str, bytes]:
    data = packed()
    name, end = data.rindex(b"t.json"), data.rindex(b"PK\5\6")
    claims = data.index(b"PK\1\2") + 8
    return {
        "a name that is no UTF-8": data[:claims] + b"\0\x08" + data[claims + 2 : name] + b"\xff" + data[name + 1 :],
        "a list before the begin": data[: end + 12] + struct.pack("<L", 60_000) + data[end + 16 :],
        "a list after the end": data[: end + 16] + struct.pack("<L", 1 << 31) + data[end + 20 :],
        "cut": data[: len(data) // 2],
    }


@pytest.mark.parametrize("how", changed())
def test_damaged_archives_are_refused_as_such(how: str, tmp_path: Path) -> None:
    for opened in ways(tmp_path, "t.zip", changed()[how]):
        with pytest.raises(UnreadableError, match="zip archive"):
            opened()


# -- the members and events of trace-event JSON --


def document(*parts: bytes) -> Document:
    return Reader([b"".join(parts)]).read()


@pytest.mark.parametrize(("before", "events"), [(999, 1), (1000, 0)])
def test_the_first_thousand_members_are_looked_at(before: int, events: int) -> None:
    found = document(b"{", b'"m": 0,' * before, f'"traceEvents": [{EVENT}]}}'.encode())
    assert (len(found.events), found.has_events) == (events, bool(events))
    assert [each.code for each in found.warnings] == ["json_breaks_off"] * (not events)


@pytest.mark.parametrize(("more", "lost"), [(0, 0), (1, 1)])
def test_an_event_of_many_megabytes(more: int, lost: int) -> None:
    """One that does not end in 16 MiB is given up; where the next begins, events are read again."""
    begin = b'{"ph": "X", "ts": 1, "dur": 1, "name": "'
    begin += b"x" * ((16 << 20) - len(begin) + more)
    found = Reader([b"[" + begin, b'y"},' + EVENT.encode() + b"]"]).read()
    assert len(found.events) == 2 - lost
    assert found.dropped == ({"not_json_object": 1} if lost else {})


def odd(size: int) -> bytes:
    """An event with a bad escape, of so many bytes, in which another seems to begin."""
    head = b'{"ph": "X", "ts": 1, "dur": 1, "name": "\\x", "args": {"list": [{"id": 1}, {"id": 2, "text": "'
    return head + b"x" * (size - len(head) - 5) + b'"}]}}'


@pytest.mark.parametrize(("looked_before", "repaired"), [(251, 4), (253, 3), (256, 0)])
def test_the_end_of_a_long_odd_event_is_looked_for_256_times(looked_before: int, repaired: int) -> None:
    """Later ones are cut where the next event seems to begin, though that is inside."""
    reader = Reader([b"[", b",".join([odd(70_000)] * 4), b"]"])
    reader.far_looks -= looked_before
    found = reader.read()
    assert len(found.events) == 4
    assert [each.params["n"] for each in found.warnings if each.code == "json_repaired"] == [repaired] * bool(repaired)
    assert found.dropped["not_json_object"] >= 4 - repaired


@pytest.mark.parametrize(("size", "repaired"), [(65_400, True), (65_700, False)])
def test_a_shorter_one_is_repaired_as_often_as_it_comes(size: int, repaired: bool) -> None:
    reader = Reader([b"[", b",".join([odd(size)] * 4), b"," + b" " * 100_000 + b"]"])
    reader.far_looks = 0
    assert (message("json_repaired", n=4) in reader.read().warnings) == repaired


@pytest.mark.parametrize(("spaces", "events"), [(15, 2), (25, 1)])
def test_an_array_that_goes_on_after_its_end(spaces: int, events: int) -> None:
    found = document(b"[", EVENT.encode(), b"]" + b" " * spaces + b"," + EVENT.encode() + b"]")
    assert len(found.events) == events


@pytest.mark.parametrize(("held", "events"), [(150, 2), (250, 1)])
def test_what_is_held_after_the_end_of_an_array(held: int, events: int) -> None:
    """Where it is little more is read, in which another event may begin."""
    found = Reader([f"[{EVENT}],{' ' * (held - 1)}".encode(), f"{EVENT}]".encode()]).read()
    assert len(found.events) == events
