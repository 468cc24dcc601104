"""Memory events in a few lines: an allocator that keeps count, and rows of the answer about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.memory_profile import MEMORY_PROFILE
from tests.build_capture import Line, Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

US = 10**6


def ask(*timelines: Timeline, **options: str) -> Answer:
    answer = answered(MEMORY_PROFILE, *timelines, **options)
    check_sums(answer)
    return answer


def check_sums(answer: Answer) -> None:
    """The peak's rows are the peak, unless there are too many of them, and no row is a wrong kind of nothing."""
    peak, ops, summary = answer.result.tables["peak"], answer.result.tables["ops"], answer.result.summary
    all_rows, all_ops = len(peak["kind"]) == summary["peak_rows"], len(ops["op"]) == summary["op_rows"]
    if all_rows:
        assert sum(peak["total_bytes"]) == (summary["peak_bytes"] or 0)
    if all_rows and all_ops:
        in_ops = [b for kind, b in zip(peak["kind"], peak["total_bytes"], strict=True) if kind == "op"]
        assert sum(ops["peak_bytes"]) == sum(in_ops)
    if all_ops:
        assert sum(ops["allocations"]) == (summary["allocations"] or 0)
    if answer.result.tables["lifetimes"]["allocations"]:
        assert sum(answer.result.tables["lifetimes"]["allocations"]) == summary["allocations"]
    line = answer.result.tables["timeline"]
    for least, most in zip(line["min_bytes"], line["max_bytes"], strict=True):
        assert least <= most <= (summary["peak_bytes"] or 0) or most == line["last_bytes"][0]


def peak(answer: Answer) -> list[tuple[Any, ...]]:
    return rows_of(answer, "peak", "kind", "op", "count", "total_bytes")


@dataclass
class Memory:
    """An allocator's events on a thread, times in µs. heap: what it says is in use; None: it does not say."""

    line: Line
    heap: int | None = 0
    name: str = "GPU_0_bfc"
    free: int | None = None
    limit: int | None = None
    stack: int = 0

    def allocate(self, at: float, address: int, size: int, op: str = "", line: Line | None = None, **more: Any) -> None:
        self._event("MemoryAllocation", at, address, size, size, line, {**({"tf_op": op} if op else {}), **more})

    def free_(self, at: float, address: int, size: int, line: Line | None = None, **more: Any) -> None:
        self._event("MemoryDeallocation", at, address, size, -size, line, more)

    def _event(
        self, name: str, at: float, address: int, size: int, change: int, line: Line | None, more: dict[str, Any]
    ) -> None:
        stats: dict[str, StatValue] = {"allocator_name": self.name, "allocation_bytes": size, "addr": address}
        if self.heap is not None:
            self.heap += change
            stats |= {"bytes_reserved": self.stack, "bytes_allocated": self.heap}
            if self.limit is not None:
                stats["bytes_available"] = self.limit - self.heap - self.stack
        stats |= more
        given = {key: value for key, value in stats.items() if value is not None}
        (line or self.line).event(name, round(at * US), 0, given)


def memory(heap: int | None = 0, **more: Any) -> tuple[Space, Memory]:
    space = Space()
    return space, Memory(space.plane("/host:CPU").line(1, "main"), heap, **more)


def steps(line: Line, *spans: tuple[float, float]) -> None:
    """Marked steps, in µs."""
    for i, (begin, end) in enumerate(spans):
        line.event("train", round(begin * US), round((end - begin) * US), {"step_num": i, "_r": 1})


def answer_of(space: Space, **options: str) -> Answer:
    return ask(timeline(space), **options)
