"""Ranges and marks of NVTX in an Nsight Systems database → events of threads."""

from __future__ import annotations

import numpy as np

from ...messages import message
from ...tables import I64, StatKind
from .database import NONE, Database
from .hosts import Hosts, Ran, Role
from .nsys_facts import Facts, process_of, thread_of
from .ranges import read_names
from .sheet import Mask, Sheet, Stat

_TABLE = "NVTX_EVENTS"
_CATEGORY, _MARKS, _PUSHED, _STARTED, _DOMAIN = (33,), (34, 65), (35, 59, 66, 70), (37, 60, 68, 71), (75,)
#: One of these holds what a program gave along.
_WHOLE, _DECIMAL = ("uint64Value", "int64Value", "uint32Value", "int32Value"), ("doubleValue", "floatValue")


def ranges(database: Database, facts: Facts, hosts: Hosts, sheet: Sheet) -> bool:
    """Whether PyTorch wrote its operators there."""
    columns = ("start", "end", "eventType", "category", "'text", "globalTid", "endGlobalTid", "textId", "domainId")
    read = database.numbers(_TABLE, *columns)
    if not database.has(_TABLE, "eventType"):
        read["eventType"] = np.where(read["end"] < 0, _MARKS[0], _PUSHED[1])
    kind, process = read["eventType"], process_of(read["globalTid"])
    # Where all columns are NOT NULL, 0 and the empty text stand for what is missing.
    given = (read["text"] >= 0) & (read["text"] != database.texts.put(b""))
    text = np.where(given, read["text"], facts.texts(read["textId"]))
    shown = np.isin(kind, (*_MARKS, *_PUSHED, *_STARTED))
    stats = [
        *_named(database, "domain", np.isin(kind, _DOMAIN), process, read["domainId"], read["domainId"], text),
        *_named(database, "nvtx_category", np.isin(kind, _CATEGORY), process, read["domainId"], read["category"], text),
        *_payload(database, len(kind)),
    ]
    end, unclosed = _ends(read, np.isin(kind, _MARKS), shown)
    if unclosed:
        sheet.notes.append(message("unclosed_events", n=unclosed))
    rows = np.flatnonzero(shown)
    names = read_names(database.texts, text[rows])
    crosses = (read["endGlobalTid"] > 0) & (read["endGlobalTid"] != read["globalTid"])
    for role, mine in (
        (Role.RANGES, np.isin(kind[rows], _STARTED) | crosses[rows]),
        (Role.CALLS, ~np.isin(kind[rows], _STARTED) & ~crosses[rows]),
    ):
        at = rows[mine]
        of_rows = [Stat(s.key, s.values[at], None if s.known is None else s.known[at], s.kind) for s in stats]
        of_names = [
            Stat(s.key, s.values[mine], None if s.known is None else s.known[mine], s.kind) for s in names.stats
        ]
        thread = thread_of(read["globalTid"][at])
        hosts.add(Ran(role, process[at], thread, names.name[mine], read["start"][at], end[at], [*of_rows, *of_names]))
    return names.is_torch


def _ends(read: dict[str, I64], is_mark: Mask, shown: Mask) -> tuple[I64, int]:
    """When each ended: marks at once, what was never ended with the last of all; and how many these are."""
    is_open = (read["end"] <= 0) & (read["end"] < read["start"]) & ~is_mark & shown
    last = int(max(read["end"].max(initial=0), read["start"][shown].max(initial=0)))
    end = np.where(is_mark | ~shown, read["start"], np.where(is_open, last, read["end"]))
    return end, int(np.count_nonzero(is_open))


def _named(
    database: Database, key: str, declares: Mask, process: I64, domain: I64, number: I64, text: I64
) -> list[Stat]:
    """The names of domains, or of categories, by event; declared by rows of their own. Number 0 is none."""
    ids = np.full(len(number), NONE, np.int64)
    for row in np.flatnonzero(declares & (text >= 0) & (number > 0))[:1000].tolist():
        same = (number == number[row]) & (domain == domain[row]) & (process == process[row])
        ids[same] = text[row]
    bare = np.flatnonzero((ids < 0) & (number > 0))
    unique, which = np.unique(number[bare], return_inverse=True)
    if len(bare):
        ids[bare] = np.array([database.texts.add(str(each)) for each in unique.tolist()])[which.reshape(-1)]
    known = ids >= 0
    return [Stat(key, ids, known, StatKind.TEXT)] if known.any() else []


def _payload(database: Database, rows: int) -> list[Stat]:
    if not rows:
        return []
    stats = []
    whole = [name for name in _WHOLE if database.has_values(_TABLE, name)]
    read = database.numbers(_TABLE, *whole) if whole else {}
    values, known = np.zeros(rows, np.int64), np.zeros(rows, bool)
    for column in read.values():
        given = (column[:rows] != NONE) & (column[:rows] != 0) & ~known[: len(column)]
        values[: len(given)][given], known[: len(given)] = column[:rows][given], known[: len(given)] | given
    if known.any():
        stats.append(Stat("payload", values, known))
    for name in (name for name in _DECIMAL if database.has_values(_TABLE, name)):
        decimals = database.reals(_TABLE, name, rows)
        if (given := np.isfinite(decimals) & (decimals != 0) & ~known).any():
            stats.append(Stat("payload", decimals.view(np.int64), given, StatKind.DOUBLE))
    return stats
