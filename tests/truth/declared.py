"""What a case is: a base loop, the costs planted in it, and which first findings are right."""

from __future__ import annotations

import dataclasses
from typing import Any

#: Steps before the profiler starts, and steps that it records.
WARM, STEPS = 3, 12
#: Where one step alone is slow: which, counted from 0.
SLOW_STEP = 7


@dataclasses.dataclass(frozen=True)
class Plant:
    """One planted cost.

    where: a place of the loop: `between`, `map`, `dataset`. what: Python that is slow there, of `costs.WORK`; empty
    where the place is a cost itself, such as `retrace`. ms: per step on average, so where `every` is 5, each fifth
    step takes five times as much. every: 0 is one step alone, `SLOW_STEP`. measured: by a clock around it, by a clock
    around the loop's request for the next batch, or by what a step takes less without it.
    """

    where: str
    what: str = ""
    ms: float = 30.0
    every: int = 1
    codes: frozenset[str] = frozenset()
    measured: str = "clock"

    @property
    def name(self) -> str:
        often = {0: "@once", 1: ""}.get(self.every, f"@{self.every}")
        return (f"{self.where}:{self.what}" if self.what else self.where) + often

    @property
    def seconds(self) -> float:
        return self.ms / 1e3

    def seconds_at(self, step: int) -> float:
        """What it costs in a step, counted from 0; before the profiler starts, nothing of what is not in every step."""
        if self.every == 1:
            return self.seconds
        if self.every == 0:
            return self.seconds * STEPS if step == SLOW_STEP else 0.0
        return self.seconds * self.every if step >= 0 and step % self.every == self.every - 1 else 0.0


@dataclasses.dataclass(frozen=True)
class Case:
    """loop: `keras`, `tf`, `jax` or `torch`. plants: the larger first; none in a clean program. model: the compute of
    a step. flags: `unmarked`, `python` (the profiler traces Python) and others that a loop knows. codes: what the first
    finding may be; empty means those of the first plant."""

    loop: str
    plants: tuple[Plant, ...] = ()
    model: str = "small"
    flags: tuple[str, ...] = ()
    codes: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return "/".join((self.loop, self.model, *self.flags, "+".join(p.name for p in self.plants) or "plain"))

    @property
    def folder(self) -> str:
        return self.name.replace("/", ".").replace(":", "-").replace("@", "-")

    @property
    def last_step_ends(self) -> bool:
        """Whether marks give the last step an end, so that it is a whole one."""
        return self.loop == "torch" and not self.has("unmarked")

    def has(self, flag: str) -> bool:
        return flag in self.flags

    def plant(self, where: str) -> Plant | None:
        return next((plant for plant in self.plants if plant.where == where), None)

    def without_costs(self) -> Case:
        return dataclasses.replace(self, plants=())

    def to_json(self) -> dict[str, Any]:
        plain = dataclasses.asdict(self)
        for each in (plain, *plain["plants"]):
            each["codes"] = sorted(each["codes"])
        return plain


def case_from_json(plain: dict[str, Any]) -> Case:
    plants = tuple(Plant(**{**plant, "codes": frozenset(plant["codes"])}) for plant in plain["plants"])
    given = {**plain, "plants": plants, "flags": tuple(plain["flags"]), "codes": frozenset(plain["codes"])}
    return Case(**given)
