"""Values → text for people: three significant digits, units scaled, names cut in the middle, tables that fit."""

from __future__ import annotations

import datetime
import itertools
import math
import textwrap
from collections.abc import Sequence
from typing import Any

#: Unit → its size in the first unit of its family; scaled for showing to the largest that gives 1 or more.
_TIMES = (("ps", 1), ("ns", 10**3), ("µs", 10**6), ("ms", 10**9), ("s", 10**12))
_SIZES = (("B", 1), ("kB", 10**3), ("MB", 10**6), ("GB", 10**9), ("TB", 10**12))
#: Memory comes in powers of two.
_MEMORY = (("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40))
_TIME_UNITS = {"ps": 1, "ns": 10**3, "us": 10**6, "ms": 10**9, "s": 10**12}
_IN_NAMES = ("ps", "ns", "us", "ms", "s", "bytes", "percent")
#: Units that a name's end tells alone: no scaled value has them.
_SPOKEN = (("gb_s", "GB/s"), ("gflop_s", "GFLOP/s"), ("tflops", "TFLOP/s"), ("mhz", "MHz"))
UNKNOWN = "–"
#: A text column is not made narrower than this.
MIN_TEXT = 24
#: Lines of a text that is wrapped, and the part of the width that it keeps.
_LINES, _PART = 3, 1 / 3
#: A time longer than this counts from the epoch: no capture is three years long.
_EPOCH_PS = 10**8 * 10**12


def label(name: str, unit: str = "") -> str:
    """A column's name for people: without the unit, where that stands by the values."""
    plain = name.removesuffix(f"_{unit}") if unit in _IN_NAMES else name
    for end, words in _SPOKEN:
        if plain == end or plain.endswith(f"_{end}"):
            plain = plain.removesuffix(end) + words
    return plain.replace("_", " ")


def shown(value: Any, unit: str) -> str:
    """A value with its unit, scaled."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return printable(value)
    if unit in _TIME_UNITS:
        time_ps = value * _TIME_UNITS[unit]
        return _scaled(time_ps, _TIMES) if time_ps < _EPOCH_PS else date(time_ps / 10**12)
    if unit == "bytes":
        return _scaled(value, _SIZES)
    if unit == "memory":
        return _of_memory(value)
    if unit in ("share", "percent"):
        return f"{digits(value * 100 if unit == 'share' else value)} %"
    if isinstance(value, float):
        return digits(value)
    return str(value) if unit == "id" else f"{value:,}"


def date(time_s: float) -> str:
    """Seconds since the epoch as local time."""
    utc = datetime.datetime.fromtimestamp(time_s, datetime.timezone.utc)
    return utc.astimezone().strftime("%Y-%m-%d %H:%M:%S %Z")


def digits(value: float) -> str:
    """Three significant digits, never in powers of ten."""
    value = float(f"{value:.3g}")
    if value == 0:
        return "0"
    return f"{value:,.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"


def _scaled(value: float, units: Sequence[tuple[str, int]]) -> str:
    value = float(f"{value:.3g}")
    if value == 0:
        return "0"
    name, size = next(((n, s) for n, s in reversed(units) if abs(value) >= s), units[0])
    whole = size == 1 and value == int(value)
    return f"{int(value)} {name}" if whole else f"{digits(value / size)} {name}"


def _of_memory(value: float) -> str:
    """Three significant digits, more only for what is less than the next power of 1024."""
    if value == 0:
        return "0"
    name, size = next(((n, s) for n, s in reversed(_MEMORY) if abs(value) >= s * 0.9995), _MEMORY[0])
    number = value / size
    whole = abs(number) >= 999.5 or (size == 1 and number == int(number))
    return f"{number:,.0f} {name}" if whole else f"{digits(number)} {name}"


def printable(text: str) -> str:
    """The text with every character that a terminal would act on written as its escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cut(text: str, width: int) -> str:
    """At most `width` characters, the middle left out."""
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[len(text) - (width - 1 - head) :]}"


Rows = Sequence[Sequence[str]]


def table(
    headers: Sequence[str], rows: Rows, is_text: Sequence[bool], width: int, wrapped: int = -1
) -> tuple[str, int]:
    """Aligned lines, and how many columns fit. Text columns shrink before a column at the end is left out.

    wrapped: the text column that is broken into lines where it shrinks, and only then cut; -1 none is.
    """
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    least = [max(MIN_TEXT, int(width * _PART)) if i == wrapped else MIN_TEXT for i in range(len(widths))]
    fit = _fit(widths, is_text, width, least)
    lines = []
    for row in (headers, *rows):
        cells = [
            (_wrap(cell, wide) if i == wrapped else [cut(cell, wide)]) if text else [cell.rjust(wide)]
            for i, (cell, wide, text) in enumerate(zip(row, fit, is_text, strict=False))
        ]
        for parts in itertools.zip_longest(*cells, fillvalue=""):
            lines.append("  ".join(part.ljust(wide) for part, wide in zip(parts, fit, strict=True)).rstrip())
    return "\n".join(lines), len(fit)


def _wrap(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, those after the first set in by two; what does not fit them is cut."""
    lines = textwrap.wrap(
        text, width, subsequent_indent="  ", break_on_hyphens=False, max_lines=_LINES, placeholder=" …"
    )
    return lines or [""]


def _fit(widths: Sequence[int], is_text: Sequence[bool], width: int, least: Sequence[int]) -> list[int]:
    """The widths of the leading columns that fit. least: how narrow a text may become."""
    fit = list(widths)
    while len(fit) > 1:
        over = sum(fit) + 2 * (len(fit) - 1) - width
        places = [i for i in range(len(fit)) if is_text[i]]
        if over <= sum(max(0, fit[i] - least[i]) for i in places):
            break
        fit.pop()
    over = max(0, sum(fit) + 2 * (len(fit) - 1) - width)
    while over > 0:
        widest = max(range(len(fit)), key=lambda i: fit[i] - least[i] if is_text[i] else 0)
        if not is_text[widest] or fit[widest] <= least[widest]:
            break
        fit[widest] -= 1
        over -= 1
    return fit
