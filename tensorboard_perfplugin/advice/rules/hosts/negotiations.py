"""Negotiations of a Horovod timeline → which rank the others wait for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.collectives.negotiations import CYCLE, Negotiations, all_negotiations, late_rank
from ....messages import Param
from ....tables import Evidence
from ...finding import Finding


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
