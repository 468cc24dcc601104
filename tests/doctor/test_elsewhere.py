"""What opens under another name, what is left out, and files whose bytes alone say what they are."""

from __future__ import annotations

import cProfile
from pathlib import Path

import pytest

from tensorboard_perfplugin.doctor import diagnose
from tests.decode.databases import Nsys


@pytest.fixture
def session(tmp_path: Path) -> Path:
    folder = tmp_path / "plugins" / "profile" / "2026_11_20_10_00_00"
    folder.mkdir(parents=True)
    return folder


def cprofile(path: Path) -> None:
    made = cProfile.Profile()
    made.runcall(sorted, [3, 1, 2])
    made.dump_stats(path)


def test_a_trace_under_another_name_is_one_to_rename(tmp_path: Path) -> None:
    """Told by its contents: PyTorch's has its own ending, other traces of events the one that TensorFlow used."""
    event = '{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "a", "cat": "cpu_op"}'
    for members, wanted in (('"schemaVersion": 1, ', "mine.pt.trace.json"), ("", "mine.trace.json")):
        path = tmp_path / "mine.txt"
        path.write_text(f'{{{members}"traceEvents": [{event}]}}')
        [found] = diagnose(str(path))
        assert (found.case, found.code, found.params["file"]) == ("unknown_format", "misnamed_file", str(path))
        assert found.params["wanted"] == f"{path}{wanted[4:]}"


def test_a_folder_of_traces_under_other_names(tmp_path: Path) -> None:
    """As people share PyTorch's traces: `part0.json`, `part1.json`; a configuration lies beside them."""
    event = '{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "a", "cat": "cpu_op"}'
    (tmp_path / "config.json").write_text('{"batch": 32}')
    for part in range(2):
        (tmp_path / f"part{part}.json").write_text(f'{{"schemaVersion": 1, "traceEvents": [{event}]}}')
    [found] = diagnose(str(tmp_path))
    assert (found.code, found.params) == (
        "misnamed_several_in_folder",
        {
            "event_files": None,
            "others": 3,
            "folders": None,
            "suffix": ".pt.trace.json",
            "file": str(tmp_path / "part0.json"),
            "wanted": str(tmp_path / "part0.pt.trace.json"),
        },
    )


def test_files_that_tell_less_are_told(tmp_path: Path, session: Path) -> None:
    event = '{"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "a"}'
    (session / "vm.trace.json").write_text(f'{{"traceEvents": [{event}]}}')
    (session / "vm.overview_page.pb").write_bytes(b"")
    [found] = diagnose(str(tmp_path))
    assert found.ok
    assert (found.params["captures"], found.params["left_out"]) == (1, "vm.overview_page.pb")
    (session / "wm.trace.json").write_text(f'{{"traceEvents": [{event}]}}')
    (session / "wm.overview_page.pb").write_bytes(b"")
    [found] = diagnose(str(tmp_path))
    assert (found.params["captures"], found.params["left_out"], found.params["many"]) == (2, None, 2)


def test_cprofile_is_one_capture(session: Path, tmp_path: Path) -> None:
    path = session / "trainer.prof"
    cprofile(path)
    for given in (tmp_path, path):
        [found] = diagnose(str(given))
        assert (found.ok, found.params["runs"], found.params["captures"]) == (True, 1, 1)


def test_rank_files_are_not_sent_to_another_folder(tmp_path: Path) -> None:
    """They were no captures, and those of a folder beside were named instead."""
    for folder in ("result", "logs"):
        (tmp_path / folder).mkdir()
    cprofile(tmp_path / "logs" / "other.prof")
    for rank in range(3):
        cprofile(tmp_path / "result" / f"rank_{rank}.cprofile")
    [found] = diagnose(str(tmp_path / "result"))
    assert (found.ok, found.params["runs"], found.params["captures"]) == (True, 1, 3)


def test_a_damaged_one_is_told(tmp_path: Path) -> None:
    cprofile(tmp_path / "rank_0.cprofile")
    data = (tmp_path / "rank_0.cprofile").read_bytes()
    for size, code in ((len(data) - 3, "incomplete_and_fresh"), (40, "undecodable_and_fresh")):
        (tmp_path / "rank_0.cprofile").write_bytes(data[:size])
        [found] = diagnose(str(tmp_path))
        assert found.code == code


def test_a_prof_of_neither_kind_is_no_capture(session: Path, tmp_path: Path) -> None:
    (session / "heap.prof").write_bytes(b"\0\1\2")
    for given in (tmp_path, session / "heap.prof"):
        [found] = diagnose(str(given))
        assert not found.ok


def test_a_report_beside_captures_is_told_unless_it_was_exported(session: Path, tmp_path: Path) -> None:
    """Nothing was said of it."""
    cprofile(session / "rank_0.cprofile")
    (session / "run.nsys-rep").write_bytes(b"report")
    [found] = diagnose(str(tmp_path))
    assert (found.code, found.path) == ("report_file", str(session / "run.nsys-rep"))
    assert "nsys export --type sqlite run.nsys-rep" in found.fix
    (session / "run.sqlite").write_bytes(Nsys(2022).bytes())
    assert "report_file" not in {each.code for each in diagnose(str(tmp_path))}


def test_several_files_of_a_host_are_captures_of_one_run(session: Path, tmp_path: Path) -> None:
    cprofile(session / "rank_0.cprofile")
    event = '{"ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "name": "a"}'
    (session / "rank0.trace.json").write_text(f'{{"traceEvents": [{event}]}}')
    [found] = diagnose(str(tmp_path))
    assert (found.ok, found.params["runs"], found.params["captures"]) == (True, 1, 2)
