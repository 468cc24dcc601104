"""Numbers → the words of a finding's sentence."""

from __future__ import annotations


def percent(share: float) -> str:
    """Whole percents, with the digits that keep 0.3 % from reading as nothing and 99.6 % as all."""
    return f"{share:.2%}" if 0 < share < 0.01 or 0.99 < share < 1 else f"{share:.0%}"


def duration(ps: float) -> str:
    """Three significant digits, scaled to the value."""
    for unit, size in (("s", 1e12), ("ms", 1e9), ("µs", 1e6)):
        if ps >= size:
            return f"{ps / size:.3g} {unit}" if ps < 1000 * size else f"{ps / size:,.0f} {unit}"
    return f"{ps / 1e3:.3g} ns"
