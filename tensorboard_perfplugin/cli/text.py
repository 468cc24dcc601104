"""Text for a terminal: names cut in the middle, tables that fit."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence

#: A text column is not made narrower than this.
MIN_TEXT = 24
#: Lines of a text that is wrapped, and the part of the width that it keeps.
_LINES, _PART = 3, 1 / 3


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
