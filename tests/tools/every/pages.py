"""The samples and the small shared captures → what each page says of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import PerfpluginError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import TOOLS
from tensorboard_perfplugin.tools.declaration import Result, Tool

SAMPLES = Path(__file__).parents[2] / "samples"
#: Larger ones take longer than they add.
_SMALL = 200_000
#: No captures, and long to be refused.
_OTHER = (".py", ".pyc", ".md")


class Page(NamedTuple):
    """What one page says of a file."""

    file: str
    tool: str
    result: Result


def files(root: Path) -> list[Path]:
    found = (path for path in sorted(root.rglob("*")) if path.is_file() and path.suffix not in _OTHER)
    return [path for path in found if root == SAMPLES or path.stat().st_size < _SMALL]


def pages_of(*paths: Path) -> dict[str, Page]:
    """By tool, of a file that can be read, or of several as hosts of one run; the trace has no page of findings, and
    what compares has no single run."""
    try:
        timelines = [Timeline(decode.read(str(path)), path.name) for path in paths]
    except PerfpluginError:
        return {}
    return {
        tool.name: Page(str(paths[0]), tool.name, _result(tool, shown))
        for tool in TOOLS
        if tool.name != "trace_viewer" and not tool.sided
        for shown in [[timeline for timeline in timelines if not tool.nothing(timeline)]]
        if shown
    }


def _result(tool: Tool, timelines: Sequence[Timeline]) -> Result:
    options = tool.parse({})
    return tool.combine([tool.per_host(timeline, options) for timeline in timelines], options)


def all_pages(*roots: Path) -> Iterator[dict[str, Page]]:
    """File by file."""
    for root in roots:
        for path in files(root):
            if pages := pages_of(path):
                yield pages
