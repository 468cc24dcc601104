"""Rules on several hosts: who the others wait for, what cannot be compared, and how far clocks can be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from ...analysis.collectives.calls import What
from ...analysis.collectives.efficiency import SlowLink, SmallCalls, Unbucketed, WideSums
from ...analysis.collectives.matching import MatchedCalls, WaitedFor
from ...analysis.collectives.negotiations import CYCLE, Negotiations, all_negotiations, late_rank
from ...analysis.hosts.workers import (
    Cluster,
    Pod,
    PodFacts,
    Straggler,
    Turns,
    are_copies,
    device_names,
    longest_steps,
    same_captures,
    skew_ps,
    slower_than_most,
    step_ps,
    times_slowest,
    wait_ps,
)
from ...analysis.steps.alignment import BEGINS, Clocks
from ...analysis.steps.means import Apart, HostSteps, RunSteps
from ...analysis.steps.summary import COMPUTES
from ...messages import Message, Param
from ...tables import Evidence, row_text
from ...threshold import Threshold
from ...timeline.timeline import CATEGORIES, INDEX
from ..finding import COPIES, NAMES, OTHERS, PLACES, Finding
from .steps.verdict import divided

# Hosts of a run whose programs have nothing in common → which are judged, and which are not.


def unrelated_hosts(found: Apart | None) -> Iterator[Finding]:
    if found is None:
        return
    judged_ps, others_ps = found.steps_ps
    params: dict[str, Param] = {
        "hosts": found.hosts[:NAMES],
        "more": len(found.hosts) - NAMES if len(found.hosts) > NAMES else None,
        "others": found.others[:NAMES],
        "more_others": len(found.others) - NAMES if len(found.others) > NAMES else None,
        "step_ps": judged_ps,
        "other_step_ps": others_ps,
        "common": found.common,
    }
    yield Finding(code="unrelated_programs", params=params, severity="warning", tool="trace_viewer")


# Clocks of several hosts → how far they differ.


def clocks_differ(facts: PodFacts) -> Iterator[Finding]:
    run = facts.pod.means.run
    difference = clock_difference(run.clocks, run.titles)
    if difference:
        farthest = run.clocks.farthest or 0
        params: dict[str, Param] = {"difference": difference, "by_begins": run.clocks.by[farthest] == BEGINS}
        yield Finding(code="clocks_differ", params=params)
    elif len(run.hosts) > 1:
        yield Finding(code="clocks_unknown", params={"reason": run.clocks.reason})


def clock_difference(clocks: Clocks, hosts: Sequence[str]) -> Message | None:
    """The largest difference; None where there is nothing to compare."""
    farthest = clocks.farthest
    if farthest is None:
        return None
    offset, error = abs(clocks.offset_ps[farthest] or 0), clocks.error_ps[farthest]
    params: dict[str, Param] = {
        "one": hosts[0],
        "other": hosts[farthest],
        "samples": Message(f"clock_samples.{clocks.by[farthest]}", {"samples": clocks.samples[farthest]}),
    }
    if error is not None and offset <= error:
        return Message("clock_difference.none", {**params, "within": offset + error})
    return Message("clock_difference", {**params, "offset": offset, "error": error})


# Hosts on one axis of time → that they are apart, or that their clocks are corrected.


def drawn_apart(hosts: int, reason: Message) -> Finding:
    """hosts: how many, each drawn from its own start."""
    return Finding(code="hosts_drawn_apart", params={"hosts": hosts, "reason": reason}, severity="warning")


def clocks_corrected(hosts: Sequence[str], run: RunSteps) -> Iterator[Finding]:
    """hosts: all that are drawn, those without steps, too."""
    difference = clock_difference(run.clocks, run.hosts)
    if difference:
        yield Finding(code="clocks_corrected", params={"difference": difference}, severity="note")
    known = {host for host, ps in zip(run.hosts, run.clocks.offset_ps, strict=True) if ps is not None}
    unknown = sum(host not in known for host in hosts)
    if unknown:
        params = {"hosts": unknown, "reason": run.clocks.reason}
        yield Finding(code="clocks_not_corrected", params=params, severity="warning")


# What was found of one kind of collective → a finding that leads to its row.


def of_collective(what: What, code: str, params: Mapping[str, Param], share: float) -> Finding:
    """share: of a step."""
    kind, group = what
    key = {"group": group.name or None, "ranks": group.ranks or None, "group_size": group.size or None}
    return Finding(
        code=code,
        params={**params, "share": share},
        severity="warning",
        share=share,
        tool="trace_viewer",
        search=row_text("pod_viewer.collectives.total_ms", kind=kind, **key),
        match="row",
    )


# All-reduces of a few hundred KiB to a few MiB right behind each other → that fewer and larger ones are faster.

BUCKETS_MANY = Threshold(
    "many all-reduces below a bucket", 8, "calls", "of a worker and step; fewer are the rests of buckets"
)
BUCKETS_WORTH = Threshold(
    "all-reduces below a bucket worth a line", 0.05, "share", "of a step; less is lost in the differences between steps"
)


def small_buckets(pod: Pod, all_: MatchedCalls, found: Unbucketed | None) -> Iterator[Finding]:
    mean = step_ps(pod) if found else 0.0
    if found is None or not mean or found.calls < BUCKETS_MANY.value or found.lost_ps < BUCKETS_WORTH.value * mean:
        return
    share = min(found.lost_ps / mean, 1.0)
    params: dict[str, Param] = {
        "calls": round(found.calls),
        "bytes": found.bytes,
        "rate": found.gb_s * 1e9,
        "large": found.large_gb_s * 1e9,
        "ps": found.lost_ps,
    }
    yield of_collective(all_.whats[found.what], "collectives_unbucketed", params, share)


# Captures of several hosts → those without steps, and those that are one under several names.


def without_steps(facts: PodFacts) -> Iterator[Finding]:
    run = facts.pod.means.run
    if run.left_out and run.hosts:
        first = run.left_out_titles[0]
        reason = next(part.split.steps.reason for part in facts.parts if part.host == run.left_out[0])
        params: dict[str, Param] = {
            "names": run.left_out_titles[:NAMES],
            "first": first,
            "reason": reason,
        }
        yield Finding(code="hosts_without_steps", params=params, severity="note")


def same_capture(facts: PodFacts) -> Iterator[Finding]:
    """One capture under several names."""
    same = same_captures(facts.parts)
    for one, other, *rest in same[:COPIES]:
        params = {"one": one, "other": other, "more": len(rest) or None}
        yield Finding(code="workers_of_one_capture", params=params, severity="warning")
    if len(same) > COPIES:
        hosts = sum(map(len, same[COPIES:]))
        yield Finding(code="same_capture.further", params={"hosts": hosts}, severity="warning")


# Groups of workers that behave alike → how many are as usual, and by what the others differ.

#: Groups that one sentence names; the table has all.
_NAMED = 3


def worker_groups(facts: PodFacts) -> Iterator[Finding]:
    """Where most are as usual and some are not."""
    usual, *others = facts.clusters or (None,)
    if usual is None or usual.category >= 0 or not others:
        return
    params: dict[str, Param] = {
        "workers": len(facts.pod.workers),
        "usual": len(usual.workers),
        "groups": tuple(map(_group, others[:_NAMED])),
        "more": len(others) - _NAMED if len(others) > _NAMED else None,
    }
    yield Finding(code="worker_groups", params=params, severity="note")


def _group(one: Cluster) -> Message:
    category = CATEGORIES[one.category]
    key = "compute" if category.group == "compute" else category.key
    way = "more" if one.change_ps >= 0 else "less"
    params: dict[str, Param] = {
        "workers": len(one.workers),
        "ps": abs(one.change_ps),
        "part": Message(f"straggler_part.{key}"),
    }
    return Message(f"worker_group.{way}", params)


# Runs whose workers cannot be compared → why.


def incomparable(facts: PodFacts) -> Iterator[Finding]:
    pod = facts.pod
    if not len(pod.means):
        reason = next((part.split.steps.reason for part in facts.parts if part.split.steps.reason), None)
        params: dict[str, Param] = {"reason": reason}
        yield divided(facts.parts, Finding(code="no_steps_to_compare", params=params))
    elif len(pod.workers) == 1:
        params = {"worker": pod.workers[0].label, "step_time": step_ps(pod)}
        missing = (pod.parts[0].world or 1) - 1 if len(facts.parts) == 1 else 0
        if missing > 0:
            yield Finding(code="single_worker.of_several", params={**params, "missing": missing})
        else:
            yield Finding(code="single_worker", params=params)
    elif not pod.compared.size:
        yield Finding(code="no_common_step", params={"workers": len(pod.workers)})


# Who comes last to collectives → a finding, where that is another one than the worker that works longest.

MUCH = Threshold("waits for who comes last", 0.1, "share", "of a step; shorter ones come and go between steps")
OFTEN = Threshold(
    "collectives of who comes last", 0.5, "share", "a worker is named if it comes last to so many of them"
)


def last_comer(pod: Pod, waited: WaitedFor | None, late: Straggler | None) -> Iterator[Finding]:
    """A worker may be the last because it begins its step late, though it works no longer than others."""
    mean, others = step_ps(pod), len(pod.workers) - 1
    if waited is None or others < 1 or not mean or waited.last < OFTEN.value * waited.collectives:
        return
    worker = pod.everyone[waited.worker]
    wait_ps = waited.wait_ps / others / max(int(pod.counted.sum()), 1)
    if wait_ps < MUCH.value * mean or (late is not None and worker in late.workers):
        return
    yield Finding(
        code="last_comer",
        params={
            "worker": worker.label,
            "last": waited.last,
            "collectives": waited.collectives,
            "wait_ps": wait_ps,
            "share": min(wait_ps / mean, 1.0),
        },
        severity="warning",
        share=min(wait_ps / mean, 1.0),
        tool="trace_viewer",
    )


# Collectives that are carried far slower than the links of their devices could → that these are not used.

SLOW = Threshold(
    "links that are not used",
    0.1,
    "share",
    "of what the links carry in one direction; through PCIe or the host's memory it is less, over one of several links "
    "between two devices more",
    "NVIDIA's data sheets: PCIe beside NVLink of P100 to B200; one link of V100 is a sixth of all",
)
LINKS_WORTH = Threshold("slow links worth a line", 0.03, "share", "of a step; less is lost between steps")


def slow_link(pod: Pod, all_: MatchedCalls, found: SlowLink | None) -> Iterator[Finding]:
    mean = step_ps(pod) if found else 0.0
    if found is None or not mean:
        return
    if found.gb_s >= SLOW.value * found.link_gb_s or found.lost_ps < LINKS_WORTH.value * mean:
        return
    share = min(found.lost_ps / mean, 1.0)
    params: dict[str, Param] = {
        "kind": all_.whats[found.what].kind,
        "model": found.model,
        "rate": found.gb_s * 1e9,
        "link": found.link_gb_s * 1e9,
        "ps": found.lost_ps,
    }
    yield of_collective(all_.whats[found.what], "link_not_used", params, share)


# Negotiations of a Horovod timeline → which rank the others wait for.


def negotiation_findings(parts: Sequence[Negotiations], hosts: Sequence[str]) -> Iterator[Finding]:
    """Of all tensors. hosts: where each timeline is from."""
    together = all_negotiations(parts)
    if not len(together.what):
        return
    named = int((together.wait_ps >= 0).sum())
    late, mean = late_rank(together.arrivals, named), float(together.skew_ps.mean())
    params: dict[str, Param] = {
        "named": named,
        "negotiations": len(together.what),
        "tensors": len({what.tensor for what in together.whats}),
    }
    if late is None and mean <= CYCLE.value:
        yield Finding(code="ranks_ready_together", params={**params, "skew": mean})
        return
    if late is not None:
        code, more = "late_rank", {"rank": late.rank, "last": late.last, "late": late.late_ps}
    else:
        code, more = "ranks_uneven" if named else "ranks_uneven.unnamed", {"skew": mean}
    evidence = _longest(parts, hosts)
    yield Finding(code=code, params={**params, **more}, severity="warning", tool="trace_viewer", evidence=evidence)


def _longest(parts: Sequence[Negotiations], hosts: Sequence[str]) -> tuple[Evidence, ...]:
    some = [
        (end - begin, host, begin, end, track)
        for host, part in zip(hosts, parts, strict=True)
        if part.longest
        for track, begin, end in (part.longest,)
    ]
    return tuple(Evidence(host, begin, end, track) for _, host, begin, end, track in [max(some)])


# The straggler of a run → how far it is behind, and what takes it longer.

TIMES = Threshold(
    "times", 5, "times the others'", "work of so many times the others' reads better than a percentage", "a convention"
)
#: By group of what takes a straggler longer, the page to look at.
_PAGES = {
    "compute": "op_stats",
    "input": "input_pipeline",
    "copy": "op_stats",
    "python": "trace_viewer",
    "host": "op_stats",
    "idle": "trace_viewer",
}


def straggling(pod: Pod, late: Straggler) -> Finding:
    """Whom the others wait for; its share is what that is of a step."""
    mean = step_ps(pod)
    params: dict[str, Param] = {
        "worker": late.name,
        "devices": len(late.workers) if len(late.workers) > 1 else None,
        "work": late.work_ps,
        **_more(late),
        "one_other": len(pod.workers) == len(late.workers) + 1,
        "last": late.last,
        "steps": late.steps,
        "compared_by": Message(f"compared_by.{pod.basis}"),
        "advice": _advice(late),
    }
    if pod.basis == "collectives":
        params["wait"] = wait_ps(pod, late)
    else:
        params["skew"] = skew_ps(pod)
    return Finding(
        code=f"straggler.{pod.basis}",
        params=params,
        severity="warning",
        share=min(late.late_ps / mean, 1.0) if mean else None,
        tool="trace_viewer",
        evidence=_straggler_longest(pod, late),
    )


def _more(late: Straggler) -> dict[str, Param]:
    """How much more it works than the others."""
    if late.work_ps >= TIMES.value * late.others_ps > 0:
        return {"times": round(late.work_ps / late.others_ps)}
    return {"more": late.late_ps / late.others_ps} if late.others_ps else {"more_time": late.late_ps}


def _advice(late: Straggler) -> Message:
    return Message(f"straggler_advice.{CATEGORIES[late.category].group}")


def _straggler_longest(pod: Pod, late: Straggler) -> tuple[Evidence, ...]:
    """The steps in which it works longest, by its own host's clock."""
    worker = late.workers[0]
    steps = pod.parts[worker.host].split.steps
    return tuple(
        Evidence(worker.host_name, int(steps.begin_ps[r]), int(steps.until_ps[r]), int(steps.lane[r]))
        for r in longest_steps(pod, late, PLACES).tolist()
    )


def cause(facts: PodFacts) -> Iterator[Finding]:
    """What takes the straggler longer than the others."""
    late = facts.late
    if late is None:
        return
    category = CATEGORIES[late.category]
    if late.category_ps <= 0:
        yield Finding(code="straggler_cause.none", params={"worker": late.name}, severity="note")
        return
    key = "compute" if category.group == "compute" else category.key
    params: dict[str, Param] = {
        "category": key,
        "part": Message(f"straggler_part.{key}"),
        "worker": late.name,
        "more": late.category_ps,
        "share": min(late.category_ps / late.late_ps, 1.0) if late.late_ps > 0 else None,
        "advice": _advice(late),
    }
    yield Finding(code="straggler_cause", params=params, severity="note", tool=_PAGES[category.group])


# Workers that are compared → whether they keep pace, and which of them do not.

UNEVEN = Threshold("uneven", 0.05, "share", "steps in which slowest and fastest differ by less of a step are even")


def pace(facts: PodFacts) -> Iterator[Finding]:
    """Of workers that can be compared: who is the straggler, else how far they are apart. A capture and its copy are
    alike, whatever the workers did.
    """
    pod = facts.pod
    if len(pod.workers) > 1 and pod.compared.size and not are_copies(pod):
        yield _without_straggler(pod) if facts.late is None else straggling(pod, facts.late)


def _without_straggler(pod: Pod) -> Finding:
    skew, mean = skew_ps(pod), step_ps(pod)
    share = skew / mean if mean else 0.0
    params: dict[str, Param] = {
        "workers": len(pod.workers),
        "skew": skew,
        "share": share,
        "compared_by": Message(f"compared_by.{pod.basis}"),
    }
    if share < UNEVEN.value:
        return Finding(code="no_straggler", params=params, share=share)
    slow = slower_than_most(pod, UNEVEN.value / 2 * mean)
    if slow:
        names: dict[str, Param] = {
            "slow": len(slow),
            "names": tuple(slow[:OTHERS]),
            "more": max(len(slow) - OTHERS, 0) or None,
        }
        return _uneven("several_slow_workers", params | names, share)
    often = times_slowest(pod)
    most = int(np.argmax(often))
    changing: dict[str, Param] = {
        "worker": pod.workers[most].label,
        "times": int(often[most]),
        "steps": len(pod.slowest),
    }
    return _uneven("slowest_worker_changes", params | changing, share)


def _uneven(code: str, params: dict[str, Param], share: float) -> Finding:
    return Finding(code=code, params=params, severity="warning", share=min(share, 1.0), tool="trace_viewer")


# Many small all-reduces right behind each other → that one call would do for them.

SMALL_MANY = Threshold(
    "many small all-reduces", 8, "calls", "of a worker and step; fewer are a loss, a norm and a few metrics"
)
SMALL_WORTH = Threshold(
    "small all-reduces worth a line", 0.05, "share", "of a step; less is lost in the differences between steps"
)


def small_collectives(pod: Pod, small: SmallCalls | None) -> Iterator[Finding]:
    mean = step_ps(pod) if small else 0.0
    if small is None or not mean or small.calls < SMALL_MANY.value or small.lost_ps < SMALL_WORTH.value * mean:
        return
    params: dict[str, Param] = {
        "calls": round(small.calls),
        "bytes": small.bytes,
        "each_ps": small.each_ps,
        "ps": small.lost_ps,
    }
    given = {name: value for name, value in params.items() if value is not None}
    yield of_collective(small.what, "collectives_small", given, min(small.lost_ps / mean, 1.0))


# Steps of a long run → that the table holds not all of them.


def table_cut(facts: PodFacts) -> Iterator[Finding]:
    steps = len(facts.pod.means)
    if facts.shown < steps:
        yield Finding(code="worker_steps_cut", params={"shown": facts.shown, "steps": steps})


# Devices of one host that compute one after another, or begin each step one by one → what that loses.

TOGETHER = Threshold(
    "devices that compute at once",
    0.2,
    "share",
    "of what could be computed at once: devices that do less of it take turns",
)
LOST = Threshold("lost by taking turns", 0.1, "share", "of a step; less is lost between any two devices")
LATE = Threshold("lost by late begins", 0.05, "share", "of a step; less is lost between any two devices")
ORDERED = Threshold(
    "steps in which the same device begins last",
    0.75,
    "share",
    "of two devices each begins last in half of the steps by chance",
)
FEWEST = Threshold("steps that show an order", 3, "steps", "in fewer the same order is chance")


def taking_turns(host: HostSteps, found: Turns | None) -> Iterator[Finding]:
    if found is None or found.steps < FEWEST.value or not found.step_ps:
        return
    together = found.together_ps <= TOGETHER.value * (found.busy_ps - found.most_ps)
    if together and found.turns_ps >= LOST.value * found.step_ps:
        yield _of(host, found, "devices_take_turns", found.turns_ps, {})
    elif (
        found.one_thread
        and found.ordered >= ORDERED.value * found.steps
        and found.late_ps >= LATE.value * found.step_ps
    ):
        names = device_names(host.split.units)
        yield _of(
            host, found, "devices_begin_late", found.late_ps, {"first": names[found.first], "last": names[found.last]}
        )


def _of(host: HostSteps, found: Turns, code: str, lost_ps: float, more: dict[str, Param]) -> Finding:
    share = min(lost_ps / found.step_ps, 1.0)
    params: dict[str, Param] = {"devices": found.devices, "ps": lost_ps / found.steps, "share": share, **more}
    evidence = tuple(Evidence(host.host, begin, end) for begin, end in found.places)
    return Finding(code=code, params=params, severity="warning", share=share, tool="trace_viewer", evidence=evidence)


# Sums of 32-bit floats over ranks, beside compute in 16 bits → that half of the bytes would do.

MIXED = Threshold(
    "compute in 16 bits",
    0.5,
    "share",
    "of the compute of a step; a program that computes so much in 16 bits has gradients that hold no more",
)
WIDE_WORTH = Threshold(
    "sums of 32 bits worth a line", 0.05, "share", "of a step; less is lost in the differences between steps"
)
_NARROW = ("compute_8bit", "compute_16bit")
#: What of their time half of the bytes saves.
_HALF = 0.5


def gradients_wide(pod: Pod, all_: MatchedCalls, found: WideSums | None) -> Iterator[Finding]:
    mean = step_ps(pod) if found else 0.0
    if found is None or not mean:
        return
    narrow, share = _narrow(pod), min(_HALF * found.exposed_ps / mean, 1.0)
    if narrow < MIXED.value or share < WIDE_WORTH.value:
        return
    params: dict[str, Param] = {
        "kind": all_.whats[found.what].kind,
        "calls": max(round(found.calls), 1),
        "bytes": found.bytes,
        "exposed_ps": found.exposed_ps,
        "narrow": narrow,
        "ps": _HALF * found.exposed_ps,
    }
    yield of_collective(all_.whats[found.what], "gradients_wide", params, share)


def _narrow(pod: Pod) -> float:
    """The part of a step's compute that is in 16 bits or fewer."""
    mean = pod.means.mean_ps(pod.means.exposed_ps)
    of = {key: float(mean[INDEX[key]]) for key in COMPUTES}
    return sum(of[key] for key in _NARROW) / (sum(of.values()) or 1.0)


#: The first one that gives a finding is the page's answer.
_RULES: tuple[Callable[[PodFacts], Iterator[Finding]], ...] = (
    incomparable,
    pace,
    cause,
    worker_groups,
    without_steps,
    same_capture,
    clocks_differ,
    table_cut,
)


def pod_findings(facts: PodFacts) -> Iterator[Finding]:
    """The first is the page's answer."""
    for rule in _RULES:
        yield from rule(facts)
