"""What `compare` gives, declared: its summary and its tables."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...advice.text.catalogue import Sentence
from ...analysis.compare.alignment import Node
from ...analysis.compare.changes import OUTSIDE, Change, Difference, launches, memory_peak
from ...analysis.compare.side import CaptureSide
from ...tables import Column, TableSpec
from ...timeline.ops.ops import MODULE
from ...timeline.timeline import CATEGORIES
from ...units import PS_PER_MS


class Facts(NamedTuple):
    """What the summary is of."""

    steps: Difference
    typical: Difference
    a: Sequence[CaptureSide]
    b: Sequence[CaptureSide]

    @property
    def is_known(self) -> bool:
        return self.steps.verdict != "unknown" or bool(self.steps.a_ps and self.steps.b_ps)


def _names(side: Sequence[CaptureSide]) -> str:
    return ", ".join(dict.fromkeys(each.name for each in side))


def _step_count(side: Sequence[CaptureSide]) -> int:
    return sum(len(each.step_ps) for each in side)


def _slow(side: Sequence[CaptureSide]) -> int:
    return sum(len(each.step_ps) - len(each.typical_ps) for each in side)


def _warm_up(side: Sequence[CaptureSide]) -> int:
    return sum(int(each.means.warm_up.sum()) for each in side)


def _left_out(side: Sequence[CaptureSide]) -> int:
    return sum(len(each.means) - len(each.step_ps) for each in side)


def _change_ms(steps: Difference) -> float | None:
    is_known = steps.verdict != "unknown" or bool(steps.a_ps and steps.b_ps)
    return steps.ps / PS_PER_MS if is_known and steps.verdict != "unlike" else None


class ChangeRow(NamedTuple):
    """Of an op or a kernel. step_ps: of A."""

    change: Change
    step_ps: float

    @property
    def base_ms(self) -> float:
        return self.change.a.ps / PS_PER_MS

    @property
    def new_ms(self) -> float:
        return self.change.b.ps / PS_PER_MS

    @property
    def change_ms(self) -> float:
        return self.change.ps / PS_PER_MS

    @property
    def change_of_step_share(self) -> float | None:
        return self.change.ps / self.step_ps if self.step_ps else None

    @property
    def match(self) -> str:
        return self.change.match

    @property
    def was(self) -> str:
        return self.change.was


class PartRow(NamedTuple):
    """Of a category or a node of a tree. step_ms: of A."""

    of: Any
    base_ms: float
    new_ms: float
    step_ms: float

    @property
    def change_ms(self) -> float:
        return self.new_ms - self.base_ms

    @property
    def change_of_step_share(self) -> float | None:
        return self.change_ms / self.step_ms if self.step_ms else None

    @property
    def match(self) -> str:
        return str(self.of.match)

    @property
    def was(self) -> str:
        return str(self.of.was)


class StepRow(NamedTuple):
    side: str
    capture: str
    step: int
    number: int
    start_ps: int
    duration_ps: float
    slow: bool


@functools.cache
def found_as(match: str) -> str:
    return Sentence(f"found_as.{match}")


def _title(node: Node) -> str:
    """Title of a node without a name."""
    return "" if node.is_more else Sentence(f"category.{CATEGORIES[node.category].key}")


def _end(steps: Difference, ps: float | None) -> float | None:
    return None if ps is None or steps.verdict == "unlike" else ps / PS_PER_MS


_INTERVAL = f"of the interval that holds {1 - OUTSIDE:.0%} of the differences between resampled steps."
SUMMARY = (
    Column.text("base", "What is compared with: A.", lambda s: _names(s.a)),
    Column.text("new", "What is compared: B.", lambda s: _names(s.b)),
    Column.ms(
        "step_time_base_ms",
        "Mean step of A, slow steps included, without those that begin the run and no later one is like; of several "
        "captures the mean of theirs.",
        lambda s: s.steps.a_ps / PS_PER_MS if s.is_known else None,
    ),
    Column.ms("step_time_new_ms", "Mean step of B.", lambda s: s.steps.b_ps / PS_PER_MS if s.is_known else None),
    Column.ms("step_time_change_ms", "B's less A's.", lambda s: _change_ms(s.steps)),
    Column(
        "step_time_change_share",
        "float64",
        "share",
        "The change ÷ A's step: above 0 B is slower.",
        lambda s: s.steps.share if s.is_known and s.steps.verdict != "unlike" else None,
    ),
    Column.ms("change_low_ms", f"Lower end {_INTERVAL}", lambda s: _end(s.steps, s.steps.low_ps)),
    Column.ms("change_high_ms", f"Upper end {_INTERVAL}", lambda s: _end(s.steps, s.steps.high_ps)),
    Column.text(
        "verdict",
        "Of the mean step: `slower`, `faster`, `noise`: no change beyond it, `unknown`: there are no steps, or one, or "
        "`unlike`: a step of one side is another thing than one of the other, so that their times are not compared.",
        "steps.verdict",
    ),
    Column.ms(
        "typical_step_base_ms",
        "Mean typical step of A, without slow steps.",
        lambda s: s.typical.a_ps / PS_PER_MS if s.is_known else None,
    ),
    Column.ms(
        "typical_step_new_ms",
        "Mean typical step of B.",
        lambda s: s.typical.b_ps / PS_PER_MS if s.is_known else None,
    ),
    Column.ms("typical_step_change_ms", "B's typical step less A's.", lambda s: _change_ms(s.typical)),
    Column.text("typical_verdict", "As `verdict`, of typical steps.", "typical.verdict"),
    Column.count("captures_base", "Captures of A.", lambda s: len(s.a)),
    Column.count("captures_new", "Captures of B.", lambda s: len(s.b)),
    Column.count("steps_base", "Steps of A that the mean is of.", lambda s: _step_count(s.a)),
    Column.count("steps_new", "Steps of B that the mean is of.", lambda s: _step_count(s.b)),
    Column.count("slow_base", "Those of them that are slow, and not typical.", lambda s: _slow(s.a)),
    Column.count("slow_new", "Slow steps of B.", lambda s: _slow(s.b)),
    Column.count(
        "left_out_base", "Steps of A that are cut, or warm-up, which count in no mean.", lambda s: _left_out(s.a)
    ),
    Column.count("left_out_new", "Steps of B that are cut, or warm-up.", lambda s: _left_out(s.b)),
    Column.count(
        "warm_up_base",
        "First steps of A that are slow, and no later one is like: what a program does once, as compiling.",
        lambda s: _warm_up(s.a),
    ),
    Column.count("warm_up_new", "The same of B.", lambda s: _warm_up(s.b)),
    Column.number(
        "launches_base", "Launches of kernels and copies a step of A, mean over hosts.", lambda s: launches(s.a)
    ),
    Column.number("launches_new", "The same of B.", lambda s: launches(s.b)),
    Column.bytes(
        "memory_peak_base_bytes",
        "Peak of the device memory that was used most, else of the host's, of A.",
        lambda s: memory_peak(s.a),
    ),
    Column.bytes("memory_peak_new_bytes", "The same of B.", lambda s: memory_peak(s.b)),
)

_A, _B = Column.ms("base_ms", "A mean step of A."), Column.ms("new_ms", "A mean step of B.")
_CHANGE = Column.ms("change_ms", "B's less A's.")
_OF_STEP = Column("change_of_step_share", "float64", "share", "The change ÷ A's step.")
WAS = Column.text("was", "Its name in A, where it has another one there.")
_MATCH = Column.text(
    "match",
    "`same` name; `renamed`: names differ in numbers or in scopes; of XLA's instructions `fingerprint`: they are the "
    "same but for their names, `shape`: opcode and shape are, `split`, `merged`: a fusion of one side is several of "
    "the other, which share its time; `new`, `gone`; of a category `rest`: what no event shows, `more`: the smaller "
    "changes, together.",
)
_FOUND_AS = Column.text(
    "found_as", "The same in words: how it was found on both sides.", lambda row: found_as(row.match)
)
_TIMES = (
    Column.number("base_times", "How often it begins in a step of A.", "change.a.times"),
    Column.number("new_times", "How often it begins in a step of B.", "change.b.times"),
)

CATEGORIES_CHANGED = TableSpec(
    "categories",
    "By category",
    "One row a category of a step's time; they add up to the change of the step.",
    (
        Column.text("category", "Key of the category.", "of.key"),
        Column.text("title", "Its name.", lambda row: Sentence(f"category.{row.of.key}")),
        Column.text("group", "What it is coloured as.", "of.group"),
        _A,
        _B,
        _CHANGE,
        _OF_STEP,
    ),
    key=("category",),
)
OPS = TableSpec(
    "ops",
    "By op",
    "One row an op, the largest change first, and one for the rest of each category; they add up to the change of the "
    "step. An instant counts to what the step is waiting for; of several threads to each an equal part.",
    (
        Column.text("name", "The op; else the event's name; empty for the rest of a category.", "change.name"),
        Column.text("type", "Its type.", "change.type"),
        _CHANGE,
        _A,
        _B,
        Column.text("category", "Category in which it changes most.", lambda row: CATEGORIES[row.change.category].key),
        _MATCH,
        _FOUND_AS,
        _OF_STEP,
        *_TIMES,
        WAS,
    ),
)
KERNELS = TableSpec(
    "kernels",
    "By kernel",
    "One row a kernel, the largest change first; sums over devices and streams, hidden time too.",
    (Column.text("name", "The kernel.", "change.name"), _CHANGE, _A, _B, _MATCH, _FOUND_AS, *_TIMES, WAS),
)
STEPS = TableSpec(
    "steps",
    "Steps",
    "One row a step of either side that its mean is of.",
    (
        Column.text("side", "`base` or `new`."),
        Column.text("capture", "The capture it is of."),
        Column.count("step", "Its place among these of its capture."),
        Column.integer("number", "The program's number of the step, or its place among all steps."),
        Column.ms("start_ms", "Begin, on the earliest host that ran it.", "start_ps"),
        Column.ms("duration_ms", "How long it takes.", "duration_ps"),
        Column.flag("slow", "Whether it is slow, and no typical step."),
    ),
)
CONDITIONS = TableSpec(
    "conditions",
    "Conditions",
    "One row a fact that both sides state: what differs is to be known before numbers are compared.",
    (
        Column.text("fact", "What it is.", "name"),
        Column.text("base", "Of A.", "a"),
        Column.text("new", "Of B.", "b"),
        Column.flag("differs", "Whether the two are not the same."),
    ),
)
_NODE = (
    Column.text("name", "The last part of the path.", lambda row: row.of.name.removeprefix(MODULE) or _title(row.of)),
    Column.id("parent", "Row number of what this one lies in, -1 for none.", "of.parent"),
    Column.text(
        "category",
        "Key of the category; of what lies in several the one with most time.",
        lambda row: CATEGORIES[row.of.category].key,
    ),
    _CHANGE,
    _A,
    _B,
    _OF_STEP,
    Column.ms("larger_ms", "Its ops, each as long as on the side where it takes longer.", "of.larger_ps"),
    Column.text(
        "match", "As of `ops`; `rest`: of a category what lies in no op; `more`: the smaller ones of a node, together."
    ),
    _FOUND_AS,
    Column.text("op", "The whole name of the op, or of the mark, that it is.", lambda row: row.of.op or row.of.mark),
    WAS,
)
TREE = TableSpec(
    "tree",
    "By scope",
    "Categories, and in them ops by the path of their names: name scopes, modules, files of Python functions; those of "
    "categories add up to the change of the step. What is left of a node is time in no op.",
    _NODE,
)
SCOPES = TableSpec(
    "scopes",
    "By annotation and scope",
    "What the program marks (`record_function`, NVTX, `TraceAnnotation`), in it modules and name scopes, in these the "
    "ops; what lies in no op is a row of its category. Those without a parent add up to the change of the step.",
    (*_NODE, Column.flag("marked", "Whether the program marks it: an annotation, a range, a module.", "of.marked")),
)
