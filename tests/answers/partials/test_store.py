"""Hosts' parts in the cache: a second look reads no capture, what changed is read again, other bytes are removed."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.answers.many import Hosts
from tensorboard_perfplugin.answers.partials.gather import Serial
from tensorboard_perfplugin.answers.partials.store import Store
from tensorboard_perfplugin.answers.partials.work import Ask, Done, Work
from tensorboard_perfplugin.answers.partials.worker import read_here
from tensorboard_perfplugin.tools import find_tool
from tests.answers.partials.hosts import answered, host, many
from tests.conftest import MakeLogdir


class Seen(Serial):
    """Remembers whose hosts were read, and how much was asked of each."""

    def __init__(self) -> None:
        super().__init__(read_here)
        self.hosts: list[str] = []
        self.asks: list[int] = []

    def map(self, works: Sequence[Work], stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
        self.hosts += [work.file.host for work in works]
        self.asks += [len(work.asks) for work in works]
        yield from super().map(works, stop)


def test_a_second_look_reads_no_capture(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    run, first, again = many(make_logdir, 3), Seen(), Seen()
    expected = answered(run, "overview", first, tmp_path / "kept")
    assert first.hosts == ["h0", "h1", "h2"]
    assert answered(run, "overview", again, tmp_path / "kept") == expected
    assert again.hosts == []
    assert answered(run, "pod_viewer", again, tmp_path / "kept") == answered(run, "pod_viewer", None)
    assert again.hosts == ["h0", "h1", "h2"]


def test_a_host_that_changed_is_read_again(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    run, again = many(make_logdir, 3), Seen()
    answered(run, "overview", Seen(), tmp_path / "kept")
    Path(run.file("h1").path).write_bytes(host(1, steps=5).bytes())
    assert answered(run, "overview", again, tmp_path / "kept") == answered(run, "overview", None)
    assert again.hosts == ["h1"]


def test_a_host_that_failed_is_not_kept(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    run, again = many(make_logdir, 2, bad=b"\xff" * 999), Seen()
    answered(run, "overview", Seen(), tmp_path / "kept")
    answered(run, "overview", again, tmp_path / "kept")
    assert again.hosts == ["bad"]


def test_other_pages_cost_nothing_more_where_they_are_prepared(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    run, seen, store = many(make_logdir, 3), Seen(), Store(lambda: str(tmp_path / "kept"))
    library = Library(hosts=Hosts(seen, lambda: store, ahead=True))
    for tool in ("overview", "pod_viewer", "kernel_stats", "tf_data", "memory_profile"):
        library.answer(find_tool(tool), run, None, {}).check()
    assert seen.hosts == ["h0", "h1", "h2"]
    assert min(seen.asks) > 5


@pytest.mark.parametrize("data", [b"", b"pfpart2\n", b"pfpart2\nxx", b"\x80\x04N."])
def test_an_entry_that_is_none_is_removed(make_logdir: MakeLogdir, tmp_path: Path, data: bytes) -> None:
    run, again = many(make_logdir, 2), Seen()
    expected = answered(run, "overview", Seen(), tmp_path / "kept")
    for entry in (tmp_path / "kept").iterdir():
        entry.write_bytes(data)
    assert answered(run, "overview", again, tmp_path / "kept") == expected
    assert again.hosts == ["h0", "h1"]


def test_the_least_recently_used_go(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    run, folder = many(make_logdir, 3), tmp_path / "kept"
    answered(run, "overview", Seen(), folder)
    by_size = sorted(folder.iterdir(), key=lambda path: path.stat().st_size)
    for age, path in enumerate(by_size):
        os.utime(path, ns=(age, age))
    bound = sum(path.stat().st_size for path in by_size[1:])
    Store(lambda: str(folder), bound).trim()
    assert sorted(folder.iterdir()) == sorted(by_size[1:])
    Store(lambda: str(folder), bound - 1).trim()
    assert sorted(folder.iterdir()) == sorted(by_size[2:])


def test_a_folder_that_others_may_write_to_is_not_used(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    run, again = many(make_logdir, 2), Seen()
    answered(run, "overview", Seen(), tmp_path / "kept")
    (tmp_path / "kept").chmod(0o777)
    answered(run, "overview", again, tmp_path / "kept")
    assert again.hosts == ["h0", "h1"]


@pytest.mark.parametrize(("size", "kept"), [(16 << 20, 1), ((16 << 20) + 1, 0)])
def test_a_part_of_16_mib_is_kept(make_logdir: MakeLogdir, tmp_path: Path, size: int, kept: int) -> None:
    store, file = Store(lambda: str(tmp_path / "kept")), many(make_logdir, 1).files[0]
    store.store(file, file.identity, Ask("overview", ()), b"x" * size)
    assert len(list(tmp_path.glob("kept/*"))) == kept


@pytest.mark.parametrize(("size", "left"), [((1 << 30) - 1, 2), (1 << 30, 1)])
def test_parts_of_a_gibibyte_are_kept(tmp_path: Path, size: int, left: int) -> None:
    """A file with a hole, which takes no room, used before the other."""
    (tmp_path / "new.part").write_bytes(b"x")
    (tmp_path / "old.part").touch()
    os.truncate(tmp_path / "old.part", size)
    os.utime(tmp_path / "old.part", (1e9, 1e9))
    tmp_path.chmod(0o700)
    Store(lambda: str(tmp_path)).trim()
    assert len(list(tmp_path.iterdir())) == left
