"""Rules on the input of a run: whether steps wait for it, what costs most, and what to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.input.run import Input
from ...finding import Finding
from ..steps import all_of_a_long_run
from .answer import answer
from .copies import copies_exposed, copies_pageable
from .level import BOUND, HIGH, MODERATE, MODERATELY, NOT, hidden_input, level, verdict
from .prefetch import calls_of, nothing_prefetched
from .reasons import no_steps
from .slow import with_slow_steps
from .threads import waits_for_threads
from .uneven import uneven_waits

#: In this order; the first answers the page's question for typical steps.
RULES: tuple[Callable[[Input], Iterator[Finding]], ...] = (
    answer,
    copies_exposed,
    copies_pageable,
    nothing_prefetched,
    waits_for_threads,
    uneven_waits,
    lambda run: all_of_a_long_run(run.means),
)


def input_findings(run: Input) -> tuple[Finding, ...]:
    """What all rules say of a run's input."""
    rest = (finding for rule in RULES[1:] for finding in rule(run))
    return with_slow_steps(run, tuple(RULES[0](run)), rest)


__all__ = [
    "BOUND",
    "HIGH",
    "MODERATE",
    "MODERATELY",
    "NOT",
    "calls_of",
    "hidden_input",
    "input_findings",
    "level",
    "no_steps",
    "verdict",
    "with_slow_steps",
]
