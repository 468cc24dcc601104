"""A timeline and a tool → what the host gives to the tool's answer."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..formats import Vocabulary
from ..tables import Options, Quality
from ..timeline.timeline import Timeline
from ..tools import Tool


class Given(NamedTuple):
    """What one host gives to an answer, in whose words its capture is described, and why it has nothing, or None."""

    partial: Any
    quality: Quality
    decoder: str
    vocabulary: Vocabulary
    nothing: str | None


def given(tool: Tool, timeline: Timeline, part: Timeline, options: Options) -> Given:
    """part: what of the timeline the answer is of. Raises what the tool raises."""
    capture = timeline.capture
    return Given(
        tool.per_host(part, options),
        capture.quality,
        capture.decoder,
        capture.capabilities.vocabulary,
        tool.nothing(timeline),
    )
