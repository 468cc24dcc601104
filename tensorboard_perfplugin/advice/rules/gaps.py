"""Why PyTorch's GPUs stood still between two kernels → a finding; its proof is the pod viewer's table of causes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...analysis.idle import CAUSES, SHORT_PS, WHOLE, Idle
from ...tables import row_text
from ...units import duration, percent
from ..finding import Finding

#: Shares of the time from the first kernel to the last: all gaps, and those of one cause, that are worth a word.
_IDLE, _WORTH = 0.2, 0.02
#: Of a GPU as a whole no stream runs in a gap: other causes are of streams.
_WORDS = {
    "host_wait": (
        "since the host launched what came next too late",
        (
            "See what the host does in these gaps: Python, waiting for input, or launching itself. Let it run ahead: "
            "fewer synchronizations, larger kernels, CUDA graphs."
        ),
    ),
    "kernel_wait": (
        f"in gaps of less than {duration(SHORT_PS)} before what had been launched",
        "Each kernel takes some µs to start: run fewer and longer ones, or CUDA graphs.",
    ),
    "untold": (
        "though what came next had been launched, or its launch is not recorded",
        "See in the trace what these gaps end with: a wait for an event, memory that the driver gives or takes back.",
    ),
}


def gaps(idle: Sequence[Idle]) -> Iterator[Finding]:
    """Of all hosts' GPUs together."""
    whole = [one for one in idle if not one.stream]
    span = sum(one.span_ps for one in whole)
    by_cause = {name: sum(one.by_cause[i] for one in whole) for i, name in enumerate(CAUSES) if name in _WORDS}
    total = sum(by_cause.values())
    if not span or total < _IDLE * span:
        return
    order = sorted(by_cause, key=lambda name: -by_cause[name])
    told = [f"{percent(by_cause[name] / span)} {_WORDS[name][0]}" for name in order if by_cause[name] >= _WORTH * span]
    who = "GPUs are" if len(whole) > 1 else "the GPU is"
    yield Finding(
        f"From the first kernel to the last {who} idle {percent(total / span)} of the time: {'; '.join(told)}",
        "note",
        total / span,
        detail=f"{sum(one.gaps for one in whole):,} gaps, {duration(total)} of {duration(span)}.",
        action=_WORDS[order[0]][1],
        tool="pod_viewer",
        search=row_text(f"pod_viewer.idle.{order[0]}_ms", stream=WHOLE),
        match="row",
    )
