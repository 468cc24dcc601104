"""Time in which a step only moves data: output, copies and collectives that nothing overlaps."""

from __future__ import annotations

import re

from ....messages import Param
from ....threshold import Threshold
from .case import Answer, Case, Cause, function_name, largest

OUTPUT_FIRST = Threshold("output_first", 0.1, "share", "writing, which another thread can do")
COPIES_FIRST = Threshold("copies_first", 0.2, "share", "copies that could overlap compute")
COLLECTIVES_FIRST = Threshold("collectives_first", 0.2, "share", "collectives that could overlap compute")
#: By category the code of the copies that are most of it.
_COPIES = {
    "copy_in": "copies_exposed.to_device",
    "copy_out": "copies_exposed.to_host",
    "copy_device": "copies_exposed.on_device",
}
_COPY = re.compile(r"mem(cpy|set)|copy", re.IGNORECASE)
_COLLECTIVE = re.compile(r"all|reduce|collective|ccl|send|recv", re.IGNORECASE)


def _writes(case: Case, ps: float) -> Answer:
    name, spent = largest(case.summary.writes)
    params: dict[str, Param] = {"device": case.step.device}
    if not case.is_most(spent, ps):
        return Answer("output_bound", params)
    return Answer("output_bound", {**params, "function": name}, search=function_name(name))


def _copies(case: Case, ps: float) -> Answer:
    most = max(_COPIES, key=lambda key: case.step.by_category[key])
    tpu = most != "copy_device" and any(
        unit.kind == "tpu" for part in case.step.means.parts for unit in part.split.units
    )
    return Answer(_COPIES[most], {"copy": _moved(case, _COPY), "tpu": tpu or None}, "op_stats", "Memcpy")


def _collectives(case: Case, ps: float) -> Answer:
    params: dict[str, Param] = {"collective": _moved(case, _COLLECTIVE)}
    n = max(case.summary.steps, 1)
    sums, updates = round(case.summary.gradient_sums / n), round(case.summary.updates / n)
    if not updates or sums <= updates:
        return Answer("collectives_exposed", params, "pod_viewer")
    params |= {"sums": sums, "updates": updates, "again": (sums - updates) / sums}
    return Answer("collectives_exposed.again", params, "pod_viewer")


def _moved(case: Case, pattern: re.Pattern[str]) -> str | None:
    return next((name for name in case.summary.moves if pattern.search(name)), None)


OUTPUT = Cause("output", ("output",), OUTPUT_FIRST, _writes)
COPIES = Cause("copies", tuple(_COPIES), COPIES_FIRST, _copies)
COLLECTIVES = Cause("collectives", ("collective",), COLLECTIVES_FIRST, _collectives)
