"""What is missing from a capture or there twice, so that nobody takes its numbers for more than they are."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.overview import Host
from ....messages import Param
from ....threshold import CHOSEN, Threshold
from ....units import duration
from ...finding import Finding
from ..capture import reported
from ..capture.losses import not_shown
from ..listed import COPIES, NAMES
from .facts import Facts

LOST = Threshold("lost", 0.1, "share", "where so much of a file is lost, what it lacks may have been in it")
LOST_RUNS = Threshold(
    "lost_runs", 0.25, "share", "of a program's runs; what devices lost of fewer changes their time little", CHOSEN
)
FEWEST_RUNS = Threshold("fewest_runs", 8, "runs", "of fewer the capture's end may have cut off a quarter", CHOSEN)
UNMATCHED = Threshold(
    "unmatched", 0.05, "share", "launches at a capture's ends have no kernel; so many are worth a line"
)


def no_device_events(facts: Facts) -> Finding:
    """Launches without what they launched, and why."""
    hosts = facts.hosts
    launches: dict[str, Param] = {"launches": facts.launches}
    lost, of = sum(n for h in hosts for n in h.loss.dropped.values()), sum(h.events_in_file for h in hosts)
    if lost > LOST.value * of or any("cut_at_end" in h.loss.dropped for h in hosts):
        params = {**launches, "lost": lost, "in_file": of}
        return Finding(code="no_device_events.damaged", params=params, severity="warning")
    counted = [why for h in hosts for why in h.loss.warnings if why.code == "cupti_counter_kernels"]
    if counted:
        params = {**launches, "warning": counted[0]}
        return Finding(code="no_device_events.counters", params=params, severity="warning")
    return Finding(code="no_device_events", params=launches, severity="warning", tool="trace_viewer")


def runs_lost(h: Host) -> bool:
    return h.runs.lost >= LOST_RUNS.value * max(h.runs.runs, FEWEST_RUNS.value)


def lost_runs(facts: Facts) -> Finding | None:
    """Programs of XLA that ran on devices which the capture shows idle."""
    hosts = [h.runs for h in facts.hosts if runs_lost(h)]
    if not hosts:
        return None
    lost, runs = sum(h.lost for h in hosts), sum(h.runs for h in hosts)
    program = max(hosts, key=lambda h: h.lost).program
    return Finding(
        code="runs_lost",
        params={"lost": lost, "runs": runs, "program": program},
        severity="warning",
        share=lost / runs,
        tool="trace_viewer",
        search=program,
    )


def losses(facts: Facts) -> Iterator[Finding]:
    yield from not_shown([h.loss for h in facts.hosts])
    yield from _copies_of_a_file(facts)
    for h in facts.hosts:
        yield from reported(h.loss)
        yield from _unmatched(h)
        yield from _unseen(h, facts.devices_ran)


def _unmatched(h: Host) -> Iterator[Finding]:
    if not h.ops.devices or h.unmatched_launches <= UNMATCHED.value * h.launches:
        return
    params: dict[str, Param] = {"launches": h.launches, "host": h.name}
    if h.unmatched_launches == h.launches:
        yield Finding(code="launches_unmatched.all", params=params, severity="note")
    else:
        params["unmatched"] = h.unmatched_launches
        yield Finding(code="launches_unmatched", params=params, severity="note")


def _unseen(h: Host, devices_ran: bool) -> Iterator[Finding]:
    """Devices without an event."""
    if h.launches and not h.ops.devices and devices_ran:
        params: dict[str, Param] = {"host": h.name, "launches": h.launches}
        yield Finding(code="host_without_device_events", params=params, severity="warning")
    idle = tuple(d.name for d in h.devices if not d.events)
    if idle and h.ops.devices and not runs_lost(h):
        params = {"idle": len(idle), "devices": len(h.devices), "host": h.name, "names": idle[:NAMES]}
        yield Finding(code="devices_unused", params=params, severity="note")


def _copies_of_a_file(facts: Facts) -> Iterator[Finding]:
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
        yield Finding(code="same_capture", params=params, severity="warning")
    if len(same) > COPIES:
        hosts = sum(map(len, same[COPIES:]))
        yield Finding(code="same_capture.more", params={"hosts": hosts}, severity="warning")


def refitted(facts: Facts) -> Iterator[Finding]:
    """Steps that seem to differ, since the collector fits a TPU's clock to the host's in jumps."""
    fits = [h.tpu.refitted for h in facts.hosts if h.tpu and h.tpu.refitted]
    if fits:
        (shown_min, shown_max), (min_ps, max_ps) = fits[0].shown, fits[0].own
        params: dict[str, Param] = {"shown_min_ps": shown_min, "shown_max_ps": shown_max, "min_ps": min_ps}
        if duration(min_ps) != duration(max_ps):
            params["max_ps"] = max_ps
        yield Finding(code="clocks_refitted", params=params, severity="note")
