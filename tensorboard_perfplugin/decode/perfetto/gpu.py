"""What ran on GPUs in a Perfetto trace, and how PyTorch writes its events and their args."""

from __future__ import annotations

import contextlib
import struct
from typing import Any

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I64, StatKind, distinct, distinct_rows, interned, range_members
from ...wire import LENGTH, VARINT, DamagedError, Field, signed, walk
from ..trace_events.kineto import OPERATOR
from .layout import GPU_COUNTER, RENDER_STAGE
from .packets import Packets
from .tracks import Block, Row, Tracks, slices, with_stats

# What ran on GPUs (`GpuRenderStageEvent`) and their counters → slices on queues, and counters.
#
# A queue is a row of its GPU's process. PyTorch's own are in its words already but for a few keys, which become those
# of
# its traces of JSON; `pytorch.py` gives them their categories.

#: Descriptions of queues and stages in events, of counters in events, and of counters among interned data.
_SPECIFICATIONS, _COUNTERS, _INTERNED_COUNTERS = 7053, 7052, 1047
_STREAM = regex(r"stream 0*(-?\d{1,18})")
#: PyTorch's keys here → in its traces of JSON.
_RENAMED = {
    "device id": "device",
    "stream id": "stream",
    "context id": "context",
    "registers_per_thread": "registers per thread",
    "shared_mem_dynamic": "shared memory",
}
_WHOLE = regex(r"-?\d{1,18}")


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
    unique, which = distinct_rows(gpu, e["track"][chosen])
    places = np.array([_queue(tracks, number, queue, old) for number, queue in unique.tolist()], np.int64)
    name, category = (e[key][chosen].astype(np.int64) for key in ("name", "category"))
    by_number = np.flatnonzero((name == 0) & (e["value_kind"][chosen] > 0))
    if len(by_number):
        numbers = interned(old[1], packets.texts) if old[1] else np.zeros(1, np.int64)
        stage = np.minimum(e["value_kind"][chosen][by_number].astype(np.int64) - 1, len(numbers) - 1)
        name[by_number] = numbers[stage]
    counts = e["stats"].astype(np.int64)
    ends = np.cumsum(counts)
    at = range_members((ends - counts)[chosen], ends[chosen])
    block = structs.replace(
        slices(name, category, places[which], time[chosen], np.clip(e["length"][chosen], 0, 1 << 60)),
        stats=counts[chosen],
        keys=packets.keys[at],
        kinds=packets.kinds[at],
        values=packets.values[at],
    )
    _as_numbers(block, packets)
    return block


def _queue(tracks: Tracks, gpu: int, queue: int, old: tuple[list[str], list[str]]) -> int:
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
    unique, which = distinct(block.values[at])
    whole = np.array([bool(_WHOLE.fullmatch(texts[i][:20])) for i in unique.tolist()], bool)
    number = np.array([int(texts[i]) if is_whole else 0 for i, is_whole in zip(unique.tolist(), whole, strict=True)])
    if len(at):
        chosen = whole[which]
        block.kinds = block.kinds.copy()
        block.values = block.values.copy()
        block.kinds[at[chosen]] = StatKind.INT
        block.values[at[chosen]] = number.astype(np.int64)[which][chosen]


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
    unique, which = distinct_rows(*(e[key][chosen] for key in ("sequence", "track", "length", "type")))
    places, names = [], []
    for sequence, description, gpu, number in unique.tolist():
        name = specs.get((sequence, description, number)) or f"counter {number}"
        device = gpu - 1 if gpu else gpus.get((sequence, description), 0)
        process = tracks.named(gpu_name(device), 1 << 20)
        places.append(tracks.add(Row(process, name, name, is_counter=True)))
        names.append(packets.texts.setdefault(name, len(packets.texts)))
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


# Traces that PyTorch wrote itself (`export_chrome_trace("x.pftrace")`), whose events have no categories → these.
#
# Its args are those of its traces of JSON, and say what an event is. What the program marked and what PyTorch's
# operators are is distinguished by the name: operators are called as functions of C++ or Python are.

_GPU = regex(r"GPU \d{1,6}")
_STAGES = {
    "Kernel": "kernel",
    "Memcpy": "gpu_memcpy",
    "Memset": "gpu_memset",
    "Annotation": "gpu_user_annotation",
}
_OF_OPERATORS = ("Sequence number", "Fwd thread id", "Input Dims", "Concrete Inputs", "Input type")
_OF_PYTORCH = ("External id", "Record function id", "cbid", "Python id", "cuda_sync_kind")
_STREAM_PYTORCH = regex(r"stream -?\d{1,18} *")
_PLAIN = regex(r"\w+")
_NAME = 200


def is_pytorch(block: Block, texts: dict[str, int]) -> bool:
    """Whether PyTorch wrote the track events, without categories."""
    keys = [texts[key] for key in _OF_PYTORCH if key in texts]
    return bool(keys) and not block.category.any() and bool(np.isin(block.keys, keys).any())


def with_categories(block: Block, tracks: Tracks, texts: dict[str, int]) -> None:
    """Gives each track event its category, in place."""
    having = _Having(block, texts)
    names = list(texts)
    used, which = distinct(block.name)
    heads = [names[i][:_NAME] for i in used.tolist()]

    def named(matches: list[bool]) -> NDArray[np.bool_]:
        return np.array(matches, bool)[which]

    on_gpu = np.array([_is_gpu(tracks, place) for place in range(len(tracks.rows))], bool)[block.row]
    external = having("External id") | having("Record function id")
    is_operator = named([bool(OPERATOR.fullmatch(head)) for head in heads])
    is_plain = named([bool(_PLAIN.fullmatch(head)) for head in heads])
    described = np.zeros(len(block), bool)
    for key in _OF_OPERATORS:
        described |= having(key)
    overhead = np.array([_process(tracks, place) == "Overhead" for place in range(len(tracks.rows))], bool)[block.row]
    rules = (
        (having("cuda_sync_kind"), "cuda_sync"),
        (having("cbid") & named([head.startswith("cuda") for head in heads]), "cuda_runtime"),
        (having("cbid") & named([head.startswith("hip") for head in heads]), "hip_runtime"),
        (having("cbid"), "cuda_driver"),
        (having("stream") & named([head.startswith("Memcpy") for head in heads]), "gpu_memcpy"),
        (having("stream") & named([head.startswith("Memset") for head in heads]), "gpu_memset"),
        (having("stream") & (having("grid") | having("device")), "kernel"),
        (on_gpu & having("External id"), "gpu_user_annotation"),
        (having("Python id") | having("Python parent id"), "python_function"),
        (external & (is_operator | (is_plain & described)), "cpu_op"),
        (external, "user_annotation"),
        (overhead, "overhead"),
    )
    for mask, category in reversed(rules):
        block.category[mask & (block.phase == ord("X"))] = texts.setdefault(category, len(texts))


def stage_categories(block: Block, texts: dict[str, int]) -> bool:
    """Categories of what ran on GPUs, in place, where PyTorch wrote it; whether it did."""
    if not _Having(block, texts)("stream").any() or not _Having(block, texts)("correlation").any():
        return False
    for stage, category in _STAGES.items():
        if stage in texts:
            block.category[block.category == texts[stage]] = texts.setdefault(category, len(texts))
    return True


def _is_gpu(tracks: Tracks, place: int) -> bool:
    of_gpu = _GPU.fullmatch(_process(tracks, place)[:_NAME])
    return bool(of_gpu or _STREAM_PYTORCH.fullmatch(tracks.rows[place].name[:_NAME]))


def _process(tracks: Tracks, place: int) -> str:
    process = tracks.rows[place].process
    return tracks.processes[process].name if process >= 0 else ""


class _Having:
    """Which events have an arg."""

    def __init__(self, block: Block, texts: dict[str, int]) -> None:
        self.block, self.texts = block, texts
        self.ends: I64 = np.cumsum(block.stats)

    def __call__(self, key: str) -> NDArray[np.bool_]:
        found = np.zeros(len(self.block), bool)
        at = np.flatnonzero(self.block.keys == self.texts.get(key, -1))
        found[np.searchsorted(self.ends, at, "right")] = True
        return found


# Kineto's annotation `metadata`, all args as JSON without its braces → these args; `correlation_id` → theirs.

_ALL, _CORRELATION = "metadata", "correlation_id"


def is_kineto(block: Block, texts: dict[str, int]) -> bool:
    """Whether events have all their args in one."""
    at = block.keys == texts.get(_ALL, -1)
    return bool(at.any()) and bool((block.kinds[at] == StatKind.TEXT).all())


def spread(block: Block, texts: dict[str, int]) -> Block:
    """Each event with its args as they would be in JSON."""
    rename = np.arange(len(texts) + 1, dtype=np.int32)
    if _CORRELATION in texts:
        rename[texts[_CORRELATION]] = texts.setdefault("correlation", len(texts))
    at = np.flatnonzero(block.keys == texts[_ALL])
    unique, which = distinct(block.values[at])
    listed = list(texts)
    made = [_args(listed[i], texts) for i in unique.tolist()]
    sizes = np.array([len(each) for each in made], np.int64)
    rows = np.array([row for each in made for row in each], np.int64).reshape(-1, 3)
    counts = np.ones(len(block.keys), np.int64)
    counts[at] = sizes[which]
    # A stat that is none of these stays; of one that is, come its rows.
    source = np.repeat(np.arange(len(block.keys)), counts)
    keys, kinds, values = rename[block.keys[source]], block.kinds[source], block.values[source]
    ends = np.cumsum(sizes)
    of = which
    taken = range_members((ends - sizes)[of], ends[of])
    to = np.flatnonzero(np.isin(source, at))
    keys[to], kinds[to], values[to] = rows[taken, 0], rows[taken, 1], rows[taken, 2]
    owner = np.repeat(np.arange(len(block)), block.stats)
    stats = np.bincount(owner, counts, len(block)).astype(np.int64)
    return _once(structs.replace(block, stats=stats, keys=keys, kinds=kinds, values=values))


def _once(block: Block) -> Block:
    """Of an event's args of one key the first: both say the correlation."""
    owner = np.repeat(np.arange(len(block)), block.stats)
    _, first = np.unique(np.stack((owner, block.keys)), axis=1, return_index=True)
    first = np.sort(first)
    stats = np.bincount(owner[first], minlength=len(block)).astype(np.int64)
    return structs.replace(
        block, stats=stats, keys=block.keys[first], kinds=block.kinds[first], values=block.values[first]
    )


def _args(text: str, texts: dict[str, int]) -> list[tuple[int, int, int]]:
    found: Any = None
    with contextlib.suppress(msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        found = msgspec.json.decode(f"{{{text}}}" if not text.lstrip().startswith("{") else text)
    if not isinstance(found, dict):
        return [(texts[_ALL], StatKind.TEXT, texts[text])]
    return [(texts.setdefault(str(key), len(texts)), *_stat(value, texts)) for key, value in found.items()]


def _stat(value: Any, texts: dict[str, int]) -> tuple[int, int]:
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return StatKind.INT, int(value)
    if isinstance(value, float):
        return StatKind.DOUBLE, int(struct.unpack("<q", struct.pack("<d", value))[0])
    text = "" if value is None else value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return StatKind.TEXT, texts.setdefault(text, len(texts))
