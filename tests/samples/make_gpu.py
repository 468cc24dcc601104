"""`python -m tests.samples.make_gpu OUT [PROGRAM …]`: training loops on a GPU, each with one planted cost.

Runs `tests.programs.gpu_loop` by the Python that runs this, each program in a process of its own, since PyTorch and JAX
cannot trace one GPU from one process. Gives `OUT/PROGRAM/`, packed, with names of machines, folders and addresses made
neutral. Needs a GPU, PyTorch and JAX; a program that fails is named at the end, the others are kept.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.programs.gpu_loop import JAX, TORCH
from tests.samples._neutral import HOST, renamed

_ADDRESS = re.compile(r"0x[0-9a-f]{8,}")
#: A folder at the begin of a path, up to what is below `site-packages`, or to the file's name.
_FOLDER = re.compile(r"(?<![\w.])/(?:[\w.+-]+/)+(?:site-packages/)?")
#: Members of a trace that say where and by whom it was made.
_NEUTRAL = {"host_name": HOST, "hostname": HOST, "username": "user", "trace_id": "0" * 32}


def main(out: Path, programs: list[str], device: str = "cuda") -> list[str]:
    """The programs that failed."""
    failed = []
    for program in programs or [*TORCH, *JAX]:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "tests.programs.gpu_loop", folder, program, "--device", device]
            if subprocess.run(command).returncode:
                failed.append(program)
                continue
            keep(Path(folder, program), out / program)
    return failed


def keep(written: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(written.rglob("*")):
        if path.name.endswith(".pt.trace.json"):
            pack(out / f"{path.name}.gz", json.dumps(neutral(path), separators=(",", ":")).encode())
        elif path.name.endswith(".xplane.pb"):
            folder = out / path.parent.relative_to(written)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{HOST}.xplane.pb").write_bytes(renamed(path.read_bytes(), HOST))
        elif path.name == "key_averages.json":
            pack(out / f"{path.name}.gz", path.read_bytes())
        elif path.name == "stopwatch.json":
            (out / path.name).write_bytes(path.read_bytes())


def pack(path: Path, data: bytes) -> None:
    path.write_bytes(gzip.compress(data, mtime=0))


def neutral(path: Path) -> dict[str, Any]:
    """The trace without addresses, folders, and names of machines and people."""
    text = _ADDRESS.sub("0x0", path.read_text())
    document: dict[str, Any] = json.loads(_FOLDER.sub("", text.replace("\\/", "/")))
    document.update({key: value for key, value in _NEUTRAL.items() if key in document})
    return document | {"traceName": path.name}


if __name__ == "__main__":
    if failures := main(Path(sys.argv[1]).resolve(), sys.argv[2:]):
        sys.exit(f"failed: {', '.join(failures)}")
