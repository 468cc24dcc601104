"""What rules on a step's time decide by: the typical step, what ran in it, and how a cause of its time is declared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import structs

from ....analysis.input.bottleneck import Bottleneck
from ....analysis.path.costs import LARGEST, MOST_OF_PARENT, Part, part_of
from ....analysis.steps.contents import RankedOps, Ranking, Spent
from ....analysis.steps.means import StepMeans, titles
from ....analysis.steps.summary import COMPUTES, StepSummary, TypicalStep, gain_key, merged, typical_step
from ....messages import Message, Params
from ....threshold import Threshold
from ....timeline.steps.find import RULES
from ....timeline.timeline import CATEGORIES, INDEX
from ...finding import OTHERS

if TYPE_CHECKING:
    from ....analysis.collectives.crossing import RunPath

MOST = Threshold(
    "most", 0.3, "share", "a function, an op or a stage is named where it has this part of what its cause takes"
)
WORTH = Threshold("worth", 0.05, "share", "from this share of a step on a cause is worth a line")
SMALL_PS = Threshold(
    "price of a small step",
    10**9,
    "ps",
    "what Python takes of a step on a host without a device, if it is less and strewn between calls, is "
    "what calling them takes; nothing in the program can be left out",
    "a model of three small layers in PyTorch: 45 calls with 0.3 to 0.6 ms between them",
)


class Case(msgspec.Struct, frozen=True):
    """The typical step of a run, and what ran in such steps. limit: the stage that limits the input pipeline.
    run: the path of several ranks, where they wait for each other; names: of these."""

    step: TypicalStep
    summary: StepSummary
    limit: Bottleneck | None = None
    run: RunPath | None = None
    names: Sequence[str] = ()

    def of_all(self, ps: float) -> float:
        """Of a step → of all steps."""
        return ps * max(self.summary.steps, 1)

    def a_step(self, spent: Spent) -> Spent:
        """Of all steps → of a step, times rounded."""
        n = max(self.summary.steps, 1)
        return Spent(round(spent.times / n), round(spent.ps / n))

    @property
    def ops(self) -> RankedOps:
        """What ran in steps by what the critical path holds of it; by self time where that leads elsewhere."""
        known, ran = self.summary.on_path, self.summary
        if known.all_work.ps < MOST_OF_PARENT.value * self.of_all(self.step.ps(COMPUTES)) or not known.work:
            known = structs.replace(known, work=ran.work, types=ran.types, all_work=ran.all_work)
        return structs.replace(known, moves=known.moves or ran.moves, host_work=known.host_work or ran.host_work)

    def part(self, keys: tuple[str, ...]) -> Part | None:
        """The part of the critical path to name where categories are the answer: the one that stands out in all of it
        if most of that is theirs, else the one that does in what is theirs."""
        tree, chosen = self.summary.costs, [INDEX[key] for key in keys]
        if tree is None or not chosen:
            return None
        for categories in (None, chosen):
            found = part_of(tree, categories)
            if found is None or self.on_path(found.ps) < LARGEST.value:
                continue
            # What the ranks wait for is none of what they do meanwhile.
            if self.run or sum(found.by_category[i] for i in chosen) >= MOST_OF_PARENT.value * found.ps:
                return found
        return None

    def rank(self, part: Part) -> Message | None:
        """Through which rank the path of several leads while it is in a part of it."""
        if self.run is None:
            return None
        place = self.run.rank_of(part.chain)
        return Message("awaited.one", {"rank": self.names[place]}) if place >= 0 else Message("awaited.each")

    def on_path(self, ps: float) -> float:
        """What the path holds of something, as a part of the steps that it leads through."""
        tree = self.summary.costs
        return ps / tree.steps_ps if tree and tree.steps_ps else 0.0

    def shown(self, key: str) -> float:
        """What of a step the path holds of a category in events: the replay can leave out no time in which none ran."""
        tree = self.summary.costs
        return self.on_path(int(tree.ps[1:, INDEX[key]].sum())) if tree else 0.0

    def serving(self, part: Part) -> float:
        """What of a step serves a part of the path alone, and goes with it."""
        spent = self.summary.serving.get(gain_key(part.chain))
        return spent.ps / spent.times if spent and spent.times else 0.0

    def without(self, part: Part) -> tuple[float, float]:
        """What of a step it would take less without a part of the path, at least and at most. At least as the replay
        has it, in which nothing else runs faster for that; on a host alone, whose processors all share, at most what
        the path holds of it. What serves it alone goes with it."""
        most = min(self.on_path(part.ps) + self.serving(part), 1.0)
        spent = self.summary.gains.get(gain_key(part.chain))
        if spent is None or not spent.times:
            return most, most
        least = min(max(spent.ps / spent.times, 0.0), 1.0)
        return (least, least) if self.step.device else (min(least, most), most)

    def is_most(self, spent: Spent, ps: float) -> bool:
        """Whether something has so large a part of what a cause takes a step that it is named."""
        return spent.ps >= MOST.value * self.of_all(ps)


def case(
    means: StepMeans,
    summaries: Sequence[StepSummary],
    limit: Bottleneck | None = None,
    run: RunPath | None = None,
) -> Case | None:
    """Of all hosts; None where there is no step, or none takes time. run: the path of those that have steps."""
    step = typical_step(means)
    if step is None:
        return None
    whole = merged(summaries)
    if run is None:
        return Case(step, whole, limit)
    # What a rank gains alone the others take from it, unless the path stays with it.
    one = run.rank_of(())
    gains = summaries[one].gains if one >= 0 and len(summaries) == len(run.by_rank) else {}
    return Case(step, structs.replace(whole, costs=run.costs, gains=gains), limit, run, titles(means.parts))


class Answer(NamedTuple):
    """The finding on a cause: code and parameters, the page that proves it, and what to search for there."""

    code: str
    params: Params
    tool: str = "trace_viewer"
    search: str = ""


def always(case: Case, ps: float) -> bool:
    return True


def never(case: Case, ps: float) -> bool:
    return False


def nothing(case: Case) -> float:
    return 0.0


class Cause(NamedTuple):
    """One thing that can take a step's time: categories, and from which share on it is what to look at first.

    bound: what calls for a change (waiting for input, copies, compilation) counts early; what needs some of the step in
    any program (the runtime, Python, waits) later. explain: the case and what the cause takes a step → what to say.
    is_actionable: whether it is to be looked at even if compute takes more. not_its: of a step, what is booked as it
    and is none of the program's: it decides nothing. of_calls: whether a little of it, strewn between calls, is their
    price.
    """

    name: str
    keys: tuple[str, ...]
    bound: Threshold[float]
    explain: Callable[[Case, float], Answer]
    is_actionable: Callable[[Case, float], bool] = always
    not_its: Callable[[Case], float] = nothing
    of_calls: bool = False

    def share(self, case: Case) -> float:
        """By which it is judged."""
        return max(case.step.share(self.keys) - self.not_its(case), 0.0)

    def is_bound(self, case: Case) -> bool:
        return self.share(case) >= self.bound.value and not self._is_price(case)

    def _is_price(self, case: Case) -> bool:
        ps = case.step.ps(self.keys)
        return self.of_calls and not case.step.device and ps < SMALL_PS.value and not self.is_actionable(case, ps)


def largest(ranking: Ranking) -> tuple[str, Spent]:
    return next(iter(ranking.items()), ("", Spent(0, 0)))


def bare(name: str) -> str:
    """A name without the type behind it."""
    return name.partition(" (")[0]


def function_name(label: str) -> str:
    """`time.sleep`, called by `log` (train.py:46) → sleep."""
    return label.removeprefix("`").partition("`")[0].rpartition(".")[2]


def work_a_step(case: Case, code: str) -> Message | None:
    """How many ops or kernels a step runs, and how long each is; None without any."""
    work = case.summary.all_work
    if not work.times:
        return None
    return Message(code, {"times": case.a_step(work).times or None, "each_ps": work.ps / work.times})


def other_parts(case: Case) -> tuple[Message, ...]:
    """The largest parts of a step beside compute."""
    parts = [(ps, c.title, c.key) for c in CATEGORIES if c.key not in COMPUTES and (ps := case.step.by_category[c.key])]
    return tuple(
        Message("time_in.share", {"category": Message(f"time_in.{key}"), "share": ps / case.step.step_ps})
        for ps, _, key in sorted(parts, reverse=True)[:OTHERS]
    )


def step_time(means: StepMeans, step_ps: float, count: int, after_slow: bool = False) -> Message:
    """How long steps take. step_ps: mean over `count` of them. after_slow: stated after what the others take."""
    if len(means) == 1:
        return Message("step_time.cut" if means.cut[0] else "step_time.only", {"step_ps": step_ps})
    if not means.whole.any():
        return Message("step_time.none_whole", {"step_ps": step_ps})
    guessed = {part.split.steps.rule for part in means.parts if part.split.steps.confidence == "guess"}
    rules = [rule.title for rule in RULES if rule.name in guessed]
    left_out = int(means.counted.sum()) - count
    rule = rules[0] if rules else None
    if left_out and count == 1:
        return Message("step_time.other", {"step_ps": step_ps, "rule": rule})
    others = {"others": count if left_out else None} if after_slow else {"left_out": left_out or None}
    return Message("step_time", {"step_ps": step_ps, **others, "rule": rule})


# How long ops run in steps and outside of them → whether steps only issue work, so that their time says nothing of
# it.
#
# The overview and the page on input decide by the same.

AHEAD = Threshold(
    "runs_ahead", 3, "times", "ops run so much longer outside of steps than in them, or than the steps take"
)


def only_issue(inside_ps: float, outside_ps: float, steps_ps: float) -> bool:
    """Of steps of a host that has no device. steps_ps: what all of them take."""
    return outside_ps >= AHEAD.value * max(inside_ps, steps_ps)
