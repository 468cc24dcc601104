"""Takes a file, gives the rank of which it is: as the head of PyTorch's profile says, or the file's name."""

from __future__ import annotations

import os
import re

from ..formats import Format
from .model import CaptureFile
from .programs import head_of

#: `rank_0`, `snapshot_rank3`; `worker-1`; a name that is a number alone, or `host_4711.0`, as a rank's trace is called.
_RANK = re.compile(r"(?<![a-z])rank[-_.]?(\d{1,6})(?!\d)", re.IGNORECASE)
_OTHER = re.compile(r"(?<![a-z])(?:worker|process|proc|task|gpu|tp|dp|pp)[-_.]?(\d{1,6})(?!\d)", re.IGNORECASE)
_NUMBER = re.compile(r"(?:.+_\d+\.)?(\d{1,6})")


def rank_of(file: CaptureFile) -> int | None:
    """Of which rank a file is, by itself or by its name; None where neither says it."""
    if file.format == Format.TRACE_EVENTS:
        head = head_of(file)
        if head.rank >= 0 and head.ranks > 1:
            return head.rank
    name = os.path.basename(file.path).partition(".pt.trace.json")[0]
    match = _RANK.search(name) or _OTHER.search(file.host) or _NUMBER.fullmatch(file.host)
    return int(match[1]) if match else None
