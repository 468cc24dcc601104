"""rocprofv3's databases (rocpd, `<pid>_results.db`; rocprof-sys writes them, too) → `Capture`.

The format is that of ROCm's tables `rocpd_*` (schema 3; of merged files each process has its own tables, which end in
its id). Read are calls of HIP, HSA and RCCL, ranges of roctx, kernels and copies. A call and what it launched have one
`stack_id`. Times are ns of the machine's clock, whose begin is unknown."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from functools import cached_property

import msgspec
import numpy as np

from ...formats import Format
from ...messages import Message, message
from ...patterns import regex
from ...tables import I64, Capture, StatKind, distinct
from ..common.build import Value
from .database import NONE, Database, Interned
from .names import LAUNCH, copies, kernel_details
from .sheet import Devices, Hosts, Mask, OnDevice, Ran, Role, Row, Sheet, Stat

# What the tables of a process in a rocpd database say beside events: texts, threads, agents, kernels.

#: Begin of categories of ranges that a program marks (roctx).
_MARKS = "MARKER"


class Facts:
    """ending: of the names of the tables."""

    def __init__(self, database: Database, ending: str) -> None:
        self.database, self.ending = database, ending
        self.texts = Interned(database, f"rocpd_string{ending}", "id", "string")
        read = database.numbers(f"rocpd_event{ending}", "id", "category_id", "stack_id")
        self._category, self._stack = (_Lookup(read["id"], read[key]) for key in ("category_id", "stack_id"))
        processes = database.rows(f"rocpd_info_process{ending}", ["id", "pid"], ["command"])
        self._pids = {row.numbers["id"]: row.numbers["pid"] for row in processes}
        self.commands = {row.numbers["pid"]: row.texts["command"][:200] for row in processes}
        threads = database.rows(f"rocpd_info_thread{ending}", ["id", "pid", "tid"], ["name"], most=100_000)
        self._tids = {row.numbers["id"]: row.numbers["tid"] for row in threads}
        self.threads = {
            (self._pids.get(row.numbers["pid"], NONE), row.numbers["tid"]): row.texts["name"][:200]
            for row in threads
            if row.texts["name"]
        }

    def event(self, ids: I64) -> tuple[I64, I64]:
        """The category, an id of `rocpd_string`, and the number that a call and what it launched have."""
        return self._category(ids), self._stack(ids)

    def marks(self, category: I64) -> Mask:
        unique, which = distinct(category)
        texts = [self.database.texts[i] for i in self.texts(unique).tolist()]
        return np.array([text.startswith(_MARKS) for text in texts], bool)[which]

    def messages(self, ext_data: I64, names: I64) -> I64:
        """The texts `message` of objects of JSON, by their ids; where there is none, the names."""
        unique, which = distinct(ext_data)
        found = np.array([self._message(i) for i in unique.tolist()], np.int64)[which]
        return np.where(found >= 0, found, names)

    def _message(self, id: int) -> int:
        with contextlib.suppress(msgspec.MsgspecError, RecursionError):
            value = msgspec.json.decode(self.database.texts[id].encode("utf-8", "replace"))
            if isinstance(value, dict) and isinstance(value.get("message"), str) and value["message"]:
                return self.database.texts.add(value["message"][:1000])
        return NONE

    def process(self, ids: I64) -> I64:
        return _mapped(ids, self._pids)

    def thread(self, ids: I64) -> I64:
        return _mapped(ids, self._tids)

    @cached_property
    def _agents(self) -> dict[int, tuple[str, int, dict[str, Value]]]:
        """By id: CPU or GPU, its number among its kind, attributes of its plane."""
        rows = self.database.rows(
            f"rocpd_info_agent{self.ending}",
            ["id", "type_index"],
            ["type", "vendor_name", "product_name", "model_name", "name"],
        )
        found = {}
        for row in rows:
            model = row.texts["product_name"] or row.texts["model_name"] or row.texts["name"]
            stats: dict[str, Value] = {"device_vendor": "AMD"}
            stats |= {"gpu_device_name": model[:200]} if model else {}
            found[row.numbers["id"]] = row.texts["type"], row.numbers["type_index"], stats
        return found

    @property
    def gpus(self) -> dict[int, dict[str, Value]]:
        return {number: stats for kind, number, stats in self._agents.values() if kind == "GPU"}

    def kind_of(self, agent: int) -> str:
        return self._agents[agent][0] if agent in self._agents else ""

    def device(self, agents: I64) -> I64:
        """The number of each GPU; of what is none, NONE."""
        return _mapped(agents, {id: number for id, (kind, number, _) in self._agents.items() if kind == "GPU"})

    def kernels(self, ids: I64) -> tuple[I64, I64]:
        """Name and registers of each kernel."""
        table = f"rocpd_info_kernel_symbol{self.ending}"
        read = self.database.numbers(table, "id", "'display_name", "'kernel_name", "arch_vgpr_count")
        empty = self.database.texts.put(b"")
        shown = (read["display_name"] >= 0) & (read["display_name"] != empty)
        name = _Lookup(read["id"], np.where(shown, read["display_name"], read["kernel_name"]))
        return name(ids), _Lookup(read["id"], read["arch_vgpr_count"])(ids)

    @property
    def hostname(self) -> str:
        rows = self.database.rows(f"rocpd_info_node{self.ending}", [], ["hostname"], most=1)
        return rows[0].texts["hostname"][:200] if rows else ""


class _Lookup:
    """Ids → their values; NONE of those that are not there."""

    def __init__(self, ids: I64, values: I64) -> None:
        order = np.argsort(ids, kind="stable")
        self._ids, self._values = ids[order], values[order]

    def __call__(self, ids: I64) -> I64:
        if not len(self._ids):
            return np.full(len(ids), NONE, np.int64)
        at = np.minimum(np.searchsorted(self._ids, ids), len(self._ids) - 1)
        return np.where(self._ids[at] == ids, self._values[at], NONE)


def _mapped(ids: I64, values: dict[int, int]) -> I64:
    return _Lookup(np.array(list(values), np.int64), np.array(list(values.values()), np.int64))(ids)


_EVENTS = "rocpd_event"
_TABLE = regex(r"rocpd_(?:region|kernel_dispatch|memory_copy)(_[0-9a-f_]+)?")
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


def read_rocpd(database: Database, warnings: list[Message]) -> Capture:
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
    ext_data = database.numbers(f"rocpd_region{facts.ending}", "'extdata")["extdata"][: len(read["start"])]
    category, correlation = facts.event(read["event_id"])
    name = facts.texts(read["name_id"])
    marked = facts.marks(category)
    name[: len(ext_data)] = np.where(
        marked[: len(ext_data)], facts.messages(ext_data, name[: len(ext_data)]), name[: len(ext_data)]
    )
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
