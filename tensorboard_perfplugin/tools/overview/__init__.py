"""Timelines → a capture at a glance: hosts, devices, busy and idle time, the largest ops, how it was made."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ...advice.finding import with_steps_option
from ...advice.rules.hosts import UNRELATED
from ...advice.rules.overview import overview_findings
from ...advice.text.catalogue import Sentence
from ...analysis.activity import ACTIVITY
from ...analysis.activity import columns as activity_columns
from ...analysis.devices.peaks import above_peaks, utilization
from ...analysis.ops.rows import Key, OpRow, has_ops, merged, ranked, sums_only
from ...analysis.overview import Host, host
from ...analysis.steps.means import SPLIT_OF, STEPS_FROM, StepMeans, apart, of_one_program, step_means
from ...analysis.steps.summary import inferred_share
from ...messages import Message
from ...tables import Cells, Options, Scalar, tabulate
from ...timeline.timeline import CATEGORIES, Timeline
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from ..shared.ops import NO_HOST_OP, SUMS_ONLY
from .columns import (
    BRIEF,
    DEVICE_OPS,
    DEVICES,
    ENVIRONMENT,
    HOST_OPS,
    HOSTS,
    NS_PER_MS,
    PROGRAMS,
    PYTHON_FUNCTIONS,
    SPLIT,
    STEPS,
    SUMMARY,
    DeviceRow,
    Fact,
    HostRow,
    TopOp,
)
from .functions import empty_functions, of_functions
from .steps import ABOVE_PEAK, split_table, step_summary, steps_table
from .tpu import programs_table, tpu_summary

TOP = 10


def per_host(timeline: Timeline, options: Options) -> Host:
    return host(timeline, options)


def combine(partials: Sequence[Host], options: Options) -> Result:
    rows, choice = merged(h.ops for h in partials), str(options.get(SPLIT_OF.name, SPLIT_OF.default))
    judged = _judged(partials)
    # Of a file that holds memory alone it is not known what the time of a step went to.
    steps = step_means([h.steps for h in judged if not h.memory_only])
    tables: dict[str, dict[str, Cells]] = {
        "steps": steps_table(steps),
        "split": split_table(steps, choice),
        "hosts": tabulate(HOSTS.columns, [_host_row(h) for h in partials]),
        "devices": tabulate(DEVICES.columns, [DeviceRow(h, d) for h in partials for d in h.devices]),
        "device_ops": tabulate(DEVICE_OPS.columns, _top(rows, "device")),
        "host_ops": tabulate(HOST_OPS.columns, _top(rows, "host")),
        "programs": programs_table([h.tpu for h in partials]),
        "python_functions": empty_functions(),
        "environment": tabulate(ENVIRONMENT.columns, list(_environment(partials))),
        "activity": activity_columns([h.activity for h in partials], [h.start_ns for h in partials]),
    }
    if result := of_functions(partials, tables):
        return result
    summary, unknown = _summary(partials, rows, steps, choice)
    rows_judged = rows if len(judged) == len(partials) else merged(h.ops for h in judged)
    others = UNRELATED.findings(apart([h.steps for h in partials]))
    return Result(
        summary, tables, unknown, with_steps_option(overview_findings(judged, rows_judged, steps, others), options)
    )


def _judged(partials: Sequence[Host]) -> Sequence[Host]:
    """The hosts of one program; others have no step in common with them."""
    return [h for h, is_mine in zip(partials, of_one_program([h.steps for h in partials]), strict=True) if is_mine]


def _host_row(h: Host) -> HostRow:
    return HostRow(h, [row for (side, _), row in h.ops.rows.items() if side == "host"])


def _top(rows: dict[Key, OpRow], side: str) -> list[TopOp]:
    ops = ranked(rows, side)
    whole, top = sum(row.self_ps for _, row in ops), ops[:TOP]
    so_far = itertools.accumulate(row.self_ps for _, row in top)
    return [
        TopOp(op, row, row.self_ps / whole if whole else None, ps / whole if whole else None)
        for (op, row), ps in zip(top, so_far, strict=True)
    ]


def _environment(partials: Sequence[Host]) -> Iterator[Fact]:
    """One row a key where hosts agree, else one a host."""
    for key in dict.fromkeys(key for h in partials for key in h.environment):
        values = {h.name: h.environment[key] for h in partials if key in h.environment}
        if len(set(values.values())) == 1:
            yield Fact(key, _cell(next(iter(values.values()))))
        else:
            yield from (Fact(f"{key} ({name})", _cell(value)) for name, value in values.items())


def _cell(value: str | Message) -> str:
    return Sentence.of(value) if isinstance(value, Message) else value


def _summary(
    partials: Sequence[Host], rows: dict[Key, OpRow], steps: StepMeans, choice: str
) -> tuple[dict[str, Scalar], dict[str, str]]:
    (of_steps, reasons), (of_tpus, why) = step_summary(steps, choice), tpu_summary([h.tpu for h in partials])
    known = _about_hosts(partials) | _about_devices(partials) | _about_ops(partials, rows) | of_steps | of_tpus
    reasons |= why
    if len(steps):
        used = [d for h in partials for d in h.used]
        known |= _assigned(partials) | utilization(used)
        known["path_inferred_share"] = inferred_share([h.step_summary for h in partials])
        reasons |= dict.fromkeys(above_peaks(used), ABOVE_PEAK)
    summary = {c.name: known.get(c.name) for c in SUMMARY}
    unknown = {
        name: reasons.get(name) or _why_unknown(name, partials) for name, value in summary.items() if value is None
    }
    return summary, unknown


def _assigned(partials: Sequence[Host]) -> dict[str, Scalar]:
    """Of the devices' op time, else of the hosts', what is in steps by time only, and what is in none."""
    device = any(h.assigned.device.total_ps for h in partials)
    shares = [h.assigned.device if device else h.assigned.host for h in partials]
    total = sum(share.total_ps for share in shares)
    if not total:
        return {}
    by_time, none = sum(share.time_ps for share in shares), sum(share.none_ps for share in shares)
    return {"by_time_share": by_time / total, "unassigned_share": none / total}


def _about_hosts(partials: Sequence[Host]) -> dict[str, Scalar]:
    starts = [h.start_ns for h in partials if h.start_ns is not None]
    frameworks = dict.fromkeys(str(h.environment["framework"]) for h in partials if "framework" in h.environment)
    window, with_op = sum(h.ops.window_ps for h in partials), sum(h.ops.host_op_ps for h in partials)
    facts: dict[str, Scalar] = {
        "host_count": len(partials),
        "framework": ", ".join(frameworks) or None,
        "start_ms": min(starts) / NS_PER_MS if starts else None,
        "span_ms": max((h.ops.window_ps for h in partials), default=0) / PS_PER_MS,
        "launch_count": sum(h.launches for h in partials),
    }
    if any(has_ops(h.ops, "host") for h in partials) and not sums_only(h.ops for h in partials):
        facts |= {"host_op_ms": with_op / PS_PER_MS, "host_op_share": with_op / window if window else None}
    return facts


def _about_devices(partials: Sequence[Host]) -> dict[str, Scalar]:
    devices = [d for h in partials for d in h.devices if not d.part]
    models = dict.fromkeys(d.attributes.model or d.attributes.architecture or d.kind for d in devices)
    busy, idle = sum(h.ops.busy_ps for h in partials), sum(h.ops.idle_ps for h in partials)
    facts: dict[str, Scalar] = {
        "device_count": len(devices),
        "device_type": ", ".join(models) or (None if all(h.memory_only for h in partials) else "CPU only"),
        "device_event_count": sum(d.events for d in devices),
    }
    if any(h.ops.devices for h in partials):
        facts |= {
            "device_busy_ms": busy / PS_PER_MS,
            "device_idle_ms": idle / PS_PER_MS,
            "device_idle_share": idle / (busy + idle) if busy + idle else None,
        }
    return facts


_SIDES = ("device", "host")


def _about_ops(partials: Sequence[Host], rows: dict[Key, OpRow]) -> dict[str, Scalar]:
    facts: dict[str, Scalar] = {}
    for side in _SIDES:
        ops = [row for (where, _), row in rows.items() if where == side]
        eager, known = sum(row.eager_ps for row in ops), sum(row.known_ps for row in ops)
        facts[f"{side}_eager_share"] = eager / known if known else None
        known_waits = sum(row.wait_known_ps for row in ops)
        facts[f"{side}_wait_share"] = sum(row.wait_ps for row in ops) / known_waits if known_waits else None
        if any(has_ops(h.ops, side) for h in partials):
            facts[f"{side}_op_self_ms"] = sum(row.self_ps for row in ops) / PS_PER_MS
    ran = {side: sum(row.occurrences for (where, _), row in rows.items() if where == side) for side in _SIDES}
    facts |= {f"{side}_op_count": count for side, count in ran.items()}
    facts["device_op_count_share"] = ran["device"] / sum(ran.values()) if any(ran.values()) else None
    return facts


def _why_unknown(name: str, partials: Sequence[Host]) -> str:
    if name == "framework":
        return "no event or attribute in the capture gives it away"
    if name == "start_ms":
        return "the capture has only relative times"
    if name.startswith(("host_op_", "host_wait_")) and not any(has_ops(h.ops, "host") for h in partials):
        return NO_HOST_OP
    if name.startswith("host_") and sums_only(h.ops for h in partials):
        return SUMS_ONLY
    if name == "host_eager_share":
        return Sentence("eager_share_unknown.host")
    if not any(h.devices for h in partials):
        return "the capture holds no device"
    if not any(h.ops.devices for h in partials):
        return "no event of the capture ran on a device"
    if name == "device_eager_share":
        return Sentence("eager_share_unknown.device")
    if name == "device_wait_share" and any(d.busy_ps for h in partials for d in h.devices):
        return "the capture does not record when a GPU's kernel waits"
    return "the events of the capture span no time"


OVERVIEW = Tool(
    name="overview",
    title="Overview",
    question="Where does the time go, and what should I look at first?",
    help="Step time and what it is spent on, hosts, devices, the largest ops, and how the capture was made.",
    summary=SUMMARY,
    tables=(STEPS, SPLIT, HOSTS, DEVICES, DEVICE_OPS, HOST_OPS, PROGRAMS, PYTHON_FUNCTIONS, ENVIRONMENT, ACTIVITY),
    views=(
        View("page"),
        View("stack", table="steps", label="step", values=tuple(f"{c.key}_ms" for c in CATEGORIES)),
        View(
            "lines",
            table="activity",
            label="start_ms",
            values=("device_busy_share", "device_wait_share", "host_op_threads", "input_wait_threads"),
        ),
    ),
    per_host=per_host,
    combine=combine,
    options=(STEPS_FROM, SPLIT_OF),
    aliases=("overview_page",),
    of_functions=True,
    brief=BRIEF,
)
