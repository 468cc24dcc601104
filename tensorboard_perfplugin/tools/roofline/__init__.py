"""Timelines → what each op and step reached of what its device could compute and move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...advice.rules.roofline import NEARNESS
from ...analysis.programs.table import ProgramTime, chosen_program, merged_programs, program_times
from ...analysis.roofline.executed import Given, Label
from ...analysis.roofline.points import Point, Roofline, merged, reached, roofline
from ...analysis.steps.means import STEPS_FROM
from ...tables import LIMIT, Option, Options, evaluate, row_limit, tabulate
from ...timeline.ops.costs import has_costs
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline
from ..declaration import Result, Tool, View
from ..shared.programs import PROGRAMS, program_cells
from .tables import OPS, ROOFS, STEPS, SUMMARY, Facts, op_rows, roof_rows, step_rows

_HIGHEST = 1e9


class Part(NamedTuple):
    """One host's."""

    roofline: Roofline
    programs: tuple[ProgramTime, ...]


def per_host(timeline: Timeline, options: Options) -> Part:
    found = roofline(timeline, _given(options), str(options[STEPS_FROM.name]), str(options["step"]))
    return Part(found, program_times(timeline))


def combine(parts: Sequence[Part], options: Options) -> Result:
    found, programs = merged([part.roofline for part in parts]), merged_programs([part.programs for part in parts])
    rows = _wanted(found, programs, options)
    of_all = reached(found, rows)
    summary = evaluate(SUMMARY, Facts(found, rows, of_all))
    tables = {
        "ops": tabulate(OPS.columns, list(op_rows(rows, found.total.time_ps))[: row_limit(options)]),
        "steps": tabulate(STEPS.columns, step_rows(found)),
        "roofs": tabulate(ROOFS.columns, list(roof_rows(found))),
        "programs": program_cells(programs),
    }
    unknown = {name: _why(name, found, rows) for name, value in summary.items() if value is None}
    return Result(summary, tables, unknown, tuple(NEARNESS.findings(of_all)))


def _given(options: Options) -> Given:
    peaks = [options[name] for name in ("peak_tflops", "peak_gb_s")]
    return Given(*(float(p) if isinstance(p, int | float) and p > 0 else None for p in peaks))


def _wanted(found: Roofline, programs: Sequence[ProgramTime], options: Options) -> list[tuple[Label, Point]]:
    """Largest self time first. Raises ArgumentError for a program that is not there."""
    program, category = str(options["program"]), options["category"]
    program = chosen_program(programs, program) if program else ""
    rows = [
        (label, point)
        for label, point in found.points.items()
        if (not program or label.program == program) and (not category or label.category == category)
    ]
    return sorted(rows, key=lambda row: (-row[1].own_ps, row[0]))


def _why(name: str, found: Roofline, rows: Sequence[tuple[Label, Point]]) -> str:
    peaks = [top for top in found.roofs if top.best is None or top.memories[0] is None]
    if not rows:
        return NOTHING
    if name in ("roof_devices", "figures_from", "peak_tflops", "peak_gb_s", "ridge"):
        return NO_PEAK_OF_CPU if found.side == "host" else NO_PEAK if peaks else "the devices differ"
    if not any(point.flops is not None for _, point in rows):
        return NO_COSTS
    if peaks:
        return NO_PEAK_OF_CPU if found.side == "host" else NO_PEAK
    return "no time passes in it, or more was computed or moved than the devices' peaks allow"


def missing(timeline: Timeline) -> str | None:
    """Why a capture shows no op whose costs could be known."""
    if has_costs(timeline) or any(map(timeline.has_stat, ("Input Dims", "Input dims"))):
        return None
    if not len(ops_of(timeline).device.rows) and not len(ops_of(timeline).host.rows):
        return NOTHING
    return NO_COSTS


NOTHING = "no op of this capture is an XLA instruction, a call of PyTorch's with shapes, or ran on a device"
NO_PEAK_OF_CPU = "no peak of a CPU is known: give `peak_tflops` and `peak_gb_s`"
NO_PEAK = (
    "neither the capture nor the table of data sheets has the peaks of its devices: give `peak_tflops` and `peak_gb_s`"
)
NO_COSTS = (
    "the FLOPs and bytes of its ops are not known: the capture holds neither XLA's programs nor shapes "
    "(torch.profiler records them with record_shapes=True)"
)

ROOFLINE = Tool(
    name="roofline",
    title="Roofline",
    question="How near are ops and steps to what the devices could do, and what limits them?",
    help="FLOP rate, bandwidth and intensity of every op and step, beside the peaks of the devices.",
    summary=SUMMARY,
    tables=(OPS, STEPS, ROOFS, PROGRAMS),
    views=(
        View("page"),
        View("facts"),
        View("table", table="ops"),
        View("table", table="steps"),
        View("table", table="roofs"),
        View("table", table="programs"),
    ),
    per_host=per_host,
    combine=combine,
    missing=missing,
    options=(
        Option("program", "text", "", "Only instructions of this XLA program: its name, id, or its module's name."),
        Option("category", "text", "", "Only ops of this category."),
        Option("step", "text", "", "Only what began in the step of this name."),
        Option(
            "peak_tflops",
            "number",
            0.0,
            "Peak rate of a device in 10¹² FLOP/s, for all precisions; 0: as it is known. Of CPUs it never is.",
            low=0,
            high=_HIGHEST,
        ),
        Option(
            "peak_gb_s",
            "number",
            0.0,
            "Peak bandwidth of a device's memory in GB/s (10⁹ bytes); 0: as it is known. Of CPUs it never is.",
            low=0,
            high=_HIGHEST,
        ),
        STEPS_FROM,
        LIMIT,
    ),
    aliases=("roofline_model",),
)
