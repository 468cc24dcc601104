"""Groups of workers that behave alike → how many are as usual, and by what the others differ."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.hosts.workers import Cluster, PodFacts
from ....messages import Message, Param
from ....timeline.timeline import CATEGORIES
from ...finding import Finding

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
