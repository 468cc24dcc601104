"""A range, and the files of a run → the part of each host that a tool is asked about, and the messages about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from .. import tools
from ..messages import Message, message
from ..timeline.timeline import Timeline
from ..tools import Options, Tool

if TYPE_CHECKING:
    from ..tools import Range, Resolved
    from .choice import Choice

#: What ranges are called where options are given by name.
NAMES = tuple(option.name for option in tools.RANGE)
#: Before these names where the range is of the base of a comparison.
BASE = "base_"


class Asked(NamedTuple):
    """The options of a tool, and what of the run it is asked about, None for all."""

    options: Options
    range: Range | None = None

    @property
    def key(self) -> tuple[object, ...]:
        return (*self.options.items(), self.range and self.range.text)

    @property
    def steps_from(self) -> str:
        return str(self.options.get("steps_from", "auto"))


def parse_request(tool: Tool, given: Mapping[str, str]) -> Asked:
    """What a person gave by name. Raises ArgumentError."""
    options = tool.parse({name: text for name, text in given.items() if name not in NAMES})
    return Asked(options, range_of(given))


def range_of(given: Mapping[str, str]) -> Range | None:
    """None for all of a run. Raises ArgumentError."""
    some = {name: given[name] for name in NAMES if given.get(name)}
    return tools.Range.parse(**some) if some else None


def ranges_of_sides(given: Mapping[str, str | None]) -> tuple[Range | None, Range | None]:
    """The ranges of the base and of the other side. A base without a range of its own takes that of the other side.
    Raises ArgumentError."""
    new = {name: given.get(name) or "" for name in NAMES}
    base = {name: given.get(BASE + name) or "" for name in NAMES}
    return range_of(base if any(base.values()) else new), range_of(new)


def narrowed(tool: Tool, options: Options, found: Resolved) -> Options:
    """The options of a tool that shows all of a window: the range is that, unless another one is given."""
    if tool.in_range != "window" or options["start_ps"] is not None or options["end_ps"] is not None:
        return options
    return {**options, "start_ps": found.span_ps[0], "end_ps": found.span_ps[1]}


def is_part(tool: Tool, options: Options) -> bool:
    """Whether figures are of the part alone: in the trace those that show what another page's number was made of."""
    return tool.in_range == "part" or (tool.in_range == "window" and options["match"] == "row")


def part_of(timeline: Timeline, tool: Tool, options: Options, found: Resolved | None) -> Timeline:
    """What of a host's timeline a tool is asked about."""
    selection = found.by_host.get(timeline.host) if found and is_part(tool, options) else None
    if selection is None:
        return timeline
    # Most pages are of all steps.
    from ..timeline.ranges import cut_to

    return cut_to(timeline, selection)


def in_range(choices: Iterable[Choice], tool: Tool, options: Options, found: Resolved | None) -> Iterable[Choice]:
    """Choices of the hosts that have a part of a range, or cannot be read."""
    if found is None or not is_part(tool, options):
        return choices
    return [choice for choice in choices if found.by_host.get(choice.file.label, choice)]


def range_messages(tool: Tool, found: Resolved | None, of: Range | None, side: str = "") -> tuple[Message, ...]:
    """What an answer is of. side: of which capture of a comparison."""
    if of is None:
        return ()
    if tool.in_range == "whole":
        return (message("range_of_whole", range=of.name),)
    if found is None:
        return ()
    without = [host for host, selection in found.by_host.items() if selection is None and tool.in_range == "part"]
    left_out = (message("host_left_out", host=host, error="it has no part of the range") for host in without)
    return (message("range_of_side", capture=side, range=found.message) if side else found.message, *left_out)
