"""Functions of several hosts → the host that works longer than the others, and the function that takes longer there."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.functions import slow_host
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from .facts import Facts, share_of

SLOWER = Threshold("slower", 0.05, "share", "of the mean time of the hosts; less is noise between processes", CHOSEN)
EXPLAINS = Threshold(
    "explains", 0.2, "share", "of what a host works longer; a function with less of it is not the reason", CHOSEN
)


def slower(facts: Facts) -> Iterator[Finding]:
    slow = slow_host(facts.run, facts.ranks)
    if slow is None:
        return
    share = share_of(slow.excess_ps, slow.mean_ps)
    if share < SLOWER.value or slow.function_excess_ps < EXPLAINS.value * slow.excess_ps:
        return
    yield Finding(
        code="python_slow_host",
        params={
            **facts.named(slow.function),
            "host": slow.host,
            "hosts": len(facts.run.hosts),
            "excess": slow.excess_ps,
            "share": share,
            "function_excess": slow.function_excess_ps,
        },
        severity="warning",
        share=share,
        tool="python_profile",
        search=facts.all.names[slow.function],
        match="exact",
    )
