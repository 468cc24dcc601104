"""A clean program beside the same one with a planted cost → whether the comparison has the change, and its cause."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tensorboard_perfplugin
from tensorboard_perfplugin.analysis.compare.changes import difference
from tensorboard_perfplugin.tools import Answer
from tests.truth.cases import INPUT, PLACES
from tests.truth.declared import Case
from tests.truth.judge import Truth, truth_at
from tests.truth.report import aligned, number, rate

#: The part of the stopwatch's change that the comparison's may differ from it, and ms that no clock tells apart.
NEAR, NEAR_MS = 0.1, 0.05
#: Programs with this flag are slower by plants of another size: they are compared with the same plain one.
_BESIDE = "beside"
_PYTHON = ("python",)
#: What writes shows as output where the framework marks that, else as the Python that writes.
_WRITES = ("output", "python")
_WRITING = ("checkpoint", "summary", "log", "print")
#: Tries of a program against itself, each of as many of its steps as it has a side.
TRIES = 200
#: Steps that are drawn together.
_BLOCK = 4
_HEAD = ("pair", "stopwatch ms", "compared ms", "change", "verdict", "first", "in ms", "cause")


@dataclasses.dataclass(frozen=True)
class Pair:
    plain: Case
    planted: Case


@dataclasses.dataclass(frozen=True)
class Compared:
    """A line of the table. planted_ms, found_ms: by how much a typical step is longer, by the program's stopwatch and
    by the comparison. first: category of the row that accounts for most of it; name: of its op, if it is one.
    disturbed: other work made a step of one of the two slow."""

    pair: Pair
    planted_ms: float
    found_ms: float | None
    verdict: str
    first: str
    name: str
    first_ms: float
    disturbed: bool

    @property
    def near(self) -> bool:
        if self.found_ms is None:
            return False
        return abs(self.found_ms - self.planted_ms) <= NEAR * abs(self.planted_ms) + NEAR_MS

    @property
    def named(self) -> bool:
        return self.first in causes(self.pair.planted)


def pairs(cases: Sequence[Case]) -> Iterator[Pair]:
    """Each program with one cost in every step, and the clean one of its loop, model and flags."""
    plain = {_alike(case): case for case in cases if not case.plants}
    for case in cases:
        if [plant.every for plant in case.plants] == [1] and _alike(case) in plain:
            yield Pair(plain[_alike(case)], case)


def _alike(case: Case) -> tuple[str, str, tuple[str, ...]]:
    return case.loop, case.model, tuple(flag for flag in case.flags if flag != _BESIDE)


def causes(case: Case) -> tuple[str, ...]:
    """Categories of a step's time that its plant is in."""
    [plant] = case.plants
    if {plant.where, plant.what} & set(_WRITING):
        return _WRITES
    return ("input_wait",) if PLACES.get(plant.where) == INPUT else _PYTHON


def compared(pair: Pair, out: Path) -> Compared:
    """out: where the captures are kept."""
    before, after = (out / case.folder for case in (pair.plain, pair.planted))
    answer = tensorboard_perfplugin.compare(str(before), str(after))
    return judged(pair, truth_at(before, pair.plain), truth_at(after, pair.planted), answer)


def judged(pair: Pair, before: Truth, after: Truth, answer: Answer) -> Compared:
    summary = answer.result.summary
    found = summary["typical_step_change_ms"]
    category, name, ms = _first(answer)
    return Compared(
        pair,
        after.typical_ms - before.typical_ms,
        float(found) if isinstance(found, (int, float)) else None,
        str(summary["verdict"]),
        category,
        name,
        ms,
        before.disturbed or after.disturbed,
    )


def _first(answer: Answer) -> tuple[str, str, float]:
    """Category, name and change of the row that changed most in the direction of the step."""
    ops, change = answer.result.tables["ops"], sum(answer.result.tables["categories"]["change_ms"])
    rows = list(zip(*(ops[name] for name in ("category", "name", "change_ms")), strict=True))
    if not rows or not change:
        return "", "", 0.0
    category, name, ms = max(rows, key=lambda row: row[2] / change)
    return str(category), str(name), float(ms)


def unchanged(cases: Sequence[Case], out: Path, tries: int = TRIES) -> list[bool]:
    """Of clean programs in turn, whether two draws from the steps of one are called no change: blocks of steps that
    follow one another, as a capture has them."""
    steps = [of for case in cases if not case.plants and len(of := _steps(out / case.folder)) > _BLOCK]
    random = np.random.default_rng(7)

    def drawn(of: NDArray[np.float64]) -> NDArray[np.float64]:
        begins = random.integers(0, len(of) - _BLOCK + 1, -(-len(of) // _BLOCK))
        found: NDArray[np.float64] = np.concatenate([of[i : i + _BLOCK] for i in begins.tolist()])[: len(of)]
        return found

    given = [steps[i % len(steps)] for i in range(tries if steps else 0)]
    return [difference([drawn(of)], [drawn(of)]).verdict == "noise" for of in given]


def _steps(capture: Path) -> NDArray[np.float64]:
    """Typical steps, in ps."""
    steps = tensorboard_perfplugin.compare(str(capture), str(capture)).result.tables["steps"]
    rows = zip(steps["side"], steps["duration_ms"], steps["slow"], strict=True)
    return np.array([float(ms) * 1e9 for side, ms, slow in rows if side == "base" and not slow])


def report_unchanged(told: Sequence[bool]) -> str:
    return rate("no change called none", told, lambda is_noise: is_noise)


def report(rows: Sequence[Compared]) -> Iterator[str]:
    yield from aligned([_HEAD, *(_cells(row) for row in rows)])
    yield ""
    yield " · ".join(
        (
            rate(f"change within {NEAR:.0%}", rows, lambda row: row.near),
            rate("right cause first", rows, lambda row: row.named),
            rate("called slower", rows, lambda row: row.verdict == "slower"),
            f"disturbed by other work: {sum(row.disturbed for row in rows)}",
        )
    )


def _cells(row: Compared) -> tuple[str, ...]:
    return (
        row.pair.planted.name,
        number(row.planted_ms, ".2f"),
        number(row.found_ms, ".2f"),
        "right" if row.near else "WRONG",
        row.verdict + (", disturbed" if row.disturbed else ""),
        f"{row.first} {row.name}".strip()[:60],
        number(row.first_ms, ".2f"),
        "right" if row.named else f"WRONG, not {' '.join(causes(row.pair.planted))}",
    )
