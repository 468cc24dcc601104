"""`python -m tests.twice [FOLDER]`: builds the archives twice, from two copies; whether they are the same bytes.

The first are left in FOLDER (`dist`). Exits with 1 where a byte differs. Both are built by what this environment holds,
so nothing is fetched. `PERFPLUGIN_LOOPS=none` builds the wheel for every platform.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: What building leaves, and what is not part of any archive.
LEFT = shutil.ignore_patterns(
    *(".git", ".venv*", ".cache", ".screens", ".*_cache", ".hypothesis", "node_modules", "build", "dist"),
    *("*.egg-info", "__pycache__", "*.so", "*.pyd", "*.c"),
)


def built(parent: Path, name: str, mode: int, environment: Mapping[str, str]) -> dict[str, bytes]:
    """Name → bytes of the archives, made of a copy of the sources in a folder of that name, under this umask."""
    source, out = parent / name / "source", parent / name / "dist"
    shutil.copytree(ROOT, source, ignore=LEFT)
    before = os.umask(mode)
    try:
        for path in source.rglob("*"):
            path.touch()
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=False)
    finally:
        os.umask(before)
    if done.returncode:
        raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


def first_build(parent: Path, environment: Mapping[str, str]) -> dict[str, bytes]:
    return built(parent, "one", 0o022, environment)


def second_build(parent: Path, environment: Mapping[str, str]) -> dict[str, bytes]:
    return built(parent, "another", 0o027, environment)


def date_of_commit() -> str:
    command = ["git", "log", "-1", "--format=%ct"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main(folder: Path) -> int:
    environment = {"SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or date_of_commit()}
    with tempfile.TemporaryDirectory() as parent:
        first, second = first_build(Path(parent), environment), second_build(Path(parent), environment)
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in first.items():
        (folder / name).write_bytes(data)
        same = "the same twice" if second.get(name) == data else "ANOTHER the second time"
        sys.stdout.write(f"{hashlib.sha256(data).hexdigest()}  {name}  {same}\n")
    return int(first != second)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")))
