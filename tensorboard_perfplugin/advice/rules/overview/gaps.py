"""Why PyTorch's GPUs stood still between two kernels → a finding; its proof is the pod viewer's table of causes."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.idle import CAUSES, SHORT, WHOLE
from ....messages import Message, Param
from ....tables import row_text
from ....threshold import Threshold
from ...finding import Finding
from .facts import Facts

IDLE = Threshold("gpu_idle", 0.2, "share", "GPUs that stand still between their first and last kernel")
WORTH = Threshold("gap_worth", 0.02, "share", "a cause of gaps that is worth a word")
#: Of a GPU as a whole no stream runs in a gap: other causes are of streams.
_OF_ALL_STREAMS = ("host_wait", "kernel_wait", "unattributed")
#: Causes that graphs make smaller.
_LAUNCHES = ("host_wait", "kernel_wait")
_PLACES = ("first", "second", "third")


def gaps(facts: Facts) -> Iterator[Finding]:
    """Of all hosts' GPUs together."""
    whole = [one for host in facts.hosts for one in host.idle if not one.stream]
    span = sum(one.span_ps for one in whole)
    by_cause = {name: sum(one.by_cause[CAUSES.index(name)] for one in whole) for name in _OF_ALL_STREAMS}
    total = sum(by_cause.values())
    if not span or total < IDLE.value * span:
        return
    order = sorted(by_cause, key=lambda name: -by_cause[name])
    named = [name for name in order if by_cause[name] >= WORTH.value * span]
    params: dict[str, Param] = {
        place: _cause(name, by_cause[name] / span) for place, name in zip(_PLACES, named, strict=False)
    }
    times = {"share": total / span, "gaps": sum(one.gaps for one in whole), "idle_ps": total, "span_ps": span}
    if order[0] in _LAUNCHES and any(host.ops.graphs for host in facts.hosts):
        params["graphs"] = True
    yield Finding(
        code=f"gpu_idle.{order[0]}",
        params={**params, **times, "several": len(whole) > 1},
        severity="note",
        share=total / span,
        tool="pod_viewer",
        search=row_text(f"pod_viewer.idle.{order[0]}_ms", stream=WHOLE),
        match="row",
    )


def _cause(name: str, share: float) -> Message:
    short: dict[str, Param] = {"short_ps": SHORT.value} if name == "kernel_wait" else {}
    return Message(f"gpu_gaps.{name}", {"share": share, **short})
