"""Which files of tests are near a module, as their paths and words tell, without running any."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from tests.thresholds.constants import Constant


@functools.cache
def _words(path: Path) -> frozenset[str]:
    """Names, dotted ones whole."""
    return frozenset(re.findall(r"[A-Za-z_][\w.]*", path.read_text()))


def near_files(files: Iterable[Path], constants: Iterable[Constant], tests: Path) -> list[Path]:
    """Those in the folder that mirrors a constant's room, those that name the constant, or import from its module."""
    folders, names = set(), set()
    for constant in constants:
        package, *rooms, _ = constant.module.split(".") if "." in constant.module else (constant.module, "")
        folders.add(tests.joinpath(*rooms))
        names |= {constant.module, constant.top, ".".join((package, *rooms)) if rooms else constant.module}
    return [path for path in files if path.parent in folders or not names.isdisjoint(_words(path))]
