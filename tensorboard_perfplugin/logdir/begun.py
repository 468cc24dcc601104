"""Takes runs, gives those that hosts began together as one run: sessions of one program, each named by its own clock.

Where every host asks for its own profile, each calls the session's folder by its own time, so that the hosts of one
program are in folders whose names are seconds apart. Such sessions lie in one `plugins/profile`; a host that is in two
was captured twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..errors import ArgumentError
from .model import TRACE, Run, kind_of, some
from .names import natural, stamp_ns

#: Hosts begin a capture of one step within seconds, by clocks that agree to as much; whole seconds stand in the names.
APART_NS = 10 * 10**9


def begun_together(runs: Iterable[tuple[str, Run]]) -> list[tuple[str, Run]]:
    """Runs with their folders; of sessions that began together one, in the first one's folder."""
    found: list[tuple[str, Run]] = []
    beside: dict[str, list[tuple[int, str, Run]]] = {}
    by_folder: dict[str, list[Run]] = {}
    for folder, run in runs:
        by_folder.setdefault(folder, []).append(run)
    for folder, of_folder in by_folder.items():
        begun_ns = _begun_ns(folder, of_folder)
        if begun_ns is None:
            found += [(folder, run) for run in of_folder]
        else:
            beside.setdefault(os.path.dirname(folder), []).append((begun_ns, folder, of_folder[0]))
    for sessions in beside.values():
        found += [(group[0][0], joined([run for _, run in group])) for group in _grouped(sessions)]
    return found


def _begun_ns(folder: str, runs: Sequence[Run]) -> int | None:
    """When the session of a folder began, by its name; None of what is no session of traces alone."""
    above, session = os.path.split(folder)
    plugins, profile = os.path.split(above)
    is_session = (os.path.basename(plugins), profile) == ("plugins", "profile") and len(runs) == 1
    return stamp_ns(session) if is_session and kind_of(runs[0].files[0]) == TRACE else None


def _grouped(sessions: Iterable[tuple[int, str, Run]]) -> list[list[tuple[str, Run]]]:
    groups: list[list[tuple[str, Run]]] = []
    before_ns, hosts = 0, set[str]()
    for begun_ns, folder, run in sorted(sessions, key=lambda each: each[:2]):
        if not groups or begun_ns - before_ns > APART_NS or not hosts.isdisjoint(run.hosts):
            groups.append([])
            hosts = set()
        groups[-1].append((folder, run))
        before_ns = begun_ns
        hosts.update(run.hosts)
    return groups


def joined(runs: Sequence[Run]) -> Run:
    """One run of several of different hosts, called as the first; the run itself where it is one."""
    first, *others = runs
    if not others:
        return first
    files = sorted((file for run in runs for file in run.files), key=lambda file: (natural(file.host), file.path))
    return replace(
        first,
        name=f"{first.name} ({len(runs)} sessions)",
        files=tuple(files),
        modified_ns=max(run.modified_ns for run in runs),
        left_out=tuple(file for run in runs for file in run.left_out),
        beside=tuple(each for run in runs for each in run.beside),
        sessions=tuple(name for run in runs for name in (run.name, *run.sessions)),
    )


def merged(runs: Sequence[Run], run: Run) -> Run:
    """A run and all others that are of other hosts, the nearest in time first. Raises ArgumentError where none is."""
    hosts, parts = set(run.hosts), [run]
    for other in sorted(runs, key=lambda each: abs(each.captured_ns - run.captured_ns)):
        if hosts.isdisjoint(other.hosts) and kind_of(other.files[0]) == kind_of(run.files[0]):
            hosts.update(other.hosts)
            parts.append(other)
    if len(parts) == 1:
        there = some(tuple(each.name for each in runs))
        raise ArgumentError(f"nothing to merge with {run.name}: no other run is of other hosts; the runs are {there}")
    return joined(sorted(parts, key=lambda each: (each.captured_ns, each.name)))
