"""The programs on the pages of first steps, as they are printed there: each writes a capture that opens."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, slow_but
from tests.integration._programs import frameworks_python

DOCS = ROOT / "docs"
PAGES = sorted(path.stem for path in DOCS.glob("start_*.md"))


def program(page: str) -> str:
    (code,) = re.findall(r"^```python\n(.*?)^```$", (DOCS / f"{page}.md").read_text(), re.MULTILINE | re.DOTALL)
    return str(code)


def commands(page: str) -> list[list[str]]:
    """What the page tells to type after its program ran here; without those that go on, or ask another machine."""
    lines = re.findall(r"^    perfplugin (.*)$", (DOCS / f"{page}.md").read_text(), re.MULTILINE)
    return [shlex.split(line, comments=True) for line in lines if not line.startswith("capture ")]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize("page", slow_but(("start_pytorch",), PAGES))
def test_its_program_writes_a_capture_that_opens(page: str, tmp_path: Path) -> None:
    code = program(page).replace("6009", str(free_port()))
    (tmp_path / "train.py").write_text(code)
    python = [str(frameworks_python()), "train.py"]
    if "init_process_group" in code:
        python[1:1] = ["-m", "torch.distributed.run", "--nproc-per-node=2", f"--master-port={free_port()}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "2", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(python, cwd=tmp_path, capture_output=True, text=True, env=environment, timeout=540)
    assert done.returncode == 0, done.stderr[-3000:]
    assert commands(page)
    for words in commands(page):
        shown = subprocess.run(
            [sys.executable, "-m", "tensorboard_perfplugin", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        )
        assert shown.returncode == 0, shown.stderr
        assert shown.stdout.strip()


def test_every_page_of_first_steps_is_in_the_site_and_has_one_program() -> None:
    site = (ROOT / "mkdocs.yml").read_text()
    assert len(PAGES) == 7
    assert [page for page in PAGES if f": {page}.md\n" not in site] == []
    for page in PAGES:
        compile(program(page), page, "exec")
