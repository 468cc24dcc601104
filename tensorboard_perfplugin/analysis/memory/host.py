"""A host's memory systems with what names their events: ops, steps, texts."""

from __future__ import annotations

import dataclasses
from functools import cached_property

import numpy as np

from ...tables import I32, I64
from ...timeline import Assignment, Timeline, assignment_of
from .events import SystemName, memory_events
from .op import FROM, OpNames
from .parts import Live
from .recorded import recorded
from .series import Series, series


@dataclasses.dataclass(frozen=True, eq=False)
class Host:
    """One host's memory: its systems, most events first, and the names of what their events belong to.

    recorded: by system, what was live at its peak, where that was recorded beside a part of its events. places: of each
    system among all, those without events, too.
    """

    timeline: Timeline
    systems: tuple[Series, ...]
    names: OpNames
    ignored: int
    recorded: dict[str, list[Live]]
    places: tuple[int, ...]

    @cached_property
    def assignment(self) -> Assignment:
        return assignment_of(self.timeline)

    def ops(self, codes: I32) -> list[str]:
        return [self.names.name[c] for c in codes.tolist()]

    def ops_from(self, codes: I32) -> list[str]:
        return [FROM[self.names.known[c]] for c in codes.tolist()]

    def texts(self, ids: I64) -> list[str]:
        return list(self.timeline.capture.strings.of(ids))

    def step_of(self, rows: I64) -> I32:
        """Index of the step of each event, -1 for none."""
        step: I32 = self.assignment.step[rows]
        return step

    def step_names(self, rows: I64) -> list[str]:
        """Name of the step of each event, empty for none."""
        names = self.assignment.steps.name
        return [names[s] if s >= 0 else "" for s in self.step_of(rows).tolist()]

    def track(self, of: Series) -> int:
        """Row of a system's track in the trace: they come after those of the capture."""
        place = next(place for one, place in zip(self.systems, self.places, strict=True) if one is of)
        return len(self.timeline.capture.tracks) + place

    def device(self, system: SystemName) -> str:
        """Name of the plane of a system's device, empty for none."""
        capture = self.timeline.capture
        return capture.strings[int(capture.planes.name[system.plane])] if system.plane >= 0 else ""

    @property
    def span_ps(self) -> tuple[int, int]:
        return self.timeline.capture.span_ps


def host(timeline: Timeline, with_ops: bool = True) -> Host:
    events = memory_events(timeline, with_ops)
    places = tuple(i for i, (_, of_system) in enumerate(events.systems) if len(of_system))
    systems = tuple(series(*events.systems[i]) for i in places)
    return Host(timeline, systems, events.names, events.ignored, recorded(timeline.capture), places)


def op_codes(of: Series) -> I32:
    """The op of each event; of a deallocation that of its allocation."""
    op: I32 = of.events.op
    return np.where(of.freed >= 0, op[np.maximum(of.freed, 0)], op)
