"""A timeline and its steps → how much the devices computed and moved in them, beside what they could have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import PlaneKind, Scalar
from ...threshold import Threshold
from ...timeline import Timeline, device_costs_of, device_spans_of, devices_of, has_costs, ops_of
from .attributes import device

if TYPE_CHECKING:
    from ...timeline import Split

_PS_PER_S = 1e12
ABOVE = Threshold(
    "above the peak",
    1.05,
    "times the peak",
    "clocks above the one that data sheets count by reach some percent more",
    "boost clocks of NVIDIA's and AMD's data sheets",
)


class Used(NamedTuple):
    """One device in a host's whole steps. flops, moved_bytes: of its ops, None where these do not show it; peaks: per
    second, None where unknown.
    """

    time_s: float
    flops: float | None
    moved_bytes: float | None
    peak_flops: float | None
    peak_bytes: float | None


def used(timeline: Timeline, split: Split) -> tuple[Used, ...]:
    """Each device that ran something; none without steps."""
    steps = split.steps
    whole = steps.counted
    if not whole.any() or not has_costs(timeline):
        return ()
    costs = device_costs_of(timeline)
    time_s = float(steps.wall_ps[whole].sum()) / _PS_PER_S
    low, high = int(steps.begin_ps[whole].min()), int(steps.until_ps[whole].max())
    found, at = [], 0
    for activity in devices_of(timeline):
        mine = slice(at, at + activity.events)
        at += activity.events
        if activity.events:
            rows = ops_of(timeline).device.rows[mine]
            start = timeline.capture.events.start_ps[rows]
            counted = (start >= low) & (start < high) & _leaves(timeline, activity.plane, mine)
            is_tpu = timeline.capture.planes.kind[activity.plane] == PlaneKind.TPU
            flops, moved = (_total(column[mine][counted], is_tpu) for column in (costs.flops, costs.hbm_bytes))
            found.append(_of_device(timeline, activity.plane, flops, moved, time_s))
    return tuple(found)


def _leaves(timeline: Timeline, plane: int, mine: slice) -> NDArray[np.bool_]:
    """Which ops hold no others, whose FLOPs they would repeat; on a GPU nothing nests."""
    spans = device_spans_of(timeline)
    if timeline.capture.planes.kind[plane] != PlaneKind.TPU:
        return np.ones(mine.stop - mine.start, bool)
    leaves: NDArray[np.bool_] = spans.self_ps[mine] >= spans.duration_ps[mine]
    return leaves


def _of_device(timeline: Timeline, plane: int, flops: float | None, moved: float | None, time_s: float) -> Used:
    capture = timeline.capture
    limits = device(PlaneKind(int(capture.planes.kind[plane])), capture.plane_values(plane))
    return Used(
        time_s,
        flops,
        moved,
        None if limits.peak_tflops is None else limits.peak_tflops * 1e12,
        None if limits.bandwidth_gb_s is None else limits.bandwidth_gb_s * 1e9,
    )


def _total(values: NDArray[np.float64], is_tpu: bool) -> float | None:
    """Of a TPU's ops what they give; of kernels only where all are known, since the largest may come from a library."""
    known = np.isfinite(values)
    enough = known.any() if is_tpu else len(known) and known.all()
    return float(values[known].sum()) if enough else None


def utilization(devices: Sequence[Used]) -> dict[str, Scalar]:
    """Sums over devices: amount ÷ (peak × time), where all give both and the result can be."""
    return {
        "flop_utilization_share": _share([(d.flops, d.peak_flops, d.time_s) for d in devices]),
        "bandwidth_utilization_share": _share([(d.moved_bytes, d.peak_bytes, d.time_s) for d in devices]),
    }


class AbovePeak(NamedTuple):
    """Operations or bytes a second that ops account for, and what the devices could do, both of all devices."""

    rate: float
    peak: float


def above_peaks(devices: Sequence[Used]) -> dict[str, AbovePeak]:
    """The shares that `utilization` withdraws, since no device does more than its peak; by their names."""
    given = {
        "flop_utilization_share": [(d.flops, d.peak_flops, d.time_s) for d in devices],
        "bandwidth_utilization_share": [(d.moved_bytes, d.peak_bytes, d.time_s) for d in devices],
    }
    found = {}
    for name, parts in given.items():
        known = [(amount, peak, time) for amount, peak, time in parts if amount is not None and peak is not None]
        did, could = sum(amount for amount, _, _ in known), sum(peak * time for _, peak, time in known)
        time_s = max((time for _, _, time in known), default=0.0)
        if len(known) == len(parts) and 0 < could < did and time_s:
            found[name] = AbovePeak(did / time_s, could / time_s)
    return found


def _share(given: Sequence[tuple[float | None, float | None, float]]) -> float | None:
    known = [(amount, peak * time) for amount, peak, time in given if amount is not None and peak is not None]
    most = sum(most for _, most in known)
    if len(known) < len(given) or not most:
        return None
    share = sum(amount for amount, _ in known) / most
    return share if share <= 1 else None
