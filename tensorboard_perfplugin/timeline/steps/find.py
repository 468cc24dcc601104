"""The rules by which steps are found, in order, and what a person may ask for instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..timeline import Timeline
from .calls import repeated_calls
from .chosen import by_name, by_pattern
from .device import device_steps
from .input import input_cadence
from .kernels import kernel_period
from .markers import markers
from .model import Steps, none
from .numbered import numbered, self_numbered
from .recorded import recorded


class Rule(NamedTuple):
    """name: as it is typed. title: what it goes by, for a page. find: the steps, or None where it holds nothing.

    goes_by: what it needs, for a page that has no steps.
    """

    name: str
    title: str
    find: Callable[[Timeline], Steps | None]
    goes_by: str


RULES = (
    Rule("recorded", "what TensorFlow recorded", recorded, "a list of steps in the file"),
    Rule("markers", "the program's own step markers", markers, "events that mark a step to the profiler"),
    Rule("numbers", "step numbers", numbered, "events with a step number"),
    Rule("annotations", "names that number themselves", self_numbered, "names such as `ProfilerStep#12` or `train 7`"),
    Rule("device_steps", "steps on devices", device_steps, "a device's line of steps, or of modules that repeat"),
    Rule("calls", "repeated calls", repeated_calls, "a function that is called again and again"),
    Rule("input", "asking for input", input_cadence, "input that is asked for again and again"),
    Rule("kernels", "repeated kernels or operations", kernel_period, "a sequence of kernels that repeats"),
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
    if len(rules) == 1:
        return none(f"the rule `{rules[0].name}` finds none here: it goes by {rules[0].goes_by}")
    return none(f"none of these was found: {'; '.join(rule.goes_by for rule in rules)}")
