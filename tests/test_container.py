"""The container's file: what it copies is there and is enough to install, it has no rights, it answers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.conftest import ROOT
from tests.integration._board import tensorboard
from tests.twice import LEFT

TEXT = (ROOT / "Containerfile").read_text()
#: The last stage is what runs.
RUNS = TEXT.rpartition("\nFROM ")[2]


def words(instruction: str) -> list[str]:
    (given,) = re.findall(rf"^{instruction} (\[.*\])$", RUNS, re.MULTILINE)
    return [str(word) for word in json.loads(given)]


def copied() -> list[str]:
    """Of the checkout, by the first stage."""
    lines = re.findall(r"^COPY (?!--from)(.*) \S+$", TEXT, re.MULTILINE)
    return [name for line in lines for name in line.split()]


def test_what_is_copied_is_there_and_not_left_out() -> None:
    ignored = (ROOT / ".containerignore").read_text().splitlines()
    assert {line.removeprefix("!") for line in ignored if line.startswith("!")} == set(copied())
    assert [name for name in copied() if not (ROOT / name).exists()] == []


def test_what_is_copied_is_enough_to_make_the_wheel(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in copied():
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=LEFT)
        else:
            shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PERFPLUGIN_LOOPS": "none"})
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert "tensorboard_perfplugin/static/index.js" in zipfile.ZipFile(wheel).namelist()


def test_it_runs_without_rights_and_keeps_answers_where_it_may_write() -> None:
    (user,) = re.findall(r"^USER (\d+)$", RUNS, re.MULTILINE)
    assert int(user) > 0
    (cache,) = re.findall(r"XDG_CACHE_HOME=(\S+)", RUNS)
    assert re.search(rf"install --directory --owner perfplugin --mode 0700 {cache}\b", RUNS)


def test_it_answers_its_own_question_whether_it_is_well(tmp_path: Path) -> None:
    """By the words it starts with, but for the address that it binds, and the question's port."""
    starts, question = words("ENTRYPOINT"), words("HEALTHCHECK .* CMD")
    assert starts[0] == "tensorboard"
    assert words("CMD") == ["/logs"]
    flags = [word for word in starts[1:] if word != "--bind_all"]
    with tensorboard(tmp_path / "log", *flags, str(ROOT / "tests" / "samples")) as board:
        code = question[2].replace("http://127.0.0.1:6006/", f"{board.url.rstrip('/')}/")
        assert code != question[2]
        assert subprocess.run([sys.executable, "-c", code]).returncode == 0
    assert subprocess.run([sys.executable, "-c", code], stderr=subprocess.DEVNULL).returncode != 0
