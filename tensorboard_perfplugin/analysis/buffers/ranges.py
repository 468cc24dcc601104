"""Where buffers of an XLA program are live: events of a heap simulation → places in the order of instructions.

An event that frees a buffer names the instruction that made it, not the last one that uses it. That is looked up among
the users, through what only passes a buffer on, and lies between the events around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from ...timeline import FREE, Placed
from .replay import Life, Replay

#: What gives its operand on as a whole.
_PASSES_ON = ("bitcast", "optimization-barrier", "add-dependency", "while")
#: Steps from buffers to what uses them, of one program; beyond, the events alone tell.
_MAX_STEPS = 1_000_000
#: Tuples in tuples.
_MAX_DEPTH = 8


#: Of buffers the place of what makes them, and which part of its result they are.
Made: TypeAlias = Mapping[int, tuple[int, tuple[int, ...]]]


class Order:
    """Instructions in the order in which they run. by_name, by_key: their places."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self.placed = placed
        self.by_name = {one.instruction.name: i for i, one in enumerate(placed)}
        self.by_key = {(one.computation, one.key): i for i, one in enumerate(placed)}
        self._users: list[list[tuple[int, int]]] = [[] for _ in placed]
        for i, (_, computation, one) in enumerate(placed):
            for number, operand in enumerate(one.operands):
                at = self.by_key.get((computation, operand))
                if at is not None:
                    self._users[at].append((i, number))
        ends = {one.computation: i for i, one in enumerate(placed)}
        #: Of computations that others call: their results are read by the caller.
        self._results = set(ends.values()) - {len(placed) - 1}
        self._left = _MAX_STEPS

    def name(self, place: int | None) -> str:
        return "" if place is None or not self.placed else self.placed[place].instruction.name

    def used_last(self, place: int, index: tuple[int, ...]) -> int:
        """By which instruction, of a part of what one makes."""
        waiting, seen, last = [(place, index)], {(place, index)}, place
        while waiting and self._left > 0:
            at, part = waiting.pop()
            last = max(last, at + 1 if at in self._results else at)
            for user, number in self._users[at]:
                self._left -= 1
                passed = self._passed(user, number, at, part)
                if passed is not None and (user, passed) not in seen:
                    seen.add((user, passed))
                    waiting.append((user, passed))
                elif passed is None and self.placed[user].instruction.opcode != "get-tuple-element":
                    last = max(last, self._until(user))
        return last

    def _passed(self, user: int, number: int, at: int, part: tuple[int, ...]) -> tuple[int, ...] | None:
        """Which part of what the user gives is the same memory, None for none."""
        one = self.placed[user].instruction
        if one.opcode == "tuple":
            return (number, *part) if len(part) < _MAX_DEPTH else None
        if one.opcode == "get-tuple-element":
            return part[1:] if part[:1] == (one.element,) else None
        if one.opcode.endswith("-done"):
            # What is copied stays with the start, whose result has what it becomes first.
            return part[1:] if part[:1] == (0,) else None
        return part if one.opcode in _PASSES_ON else None

    def _until(self, user: int) -> int:
        """What is read by something that is started is read until that is done."""
        if not self.placed[user].instruction.opcode.endswith("-start"):
            return user
        return max((done for done, _ in self._users[user]), default=user)


def ranges(order: Order, replay: Replay, made: Made) -> dict[int, tuple[int, int]]:
    """Of each place in memory the first and the last instruction, where the order has them."""
    found = {}
    least, most = _bounds(order, replay)
    for of, life in replay.lives.items():
        first = order.by_name.get(replay.events[life.first].instruction)
        if first is None:
            continue
        found[of] = first, max(first, _last(order, life, made, (least, most)))
    return found


def _last(order: Order, life: Life, made: Made, bounds: tuple[list[int], list[int]]) -> int:
    if life.last >= len(bounds[0]):
        return len(order.placed) - 1
    used = max((order.used_last(*made[buffer]) for buffer in life.buffers if buffer in made), default=0)
    least, most = bounds[0][life.last], bounds[1][life.last]
    return min(max(used, least), max(most, least))


def _bounds(order: Order, replay: Replay) -> tuple[list[int], list[int]]:
    """Of each event the earliest and the latest place at which it can be: what makes a buffer before, and after it."""
    places = [None if event.kind == FREE else order.by_name.get(event.instruction) for event in replay.events]
    least, most = [0] * len(places), [0] * len(places)
    reached, ahead = 0, len(order.placed) - 1
    for i, place in enumerate(places):
        reached = least[i] = max(reached, place or 0)
    for i in range(len(places) - 1, -1, -1):
        place = places[i]
        most[i] = ahead if place is None else place
        if place is not None:
            ahead = min(ahead, place - 1)
    return least, most
