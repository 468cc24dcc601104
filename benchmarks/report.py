"""Cells of the tables that the benchmarks print, and what they say meanwhile."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence

MB = 1e6


def spread(values: Sequence[float], unit: str) -> str:
    """Median, 95th percentile, largest."""
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return f"{cuts[9]:.1f} / {cuts[18]:.1f} / {max(values):.1f} {unit}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    cells = [list(head), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    for row in cells:
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
