"""`Steps`: when each step of a program began and ended on one host, and by which rule that was found."""

from __future__ import annotations

import dataclasses
from enum import IntFlag
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...tables import I32, I64, U8

Confidence = Literal["certain", "likely", "guess", "none"]
#: Rules whose steps are what the program marks as such; those of others begin late, with the first call of a step.
MARKED = ("recorded", "markers", "numbers", "annotations")


class Cut(IntFlag):
    """Which ends of a step the capture does not hold."""

    NO = 0
    BEGIN = 1
    END = 2


class OtherLoop(NamedTuple):
    """A loop beside the one whose steps are taken. typical_ps: the median of its marks' spans. common: the part of
    their ops' time that both have in common, None where that is not asked or not known; unrelated: next to nothing."""

    name: str
    steps: int
    typical_ps: float
    begin_ps: int
    end_ps: int
    common: float | None
    unrelated: bool


class Own(NamedTuple):
    """Of each step, by the clock of a device: its row in `planes`, begin, wall time and own span."""

    plane: I64
    begin_ps: I64
    wall_ps: I64
    span_ps: I64


@dataclasses.dataclass(frozen=True, eq=False)
class Steps:
    """The steps of one host, by begin; a step is one row in each array.

    rule: name of the rule that found them, empty where none did. confidence: how sure that is. evidence: what was seen,
    None without steps. reason: why there are none, None where there are some.
    number: the program's own number of the step, or its place from 0 on. name: what to call it, `train 7`.
    row: the event that marks it, -1 where none does. lane: the track of that event, else -1; steps of one lane follow
    each other, those of two may overlap.
    begin_ps, end_ps: its own span, [begin, end). next_ps: begin of the next step of its lane; of the last -1, or its
    own end where what marks steps shows that it is whole.
    cut: `Cut` flags. on_device: begins and ends are those of the work on devices, since the host only issues it and
    runs ahead. others: what else looked like a step and is none, by what it is: loops inside of a step, say.
    loop: what the marks are called, where there are other loops beside it, and those.
    own: how long they were by the clock of the device that began them, where it shows that. The other times are those
    of the trace, in which a fit to the host's clock may stretch one step and shorten the next.
    """

    rule: str
    confidence: Confidence
    evidence: Message | None
    reason: Message | None
    number: I64
    name: tuple[str, ...]
    row: I32
    lane: I32
    begin_ps: I64
    end_ps: I64
    next_ps: I64
    cut: U8
    on_device: bool = False
    others: dict[Message, int] = dataclasses.field(default_factory=dict)
    loop: str = ""
    loops: tuple[OtherLoop, ...] = ()
    own: Own | None = None

    def __len__(self) -> int:
        return len(self.begin_ps)

    @property
    def until_ps(self) -> I64:
        """Where each step's wall time ends: at the next step's begin, of the last at its own end."""
        return np.where(self.next_ps >= 0, self.next_ps, self.end_ps)

    @property
    def wall_ps(self) -> I64:
        """Begin to the next step's begin, what a stopwatch around the loop shows; of the last its own span.

        By the device's own clock where that is known.
        """
        wall: I64 = self.until_ps - self.begin_ps if self.own is None else self.own.wall_ps
        return wall

    @property
    def span_ps(self) -> I64:
        """Each step's own span, by the same clock."""
        span: I64 = self.end_ps - self.begin_ps if self.own is None else self.own.span_ps
        return span

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which steps have a wall time that counts in a mean: not cut, and the next one's begin is known."""
        whole: NDArray[np.bool_] = (self.cut == 0) & (self.next_ps >= 0)
        return whole

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Which steps stand for a step: the whole ones, or all where none is."""
        whole = self.whole
        return whole if whole.any() else np.ones(len(self), bool)

    def check(self) -> None:
        """Raise AssertionError unless the steps are what this class says."""
        n = len(self)
        columns = (self.number, self.name, self.row, self.lane, self.end_ps, self.next_ps, self.cut)
        assert all(len(column) == n for column in columns), "columns differ in length"
        assert bool(n) == bool(self.rule) != bool(self.reason), "no steps without a reason"
        assert (self.end_ps >= self.begin_ps).all(), "a step ends before it begins"
        assert (self.begin_ps[1:] >= self.begin_ps[:-1]).all(), "steps are not by begin"
        assert ((self.next_ps < 0) | (self.next_ps >= self.begin_ps)).all(), "the next step begins before"
        if self.own is not None:
            assert all(len(column) == n for column in self.own), "columns differ in length"
            assert (self.own.wall_ps >= 0).all(), "the next step begins before"
            assert (self.own.span_ps >= 0).all(), "a step ends before it begins"


def none(reason: Message) -> Steps:
    """No steps, and why."""
    i64, i32 = np.empty(0, np.int64), np.empty(0, np.int32)
    return Steps("", "none", None, reason, i64, (), i32, i32, i64, i64, i64, np.empty(0, np.uint8))
