"""Every number that decides, doubled and halved, with the tests that come nearest to it."""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
import itertools
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tests.thresholds.constants import Constant, constants
from tests.thresholds.reach import Reach
from tests.thresholds.stated import folders_shared, states
from tests.thresholds.uses import Use, Uses, modules

#: Of these extensions the source is what is changed: Python runs it in place of what was compiled from it.
COMPILED = (".so", ".pyd")
#: Of a test, beside what it takes itself.
TEST_S = 0.01


@dataclasses.dataclass(frozen=True)
class Mutant:
    constant: Constant
    #: "×2", "÷2" or, of a share that cannot double, "→0.9".
    change: str
    value: float


@dataclasses.dataclass
class Plan:
    """What there is to do, and how many numbers of which class are left out."""

    mutants: list[tuple[Mutant, Use]]
    left_out: Counter[str]
    #: Lines of `not_deciding.txt` that name no number.
    stale: list[str]
    uses: Uses
    #: Lines that read any number that decides, chosen or not.
    interest: set[tuple[str, int]]


def changes(value: float) -> list[tuple[str, float]]:
    """Twice and half; whole numbers stay whole, and a share stays below 1: 0.8 → 0.9."""
    if isinstance(value, int):
        return [("×2", value * 2), ("÷2", value // 2 if value > 0 else -(-value // 2))]
    if 0.5 < value < 1:
        return [(f"→{(1 + value) / 2:.5g}", (1 + value) / 2), ("÷2", value / 2)]
    return [("×2", value * 2), ("÷2", value / 2)]


def plan(root: Path, package: str, not_deciding: Path, only: list[str]) -> Plan:
    files = modules(root, package)
    uses = Uses(files)
    allowed = read_allowed(not_deciding)
    matched = set()
    made = Plan([], Counter(), [], uses, set())
    for module, path in files.items():
        for constant in constants(module, path):
            use = uses.of(constant)
            patterns = [pattern for pattern in allowed if matches(constant, pattern)]
            matched.update(patterns)
            rule = constant.rule or _by_use(use) or ("listed as not deciding" if patterns else "")
            if rule:
                made.left_out[rule] += 1
                continue
            made.interest |= use.lines
            if not only or any(_chosen(constant, root, word) for word in only):
                made.mutants += [(Mutant(constant, *change), use) for change in changes(constant.value)]
    made.stale = sorted(allowed.keys() - matched)
    return made


def _by_use(use: Use) -> str:
    if use.kinds and use.kinds <= {"code"}:
        return "code: only compared for being equal"
    if use.kinds == {"example"}:
        return "example of what is said"
    return "mask: only under bit operators" if use.kinds and use.kinds <= {"bits", "code"} else ""


def _chosen(constant: Constant, root: Path, word: str) -> bool:
    """`tensorboard_perfplugin/timeline`, a file, or a part of a dotted name."""
    return constant.path.relative_to(root).as_posix().startswith(word) or word in constant.dotted


def read_allowed(path: Path) -> dict[str, str]:
    """`name — reason` a line; a name ends in the constant's, and may hold `*`."""
    lines = [line.strip() for line in path.read_text().splitlines()] if path.is_file() else []
    entries = [line.partition(" — ") for line in lines if line and not line.startswith("#")]
    assert all(reason for _, _, reason in entries), f"{path}: an entry without a reason"
    return {name.strip(): reason for name, _, reason in entries}


def matches(constant: Constant, pattern: str) -> bool:
    """Modules move and lose underscores: `retime.FEWEST` names `timeline._retime._FEWEST` too."""
    plain = constant.dotted.replace("._", ".")
    return any(_pattern(pattern).fullmatch(name) for name in (plain, plain.split("[")[0].split("(")[0]))


@functools.cache
def _pattern(text: str) -> re.Pattern[str]:
    wanted = text.replace("._", ".").removeprefix("_").replace("[", "[[]")
    return re.compile(rf"(?s:.*\.)?{fnmatch.translate(wanted)}")


def nearest(use: Use, constant: Constant, reach: Reach, uses: Uses, budget_s: float) -> dict[str, float]:
    """The tests that execute a line that reads the number, as many as fit into the budget; the seconds of each.

    Those that state the number come before the others, and take half of the budget at most; of both its neighbours come
    first, then the quickest. Of a number that is read on import alone, or by compiled code: the tests that enter its
    module or an importer.
    """
    tests = reach.tests_at(use.lines)
    if not tests:
        files = {str(constant.path), *use.on_import}
        tests = reach.tests_in(files) if use.on_import or not use.lines or compiled(constant.path) else {}
        if not tests and (not use.lines or compiled(constant.path)):
            tests = reach.tests_in(_importers(constant, uses))
    near = {test: folders_shared(test, constant) for test in tests}
    nearest_first = sorted(tests, key=lambda test: (-near[test], tests[test], test))
    first = _within(budget_s / 2, [test for test in nearest_first if states(reach.root, test, constant)], tests)
    left = budget_s - sum(tests[test] + TEST_S for test in first)
    taken = set(first)
    chosen = first + _within(left, [test for test in nearest_first if test not in taken], tests, 0 if first else 1)
    return {test: tests[test] for test in chosen}


def _within(budget_s: float, some: list[str], seconds: Mapping[str, float], least: int = 1) -> list[str]:
    """The first of some tests that fit into so many seconds; at least so many, where there are any."""
    ends = itertools.accumulate(seconds[test] + TEST_S for test in some)
    return some[: max(sum(end <= budget_s for end in ends), least)]


def _importers(constant: Constant, uses: Uses) -> set[str]:
    return {
        str(source.path)
        for source in uses.sources.values()
        if any(constant.module in (module, f"{module}.{name}") for module, name in source.imports.values())
    }


def compiled(path: Path) -> bool:
    return any(found for suffix in COMPILED for found in path.parent.glob(path.stem + ".*" + suffix))
