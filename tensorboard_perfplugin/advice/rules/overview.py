"""Rules on a capture as a whole, and the order in which the findings of all subjects stand on its page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec import structs

from ...analysis.collectives.matching import match_calls
from ...analysis.devices.peaks import ABOVE, above_peaks
from ...analysis.hosts.environment import CALLED, DRIVER_CALL, TopSlice
from ...analysis.hosts.workers import Pod, pod, straggler, wait_ps
from ...analysis.idle import CAUSES, SHORT, WHOLE
from ...analysis.input.copies import EVERY
from ...analysis.input.copies import STEPS as REPEATED_STEPS
from ...analysis.input.stages import whole_bottleneck
from ...analysis.kernels.merged import Merged, merge
from ...analysis.memory.systems import System
from ...analysis.ops.rows import IDLE, Key, OpRow, called, sums_only
from ...analysis.overview import Host, SideOps, side_ops, waits_for_collectives
from ...analysis.steps.means import StepMeans
from ...analysis.steps.summary import COMPUTES
from ...messages import Message, Param
from ...patterns import regex
from ...tables import Evidence
from ...threshold import Threshold
from ...timeline.ops.ops import waits_for_device
from ...timeline.timeline import CATEGORIES
from ...units import duration
from ..finding import COPIES, NAMES, PLACES, SEVERITIES, Finding, by_severity, worst_first
from ..rule import TRACE, Fact, Proof, Rule, findings_of, table_row
from ..text.catalogue import ON_PATH
from .capture import NOT_SHOWN, reported
from .hosts import NEGOTIATIONS, OF_COLLECTIVES, STRAGGLING, TURNS, Exchange
from .kernels import OF_KERNEL_TIME, OPTIMIZER
from .memory import LEAK, NEAR_CAPACITY
from .ops import CALL_WAITS, LOST, PADDING, STARVED, all_calls
from .steps.case import Case, case, step_time
from .steps.causes import LAUNCH
from .steps.verdict import IN_NO_STEP, OUTSIDE_STEPS, SLOW_STEPS, divided, verdict, with_run_path
from .tf_data import CONTENDS

if TYPE_CHECKING:
    from ...analysis.collectives.crossing import RunPath

# What the rules of the overview decide by.


class Facts(msgspec.Struct, frozen=True):
    """The hosts of a run, the ops of all by side, and the typical step, None where no step was found. eager_steps:
    whether the answer is that steps run eagerly. kernels: of all hosts those that may have to be named, None without a
    GPU. exchange: the collectives of all, None without any.
    """

    hosts: Sequence[Host]
    device: SideOps
    host: SideOps
    case: Case | None
    eager_steps: bool = False
    kernels: Merged | None = None
    exchange: Exchange | None = None

    @property
    def devices_ran(self) -> bool:
        return any(host.ops.devices for host in self.hosts)

    @property
    def launches(self) -> int:
        return sum(host.launches for host in self.hosts)


def largest_op(ops: SideOps, side: str) -> Message:
    """`dot (dot) takes 29 % of host op time`, of the op that works for longest."""
    if ops.hardest is None or not ops.self_ps:
        return Message("largest_op.none", {"side": side})
    op, row = ops.hardest
    share = row.self_ps / ops.self_ps
    return Message("largest_op", {"op": called(op), "share": share, "side": side, "ps": row.self_ps})


# Collectives that take much of the steps → that they are many small ones, do not use their links, or
# carry more bits than needed.


def collectives(facts: Facts) -> Iterator[Finding]:
    """As on the pod viewer's page, where the table of collectives is."""
    if facts.exchange is None or not any(waits_for_collectives(host.steps.split) for host in facts.hosts):
        return
    for finding in findings_of(OF_COLLECTIVES, facts.exchange):
        yield finding.changed(tool="pod_viewer")


# Threads of pipelines that fill a host's cores while its GPUs wait for launches → a finding of one host.


def contention(facts: Facts) -> Iterator[Finding]:
    name = len(facts.hosts) > 1
    found = [
        finding for host in facts.hosts for finding in CONTENDS.findings(host.contention, host.name if name else None)
    ]
    yield from sorted(found, key=lambda finding: -(finding.share or 0.0))[:1]


# Why PyTorch's GPUs stood still between two kernels → a finding; its proof is the pod viewer's table of causes.

IDLE_GAPS = Threshold("gpu_idle", 0.2, "share", "GPUs that stand still between their first and last kernel")
GAPS_WORTH = Threshold("gap_worth", 0.02, "share", "a cause of gaps that is worth a word")
#: Of a GPU as a whole no stream runs in a gap: other causes are of streams.
_OF_ALL_STREAMS = ("host_wait", "kernel_wait", "unattributed")
#: Causes that graphs make smaller.
_LAUNCHES = ("host_wait", "kernel_wait")
_PLACES = ("first", "second", "third")


def gaps(facts: Facts) -> Fact | None:
    """Of all hosts' GPUs together."""
    whole = [one for host in facts.hosts for one in host.idle if not one.stream]
    span = sum(one.span_ps for one in whole)
    by_cause = {name: sum(one.by_cause[CAUSES.index(name)] for one in whole) for name in _OF_ALL_STREAMS}
    total = sum(by_cause.values())
    if not span:
        return None
    order = sorted(by_cause, key=lambda name: -by_cause[name])
    named = [name for name in order if by_cause[name] >= GAPS_WORTH.value * span]
    params: dict[str, Param] = {
        place: _cause(name, by_cause[name] / span) for place, name in zip(_PLACES, named, strict=False)
    }
    times = {"share": total / span, "gaps": sum(one.gaps for one in whole), "idle_ps": total, "span_ps": span}
    if order[0] in _LAUNCHES and any(host.ops.graphs for host in facts.hosts):
        params["graphs"] = True
    proof = table_row(f"pod_viewer.idle.{order[0]}_ms", stream=WHOLE)._replace(tool="pod_viewer")
    return Fact(total / span, {**params, **times, "several": len(whole) > 1}, proof, f"gpu_idle.{order[0]}")


GAPS: Rule[[Facts]] = Rule(
    tuple(f"gpu_idle.{name}" for name in _OF_ALL_STREAMS), gaps, worth=IDLE_GAPS, limits=(GAPS_WORTH, SHORT)
)


def _cause(name: str, share: float) -> Message:
    short: dict[str, Param] = {"short_ps": SHORT.value} if name == "kernel_wait" else {}
    return Message(f"gpu_gaps.{name}", {"share": share, **short})


# What the page of kernels warns of → the same here, where it concerns a considerable part of a step.

KERNELS_WORTH = Threshold(
    "kernels_worth",
    0.05,
    "share",
    "of a step; a program whose kernels are less of it has other things to look at first",
    "as for the causes of a step's time",
)
WARNS = Threshold(
    "kernels_warn", 0.3, "share", "of a step; what concerns so much of it, and can be changed, is a warning here, too"
)
#: What says the same with less: that much of a step computes in 32 bits.
_REPEATS = {"tensor_cores_missed": "wide_precision"}


def kernels(facts: Facts) -> Iterator[Finding]:
    """Numbers in words are as there; they rank by the part of a step."""
    if facts.kernels is None:
        return
    computing = facts.case.step.share(COMPUTES) if facts.case else _busy(facts)
    for rule, part in (*((rule, computing) for rule in OF_KERNEL_TIME), (OPTIMIZER, 1.0)):
        for finding in rule.findings(facts.kernels):
            share = min((finding.share or 0.0) * part, 1.0)
            if finding.severity == "warning" and share >= KERNELS_WORTH.value:
                yield finding.changed(severity="warning" if share >= WARNS.value else "note", share=share)


def _busy(facts: Facts) -> float:
    """The part of their time that devices are busy, where no step is known."""
    devices = [device for host in facts.hosts for device in host.devices if device.events and not device.part]
    busy = sum(device.busy_ps for device in devices)
    return busy / max(busy + sum(device.idle_ps for device in devices), 1)


def without_repeats(findings: Sequence[Finding]) -> list[Finding]:
    """Without what another finding says as well, and better."""
    repeated = {_REPEATS.get(finding.code) for finding in findings}
    return [finding for finding in findings if finding.code not in repeated]


# Memory of all hosts → what may end the run, and what is left for a larger batch; its page has the rest.

ROOM = Threshold(
    "room for a larger batch",
    0.5,
    "share",
    "of the capacity; with a peak of no more twice the batch fits, since parameters do not grow with it",
    "a convention",
)


def memory(facts: Facts) -> Iterator[Finding]:
    """The surest leak, and the memory that is nearest to its capacity. Neither takes time of a step."""
    for system in sorted(_systems(facts), key=lambda system: -(system.growth.slope or 0.0)):
        sure = [finding for finding in LEAK.findings(system) if finding.severity == "warning"]
        if sure:
            yield sure[0].changed(share=None, tool="memory_profile")
            break
    fullest = max(_systems(facts), key=lambda system: system.peak_share or 0.0, default=None)
    for finding in NEAR_CAPACITY.findings(fullest) if fullest else ():
        # A full memory is no fault of a program that fits.
        yield finding.changed(severity="note", share=None, tool="memory_profile")


def memory_alone(facts: Facts) -> Iterator[Finding]:
    """Of files that hold nothing else: how much the fullest system held, and what may end the run."""
    fullest = max(_systems(facts), key=lambda system: system.peak_bytes, default=None)
    if fullest:
        params: dict[str, Param] = {
            "system": fullest.system,
            "peak": fullest.peak_bytes,
            "at": fullest.peak_ps,
            "step": fullest.peak_step,
            "remedy": Message("memory_remedy.look"),
        }
        if fullest.capacity_bytes:
            params |= {"capacity": fullest.capacity_bytes, "share": fullest.peak_share}
        yield Finding(code="memory_peak", params=params, tool="memory_profile")
    yield from memory(facts)


def headroom(facts: Facts) -> Fact | None:
    """Launching sets the pace, of which a larger batch needs no more, and it would fit."""
    case = facts.case
    launch = case.step.share(LAUNCH.keys) if case and case.step.device else 0.0
    gpus = [system for system in _systems(facts) if system.kind == "gpu" and system.capacity_bytes]
    if not gpus:
        return None
    fullest = max(gpus, key=_full)
    if _full(fullest) > ROOM.value:
        return None
    params: dict[str, Param] = {
        "system": fullest.system,
        "peak": _peak(fullest),
        "capacity": fullest.capacity_bytes,
        "full": _full(fullest),
        "share": launch,
    }
    return Fact(launch, params, Proof("memory_profile"))


HEADROOM: Rule[[Facts]] = Rule("memory_headroom", headroom, worth=LAUNCH.bound, limits=(ROOM,))


def _full(system: System) -> float:
    return _peak(system) / (system.capacity_bytes or 1)


def _peak(system: System) -> int:
    """Also of before the capture, where the allocator reports that: of an evaluation with larger batches."""
    return max(system.peak_bytes, system.lifetime_peak_bytes or 0)


def _systems(facts: Facts) -> list[System]:
    return [system for host in facts.hosts for system in host.memory if system.kind != "driver"]


# What is missing from a capture or there twice, so that its numbers are not taken for more than they are.

LOST_EVENTS = Threshold("lost", 0.1, "share", "where so much of a file is lost, what it lacks may have been in it")
LOST_RUNS = Threshold(
    "lost_runs", 0.25, "share", "of a program's runs; what devices lost of fewer changes their time little"
)
FEWEST_RUNS = Threshold("fewest_runs", 8, "runs", "of fewer the capture's end may have cut off a quarter")
UNMATCHED = Threshold(
    "unmatched", 0.05, "share", "launches at a capture's ends have no kernel; so many are worth a line"
)


#: Operators of PyTorch that only a GPU runs, and its allocator's memory there. Whether cuDNN would do, PyTorch asks on
#: a CPU, too.
_GPU_MEMORY = regex(r"GPU_\d+_pytorch$")
_GPU_OP = regex(r"aten::_?(?:cudnn|miopen|cuda|scaled_dot_product_cudnn)_(?!is_acceptable)")


def no_device_events(facts: Facts) -> Fact | None:
    """Launches without what they launched, and why."""
    if facts.devices_ran:
        return None
    hosts = facts.hosts
    if not facts.launches:
        of_gpu = (_GPU_MEMORY.match(m.system) for h in hosts if h.ops.rows and not h.memory_only for m in h.memory)
        used = any(of_gpu) or any(_GPU_OP.match(op.name) for h in hosts for _, op in h.ops.rows)
        return Fact(None, {}, code="pytorch_device_not_recorded") if used else None
    launches: dict[str, Param] = {"launches": facts.launches}
    lost, of = sum(n for h in hosts for n in h.loss.dropped.values()), sum(h.events_in_file for h in hosts)
    if lost > LOST_EVENTS.value * of or any("cut_at_end" in h.loss.dropped for h in hosts):
        return Fact(None, {**launches, "lost": lost, "in_file": of}, code="no_device_events.damaged")
    counted = [why for h in hosts for why in h.loss.warnings if why.code == "cupti_counter_kernels"]
    if counted:
        return Fact(None, {**launches, "warning": counted[0]}, code="no_device_events.counters")
    vendors = {h.launch_vendor for h in hosts if h.launches}
    vendor = f".{vendors.pop()}" if len(vendors) == 1 and vendors <= _TRACERS else ""
    return Fact(None, launches, TRACE, f"no_device_events{vendor}")


#: Vendors other than NVIDIA whose tracing has advice of its own.
_TRACERS = {"amd", "intel", "ascend"}
NO_DEVICE_EVENTS: Rule[[Facts]] = Rule(
    (
        "no_device_events",
        "no_device_events.amd",
        "no_device_events.intel",
        "no_device_events.ascend",
        "pytorch_device_not_recorded",
        "no_device_events.damaged",
        "no_device_events.counters",
    ),
    no_device_events,
    severity="warning",
    limits=(LOST_EVENTS,),
)


def runs_lost(h: Host) -> bool:
    return h.runs.lost >= LOST_RUNS.value * max(h.runs.runs, FEWEST_RUNS.value)


def lost_runs(facts: Facts) -> Fact | None:
    """Programs of XLA that ran on devices which the capture shows idle."""
    hosts = [h.runs for h in facts.hosts if runs_lost(h)]
    if not hosts:
        return None
    lost, runs = sum(h.lost for h in hosts), sum(h.runs for h in hosts)
    program = max(hosts, key=lambda h: h.lost).program
    return Fact(lost / runs, {"lost": lost, "runs": runs, "program": program}, TRACE._replace(search=program))


RUNS_LOST: Rule[[Facts]] = Rule("runs_lost", lost_runs, severity="warning", limits=(LOST_RUNS, FEWEST_RUNS))


def losses(facts: Facts) -> Iterator[Finding]:
    yield from NOT_SHOWN.findings([h.loss for h in facts.hosts])
    yield from COPIES_OF_A_FILE.findings(facts)
    for h in facts.hosts:
        yield from reported(h.loss)
        yield from LAUNCHES.findings(h)
        yield from UNSEEN.findings(h, facts.devices_ran)


def unmatched(h: Host) -> Fact | None:
    if not h.ops.devices or h.unmatched_launches <= UNMATCHED.value * h.launches:
        return None
    params: dict[str, Param] = {"launches": h.launches, "host": h.name}
    if h.unmatched_launches == h.launches:
        return Fact(None, params, code="launches_unmatched.all")
    return Fact(None, {**params, "unmatched": h.unmatched_launches})


LAUNCHES: Rule[[Host]] = Rule(("launches_unmatched", "launches_unmatched.all"), unmatched, limits=(UNMATCHED,))


def unseen(h: Host, devices_ran: bool) -> Iterator[Fact]:
    """Devices without an event."""
    if h.launches and not h.ops.devices and devices_ran:
        params: dict[str, Param] = {"host": h.name, "launches": h.launches}
        yield Fact(None, params, code="host_without_device_events", severity="warning")
    idle = tuple(d.name for d in h.devices if not d.events)
    if idle and h.ops.devices and not runs_lost(h):
        params = {"idle": len(idle), "devices": len(h.devices), "host": h.name, "names": idle[:NAMES]}
        yield Fact(None, params, code="devices_unused")


UNSEEN: Rule[[Host, bool]] = Rule(
    ("host_without_device_events", "devices_unused"), unseen, limits=(LOST_RUNS, FEWEST_RUNS)
)


def copies_of_a_file(facts: Facts) -> Iterator[Fact]:
    """One capture under several names is summed several times; captures that name different ranks are none."""
    seen: dict[tuple[int | None, ...], list[Host]] = {}
    for h in facts.hosts:
        key = (h.start_ns, h.steps.rank, h.events_kept, h.ops.window_ps, h.ops.host_op_ps, h.ops.busy_ps)
        alike = seen.setdefault(key, [])
        if h.events_kept and (not alike or alike[0].ops.rows == h.ops.rows):
            alike.append(h)
    same = [alike for alike in seen.values() if len(alike) > 1]
    for alike in same[:COPIES]:
        params: dict[str, Param] = {"first": alike[0].name, "second": alike[1].name}
        if len(alike) > 2:
            params |= {"more": len(alike) - 2, "times": len(alike)}
        yield Fact(None, params)
    if len(same) > COPIES:
        yield Fact(None, {"hosts": sum(map(len, same[COPIES:]))}, code="same_capture.more")


COPIES_OF_A_FILE: Rule[[Facts]] = Rule(("same_capture", "same_capture.more"), copies_of_a_file, severity="warning")


def refitted(facts: Facts) -> Fact | None:
    """Steps that seem to differ, since the collector fits a TPU's clock to the host's in jumps."""
    fits = [h.tpu.refitted for h in facts.hosts if h.tpu and h.tpu.refitted]
    if not fits:
        return None
    (shown_min, shown_max), (min_ps, max_ps) = fits[0].shown, fits[0].own
    params: dict[str, Param] = {"shown_min_ps": shown_min, "shown_max_ps": shown_max, "min_ps": min_ps}
    if duration(min_ps) != duration(max_ps):
        params["max_ps"] = max_ps
    return Fact(None, params)


REFITTED: Rule[[Facts]] = Rule("clocks_refitted", refitted)


# A capture in which no steps were found → what its devices, else its hosts, did, and how to get steps.

IDLE_SHARE = Threshold("idle", 0.3, "share", "devices, that idle for so much of a capture are what to look at")
WAITS = Threshold("waits", 0.1, "share", "ops that only wait are worth a word from this part of op time on")
WAITS_FIRST = Threshold(
    "waits_first", 0.3, "share", "from this part of op time on, what is waited for is what to look at"
)
STARTS = Threshold(
    "driver_starts", 0.3, "share", "a capture of which so much is the start of the driver holds less of what repeats"
)
OUTSIDE = Threshold("outside_work", 0.1, "share", "of a capture, before or after all work of its devices: start or end")
MOST_OUTSIDE = Threshold("most_outside_work", 0.5, "share", "a capture of which so much is no work is first of that")
LARGE = Threshold("large", 0.1, "share", "a host's largest op is worth a line beside devices")


def without_steps(facts: Facts) -> Iterator[Finding]:
    """The first is the answer."""
    negotiations = _horovod(facts.hosts)
    starts = list(DRIVER_STARTS.findings(facts.hosts))
    answers = negotiations or list(findings_of(WITHOUT_STEPS, facts))
    outside = list(WORK_OUTSIDE.findings(facts.hosts)) if not starts else []
    leads = bool(outside) and (outside[0].share or 0.0) >= MOST_OUTSIDE.value
    # Without steps no answer is that all is well.
    noted = [f.changed(severity="note") if starts or f.severity == "info" else f for f in answers]
    yield from (*starts, *outside, *noted) if leads else (*starts, *noted, *outside)
    yield from (divided([h.steps for h in facts.hosts], finding) for finding in NO_STEPS.findings(facts.hosts))


def _horovod(hosts: Sequence[Host]) -> list[Finding]:
    """A Horovod timeline holds only which rank waits for which."""
    some = [h for h in hosts if len(h.negotiations.what)]
    findings = NEGOTIATIONS.findings([h.negotiations for h in some], [h.name for h in some])
    return [finding.changed(tool="pod_viewer", evidence=()) for finding in findings]


def driver_starts(hosts: Sequence[Host]) -> Fact | None:
    """Where that is most of what was captured: nothing else in it is worth a judgment."""
    of_ps = sum(h.driver_start.of_ps for h in hosts if h.driver_start.calls)
    ps = sum(h.driver_start.ps for h in hosts)
    if not of_ps:
        return None
    host = max(hosts, key=lambda h: h.driver_start.call_ps)
    longest = host.driver_start
    begin, end, track = longest.when
    return Fact(
        ps / of_ps,
        {"share": ps / of_ps, "ps": ps, "of_ps": of_ps, "call": longest.call, "call_ps": longest.call_ps},
        Proof("trace_viewer", longest.call, "exact", (Evidence(host.name, begin, end, track),)),
    )


DRIVER_STARTS: Rule[[Sequence[Host]]] = Rule("driver_starts", driver_starts, worth=STARTS, severity="warning")


def work_outside(hosts: Sequence[Host]) -> Fact | None:
    """The longer of what comes before devices work and what comes after, of the host that has most of it."""
    sides = [(side, h, getattr(h.edges, side)) for h in hosts if h.edges.of_ps for side in ("before", "after")]
    if not sides:
        return None
    side, host, edge = max(sides, key=lambda one: one[2].ps)
    share = edge.ps / host.edges.of_ps
    called: dict[str, Param] = {}
    if edge.call:
        is_driver = DRIVER_CALL.fullmatch(edge.call) is not None
        called = {"call": edge.call, "call_ps": edge.call_ps, "calls": edge.calls, "driver": is_driver}
    places = (Evidence(host.name, *edge.when),) if edge.call else ()
    proof = Proof("trace_viewer", edge.call, "exact", places)
    return Fact(share, {"share": share, "ps": edge.ps, "of_ps": host.edges.of_ps, **called}, proof, f"work_{side}")


WORK_OUTSIDE: Rule[[Sequence[Host]]] = Rule(
    ("work_before", "work_after"), work_outside, worth=OUTSIDE, limits=(MOST_OUTSIDE, CALLED)
)


def no_steps(hosts: Sequence[Host]) -> Fact | None:
    """How to get steps where none were found; nothing where there is nothing to divide."""
    reasons = dict.fromkeys(reason for h in hosts if (reason := h.steps.split.steps.reason))
    return Fact(None, {"reasons": tuple(reasons)}) if any(h.events_kept for h in hosts) else None


NO_STEPS: Rule[[Sequence[Host]]] = Rule("no_steps", no_steps)


def host_use(facts: Facts) -> Fact | None:
    """Where nothing was launched either."""
    if facts.devices_ran or facts.launches:
        return None
    if sums_only(host.ops for host in facts.hosts):
        return Fact(None, {"largest": largest_op(facts.host, "host")}, _OPS, "sums_only")
    window = sum(host.ops.window_ps for host in facts.hosts)
    return _host_use(facts, window) if facts.host.hardest and window else _no_op(facts.hosts)


def _no_op(hosts: Sequence[Host]) -> Fact:
    top, params = _top_slice(hosts)
    return Fact(None, params, Proof("trace_viewer", top.name if top else "", "exact"), "no_op")


def _top_slice(hosts: Sequence[Host]) -> tuple[TopSlice | None, dict[str, Param]]:
    """The name with the most self time of all hosts, where ops explain too little, and its parameters."""
    top = max((h.top_slice for h in hosts if h.top_slice), key=lambda one: one.self_ps, default=None)
    if top is None:
        return None, {}
    slices = top.slices if top.slices > 1 else None
    of: dict[str, Param] = {"name": top.name, "self_ps": top.self_ps, "slices": slices, "share": top.share}
    return top, {"slice": Message("top_slice", of)}


def _host_use(facts: Facts, window_ps: int) -> Fact:
    hosts, waits = facts.hosts, facts.host.wait_share
    with_op = sum(h.ops.host_op_ps for h in hosts)
    params: dict[str, Param] = {
        "ps": with_op / len(hosts),
        "of_ps": window_ps / len(hosts),
        "share": with_op / window_ps,
        "several": len(hosts) > 1,
        "waits": waits if waits > WAITS.value else None,
        "largest": largest_op(facts.host, "host"),
        "silent": any(h.devices for h in hosts),
        **_top_slice(hosts)[1],
    }
    code = "host_op_time.waits" if waits > WAITS_FIRST.value else "host_op_time"
    return Fact(with_op / window_ps, params, _OPS, code, severity="info")


def device_use(facts: Facts) -> Fact | None:
    if not facts.devices_ran:
        return None
    hosts = facts.hosts
    busy, idle = sum(h.ops.busy_ps for h in hosts), sum(h.ops.idle_ps for h in hosts)
    if not busy:
        return Fact(None, {}, code="devices_took_no_time")
    # Start and end are no idle time between work.
    idle = max(idle - sum(h.ops.devices * (h.edges.before.ps + h.edges.after.ps) for h in hosts), 0)
    share = idle / (busy + idle)
    params: dict[str, Param] = {
        "devices": _devices(hosts),
        "damaged": any("damaged" in h.loss.dropped for h in hosts),
        "largest": largest_op(facts.device, "device"),
    }
    if share < IDLE_SHARE.value:
        return _without_steps_busy(facts, params, 1 - share)
    return _idle(hosts, params, idle, busy + idle)


def _without_steps_busy(facts: Facts, params: dict[str, Param], share: float) -> Fact:
    waits = facts.device.wait_share
    params = {**params, "share": share, "waits": waits if waits > WAITS.value else None}
    if waits > WAITS_FIRST.value:
        return Fact(share, params, _OPS, "device_busy.waits")
    return Fact(share, params, _OPS, "device_busy", severity="info")


def _idle(hosts: Sequence[Host], params: dict[str, Param], idle_ps: int, of_ps: int) -> Fact:
    ran = sum(h.ops.devices for h in hosts)
    times = {"share": idle_ps / of_ps, "idle_ps": idle_ps / ran, "of_ps": of_ps / ran, "several": ran > 1}
    key = {"side": "device", "name": IDLE.name, "type": IDLE.type}
    proof = table_row("op_stats.ops.self_us", _idle_stretches(hosts), **key)
    return Fact(idle_ps / of_ps, {**params, **times}, proof, "device_idle")


def _devices(hosts: Sequence[Host]) -> Message:
    ran, there = sum(h.ops.devices for h in hosts), sum(not d.part for h in hosts for d in h.devices)
    if there == 1:
        return Message("devices_are.one")
    if ran == there:
        return Message("devices_are.all", {"devices": there})
    return Message("devices_are.some", {"ran": ran, "devices": there, "one": ran == 1})


def _idle_stretches(hosts: Sequence[Host]) -> tuple[Evidence, ...]:
    devices = [(h.name, d) for h in hosts for d in h.devices if not d.part]
    stretches = [Evidence(host, begin, end, tracks=d.tracks) for host, d in devices for begin, end in d.idle]
    return tuple(sorted(stretches, key=lambda e: e.start_ps - e.end_ps)[:PLACES])


#: Each where the others are silent.
WITHOUT_STEPS: tuple[Rule[[Facts]], ...] = (
    Rule(
        ("device_busy", "device_busy.waits", "device_idle", "devices_took_no_time"),
        device_use,
        severity="warning",
        limits=(IDLE_SHARE, WAITS, WAITS_FIRST),
    ),
    NO_DEVICE_EVENTS,
    Rule(
        ("host_op_time", "host_op_time.waits", "sums_only", "no_op"),
        host_use,
        severity="warning",
        limits=(WAITS, WAITS_FIRST),
    ),
)


# Ops of all hosts → those that copy, run eagerly, only wait, or take most.

#: What a TPU core runs ops for.
_ON_DEVICE = tuple(c.key for c in CATEGORIES if c.key.startswith(("compute_", "copy_")) or c.key == "collective")
_OPS = Proof("op_stats")
COPY_TIME = Threshold("copies", 0.1, "share", "memory copies are worth a line from this part of device op time on")
EAGER = Threshold(
    "eager",
    0.3,
    "share",
    "a program in eager mode; metrics and counters of a compiled one take up to a fourth of its op time",
)


def copies(facts: Facts) -> Fact | None:
    share = facts.device.copies_share
    busy = [d for h in facts.hosts for d in h.devices if d.kind == "GPU" and d.events]
    params: dict[str, Param] = {"share": share, "ps": facts.device.copies_ps}
    params |= {"one_stream": True} if busy and all(d.streams == 1 for d in busy) else {}
    return Fact(share, params, _OPS) if share > COPY_TIME.value else None


COPIED: Rule[[Facts]] = Rule("memory_copies", copies, limits=(COPY_TIME,))


def padded(facts: Facts) -> Iterator[Finding]:
    """What the page of ops says of products, where it is as much of the typical step, too, as is worth a line."""
    busy = facts.case.step.share(_ON_DEVICE) if facts.case else 0.0
    found = PADDING.findings([host.ops for host in facts.hosts], [host.padded for host in facts.hosts])
    yield from (finding for finding in found if (finding.share or 0.0) * busy >= LOST.value)


def starved(facts: Facts) -> Iterator[Finding]:
    """What the page of ops says of kernels that wait for their copies, as of padding."""
    busy = facts.case.step.share(_ON_DEVICE) if facts.case else 0.0
    found = CALL_WAITS.findings([host.ops for host in facts.hosts], [host.opaque_calls for host in facts.hosts])
    yield from (finding for finding in found if (finding.share or 0.0) * busy >= STARVED.value)


def computes_unseen(hosts: Sequence[Host], finding: Finding) -> Finding:
    """Of compute of which most lies in custom calls without costs it is not known whether it is as it should be."""
    opaque = sum(calls.total_ps for calls in all_calls(host.opaque_calls for host in hosts).values())
    if (
        not opaque
        or not finding.params.get("most")
        or opaque < IN_CUSTOM_CALLS.value * sum(host.ops.busy_ps for host in hosts)
    ):
        return finding
    return finding.changed(params={**finding.params, "most": False})


def eager(facts: Facts) -> Iterator[Fact]:
    if facts.eager_steps:
        return
    for side, ops in (("device", facts.device), ("host", facts.host)):
        share = ops.eager_share
        if share > EAGER.value:
            yield Fact(share, {"share": share, "side": side, "in_steps": ops.in_steps}, _OPS)


EAGER_OPS: Rule[[Facts]] = Rule("eager_ops", eager, limits=(EAGER,))


def waits(facts: Facts) -> Iterator[Fact]:
    """Where no split of steps shows it."""
    for ops in () if facts.case else (facts.device, facts.host):
        share = ops.wait_share
        if ops.waits is None or share <= WAITS.value:
            continue
        op, row = ops.waits
        on_host = "op_waits.for_device" if waits_for_device(op) else "op_waits.for_input"
        params: dict[str, Param] = {"share": share, "op": called(op), "ps": row.wait_ps}
        yield Fact(share, params, _OPS, "op_waits.device" if ops is facts.device else on_host)


OP_WAITS: Rule[[Facts]] = Rule(("op_waits.device", "op_waits.for_device", "op_waits.for_input"), waits, limits=(WAITS,))


def largest_host_op(facts: Facts) -> Fact | None:
    """Where devices are the answer, and no split of steps shows what hosts do."""
    if facts.case is not None or not facts.devices_ran or facts.host.hardest is None:
        return None
    op, row = facts.host.hardest
    if row.self_ps <= LARGE.value * facts.host.self_ps:
        return None
    return Fact(None, {"op": called(op), "share": row.self_ps / facts.host.self_ps, "ps": row.self_ps}, _OPS)


HOST_OP: Rule[[Facts]] = Rule("largest_host_op", largest_host_op, severity="info", limits=(LARGE,))


# What ops account for on the devices, beside what these can do → rates that no device reaches, and are not shown.


def impossible_rates(facts: Facts) -> Iterator[Fact]:
    """Of the steps: what follows from such rates is withdrawn."""
    if facts.case is None:
        return
    for name, above in above_peaks([device for host in facts.hosts for device in host.used]).items():
        if above.rate >= ABOVE.value * above.peak:
            kind = "flops" if name.startswith("flop") else "bytes"
            params: dict[str, Param] = {f"{kind}_per_s": above.rate, f"{kind}_peak": above.peak}
            yield Fact(None, params, _OPS, f"rate_above_peak.{kind}")


RATES: Rule[[Facts]] = Rule(("rate_above_peak.flops", "rate_above_peak.bytes"), impossible_rates, limits=(ABOVE,))


# Tensors that go from a GPU to the host and back within a step → which op on the host they are for, and the wait.

PLACEMENT_WORTH = Threshold(
    "waits for round trips", 0.05, "share", "of the steps; less is lost in the differences between steps"
)
OFTEN = Threshold(
    "steps with round trips", 0.5, "share", "of the steps; what happens in few of them is an evaluation or a log"
)
PLACEMENT_FIRST = Threshold(
    "waits for round trips to warn of", 0.2, "share", "as of copies, which are the answer from here on"
)


def placement(facts: Facts) -> Fact | None:
    """Of the host where it costs most."""
    trips = filter(None, map(_round_trips, facts.hosts))
    return max(trips, key=lambda fact: fact.share or 0.0, default=None)


def _round_trips(host: Host) -> Fact | None:
    trips, split = host.round_trips, host.steps.split
    counted = split.steps.counted
    if trips is None or trips.steps < OFTEN.value * counted.sum():
        return None
    units = sum(unit.plane >= 0 for unit in split.units)
    time_ps = int((split.steps.until_ps - split.steps.begin_ps)[counted].sum())
    share = min(trips.waited_ps / (time_ps * units), 1.0)
    steps = int(counted.sum()) * units
    params: dict[str, Param] = {
        "trips": max(round(trips.trips / steps), 1),
        "bytes": trips.bytes / trips.trips,
        "ps": trips.waited_ps / steps,
        "share": share,
        "op": trips.op or None,
        "op_ps": trips.op_ps if trips.op else None,
        "tensor": trips.tensor or None,
    }
    known = {name: value for name, value in params.items() if value is not None}
    return Fact(
        share, known, TRACE._replace(evidence=tuple(Evidence(host.name, begin, end) for begin, end in trips.places))
    )


REPEATED_WORTH = Threshold(
    "waits for the same copy", 0.02, "share", "of the steps; less is lost in the differences between steps"
)


def repeated_copies(facts: Facts) -> Fact | None:
    """Of the host where it costs most."""
    copies = [(host.name, host.repeated_copy) for host in facts.hosts if host.repeated_copy is not None]
    if not copies:
        return None
    host, copy = max(copies, key=lambda each: each[1].share)
    params: dict[str, Param] = {
        "copies": max(round(copy.copies / copy.steps), 1),
        "bytes": copy.bytes,
        "steps": copy.steps,
        "ps": copy.exposed_ps / copy.steps,
        "share": copy.share,
        "op": copy.before,
    }
    evidence = tuple(Evidence(host, begin, end) for begin, end in copy.places)
    code = "repeated_copy.to_host" if copy.to_host else "repeated_copy.to_device"
    return Fact(copy.share, params, TRACE._replace(evidence=evidence), code)


REPEATED: Rule[[Facts]] = Rule(
    ("repeated_copy.to_host", "repeated_copy.to_device"),
    repeated_copies,
    worth=REPEATED_WORTH,
    limits=(EVERY, REPEATED_STEPS),
)
PLACEMENT: Rule[[Facts]] = Rule("round_trips", placement, worth=PLACEMENT_WORTH, warns=PLACEMENT_FIRST, limits=(OFTEN,))


# Workers of a run whose steps wait for one of them → that beside the answer, or as it.

STRAGGLER_FIRST = Threshold(
    "straggler_first", 0.1, "share", "a worker is the answer if it is later than the others by so much of a step"
)
HELD = Threshold(
    "held_up",
    0.5,
    "share",
    "of the time of exposed collectives; a worker for which the others wait less of it is not why they take so long",
)


def with_straggler(findings: list[Finding], facts: Facts, case: Case) -> list[Finding]:
    """Also the worker that holds the others up; first, where that is the larger part of a step, or a wait."""
    if sum(len(host.steps.split.units) for host in facts.hosts) < 2:
        return findings
    workers = pod([host.steps for host in facts.hosts], case.step.means)
    late = straggler(workers)
    findings = [with_run_path(findings[0], case), *findings[1:]]
    if late is None:
        return findings
    held = _opened(next(STRAGGLING.findings(workers, late)), case)
    share, first = held.share or 0.0, findings[0]
    waited_for = first.severity == "info" or first.tool == "pod_viewer" or share > (first.share or 0)
    if first.tool == "pod_viewer" and workers.basis == "collectives":
        waited_for = wait_ps(workers, late) >= HELD.value * case.step.by_category["collective"]
    if share < STRAGGLER_FIRST.value:
        held = held.changed(severity="note")
    if share < STRAGGLER_FIRST.value or not waited_for:
        return [first, held, *findings[1:]]
    alone = {name: value for name, value in first.params.items() if name != ON_PATH}
    return [with_run_path(held, case), first.changed(params=alone), *findings[1:]]


def _opened(held: Finding, case: Case) -> Finding:
    """With how long steps take before it."""
    means = case.step.means
    opening = step_time(means, float(means.mean_ps(means.exposed_ps).sum()), int(means.counted.sum()))
    return held.changed(params={**held.params, "opening": opening}, tool="pod_viewer")


# Devices of a host that take turns, or begin late → that beside the answer, of the host that loses most by it.


def turns(facts: Facts) -> Iterator[Finding]:
    found = [finding for host in facts.hosts for finding in TURNS.findings(host.steps, host.turns)]
    for finding in sorted(found, key=lambda finding: -(finding.share or 0.0))[:1]:
        yield finding.changed(tool="pod_viewer")


# What the hosts of one run say → the overview's findings: the worst first, the answer before what is as severe.

#: What stands after the answer; of equal severity and share the earlier rule's first.
RULES: tuple[Callable[[Facts], Iterator[Finding]], ...] = (
    losses,
    COPIED.findings,
    EAGER_OPS.findings,
    REFITTED.findings,
    GAPS.findings,
    OP_WAITS.findings,
    HOST_OP.findings,
    padded,
    starved,
    kernels,
    memory,
    HEADROOM.findings,
    RATES.findings,
    PLACEMENT.findings,
    REPEATED.findings,
    turns,
    collectives,
    contention,
)
#: Of these, those whose shares are of a step, as those of its causes are.
_OF_A_STEP = (kernels, PLACEMENT.findings, REPEATED.findings, turns, collectives, contention)
#: Of the findings on steps those whose shares are of another time: of all steps, or of the capture.
_OF_OTHER_TIMES = (*SLOW_STEPS, IN_NO_STEP, OUTSIDE_STEPS)
IN_CUSTOM_CALLS = Threshold("compute in custom calls", 0.5, "share", "of the devices' busy time")
HALF = Threshold(
    "a note that comes first",
    0.5,
    "share",
    "of a step; where nothing is wrong with it, that it computes says more than a note on less of it",
)


def overview_findings(
    hosts: Sequence[Host], rows: dict[Key, OpRow], steps: StepMeans, others: Iterable[Finding] = ()
) -> tuple[Finding, ...]:
    """The first answers the page's question, unless another is more severe; the rest by severity, then by share.

    others: further findings on the hosts, which come before others as severe.
    """
    exchange = _exchange(hosts, steps)
    judged = case(
        steps,
        [h.step_summary for h in hosts],
        whole_bottleneck([h.input for h in hosts]),
        _path_of_run(hosts, exchange),
    )
    parts = [host.kernels for host in hosts if host.kernels]
    merged_kernels = merge(parts, "kernel") if parts else None
    facts = Facts(hosts, side_ops(rows, "device"), side_ops(rows, "host"), judged, False, merged_kernels, exchange)
    if hosts and all(host.memory_only for host in hosts):
        return worst_first((*memory_alone(facts), *by_severity(losses(facts))))
    answers = _answers(facts)
    # What few slow steps took, and what the others take, belong together.
    lead = 2 if answers[0].code in (*SLOW_STEPS, IN_NO_STEP) else 1
    eager_steps = any(finding.code == "eager_steps" for finding in answers)
    facts = structs.replace(facts, eager_steps=eager_steps)
    of_rules = {rule: list(rule(facts)) for rule in RULES}
    of_a_step = [f for f in answers[lead:] if facts.case and f.code not in _OF_OTHER_TIMES]
    of_a_step += [finding for rule in _OF_A_STEP for finding in of_rules[rule] if facts.case]
    rest = [*answers[lead:], *(finding for found in of_rules.values() for finding in found)]
    listed = [*others, *by_severity(without_repeats(rest))]
    return _placed(answers[:lead], listed, of_a_step)


def _exchange(hosts: Sequence[Host], steps: StepMeans) -> Exchange | None:
    """Of hosts in the order of the run's."""
    if not len(steps) or not any(len(host.calls) for host in hosts):
        return None
    run = pod([host.steps for host in hosts], steps)
    all_ = match_calls(run, [host.calls for host in _in_order(hosts, run)])
    links = {i: _in_order(hosts, run)[w.host].links[w.unit] for i, w in enumerate(run.everyone)}
    return Exchange(run, all_, links)


def _in_order(hosts: Sequence[Host], run: Pod) -> list[Host]:
    of_steps = {id(host.steps): host for host in hosts}
    return [of_steps[id(part)] for part in (*run.parts, *run.others)]


def _path_of_run(hosts: Sequence[Host], exchange: Exchange | None) -> RunPath | None:
    if exchange is None or exchange.pod.others or len(hosts) < 2:
        return None
    # Here, since most runs are of one rank.
    from ...analysis.collectives.crossing import path_of_run

    trees = [host.step_summary.costs for host in _in_order(hosts, exchange.pod)]
    return path_of_run(trees, exchange.calls, np.array([worker.host for worker in exchange.pod.everyone], np.int64))


def _placed(answers: Sequence[Finding], rest: Sequence[Finding], of_a_step: Sequence[Finding]) -> tuple[Finding, ...]:
    """Before the answer what is more severe; of notes beside an answer that is none, those on half of a step alone."""
    first = SEVERITIES.index(answers[0].severity)
    before = [
        finding
        for finding in rest
        if SEVERITIES.index(finding.severity) < first
        and (finding.severity == "warning" or (finding in of_a_step and (finding.share or 0.0) >= HALF.value))
    ]
    return (*worst_first(before), *answers, *worst_first(finding for finding in rest if finding not in before))


def _led(findings: list[Finding]) -> list[Finding]:
    """Where nothing is wrong with steps, but these are cut and the least of what was captured, that comes first."""
    first = [f for f in findings if f.code == IN_NO_STEP and f.severity == "warning"]
    if findings[0].severity != "info" or not first:
        return findings
    return [*first, *(f for f in findings if f.code != IN_NO_STEP)]


def _answers(facts: Facts) -> list[Finding]:
    """The answer, and what its subject has to say besides."""
    if facts.case is None:
        return list(without_steps(facts))
    findings = with_straggler(_led(list(verdict(facts.case))), facts, facts.case)
    # A step's time on the host says little where what it launched ran elsewhere, unseen; and of devices that lost runs
    # it is known what they did in few steps only.
    findings = [computes_unseen(facts.hosts, finding) for finding in findings]
    return [*RUNS_LOST.findings(facts), *NO_DEVICE_EVENTS.findings(facts), *findings]
