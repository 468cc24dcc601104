"""What ran on GPUs (`GpuRenderStageEvent`) and their counters → slices on queues, and counters.

A queue is a row of its GPU's process. PyTorch's own are in its words already but for a few keys, which become those of
its traces of JSON; `pytorch.py` gives them their categories.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re

import numpy as np

from ...tables import I64, StatKind
from ...wire import LENGTH, VARINT, DamagedError, Field, signed, walk
from ..common.ranges import runs
from .blocks import Block, slices, with_stats
from .layout import GPU_COUNTER, RENDER_STAGE
from .packets import Packets
from .tracks import Row, Tracks

#: Descriptions of queues and stages in events, of counters in events, and of counters among interned data.
_SPECIFICATIONS, _COUNTERS, _INTERNED_COUNTERS = 7053, 7052, 1047
_STREAM = re.compile(r"stream 0*(-?\d{1,18})")
#: PyTorch's keys here → in its traces of JSON.
_RENAMED = {
    "device id": "device",
    "stream id": "stream",
    "context id": "context",
    "registers_per_thread": "registers per thread",
    "shared_mem_dynamic": "shared memory",
}
_WHOLE = re.compile(r"-?\d{1,18}")


def gpu_name(number: int) -> str:
    return f"GPU {number}"


def stages(packets: Packets, tracks: Tracks, time: I64) -> Block | None:
    """All that ran on GPUs; None where nothing did."""
    e = packets.events
    chosen = np.flatnonzero(e["kind"] == RENDER_STAGE)
    if not len(chosen):
        return None
    old = _old_names(packets)
    gpu = np.clip(e["value"][chosen], -1, 1 << 30)
    unique, which = np.unique(np.stack((gpu, e["track"][chosen])), axis=1, return_inverse=True)
    places = np.array([_queue(tracks, packets, number, queue, old) for number, queue in unique.T.tolist()], np.int64)
    name, category = (e[key][chosen].astype(np.int64) for key in ("name", "category"))
    by_number = np.flatnonzero((name == 0) & (e["value_kind"][chosen] > 0))
    if len(by_number):
        numbers = np.array([packets.texts.setdefault(text, len(packets.texts)) for text in old[1]] or [0], np.int64)
        stage = np.minimum(e["value_kind"][chosen][by_number].astype(np.int64) - 1, len(numbers) - 1)
        name[by_number] = numbers[stage]
    counts = e["stats"].astype(np.int64)
    ends = np.cumsum(counts)
    at = runs((ends - counts)[chosen], ends[chosen])
    block = dataclasses.replace(
        slices(name, category, places[which.reshape(-1)], time[chosen], np.clip(e["length"][chosen], 0, 1 << 60)),
        stats=counts[chosen],
        keys=packets.keys[at],
        kinds=packets.kinds[at],
        values=packets.values[at],
    )
    _as_numbers(block, packets)
    return block


def _queue(tracks: Tracks, packets: Packets, gpu: int, queue: int, old: tuple[list[str], list[str]]) -> int:
    """The place of a queue's row. queue: a text's number, or -2 - its place in a list of former writers."""
    if queue >= 0:
        name = tracks.texts[queue] if queue < len(tracks.texts) else ""
    else:
        number = -2 - queue
        name = old[0][number] if 0 <= number < len(old[0]) else f"queue {number}" if queue < -1 else ""
    name = name or "queue"
    match = _STREAM.fullmatch(name)
    process = tracks.named(gpu_name(gpu), 1 << 20)
    return tracks.add(Row(process, int(match[1]) if match else name, name, is_thread=True))


def _as_numbers(block: Block, packets: Packets) -> None:
    """Args that are texts of whole numbers become these, and get their usual keys, in place."""
    texts = list(packets.texts)
    rename = np.arange(len(texts) + len(_RENAMED), dtype=np.int32)
    for old, new in _RENAMED.items():
        if old in packets.texts:
            rename[packets.texts[old]] = packets.texts.setdefault(new, len(packets.texts))
    block.keys = rename[block.keys]
    at = np.flatnonzero(block.kinds == StatKind.TEXT)
    unique, which = np.unique(block.values[at], return_inverse=True)
    whole = np.array([bool(_WHOLE.fullmatch(texts[i][:20])) for i in unique.tolist()], bool)
    number = np.array([int(texts[i]) if is_whole else 0 for i, is_whole in zip(unique.tolist(), whole, strict=True)])
    if len(at):
        chosen = whole[which.reshape(-1)]
        block.kinds = block.kinds.copy()
        block.values = block.values.copy()
        block.kinds[at[chosen]] = StatKind.INT
        block.values[at[chosen]] = number.astype(np.int64)[which.reshape(-1)][chosen]


def _old_names(packets: Packets) -> tuple[list[str], list[str]]:
    """Names of queues and of stages by their numbers, as drivers wrote them before texts were interned."""
    queues: list[str] = []
    names: list[str] = []
    for other in packets.others:
        if other.kind == _SPECIFICATIONS:
            with contextlib.suppress(DamagedError):
                for field in walk(other.data, 0, len(other.data)):
                    if field.wire == LENGTH and field.number in (2, 3):
                        (queues if field.number == 2 else names).append(_text(other.data, field, 1))
    return queues[: 1 << 16], names[: 1 << 16]


def _text(data: bytes, within: Field, number: int) -> str:
    for field in walk(data, within.begin, within.end):
        if field.wire == LENGTH and field.number == number:
            return str(data[field.begin : field.end], "utf-8", "replace")
    return ""


def counters(packets: Packets, tracks: Tracks, time: I64) -> Block | None:
    """Counters of GPUs; None where there are none."""
    e = packets.events
    chosen = np.flatnonzero((e["kind"] == GPU_COUNTER) & (e["value_kind"] > 0))
    if not len(chosen):
        return None
    specs, gpus = _specs(packets)
    key = np.stack((e["sequence"][chosen].astype(np.int64), e["track"][chosen], e["length"][chosen], e["type"][chosen]))
    unique, which = np.unique(key, axis=1, return_inverse=True)
    places, names = [], []
    for sequence, description, gpu, number in unique.T.tolist():
        name = specs.get((sequence, description, number)) or f"counter {number}"
        device = gpu - 1 if gpu else gpus.get((sequence, description), 0)
        process = tracks.named(gpu_name(device), 1 << 20)
        places.append(tracks.add(Row(process, name, name, is_counter=True)))
        names.append(packets.texts.setdefault(name, len(packets.texts)))
    which = which.reshape(-1)
    n = len(chosen)
    zero = np.zeros(n, np.int64)
    block = slices(np.array(names, np.int64)[which], zero, np.array(places, np.int64)[which], time[chosen], zero)
    block.phase[:] = ord("C")
    block = with_stats(block, [packets.texts.setdefault("value", len(packets.texts))], [0], [e["value"][chosen]])
    block.kinds = e["value_kind"][chosen].astype(np.uint8)
    return block


def _specs(packets: Packets) -> tuple[dict[tuple[int, int, int], str], dict[tuple[int, int], int]]:
    """By sequence, description and number a counter's name; by sequence and description the device."""
    names: dict[tuple[int, int, int], str] = {}
    gpus: dict[tuple[int, int], int] = {}
    for other in packets.others:
        if other.kind == _COUNTERS:
            names |= {(other.sequence, 0, number): name for number, name in _described(other.data, 0, len(other.data))}
        elif other.kind == _INTERNED_COUNTERS:
            iid, gpu, inner = 0, -1, None
            with contextlib.suppress(DamagedError):
                for field in walk(other.data, 0, len(other.data)):
                    if field.wire == VARINT:
                        iid = signed(field.value) if field.number == 1 else iid
                        gpu = signed(field.value) if field.number == 3 else gpu
                    elif field.wire == LENGTH and field.number == 2:
                        inner = field
            if inner is not None:
                found = _described(other.data, inner.begin, inner.end)
                names |= {(other.sequence, iid, number): name for number, name in found}
            if gpu >= 0:
                gpus[other.sequence, iid] = gpu
    return names, gpus


def _described(data: bytes, begin: int, end: int) -> list[tuple[int, str]]:
    """Numbers and names of counters."""
    found = []
    with contextlib.suppress(DamagedError):
        for field in walk(data, begin, end):
            if field.number == 1 and field.wire == LENGTH:
                number = next(
                    (f.value for f in walk(data, field.begin, field.end) if f.number == 1 and f.wire == VARINT), 0
                )
                found.append((signed(number), _text(data, field, 2)))
    return found
