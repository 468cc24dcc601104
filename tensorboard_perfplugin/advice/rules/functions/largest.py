"""Functions of Python → the one with most own time that works, and by what kind of function it is what helps."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ....analysis.functions import is_library
from ....messages import Param
from ....threshold import Threshold
from ...finding import Finding
from .facts import Facts, share_of

OFTEN_PS = Threshold(
    "often",
    20_000_000,
    "ps",
    "a call that works for less costs as much as the call itself",
    "cProfile adds 0.3 to 1 µs a call",
)
MANY = Threshold("many", 10_000, "calls", "of fewer calls the call itself costs nothing that is seen", "a convention")

#: Functions below which operators, and devices, do the work.
_FRAMEWORK = re.compile(r"\b(?:torch|jaxlib|tensorflow|cupy\w*)\b")
#: What cProfile records of itself.
_OWN = {f"{{method '{name}' of '_lsprof.Profiler' objects}}" for name in ("enable", "disable")}


def largest(facts: Facts) -> Iterator[Finding]:
    """Always one where anything took time: what takes most is what a person wants to know first."""
    works = [wait is None and name not in _OWN for wait, name in zip(facts.waits, facts.all.names, strict=True)]
    own = np.where(works, np.nan_to_num(facts.all.sums.own_ps), 0.0)
    if not len(own) or own.max() <= 0:
        yield Finding(code="python_nothing_timed", params={"functions": len(facts.all)}, severity="note")
        return
    row = int(np.argmax(own))
    calls = max(int(facts.all.sums.calls[row]), 1)
    share = share_of(float(own[row]), facts.total_ps)
    params: dict[str, Param] = {
        **facts.named(row),
        "share": share,
        "total": facts.total_ps,
        "calls": calls,
        "per_call": float(own[row]) / calls,
        "often": calls >= MANY.value and float(own[row]) < OFTEN_PS.value * calls,
        "several": len(facts.run.hosts) > 1,
    }
    yield Finding(
        code=_code(facts, row),
        params=params,
        share=share,
        tool="python_profile",
        search=facts.all.names[row],
        match="exact",
    )


def _code(facts: Facts, row: int) -> str:
    file = facts.all.files[row]
    if file == "~" and _FRAMEWORK.search(facts.all.names[row]):
        return "python_largest.builtin"
    return "python_largest.library" if is_library(file) else "python_largest"
