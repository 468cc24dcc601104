"""Sessions that began within seconds of one another on several hosts are one run, and others are merged on demand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.logdir import Logdir, Root, merged, runs_at
from tests.logdir.test_runs import named, touch


def session(seconds: int) -> str:
    """A folder named by its clock, so many seconds after ten o'clock."""
    return f"plugins/profile/2026_11_20_10_{seconds // 60:02}_{seconds % 60:02}"


def sessions(folder: Path, *begun: tuple[int, str]) -> Path:
    """When each session began, and of which hosts it is."""
    for seconds, hosts in begun:
        touch(folder, *(f"{session(seconds)}/{host}.xplane.pb" for host in hosts))
    return folder


def test_sessions_of_several_hosts_that_began_within_seconds_are_one_run(tmp_path: Path) -> None:
    assert named(sessions(tmp_path, (5, "c"), (7, "ab"), (16, "d"), (90, "e"))) == {
        "2026_11_20_10_01_30": ("e",),
        "2026_11_20_10_00_05 (3 sessions)": ("a", "b", "c", "d"),
    }


@pytest.mark.parametrize(("seconds", "runs"), [(10, 1), (11, 2)])
def test_ten_seconds_are_together(tmp_path: Path, seconds: int, runs: int) -> None:
    assert len(named(sessions(tmp_path, (0, "a"), (seconds, "b")))) == runs


def test_a_host_that_was_captured_again_begins_another_run(tmp_path: Path) -> None:
    assert named(sessions(tmp_path, (0, "a"), (1, "b"), (5, "a"), (6, "b"))) == {
        "2026_11_20_10_00_05 (2 sessions)": ("a", "b"),
        "2026_11_20_10_00_00 (2 sessions)": ("a", "b"),
    }


def test_other_folders_and_other_files_stay_runs_of_their_own(tmp_path: Path) -> None:
    touch(tmp_path, "x/2026_11_20_10_00_00/a.xplane.pb", "x/2026_11_20_10_00_01/b.xplane.pb")
    sessions(tmp_path / "one", (0, "a"))
    sessions(tmp_path / "two", (1, "b"))
    touch(tmp_path / "two", f"{session(2)}/c.memory.prof")
    assert sorted(named(tmp_path)) == [
        "one/2026_11_20_10_00_00",
        "two/2026_11_20_10_00_01",
        "two/2026_11_20_10_00_02",
        "x/2026_11_20_10_00_00",
        "x/2026_11_20_10_00_01",
    ]


def test_a_link_to_one_of_the_sessions_leads_to_the_run(tmp_path: Path) -> None:
    logdir = Logdir((Root("", str(sessions(tmp_path, (0, "a"), (1, "b")))),))
    names = ("2026_11_20_10_00_00", "2026_11_20_10_00_01", "2026_11_20_10_00_00 (2 sessions)")
    assert {logdir.run(name).name for name in names} == {names[-1]}


def test_runs_of_other_hosts_are_merged_the_nearest_first(tmp_path: Path) -> None:
    runs = runs_at(str(sessions(tmp_path, (0, "a"), (60, "b"), (120, "bc"), (180, "c"))))
    newest, *_, first = runs
    assert (merged(runs, first).name, merged(runs, first).hosts) == (
        "2026_11_20_10_00_00 (3 sessions)",
        ("a", "b", "c"),
    )
    assert [file.path.split("/")[-2] for file in merged(runs, newest).files] == [
        "2026_11_20_10_00_00",
        "2026_11_20_10_01_00",
        "2026_11_20_10_03_00",
    ]


def test_nothing_to_merge_is_said(tmp_path: Path) -> None:
    runs = runs_at(str(sessions(tmp_path, (0, "a"), (60, "a"))))
    with pytest.raises(
        ArgumentError, match=r"nothing to merge with 2026_11_20_10_01_00: no other run is of other hosts"
    ):
        merged(runs, runs[0])


def test_sessions_of_ranks_with_a_folder_each_are_one_run(tmp_path: Path) -> None:
    """Ranks of one machine are called as their folders; what began later is another run."""
    sessions(tmp_path / "rank0", (0, "v"), (60, "v"))
    sessions(tmp_path / "rank1", (1, "v"), (61, "v"))
    sessions(tmp_path / "other", (2, "v"))
    assert named(tmp_path) == {
        "rank0/2026_11_20_10_01_00 (2 sessions)": ("rank0", "rank1"),
        "other/2026_11_20_10_00_02": ("v",),
        "rank0/2026_11_20_10_00_00 (2 sessions)": ("rank0", "rank1"),
    }
    assert named(tmp_path / "rank0") == {"2026_11_20_10_01_00": ("v",), "2026_11_20_10_00_00": ("v",)}


def test_ranks_of_several_machines_keep_the_names_of_these(tmp_path: Path) -> None:
    sessions(tmp_path / "rank0", (0, "a"))
    sessions(tmp_path / "rank1", (1, "b"))
    assert list(named(tmp_path).values()) == [("a", "b")]
