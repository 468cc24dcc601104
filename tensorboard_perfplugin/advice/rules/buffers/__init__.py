"""Rules on the buffers of an XLA program: what its peak is, whether memory is nearly used up, what would save some."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.buffers.host import Shown
from ...finding import Finding, worst_first
from .capacity import near_capacity
from .donation import could_be_donated
from .padding import mostly_padding
from .peak import of_peak, saving_how

_RULES: tuple[Callable[[Shown], Iterator[Finding]], ...] = (near_capacity, of_peak, mostly_padding, could_be_donated)


def buffer_findings(shown: Shown) -> tuple[Finding, ...]:
    """What may end the run comes first, then what fills the memory at its peak."""
    return worst_first(finding for rule in _RULES for finding in rule(shown))


__all__ = ["buffer_findings", "saving_how"]
