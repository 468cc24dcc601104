"""Numbers → the words of a finding's sentence."""

from __future__ import annotations

#: So much of a name goes into a sentence.
IN_WORDS = 200
#: Percents that are told apart from nothing, and from all.
_LEAST = 0.01
#: From here on three digits are one of the next unit: 999.6 µs are 1 ms.
_ROUNDS_TO_1 = 0.9995


def percent(share: float) -> str:
    """Whole percents, with the digits that keep 0.3 % from reading as nothing and 99.6 % as all."""
    number = 100 * share
    if 0 < number < _LEAST:
        return f"< {_LEAST} %"
    if 100 - _LEAST < number < 100:
        return f"> {100 - _LEAST} %"
    return f"{number:.2f} %" if 0 < number < 1 or 99 < number < 100 else f"{number:.0f} %"


def clipped(text: str, most: int = IN_WORDS) -> str:
    """The beginning of a long name, which ends with a whole frame of a stack, or a whole word, and `…`."""
    if len(text) <= most:
        return text
    for mark in (" ← ", " "):
        end = text.rfind(mark, most // 4, most - 1)
        if end >= 0:
            return f"{text[:end]}{mark}…"
    return f"{text[: most - 1]}…"


def duration(ps: float) -> str:
    """Three significant digits, scaled to the value; captures tell no less than a picosecond."""
    for unit, size in (("s", 1e12), ("ms", 1e9), ("µs", 1e6)):
        value = ps / size
        if value >= _ROUNDS_TO_1:
            return f"{value:.3g} {unit}" if value < 1000 * _ROUNDS_TO_1 else f"{value:,.0f} {unit}"
    return "< 1 ps" if 0 < ps < 1 else f"{ps / 1e3:.3g} ns"
