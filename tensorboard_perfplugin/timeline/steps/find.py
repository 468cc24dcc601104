"""The rules by which steps are found, in order, and what a person may ask for instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...messages import Message, message
from ...tables import intervals
from ..causes.launches import launches_of
from ..ops.ops import ops_of
from ..timeline import Timeline
from .calls import repeated_calls
from .chosen import by_name, by_pattern
from .device import device_steps
from .families import one_loop
from .input import input_cadence
from .kernels import kernel_period
from .markers import markers
from .model import Steps, none
from .numbered import numbered, self_numbered
from .recorded import recorded
from .window import within_recording


class Rule(NamedTuple):
    """name: as it is typed. find: the steps, or None where it holds nothing. guesses: whether it goes by what repeats,
    not by what the program or the collector says of steps."""

    name: str
    find: Callable[[Timeline], Steps | None]
    guesses: bool = False

    @property
    def title(self) -> Message:
        """What it goes by."""
        return step_rule(self.name)

    @property
    def needs(self) -> Message:
        """What a capture without steps lacks."""
        return Message(f"step_rule_needs.{self.name}")


def step_rule(name: str) -> Message:
    """What the rule of `Steps.rule` goes by: one of RULES, or `chosen`."""
    return Message(f"step_rule.{name}")


RULES = (
    Rule("recorded", recorded),
    Rule("markers", markers),
    Rule("numbers", numbered),
    Rule("annotations", self_numbered),
    Rule("device_steps", device_steps),
    Rule("calls", repeated_calls, guesses=True),
    Rule("input", input_cadence, guesses=True),
    Rule("kernels", kernel_period, guesses=True),
)


def find(timeline: Timeline, choice: str = "auto") -> Steps:
    """The steps by the first rule that holds, or by what is chosen.

    choice: `auto`, the name of a rule, the name of an event, or `/regular expression/` over event names. Raises
    ArgumentError for a regular expression that is none.
    """
    found = within_recording(timeline.capture, _found(timeline, choice))
    return one_loop(timeline, found) if choice in ("", "auto") else found


def _found(timeline: Timeline, choice: str) -> Steps:
    if choice in ("", "auto"):
        return _first(timeline, RULES)
    named = tuple(rule for rule in RULES if rule.name == choice)
    if named:
        return _first(timeline, named)
    if len(choice) > 2 and choice[0] == choice[-1] == "/":
        return by_pattern(timeline, choice[1:-1])
    return by_name(timeline, choice)


def _first(timeline: Timeline, rules: tuple[Rule, ...]) -> Steps:
    """By the first of some rules that holds; of several no guess that devices did nothing for."""
    for rule in rules:
        found = rule.find(timeline)
        if found is not None and (not rule.guesses or len(rules) == 1 or _owns_work(timeline, found)):
            return found
    if not len(timeline.capture.events):
        return none(Message("no_steps.no_events"))
    if len(rules) == 1:
        return none(message("no_steps.by_rule", rule=rules[0].name, needs=rules[0].needs))
    return none(message("no_steps.by_any_rule", needs=tuple(rule.needs for rule in rules)))


def _owns_work(timeline: Timeline, steps: Steps) -> bool:
    """Whether devices did nothing at all, or something launched in a step, or run in one where no launch is known.

    What a host repeats while devices work on something else is no step of theirs.
    """
    rows = ops_of(timeline).device.rows
    if not len(rows) or steps.on_device:
        return True
    launch = launches_of(timeline).rows[rows]
    at = timeline.capture.events.start_ps[np.where(launch >= 0, launch, rows)]
    walls = intervals.union(steps.begin_ps, steps.until_ps)
    return bool((np.searchsorted(walls.begin, at, side="right") > np.searchsorted(walls.end, at, side="right")).any())
