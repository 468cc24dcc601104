"""The run's steps, their split, and what ran in them → findings: what a step's time goes to, and what to change."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...analysis.input import Bottleneck
from ...analysis.steps import SLOW, SPLIT_OF, Spent, StepMeans, StepSummary
from ...tables import Evidence, row_text
from ...timeline import CATEGORIES, INDEX, RULES
from ...units import duration, percent
from ..finding import Finding
from . import verdict_words as words
from .steps import all_of_a_long_run

#: From this share of a step on a cause is worth a line of its own.
WORTH = 0.05
#: So many ops a step, or calls of compiled functions, run one by one from Python are a program in eager mode; a
#: compiled one makes a few such calls, for its counters and metrics.
_ONE_BY_ONE = 12
#: Compute in 32 bits is told from this share of a step on, where no more than a tenth of it is in 16 or 8 bits.
_PRECISE, _NARROW = 0.5, 0.1
#: Devices are uneven when the busiest computes so much longer than the mean.
_UNEVEN = 0.15
_MAX_EVIDENCE = 3
#: A cause of so few categories has stretches of its own to look at.
_FEW = 3

_WARMS_UP = (
    "It is the first one of the capture, which often does what others need not: kernels are loaded and chosen, memory "
    "is taken from the system, functions are compiled, queues are empty."
)
_SKIP_IT = (
    "Profile later steps, if all that matters is how long a step takes; see in the trace what this one does first."
)

#: What a program that runs op by op loses between its ops.
_BETWEEN_OPS = ("launch", "host_compute", "runtime", "waiting", "python", "idle")


@dataclasses.dataclass(frozen=True)
class Case:
    """What is judged: the usual steps. step_ps: mean; by_category: its parts, by key; device: whether it is a device's.

    alike: whether these are all that count.
    """

    facts: StepMeans
    summary: StepSummary
    step_ps: float
    by_category: dict[str, float]
    device: bool
    limit: Bottleneck | None = None

    @property
    def alike(self) -> bool:
        return bool(self.facts.usual.sum() == self.facts.counted.sum())

    def ps(self, keys: tuple[str, ...]) -> float:
        return sum(self.by_category[key] for key in keys)

    def a_step(self, spent: Spent) -> Spent:
        """Of all steps → of a step, times rounded."""
        n = max(self.summary.steps, 1)
        return Spent(round(spent.times / n), round(spent.ps / n))


class Cause(NamedTuple):
    """One thing that can take a step's time: categories, and from which share on it is what to look at first.

    bound: what calls for a change (waiting for input, copies, compilation) counts early; what needs some of the step in
    any program (the runtime, Python, waits) later. presses: whether it is to be looked at even if compute takes more.
    """

    name: str
    keys: tuple[str, ...]
    bound: float
    tell: Callable[[Case, float], words.Told]
    presses: Callable[[Case, float], bool] = lambda case, ps: True


def _never(case: Case, ps: float) -> bool:
    return False


CAUSES = (
    Cause("input", ("input_wait",), 0.2, words.waits_for_input),
    Cause("compilation", ("compilation",), 0.1, words.compiles),
    Cause("output", ("output",), 0.1, words.writes),
    Cause("copies", ("copy_in", "copy_out", "copy_device"), 0.2, words.copies),
    Cause("collectives", ("collective",), 0.2, words.collectives),
    Cause("launch", ("launch",), 0.2, words.launches),
    Cause("host ops", ("host_compute",), 0.2, words.host_ops),
    Cause("python", ("python",), 0.25, words.python, words.is_one_stretch),
    Cause("runtime", ("runtime",), 0.3, words.overhead, words.has_tiny_ops),
    Cause("waiting", ("waiting",), 0.3, words.waits, _never),
    Cause("idle", ("idle",), 0.3, words.unknown, _never),
)
_CALLBACK_BOUND = 0.2
#: What lies between marked steps, and runs ops there, is the answer from here on.
_BETWEEN = 0.3
#: Names of the causes that those findings are about which tell how a program runs its ops.
_STREWN = tuple(c.name for c in CAUSES if set(c.keys) <= set(_BETWEEN_OPS))
#: Causes that count from here on are part of any step: they are listed only where they count.
_LATE = 0.25


def case(facts: StepMeans, summary: StepSummary, limit: Bottleneck | None = None) -> Case | None:
    """limit: the stage that limits the input pipeline. None where there is no step, or none takes time."""
    if not len(facts):
        return None
    mean = facts.mean_ps(facts.exposed_ps, facts.usual)
    step_ps = float(mean.sum())
    by_category = {category.key: float(ps) for category, ps in zip(CATEGORIES, mean, strict=True)}
    device = any(unit.plane >= 0 for part in facts.parts for unit in part.split.units)
    return Case(facts, summary, step_ps, by_category, device, limit) if step_ps > 0 else None


def verdict(judged: Case) -> Iterator[Finding]:
    """The first is the answer; then every other cause that is worth a line, by its share; then what else is odd."""
    shares = {cause: judged.ps(cause.keys) / judged.step_ps for cause in CAUSES}
    first, about = _first(judged, shares)
    slow = list(_slow_steps(judged))
    told = [first]
    if not judged.alike:
        told.insert(0, dataclasses.replace(slow.pop(), severity="warning"))
    yield from told
    rest = [
        _finding(judged, cause, share, "Of a step, ")
        for cause, share in shares.items()
        if share >= WORTH and cause.name not in about and (share >= cause.bound or cause.bound < _LATE)
    ]
    rest += [*slow, *_unknown(judged, shares, about), *_uneven(judged), *_precise(judged)]
    yield from sorted(rest, key=lambda finding: -(finding.share or 0))
    yield from _notes(judged)


def _first(judged: Case, shares: dict[Cause, float]) -> tuple[Finding, tuple[str, ...]]:
    """The answer, and the names of the causes that it is about."""
    worst = max((c for c in CAUSES if shares[c] >= c.bound), key=lambda c: _weight(judged, c, shares[c]), default=None)
    strewn = worst is None or worst.keys[0] in _BETWEEN_OPS
    ahead = words.runs_ahead(judged)
    if ahead and strewn:
        return _told(judged, ahead, 1.0, ()), ()
    between, lies = (
        min(judged.summary.between_ps / judged.summary.steps / judged.step_ps, 1.0),
        words.between_steps(judged, _ONE_BY_ONE),
    )
    if lies and between >= _BETWEEN and (strewn or (worst is not None and between > shares[worst])):
        return _told(judged, lies, between, _BETWEEN_OPS), _STREWN
    lost, one_by_one = judged.ps(_BETWEEN_OPS) / judged.step_ps, words.one_by_one(judged, _ONE_BY_ONE)
    if one_by_one and lost >= 0.2 and (strewn or (worst is not None and lost > shares[worst])):
        return _told(judged, one_by_one, lost, _BETWEEN_OPS), _STREWN
    computes, back = judged.ps(words.COMPUTES) / judged.step_ps, words.calls_back(judged)
    if back and computes >= _CALLBACK_BOUND and (worst is None or computes > shares[worst]):
        return _told(judged, back, computes, words.COMPUTES), ()
    if worst is not None and (shares[worst] >= computes or worst.presses(judged, judged.ps(worst.keys))):
        return _finding(judged, worst, shares[worst]), (worst.name,)
    return _told(judged, words.computes(judged), computes, words.COMPUTES, "info"), ()


def _weight(judged: Case, cause: Cause, share: float) -> float:
    """Of two causes the one that presses is told first, unless the other takes twice as much."""
    return share if cause.presses(judged, judged.ps(cause.keys)) else share / 2


def _finding(judged: Case, cause: Cause, share: float, begins: str = "") -> Finding:
    severity: words.Severity = "warning" if share >= cause.bound else "note"
    return _told(judged, cause.tell(judged, share * judged.step_ps), share, cause.keys, severity, begins)


def _told(
    judged: Case,
    told: words.Told,
    share: float,
    keys: tuple[str, ...],
    severity: words.Severity = "warning",
    begins: str = "",
) -> Finding:
    """begins: where the finding is not the first, how its sentence does."""
    time = f"{duration(share * judged.step_ps)} ({percent(share)})"
    of_steps = bool(keys) and told.tool == "trace_viewer"
    rest = (
        f"{begins}{time} "
        if begins
        else f"{opening(judged.facts, judged.step_ps, judged.facts.usual)}{told.instead or f'; {time} of that '}"
    )
    return Finding(
        rest + told.what,
        severity,
        min(share, 1.0),
        detail=" ".join(text for text in (told.detail, _bounds(keys)) if text),
        action=told.action,
        tool=told.tool,
        search=_row(judged, keys) if of_steps else told.search,
        match="row" if of_steps else "text",
        evidence=_evidence(judged, keys),
    )


def _row(judged: Case, keys: tuple[str, ...]) -> str:
    """The rows of the split, of the steps that are judged, which some categories have: the trace shows when."""
    choice = None if judged.alike else "usual"
    return row_text("overview.split.step_ms", category=",".join(keys), **{SPLIT_OF.name: choice})


def opening(facts: StepMeans, step_ps: float, of: NDArray[np.bool_]) -> str:
    """`Steps take 37 ms`. step_ps: mean over the steps `of`, all that count or the usual ones."""
    takes = f"take {duration(step_ps)}"
    if len(facts) == 1:
        return f"The only step in the capture takes {duration(step_ps)}"
    if not facts.whole.any():
        return f"Steps, of which the capture holds none whole, {takes}"
    n = int(of.sum())
    who = "Steps" if n == facts.counted.sum() else f"The other {n:,} steps"
    guessed = {p.split.steps.rule for p in facts.parts if p.split.steps.confidence == "guess"}
    by = [rule.title for rule in RULES if rule.name in guessed]
    return f"{who} (a guess, by {by[0]}) {takes}" if by else f"{who} {takes}"


def _bounds(keys: tuple[str, ...]) -> str:
    cause = next((c for c in CAUSES if c.keys == keys), None)
    return f"Told first from {percent(cause.bound)} of a step on." if cause else ""


def _evidence(judged: Case, keys: tuple[str, ...]) -> tuple[Evidence, ...]:
    """The longest stretches of a cause; of what is strewn over a step, and where none is known, the worst steps."""
    facts, over = judged.facts, None if judged.alike else judged.facts.usual
    stretches = facts.longest([INDEX[key] for key in keys], _MAX_EVIDENCE, over) if len(keys) <= _FEW else []
    return tuple(stretches) or worst_steps(facts, keys)


def worst_steps(facts: StepMeans, keys: tuple[str, ...]) -> tuple[Evidence, ...]:
    """The steps that have most of some categories."""
    taken = facts.exposed_ps[:, [INDEX[key] for key in keys]].sum(axis=1)
    taken[~facts.usual[: len(taken)]] = -1
    order = np.argsort(-taken, kind="stable")[:_MAX_EVIDENCE]
    return tuple(place(facts, step) for step in order.tolist() if taken[step] > 0)


def place(facts: StepMeans, step: int) -> Evidence:
    """Where a step of the run is, on the first host that has it."""
    host = int(np.flatnonzero(facts.run.row[:, step] >= 0)[0])
    row, steps = int(facts.run.row[host, step]), [p.split.steps for p in facts.parts if len(p.split.steps)][host]
    return Evidence(facts.run.hosts[host], int(steps.begin_ps[row]), int(steps.until_ps[row]), int(steps.lane[row]))


def _slow_steps(judged: Case) -> Iterator[Finding]:
    facts = judged.facts
    n = len(facts.exposed_ps)
    whole, wall = facts.whole[:n], facts.wall_ps[:n]
    slow = np.flatnonzero(facts.slow[:n])
    if not len(slow):
        return
    median = float(np.median(wall[whole]))
    worst = int(slow[np.argmax(wall[slow])])
    more = facts.exposed_ps[worst] - np.median(facts.exposed_ps[whole], axis=0)
    most = int(np.argmax(more))
    who = f"{len(slow)} of {int(whole.sum())} steps take more than {SLOW} × the median; " if len(slow) > 1 else ""
    step = f"step {facts.run.number[worst]}, the slowest," if who else f"Step {facts.run.number[worst]}"
    warms_up = slow.tolist() == np.flatnonzero(facts.counted)[:1].tolist()
    yield Finding(
        f"{who}{step} took {duration(wall[worst])}, {wall[worst] / median:.1f} × the median of {duration(median)}; "
        f"{duration(more[most])} more than usual is {words.lower(CATEGORIES[most].title)}",
        "note",
        float((wall[slow] - median).sum() / wall[whole].sum()),
        detail=_WARMS_UP if warms_up else "",
        action=_SKIP_IT if warms_up else "Open these steps in the trace and compare them with their neighbours.",
        tool="trace_viewer",
        evidence=tuple(place(facts, int(i)) for i in slow[np.argsort(-wall[slow], kind="stable")][:_MAX_EVIDENCE]),
    )


def _unknown(judged: Case, shares: dict[Cause, float], about: tuple[str, ...]) -> Iterator[Finding]:
    """Idle time that nothing explains, where it is less than what makes it the answer."""
    cause = CAUSES[-1]
    if cause.name not in about and WORTH <= shares[cause] < cause.bound:
        yield _finding(judged, cause, shares[cause], "Of a step, ")


def _uneven(judged: Case) -> Iterator[Finding]:
    """Devices of which one computes for longer, so that the others wait for it; those that only copy have no part."""
    units, columns = [], [INDEX[key] for key in words.COMPUTES]
    for part in judged.facts.parts:
        whole = part.split.steps.whole[: part.split.exposed_ps.shape[1]]
        for unit, exposed in zip(part.split.units, part.split.exposed_ps, strict=True):
            if unit.plane >= 0 and whole.any():
                units.append((float(exposed[whole][:, columns].sum(axis=1).mean()), f"{unit.name} of {part.host}"))
    units = [(ps, name) for ps, name in units if ps]
    mean = sum(ps for ps, _ in units) / (len(units) or 1)
    longest, name = max(units, default=(0.0, ""))
    if len(units) > 1 and mean and longest > (1 + _UNEVEN) * mean:
        yield Finding(
            f"{name} computes {duration(longest)} a step, {percent(longest / mean - 1)} more than the mean of the "
            f"{len(units)} devices",
            "note",
            min((longest - mean) / judged.step_ps, 1),
            detail="Where devices wait for each other in collectives, the slowest one sets the pace.",
            action="Divide the work evenly, or find out why this device is slower.",
            tool="pod_viewer",
        )


def _precise(judged: Case) -> Iterator[Finding]:
    wide = judged.ps(("compute_32bit", "compute_tf32", "compute_64bit"))
    narrow = judged.ps(("compute_8bit", "compute_16bit"))
    if judged.device and wide > _PRECISE * judged.step_ps and narrow < _NARROW * (wide + narrow):
        yield Finding(
            f"{percent(wide / judged.step_ps)} of a step computes in 32 bits or more, "
            f"{percent(narrow / judged.step_ps)} in 16 or 8",
            "note",
            min(wide / judged.step_ps, 1.0),
            action="Where the model allows it, compute in bfloat16 or float16 (mixed precision): matrix units are "
            "several times faster in it, and half as many bytes move.",
            tool="op_stats",
        )


def _notes(judged: Case) -> Iterator[Finding]:
    """What one has to know to read the numbers."""
    found = [p.split.steps for p in judged.facts.parts if len(p.split.steps)]
    if any(steps.on_device for steps in found):
        yield Finding(
            "Steps are those of the work on the devices, not of the host that issues it",
            detail="A host that runs ahead ends its own marks before the work that they started ends.",
        )
    others: dict[str, int] = {}
    for steps in found:
        others |= {what: others.get(what, 0) + n for what, n in steps.others.items()}
    if others:
        listed = ", ".join(f"{what} ({n:,})" for what, n in list(others.items())[:8])
        yield Finding(
            f"Not taken for steps, though they repeat: {listed}"[:500],
            action="Choose one of them as `steps_from` to divide the time by it.",
        )
    left_out = sum(p.split.left_out for p in judged.facts.parts)
    yield from all_of_a_long_run(judged.facts)
    if left_out:
        yield Finding(f"The last {left_out:,} steps are not divided into parts: there are too many", "note")
