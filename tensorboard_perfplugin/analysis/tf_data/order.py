"""The stages of a pipeline → what comes before what, where another order would cost less."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..input import PYTHON_OPS, Stage, bare, small_number, transformation

_MAPS = ("Map", "ParallelMap", "MapAndBatch", "ParseExample")
_BATCHES = ("Batch", "ParallelBatch", "PaddedBatch", "MapAndBatch")
_REPEATS = ("FiniteRepeat", "ForeverRepeat", "Repeat")
_SHUFFLES = ("Shuffle", "ShuffleAndRepeat")
_UNBATCHES = ("Unbatch", "FlatMap", "Rebatch", "Window", "GroupByWindow")
#: What gives each element that it takes, as it is: a batch may stand on either side of it.
_KEEPS = (*_SHUFFLES, *_REPEATS, "Map", "ParallelMap", "Prefetch", "FiniteTake", "Take", "FiniteSkip", "Skip", "Model")
#: What only works on one element: files, images, sound.
_ONE_AT_A_TIME = re.compile(r"ReadFile|Decode(?!Raw|Padded|CSV|Compressed)\w*|\w*Jpeg\w*|ExtractGlimpse\w*")
_BYTES = {
    **dict.fromkeys(("bool", "int8", "uint8", "qint8", "quint8", "float8_e5m2", "float8_e4m3fn"), 1),
    **dict.fromkeys(("half", "bfloat16", "int16", "uint16", "qint16", "quint16"), 2),
    **dict.fromkeys(("float", "int32", "uint32", "qint32"), 4),
    **dict.fromkeys(("double", "int64", "uint64", "complex64"), 8),
    "complex128": 16,
}
_SHAPE = re.compile(r"\[(?:\d{1,9}(?:,\d{1,9})*)?\]")
_INDEX = re.compile(r"\[\d+\]$")
#: Stages that are looked at as what shuffles, maps or shards, those with most work.
_MOST = 32
_MEGA = 1 << 20


class Mapped(NamedTuple):
    """A stage whose function runs for each element of what is batched behind it. batch: elements of that, 0 where
    unknown."""

    stage: Stage
    batch: int


class Sharded(NamedTuple):
    """A stage that gives one of so many elements. made: what works most of what feeds it; made_ps: work of all that."""

    stage: Stage
    shards: int
    made: Stage
    made_ps: float


class Shuffled(NamedTuple):
    """A stage that shuffles what others made. batch: the nearest below it that batches, made: the one whose function
    works most; repeats: whether one repeats. below_ps: work of all of them. element_bytes, before_bytes: of what it
    holds, and of what goes into `made`; 0 where that is not recorded. held: elements in its buffer at last, held_bytes:
    of all of them.
    """

    stage: Stage
    batch: Stage | None
    made: Stage | None
    repeats: bool
    below_ps: float
    element_bytes: int
    before_bytes: int
    held: int
    held_bytes: int


def mapped_singly(stages: Sequence[Stage]) -> list[Mapped]:
    """Maps of single elements whose functions could take whole batches: these have one shape, and need no Python."""
    found = []
    for stage in _of_kind(stages, ("Map", "ParallelMap", "MapAndBatch")):
        batch = stage if _kind(stage) == "MapAndBatch" else _batched_behind(stage, stages)
        child, below = _child(stage, stages), _below(stage, stages)
        alike = child is not None and element_bytes(child, of_text=1) is not None
        if batch is None or not alike or any(_kind(s) in _BATCHES for s in below) or _needs_one(stage):
            continue
        size = small_number(batch.settings.get("batch_size", "")) or stage.calls // max(batch.count, 1)
        found.append(Mapped(stage, size))
    return found


def sharded_late(stages: Sequence[Stage]) -> list[Sharded]:
    """Shards of what was made."""
    found = []
    for stage in _of_kind(stages, ("Shard",)):
        shards, below = small_number(stage.settings.get("num_shards", "")) or 0, _below(stage, stages)
        made = max(below, key=lambda s: s.work_ps, default=None)
        if shards > 1 and made is not None:
            found.append(Sharded(stage, shards, made, sum(s.work_ps for s in below)))
    return found


def shuffled(stages: Sequence[Stage]) -> list[Shuffled]:
    """All that shuffles."""
    return [_shuffled(stage, stages) for stage in _of_kind(stages, _SHUFFLES)]


def cores(stages: Sequence[Stage]) -> int:
    """Of the host, as tf.data counts them; 0 where it does not say."""
    return max((small_number(s.settings.get("cpu_budget", "")) or 0 for s in stages), default=0)


def element_bytes(stage: Stage, of_text: int | None = None) -> int | None:
    """Of an element that a stage gives; None where its shape or type has no size. of_text: what to take for a text."""
    shapes, types = stage.settings.get("shapes", "").split(), stage.settings.get("types", "").split()
    if not shapes or len(shapes) != len(types):
        return None
    total = 0
    for shape, type in zip(shapes, types, strict=True):
        size = of_text if type == "string" else _BYTES.get(type)
        if size is None or not _SHAPE.fullmatch(shape):
            return None
        for length in re.findall(r"\d+", shape):
            size *= int(length)
        total += size
    return total


def _shuffled(stage: Stage, stages: Sequence[Stage]) -> Shuffled:
    below = _below(stage, stages)
    batch = min((s for s in below if _batches_for(stage, s)), key=lambda s: len(s.name), default=None)
    made = max((s for s in below if _kind(s) in _MAPS), key=lambda s: s.function_ps or s.work_ps, default=None)
    child = _child(made, stages) if made is not None else None
    each, held = element_bytes(stage) or 0, small_number(stage.settings.get("buffered_elements", "")) or 0
    recorded = small_number(stage.settings.get("buffered_bytes_MB", "")) or 0
    return Shuffled(
        stage,
        batch,
        made,
        _kind(stage) == "Shuffle" and any(_kind(s) in _REPEATS for s in below),
        sum(s.work_ps for s in below),
        each,
        (element_bytes(child) or 0) if child is not None else 0,
        held,
        recorded * _MEGA or each * held,
    )


def _of_kind(stages: Sequence[Stage], kinds: Sequence[str]) -> list[Stage]:
    of_kind = (s for s in stages if s.iterates and s.count and _kind(s) in kinds)
    return sorted(of_kind, key=lambda s: -s.work_ps)[:_MOST]


def _kind(stage: Stage) -> str:
    return bare(transformation(stage.name))


def _below(stage: Stage, stages: Sequence[Stage]) -> list[Stage]:
    """What feeds a stage, directly or not."""
    return [s for s in stages if s.name.startswith(f"{stage.name}::")]


def _child(stage: Stage, stages: Sequence[Stage]) -> Stage | None:
    """What alone feeds a stage directly."""
    depth = stage.name.count("::") + 1
    children = [s for s in _below(stage, stages) if s.name.count("::") == depth]
    return children[0] if len(children) == 1 else None


def _kinds_above(stage: Stage) -> list[str]:
    """What a stage feeds, the nearest first."""
    return [bare(_INDEX.sub("", part)) for part in reversed(stage.name.split("::")[1:-1])]


def _batched_behind(stage: Stage, stages: Sequence[Stage]) -> Stage | None:
    """The stage that batches what one gives, where nothing in between drops, or makes others of, its elements."""
    for up, kind in enumerate(_kinds_above(stage), 1):
        if kind in ("Batch", "ParallelBatch"):
            name = stage.name.rsplit("::", up)[0]
            return next((s for s in stages if s.name == name), None)
        if kind not in _KEEPS:
            return None
    return None


def _batches_for(stage: Stage, below: Stage) -> bool:
    """Whether what a stage takes are the batches that one below it makes."""
    between = below.name[len(stage.name) + 2 :].split("::")[:-1]
    return _kind(below) in _BATCHES and not any(bare(_INDEX.sub("", part)) in _UNBATCHES for part in between)


def _needs_one(stage: Stage) -> bool:
    return any(name in PYTHON_OPS or _ONE_AT_A_TIME.fullmatch(name) for name, _ in stage.ran)
