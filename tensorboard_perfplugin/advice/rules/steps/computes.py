"""Compute: what takes most of it, whether one device has more of it than others, and in how many bits it is."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.steps.summary import COMPUTES, device_compute
from ....messages import Param
from ....threshold import Threshold
from ....timeline.names.ops import UNATTRIBUTED
from ...finding import Finding
from .case import Answer, Case, bare, largest, other_parts

OF_A_TYPE = Threshold(
    "of_a_type", 1.5, "times", "all ops of a type take so much longer than the largest op that the type is named"
)
UNEVEN = Threshold("uneven", 0.15, "share", "devices are uneven where one computes so much longer than the mean")
WIDE = Threshold("wide", 0.5, "share", "compute in 32 bits or more is worth a line from this share of a step on")
NARROW = Threshold("narrow", 0.1, "share", "a program with so much of its compute in 16 or 8 bits knows of them")


def computes(case: Case) -> Answer:
    """What is said where no cause is the answer."""
    name, spent = largest(case.summary.work)
    most = case.step.ps(COMPUTES) >= case.step.step_ps / 2
    params: dict[str, Param] = {"most": most, "others": () if most else other_parts(case)}
    if not spent.ps:
        return Answer("computes.no_op", params, "op_stats")
    whole = max(case.summary.all_work.ps, 1)
    kind, of_kind = largest(case.summary.types)
    params |= {"op": name, "op_share": spent.ps / whole}
    if kind not in ("", UNATTRIBUTED) and of_kind.ps > OF_A_TYPE.value * spent.ps:
        params |= {"type": kind, "type_share": of_kind.ps / whole}
    return Answer("computes", params, "op_stats", bare(name))


def uneven(case: Case) -> Iterator[Finding]:
    """Devices of which one computes for longer, so that the others wait for it."""
    devices = device_compute(case.step.means)
    if len(devices) < 2:
        return
    mean, longest = sum(device.ps for device in devices) / len(devices), max(devices)
    if longest.ps > (1 + UNEVEN.value) * mean:
        yield Finding(
            code="uneven_devices",
            params={
                "device": longest.device,
                "host": longest.host,
                "ps": longest.ps,
                "more": longest.ps / mean - 1,
                "devices": len(devices),
            },
            severity="note",
            share=min((longest.ps - mean) / case.step.step_ps, 1),
            tool="pod_viewer",
        )


def precision(case: Case) -> Iterator[Finding]:
    """Compute in more bits than a model may need."""
    wide = case.step.share(("compute_32bit", "compute_tf32", "compute_64bit"))
    narrow = case.step.share(("compute_8bit", "compute_16bit"))
    types, summary = {"bfloat16": case.summary.bfloat16, "float16": case.summary.float16}, case.summary
    if case.step.device and not summary.wide_only and wide > WIDE.value and narrow < NARROW.value * (wide + narrow):
        known = {name: True for name, hosts in types.items() if hosts and sum(types.values()) == hosts}
        params = {"wide": wide, "narrow": narrow, **known}
        yield Finding(code="wide_precision", params=params, severity="note", share=min(wide, 1.0), tool="op_stats")
