"""Takes runs, reports which lack ranks that another run of the same folder has: hosts may have clocks that differ."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence

from ..logdir import Ranks, Run, ranks_of
from ..messages import Param
from .diagnosis import Diagnosis

#: Ranks named one by one.
MAX_NAMED = 8


def apart(runs: Sequence[Run]) -> Iterator[Diagnosis]:
    """One for each folder in which runs of as many ranks, on different hosts, have no rank in common."""
    folder_of = {run.name: os.path.dirname(run.files[0].path) for run in runs}
    ordered = sorted(runs, key=lambda run: (folder_of[run.name], run.captured_ns))
    for folder, together in itertools.groupby(ordered, key=lambda run: folder_of[run.name]):
        in_folder = tuple(together)
        if len(in_folder) > 1 and (pair := _first(in_folder)):
            yield _apart(folder, *pair)


def _first(runs: Sequence[Run]) -> tuple[Run, Run] | None:
    lacking: list[tuple[Run, Ranks]] = []
    for run in runs:
        ranks = ranks_of(run.files)
        if not 0 < len(ranks.taken) < ranks.ranks:
            continue
        for other, others in lacking:
            if others.ranks == ranks.ranks and not (others.taken & ranks.taken or others.hosts & ranks.hosts):
                return other, run
        lacking.append((run, ranks))
    return None


def _apart(folder: str, first: Run, second: Run) -> Diagnosis:
    params: dict[str, Param] = {"first": first.name, "second": second.name, "ranks": ranks_of(first.files).ranks}
    minutes = round((second.captured_ns - first.captured_ns) / 60e9)
    named = {**_named("first", first), **_named("second", second)}
    return Diagnosis("ranks_apart", folder, {**params, **named, "minutes": minutes})


def _named(which: str, run: Run) -> dict[str, Param]:
    """The ranks of a run, by name: of one its number, of several the first few."""
    ranks = sorted(ranks_of(run.files).taken)
    return {
        f"{which}_rank": ranks[0] if len(ranks) == 1 else None,
        f"{which}_ranks": ", ".join(map(str, ranks[:MAX_NAMED])) if len(ranks) > 1 else None,
        f"{which}_more": len(ranks) - MAX_NAMED if ranks[MAX_NAMED:] else None,
    }
