"""Takes the runs of a folder, gives those of one program as one run: hosts with files of several kinds each.

A trace, a memory snapshot, a dump of cProfile and a profiler's database of one program know nothing of one another, and
a person names them: `rank0.pt.trace.json`, `snapshot_rank_0.pickle`, `rank_0.cprofile`. They are put together by rank,
which a file or its name says, or by what stands before the ending; one file of each kind needs no name. Where that is
not clear they stay runs of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..formats import Format
from .model import DATABASE, FUNCTIONS, MEMORY, TRACE, CaptureFile, Run, kind_of, own_name
from .names import natural, shown
from .programs import head_of
from .ranks import rank_of
from .sessions import APART_NS, begin_ns

#: In the order in which a host's files are read: what ran, and when, is more than sums.
KINDS = (TRACE, DATABASE, FUNCTIONS, MEMORY)
#: A profiler's session that records a trace began no more than so long before it.
_LONGEST_NS = 86_400 * 10**9


@dataclass(frozen=True)
class _Host:
    """One host of a run, and what it may be known by to files of other kinds: its rank, its name."""

    file: CaptureFile
    keys: frozenset[int | str]


def together(runs: Sequence[Run]) -> list[Run]:
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
