"""The order of questions: is the path there, may it be read, are captures in it, can they be read, did they record."""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .. import decode
from ..errors import NotFoundError, RemoteError
from ..logdir import CaptureFile, Ranks, Run, ranks_of, runs_at
from ..messages import Param
from ..stores import StoreError, absolute, is_url, status
from .capture_file import check_event_file, check_file
from .nothing import incomplete, missing, reports_beside, why_no_capture, why_none
from .survey import Diagnosis, Survey, quoted, refused, survey

# Takes runs, reports which lack ranks that another run of the same folder has: hosts may have clocks that differ.

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


#: Files are opened newest run first until so much has been decoded.
MAX_DECODED_BYTES = 1 << 30
#: Runs whose capture's own record is read, newest first.
MAX_RECORDS = 1000
#: Files of one case are named up to this many.
MAX_SAME = 3


def diagnose(path: str) -> list[Diagnosis]:
    """All that is wrong with the captures at a file or folder, of any level; one `ok` diagnosis when nothing is."""
    if is_url(path):
        return _remote(absolute(path))
    root = os.path.abspath(os.path.expanduser(path))
    try:
        kind = os.stat(root).st_mode
    except PermissionError:
        return [refused(root)]
    except (OSError, ValueError):
        return [missing(root)]
    try:
        runs = runs_at(root)
    except NotFoundError:
        return why_none(root) if stat.S_ISDIR(kind) else [why_no_capture(root)]
    return _check(root, runs)


def _remote(url: str) -> list[Diagnosis]:
    """The same in a store: whether it answers, then of the captures in it."""
    try:
        status(url, fresh=True)
        return _check(url, runs_at(url))
    except NotFoundError as error:
        return [Diagnosis("remote_without_captures", url, {"error": str(error)})]
    except StoreError as error:
        return [Diagnosis("remote_path", url, {"error": error.strerror})]
    except RemoteError as error:
        return [Diagnosis("remote_path", url, {"error": str(error)})]


def _check(root: str, runs: Sequence[Run]) -> list[Diagnosis]:
    troubles: list[Diagnosis] = []
    events, opened, budget = 0, 0, MAX_DECODED_BYTES
    files = [file for run in runs for file in run.every_file]
    for file in files:
        problem, count = check_file(file, decoded=budget > 0)
        troubles += [problem] if problem else []
        events, opened = events + count, opened + (budget > 0)
        budget -= file.size_bytes
    event_files = {file.path: None for file in files if file.at is not None}
    troubles += [each for path in event_files if (each := check_event_file(path))]
    troubles += [each for run in runs[:MAX_RECORDS] if (each := incomplete(run))]
    troubles += apart(runs[:MAX_RECORDS])
    below = Survey() if is_url(root) else survey(root)
    troubles += [refused(folder) for folder in below.refused]
    troubles += reports_beside(below)
    summary: dict[str, Param] = {"runs": len(runs), "captures": len(files), "events": events}
    summary["opened"] = opened if opened < len(files) else None
    summary |= _left_out([file for run in runs for file in run.left_out])
    if not decode.COMPILED:
        troubles.append(Diagnosis("native_part_missing", root, summary))
    return _grouped(troubles) or [Diagnosis("ok", root, {**summary, "logdir": quoted(root)})]


def _left_out(files: Sequence[CaptureFile]) -> dict[str, Param]:
    """Files beside the captures that are not read, since these hold more of the same hosts."""
    name = quoted(os.path.basename(files[0].path)) if files else None
    if len(files) > 1:
        return {"left_out": None, "many": len(files), "example": name}
    return {"left_out": name, "many": None, "example": None}


def _grouped(troubles: Sequence[Diagnosis]) -> list[Diagnosis]:
    """The first few of each case, and how many more there are."""
    by_case: dict[str, list[Diagnosis]] = {}
    for each in troubles:
        by_case.setdefault(each.case, []).append(each)
    for same in by_case.values():
        if len(same) > MAX_SAME:
            last = same[MAX_SAME - 1]
            same[MAX_SAME - 1 :] = [replace(last, params={**last.params, "more": len(same) - MAX_SAME})]
    return [each for same in by_case.values() for each in same]
