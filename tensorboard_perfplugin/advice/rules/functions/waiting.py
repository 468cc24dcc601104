"""Functions of Python whose own time is no work of the thread → what they wait for, and what is not in the profile."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.functions import Part, Wait
from ....messages import Param
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from .facts import Facts, share_of

GPU = Threshold("waits_for_gpu", 0.05, "share", "a program that launches ahead waits less for its GPU", CHOSEN)
PEERS = Threshold("waits_for_peers", 0.05, "share", "of less the exchange itself is most", CHOSEN)
WORKERS = Threshold("waits_for_workers", 0.05, "share", "workers that are ahead make the loop wait for less", CHOSEN)
OTHERS = Threshold(
    "waits_for_others",
    0.1,
    "share",
    "below it locks and pipes are what any program with threads spends on them",
    CHOSEN,
)
SLEEPS = Threshold("sleeps", 0.05, "share", "shorter sleeps are those of progress bars and retries", CHOSEN)


def for_gpu(facts: Facts) -> Iterator[Finding]:
    yield from _waits(facts, Wait.GPU, "python_waits.gpu", GPU.value)


def for_peers(facts: Facts) -> Iterator[Finding]:
    yield from _waits(facts, Wait.PEERS, "python_waits.peers", PEERS.value)


def sleeps(facts: Facts) -> Iterator[Finding]:
    yield from _waits(facts, Wait.SLEEP, "python_waits.sleep", SLEEPS.value)


def for_workers(facts: Facts) -> Iterator[Finding]:
    """Of a data loader's processes, whose own work is in none of the functions."""
    ps, row = facts.part(Part.WORKERS)
    share = share_of(ps, facts.total_ps)
    if row >= 0 and share >= WORKERS.value:
        yield _finding(facts, "python_waits.workers", row, ps, share)


def for_others(facts: Facts) -> Iterator[Finding]:
    """For threads and processes that are no data loader's."""
    ps, row = facts.waiting(Wait.OTHERS)
    ps -= facts.part(Part.WORKERS)[0]
    share = share_of(ps, facts.total_ps)
    if row >= 0 and share >= OTHERS.value:
        yield _finding(facts, "python_waits.others", row, ps, share)


def _waits(facts: Facts, kind: Wait, code: str, least: float) -> Iterator[Finding]:
    ps, row = facts.waiting(kind)
    share = share_of(ps, facts.total_ps)
    if row >= 0 and share >= least:
        yield _finding(facts, code, row, ps, share)


def _finding(facts: Facts, code: str, row: int, ps: float, share: float) -> Finding:
    params: dict[str, Param] = {
        **facts.named(row),
        "ps": ps,
        "share": share,
        "calls": int(facts.all.sums.calls[row]),
        "several": len(facts.run.hosts) > 1,
    }
    return Finding(
        code=code,
        params=params,
        severity="warning",
        share=share,
        tool="python_profile",
        search=facts.all.names[row],
        match="exact",
    )
