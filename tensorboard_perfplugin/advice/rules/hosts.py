"""Rules on several hosts: which one the others wait for, what cannot be compared, and how far clocks can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...analysis.collectives.calls import What
from ...analysis.collectives.efficiency import Linked, slow_links, small_calls, unbucketed, wide_sums
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
from ...tables import Evidence
from ...threshold import Threshold
from ...timeline.timeline import CATEGORIES, INDEX
from ..finding import COPIES, NAMES, OTHERS, PLACES, Finding
from ..rule import TRACE, Fact, Proof, Rule, findings_of, table_row
from .steps.verdict import divided

# Hosts of a run whose programs have nothing in common → which are judged, and which are not.


def unrelated_hosts(found: Apart | None) -> Fact | None:
    if found is None:
        return None
    params: dict[str, Param] = {
        "hosts": found.hosts[:NAMES],
        "more": len(found.hosts) - NAMES if len(found.hosts) > NAMES else None,
        "others": found.others[:NAMES],
        "more_others": len(found.others) - NAMES if len(found.others) > NAMES else None,
    }
    if found.no_workers:
        return Fact(None, params, TRACE, "no_workers", "info")
    judged_ps, others_ps = found.steps_ps
    return Fact(None, {**params, "step_ps": judged_ps, "other_step_ps": others_ps, "common": found.common}, TRACE)


UNRELATED: Rule[[Apart | None]] = Rule(("unrelated_programs", "no_workers"), unrelated_hosts, severity="warning")


# Clocks of several hosts → how far they differ.


def clocks_differ(facts: PodFacts) -> Fact | None:
    run = facts.pod.means.run
    difference = clock_difference(run.clocks, run.titles)
    if difference:
        by_begins = run.clocks.by[run.clocks.farthest or 0] == BEGINS
        return Fact(None, {"difference": difference, "by_begins": by_begins})
    return Fact(None, {"reason": run.clocks.reason}, code="clocks_unknown") if len(run.hosts) > 1 else None


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


#: Of how many hosts, each drawn from its own start, and why.
DRAWN_APART: Rule[[int, Message]] = Rule(
    "hosts_drawn_apart", lambda hosts, reason: Fact(None, {"hosts": hosts, "reason": reason}), severity="warning"
)


def clocks_corrected(hosts: Sequence[str], run: RunSteps) -> Iterator[Fact]:
    """hosts: all that are drawn, those without steps, too."""
    difference = clock_difference(run.clocks, run.hosts)
    if difference:
        yield Fact(None, {"difference": difference})
    known = {host for host, ps in zip(run.hosts, run.clocks.offset_ps, strict=True) if ps is not None}
    unknown = sum(host not in known for host in hosts)
    if unknown:
        params: dict[str, Param] = {"hosts": unknown, "reason": run.clocks.reason}
        yield Fact(None, params, code="clocks_not_corrected", severity="warning")


CORRECTED: Rule[[Sequence[str], RunSteps]] = Rule(("clocks_corrected", "clocks_not_corrected"), clocks_corrected)


# One kind of collective → what it loses of a step, and the row that proves it.


class Exchange(NamedTuple):
    """What the collectives of a run are judged by. links: what carries each worker's data."""

    pod: Pod
    calls: MatchedCalls
    links: Mapping[int, Linked]

    def fact(self, lost_ps: float, what: What, params: Mapping[str, Param]) -> Fact | None:
        """What is lost as a part of a step, beside the row of that kind of collective; None where no step is known."""
        mean = step_ps(self.pod)
        if not mean:
            return None
        share = min(lost_ps / mean, 1.0)
        kind, group = what
        key = {"group": group.name or None, "ranks": group.ranks or None, "group_size": group.size or None}
        proof = table_row("pod_viewer.collectives.total_ms", kind=kind, **key)
        return Fact(share, {**params, "share": share}, proof)


# All-reduces of a few hundred KiB to a few MiB right behind each other → that fewer and larger ones are faster.

BUCKETS_MANY = Threshold(
    "many all-reduces below a bucket", 8, "calls", "of a worker and step; fewer are the rests of buckets"
)
BUCKETS_WORTH = Threshold(
    "all-reduces below a bucket worth a line", 0.05, "share", "of a step; less is lost in the differences between steps"
)


def small_buckets(of: Exchange) -> Fact | None:
    found = unbucketed(of.pod, of.calls)
    if found is None or found.calls < BUCKETS_MANY.value:
        return None
    params: dict[str, Param] = {
        "calls": round(found.calls),
        "bytes": found.bytes,
        "rate": found.gb_s * 1e9,
        "large": found.large_gb_s * 1e9,
        "ps": found.lost_ps,
    }
    return of.fact(found.lost_ps, of.calls.whats[found.what], params)


# Captures of several hosts → those without steps, and those that are one under several names.


def without_steps(facts: PodFacts) -> Fact | None:
    run = facts.pod.means.run
    if not run.left_out or not run.hosts:
        return None
    reason = next(part.split.steps.reason for part in facts.parts if part.host == run.left_out[0])
    return Fact(None, {"names": run.left_out_titles[:NAMES], "first": run.left_out_titles[0], "reason": reason})


def same_capture(facts: PodFacts) -> Iterator[Fact]:
    """One capture under several names."""
    same = same_captures(facts.parts)
    for one, other, *rest in same[:COPIES]:
        yield Fact(None, {"one": one, "other": other, "more": len(rest) or None})
    if len(same) > COPIES:
        yield Fact(None, {"hosts": sum(map(len, same[COPIES:]))}, code="same_capture.further")


# Groups of workers that behave alike → how many are as usual, and by what the others differ.

#: Groups that one sentence names; the table has all.
_NAMED = 3


def worker_groups(facts: PodFacts) -> Fact | None:
    """Where most are as usual and some are not."""
    usual, *others = facts.clusters or (None,)
    if usual is None or usual.category >= 0 or not others:
        return None
    params: dict[str, Param] = {
        "workers": len(facts.pod.workers),
        "usual": len(usual.workers),
        "groups": tuple(map(_group, others[:_NAMED])),
        "more": len(others) - _NAMED if len(others) > _NAMED else None,
    }
    return Fact(None, params)


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


def incomparable(facts: PodFacts) -> Fact | None:
    pod = facts.pod
    if not len(pod.means):
        reason = next((part.split.steps.reason for part in facts.parts if part.split.steps.reason), None)
        return Fact(None, {"reason": reason}, code=_NO_STEPS)
    if len(pod.workers) == 1:
        params: dict[str, Param] = {"worker": pod.workers[0].label, "step_time": step_ps(pod)}
        missing = (pod.parts[0].world or 1) - 1 if len(facts.parts) == 1 else 0
        if missing > 0:
            return Fact(None, {**params, "missing": missing}, code="single_worker.of_several")
        return Fact(None, params, code="single_worker")
    return None if pod.compared.size else Fact(None, {"workers": len(pod.workers)}, code="no_common_step")


# Which worker comes last to collectives → a finding, where that is another one than the worker that works longest.

MUCH = Threshold("waits for the last comer", 0.1, "share", "of a step; shorter ones come and go between steps")
OFTEN = Threshold(
    "collectives of the last comer", 0.5, "share", "a worker is named if it comes last to so many of them"
)


def last_comer(pod: Pod, waited: WaitedFor | None, late: Straggler | None) -> Fact | None:
    """A worker may be the last because it begins its step late, though it works no longer than others."""
    mean, others = step_ps(pod), len(pod.workers) - 1
    if waited is None or others < 1 or not mean or waited.last < OFTEN.value * waited.collectives:
        return None
    worker = pod.everyone[waited.worker]
    if late is not None and worker in late.workers:
        return None
    wait_ps = waited.wait_ps / others / max(int(pod.counted.sum()), 1)
    share = min(wait_ps / mean, 1.0)
    params: dict[str, Param] = {
        "worker": worker.label,
        "last": waited.last,
        "collectives": waited.collectives,
        "wait_ps": wait_ps,
        "share": share,
    }
    return Fact(share, params, TRACE)


LAST_COMER: Rule[[Pod, WaitedFor | None, Straggler | None]] = Rule(
    "last_comer", last_comer, worth=MUCH, severity="warning", limits=(OFTEN,)
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


def slow_link(of: Exchange) -> Fact | None:
    found = slow_links(of.pod, of.calls, of.links)
    if found is None or found.gb_s >= SLOW.value * found.link_gb_s:
        return None
    params: dict[str, Param] = {
        "kind": of.calls.whats[found.what].kind,
        "model": found.model,
        "rate": found.gb_s * 1e9,
        "link": found.link_gb_s * 1e9,
        "ps": found.lost_ps,
    }
    return of.fact(found.lost_ps, of.calls.whats[found.what], params)


# Negotiations of a Horovod timeline → which rank the others wait for.


def negotiations(parts: Sequence[Negotiations], hosts: Sequence[str]) -> Fact | None:
    """Of all tensors. hosts: where each timeline is from."""
    together = all_negotiations(parts)
    if not len(together.what):
        return None
    named = int((together.wait_ps >= 0).sum())
    late, mean = late_rank(together.arrivals, named), float(together.skew_ps.mean())
    params: dict[str, Param] = {
        "named": named,
        "negotiations": len(together.what),
        "tensors": len({what.tensor for what in together.whats}),
    }
    if late is None and mean <= CYCLE.value:
        return Fact(None, {**params, "skew": mean}, code="ranks_ready_together", severity="info")
    proof = TRACE._replace(evidence=_longest(parts, hosts))
    if late is None:
        return Fact(None, {**params, "skew": mean}, proof, "ranks_uneven" if named else "ranks_uneven.unnamed")
    return Fact(None, {**params, "rank": late.rank, "last": late.last, "late": late.late_ps}, proof)


NEGOTIATIONS: Rule[[Sequence[Negotiations], Sequence[str]]] = Rule(
    ("late_rank", "ranks_uneven", "ranks_uneven.unnamed", "ranks_ready_together"),
    negotiations,
    severity="warning",
    limits=(CYCLE,),
)


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


def straggling(pod: Pod, late: Straggler) -> Fact:
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
    proof = TRACE._replace(evidence=_straggler_longest(pod, late))
    return Fact(late.late_ps / mean if mean else None, params, proof, f"straggler.{pod.basis}")


_STRAGGLER = ("straggler.collectives", "straggler.devices", "straggler.hosts")
STRAGGLING: Rule[[Pod, Straggler]] = Rule(_STRAGGLER, straggling, severity="warning", limits=(TIMES,))


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


def cause(facts: PodFacts) -> Fact | None:
    """What takes the straggler longer than the others."""
    late = facts.late
    if late is None:
        return None
    category = CATEGORIES[late.category]
    if late.category_ps <= 0:
        return Fact(None, {"worker": late.name}, code="straggler_cause.none")
    key = "compute" if category.group == "compute" else category.key
    params: dict[str, Param] = {
        "category": key,
        "part": Message(f"straggler_part.{key}"),
        "worker": late.name,
        "more": late.category_ps,
        "share": min(late.category_ps / late.late_ps, 1.0) if late.late_ps > 0 else None,
        "advice": _advice(late),
    }
    return Fact(None, params, Proof(_PAGES[category.group]))


# Workers that are compared → whether they keep pace, and which of them do not.

UNEVEN = Threshold("uneven", 0.05, "share", "steps in which slowest and fastest differ by less of a step are even")


def straggles(facts: PodFacts) -> Fact | None:
    return straggling(facts.pod, facts.late) if facts.late is not None and _is_comparable(facts.pod) else None


def _is_comparable(pod: Pod) -> bool:
    """A capture and its copy are alike, whatever the workers did."""
    return len(pod.workers) > 1 and pod.compared.size > 0 and not are_copies(pod)


def even(facts: PodFacts) -> Fact | None:
    """Without a straggler: how far workers are apart."""
    pod = facts.pod
    if facts.late is not None or not _is_comparable(pod):
        return None
    skew, mean = skew_ps(pod), step_ps(pod)
    share = skew / mean if mean else 0.0
    params: dict[str, Param] = {
        "workers": len(pod.workers),
        "skew": skew,
        "share": share,
        "compared_by": Message(f"compared_by.{pod.basis}"),
    }
    if share < UNEVEN.value:
        return Fact(share, params, code="no_straggler", severity="info")
    slow = slower_than_most(pod, UNEVEN.value / 2 * mean)
    if slow:
        names: dict[str, Param] = {
            "slow": len(slow),
            "names": tuple(slow[:OTHERS]),
            "more": max(len(slow) - OTHERS, 0) or None,
        }
        return Fact(share, params | names, TRACE, "several_slow_workers")
    often = times_slowest(pod)
    most = int(np.argmax(often))
    changing: dict[str, Param] = {
        "worker": pod.workers[most].label,
        "times": int(often[most]),
        "steps": len(pod.slowest),
    }
    return Fact(share, params | changing, TRACE, "slowest_worker_changes")


# Many small all-reduces right behind each other → that one call would do for them.

SMALL_MANY = Threshold(
    "many small all-reduces", 8, "calls", "of a worker and step; fewer are a loss, a norm and a few metrics"
)
SMALL_WORTH = Threshold(
    "small all-reduces worth a line", 0.05, "share", "of a step; less is lost in the differences between steps"
)


def small_collectives(of: Exchange) -> Fact | None:
    small = small_calls(of.pod, of.calls)
    if small is None or small.calls < SMALL_MANY.value:
        return None
    params: dict[str, Param] = {
        "calls": round(small.calls),
        "bytes": small.bytes,
        "each_ps": small.each_ps,
        "ps": small.lost_ps,
    }
    known = {name: value for name, value in params.items() if value is not None}
    return of.fact(small.lost_ps, small.what, known)


# Steps of a long run → that the table holds not all of them.


def table_cut(facts: PodFacts) -> Fact | None:
    steps = len(facts.pod.means)
    return Fact(None, {"shown": facts.shown, "steps": steps}) if facts.shown < steps else None


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


def taking_turns(host: HostSteps, found: Turns | None) -> Fact | None:
    if found is None or found.steps < FEWEST.value or not found.step_ps:
        return None
    together = found.together_ps <= TOGETHER.value * (found.busy_ps - found.most_ps)
    if together and found.turns_ps >= LOST.value * found.step_ps:
        return _of(host, found, "devices_take_turns", found.turns_ps, {})
    if found.ordered < ORDERED.value * found.steps or found.late_ps < LATE.value * found.step_ps:
        return None
    names = device_names(host.split.units)
    ends: dict[str, Param] = {"first": names[found.first], "last": names[found.last]}
    code = "devices_begin_late" if found.one_thread else "devices_begin_late.apart"
    return _of(host, found, code, found.late_ps, ends)


def _of(host: HostSteps, found: Turns, code: str, lost_ps: float, more: dict[str, Param]) -> Fact:
    share = min(lost_ps / found.step_ps, 1.0)
    params: dict[str, Param] = {"devices": found.devices, "ps": lost_ps / found.steps, "share": share, **more}
    evidence = tuple(Evidence(host.host, begin, end) for begin, end in found.places)
    return Fact(share, params, TRACE._replace(evidence=evidence), code)


TURNS: Rule[[HostSteps, Turns | None]] = Rule(
    ("devices_take_turns", "devices_begin_late", "devices_begin_late.apart"),
    taking_turns,
    severity="warning",
    limits=(TOGETHER, LOST, LATE, ORDERED, FEWEST),
)


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


def gradients_wide(of: Exchange) -> Fact | None:
    found = wide_sums(of.pod, of.calls)
    if found is None:
        return None
    narrow = _narrow(of.pod)
    if narrow < MIXED.value:
        return None
    params: dict[str, Param] = {
        "kind": of.calls.whats[found.what].kind,
        "calls": max(round(found.calls), 1),
        "bytes": found.bytes,
        "exposed_ps": found.exposed_ps,
        "narrow": narrow,
        "ps": _HALF * found.exposed_ps,
    }
    return of.fact(_HALF * found.exposed_ps, of.calls.whats[found.what], params)


def _narrow(pod: Pod) -> float:
    """The part of a step's compute that is in 16 bits or fewer."""
    mean = pod.means.mean_ps(pod.means.exposed_ps)
    of = {key: float(mean[INDEX[key]]) for key in COMPUTES}
    return sum(of[key] for key in _NARROW) / (sum(of.values()) or 1.0)


OF_COLLECTIVES: tuple[Rule[[Exchange]], ...] = (
    Rule("collectives_small", small_collectives, worth=SMALL_WORTH, severity="warning", limits=(SMALL_MANY,)),
    Rule("link_not_used", slow_link, worth=LINKS_WORTH, severity="warning", limits=(SLOW,)),
    Rule("collectives_unbucketed", small_buckets, worth=BUCKETS_WORTH, severity="warning", limits=(BUCKETS_MANY,)),
    Rule("gradients_wide", gradients_wide, worth=WIDE_WORTH, severity="warning", limits=(MIXED,)),
)
_NO_STEPS = "no_steps_to_compare"
#: The first one that gives a finding is the page's answer.
RULES: tuple[Rule[[PodFacts]], ...] = (
    Rule((_NO_STEPS, "single_worker", "single_worker.of_several", "no_common_step"), incomparable, severity="info"),
    Rule(_STRAGGLER, straggles, severity="warning", limits=(TIMES,)),
    Rule(
        ("several_slow_workers", "slowest_worker_changes", "no_straggler"), even, severity="warning", limits=(UNEVEN,)
    ),
    Rule(("straggler_cause", "straggler_cause.none"), cause),
    Rule("worker_groups", worker_groups),
    Rule("hosts_without_steps", without_steps),
    Rule(("workers_of_one_capture", "same_capture.further"), same_capture, severity="warning"),
    Rule(("clocks_differ", "clocks_unknown"), clocks_differ, severity="info"),
    Rule("worker_steps_cut", table_cut, severity="info"),
)


def pod_findings(facts: PodFacts) -> Iterator[Finding]:
    """The first is the page's answer; that no steps are compared says what the time goes to."""
    for finding in findings_of(RULES, facts):
        yield divided(facts.parts, finding) if finding.code == _NO_STEPS else finding
