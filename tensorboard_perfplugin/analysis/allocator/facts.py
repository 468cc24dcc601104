"""One device of a memory snapshot → all that its page and its rules need."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...tables import HEAP_FRAME, I64, Capture
from ...timeline import Timeline
from ..memory import CATEGORIES, Series, Stacks, of_series
from .division import Divided, Totals, divided, totals
from .failed import Failure, failures
from .flame import NOT_FRAMES, stacks_at, stacks_at_end
from .levels import Levels, at_events, levels
from .moment import device_of, moment

#: What frames show that is done already, by name.
_DONE = {
    "checkpoint": "torch/utils/checkpoint.py",
    "bitsandbytes": "bitsandbytes/",
    "fsdp": "torch/distributed/fsdp/",
    "zero": "torch/distributed/optim/zero_redundancy",
    "deepspeed": "deepspeed/runtime/zero/",
}
_SHARDED = frozenset(("fsdp", "deepspeed"))
#: What makes less of a category.
REMEDIES = {
    "activation": frozenset(("checkpoint",)),
    "optimizer": _SHARDED | {"zero", "bitsandbytes"},
    "gradient": _SHARDED,
    "parameter": _SHARDED,
}


@dataclasses.dataclass(frozen=True)
class Largest:
    """The largest allocation that is in use at the peak."""

    bytes: int
    op: str
    category: str


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """One device. settings: of the allocator. peak: bytes by category when most was in use. levels: None without a
    record. asked_by: who asked, by kind of what `segments` and `failures` name. actions: how many the record holds.
    remedies: of `_DONE` those that frames show. peak_reserved, peak_free, peak_pieces, peak_largest_free: at the peak.
    """

    host: str
    device: int
    has_history: bool
    settings: dict[str, str]
    totals: Totals
    segments: Sequence[Divided]
    segment_count: int
    failures: Sequence[Failure]
    failure_count: int
    levels: Levels | None
    peak: dict[str, int]
    stacks: Stacks | None
    asked_by: dict[int, str]
    before_share: float | None
    largest: Largest | None
    actions: int
    has_stacks: bool
    remedies: frozenset[str]
    peak_reserved: int = 0
    peak_free: int = 0
    peak_pieces: int = 0
    peak_largest_free: int = 0

    @property
    def expandable(self) -> bool:
        """Whether segments are expandable already."""
        return self.settings.get("expandable_segments") == "True" or self.totals.expandable > 0

    def has_remedy(self, category: str) -> bool:
        """Whether the program does already what would make less of a category."""
        return bool(REMEDIES.get(category, frozenset()) & self.remedies)

    @property
    def peak_bytes(self) -> int:
        return sum(self.peak.values())


#: At which moment the call stacks are shown.
PEAK, FAILED, END = "peak", "oom", "end"
MOMENTS = (PEAK, FAILED, END)


def snapshot_of(
    timeline: Timeline, of: Series | None, window: tuple[int, int], limit: int, at: str = PEAK
) -> Snapshot | None:
    """None for other captures than memory snapshots. of: the memory system that is shown; None without a record."""
    capture = timeline.capture
    if capture.allocator is None:
        return None
    if of is None:
        return _without_record(timeline, limit)
    device = device_of(of.system.id)
    category = of_series(timeline, of)
    failed, count = failures(timeline, of, category)
    event = of.peak if at == PEAK else len(of) - 1
    if at == FAILED and failed:
        event = int(np.searchsorted(of.events.row, failed[0].event)) - 1
    at_most = moment(timeline, of, category, of.peak)
    then = at_most if event == of.peak else moment(timeline, of, category, event)
    made = _Made(capture, device, limit)
    at_peak = at_events(of, category, np.array([of.peak], np.int64))[0].tolist()
    peak = {name: size for name, size in zip(CATEGORIES, at_peak, strict=True) if size}
    return made.snapshot(
        timeline.host,
        failures=failed,
        failure_count=count,
        levels=levels(of, category, *window),
        peak=peak,
        stacks=stacks_at(capture, then, device, limit),
        before_share=peak.get("before", 0) / int(of.total[of.peak]) if of.total[of.peak] else None,
        largest=_largest(made, of, category),
        actions=int((capture.events.track == capture.events.track[of.events.row[0]]).sum()),
        peak_reserved=at_most.reserved,
        peak_free=at_most.free,
        peak_pieces=len(at_most.holes),
        peak_largest_free=at_most.largest_hole,
    )


def _largest(made: _Made, of: Series, category: I64) -> Largest | None:
    live = of.live_at(of.peak)
    if not len(live):
        return None
    row = int(live[np.argmax(of.size[live])])
    kind = int(made.capture.events.kind[of.events.row[row]])
    return Largest(int(of.size[row]), made.asked_by(kind), CATEGORIES[int(category[row])])


def _without_record(timeline: Timeline, limit: int) -> Snapshot:
    """Of the first device that has segments."""
    capture, allocator = timeline.capture, timeline.capture.allocator
    assert allocator is not None
    used = np.zeros(int(allocator.segments.device.max(initial=0)) + 1, np.int64)
    np.add.at(used, allocator.segments.device, allocator.segments.size)
    device = int(np.argmax(used))
    stacks = stacks_at_end(capture, allocator, device, limit)
    return _Made(capture, device, limit).snapshot(timeline.host, stacks=stacks)


class _Made:
    def __init__(self, capture: Capture, device: int, limit: int) -> None:
        assert capture.allocator is not None
        self.capture, self.allocator, self.device, self.limit = capture, capture.allocator, device, limit

    def snapshot(
        self,
        host: str,
        failures: Sequence[Failure] = (),
        failure_count: int = 0,
        levels: Levels | None = None,
        peak: dict[str, int] | None = None,
        stacks: Stacks | None = None,
        before_share: float | None = None,
        largest: Largest | None = None,
        actions: int = 0,
        **at_peak: int,
    ) -> Snapshot:
        pools = self.capture.strings.of(self.allocator.segments.pool)
        segments, count = divided(self.allocator, pools, self.device, self.limit)
        kinds = {each.largest_kind for each in segments} | {each.kind for each in failures}
        kinds |= {each.in_way_kind for each in failures if each.in_way_kind >= 0}
        return Snapshot(
            host=host,
            device=self.device,
            has_history=self.allocator.has_history,
            settings=dict(self.allocator.settings),
            totals=totals(self.allocator, self.device),
            segments=segments,
            segment_count=count,
            failures=failures,
            failure_count=failure_count,
            levels=levels,
            peak=peak or {},
            stacks=stacks,
            asked_by={kind: self.asked_by(kind) for kind in kinds if kind >= 0},
            before_share=before_share,
            largest=largest,
            actions=actions,
            has_stacks=self.capture.strings.find(HEAP_FRAME) >= 0 and self._has_frames(),
            remedies=self._remedies(),
            **at_peak,
        )

    def _has_frames(self) -> bool:
        kinds = self.capture.kinds
        return bool((kinds.stats_end - kinds.stats_begin > NOT_FRAMES).any())

    def _remedies(self) -> frozenset[str]:
        texts = [text.replace("\\", "/") for text in self.capture.strings if "\t" in text]
        return frozenset(name for name, file in _DONE.items() if any(file in text for text in texts))

    def asked_by(self, kind: int) -> str:
        if kind < 0:
            return ""
        kinds = self.capture.kinds
        values = dict(self.capture.values(int(kinds.stats_begin[kind]), int(kinds.stats_begin[kind]) + 2))
        return str(values.get("tf_op", ""))
