"""What the hosts of one run say → findings: sentences with their number, what to do, and where to look."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from ...analysis.hosts import pod, straggler
from ...analysis.input import whole_bottleneck
from ...analysis.ops import IDLE, Key, OpRow, called, ranked, sums_only
from ...analysis.overview import Host
from ...analysis.steps import StepMeans, merged
from ...tables import Evidence, row_text
from ...timeline import Op, is_mark, waits_for_device
from ...units import duration, percent
from ..finding import Finding
from ..text import sentence
from .capture import not_shown, reported
from .gaps import gaps
from .hosts import held_up
from .negotiations import negotiation_findings
from .verdict import Case, case, opening, verdict
from .verdict_words import EAGER

#: Shares of the time looked at, from which on something is worth a line.
_IDLE, _WAIT, _COPIES, _EAGER, _LARGE, _UNMATCHED = 0.3, 0.1, 0.1, 0.3, 0.1, 0.05
#: A worker is the answer if it is later than the others by so much of a step.
_STRAGGLER = 0.1
#: Where so much of a file is lost, what it lacks may have been in it.
_LOST = 0.1
#: Captures of which copies are named.
_SAME = 3
_MAX_EVIDENCE = 5
_UNJOINED = "No event on its devices has the correlation id of a launch: what ran there is told by itself alone."
_DEVICE_WAITS = "The call lasts until the device has done what was launched."
_UNSEEN = "Their kernels ran before or after the capture, were dropped, or there was nothing to do."
_AWAITED = "Make faster what is waited for: of the ops that work, the largest first."
_OVERLAP = "See which copies and collectives are waited for; move less, or give the core other work meanwhile."


def overview_findings(hosts: Sequence[Host], rows: dict[Key, OpRow], steps: StepMeans) -> tuple[Finding, ...]:
    """The first answers the page's question; the rest by the share of time that is at stake."""
    judged = case(steps, merged(h.clues for h in hosts), whole_bottleneck([h.input for h in hosts]))
    launches = sum(h.launches for h in hosts)
    told = [*verdict(judged)] if judged else [*(_horovod(hosts) or [_answer(hosts, rows)]), *_no_steps(hosts)]
    eager_told = bool(judged) and told[0].search == EAGER
    if judged:
        told = _with_straggler(told, hosts, judged)
    if judged and launches and not any(h.ops.devices for h in hosts):
        # A step's time on the host says little where what it launched ran elsewhere, unseen.
        told.insert(0, _no_device_events(hosts, launches))
    # What few slow steps took, and what the others take, belong together.
    lead = 2 if judged and not judged.alike else 1
    rest = [
        *told[lead:],
        *_losses(hosts),
        *_costs(rows, eager_told),
        *_refitted(hosts),
        *gaps([i for h in hosts for i in h.idle]),
    ]
    if not judged:
        rest += _host_ops(hosts, rows)
    order = {"warning": 0, "note": 1, "info": 2}
    rest.sort(key=lambda f: (order[f.severity], -(f.share or 0)))
    return (*told[:lead], *rest)


def _with_straggler(told: list[Finding], hosts: Sequence[Host], judged: Case) -> list[Finding]:
    """Also who holds the others up; first, where that is the larger part of a step, or what collectives wait for."""
    if sum(len(h.steps.split.units) for h in hosts) < 2:
        return told
    workers = pod([h.steps for h in hosts], judged.facts)
    late = straggler(workers)
    if late is None:
        return told
    found, steps = held_up(workers, late), judged.facts
    mean = float(steps.mean_ps(steps.exposed_ps).sum())
    found = dataclasses.replace(found, title=f"{opening(steps, mean, steps.counted)}; {found.title}", tool="pod_viewer")
    share, first = found.share or 0.0, told[0]
    waited_for = first.severity == "info" or first.tool == "pod_viewer" or share > (first.share or 0)
    return [found, *told] if share >= _STRAGGLER and waited_for else [first, found, *told[1:]]


def _refitted(hosts: Sequence[Host]) -> Iterator[Finding]:
    """Steps that seem to differ, since the collector fits a TPU's clock to the host's in jumps."""
    fits = [h.tpu.refitted for h in hosts if h.tpu and h.tpu.refitted]
    if fits:
        shown, own = ([duration(ps) for ps in fit] for fit in (fits[0].shown, fits[0].own))
        took = f"between {own[0]} and {own[1]}" if own[0] != own[1] else own[0]
        yield Finding(
            f"Steps do not differ as shown: from {shown[0]} to {shown[1]} by times fitted to the host's clock, they "
            f"took {took} by the TPU's own",
            "note",
            detail="The mean of all is the same. Of single steps the begin, the time and its parts are as the trace "
            "shows them; ops are timed by the TPU's own clock.",
        )


def _no_steps(hosts: Sequence[Host]) -> Iterator[Finding]:
    """How to get steps where none were found; nothing where there is nothing to divide."""
    if any(h.events_kept for h in hosts):
        reasons = dict.fromkeys(h.steps.split.steps.reason for h in hosts)
        yield Finding(
            "No steps were found: nothing is told per step",
            "note",
            detail="; ".join(reasons),
            action="Mark each step in the program (TensorFlow: tf.profiler.experimental.Trace('train', step_num=i, "
            "_r=1); JAX: jax.profiler.StepTraceAnnotation('train', step_num=i)), or choose as `steps_from` the name of "
            "an event that comes once a step.",
        )


def _horovod(hosts: Sequence[Host]) -> list[Finding]:
    """A Horovod timeline holds nothing but who waits for whom."""
    some = [h for h in hosts if len(h.negotiations.what)]
    found = negotiation_findings([h.negotiations for h in some], [h.name for h in some])
    return [dataclasses.replace(one, tool="pod_viewer", evidence=()) for one in found]


def _answer(hosts: Sequence[Host], rows: dict[Key, OpRow]) -> Finding:
    if any(h.ops.devices for h in hosts):
        return _device_use(hosts, rows)
    launches = sum(h.launches for h in hosts)
    if launches:
        return _no_device_events(hosts, launches)
    window, with_op = sum(h.ops.window_ps for h in hosts), sum(h.ops.host_op_ps for h in hosts)
    top = ranked(rows, "host")[:1]
    if sums_only(h.ops for h in hosts):
        return Finding(
            f"The capture tells of ops in sums only, and of no step; {_largest(rows, 'host')}",
            "warning",
            detail="TensorFlow's profiler computed these sums when it captured, and found no step.",
            tool="op_stats",
        )
    if not top or not window:
        most = max((h.top_slice for h in hosts if h.top_slice), key=lambda one: one.self_ps, default=None)
        return Finding(
            f"This capture holds no op; {most}"
            if most
            else "This capture holds no op: neither on a host nor on a device",
            "warning",
            detail="No event has the name of a TensorFlow, tf.data or copy op, names an XLA instruction, or ran on a "
            "device.",
            action="See in the trace what was recorded; raise the host tracer level to 2 and capture while steps run.",
            tool="trace_viewer",
            search=most.name if most else "",
            match="exact",
        )
    share = with_op / window
    extent = f"{duration(with_op / len(hosts))} of {duration(window / len(hosts))} ({percent(share)}"
    extent += ", average of the hosts)" if len(hosts) > 1 else ")"
    silent = any(h.devices for h in hosts)
    waits = _waiting(rows, "host")
    but = f", but {percent(waits)} of op time only waits" if waits > _WAIT else ""
    return Finding(
        f"Ops ran on the CPU for {extent}{but}; {_largest(rows, 'host')}",
        share=share,
        detail="No device of the capture recorded an event." if silent else "The capture holds no device.",
        action=_AWAITED
        if waits > _IDLE
        else "Look at the largest ops first; what the rest of the time went to is in the trace.",
        tool="op_stats",
    )


def _device_use(hosts: Sequence[Host], rows: dict[Key, OpRow]) -> Finding:
    busy, idle = sum(h.ops.busy_ps for h in hosts), sum(h.ops.idle_ps for h in hosts)
    if not busy:
        return Finding("What ran on the devices took no time", "warning", detail="All device events are instants.")
    share = idle / (busy + idle)
    who = _devices(hosts)
    what = "what is left of the capture" if any("damaged" in h.loss.dropped for h in hosts) else "the capture"
    if share < _IDLE:
        waits = _waiting(rows, "device")
        but = f", but {percent(waits)} of that only waits" if waits > _WAIT else ""
        return Finding(
            f"{who} busy {percent(1 - share)} of {what}{but}; {_largest(rows, 'device')}",
            "warning" if waits > _IDLE else "info",
            1 - share,
            action=_OVERLAP if waits > _IDLE else "Make the largest ops cheaper.",
            tool="op_stats",
        )
    ran = sum(h.ops.devices for h in hosts)
    extent = f"{percent(share)} of {what} ({duration(idle / ran)} of {duration((busy + idle) / ran)}"
    extent += " on average)" if ran > 1 else ")"
    return Finding(
        f"{who} idle {extent}; {_largest(rows, 'device')}",
        "warning",
        share,
        detail="Idle is the host's span of events less the union of the intervals of kernels and copies.",
        action="See what the host did in the longest idle stretches: waiting for input, launching, or Python.",
        tool="trace_viewer",
        evidence=_idle_stretches(hosts),
        search=row_text("op_stats.ops.self_us", side="device", name=IDLE.name, type=IDLE.type),
        match="row",
    )


def _devices(hosts: Sequence[Host]) -> str:
    ran, there = sum(h.ops.devices for h in hosts), sum(not d.part for h in hosts for d in h.devices)
    if there == 1:
        return "The device is"
    if ran == there:
        return f"The {there} devices are"
    return f"Of {there} devices, the {f'{ran} that ran something are' if ran > 1 else 'one that ran something is'}"


def _idle_stretches(hosts: Sequence[Host]) -> tuple[Evidence, ...]:
    devices = [(h.name, d) for h in hosts for d in h.devices if not d.part]
    stretches = [Evidence(host, begin, end, tracks=d.tracks) for host, d in devices for begin, end in d.idle]
    return tuple(sorted(stretches, key=lambda e: e.start_ps - e.end_ps)[:_MAX_EVIDENCE])


def _no_device_events(hosts: Sequence[Host], launches: int) -> Finding:
    what = "kernel or copy was" if launches == 1 else "kernels and copies were"
    title = f"No device events, although {launches:,} {what} launched"
    lost, of = sum(n for h in hosts for n in h.loss.dropped.values()), sum(h.events_in_file for h in hosts)
    if lost > _LOST * of or any("cut_at_end" in h.loss.dropped for h in hosts):
        why = f"Of {of:,} events {lost:,} or more are lost: those of the device may be among them."
        return Finding(title, "warning", detail=why, action="Copy the file again from where it was taken, as binary.")
    counted = [why for h in hosts for why in h.loss.warnings if why.code == "cupti_counter_kernels"]
    if counted:
        action = (
            "Profile once more without CUPTI's counters (`experimental_config`): they and times exclude each other."
        )
        return Finding(title, "warning", detail=sentence(counted[0]), action=action)
    return Finding(
        title,
        "warning",
        detail="The host side of the launches was recorded, the device side was not: the driver's tracing interface "
        "(CUPTI, ROCTracer) was not permitted, was not found, or was held by another profiler.",
        action="On NVIDIA: allow profiling to all users (`options nvidia NVreg_RestrictProfilingToAdminUsers=0` in "
        "/etc/modprobe.d, then reboot) or run the container with --cap-add=SYS_ADMIN; stop DCGM and Nsight; check "
        "that libcupti is on the library path.",
        tool="trace_viewer",
    )


def _losses(hosts: Sequence[Host]) -> Iterator[Finding]:
    """What is missing from the capture, so that nobody takes its numbers for more than they are."""
    yield from not_shown([h.loss for h in hosts])
    yield from _copies_of_a_file(hosts)
    for h in hosts:
        yield from reported(h.loss)
        if h.ops.devices and h.unmatched_launches > _UNMATCHED * h.launches:
            none = h.unmatched_launches == h.launches
            title = f"{'None' if none else f'{h.unmatched_launches:,}'} of the {h.launches:,} launches on {h.name} "
            title += "can be joined to a kernel" if none else "have no kernel in the capture"
            yield Finding(title, "note", detail=_UNJOINED if none else _UNSEEN)
        if h.launches and not h.ops.devices and any(g.ops.devices for g in hosts):
            title = f"No device events of {h.name}, although its threads launched some ({h.launches:,})"
            yield Finding(title, "warning", detail="Its devices count in no sum of busy or idle time.")
        idle = [d.name for d in h.devices if not d.kernels]
        if idle and h.ops.devices:
            title = f"{len(idle)} of {len(h.devices)} devices of {h.name} ran nothing"
            yield Finding(title, "note", detail=", ".join(idle[:16]), action="Use them, or leave them to others.")


def _copies_of_a_file(hosts: Sequence[Host]) -> Iterator[Finding]:
    """One capture under several names is summed several times; captures that tell different ranks are none."""
    seen: dict[tuple[int | None, ...], list[Host]] = {}
    for h in hosts:
        key = (h.start_ns, h.steps.rank, h.events_kept, h.ops.window_ps, h.ops.host_op_ps, h.ops.busy_ps)
        alike = seen.setdefault(key, [])
        if h.events_kept and (not alike or alike[0].ops.rows == h.ops.rows):
            alike.append(h)
    same = [alike for alike in seen.values() if len(alike) > 1]
    for alike in same[:_SAME]:
        names = f"{alike[0].name} and {alike[1].name}" + (f" and {len(alike) - 2:,} more" if len(alike) > 2 else "")
        often = "twice" if len(alike) == 2 else f"{len(alike):,} times"
        yield Finding(f"{names} hold the same capture: every sum counts it {often}", "warning")
    if len(same) > _SAME:
        yield Finding(f"The same holds for {sum(map(len, same[_SAME:])):,} more hosts", "warning")


def _costs(rows: dict[Key, OpRow], eager_told: bool) -> Iterator[Finding]:
    for side in ("device", "host"):
        mine = [(op, row) for (where, op), row in rows.items() if where == side]
        everything = sum(row.self_ps for _, row in mine)
        copies = sum(row.self_ps for op, row in mine if op.type.startswith("Memcpy"))
        if side == "device" and everything and copies > _COPIES * everything:
            yield Finding(
                f"Memory copies take {percent(copies / everything)} of device op time ({duration(copies)})",
                "note",
                copies / everything,
                action="Keep data on the device; prefetch input to it; pin host memory so that copies overlap compute.",
                tool="op_stats",
            )
        known = sum(row.known_ps for _, row in mine)
        # A loop over a dataset asks for its elements op by op, whatever runs the step; metrics and counters of a
        # compiled program take up to a fourth.
        own = sum(row.eager_ps for op, row in mine if "IteratorGetNext" not in op.type)
        if own > _EAGER * known and not eager_told:
            yield Finding(
                f"{percent(own / known)} of TensorFlow's {side} op time runs op by op, outside compiled functions",
                "note",
                own / known,
                action="Put the training step into a tf.function.",
                tool="op_stats",
            )


def _host_ops(hosts: Sequence[Host], rows: dict[Key, OpRow]) -> Iterator[Finding]:
    """What stands out of op times where no split of steps tells it."""
    yield from _waits("device", rows)
    yield from _waits("host", rows)
    ops = ranked(rows, "host") if any(h.ops.devices for h in hosts) else []
    if ops and _hardest(rows, "host")[1].self_ps > _LARGE * sum(row.self_ps for _, row in ops):
        yield Finding(f"On the host, {_largest(rows, 'host')}", tool="op_stats")


def _waits(side: str, rows: dict[Key, OpRow]) -> Iterator[Finding]:
    share = _waiting(rows, side)
    if share <= _WAIT:
        return
    op, row = max(((op, row) for (where, op), row in rows.items() if where == side), key=lambda pair: pair[1].wait_ps)
    yield Finding(
        f"{percent(share)} of {side} op time only waits, most of it in {called(op)} ({duration(row.wait_ps)})",
        "note",
        share,
        detail=_DEVICE_WAITS
        if waits_for_device(op)
        else "An iterator that hands over what other threads prepare waits for them; their work is in other rows."
        if side == "host"
        else "The core waits for a copy or a collective that was started before, or for the host.",
        action=_OVERLAP
        if side == "device"
        else "Make what runs on the device faster; read results less often."
        if waits_for_device(op)
        else "If steps wait for this input too, make what prepares it faster.",
        tool="op_stats",
    )


def _waiting(rows: dict[Key, OpRow], side: str) -> float:
    """The part of a side's self time that only waits, as far as that is known."""
    mine = [row for (where, _), row in rows.items() if where == side]
    return sum(row.wait_ps for row in mine) / (sum(row.self_ps for row in mine) or 1)


def _largest(rows: dict[Key, OpRow], side: str) -> str:
    """`dot (dot) takes 29 % of host op time`, of the op that works for longest."""
    everything = sum(row.self_ps for _, row in ranked(rows, side))
    if not everything:
        return f"its {side} ops took no time"
    op, row = _hardest(rows, side)
    return f"{called(op)} takes {percent(row.self_ps / everything)} of {side} op time ({duration(row.self_ps)})"


def _hardest(rows: dict[Key, OpRow], side: str) -> tuple[Op, OpRow]:
    """The op with the largest self time, waiting left out; there must be one on that side."""
    there = ranked(rows, side)
    ops = [pair for pair in there if not is_mark(pair[0])] or there
    return max(ops, key=lambda pair: pair[1].self_ps - pair[1].wait_ps)
