"""The package where nothing is compiled."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import tensorboard_perfplugin

PACKAGE = Path(tensorboard_perfplugin.__file__).parent
#: As of a checkout that was never built.
SOURCES = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__", "static")
SAY = """
from tensorboard_perfplugin import decode, timeline, tools
print(decode.COMPILED, timeline.COMPILED)
print(decode.read_bytes(b'[{"ph": "X", "ts": 1, "dur": 1, "name": "a"}]', "h.trace.json").decoder)
"""


def test_sources_beside_an_installed_cython(tmp_path: Path) -> None:
    """`import …decode` raised AttributeError: __spec__ from a cimport instead of taking the other decoder."""
    shutil.copytree(PACKAGE, tmp_path / "tensorboard_perfplugin", ignore=SOURCES)
    done = subprocess.run([sys.executable, "-c", SAY], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False False\nplain\n", "")
