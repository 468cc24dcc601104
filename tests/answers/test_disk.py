"""Answers on disk, where someone else may write there, and where the code that made them was edited since."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.answers.disk import SEAL_BYTES, Disk, code_digest, is_ours
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.logdir import runs_at
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT

needs_owners = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders have no owner here")


@needs_owners
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


@pytest.mark.parametrize(("before", "after"), [(b"1", b"9"), (b"1", b"-9"), (b"1", b"NaN")])
def test_an_entry_that_was_edited_is_made_again(before: bytes, after: bytes, tmp_path: Path) -> None:
    """Any number that JSON can hold was believed."""
    disk = Disk(lambda: str(tmp_path))
    disk.write(("key",), {"value": 1})
    assert disk.read(("key",), dict) == {"value": 1}
    (entry,) = tmp_path.iterdir()
    head, separator, value = entry.read_bytes().rpartition(b":")
    entry.write_bytes(head + separator + value.replace(before, after))
    assert disk.read(("key",), dict) is None
    assert list(tmp_path.iterdir()) == []


@needs_owners
def test_whose_folder_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir(0o700)
    link.symlink_to(folder)
    assert [is_ours(str(path)) for path in (folder, link, tmp_path / "none")] == [True, False, False]
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not is_ours(str(folder))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of this package's sources."""
    source = Path(tensorboard_perfplugin.__file__).parent
    ignored = shutil.ignore_patterns("static", "__pycache__", "*.so")
    return Path(shutil.copytree(source, tmp_path / "package", ignore=ignored))


@pytest.mark.slow
def test_an_edit_of_any_module_makes_the_answers_on_disk_old(package: Path) -> None:
    """Rooms within rooms, as `timeline/split`, were not looked at: their edits showed old answers."""
    files = sorted(path for path in package.rglob("*") if path.is_file())
    assert {"timeline", "tools", "decode"} <= {path.relative_to(package).parts[0] for path in files}
    keys = [code_digest(str(package))]
    for path in files:
        with path.open("a") as file:
            file.write("# edited\n")
        keys.append(code_digest(str(package)))
    stale = [str(path) for path, before, after in zip(files, keys, keys[1:], strict=False) if before == after]
    assert stale == []


def test_an_edit_that_keeps_the_size_is_seen_and_a_compiled_module_that_comes_or_goes(package: Path) -> None:
    keys = [code_digest(str(package))]
    os.utime(package / "errors.py", (1, 1))
    keys.append(code_digest(str(package)))
    (package / "timeline" / "inner.so").touch()
    keys.append(code_digest(str(package)))
    (package / "timeline" / "inner.so").unlink()
    keys.append(code_digest(str(package)))
    assert (len(set(keys)), keys[1]) == (3, keys[3])


def test_what_no_answer_depends_on_keeps_the_answers(package: Path) -> None:
    before = code_digest(str(package))
    for folder in ("static", "__pycache__", "timeline/__pycache__"):
        (package / folder).mkdir()
        (package / folder / "file.js").touch()
    assert code_digest(str(package)) == before


@pytest.mark.parametrize(("size", "looks"), [(62 - SEAL_BYTES, 1), (63 - SEAL_BYTES, 2)])
def test_the_folder_is_looked_through_when_a_part_of_what_fits_was_stored(
    size: int, looks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each of many small entries, it took longer the more there were. An entry has two more bytes, its quotes."""
    seen, scan = [], os.scandir

    def scandir(folder: str) -> Any:
        seen.append(folder)
        return scan(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    disk = Disk(lambda: str(tmp_path / "cache"), max_bytes=4096)
    disk.write(("first",), "x")
    disk.write(("second",), "x" * size)
    assert len(seen) == looks
    for i in range(128):
        disk.write((i,), "x" * (62 - SEAL_BYTES))
    assert sum(path.stat().st_size for path in (tmp_path / "cache").iterdir()) <= 65 * 64
