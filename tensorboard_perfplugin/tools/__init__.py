"""The ordered list of tools. A new tool is its own file, its test, and one line here."""

from __future__ import annotations

from ..errors import NotFoundError
from ._tool import Answer, Evidence, Finding, Option, Options, Result, Scalar, TableSpec, Tool, View
from .input_pipeline import INPUT_PIPELINE
from .kernel_stats import KERNEL_STATS
from .memory_profile import MEMORY_PROFILE
from .op_stats import OP_STATS
from .overview import OVERVIEW
from .pod_viewer import POD_VIEWER
from .tf_data import TF_DATA
from .trace_viewer import TRACE_VIEWER

TOOLS: tuple[Tool, ...] = (
    OVERVIEW,
    INPUT_PIPELINE,
    POD_VIEWER,
    OP_STATS,
    KERNEL_STATS,
    MEMORY_PROFILE,
    TF_DATA,
    TRACE_VIEWER,
)


def find_tool(name: str) -> Tool:
    """The tool of that name or alias. Raises NotFoundError that lists the names."""
    for tool in TOOLS:
        if name == tool.name or name in tool.aliases:
            return tool
    raise NotFoundError(f"no tool {name[:80]!r}: the tools are {', '.join(t.name for t in TOOLS)}")


__all__ = [
    "TOOLS",
    "Answer",
    "Evidence",
    "Finding",
    "Option",
    "Options",
    "Result",
    "Scalar",
    "TableSpec",
    "Tool",
    "View",
    "find_tool",
]
