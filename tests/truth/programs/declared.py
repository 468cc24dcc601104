"""What a program is: a function that makes its step, and the words by which its costs are named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

Step: TypeAlias = Callable[[int], object]


class Kit(NamedTuple):
    """What a program is made with. lib: `torch`, `jax` or `tensorflow`. costs: which of its costs it has, from 0."""

    lib: Any
    costs: frozenset[int]

    def has(self, cost: int = 0) -> bool:
        return cost in self.costs


class Program(NamedTuple):
    """costs: for each the words of which one is in the first finding that names it, or the code of one; none in a clean
    program. marked: whether its steps are. processors: devices that the framework is to see.
    """

    framework: str
    make: Callable[[Kit], Step]
    costs: tuple[tuple[str, ...], ...] = ()
    marked: bool = True
    processors: int = 1

    @property
    def name(self) -> str:
        return f"{self.framework}/{self.make.__name__}"


PROGRAMS: dict[str, Program] = {}


def program(
    framework: str, *costs: tuple[str, ...], marked: bool = True, processors: int = 1
) -> Callable[[Callable[[Kit], Step]], Callable[[Kit], Step]]:
    def listed(make: Callable[[Kit], Step]) -> Callable[[Kit], Step]:
        made = Program(framework, make, costs, marked, processors)
        PROGRAMS[made.name] = made
        return make

    return listed
