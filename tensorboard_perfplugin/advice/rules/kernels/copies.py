"""Copies and fills → those that are slow, and how long no kernel runs beside them."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.merged import Copy, Merged, copy_key, exposed_copy_ps, gpu_ps, largest_copies
from ....messages import Param
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ...finding import Finding

_CAPTURES = "chosen on the captures of the tests and public ones"
LISTED = Threshold(
    "a row of copies",
    0.01,
    "share",
    "of the time of all kernels and copies; copies of less are not worth a line",
    _CAPTURES,
)
#: By the way that most of them go, the code of what is said of exposed copies; else they stay on devices.
_EXPOSED = {"H2D": "copies_exposed", "D2H": "copies_exposed.back"}
#: So many of the largest rows are looked at.
_MOST_COPIES = 5
HEAVY = Threshold(
    "slow copies to warn of", 0.05, "share", "of the time of all kernels and copies; less is a note", _CAPTURES
)
EXPOSED = Threshold(
    "copies beside no kernel",
    0.05,
    "share",
    "of the time of all kernels and copies; less gains no more than captures of one program differ",
    _CAPTURES,
)
SLOW = Threshold(
    "a slow copy",
    0.3,
    "share",
    "of what PCIe carries; large copies of pinned memory reach well over half of it",
    _CAPTURES,
)
FAST = Threshold(
    "a fast copy of pageable memory",
    0.8,
    "share",
    "of what PCIe carries; what reaches so much is not copied twice, whatever the capture calls its memory",
    _CAPTURES,
)
FEW = Threshold("small copies", 10, "copies", "fewer cannot be made one to any gain", CHOSEN)
SMALL = Threshold("a small copy", 64 << 10, "bytes", "below it starting a copy takes longer than its bytes", _CAPTURES)


def slow_copies(merged: Merged) -> Iterator[Finding]:
    """Between host and device: of pageable memory, or far below what the bus carries."""
    for copy in largest_copies(merged, LISTED.value, _MOST_COPIES):
        rate, bus = copy.bytes_per_s, copy.bus_bytes_per_s
        if copy.kind.kind not in ("H2D", "D2H") or rate is None:
            continue
        of_bus = rate / bus if bus else None
        pageable = "pageable" in (copy.kind.source, copy.kind.destination)
        pageable = pageable and not (of_bus is not None and of_bus > FAST.value)
        worth = copy.average_bytes >= SMALL.value or copy.executions >= FEW.value
        if worth and (pageable or (of_bus is not None and of_bus < SLOW.value)):
            yield _slow(merged, copy, pageable)


def _slow(merged: Merged, copy: Copy, pageable: bool) -> Finding:
    memory = "pageable" if pageable else "host"
    params: dict[str, Param] = {
        "kind": copy.kind.kind,
        "source": memory if copy.kind.kind == "H2D" else "device",
        "destination": "device" if copy.kind.kind == "H2D" else memory,
        "total_ps": copy.total_ps,
        "bytes_per_s": copy.bytes_per_s,
        "bus_bytes_per_s": copy.bus_bytes_per_s,
    }
    code = "copies_slow.pageable" if pageable else "copies_slow"
    if copy.average_bytes < SMALL.value:
        code = "copies_slow.small"
        params |= {"executions": copy.executions, "average_bytes": copy.average_bytes}
    else:
        params["to_device"] = copy.kind.kind == "H2D"
    return Finding(
        code=code,
        params=params,
        severity="warning" if copy.share >= HEAVY.value else "note",
        share=copy.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.copies.total_us", **copy_key(merged, copy.row)),
        match="row",
    )


def exposed_copies(merged: Merged) -> Iterator[Finding]:
    everything, by_way = gpu_ps(merged), exposed_copy_ps(merged)
    exposed_ps = sum(by_way.values())
    if everything and exposed_ps >= EXPOSED.value * everything:
        most = max(by_way, key=lambda way: by_way[way])
        share = min(exposed_ps / everything, 1.0)
        yield Finding(
            code=_EXPOSED.get(most, "copies_exposed.within"),
            params={"exposed_ps": exposed_ps, "share": share},
            severity="note",
            share=share,
            tool="trace_viewer",
        )
