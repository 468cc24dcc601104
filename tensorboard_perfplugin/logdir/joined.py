"""Takes the runs of a folder, gives those of one program as one run: hosts with files of several kinds each.

A trace, a memory snapshot, a dump of cProfile and a profiler's database of one program know nothing of one another, and
a person names them: `rank0.pt.trace.json`, `snapshot_rank_0.pickle`, `rank_0.cprofile`. They are put together by rank,
which a file or its name says, or by what stands before the ending; one file of each kind needs no name. Where that is
not clear they stay runs of their own."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from ..formats import Format
from ..patterns import regex
from .model import DATABASE, FUNCTIONS, MEMORY, TRACE, CaptureFile, Run, kind_of, own_name
from .names import natural, shown
from .programs import head_of, rank_of

# Takes databases of Nsight Systems in a folder, gives those of each session: ranks begin together, other runs do not.
#
# Names do not tell: `report1`, `report2` are what the profiler calls files of ranks and of one run after another. So
# one
# cell of each database is read, when its session began; nothing else of it, and only for so long.

#: Processes of one program start within so long of each other.
APART_NS = 120 * 10**9
_TABLE, _COLUMN = "TARGET_INFO_SESSION_START_TIME", "utcEpochNs"
#: Instructions of SQLite's: the table has one row.
_MAX_STEPS = 10_000
_MAX_NS = 1 << 62
_REMEMBERED = 10_000


def sessions(files: Iterable[CaptureFile]) -> list[tuple[CaptureFile, ...]]:
    """The files by session, in the order of their begins; those whose begin is not known are of the first."""
    begun = sorted(((begin_ns(file), file.path, file) for file in files), key=lambda each: each[:2])
    parts: list[list[CaptureFile]] = []
    before_ns = 0
    for ns, _, file in begun:
        if not parts or (ns and before_ns and ns - before_ns > APART_NS):
            parts.append([])
        parts[-1].append(file)
        before_ns = ns
    return [tuple(sorted(part, key=lambda file: file.path)) for part in parts]


def begin_ns(file: CaptureFile) -> int:
    """When the session of a database began, since the epoch; 0 where that is not known."""
    return _read(file.path, file.size_bytes, file.modified_ns)


@lru_cache(_REMEMBERED)
def _read(path: str, size_bytes: int, modified_ns: int) -> int:
    """When the session of a database began, since the epoch; 0 where that is not known."""
    if not os.path.isfile(path) or path.endswith(".gz"):
        return 0
    # Some builds of Python lack it, and TensorBoard starts without.
    import sqlite3

    with contextlib.suppress(sqlite3.Error, OSError, ValueError):
        uri = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
            connection.set_authorizer(lambda action, table, *_: 0 if _reads(action, table) else 1)
            steps = iter(range(1))
            connection.set_progress_handler(lambda: next(steps, None) is None, _MAX_STEPS)
            row = connection.execute(f"SELECT {_COLUMN} FROM {_TABLE} LIMIT 1").fetchone()
        if row and isinstance(row[0], int) and 0 < row[0] < _MAX_NS:
            return row[0]
    return 0


def _reads(action: int, table: str | None) -> bool:
    """Whether SQLite asks to select something (21), or to read a column of that table (20)."""
    return action == 21 or (action == 20 and table == _TABLE)


#: In the order in which a host's files are read: what ran, and when, is more than sums.
KINDS = (TRACE, DATABASE, FUNCTIONS, MEMORY)
#: A profiler's session that records a trace began no more than so long before it.
_LONGEST_NS = 86_400 * 10**9


class _Host(msgspec.Struct, frozen=True):
    """One host of a run, and what it may be known by to files of other kinds: its rank, its name."""

    file: CaptureFile
    keys: frozenset[int | str]


def merge_runs(runs: Sequence[Run]) -> list[Run]:
    """The runs of one folder; of several that are one program's the first kind's, which has the others' files."""
    by_kind: dict[str, list[Run]] = {}
    for run in runs:
        by_kind.setdefault(kind_of(run.files[0]), []).append(run)
    kinds = [kind for kind in KINDS if kind in by_kind]
    if len(kinds) < 2 or len(by_kind[kinds[0]]) > 1:
        return list(runs)
    [base] = by_kind[kinds[0]]
    hosts, joined = [_host(file) for file in base.files], [base]
    for kind in kinds[1:]:
        others = by_kind[kind]
        found = _joined(hosts, [_host(file) for file in others[0].files]) if len(others) == 1 else None
        if found is not None and _may_be_at_once(joined, others[0]):
            hosts = found
            joined.append(others[0])
    gone = {id(run) for run in joined}
    return [_of_all(joined, hosts), *(run for run in runs if id(run) not in gone)] if len(joined) > 1 else list(runs)


def _of_all(runs: Sequence[Run], hosts: Iterable[_Host]) -> Run:
    base = runs[0]
    files = sorted((host.file for host in hosts), key=lambda file: (natural(file.host), file.path))
    left_out = sorted((file for run in runs for file in run.left_out), key=lambda file: file.path)
    return replace(
        base,
        name=min((run.name for run in runs), key=len),
        files=_named(files),
        modified_ns=max(run.modified_ns for run in runs),
        left_out=tuple(left_out),
    )


def _named(files: Sequence[CaptureFile]) -> tuple[CaptureFile, ...]:
    """The hosts under names of their own, and each file aside under one that says what it is."""
    hosts = _unique([file.host for file in files], set())
    files = [replace(file, host=host) for file, host in zip(files, hosts, strict=True)]
    taken = {name for file in files for name in (file.host, own_name(file))}
    return tuple(replace(file, aside=_named_aside(file, taken)) for file in files)


def _named_aside(file: CaptureFile, taken: set[str]) -> tuple[CaptureFile, ...]:
    names = _unique([f"{file.host} ({kind_of(each)})" for each in file.aside], taken)
    return tuple(replace(each, host=name, of=file.host) for each, name in zip(file.aside, names, strict=True))


def _unique(names: Iterable[str], taken: set[str]) -> list[str]:
    made = []
    for name in names:
        candidate, number = name, 1
        while candidate in taken:
            number += 1
            candidate = f"{name} #{number}"
        taken.add(candidate)
        made.append(candidate)
    return made


def _host(file: CaptureFile) -> _Host:
    rank = rank_of(file)
    return _Host(file, frozenset([shown(file.host).lower()] if rank is None else [rank]))


def _joined(hosts: Sequence[_Host], others: Sequence[_Host]) -> list[_Host] | None:
    """The hosts with the others' files; None where it is not clear whose these are.

    Ranks of which nothing else was recorded are hosts, too; what is known by its name alone has to have a host.
    """
    if len(hosts) == len(others) == 1 and not _are_other_ranks(hosts[0], others[0]):
        return [_with(hosts[0], others[0])]
    known = {key: i for i, host in enumerate(hosts) for key in host.keys}
    of = [next((known[key] for key in each.keys if key in known), None) for each in others]
    found = [i for i in of if i is not None]
    alone = [each for each, i in zip(others, of, strict=True) if i is None]
    is_clear = _differ(hosts) and _differ(others) and len(set(found)) == len(found)
    if not found or not is_clear or any(isinstance(key, str) for each in alone for key in each.keys):
        return None
    made = list(hosts)
    for each, i in zip(others, of, strict=True):
        if i is not None:
            made[i] = _with(made[i], each)
    return made + alone


def _differ(hosts: Iterable[_Host]) -> bool:
    """Whether each is known by something that no other is known by."""
    keys = [key for host in hosts for key in host.keys]
    return len(set(keys)) == len(keys)


def _are_other_ranks(one: _Host, other: _Host) -> bool:
    mine, theirs = ({key for key in each.keys if isinstance(key, int)} for each in (one, other))
    return bool(mine and theirs) and not mine & theirs


def _with(host: _Host, other: _Host) -> _Host:
    return _Host(replace(host.file, aside=(*host.file.aside, other.file)), host.keys | other.keys)


def _may_be_at_once(runs: Iterable[Run], other: Run) -> bool:
    """Whether nothing speaks against it that a database is of the time in which the traces were recorded."""
    traces = [head_of(f).begin_ns for run in runs for f in run.files if f.format == Format.TRACE_EVENTS]
    begun = [begin_ns(file) for file in other.files if file.format == Format.NSYS]
    return all(
        -APART_NS <= trace - begin <= _LONGEST_NS for trace in traces if trace is not None for begin in begun if begin
    )


# Takes profiles of Python functions in a folder, gives those of each run: files that differ in one rank's number.
#
# What writes them knows nothing of ranks, and a person names the files: `rank_0.cprofile`, `rank_1.cprofile` … are
# one
# program's, `before.prof` and `after.prof` two recordings.

#: What a process is numbered by; what follows the number, its host or process say, may differ, too.
_RANK = regex(
    r"(?P<before>.*?(?<![a-z])(?:rank|worker|process|proc|pid|host|node|task|gpu|tp|dp|pp))[-_.]?\d+", re.IGNORECASE
)


def group_by_rank(files: tuple[CaptureFile, ...]) -> list[tuple[str, tuple[CaptureFile, ...]]]:
    """Runs, each with what to call it beside the others."""
    runs: dict[str, list[CaptureFile]] = {}
    for file in files:
        runs.setdefault(_pattern(file.host), []).append(file)
    named = [(each[0].host if len(each) == 1 else pattern, tuple(each)) for pattern, each in runs.items()]
    return sorted(named, key=lambda run: natural(run[0]))


def _pattern(stem: str) -> str:
    match = _RANK.match(stem)
    return f"{match['before']}*" if match else re.sub(r"\d+", "*", stem)
