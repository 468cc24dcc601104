"""What `compare` gives, declared: its summary and its tables."""

from __future__ import annotations

from ...analysis.compare.changes import OUTSIDE
from ...tables import Column, TableSpec

_INTERVAL = f"of the interval that holds {1 - OUTSIDE:.0%} of the differences between resampled steps."
SUMMARY = (
    Column.text("base", "What is compared with: A."),
    Column.text("new", "What is compared: B."),
    Column.ms("step_time_base_ms", "Mean typical step of A; of several captures the mean of theirs."),
    Column.ms("step_time_new_ms", "Mean typical step of B."),
    Column.ms("step_time_change_ms", "B's less A's."),
    Column("step_time_change_share", "float64", "share", "The change ÷ A's step: above 0 B is slower."),
    Column.ms("change_low_ms", f"Lower end {_INTERVAL}"),
    Column.ms("change_high_ms", f"Upper end {_INTERVAL}"),
    Column.text(
        "verdict", "`slower`, `faster`, `noise`: no change beyond it, or `unknown`: there are no steps, or one."
    ),
    Column.count("captures_base", "Captures of A."),
    Column.count("captures_new", "Captures of B."),
    Column.count("steps_base", "Typical steps of A."),
    Column.count("steps_new", "Typical steps of B."),
    Column.count("left_out_base", "Steps of A that are cut or slow, which count in no mean."),
    Column.count("left_out_new", "Steps of B that are cut or slow."),
    Column.number("launches_base", "Launches of kernels and copies a step of A, mean over hosts."),
    Column.number("launches_new", "The same of B."),
    Column.bytes("memory_peak_base_bytes", "Peak of the device memory that was used most, else of the host's, of A."),
    Column.bytes("memory_peak_new_bytes", "The same of B."),
)

_A, _B = Column.ms("base_ms", "A mean typical step of A."), Column.ms("new_ms", "A mean typical step of B.")
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
_FOUND_AS = Column.text("found_as", "The same in words: how it was found on both sides.")
_TIMES = (
    Column.number("base_times", "How often it begins in a step of A."),
    Column.number("new_times", "How often it begins in a step of B."),
)

CATEGORIES_CHANGED = TableSpec(
    "categories",
    "By category",
    "One row a category of a step's time; they add up to the change of the step.",
    (
        Column.text("category", "Key of the category."),
        Column.text("title", "Its name."),
        Column.text("group", "What it is coloured as."),
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
        Column.text("name", "The op; else the event's name; empty for the rest of a category."),
        Column.text("type", "Its type."),
        _CHANGE,
        _A,
        _B,
        Column.text("category", "Category in which it changes most."),
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
    (Column.text("name", "The kernel."), _CHANGE, _A, _B, _MATCH, _FOUND_AS, *_TIMES, WAS),
)
STEPS = TableSpec(
    "steps",
    "Steps",
    "One row a typical step of either side.",
    (
        Column.text("side", "`base` or `new`."),
        Column.text("capture", "The capture it is of."),
        Column.count("step", "Its place among the typical steps of its capture."),
        Column.integer("number", "The program's number of the step, or its place among all steps."),
        Column.ms("start_ms", "Begin, on the earliest host that ran it."),
        Column.ms("duration_ms", "How long it takes."),
    ),
)
CONDITIONS = TableSpec(
    "conditions",
    "Conditions",
    "One row a fact that both sides state: what differs is to be known before numbers are compared.",
    (
        Column.text("fact", "What it is."),
        Column.text("base", "Of A."),
        Column.text("new", "Of B."),
        Column.flag("differs", "Whether the two are not the same."),
    ),
)
_NODE = (
    Column.text("name", "The last part of the path."),
    Column.id("parent", "Row number of what this one lies in, -1 for none."),
    Column.text("category", "Key of the category; of what lies in several the one with most time."),
    _CHANGE,
    _A,
    _B,
    _OF_STEP,
    Column.ms("larger_ms", "Its ops, each as long as on the side where it takes longer."),
    Column.text(
        "match", "As of `ops`; `rest`: of a category what lies in no op; `more`: the smaller ones of a node, together."
    ),
    _FOUND_AS,
    Column.text("op", "The whole name of the op, or of the mark, that it is."),
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
    (*_NODE, Column.flag("marked", "Whether the program marks it: an annotation, a range, a module.")),
)
