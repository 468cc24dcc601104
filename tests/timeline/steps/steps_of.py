"""A built capture → its steps, checked, in a form that fits on a line."""

from __future__ import annotations

from tensorboard_perfplugin.messages import Message, message
from tensorboard_perfplugin.timeline.steps.find import find
from tensorboard_perfplugin.timeline.steps.model import Steps
from tests.build_capture import Line, Space, StatsGiven
from tests.timeline.timelines import timeline

#: 1 µs.
US = 1_000_000


def steps_of(space: Space, choice: str = "auto") -> Steps:
    found = find(timeline(space), choice)
    found.check()
    return found


def none_by(rule: str) -> Message:
    """Why there are no steps where a rule that was chosen holds nothing."""
    return message("no_steps.by_rule", rule=rule, needs=Message(f"step_rule_needs.{rule}"))


def rows(found: Steps) -> list[tuple[str, int, int, int]]:
    """Name, begin, end and next begin of each step, in µs; -1 stays."""
    columns = (found.begin_ps, found.end_ps, found.next_ps)
    times = [[t // US if t >= 0 else -1 for t in column.tolist()] for column in columns]
    return list(zip(found.name, *times, strict=True))


def thread(space: Space, name: str = "python", id: int = 1) -> Line:
    """A thread of the host's plane."""
    plane = next((p for p in space.planes if p.name == "/host:CPU"), None) or space.plane("/host:CPU")
    return plane.line(id, name)


def put(line: Line, name: str, begin: int, length: int, **stats: object) -> None:
    """An event, in µs."""
    given: StatsGiven = stats  # type: ignore[assignment]
    line.event(name, begin * US, length * US, given)
