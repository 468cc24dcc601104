"""Negotiations of a Horovod timeline → who holds the others up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.collectives import CYCLE_PS, All, Negotiations, all_negotiations, late_rank
from ...tables import Evidence
from ...units import duration
from ..finding import Finding


def negotiation_findings(parts: Sequence[Negotiations], hosts: Sequence[str]) -> Iterator[Finding]:
    """Who holds the others up, of all tensors. hosts: where each timeline is from."""
    found = all_negotiations(parts)
    if not len(found.what):
        return
    named = int((found.wait_ps >= 0).sum())
    late, mean = late_rank(found.arrivals, named), float(found.skew_ps.mean())
    where, detail = _longest(parts, hosts), _detail(found, named)
    if late is not None:
        title = (
            f"rank {late.rank} is the straggler: it comes last to {late.last:,} of {named:,} collectives, "
            f"{duration(late.late_ps)} later than the others' median"
        )
        action = f"Look at what rank {late.rank} does before its gradients are there: its input, its device."
        yield Finding(title, "warning", None, detail, action, "trace_viewer", where)
    elif mean <= CYCLE_PS:
        yield Finding(f"No rank holds the others up: all are ready for a tensor within {duration(mean)}", detail=detail)
    else:
        title = f"A tensor waits {duration(mean)} from the first rank that is ready to the last one"
        who = "no rank is the last one of most" if named else "which rank that is the timeline does not tell"
        action = "Give each rank as much work in every step: lengths of sequences, sizes of images, uneven shards."
        yield Finding(f"{title}; {who}", "warning", None, detail, action, "trace_viewer", where)


def _detail(found: All, named: int) -> str:
    told = f"By the ticks of ranks in {named:,} of {len(found.what):,} negotiations of a Horovod timeline"
    tensors = len({what.tensor for what in found.whats})
    return f"{told}, of {tensors:,} tensor{'s' * (tensors != 1)}."


def _longest(parts: Sequence[Negotiations], hosts: Sequence[str]) -> tuple[Evidence, ...]:
    some = [
        (end - begin, host, begin, end, track)
        for host, p in zip(hosts, parts, strict=True)
        if p.longest
        for track, begin, end in (p.longest,)
    ]
    return tuple(Evidence(host, begin, end, track) for _, host, begin, end, track in [max(some)])
