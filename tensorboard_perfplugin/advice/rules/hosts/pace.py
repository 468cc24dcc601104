"""Workers that are compared → whether they keep pace, and which of them do not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....analysis.hosts.workers import Pod, PodFacts, are_copies, skew_ps, slower_than_most, step_ps, times_slowest
from ....messages import Message, Param
from ....threshold import Threshold
from ...finding import Finding
from ..listed import OTHERS
from .straggler import straggling

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
