"""Rules on what captures hold and lack."""

from collections.abc import Callable, Iterator

from ....analysis.hosts.environment import Loss
from ...finding import Finding
from . import losses
from .losses import not_shown

#: What is asked of each host's capture, in the order of the findings.
RULES: tuple[Callable[[Loss], Iterator[Finding]], ...] = (
    losses.profiler_reported,
    losses.file_damaged,
)


def reported(loss: Loss) -> Iterator[Finding]:
    """What the rules say of one host's capture."""
    return (finding for rule in RULES for finding in rule(loss))


__all__ = ["RULES", "not_shown", "reported"]
