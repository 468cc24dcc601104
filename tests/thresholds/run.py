"""The run: tests that state a number, then others, traced where that is out of date; a forked process a change.

What a test of its own folder that states the number notices needs no trace. Tests in the folder that mirrors a
module's are tried then, those that are near after these, then the others. Changes that need no new import are tried
before others, in forks of a process that has imported and collected all (`warm`).
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import gc
import itertools
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.thresholds.constants import Constant
from tests.thresholds.forked import Forked, Mutated, preload, run_pytest
from tests.thresholds.kept import BROKEN, NOTICED, SURVIVED, UNTESTED, Kept, Told
from tests.thresholds.mutants import Mutant, Plan, compiled, nearest, plan
from tests.thresholds.near import near_files, own_files
from tests.thresholds.reach import Reach, test_files
from tests.thresholds.stated import names, states, states_any
from tests.thresholds.uses import Use, Uses
from tests.thresholds.warm import Everywhere, change, import_all

#: A file of tests under the tracer; a change, beyond three times what its tests take.
FILE_S, CHANGE_S = 600.0, 30.0
#: Files of tests that are traced in one process.
TOGETHER = 12
#: Tests that are tried before the others; of those that state a number, before any is traced.
FIRST, STATING = 6, 12


@dataclasses.dataclass(frozen=True)
class Settings:
    only: list[str]
    jobs: int
    fresh: bool
    anew: bool
    near: bool
    stated: bool
    budget: float
    root: Path
    package: str
    tests: str
    not_deciding: Path

    @property
    def cache(self) -> Path:
        return self.root / ".cache" / "thresholds"


@dataclasses.dataclass(frozen=True)
class Outcome:
    mutant: Mutant
    what: str
    ran: int
    by: str = ""

    def line(self, root: Path) -> str:
        constant = self.mutant.constant
        place = f"{constant.path.relative_to(root).as_posix()}:{constant.line}"
        why = f" {self.by}" if self.what == BROKEN else ""
        return f"{place} {constant.name} = {constant.value:g} {self.mutant.change} ({self.ran} tests ran){why}"


def run(settings: Settings) -> int:
    """Prints the survivors; 1 where there are any, or an entry of the list names nothing."""
    if settings.fresh:
        shutil.rmtree(settings.cache, ignore_errors=True)
    os.chdir(settings.root)
    sys.path.insert(0, str(settings.root))
    # The trees that are kept hold no circles to look for, here or in any fork.
    gc.disable()
    made = plan(settings.root, settings.package, settings.not_deciding, settings.only)
    gc.freeze()
    gc.enable()
    reach = Reach(settings.root, settings.package, settings.cache, made.interest)
    kept = Kept(settings.cache / "outcomes.jsonl", settings.root)
    outcomes: dict[Mutant, Outcome] = {}
    if not settings.anew:
        outcomes |= _try_what_states_them(settings, made, kept)
    if settings.stated:
        told = [outcomes.get(mutant) or Outcome(mutant, UNTESTED, 0) for mutant, _ in made.mutants]
        return _report(settings, made, told)
    files = test_files(settings.root, settings.tests)
    # What survives has to do so once more where no test is believed to go the way it went through older files.
    last: list[Choice] = [_near] if settings.near else [_near, _every]
    for choice, strict in [(_own, False), *((one, False) for one in last), (last[-1], True)]:
        left = [(mutant, use) for mutant, use in made.mutants if _is_open(outcomes.get(mutant))]
        if left:
            some = choice(files, [mutant.constant for mutant, _ in left], settings.root / settings.tests, made.uses)
            _trace(settings, reach, some, left, strict)
            outcomes |= {outcome.mutant: outcome for outcome in _try_all(settings, made, left, reach, kept)}
    return _report(settings, made, list(outcomes.values()))


#: Of all files of tests those to be tried for some constants.
Choice = Callable[[list[Path], list[Constant], Path, Uses], list[Path]]


def _own(files: list[Path], constants: list[Constant], tests: Path, uses: Uses) -> list[Path]:
    return own_files(files, constants, tests, uses)


def _near(files: list[Path], constants: list[Constant], tests: Path, uses: Uses) -> list[Path]:
    return near_files(files, constants, tests, uses)


def _every(files: list[Path], constants: list[Constant], tests: Path, uses: Uses) -> list[Path]:
    return files


def _is_open(outcome: Outcome | None) -> bool:
    return outcome is None or outcome.what != NOTICED


def _trace(settings: Settings, reach: Reach, files: list[Path], chosen: list[tuple[Mutant, Use]], strict: bool) -> None:
    """Find out which lines the tests of some files come to, where that is not known."""
    wanted = {str(mutant.constant.path) for mutant, _ in chosen}.union(*(use.on_import for _, use in chosen))
    wanted |= {path for _, use in chosen for path, _ in use.lines}
    stale = reach.load(files, None if strict else wanted)
    preload(sorted(reach.modules), settings.package)
    begin, ended = time.monotonic(), 0
    alone: list[Path] = []

    def keep(paths: Sequence[Path], answer: dict[str, Any] | None, why: str) -> None:
        nonlocal ended
        if answer is None and len(paths) > 1:
            alone.extend(paths)
            return
        ended += len(paths)
        for path, body in zip(paths, answer.values() if answer else (), strict=bool(answer)):
            preload(body["modules"], settings.package)
            reach.keep(path, body)
        last = paths[-1].relative_to(settings.root)
        _note(f"traced {ended}/{len(stale)} {last} {time.monotonic() - begin:.0f} s {why}")

    lots: list[list[Path]] = [stale[at : at + TOGETHER] for at in range(0, len(stale), TOGETHER)]
    for some in (lots, ([path] for path in alone)):
        with _side_by_side(settings.jobs) as start:
            for lot in some:
                trace = functools.partial(reach.trace, lot)
                start(trace, FILE_S * len(lot), functools.partial(keep, lot))


class Waiting(NamedTuple):
    """A change that is to be tried."""

    mutant: Mutant
    tests: list[str]
    limit_s: float


def _try_all(
    settings: Settings, made: Plan, chosen: list[tuple[Mutant, Use]], reach: Reach, kept: Kept
) -> list[Outcome]:
    outcomes, waiting = [], []
    for mutant, use in chosen:
        tests = nearest(use, mutant.constant, reach, made.uses, settings.budget)
        if not tests:
            outcomes.append(Outcome(mutant, UNTESTED, 0))
        elif told := kept.of(mutant, list(tests)):
            outcomes.append(Outcome(mutant, *told))
        else:
            waiting.append(Waiting(mutant, list(tests), CHANGE_S + 3 * sum(tests.values())))
    if waiting and not settings.anew:
        _in_a_warm_process(settings, waiting, kept)
    told_now = {one.mutant: kept.of(one.mutant, one.tests) for one in waiting}
    outcomes += [Outcome(mutant, *told) for mutant, told in told_now.items() if told]
    return outcomes + _try(settings, Trial(settings), [one for one in waiting if not told_now[one.mutant]], kept)


def _try_what_states_them(settings: Settings, made: Plan, kept: Kept) -> dict[Mutant, Outcome]:
    """Try tests of the own folder that state the number, without having traced any; what these notice is done."""
    everywhere = Everywhere(settings.root, settings.package, settings.tests)
    files = test_files(settings.root, settings.tests)
    own: dict[Path, list[str]] = {}
    chosen: dict[Mutant, list[str]] = {}
    for mutant, _ in made.mutants:
        constant = mutant.constant
        if constant.path not in own:
            some = own_files(files, [constant], settings.root / settings.tests, made.uses)
            own[constant.path] = [path.relative_to(settings.root).as_posix() for path in some]
        if not kept.of(mutant, ()) and everywhere.only_in_functions(constant):
            stating = [name for name in own[constant.path] if states_any(settings.root / name, constant)]
            chosen |= {mutant: stating} if stating else {}

    def work() -> dict[str, Any]:
        import_all(everywhere.package)
        stating = sorted({name for some in chosen.values() for name in some})
        run_pytest(["-s", "-m", "not slow", *stating], [Collected(tries)])
        return {"ended": True}

    def tries(items: Mapping[str, pytest.Item]) -> None:
        waiting = []
        for mutant, some in chosen.items():
            tests = [test for test in items if test.split("::")[0] in some]
            tests = [test for test in tests if states(settings.root, test, mutant.constant)]
            tests.sort(key=lambda test: not names(settings.root, test, mutant.constant))
            tests = tests[:STATING]
            waiting += [Waiting(mutant, tests, CHANGE_S)] if tests else []
        _note(f"{len(waiting)} of {len(made.mutants)} changes have tests that state the number")
        _try(settings, StatedTrial(settings, everywhere, items), waiting, kept)

    if chosen:
        with _side_by_side(1) as start:
            start(work, FILE_S + CHANGE_S * len(chosen), _note_an_early_end, True)
        kept.read()
    told = {mutant: kept.of(mutant, ()) for mutant, _ in made.mutants}
    return {mutant: Outcome(mutant, *one) for mutant, one in told.items() if one}


def _in_a_warm_process(settings: Settings, waiting: list[Waiting], kept: Kept) -> None:
    """Try what needs no new import; what came to an end is kept then."""
    everywhere = Everywhere(settings.root, settings.package, settings.tests)
    chosen = [one for one in waiting if everywhere.only_in_functions(one.mutant.constant)]

    def work() -> dict[str, Any]:
        import_all(everywhere.package)
        run_pytest(["-s", *sorted({test.split("::")[0] for one in chosen for test in one.tests})], [Collected(tries)])
        return {"ended": True}

    def tries(items: Mapping[str, pytest.Item]) -> None:
        _note(f"{len(chosen)} of {len(waiting)} changes need no new import")
        _try(settings, WarmTrial(settings, everywhere, items), chosen, kept)

    if chosen:
        limit_s = FILE_S + sum(one.limit_s for one in chosen)
        with _side_by_side(1) as start:
            start(work, limit_s, _note_an_early_end, True)
        kept.read()


def _note_an_early_end(answer: dict[str, Any] | None, why: str) -> None:
    if answer is None:
        _note(f"the process for changes without a new import ended early: {why}")


def _try(settings: Settings, trial: Trial, waiting: list[Waiting], kept: Kept) -> list[Outcome]:
    """One fork a change; keeps each outcome that is the trial's to give."""
    outcomes: list[Outcome] = []
    ended = 0

    def finish(one: Waiting, answer: dict[str, Any] | None, why: str) -> None:
        nonlocal ended
        ended += 1
        outcome = trial.judge(one.mutant, one.tests, answer, why, one.limit_s)
        if outcome.what in trial.FINAL:
            outcomes.append(outcome)
            kept.keep(one.mutant, one.tests, Told(outcome.what, outcome.ran, outcome.by))
        _note(f"{ended}/{len(waiting)} {outcome.what:8} {outcome.line(settings.root)} {outcome.by}")

    with _side_by_side(settings.jobs) as start:
        for one in waiting:
            start(functools.partial(trial.attempt, one.mutant, one.tests), one.limit_s, functools.partial(finish, one))
    return outcomes


@contextlib.contextmanager
def _side_by_side(jobs: int) -> Iterator[Callable[..., None]]:
    """`start(work, limit, done)`: forks once fewer than `jobs` run; at the end, all have."""
    running: list[tuple[Forked, Callable[..., None]]] = []

    def gather(most: int) -> None:
        while len(running) > most:
            for entry in [entry for entry in running if entry[0].done()]:
                running.remove(entry)
                answer = entry[0].result()
                entry[1](answer, entry[0].why)
            time.sleep(0.005)

    def start(
        work: Callable[[], dict[str, Any]], limit_s: float, done: Callable[..., None], notes: bool = False
    ) -> None:
        gather(max(jobs, 1) - 1)
        running.append((Forked(work, limit_s, notes), done))

    try:
        yield start
        gather(0)
    finally:
        for forked, _ in running:
            forked.stop()


class Failures:
    """A plugin of pytest: the first test that fails, and how many ran."""

    def __init__(self) -> None:
        self.first, self.ran = "", 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.ran += report.when == "call"
        if report.failed and not self.first:
            self.first = report.nodeid


class Trial:
    """Tries changes; a test that fails counts only if it passes, run alone, where nothing is changed."""

    #: Outcomes that stand; after others a change is tried in another way.
    FINAL = frozenset({NOTICED, SURVIVED, UNTESTED, BROKEN})

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.reliable: dict[tuple[str, str], bool] = {}

    def attempt(self, mutant: Mutant, tests: Sequence[str], changed: bool = True) -> dict[str, Any]:
        """In the child: import the package with the number changed, and run the tests until one fails."""
        constant = mutant.constant
        sys.meta_path.insert(
            0, Mutated(constant.module, constant.path, constant.place, mutant.value if changed else None)
        )
        failures = Failures()
        code = 0
        # Most changes are noticed by the first few, whose files alone are imported then.
        for some in (tests[:FIRST], tests[FIRST:]):
            if some and not code:
                code = run_pytest(["-x", *some], [failures])
                if code == pytest.ExitCode.USAGE_ERROR:
                    # Parameters whose names hold the number.
                    code = run_pytest(["-x", *dict.fromkeys(test.split("[")[0] for test in some)], [failures])
        return {"code": code, "first": failures.first, "ran": failures.ran}

    def judge(
        self, mutant: Mutant, tests: list[str], answer: dict[str, Any] | None, why: str, limit_s: float
    ) -> Outcome:
        if answer is None:
            if why == "time" and not self._ends_unchanged(mutant, tests, limit_s):
                return Outcome(mutant, BROKEN, 0, f"takes over {limit_s:.0f} s where nothing is changed, too")
            return Outcome(mutant, NOTICED, len(tests), why or "died")
        if answer["code"] == 0:
            return Outcome(mutant, SURVIVED, answer["ran"])
        by = answer["first"] or f"pytest {answer['code']}"
        if self._passes_unchanged(mutant, answer["first"] or tests[0]):
            return Outcome(mutant, NOTICED, answer["ran"], by)
        rest = [test for test in tests if test != answer["first"]]
        if not answer["first"] or not rest:
            return Outcome(mutant, BROKEN, answer["ran"], f"{by} fails where nothing is changed")
        forked = Forked(lambda: self.attempt(mutant, rest), CHANGE_S * 4)
        again = forked.result()
        return self.judge(mutant, rest, again, forked.why, CHANGE_S * 4)

    def _ends_unchanged(self, mutant: Mutant, tests: list[str], limit_s: float) -> bool:
        """A machine that has other work may be what took the time."""
        return Forked(lambda: self.attempt(mutant, tests, changed=False), limit_s).result() is not None

    def _passes_unchanged(self, mutant: Mutant, test: str) -> bool:
        # Of a compiled module the control is that module as Python.
        as_python = mutant.constant.module if compiled(mutant.constant.path) else ""
        if (test, as_python) not in self.reliable:
            answer = Forked(lambda: self.attempt(mutant, [test], changed=False), CHANGE_S * 4).result()
            self.reliable[test, as_python] = bool(answer) and not (answer or {})["code"]
        return self.reliable[test, as_python]


class Collected:
    """A plugin of pytest that hands on the tests, once they are collected, instead of running them."""

    def __init__(self, work: Callable[[Mapping[str, pytest.Item]], None]) -> None:
        self.work = work

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.work({item.nodeid: item for item in session.items})
        return True


class WarmTrial(Trial):
    """Tries changes where package and tests are imported: sets the constant in the modules that hold it."""

    FINAL = frozenset({NOTICED, SURVIVED})

    def __init__(self, settings: Settings, everywhere: Everywhere, items: Mapping[str, pytest.Item]) -> None:
        super().__init__(settings)
        self.everywhere, self.items = everywhere, items

    def attempt(self, mutant: Mutant, tests: Sequence[str], changed: bool = True) -> dict[str, Any]:
        if changed:
            change(mutant, self.everywhere.held(mutant.constant))
        failures = Failures()
        items = [self.items[test] for test in tests]
        items[0].config.pluginmanager.register(failures)
        for item, following in itertools.zip_longest(items, items[1:]):
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if failures.first:
                break
        return {"code": int(bool(failures.first)), "first": failures.first, "ran": failures.ran}

    def judge(
        self, mutant: Mutant, tests: list[str], answer: dict[str, Any] | None, why: str, limit_s: float
    ) -> Outcome:
        """Where the tests came to no end nothing is known: the process may be what did not bear it."""
        return super().judge(mutant, tests, answer, why, limit_s) if answer else Outcome(mutant, BROKEN, 0, why)


class StatedTrial(WarmTrial):
    """What these tests let pass others may notice."""

    FINAL = frozenset({NOTICED})


def _report(settings: Settings, made: Plan, outcomes: list[Outcome]) -> int:
    counts = collections.Counter(outcome.what for outcome in outcomes)
    left = [outcome for outcome in outcomes if outcome.what != NOTICED]
    left.sort(key=lambda outcome: (str(outcome.mutant.constant.path), outcome.mutant.constant.line))
    for outcome in left:
        print(outcome.line(settings.root))
    for pattern in made.stale:
        print(f"{settings.not_deciding.name}: {pattern} names no number that could decide")
    print(f"{len(outcomes)} changes of {len(outcomes) // 2} numbers: " + _listed(counts))
    print("left out: " + (_listed(made.left_out) or "none"))
    return int(bool(left) or bool(made.stale))


def _listed(counts: collections.Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _note(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
