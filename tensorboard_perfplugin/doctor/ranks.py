"""Takes runs, says which lack ranks that another run of the same folder has: hosts may have clocks that differ."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence

from ..logdir import Ranks, Run, ranks_of
from .diagnosis import Diagnosis

#: Ranks told one by one.
MAX_TOLD = 8


def apart(runs: Sequence[Run]) -> Iterator[Diagnosis]:
    """One for each folder in which runs of as many ranks, on different hosts, have no rank in common."""
    folder_of = {run.name: os.path.dirname(run.files[0].path) for run in runs}
    ordered = sorted(runs, key=lambda run: (folder_of[run.name], run.captured_ns))
    for folder, together in itertools.groupby(ordered, key=lambda run: folder_of[run.name]):
        in_folder = tuple(together)
        if len(in_folder) > 1 and (found := _first(in_folder)):
            yield _apart(folder, *found)


def _first(runs: Sequence[Run]) -> tuple[Run, Run] | None:
    lacking: list[tuple[Run, Ranks]] = []
    for run in runs:
        told = ranks_of(run.files)
        if not 0 < len(told.taken) < told.ranks:
            continue
        for other, others in lacking:
            if others.ranks == told.ranks and not (others.taken & told.taken or others.hosts & told.hosts):
                return other, run
        lacking.append((run, told))
    return None


def _apart(folder: str, first: Run, second: Run) -> Diagnosis:
    minutes = (second.captured_ns - first.captured_ns) / 60e9
    return Diagnosis(
        "ranks_apart",
        folder,
        f"{first.name} has {_told(first)}, {second.name} {_told(second)}, recorded {minutes:,.0f} minutes later",
        "the program was started twice, and each time some ranks recorded; or their hosts' clocks differ, and "
        "the two are one run",
        "where they are one run, take the time out of the names (host_1.123.pt.trace.json → host_1.pt.trace.json); and "
        "set the clocks: chronyc makestep",
    )


def _told(run: Run) -> str:
    told = ranks_of(run.files)
    ranks = sorted(told.taken)
    named = ", ".join(map(str, ranks[:MAX_TOLD])) + (f" and {len(ranks) - MAX_TOLD} more" if ranks[MAX_TOLD:] else "")
    return f"rank{'s' * (len(ranks) > 1)} {named} of {told.ranks}"
