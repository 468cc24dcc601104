"""The last buffer before the program → whether the pipeline or the steps are slower."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.partial import Run
from ....messages import Param
from ....threshold import Threshold
from ...finding import Finding
from ..input.level import NOT, level
from .answer import calls_of

EMPTY = Threshold(
    "buffer_empty",
    0.2,
    "share",
    "A buffer with no more than this part of its limit is drained as fast as it is filled.",
)
FULL = Threshold(
    "buffer_full", 0.8, "share", "A buffer with more than this part of its limit is filled faster than it is drained."
)


def last_buffer(run: Run) -> Iterator[Finding]:
    """What the chosen pipeline's last prefetch held when it was asked."""
    if run.chosen is None:
        return
    host, chosen = run.chosen
    pipeline = host.pipelines[chosen.pipeline]
    node = next((n for n in chosen.graph if n.hands_over and n.settings.buffered is not None), None)
    if node is None or node.name != "Prefetch" or node.settings.buffered is None:
        return
    held, limit = node.settings.buffered, node.settings.buffer_limit
    if not limit:
        return
    params: dict[str, Param] = {"pipeline": pipeline.name, "held": held, "limit": limit}
    if held < EMPTY.value * limit and level(run.share(pipeline)) != NOT:
        yield Finding(
            code="tf_data_buffer_empty", params=params, tool="trace_viewer", search=calls_of(pipeline), match="row"
        )
    elif held > FULL.value * limit:
        yield Finding(code="tf_data_buffer_full", params=params)
