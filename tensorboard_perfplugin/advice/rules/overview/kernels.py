"""What the page of kernels warns of → the same here, where it concerns a considerable part of a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.steps.summary import COMPUTES
from ....threshold import Threshold
from ...finding import Finding
from ..kernels.alignment import odd_sizes
from ..kernels.attention import attention_unfused
from ..kernels.doubles import computes_in_doubles
from ..kernels.layouts import layouts_converted
from ..kernels.optimizer import optimizer_one_by_one
from ..kernels.tensorcores import tensor_cores_missed
from .facts import Facts

WORTH = Threshold(
    "kernels_worth",
    0.05,
    "share",
    "of a step; a program whose kernels are less of it has other things to look at first",
    "as for the causes of a step's time",
)
WARNS = Threshold(
    "kernels_warn", 0.3, "share", "of a step; what concerns so much of it, and can be changed, is a warning here, too"
)
#: Rules whose shares are of the kernel time, and those whose are of all time.
_OF_KERNELS = (tensor_cores_missed, layouts_converted, odd_sizes, attention_unfused, computes_in_doubles)
_OF_TIME = (optimizer_one_by_one,)
#: What says the same with less: that much of a step computes in 32 bits.
_REPEATS = {"tensor_cores_missed": "wide_precision"}


def kernels(facts: Facts) -> Iterator[Finding]:
    """Numbers in words are as there; they rank by the part of a step."""
    if facts.kernels is None:
        return
    computing = facts.case.step.share(COMPUTES) if facts.case else _busy(facts)
    parts = (*((rule, computing) for rule in _OF_KERNELS), *((rule, 1.0) for rule in _OF_TIME))
    for rule, part in parts:
        for finding in rule(facts.kernels):
            share = min((finding.share or 0.0) * part, 1.0)
            if finding.severity == "warning" and share >= WORTH.value:
                yield finding.changed(severity="warning" if share >= WARNS.value else "note", share=share)


def _busy(facts: Facts) -> float:
    """The part of their time that devices are busy, where no step is known."""
    devices = [device for host in facts.hosts for device in host.devices if device.events and not device.part]
    busy = sum(device.busy_ps for device in devices)
    return busy / max(busy + sum(device.idle_ps for device in devices), 1)


def without_repeats(findings: Sequence[Finding]) -> list[Finding]:
    """Without what another finding says as well, and better."""
    repeated = {_REPEATS.get(finding.code) for finding in findings}
    return [finding for finding in findings if finding.code not in repeated]
