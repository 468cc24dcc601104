"""A tool and timelines → its answer, checked, and rows of it. Partials are pickled, as between processes."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, Tool


def answered(tool: Tool, *timelines: Timeline, **options: str) -> Answer:
    chosen = tool.parse(options)
    quality = sum((t.capture.quality for t in timelines), Quality())
    return combined(tool, [tool.per_host(t, chosen) for t in timelines], [t.host for t in timelines], options, quality)


def combined(
    tool: Tool, parts: Sequence[Any], hosts: Iterable[str], options: Mapping[str, str], quality: Quality | None = None
) -> Answer:
    result = tool.combine([pickle.loads(pickle.dumps(part)) for part in parts], tool.parse(options))
    answer = Answer(tool, "run", tuple(hosts), result, quality or Quality(), "any")
    answer.check()
    return answer


def rows_of(answer: Answer, table: str, *columns: str, digits: int | None = None) -> list[tuple[Any, ...]]:
    """The rows of a table, of all columns where none is named, floats to so many digits."""
    cells = answer.to_dict()["tables"][table]["columns"]
    rows = zip(*(cells[name] for name in columns or cells), strict=True)
    return [tuple(round(c, digits) if digits and isinstance(c, float) else c for c in row) for row in rows]
