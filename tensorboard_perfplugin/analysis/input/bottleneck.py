"""Stages of an input pipeline → the one that limits how fast it delivers. The same for every page that names it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import structs

from ...patterns import regex
from ...threshold import Threshold
from .frames import (
    ENQUEUE,
    PYTHON_ITERATOR,
    PYTHON_OPS,
    above,
    function_name,
    hands_over,
    kinds,
    small_number,
    transformation,
)

FILL = Threshold(
    "filling of a buffer",
    0.5,
    "share",
    "a stage that fills a buffer before it delivers is named where that takes this part of what its pipeline did",
)


#: Stages of which a call gives a batch, and those that take batches apart.
BATCHES = ("Batch", "ParallelBatch", "PaddedBatch", "MapAndBatch")
_UNBATCHES = ("Unbatch", "FlatMap", "Rebatch", "Window", "GroupByWindow")
_ONE_AT_A_TIME = regex(r"ReadFile|Decode(?!Raw|Padded|CSV|Compressed)\w*|\w*Jpeg\w*|ExtractGlimpse\w*")


class Stage(msgspec.Struct, frozen=True):
    """What one stage of an input pipeline did; times in ps, summed over threads.

    name: chain of a tf.data iterator, else the op's. type: of dataset, or of the op. kind: of `KINDS`. count: calls.
    total_ps: durations of its events. thread_ps: of all of these, the function's too, each moment of a thread once, for
    the innermost event. self_ps: its own work. wait_ps: it only waited for other threads. function_ps:
    work of its function. calls: how often its function ran. blocked_ps: how long its own thread waited for that.
    busy_ps: wall time in which it worked, on one thread or several; busy_sum_ps: the same, summed over threads.
    threads: how many threads did that work. parallelism: how many at a time it was allowed to, 0 where unknown.
    fill_ps: time of calls that read many elements before they gave one; fills: how many such calls.
    ran: what ran in its function, largest first, as (name, ps). settings: what its events say of it.
    unseen: whether all it does is wait for work that the capture does not show: another machine's, another process's.
    held_up_ps: how much longer calls of its Python took than those do that begin while the program only waits.
    slow_count, slow_ps: calls in slow steps that are few, and their own time: no call of another step is like them.
    """

    name: str
    type: str
    kind: str
    count: int = 0
    total_ps: float = 0.0
    thread_ps: float = 0.0
    self_ps: float = 0.0
    wait_ps: float = 0.0
    function_ps: float = 0.0
    calls: int = 0
    blocked_ps: float = 0.0
    busy_ps: float = 0.0
    busy_sum_ps: float = 0.0
    threads: int = 0
    parallelism: int = 0
    fill_ps: float = 0.0
    fills: int = 0
    ran: tuple[tuple[str, float], ...] = ()
    settings: dict[str, str] = msgspec.field(default_factory=dict)
    unseen: bool = False
    slow_count: int = 0
    slow_ps: float = 0.0
    held_up_ps: float = 0.0

    def with_times(self, **times: float) -> Stage:
        """The same stage with other numbers."""
        return structs.replace(self, **times)

    @property
    def work_ps(self) -> float:
        return self.self_ps + self.function_ps

    @property
    def mean_wait_ps(self) -> float:
        """Of a call, in typical steps where some are."""
        return self._mean(self.wait_ps, self.count)

    @property
    def works_in_function(self) -> bool:
        """Whether most of its work is its function's."""
        return self.function_ps >= self.self_ps and self.calls > 0

    @property
    def mean_work_ps(self) -> float:
        """Of a call of its function where most of its work is there, else of a call of the stage, in typical steps
        where some are."""
        return self.work_ps / max(self.calls, 1) if self.works_in_function else self._mean(self.work_ps, self.count)

    def _mean(self, ps: float, count: int) -> float:
        typical = count - self.slow_count
        return (ps - self.slow_ps) / typical if typical > 0 else ps / max(count, 1)

    @property
    def queued_ps(self) -> float:
        """How long calls of its function waited for a thread that runs it."""
        return self.blocked_ps - self.function_ps

    @property
    def buffer_size(self) -> int | None:
        return small_number(self.settings.get("buffer_size", ""))

    @property
    def iterates(self) -> bool:
        """Whether it is a stage of tf.data."""
        return self.name.startswith("Iterator::")

    @property
    def at_once(self) -> float | None:
        """How many threads it works on at once, over the time it works."""
        return self.busy_sum_ps / self.busy_ps if self.busy_ps else None


class Bottleneck(NamedTuple):
    """The stage that limits a pipeline. needs_ps: time it takes of the capture, several at a time where it may.

    at_a_time: how many of it may run at once. ran: what its function ran for longest, empty where that is not known.
    fills: whether it is what it is since it fills a buffer. together_ps: with the stages that its threads run too.
    batched: whether what it takes are batches already.
    """

    stage: Stage
    needs_ps: float
    at_a_time: int
    ran: str
    fills: bool
    together_ps: float
    batched: bool = False

    def made_ps(self, steps: int) -> float:
        """What its threads work for each of some steps."""
        return self.together_ps / max(steps, 1)

    @property
    def alone_ps(self) -> float:
        """What it would take were its Python not held up by the program's own."""
        return self.needs_ps - self.stage.held_up_ps / self.at_a_time

    @property
    def label(self) -> str:
        """`ParallelMapV2`; the op's name where it is no stage of tf.data; a function of Python."""
        if self.stage.type == PYTHON_ITERATOR:
            return function_name(self.stage.name)
        return self.stage.type if self.stage.iterates else self.stage.name


def merged(stages: Iterable[Stage]) -> list[Stage]:
    """Stages of several hosts, summed by name; largest work first."""
    rows: dict[tuple[str, str, str], Stage] = {}
    for stage in stages:
        key = (stage.name, stage.type, stage.kind)
        rows[key] = _sum(rows[key], stage) if key in rows else stage
    return sorted(rows.values(), key=lambda s: (-s.work_ps, -s.wait_ps, s.name))


_SUMMED = (
    "count",
    "total_ps",
    "thread_ps",
    "self_ps",
    "wait_ps",
    "function_ps",
    "calls",
    "blocked_ps",
    "busy_ps",
    "busy_sum_ps",
    "fill_ps",
    "fills",
    "slow_count",
    "slow_ps",
    "held_up_ps",
)


def _sum(a: Stage, b: Stage) -> Stage:
    ran = dict(a.ran)
    for name, ps in b.ran:
        ran[name] = ran.get(name, 0.0) + ps
    return structs.replace(
        a,
        **{key: getattr(a, key) + getattr(b, key) for key in _SUMMED},
        threads=max(a.threads, b.threads),
        parallelism=max(a.parallelism, b.parallelism),
        ran=tuple(sorted(ran.items(), key=lambda pair: -pair[1])),
        settings=a.settings | b.settings,
    )


def input_bottleneck(stages: Sequence[Stage]) -> Bottleneck | None:
    """The stage that limits the pipeline, of the stages of one host or the merged ones of several; None without work.

    Stages that one thread runs in turn add up; the threads that need most time are the limit, and of the stages that
    they run the one that needs most.
    """
    making = [stage for stage in stages if not _only_copies(stage)]
    stages = making if any(stage.work_ps or stage.unseen for stage in making) else stages
    by_name = {stage.name: stage for stage in stages}
    filling = max((s for s in stages if s.fill_ps), key=lambda s: s.fill_ps, default=None)
    needs = [needed(stage, by_name) for stage in stages]
    together: dict[str, float] = {}
    for need in needs:
        together[need.workers] = together.get(need.workers, 0.0) + need.ps
    worst = max(needs, key=lambda n: (together[n.workers], n.ps), default=None)
    if filling is not None and (worst is None or filling.fill_ps > FILL.value * together[worst.workers]):
        return Bottleneck(filling, filling.fill_ps, 1, "", True, filling.fill_ps)
    if worst is None or not worst.ps:
        return None
    stage = worst.stage
    ran = stage.ran[0][0] if stage.ran and (not stage.iterates or stage.function_ps >= stage.self_ps) else ""
    batched = any(stage.iterates and takes_batches_of(stage, below) for below in stages)
    return Bottleneck(stage, worst.ps, worst.at_a_time, ran, False, together[worst.workers], batched)


def takes_batches_of(stage: Stage, below: Stage) -> bool:
    """Whether what a stage takes are the batches that another makes."""
    if not below.name.startswith(f"{stage.name}::"):
        return False
    *between, kind = kinds(below.name[len(stage.name) + 2 :])
    return kind in BATCHES and not any(each in _UNBATCHES for each in between)


def needs_one(stage: Stage) -> bool:
    """Whether the function of a stage runs what takes single elements alone: Python, files, images, sound."""
    return any(name in PYTHON_OPS or _ONE_AT_A_TIME.fullmatch(name) for name, _ in stage.ran)


def _only_copies(stage: Stage) -> bool:
    """Whether it copies to the device what others make: a TPU's infeed has its turn before that."""
    return stage.kind == ENQUEUE and not stage.iterates and not stage.unseen and not stage.type.startswith("Infeed")


class Need(NamedTuple):
    """What a stage takes of its workers' time. workers: name of the stage for which these threads make elements."""

    stage: Stage
    workers: str
    ps: float
    at_a_time: int


def needed(stage: Stage, by_name: dict[str, Stage]) -> Need:
    """What a stage takes of its workers; by_name: the stages of its pipeline."""
    threads = max(stage.threads, 1)
    if stage.unseen:
        return Need(stage, stage.name, stage.wait_ps + stage.self_ps, threads)
    if not stage.iterates:
        return Need(stage, stage.name, stage.work_ps / (stage.at_once or 1.0), threads)
    if hands_over(stage.name):
        slots = min(stage.parallelism or threads, threads)
        return Need(stage, f"{stage.name} itself", (stage.function_ps + stage.self_ps) / slots, slots)
    feeds = _hands_over_to(stage.name)
    slots = max(min(_makers(by_name.get(feeds)), threads), 1)
    return Need(stage, feeds, (stage.self_ps + max(stage.function_ps, stage.blocked_ps)) / slots, slots)


def _hands_over_to(stage: str) -> str:
    """The nearest stage above whose threads run this one; empty where the program's own thread does."""
    parts = stage.split("::")
    for i in range(len(parts) - 1, 0, -1):
        if hands_over(parts[i - 1]):
            return above("::".join(parts[: i + 1]))
    return ""


def _makers(stage: Stage | None) -> int:
    """How many threads make elements for a stage that hands over: only an interleave has several."""
    return stage.parallelism or stage.threads if stage is not None and "Interleave" in transformation(stage.name) else 1
