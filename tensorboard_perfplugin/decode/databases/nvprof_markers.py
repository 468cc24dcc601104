"""NVTX markers in an nvprof database → events of threads. A range is two rows of one id: its begin and its end."""

from __future__ import annotations

import numpy as np

from ...messages import message
from ...tables import I64, StatKind
from .database import NONE, Database
from .hosts import Hosts, Ran, Role
from .nvprof_facts import THREAD, Facts
from .ranges import read_names
from .sheet import Sheet, Stat

_TABLE, _DATA = "CUPTI_ACTIVITY_KIND_MARKER", "CUPTI_ACTIVITY_KIND_MARKER_DATA"
_INSTANT, _BEGIN, _END = 1, 2, 4


def markers(database: Database, facts: Facts, hosts: Hosts, sheet: Sheet) -> bool:
    """Whether PyTorch wrote its operators there."""
    read = database.numbers(_TABLE, "flags", "timestamp", "id", "objectKind", "#objectId", "name", "domain")
    flags = np.maximum(read["flags"], 0)
    ends, begins = np.flatnonzero(flags & _END), np.flatnonzero(flags & (_BEGIN | _INSTANT) != 0)
    ids, first = np.unique(read["id"][ends], return_index=True)
    at = np.minimum(np.searchsorted(ids, read["id"][begins]), max(len(ids) - 1, 0))
    is_range = flags[begins] & _BEGIN != 0
    closed = is_range & (ids[at] == read["id"][begins]) if len(ids) else np.zeros(len(begins), bool)
    partner = ends[first][at] if len(ids) else begins
    last = int(read["timestamp"].max(initial=0))
    start = read["timestamp"][begins]
    end = np.where(closed, read["timestamp"][partner], np.where(is_range, last, start))
    if unclosed := int(np.count_nonzero(is_range & ~closed)):
        sheet.notes.append(message("unclosed_events", n=unclosed))
    if lost := int(len(ends) - np.count_nonzero(closed)):
        sheet.dropped["end_without_begin"] += max(lost, 0)
    process, thread = facts.objects(read["objectId"][begins])
    thread = np.where(read["objectKind"][begins] == THREAD, thread, 0)
    ranges = read_names(database.texts, facts.texts(read["name"][begins]))
    stats = [*_given(database, facts, read, begins), *ranges.stats]
    hosts.add(Ran(Role.RANGES, process, thread, ranges.name, start, end, stats))
    return ranges.is_torch


def _given(database: Database, facts: Facts, read: dict[str, I64], begins: I64) -> list[Stat]:
    """Domain and category of each, where the program gives some."""
    domain = np.where(read["domain"][begins] > 0, facts.texts(read["domain"][begins]), NONE)
    stats = [Stat("domain", domain, domain >= 0, StatKind.TEXT)] if (domain >= 0).any() else []
    data = database.numbers(_DATA, "id", "category")
    ids, first = np.unique(data["id"], return_index=True)
    if not len(ids):
        return stats
    at = np.minimum(np.searchsorted(ids, read["id"][begins]), len(ids) - 1)
    category = np.where(ids[at] == read["id"][begins], data["category"][first][at], 0)
    return [*stats, Stat("nvtx_category", category, category > 0)] if (category > 0).any() else stats
