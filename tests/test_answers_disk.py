"""Answers on disk, where someone else may write there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensorboard_perfplugin.answers import Disk, Library
from tensorboard_perfplugin.answers._disk import is_ours
from tensorboard_perfplugin.logdir import runs_at
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders have no owner here")


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_a_folder_that_others_write_to_is_not_used(mode: int, tmp_path: Path, make_logdir: MakeLogdir) -> None:
    """A pipe in the place of an answer was waited for; an answer that another user planted was shown."""
    space = Space()
    space.plane("/host:CPU").line(1).event("op", 0, 1)
    (run,) = runs_at(str(make_logdir({"r/h.xplane.pb": space})))
    folder = tmp_path / "cache"

    def ask() -> int:
        answer = Library(disk=Disk(lambda: str(folder))).answer(COUNT, run, None, {})
        return len(answer.hosts)

    assert ask() == 1
    (entry,) = folder.iterdir()
    entry.unlink()
    os.mkfifo(entry)
    folder.chmod(mode)
    assert ask() == 1
    assert list(folder.iterdir()) == [entry]


def test_whose_folder_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir(0o700)
    link.symlink_to(folder)
    assert [is_ours(str(path)) for path in (folder, link, tmp_path / "none")] == [True, False, False]
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not is_ours(str(folder))
