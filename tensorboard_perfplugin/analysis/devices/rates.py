"""What was computed and moved, beside what devices could have meanwhile → shares, rates, and what bounds.

One rule of all pages: what has a rate, which rates are believed, and what limits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...threshold import CHOSEN, Threshold
from .peaks import ABOVE

BELIEVED = Threshold(
    "rate that is believed",
    10,
    "times",
    "caches deliver some times the memory's peak; at more an asynchronous copy moves it, or the capture is wrong",
    CHOSEN,
)
COMPUTE, HBM = "Compute", "HBM"
_PS_PER_S, _GIGA = 1e12, 1e9
#: Categories of what begins a copy or a collective that goes on beside other ops, and of what only waits: for such a
#: one, for another device, or for the host.
_STARTS, _DONE, _WAITS = "-start", "-done", ("infeed", "outfeed", "send", "recv", "host send", "host recv")


def starts(category: str) -> bool:
    """Whether it begins what goes on beside other ops: its own time gives no rate."""
    return category.endswith(_STARTS)


def waits(category: str) -> bool:
    """Whether it only waits: what it waits for moves the bytes, beside it."""
    return category.endswith(_DONE) or category.startswith(_WAITS)


def ratio(part: float | None, whole: float | None) -> float | None:
    """None where either is unknown, or there is no whole, or next to none."""
    if part is None or whole is None or not 0 < whole < math.inf:
        return None
    share = part / whole
    return share if share < math.inf else None


def at_most_1(share: float | None) -> float | None:
    """None above 1: caches deliver what the memory cannot, or the capture contradicts itself."""
    return share if share is not None and share <= 1 else None


def is_above(share: float | None) -> bool:
    """Whether it is to have done more than a device can: its amount, its time or the peak are wrong."""
    return (share or 0.0) >= ABOVE.value


def bound_by(shares: Sequence[float | None], names: Sequence[str] = (COMPUTE, HBM)) -> str:
    """The name of the largest share of a roof, of compute first; empty where the first two are not both known, all are
    0, or one is not believed.
    """
    if shares[0] is None or shares[1] is None or is_above(shares[0]):
        return ""
    most = max(range(len(names)), key=lambda i: shares[i] or 0.0)
    return names[most] if 0 < (shares[most] or 0.0) <= BELIEVED.value else ""


def largest(shares: Sequence[float | None]) -> float | None:
    """Of its roof, which is the one that it is nearest to."""
    return max((share for share in shares if share is not None), default=None)


def giga_per_s(
    amount: float | None, time_ps: float, of_peak: float | None = None, most: float = math.inf
) -> float | None:
    """10⁹ a second; None where it is so many times the peak that it is not believed."""
    rate = ratio(amount, time_ps)
    return None if rate is None or (of_peak or 0.0) > most else rate * _PS_PER_S / _GIGA
