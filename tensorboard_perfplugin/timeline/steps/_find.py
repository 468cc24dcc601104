"""The rules by which steps are found, in order, and what a person may ask for instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ._calls import repeated_calls
from ._chosen import by_name, by_pattern
from ._device import device_steps
from ._input import input_cadence
from ._kernels import kernel_period
from ._markers import markers
from ._model import Steps, none
from ._numbered import numbered, self_numbered
from ._recorded import recorded

if TYPE_CHECKING:
    from .._timeline import Timeline


class Rule(NamedTuple):
    """name: as it is typed. title: what it goes by, for a page. find: the steps, or None where it holds nothing.

    looks_for: what it needs, as `no … was found` goes on.
    """

    name: str
    title: str
    find: Callable[[Timeline], Steps | None]
    looks_for: str


RULES = (
    Rule("recorded", "what TensorFlow recorded", recorded, "steps that TensorFlow computed when it captured"),
    Rule("markers", "the program's own step markers", markers, "event that marks a step to the profiler"),
    Rule("numbers", "step numbers", numbered, "event with a step number"),
    Rule("annotations", "names that number themselves", self_numbered, "name such as `ProfilerStep#12` or `train 7`"),
    Rule("device_steps", "steps on devices", device_steps, "line of steps or of repeated modules on a device"),
    Rule("calls", "repeated calls", repeated_calls, "function that is called again and again"),
    Rule("input", "asking for input", input_cadence, "repeated ask for the next input"),
    Rule("kernels", "repeated kernels", kernel_period, "sequence of kernels that repeats on a stream"),
)


def find(timeline: Timeline, choice: str = "auto") -> Steps:
    """The steps by the first rule that holds, or by what is chosen.

    choice: `auto`, the name of a rule, the name of an event, or `/regular expression/` over event names. Raises
    ArgumentError for a regular expression that is none.
    """
    if choice in ("", "auto"):
        return _first(timeline, RULES)
    named = tuple(rule for rule in RULES if rule.name == choice)
    if named:
        return _first(timeline, named)
    if len(choice) > 2 and choice[0] == choice[-1] == "/":
        return by_pattern(timeline, choice[1:-1])
    return by_name(timeline, choice)


def _first(timeline: Timeline, rules: tuple[Rule, ...]) -> Steps:
    """By the first of some rules that holds."""
    for rule in rules:
        found = rule.find(timeline)
        if found is not None:
            return found
    if not len(timeline.capture.events):
        return none("the capture holds no events")
    return none(
        f"none of these was found: {'; '.join(rule.looks_for for rule in rules)}"
        if len(rules) > 1
        else f"no {rules[0].looks_for} was found"
    )
