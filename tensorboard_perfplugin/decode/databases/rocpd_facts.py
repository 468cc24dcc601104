"""What the tables of a process in a rocpd database say beside events: texts, threads, agents, kernels."""

from __future__ import annotations

import contextlib
from functools import cached_property

import msgspec
import numpy as np

from ...tables import I64
from ..common.places import Value
from .database import NONE, Database, Interned
from .sheet import Mask

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
        unique, which = np.unique(category, return_inverse=True)
        texts = [self.database.texts[i] for i in self.texts(unique).tolist()]
        return np.array([text.startswith(_MARKS) for text in texts], bool)[which.reshape(-1)]

    def messages(self, said: I64, names: I64) -> I64:
        """The texts `message` of objects of JSON, by their ids; where there is none, the names."""
        unique, which = np.unique(said, return_inverse=True)
        found = np.array([self._message(i) for i in unique.tolist()], np.int64)[which.reshape(-1)]
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
