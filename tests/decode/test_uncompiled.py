"""The package where nothing is compiled."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import tensorboard_perfplugin
from tests.snapshots import Device, pickled, train

from .test_perfetto_alike import sample
from .test_perfetto_pytorch import trace

PACKAGE = Path(tensorboard_perfplugin.__file__).parent
#: As of a checkout that was never built.
SOURCES = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__", "static")
SAY = """
import sys, zlib
from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.loops import loops
print(decode.COMPILED, loops.COMPILED)
for path in sys.argv[1:]:
    capture = decode.read(path)
    e, s = capture.events, capture.stats
    columns = (e.start_ps, e.duration_ps, e.track, e.name, s.key, s.value)
    print(len(e), len(capture.strings), *(zlib.crc32(c.tobytes()) for c in columns))
"""


def test_sources_beside_an_installed_cython(tmp_path: Path) -> None:
    """`import …decode` raised AttributeError: __spec__ from a cimport instead of taking the other decoder."""
    device = Device()
    notes = train(device, 2)
    made = {
        "h.trace.json": json.dumps(trace()).encode(),
        "h.pftrace": sample(),
        "h.pickle": pickled([device], notes),
    }
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
    shutil.copytree(PACKAGE, tmp_path / "bare" / "tensorboard_perfplugin", ignore=SOURCES)
    said = []
    for folder in (tmp_path / "bare", PACKAGE.parent):
        command = [sys.executable, "-c", SAY, *(str(tmp_path / name) for name in made)]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(folder)}
        )
        assert done.stderr == ""
        said.append(done.stdout.splitlines())
    assert said[0][0] == "False False"
    assert said[0][1:] == said[1][1:]
    assert len(said[0]) == 4
