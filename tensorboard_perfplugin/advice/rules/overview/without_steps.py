"""A capture in which no steps were found → what its devices, else its hosts, did, and how to get steps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.hosts.environment import TopSlice
from ....analysis.ops.rows import IDLE, sums_only
from ....analysis.overview import Host
from ....messages import Message, Param
from ....tables import Evidence, row_text
from ....threshold import Threshold
from ...finding import Finding
from ..hosts.negotiations import negotiation_findings
from ..listed import PLACES
from ..steps.outside import divided
from .facts import Facts, largest_op
from .missing import no_device_events

IDLE_SHARE = Threshold("idle", 0.3, "share", "devices, that idle for so much of a capture are what to look at")
WAITS = Threshold("waits", 0.1, "share", "ops that only wait are worth a word from this part of op time on")
WAITS_FIRST = Threshold(
    "waits_first", 0.3, "share", "from this part of op time on, what is waited for is what to look at"
)
STARTS = Threshold(
    "driver_starts", 0.5, "share", "a capture of which most is the start of the driver holds little of what repeats"
)
LARGE = Threshold("large", 0.1, "share", "a host's largest op is worth a line beside devices")


def without_steps(facts: Facts) -> Iterator[Finding]:
    """The first is the answer."""
    negotiations = _horovod(facts.hosts)
    starts = list(_driver_starts(facts.hosts))
    answers = negotiations or [_answer(facts)]
    # Without steps no answer is that all is well.
    noted = [f.changed(severity="note") if starts or f.severity == "info" else f for f in answers]
    yield from (*starts, *noted)
    yield from _no_steps(facts.hosts)


def _horovod(hosts: Sequence[Host]) -> list[Finding]:
    """A Horovod timeline holds nothing but who waits for whom."""
    some = [h for h in hosts if len(h.negotiations.what)]
    findings = negotiation_findings([h.negotiations for h in some], [h.name for h in some])
    return [finding.changed(tool="pod_viewer", evidence=()) for finding in findings]


def _driver_starts(hosts: Sequence[Host]) -> Iterator[Finding]:
    """Where that is most of what was captured: nothing else in it is worth a judgment."""
    of_ps = sum(h.driver_start.of_ps for h in hosts if h.driver_start.calls)
    ps = sum(h.driver_start.ps for h in hosts)
    if not of_ps or ps < STARTS.value * of_ps:
        return
    host = max(hosts, key=lambda h: h.driver_start.call_ps)
    longest = host.driver_start
    begin, end, track = longest.when
    yield Finding(
        code="driver_starts",
        params={"share": ps / of_ps, "ps": ps, "of_ps": of_ps, "call": longest.call, "call_ps": longest.call_ps},
        severity="warning",
        share=ps / of_ps,
        tool="trace_viewer",
        evidence=(Evidence(host.name, begin, end, track),),
        search=longest.call,
        match="exact",
    )


def _no_steps(hosts: Sequence[Host]) -> Iterator[Finding]:
    """How to get steps where none were found; nothing where there is nothing to divide."""
    if any(h.events_kept for h in hosts):
        reasons = dict.fromkeys(reason for h in hosts if (reason := h.steps.split.steps.reason))
        finding = Finding(code="no_steps", params={"reasons": tuple(reasons)}, severity="note")
        yield divided([h.steps for h in hosts], finding)


def _answer(facts: Facts) -> Finding:
    if facts.devices_ran:
        return _device_use(facts)
    if facts.launches:
        return no_device_events(facts)
    if sums_only(host.ops for host in facts.hosts):
        params = {"largest": largest_op(facts.host, "host")}
        return Finding(code="sums_only", params=params, severity="warning", tool="op_stats")
    window = sum(host.ops.window_ps for host in facts.hosts)
    return _host_use(facts, window) if facts.host.hardest and window else _no_op(facts.hosts)


def _no_op(hosts: Sequence[Host]) -> Finding:
    top, params = _top_slice(hosts)
    return Finding(
        code="no_op",
        params=params,
        severity="warning",
        tool="trace_viewer",
        search=top.name if top else "",
        match="exact",
    )


def _top_slice(hosts: Sequence[Host]) -> tuple[TopSlice | None, dict[str, Param]]:
    """The name with the most self time of all hosts, where ops do not tell enough, and how it is said."""
    top = max((h.top_slice for h in hosts if h.top_slice), key=lambda one: one.self_ps, default=None)
    if top is None:
        return None, {}
    slices = top.slices if top.slices > 1 else None
    of: dict[str, Param] = {"name": top.name, "self_ps": top.self_ps, "slices": slices, "share": top.share}
    return top, {"slice": Message("top_slice", of)}


def _host_use(facts: Facts, window_ps: int) -> Finding:
    hosts, waits = facts.hosts, facts.host.wait_share
    with_op = sum(h.ops.host_op_ps for h in hosts)
    return Finding(
        code="host_op_time.waits" if waits > WAITS_FIRST.value else "host_op_time",
        params={
            "ps": with_op / len(hosts),
            "of_ps": window_ps / len(hosts),
            "share": with_op / window_ps,
            "several": len(hosts) > 1,
            "waits": waits if waits > WAITS.value else None,
            "largest": largest_op(facts.host, "host"),
            "silent": any(h.devices for h in hosts),
            **_top_slice(hosts)[1],
        },
        share=with_op / window_ps,
        tool="op_stats",
    )


def _device_use(facts: Facts) -> Finding:
    hosts = facts.hosts
    busy, idle = sum(h.ops.busy_ps for h in hosts), sum(h.ops.idle_ps for h in hosts)
    if not busy:
        return Finding(code="devices_took_no_time", severity="warning")
    share = idle / (busy + idle)
    params: dict[str, Param] = {
        "devices": _devices(hosts),
        "damaged": any("damaged" in h.loss.dropped for h in hosts),
        "largest": largest_op(facts.device, "device"),
    }
    return _busy(facts, params, 1 - share) if share < IDLE_SHARE.value else _idle(hosts, params, idle, busy + idle)


def _busy(facts: Facts, params: dict[str, Param], share: float) -> Finding:
    waits = facts.device.wait_share
    mostly = waits > WAITS_FIRST.value
    return Finding(
        code="device_busy.waits" if mostly else "device_busy",
        params={**params, "share": share, "waits": waits if waits > WAITS.value else None},
        severity="warning" if mostly else "info",
        share=share,
        tool="op_stats",
    )


def _idle(hosts: Sequence[Host], params: dict[str, Param], idle_ps: int, of_ps: int) -> Finding:
    ran = sum(h.ops.devices for h in hosts)
    times = {"share": idle_ps / of_ps, "idle_ps": idle_ps / ran, "of_ps": of_ps / ran, "several": ran > 1}
    return Finding(
        code="device_idle",
        params={**params, **times},
        severity="warning",
        share=idle_ps / of_ps,
        tool="trace_viewer",
        evidence=_idle_stretches(hosts),
        search=row_text("op_stats.ops.self_us", side="device", name=IDLE.name, type=IDLE.type),
        match="row",
    )


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
