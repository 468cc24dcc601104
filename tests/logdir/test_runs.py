"""From files in folders to named runs, at whatever level a person points."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.logdir.walk import MAX_DEPTH, Walk
from tests.conftest import SAMPLES


def touch(folder: Path, *names: str | bytes, at_s: int = 1_000_000_000) -> Path:
    """Writes files that all have one modification time, the folders above them as needed."""
    for name in names:
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(b"x")
        os.utime(path, (at_s, at_s))
    return folder


def named(path: Path | str) -> dict[str, tuple[str, ...]]:
    """Run → hosts, in the order given."""
    return {run.name: run.hosts for run in runs_at(str(path))}


def test_every_level_opens(tmp_path: Path) -> None:
    touch(tmp_path, "logs/job/train/plugins/profile/s1/a.xplane.pb", "logs/job/train/plugins/profile/s1/b.xplane.pb.gz")
    both = ("a", "b")
    levels = {
        "": "logs/job/train/s1",
        "logs": "job/train/s1",
        "logs/job": "train/s1",
        "logs/job/train": "s1",
        "logs/job/train/plugins": "s1",
        "logs/job/train/plugins/profile": "s1",
        "logs/job/train/plugins/profile/s1": "s1",
    }
    assert {level: named(tmp_path / level) for level in levels} == {k: {v: both} for k, v in levels.items()}
    assert named(tmp_path / "logs/job/train/plugins/profile/s1/a.xplane.pb") == {"a": ("a",)}
    assert named(tmp_path / "logs/job/train/plugins/profile/s1/b.xplane.pb.gz") == {"b": ("b",)}


def test_relative_paths_and_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "logs/plugins/profile/s1/h.xplane.pb")
    monkeypatch.chdir(tmp_path / "logs")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert named(".") == named("../logs/") == named("~/logs") == {"s1": ("h",)}


def test_files_in_plain_folders_make_runs_too(tmp_path: Path) -> None:
    touch(tmp_path / "box", "h.xplane.pb", "old/h.xplane.pb", "old/er/h.xplane.pb", "plugins/profile/h.xplane.pb")
    assert sorted(named(tmp_path / "box")) == ["box", "old", "old/er", "plugins/profile"]


def test_the_newest_comes_first_over_all_groups(tmp_path: Path) -> None:
    """Not by whole name: that put `train/…` above a newer session of the root."""
    session = "plugins/profile/2026_11_20_10_00_0"
    touch(tmp_path, f"{session}3/h.xplane.pb", f"train/{session}1/h.xplane.pb", f"eval/{session}2/h.xplane.pb")
    touch(tmp_path, "named/plugins/profile/r1/h.xplane.pb", at_s=2_000_000_000)
    stamp = "2026_11_20_10_00_0"
    assert list(named(tmp_path)) == ["named/r1", f"{stamp}3", f"eval/{stamp}2", f"train/{stamp}1"]


def test_of_two_sessions_of_one_second_the_later_comes_first(tmp_path: Path) -> None:
    """The newest is what opens by itself: by name it was the older one."""
    stamp = "2026_11_20_10_00_00"
    for number, name in enumerate((stamp, f"{stamp}_2", f"{stamp}_10")):
        touch(tmp_path, f"plugins/profile/{name}/h.xplane.pb", at_s=1_000 + number)
    assert list(named(tmp_path)) == [f"{stamp}_10", f"{stamp}_2", stamp]


def test_times_and_sizes(tmp_path: Path) -> None:
    touch(tmp_path, "plugins/profile/2026_11_20_10_00_00/a.xplane.pb", at_s=5)
    touch(tmp_path, "plugins/profile/2026_11_20_10_00_00/b.xplane.pb", at_s=7)
    (run,) = runs_at(str(tmp_path))
    assert (run.size_bytes, run.modified_ns) == (2, 7 * 10**9)
    assert run.captured_ns > run.modified_ns
    assert [file.modified_ns for file in run.files] == [5 * 10**9, 7 * 10**9]


def test_two_runs_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    """The one in the profilers' layout keeps the name, whatever else is found."""
    touch(tmp_path, "a/plugins/profile/s/laid_out.xplane.pb", "a/s/plain.xplane.pb")
    assert named(tmp_path) == {"a/s": ("laid_out",), "a/s (2)": ("plain",)}


def test_hosts_are_in_natural_order_and_one_file_each(tmp_path: Path) -> None:
    """A capture and its own gzip side by side would count every event twice."""
    names = ("w10.xplane.pb", "w2.xplane.pb", "w2.xplane.pb.gz", "w2.xplane.pb.tmp", ".w3.xplane.pb")
    (run,) = runs_at(str(touch(tmp_path / "s", *names)))
    assert [os.path.basename(file.path) for file in run.files] == ["w2.xplane.pb", "w10.xplane.pb"]
    assert run.file("w10").size_bytes == 1
    with pytest.raises(NotFoundError, match="run s has no host 'w3': its hosts are w2, w10"):
        run.file("w3")


def test_hosts_by_pattern(tmp_path: Path) -> None:
    """As a shell's; a name that is one goes first."""
    names = ("rank0*", "rank01", "rank02", "Rank0", "v[m]", "vm")
    (run,) = runs_at(str(touch(tmp_path / "s", *(f"{name}.xplane.pb" for name in names), "vm.json")))
    for pattern, hosts in {
        "rank0?": ["rank0*", "rank01", "rank02"],
        "rank0*": ["rank0*"],
        "rank0[12]": ["rank01", "rank02"],
        "[Rv]*": ["Rank0", "v[m]", "vm"],
        "v[m]": ["v[m]"],
        "v[!x]": ["vm"],
    }.items():
        assert sorted(file.host for file in run.files_of(pattern)) == hosts, pattern
    for wrong, end in {"rnk*": "vm; did you mean rank0*?", "rank*3": "", "[z-a]*": "rank02, v[m], vm"}.items():
        with pytest.raises(NotFoundError, match="run s has no host") as error:
            run.files_of(wrong)
        assert str(error.value).endswith(end), error.value


def test_memory_profiles_are_a_run_of_their_own_beside_a_session(tmp_path: Path) -> None:
    """Read with the session, every sum over hosts would have one host more."""
    session = "plugins/profile/2026_11_20_10_00_00"
    names = ("vm.xplane.pb", "vm.memory.prof", "w2.memory.prof", "memory.prof")
    touch(tmp_path, *(f"{session}/{name}" for name in names), "alone/memory.prof", "alone/train.prof")
    assert named(tmp_path) == {
        "2026_11_20_10_00_00": ("vm",),
        "2026_11_20_10_00_00 (memory)": ("memory", "vm", "w2"),
        "alone": ("memory",),
    }
    runs = {run.name: run for run in runs_at(str(tmp_path))}
    times = {run.captured_ns for name, run in runs.items() if name.startswith("2026")}
    assert len(times) == 1
    assert named(tmp_path / "alone/train.prof") == {"train": ("train",)}


def test_names_of_any_bytes(tmp_path: Path) -> None:
    touch(tmp_path, b"r\xff/a\n\xfe.xplane.pb", "r\\xff/b.xplane.pb")
    assert named(tmp_path) == {"r\\xff": ("b",), "r\\xff (2)": ("a\\x0a\\xfe",)}
    run = next(run for run in runs_at(str(tmp_path)) if run.hosts != ("b",))
    (file,) = run.files
    assert Path(file.path).read_bytes() == b"x"


def test_directory_links_are_followed_once_and_cycles_end(tmp_path: Path) -> None:
    touch(tmp_path, "store/plugins/profile/s/h.xplane.pb", "logs/own/plugins/profile/t/h.xplane.pb")
    for link, target in {"up": "..", "self": ".", "far": "../store", "again": "../store", "own2": "own"}.items():
        (tmp_path / "logs" / link).symlink_to(target)
    (tmp_path / "logs/nowhere").symlink_to("gone")
    assert sorted(named(tmp_path / "logs")) == ["again/s", "own/t"]


def test_hidden_folders_and_things_that_are_no_files(tmp_path: Path) -> None:
    touch(tmp_path, ".git/h.xplane.pb", "s/h.xplane.pb")
    (tmp_path / "s/folder.xplane.pb").mkdir()
    os.mkfifo(tmp_path / "s/pipe.xplane.pb")
    (tmp_path / "s/dangling.xplane.pb").symlink_to("gone")
    (tmp_path / "s/linked.xplane.pb").symlink_to("h.xplane.pb")
    assert named(tmp_path) == {"s": ("h", "linked")}


def test_what_links_lead_to_is_a_host_where_it_begins_as_a_capture(tmp_path: Path) -> None:
    """`/etc/passwd` was one."""
    touch(tmp_path, "s/h.xplane.pb")
    samples = SAMPLES / "gpu_streams/plugins/profile/2026_11_20_09_00_00"
    (tmp_path / "s/passwd.xplane.pb").symlink_to("/etc/passwd")
    (tmp_path / "s/passwd.memory.prof").symlink_to("/etc/passwd")
    (tmp_path / "s/passwd.pt.trace.json").symlink_to("/etc/passwd")
    (tmp_path / "s/zero.xplane.pb").symlink_to("/dev/zero")
    (tmp_path / "s/real.xplane.pb").symlink_to(samples / "trainer.xplane.pb")
    assert named(tmp_path) == {"s": ("h", "real")}


def test_links_to_other_folders_that_are_not_followed(tmp_path: Path) -> None:
    touch(tmp_path, "store/plugins/profile/s/h.xplane.pb", "logs/own/plugins/profile/t/h.xplane.pb")
    sample = SAMPLES / "gpu_streams/plugins/profile/2026_11_20_09_00_00/trainer.xplane.pb"
    (tmp_path / "logs/far").symlink_to("../store")
    (tmp_path / "logs/own/plugins/profile/t/real.xplane.pb").symlink_to(sample)
    (tmp_path / "logs/own/plugins/profile/t/same.xplane.pb").symlink_to("h.xplane.pb")
    hosts = {}
    for follows in (True, False):
        walk = Walk(str(tmp_path / "logs"), follows_links=follows)
        hosts[follows] = sorted(file.host for visit in walk for file in visit.files)
    assert hosts == {True: ["h", "h", "real", "same"], False: ["h", "same"]}


def test_limits_are_told(tmp_path: Path) -> None:
    deep = "/".join("d" * (MAX_DEPTH + 1))
    touch(tmp_path, f"{deep}/h.xplane.pb")
    walk = Walk(str(tmp_path))
    assert len(list(walk)) == MAX_DEPTH + 1
    assert walk.notes == [f"{tmp_path}/{'/'.join('d' * MAX_DEPTH)}: folders deeper than 32 levels are not scanned"]
    few = Walk(str(tmp_path), max_folders=3)
    assert len(list(few)) == 3
    assert few.notes == [f"{tmp_path}: only the first 3 folders were scanned"]


def test_a_file_that_changed_or_went_has_another_identity(tmp_path: Path) -> None:
    (run,) = runs_at(str(touch(tmp_path / "s", "h.xplane.pb")))
    before = run.files[0].identity
    assert run.files[0].identity == before
    touch(tmp_path / "s", "h.xplane.pb", at_s=1_000_000_001)
    assert run.files[0].identity != before
    (tmp_path / "s/h.xplane.pb").unlink()
    with pytest.raises(NotFoundError, match="present at the last scan, now: No such file"):
        _ = run.files[0].identity


def test_nothing_there_says_what_was_looked_at(tmp_path: Path) -> None:
    touch(tmp_path, "logs/a/events.out.tfevents.1", "logs/b/notes.txt")
    cases = {
        "gone": f"{tmp_path}/gone: no such file or folder (its folder exists)",
        "go/ne": f"{tmp_path}/go/ne: no such file or folder ({tmp_path}/go does not exist either)",
        "logs": f"{tmp_path}/logs: no captures (*.xplane.pb[.gz], *.pt.trace.json[.gz]) in it, 3 folders looked at",
        "logs/b/notes.txt": f"{tmp_path}/logs/b/notes.txt: a file, but not named like a capture (*.xplane.pb[.gz], ",
    }
    for path, message in cases.items():
        with pytest.raises(NotFoundError) as caught:
            runs_at(str(tmp_path / path))
        assert str(caught.value).startswith(message)
