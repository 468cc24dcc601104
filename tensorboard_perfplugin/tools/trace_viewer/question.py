"""A question that the trace answers, declared: the options that ask it, what a host gives, what the answer holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from ...advice.finding import Finding
from ...analysis.hosts.environment import Loss
from ...analysis.steps.means import HostSteps
from ...tables import I64, Cells, Options, Scalar
from ...timeline.timeline import Timeline
from ...trace.area import area_tracks
from ...trace.derived import Derived, derived_of
from ...trace.groups import Axis
from ...trace.lanes import Window
from ...trace.window import asked_tracks, wanted_window

Part = TypeVar("Part")
Tables: TypeAlias = Mapping[str, dict[str, Cells]]


@dataclasses.dataclass(frozen=True)
class HostPart:
    """What one host gives. offset_ps: its start, counted from the asked origin. clock: its steps, where they are asked
    for or show how its clock differs. parts: by question that is asked, of its own type.
    """

    host: str
    start_ns: int | None
    offset_ps: int
    span: Window | None
    track_count: int
    event_count: int
    loss: Loss
    clock: HostSteps | None
    parts: Mapping[str, Any]


class Asking:
    """What a question asks one host's timeline. window: as it was given, None for all that the host has, `whole`.

    Raises ArgumentError for a window or tracks that are none.
    """

    def __init__(
        self, timeline: Timeline, options: Options, offset_ps: int, span: Window | None, track_count: int
    ) -> None:
        self.timeline, self.options, self.offset_ps = timeline, options, offset_ps
        self.window, self.whole = wanted_window(options, offset_ps, span), span or Window(0, 1)
        chosen = str(options["tracks"])
        self._track_count = track_count
        #: None where none are chosen. Counters are numbered beyond the capture's tracks, derived tracks beyond these.
        self.numbers = asked_tracks(timeline, chosen) if chosen else None

    @property
    def tracks_and_counters(self) -> I64 | None:
        return None if self.numbers is None else self.numbers[self.numbers < self._track_count]

    @cached_property
    def tracks(self) -> I64 | None:
        """The chosen tracks of the capture."""
        return None if self.numbers is None else self.numbers[self.numbers < len(self.timeline.capture.tracks)]

    @property
    def area_tracks(self) -> I64:
        return area_tracks(self.timeline.capture) if self.tracks is None else self.tracks

    @property
    def chosen_derived(self) -> Derived | None:
        """The derived tracks where some of them are chosen."""
        if self.numbers is None or not (self.numbers >= self._track_count).any():
            return None
        return derived_of(self.timeline)

    @property
    def derived(self) -> Derived | None:
        """`chosen_derived`; by default the derived tracks, if they are asked for."""
        if self.numbers is not None:
            return self.chosen_derived
        return derived_of(self.timeline) if self.options["derived"] else None

    @property
    def derived_tracks(self) -> I64:
        """Which of them, by their own numbers."""
        derived = derived_of(self.timeline)
        return np.arange(derived.count) if self.numbers is None else derived.tracks(self.numbers)


class Given(NamedTuple, Generic[Part]):
    """What one host gave. offset_ps: what is added to its times."""

    host: str
    offset_ps: int
    part: Part


class Run(NamedTuple):
    """What is known of all hosts. steps: of those that were asked for them. numbers: what was answered before."""

    options: Options
    hosts: Sequence[HostPart]
    axis: Axis
    steps: Sequence[HostSteps]
    numbers: Mapping[str, Scalar]

    @property
    def first_hit(self) -> int:
        return int(self.options["offset"] or 0)


@dataclasses.dataclass(frozen=True)
class Answered:
    """unknown: why a number of this question is None although it was asked."""

    numbers: Mapping[str, Scalar] = dataclasses.field(default_factory=dict)
    tables: Tables = dataclasses.field(default_factory=dict)
    findings: Sequence[Finding] = ()
    unknown: Mapping[str, str] = dataclasses.field(default_factory=dict)


def _never(leading: str, options: Options) -> bool:
    return False


@dataclasses.dataclass(frozen=True)
class Question(Generic[Part]):
    """Of the questions whose options are all chosen the first one leads; others are answered beside it.

    asked_by: options, `name` where any value asks and `name=value` where one does; None for what never leads. beside:
    whether it is answered beside the one that leads, by that one's name. per_host: None where the answer needs nothing
    of its own from hosts. scalars, tables: what it fills; other questions may fill them, too. not_asked: why the
    scalars are null where nothing asked for them.
    """

    name: str
    answer: Callable[[Sequence[Given[Part]], Run], Answered]
    per_host: Callable[[Asking], Part] | None = None
    asked_by: tuple[str, ...] | None = None
    beside: Callable[[str, Options], bool] = _never
    scalars: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    not_asked: str = ""

    def may_lead(self, options: Options) -> bool:
        return self.asked_by is not None and all(_is_chosen(text, options) for text in self.asked_by)


def _is_chosen(text: str, options: Options) -> bool:
    name, _, wanted = text.partition("=")
    value = options[name]
    return value == wanted if wanted else value is not None and value is not False and value != ""
