"""An optimizer of PyTorch that updates one parameter after another → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.merged import Merged
from ....analysis.model import OptimizerSteps
from ....threshold import CHOSEN, Threshold
from ...finding import Finding

WORTH = Threshold(
    "updates one by one",
    0.05,
    "share",
    "of the time from the first to the last kernel; one kernel for all parameters takes a small part of it",
    "chosen on public captures",
)
MUCH = Threshold("many updates one by one", 0.15, "share", "of that time; less is a note", CHOSEN)
MANY = Threshold(
    "many updates", 50, "kernels", "a step; fewer are launched within half a millisecond", "5 to 10 µs a launch"
)
MOSTLY = Threshold(
    "mostly updates", 0.5, "share", "of the kernel time of a step; an optimizer with less of them computes more", CHOSEN
)
#: Classes of torch.optim with one kernel for all parameters on GPUs, and those with one for each operation.
_FUSED = ("Adam", "AdamW", "SGD")
_FOREACH = ("Adadelta", "Adagrad", "Adamax", "ASGD", "NAdam", "RAdam", "RMSprop", "Rprop")


def optimizer_one_by_one(merged: Merged) -> Iterator[Finding]:
    """The one that takes most of its host's time."""
    slow = [each for part in merged.parts for each in part.model.optimizers if _is_slow(each)]
    worst = max(slow, key=lambda each: each.share, default=None)
    if worst is None:
        return
    way = "fused" if worst.name in _FUSED else "foreach" if worst.name in _FOREACH else "own"
    yield Finding(
        code=f"optimizer_one_by_one.{way}",
        params={
            "optimizer": worst.name,
            "kernels": worst.kernels / worst.steps,
            "step_ps": worst.device_ps / worst.steps,
            "kernel_ps": worst.kernel_ps / worst.steps,
            "share": worst.share,
        },
        severity="warning" if worst.share >= MUCH.value else "note",
        share=worst.share,
        tool="trace_viewer",
        evidence=worst.places,
    )


def _is_slow(each: OptimizerSteps) -> bool:
    many = each.kernels >= MANY.value * each.steps
    return many and each.kernel_ps >= MOSTLY.value * each.all_ps and each.share >= WORTH.value
