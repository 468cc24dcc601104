"""Call stacks of a memory snapshot → the texts of their frames, and who asked for the memory.

PyTorch lists the innermost frame first, those of C++ among those of Python. Stack 0 is empty.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...tables import I64
from ..common.places import Pool
from .machine import Machine

#: Files of libraries and of C++, whose frames do not say who asked for the memory.
_LIBRARY = re.compile(
    r"(site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|^<frozen |/torchinductor_|(?:^|[/\\])torch[/\\]"
    r"|\.(?:cpp|cc|cxx|cu|cuh|h|hpp|c|so)(?:\.\d+)*$|^(?:\?\?|none)?$"
)
#: What every allocation's frames of C++ hold.
_OF_ALL = re.compile(
    r"unwind::unwind|CapturedTraceback::gather|gather_with_cpp|^_start$|__libc_start|^_?Py[A-Z]|CachingAllocator"
)


class Stacks:
    """frames: ids in the pool, of texts `name\\tfile\\tline` as `HEAP_FRAME` has them, of all stacks, outermost first.

    begin, end: of each stack's among them. holder: of each the text of who asked, an id.
    """

    def __init__(self, machine: Machine, columns: dict[str, Any], pool: Pool) -> None:
        texts = [text.decode("utf-8", "replace").replace("\t", " ") for text in machine.texts]
        named = [
            (f"{texts[name]} [{texts[node]}]" if node else texts[name], texts[file], line)
            for file, name, line, node in machine.frames
        ]
        ends = np.asarray(columns["begin"], np.int64)
        self.begin, self.end = np.concatenate(([0], ends[:-1])), ends
        flat = np.asarray(columns["frames"], np.int64)
        self.holder = _holders(named, flat, self.begin, self.end, pool)
        ids = np.array([pool.add(f"{name}\t{file}\t{line}") for name, file, line in named] or [0], np.int64)
        # Each stack from its other end.
        size = self.end - self.begin
        turned = np.repeat(self.begin + self.end - 1, size) - np.arange(len(flat))
        self.frames = ids[flat[turned]]

    def of(self, stacks: I64) -> tuple[I64, I64]:
        """Frames of some stacks one after the other, and how many each has."""
        size = self.end[stacks] - self.begin[stacks]
        return self.frames[
            np.repeat(self.begin[stacks] - np.cumsum(size) + size, size) + np.arange(int(size.sum()))
        ], size


def _holders(named: list[tuple[str, str, int]], flat: I64, begin: I64, end: I64, pool: Pool) -> I64:
    """The innermost frame of the program, else of Python, else any that says more than what all have."""
    own = np.array([not _LIBRARY.search(file) for _, file, _ in named] or [False], bool)
    python = np.array([file.endswith(".py") for _, file, _ in named] or [False], bool)
    says = np.array([not _OF_ALL.search(name) for name, _, _ in named] or [False], bool)
    found = np.full(len(begin), -1, np.int64)
    filled = np.flatnonzero(end > begin)
    for wanted in (own, python, says):
        place = np.where(wanted[flat], np.arange(len(flat)), len(flat))
        first = np.minimum.reduceat(place, begin[filled]) if len(filled) else filled
        hit = (found[filled] < 0) & (first < len(flat))
        found[filled[hit]] = flat[first[hit]]
    texts = np.zeros(len(named) + 1, np.int64)
    for i in np.unique(found[found >= 0]).tolist():
        name, file, line = named[i]
        texts[i] = pool.add(f"{name} ({file}:{line})" if file else name)
    return np.where(found >= 0, texts[found], 0)
