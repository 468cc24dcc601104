"""rocprofv3's databases (rocpd, `<pid>_results.db`; rocprof-sys writes them, too) → `Capture`.

The format is that of ROCm's tables `rocpd_*` (schema 3; of merged files each process has its own tables, which end in
its id). Read are calls of HIP, HSA and RCCL, ranges of roctx, kernels and copies. A call and what it launched have one
`stack_id`. Times are ns of the machine's clock, whose begin is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from ...formats import Format
from ...messages import Message, message
from ...tables import I64, Capture, StatKind
from ..common.places import Value
from .database import NONE, Database
from .devices import Devices, OnDevice, Row
from .hosts import Hosts, Ran, Role
from .rocpd_facts import Facts
from .sheet import Sheet, Stat
from .words import LAUNCH, copies, kernel_details

_EVENTS = "rocpd_event"
_TABLE = re.compile(r"rocpd_(?:region|kernel_dispatch|memory_copy)(_[0-9a-f_]+)?")
#: Tables of events that no page can show, and what they hold.
_NOT_SHOWN = {
    "rocpd_pmc_event": "counters of kernels",
    "rocpd_sample": "samples",
    "rocpd_memory_allocate": "allocations",
}
#: Processes of a merged file.
_MOST = 1000
_AXES = ("x", "y", "z")
_COPIES = {("CPU", "GPU"): 1, ("GPU", "CPU"): 2, ("GPU", "GPU"): 8, ("CPU", "CPU"): 9}


def is_rocpd(database: Database) -> bool:
    return bool(_endings(database))


def _endings(database: Database) -> list[str]:
    """What the names of a process's tables end in."""
    found = (_TABLE.fullmatch(name) for name in database.tables if database.has(name, "start", "end"))
    return sorted({match[1] or "" for match in found if match})[:_MOST]


def rocpd(database: Database, warnings: list[Message]) -> Capture:
    sheet, hosts, devices = Sheet(database.texts), Hosts(), Devices()
    endings = _endings(database)
    each_facts = [Facts(database, ending) for ending in endings]
    for facts in each_facts:
        _regions(database, facts, hosts)
        _kernels(database, facts, devices)
        _copied(database, facts, devices)

    def of_gpu(number: int) -> Mapping[str, Value]:
        return next((facts.gpus[number] for facts in each_facts if number in facts.gpus), {"device_vendor": "AMD"})

    hosts.lay(
        sheet,
        lambda pid: next((facts.commands[pid] for facts in each_facts if pid in facts.commands), ""),
        lambda pid, tid: next((f.threads[pid, tid] for f in each_facts if (pid, tid) in f.threads), f"thread {tid}"),
        lambda pid: {},
    )
    devices.lay(sheet, of_gpu)
    unread = sorted({what for table, what in _NOT_SHOWN.items() if any(database.has_rows(table + e) for e in endings)})
    if unread:
        sheet.notes.append(message("database_not_shown", what=", ".join(unread)))
    sheet.notes += database.problems()
    hostname = next((facts.hostname for facts in each_facts if facts.hostname), "")
    return sheet.capture(Format.ROCPD, hostname, None, warnings)


def _regions(database: Database, facts: Facts, hosts: Hosts) -> None:
    """Calls, and ranges that the program marks: their name is in `extdata` where the call's own is in its place."""
    read = database.numbers(f"rocpd_region{facts.ending}", *("start", "end", "pid", "tid", "name_id", "event_id"))
    said = database.numbers(f"rocpd_region{facts.ending}", "'extdata")["extdata"][: len(read["start"])]
    category, correlation = facts.event(read["event_id"])
    name = facts.texts(read["name_id"])
    marked = facts.marks(category)
    name[: len(said)] = np.where(marked[: len(said)], facts.messages(said, name[: len(said)]), name[: len(said)])
    process, thread = facts.process(read["pid"]), facts.thread(read["tid"])
    stats = [Stat("correlation_id", correlation, (correlation > 0) & ~marked)]
    hosts.add(Ran(Role.CALLS, process, thread, name, read["start"], read["end"], stats))


def _kernels(database: Database, facts: Facts, devices: Devices) -> None:
    sizes = [f"{what}_{axis}" for what in ("workgroup_size", "grid_size") for axis in _AXES]
    ids = ("start", "end", "pid", "agent_id", "kernel_id", "stream_id", "event_id", "group_segment_size")
    read = database.numbers(f"rocpd_kernel_dispatch{facts.ending}", *ids, *sizes)
    name, registers = facts.kernels(read["kernel_id"])
    shape = {"registersPerThread": registers, "staticSharedMemory": read["group_segment_size"]}
    shape["dynamicSharedMemory"] = np.full(len(name), NONE, np.int64)
    for axis in _AXES:
        # The grid is counted in threads there.
        block, grid = (read[f"{what}_{axis}"] for what in ("workgroup_size", "grid_size"))
        shape[f"block{axis.upper()}"] = block
        shape[f"grid{axis.upper()}"] = np.where(block > 0, -(-grid // np.maximum(block, 1)), grid)
    details = kernel_details(database.texts, {key: shape[key] for key in LAUNCH})
    stats = [Stat("kernel_details", details, None, StatKind.TEXT)]
    devices.add(_on(facts, read, facts.device(read["agent_id"]), name, stats))


def _copied(database: Database, facts: Facts, devices: Devices) -> None:
    columns = ("start", "end", "pid", "src_agent_id", "dst_agent_id", "size", "stream_id", "event_id")
    read = database.numbers(f"rocpd_memory_copy{facts.ending}", *columns)
    source, target = facts.device(read["src_agent_id"]), facts.device(read["dst_agent_id"])
    kinds = [[facts.kind_of(agent) for agent in read[f"{side}_agent_id"].tolist()] for side in ("src", "dst")]
    kind = np.array([_COPIES.get(pair, 0) for pair in zip(*kinds, strict=True)], np.int64)
    nothing = np.full(len(kind), NONE, np.int64)
    name, details = copies(database.texts, kind, nothing, nothing, read["size"], {})
    stats = [Stat("memcpy_details", details, None, StatKind.TEXT)]
    devices.add(_on(facts, read, np.where(target >= 0, target, source), name, stats))


def _on(facts: Facts, read: dict[str, I64], device: I64, name: I64, stats: list[Stat]) -> OnDevice:
    _, correlation = facts.event(read["event_id"])
    nothing = np.full(len(name), NONE, np.int64)
    ids = (device, facts.process(read["pid"]), nothing, read["stream_id"])
    made = [*stats, Stat("correlation_id", correlation, correlation > 0)]
    return OnDevice(Row.STREAM, *ids, name, read["start"], read["end"], made)
