"""The stage that limits an input pipeline → why steps wait and what to do, as text, for rules that make sentences."""

from __future__ import annotations

from ...analysis.input.bottleneck import Bottleneck
from ..text.catalogue import sentence
from .limit.reason import limit_action, limit_reason


def blamed(bottleneck: Bottleneck, steps: int, wait_ps: float) -> tuple[str, str]:
    """What makes each of some steps wait for so long, and what to do."""
    return sentence(limit_reason(bottleneck, steps, wait_ps)), sentence(limit_action(bottleneck, steps, wait_ps))
