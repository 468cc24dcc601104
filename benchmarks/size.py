"""What a package adds to an environment that has TensorBoard, in bytes on disk. `python benchmarks/size.py NAME`.

Runs in any environment, so it imports nothing but the standard library.
"""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import sys
from pathlib import Path

#: What a checkout holds that is no part of a build.
NOT_BUILT = (
    ".git",
    ".venv*",
    ".cache",
    "node_modules",
    "build",
    "dist",
    "*.so",
    "*.c",
    "__pycache__",
    "tests",
    ".*_cache",
)


def needed(name: str) -> set[str]:
    """The distributions that one needs, itself too, as far as they are installed; no extras."""
    found: set[str] = set()
    queue = [name]
    while queue:
        each = re.sub(r"[-_.]+", "-", queue.pop()).lower()
        if each in found:
            continue
        try:
            wants = importlib.metadata.requires(each) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        found.add(each)
        queue += [re.split(r"[^\w.-]", want, maxsplit=1)[0] for want in wants if "extra ==" not in want]
    return found


def beyond_tensorboard(name: str) -> list[str]:
    """What has to be installed beside TensorBoard for a distribution, without itself."""
    return sorted(needed(name) - needed("tensorboard") - {name})


def size_bytes(name: str) -> int:
    """The files of an installed distribution."""
    paths = [Path(str(file.locate())) for file in importlib.metadata.files(name) or []]
    return sum(path.stat().st_size for path in paths if path.is_file())


def built_size_bytes(source: Path, folder: Path) -> int:
    """The files that installing a checkout writes, compiled modules and byte code too. Works in an empty folder."""
    shutil.copytree(source, folder / "source", ignore=shutil.ignore_patterns(*NOT_BUILT))
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    target = folder / "installed"
    done = subprocess.run(
        [*command, "--target", str(target), str(folder / "source")], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"pip install: {done.stderr[-2000:]}")
    return sum(path.stat().st_size for path in target.rglob("*") if path.is_file())


if __name__ == "__main__":
    others = beyond_tensorboard(sys.argv[1])
    print(size_bytes(sys.argv[1]) + sum(map(size_bytes, others)), len(others), *others)
