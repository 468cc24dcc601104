"""The files of a run's hosts → how they are gone through: which timelines stay, and which are let go one by one."""

from __future__ import annotations

from collections.abc import Sequence

from ..logdir import CaptureFile

#: Of more hosts none stays: the next page needs of each what one host gives to it, not the host again.
KEPT_HOSTS = 16
#: What a file's columns take, and what a page derives of them: 13 MB of one of 3.2 MB, 0.6 GB of one of 143 MB.
GROWS = 4


def stay(files: Sequence[CaptureFile], max_bytes: int) -> bool:
    """Whether the timelines of all hosts fit in the memory for them: where they do not, each would push out another."""
    if len(files) == 1:
        return True
    return len(files) <= KEPT_HOSTS and GROWS * sum(file.size_bytes for file in files) <= max_bytes
