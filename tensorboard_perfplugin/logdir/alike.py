"""Takes profiles of Python functions in a folder, gives those of each run: files that differ in one rank's number.

What writes them knows nothing of ranks, and a person names the files: `rank_0.cprofile`, `rank_1.cprofile` … are one
program's, `before.prof` and `after.prof` two recordings.
"""

from __future__ import annotations

import re

from .model import CaptureFile
from .names import natural

#: What a process is numbered by; what follows the number, its host or process say, may differ, too.
_RANK = re.compile(
    r"(?P<before>.*?(?<![a-z])(?:rank|worker|process|proc|pid|host|node|task|gpu|tp|dp|pp))[-_.]?\d+", re.IGNORECASE
)


def alike(files: tuple[CaptureFile, ...]) -> list[tuple[str, tuple[CaptureFile, ...]]]:
    """Runs, each with what to call it beside the others."""
    runs: dict[str, list[CaptureFile]] = {}
    for file in files:
        runs.setdefault(_pattern(file.host), []).append(file)
    named = [(each[0].host if len(each) == 1 else pattern, tuple(each)) for pattern, each in runs.items()]
    return sorted(named, key=lambda run: natural(run[0]))


def _pattern(stem: str) -> str:
    match = _RANK.match(stem)
    return f"{match['before']}*" if match else re.sub(r"\d+", "*", stem)
