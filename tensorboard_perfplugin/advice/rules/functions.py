"""Rules on profiles of Python functions: what waits, what should take less, which host is slow, what takes most."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from msgspec import structs

from ...analysis.functions import (
    Functions,
    Merged,
    Part,
    Ranks,
    Wait,
    is_library,
    largest_of,
    own_caller,
    ranks,
    slow_host,
    waits_of,
)
from ...messages import Param
from ...patterns import regex
from ...threshold import Threshold
from ..finding import Finding, worst_first
from ..rule import Fact, Proof, Rule, findings_of

# What the rules on Python functions decide by, and how a function is named.


class Facts(msgspec.Struct, frozen=True, eq=False):
    """run: of all hosts. all: their functions added up. waits: of each function what its own time waits for."""

    run: Merged
    all: Functions
    waits: tuple[Wait | None, ...]
    ranks: Ranks

    @classmethod
    def of(cls, run: Merged) -> Facts:
        return cls(run, run.all, waits_of(run.all), ranks(run))

    @property
    def total_ps(self) -> float:
        return self.all.total_ps

    def waiting(self, kind: Wait) -> tuple[float, int]:
        """Time that waits so, and the function that does most of it; -1 for none."""
        own = np.nan_to_num(self.all.sums.own_ps)
        rows = [row for row, each in enumerate(self.waits) if each is kind]
        return sum(float(own[row]) for row in rows), max(rows, key=lambda row: float(own[row]), default=-1)

    def part(self, part: Part) -> tuple[float, int]:
        """Time of a known part of the program, with all that it calls, and its function; -1 for none."""
        row = largest_of(self.all, part)
        return (float(np.nan_to_num(self.all.sums.cumulative_ps[row])), row) if row >= 0 else (0.0, -1)

    def named(self, row: int) -> dict[str, Param]:
        """A function, and the nearest of the program's own that leads to it."""
        caller = own_caller(self.all, row)
        return {"function": self.all.names[row], "caller": self.all.names[caller] if caller >= 0 else None}

    def proof(self, row: int) -> Proof:
        return Proof("python_profile", self.all.names[row], "exact")


def share_of(ps: float, whole_ps: float) -> float:
    return min(max(ps / whole_ps, 0.0), 1.0) if whole_ps > 0 else 0.0


# Functions of Python → the one with most own time that works, and by what kind of function it is what helps.

OFTEN_PS = Threshold(
    "often",
    20_000_000,
    "ps",
    "a call that works for less costs as much as the call itself",
    "cProfile adds 0.3 to 1 µs a call",
)
MANY = Threshold("many", 10_000, "calls", "of fewer calls the call itself costs nothing that is seen", "a convention")

#: Functions below which operators, and devices, do the work.
_FRAMEWORK = regex(r"\b(?:torch|jaxlib|tensorflow|cupy\w*)\b")
#: What cProfile records of itself.
_OWN = {f"{{method '{name}' of '_lsprof.Profiler' objects}}" for name in ("enable", "disable")}


def largest(facts: Facts) -> Fact:
    """Always one where anything took time: what takes most is what a person wants to know first."""
    works = [wait is None and name not in _OWN for wait, name in zip(facts.waits, facts.all.names, strict=True)]
    own = np.where(works, np.nan_to_num(facts.all.sums.own_ps), 0.0)
    if not len(own) or own.max() <= 0:
        return Fact(None, {"functions": len(facts.all)}, code="python_nothing_timed", severity="note")
    row = int(np.argmax(own))
    calls = max(int(facts.all.sums.calls[row]), 1)
    share = share_of(float(own[row]), facts.total_ps)
    params: dict[str, Param] = {
        **facts.named(row),
        "share": share,
        "total": facts.total_ps,
        "calls": calls,
        "per_call": float(own[row]) / calls,
        "often": calls >= MANY.value and float(own[row]) < OFTEN_PS.value * calls,
        "several": len(facts.run.hosts) > 1,
    }
    return Fact(share, params, facts.proof(row), _code(facts, row))


def _code(facts: Facts, row: int) -> str:
    file = facts.all.files[row]
    if file == "~" and _FRAMEWORK.search(facts.all.names[row]):
        return "python_largest.builtin"
    return "python_largest.library" if is_library(file) else "python_largest"


# Known parts of a training program → those that take more than they should: imports, loading, logging, saving.

IMPORTS = Threshold("imports", 0.1, "share", "less does not hide what the program does after it began")
LOADING = Threshold("loading", 0.1, "share", "of loading in the process that trains; workers would hide it")
OPTIMIZER = Threshold("optimizer", 0.1, "share", "one update of all parameters at once takes less")
LOGGING = Threshold("logging", 0.05, "share", "logging that often is seen in the time of a step")
SAVING = Threshold("saving", 0.1, "share", "a checkpoint every some hundred steps takes less")


def part_takes(part: Part) -> Callable[[Facts], Fact | None]:
    def fact(facts: Facts) -> Fact | None:
        ps, row = facts.part(part)
        return _function(facts, row, ps)

    return fact


# Functions of several hosts → the host that works longer than the others, and the function that takes longer there.

SLOWER = Threshold("slower", 0.05, "share", "of the mean time of the hosts; less is noise between processes")
EXPLAINS = Threshold(
    "explains", 0.2, "share", "of what a host works longer; a function with less of it is not the reason"
)


def slower(facts: Facts) -> Fact | None:
    slow = slow_host(facts.run, facts.ranks)
    if slow is None or slow.function_excess_ps < EXPLAINS.value * slow.excess_ps:
        return None
    share = share_of(slow.excess_ps, slow.mean_ps)
    params: dict[str, Param] = {
        **facts.named(slow.function),
        "host": slow.host,
        "hosts": len(facts.run.hosts),
        "excess": slow.excess_ps,
        "share": share,
        "function_excess": slow.function_excess_ps,
    }
    return Fact(share, params, facts.proof(slow.function))


# Functions of Python whose own time is no work of the thread → what they wait for, and what is not in the profile.

GPU = Threshold("waits_for_gpu", 0.05, "share", "a program that launches ahead waits less for its GPU")
PEERS = Threshold("waits_for_peers", 0.05, "share", "of less the exchange itself is most")
WORKERS = Threshold("waits_for_workers", 0.05, "share", "workers that are ahead make the loop wait for less")
OTHERS = Threshold(
    "waits_for_others", 0.1, "share", "below it locks and pipes are what any program with threads spends on them"
)
SLEEPS = Threshold("sleeps", 0.05, "share", "shorter sleeps are those of progress bars and retries")


def waits_for(kind: Wait) -> Callable[[Facts], Fact | None]:
    def fact(facts: Facts) -> Fact | None:
        ps, row = facts.waiting(kind)
        return _function(facts, row, ps, several=len(facts.run.hosts) > 1)

    return fact


def for_workers(facts: Facts) -> Fact | None:
    """Of a data loader's processes, whose own work is in none of the functions."""
    ps, row = facts.part(Part.WORKERS)
    return _function(facts, row, ps, several=len(facts.run.hosts) > 1)


def for_others(facts: Facts) -> Fact | None:
    """For threads and processes that are no data loader's."""
    ps, row = facts.waiting(Wait.OTHERS)
    return _function(facts, row, ps - facts.part(Part.WORKERS)[0], several=len(facts.run.hosts) > 1)


def _function(facts: Facts, row: int, ps: float, **more: Param) -> Fact | None:
    """What a function takes; None for none."""
    if row < 0:
        return None
    share, calls = share_of(ps, facts.total_ps), int(facts.all.sums.calls[row])
    return Fact(share, {**facts.named(row), "ps": ps, "share": share, "calls": calls, **more}, facts.proof(row))


SHORT = Threshold(
    "short", 50_000_000_000, "ps", "a host's shorter recording holds the first calls of something, no loop"
)
MOST_OF_SHORT = Threshold("most of a short recording", 0.5, "share", "what is less of it may be a first call's")
SLOWER_HOST: Rule[[Facts]] = Rule("python_slow_host", slower, worth=SLOWER, severity="warning", limits=(EXPLAINS,))
LARGEST: Rule[[Facts]] = Rule(
    ("python_largest", "python_largest.builtin", "python_largest.library", "python_nothing_timed"),
    largest,
    severity="info",
    limits=(OFTEN_PS, MANY),
)
RULES: tuple[Rule[[Facts]], ...] = (
    Rule("python_waits.gpu", waits_for(Wait.GPU), worth=GPU, severity="warning"),
    Rule("python_waits.workers", for_workers, worth=WORKERS, severity="warning"),
    Rule("python_waits.peers", waits_for(Wait.PEERS), worth=PEERS, severity="warning"),
    Rule("python_waits.others", for_others, worth=OTHERS, severity="warning"),
    Rule("python_waits.sleep", waits_for(Wait.SLEEP), worth=SLEEPS, severity="warning"),
    Rule("python_loads", part_takes(Part.LOADING), worth=LOADING, severity="warning"),
    Rule("python_optimizer", part_takes(Part.OPTIMIZER), worth=OPTIMIZER, severity="warning"),
    Rule("python_logs", part_takes(Part.LOGGING), worth=LOGGING, severity="warning"),
    Rule("python_saves", part_takes(Part.CHECKPOINTS), worth=SAVING, severity="warning"),
    Rule("python_imports", part_takes(Part.IMPORTS), worth=IMPORTS),
)


def function_findings(run: Merged) -> tuple[Finding, ...]:
    """A host that the others wait for; what else can be changed, by its share; then what takes most.

    Of a recording that is too short to judge by, what takes most alone, and what is most of it.
    """
    facts = Facts.of(run)
    by_share = sorted(findings_of(RULES, facts), key=lambda finding: -(finding.share or 0.0))
    if facts.total_ps < SHORT.value * len(run.hosts):
        most = (structs.replace(f, severity="note") for f in by_share if (f.share or 0.0) >= MOST_OF_SHORT.value)
        return worst_first((*most, *LARGEST.findings(facts)))
    return worst_first((*SLOWER_HOST.findings(facts), *by_share, *LARGEST.findings(facts)))
