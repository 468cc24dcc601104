"""Values, their units, and the text of their cells → tests/units.json, to which both languages are held.

`TZ=UTC python -m tests.make_units > tests/units.json` after the rule has changed; read the difference.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from tensorboard_perfplugin import units

#: Each about where the number of digits, or the unit, changes.
STEPS = (1, 1.25, 2.125, 9.994, 9.995, 12.5, 36.98, 99.95, 100, 250.5, 640, 999.4, 999.5, 999.7, 1023, 1024, 7200)
SCALES = {
    "ps": (1, 1e3, 1e6, 1e9, 1e12),
    "ns": (1e-3, 1, 1e9),
    "us": (1e-6, 1e-3, 1, 1e3),
    "ms": (1e-9, 1e-3, 1, 1e3),
    "s": (1e-12, 1e-6, 1),
    "bytes": (1, 1e3, 1e6, 1e9, 1e12),
    "memory": (1, 2**10, 2**20, 2**30, 2**40),
    "bytes_per_s": (1, 1e9),
    "gb_s": (1e-6, 1, 1e3),
    "gflop_s": (1e-9, 1, 1e3, 1e6),
    "tflops": (1e-3, 1),
    "per_s": (1e-3, 1, 1e3),
    "mhz": (1,),
    "count": (1, 1e3),
    "": (1e-5, 1e-3, 1, 1e6),
}
SHARES: tuple[float, ...] = (
    0,
    1e-6,
    0.00009,
    0.0001,
    0.0042,
    0.00995,
    0.0125,
    0.05,
    0.09994,
    0.09995,
    0.125,
    0.625,
    0.92,
    0.9949,
)
SHARES += (0.995, 0.9994, 0.9995, 0.9999, 0.99995, 1, 1.001, 1.5, 12.5, -0.00001, -0.0042, -0.5, -1)
#: Nothing, less than nothing, less than can be measured, more than a scale holds; instants; what is no number.
ODD: tuple[tuple[float | str | bool | None, str], ...] = (
    *((0, unit) for unit in SCALES),
    *((-1500, unit) for unit in SCALES),
    *((0.25, "ps"), (-0.25, "ps"), (1e-13, "ms"), (0.3, "bytes"), (-0.5, "memory")),
    *((1e17, "bytes"), (2**63, "memory"), (86_400_000, "ms"), (1e18, "gflop_s")),
    *((1_795_172_165_276, "ms"), (1_795_172_165, "s"), (94_608_000, "s"), (94_608_001, "s")),
    *((14132, "id"), (0, "id"), (None, "ms"), (None, ""), (True, ""), (False, ""), ("Map", ""), ("123", "ns")),
)
NUMBERS_OF: tuple[tuple[int, str], ...] = (
    (0, "host"),
    (1, "host"),
    (3, "host"),
    (1200, "run"),
    (2, "branch"),
    (2, "process"),
    (2, "box"),
)
NUMBERS_OF += ((2, "copy"), (1, "copy"), (2, "key"))


def values() -> Iterator[tuple[float | str | bool | None, str]]:
    for unit, sizes in SCALES.items():
        yield from ((step * size, unit) for size in sizes for step in STEPS)
    yield from ((share, "share") for share in SHARES)
    yield from ((100 * share, "percent") for share in SHARES)
    yield from ODD


def text() -> str:
    cells = [json.dumps([x, unit, units.value(x, unit)], ensure_ascii=False) for x, unit in values()]
    counts = [json.dumps([n, one, units.count(n, one)]) for n, one in NUMBERS_OF]
    return "\n".join(['{"cells": [', ",\n".join(cells), '], "counts": [', ",\n".join(counts), "]}", ""])


if __name__ == "__main__":
    sys.stdout.write(text())
