"""The ordered list of tools. A new tool is its own file, its test, and one line here.

`TOOLS` imports them all when it is first asked for; a tool that is found by its name is imported alone.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ..advice.finding import Finding
from ..advice.text.catalogue import QualityInWords
from ..errors import NotFoundError
from ..tables import Evidence, Option, Options, Scalar, TableSpec
from .declaration import RANGE, Answer, Brief, BriefTable, FileUse, Result, Tool, View

#: Each is a file of this folder that declares the tool of its name, in capital letters.
NAMES = (
    "overview",
    "input_pipeline",
    "pod_viewer",
    "op_stats",
    "kernel_stats",
    "memory_profile",
    "tf_data",
    "trace_viewer",
    "roofline",
    "op_profile",
    "hlo_stats",
    "memory_viewer",
    "graph_viewer",
    "python_profile",
)

#: Those that compare two sides, and have nothing to say of one run.
OF_TWO = ("compare",)

#: Those that answer a question about one run, asked in words, and have no page.
ASKED = ("whatif",)

if TYPE_CHECKING:
    from ..advice.explained import explained
    from ..analysis.compare.changes import largest_peak
    from ..analysis.ranges import HostRange, Range, Resolved, host_range, resolve
    from .gate import Condition, Outcome, Quantity, against, check_code, judged, of_one, quantities, scalars, unlike
    from .step_changes import step_change, typical_steps

    TOOLS: tuple[Tool, ...]

#: What no page needs is imported when it is first asked for: name → its module.
_LATE = {
    **dict.fromkeys(("Condition", "Outcome", "Quantity", "against", "check_code", "judged"), ".gate"),
    **dict.fromkeys(("of_one", "quantities", "scalars", "unlike"), ".gate"),
    **dict.fromkeys(("step_change", "typical_steps"), ".step_changes"),
    **dict.fromkeys(("HostRange", "Range", "Resolved", "host_range", "resolve"), "..analysis.ranges"),
    "largest_peak": "..analysis.compare.changes",
    "explained": "..advice.explained",
}


def __getattr__(name: str) -> Any:
    if name == "TOOLS":
        return _all()
    if name in _LATE:
        return getattr(importlib.import_module(_LATE[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _all() -> tuple[Tool, ...]:
    if "TOOLS" not in globals():
        globals()["TOOLS"] = tuple(map(_tool, NAMES))
    found: tuple[Tool, ...] = globals()["TOOLS"]
    return found


def _tool(name: str) -> Tool:
    tool: Tool = getattr(importlib.import_module(f".{name}", __name__), name.upper())
    return tool


def listed() -> tuple[Tool, ...]:
    """All of them, those that compare two sides last."""
    return (*_all(), *map(_tool, OF_TWO))


def find_tool(name: str) -> Tool:
    """The tool of that name or alias, its words joined by _ or -. Raises NotFoundError that lists the names."""
    name = name.replace("-", "_")
    if name in (*OF_TWO, *ASKED):
        return _tool(name)
    if name in NAMES and "TOOLS" not in globals():
        return _tool(name)
    for tool in _all():
        if name == tool.name or name in tool.aliases:
            return tool
    raise NotFoundError(f"no tool {name[:80]!r}: the tools are {', '.join(t.name for t in _all())}")


__all__ = [
    "ASKED",
    "NAMES",
    "OF_TWO",
    "RANGE",
    "TOOLS",
    "Answer",
    "Brief",
    "BriefTable",
    "Condition",
    "Evidence",
    "FileUse",
    "Finding",
    "HostRange",
    "Option",
    "Options",
    "Outcome",
    "QualityInWords",
    "Quantity",
    "Range",
    "Resolved",
    "Result",
    "Scalar",
    "TableSpec",
    "Tool",
    "View",
    "against",
    "check_code",
    "explained",
    "find_tool",
    "host_range",
    "judged",
    "largest_peak",
    "listed",
    "of_one",
    "quantities",
    "resolve",
    "scalars",
    "step_change",
    "typical_steps",
    "unlike",
]
