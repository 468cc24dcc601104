"""What is written into a logdir, by captures and by programs that record themselves: each bound from both sides."""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import sys
import time
import warnings
from pathlib import Path

import pytest

from tensorboard_perfplugin import profile
from tensorboard_perfplugin.capture.local.files import take_place
from tensorboard_perfplugin.capture.local.xla import counted
from tensorboard_perfplugin.capture.request.failure import WorkerError
from tensorboard_perfplugin.capture.session import writer
from tensorboard_perfplugin.capture.session.writer import HIDDEN, DiskError, Session
from tests.capture.test_limits import field
from tests.capture.test_local import TRACE, Torch, trained
from tests.capture.test_local_ranks import RANK, noted
from tests.capture.test_session import DATA, Usage, record

BEGAN_S = 1_700_000_000.0


@pytest.mark.parametrize(("more", "kind"), [(1_048_576, ""), (1_048_575, "disk_full")])
def test_a_mebibyte_of_the_disk_stays_free(
    more: int, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = len(DATA) + more
    found = ""
    with Session(str(tmp_path)) as session:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - free, free))
        try:
            session.write("a", DATA)
        except WorkerError as error:
            found = error.kind
    assert found == kind


def test_what_killed_processes_left_is_taken_away_after_a_day(tmp_path: Path) -> None:
    plugins = tmp_path / "plugins"
    ages_s = {HIDDEN + "0" * 16: 86_300, HIDDEN + "1" * 16: 86_500}
    notes_s = {f"{HIDDEN}job-{'0' * 16}.1": 86_300, f"{HIDDEN}job-{'1' * 16}.1": 86_500}
    plugins.mkdir()
    for name, age_s in {**ages_s, **notes_s}.items():
        (plugins / name).mkdir() if name in ages_s else (plugins / name).write_text("")
        os.utime(plugins / name, (time.time() - age_s,) * 2)

    def left() -> set[str]:
        return {path.name for path in plugins.iterdir()}

    with Session(str(tmp_path)):
        pass
    assert left() == {HIDDEN + "0" * 16, *notes_s}
    take_place(str(tmp_path), "", None, BEGAN_S).close()
    assert left() == {HIDDEN + "0" * 16, f"{HIDDEN}job-{'0' * 16}.1"}


def test_ten_thousand_names_are_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def taken(target: str) -> bool:
        tried.append(os.path.basename(target))
        return False

    monkeypatch.setattr(writer, "_claim", taken)
    with Session(str(tmp_path)) as session, pytest.raises(WorkerError, match="all names for the session are taken"):
        session.finish("run", record)
    assert (len(tried), tried[:2], tried[-1]) == (9999, ["run", "run_2"], "run_9999")


@pytest.mark.parametrize("times", [4, 5])
def test_folders_that_others_take_away_are_made_five_times(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = os.mkdir
    failed: list[str] = []

    def mkdir(path: str, mode: int = 0o777) -> None:
        if HIDDEN in path and len(failed) < times:
            failed.append(path)
            raise FileNotFoundError(path)
        make(path, mode)

    monkeypatch.setattr(os, "mkdir", mkdir)
    try:
        Session(str(tmp_path)).discard()
        made = True
    except DiskError:
        made = False
    assert (made, len(failed)) == (times == 4, times)


@pytest.mark.parametrize(("before_s", "taken"), [(29, True), (31, False)])
def test_processes_of_one_start_begin_within_30_seconds(before_s: float, taken: bool, tmp_path: Path) -> None:
    noted(tmp_path, "theirs", BEGAN_S - before_s)
    place = take_place(str(tmp_path), "", RANK, BEGAN_S)
    place.close()
    assert (place.session == "theirs") is taken


@pytest.mark.parametrize(("size", "taken"), [(4096, True), (4097, False)])
def test_a_note_of_4_kib_is_read(size: int, taken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorboard_perfplugin.capture.local.files.NOTE_WAIT_S", 0.05)
    note = noted(tmp_path, "theirs", BEGAN_S)
    content = json.loads(note.read_text()) | {"more": ""}
    content["more"] = "x" * (size - len(json.dumps(content)))
    note.write_text(json.dumps(content))
    place = take_place(str(tmp_path), "", RANK, BEGAN_S)
    place.close()
    assert (place.session == "theirs") is taken


@pytest.mark.parametrize(("size", "kept"), [(60_000, False), (70_000, True)])
def test_a_large_trace_of_pytorch_holds_events(
    size: int, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of which nobody looks: the text is one that does not compress, so the file is a little larger than `size`."""
    text = base64.b64encode(random.Random(0).randbytes(size)).decode()
    monkeypatch.setitem(sys.modules, "torch", Torch([TRACE, {"ph": "M", "name": text}]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with profile(tmp_path) as recording:
            trained(recording, 1)
    assert bool(recording.files) is kept


def test_a_large_xplane_file_holds_events(tmp_path: Path) -> None:
    """A hostname is no event."""
    for size in (1_000_000, 1_100_000):
        (tmp_path / f"{size}.xplane.pb").write_bytes(field(4, b"h" * size))
    assert [events > 10**9 for events in counted(str(tmp_path)).values()] == [False, True]
