"""Kineto's annotation `metadata`, all args as JSON without its braces → these args; `correlation_id` → theirs."""

from __future__ import annotations

import contextlib
import dataclasses
import struct
from typing import Any

import msgspec
import numpy as np

from ...tables import StatKind
from ..common.ranges import runs
from .blocks import Block

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
    unique, which = np.unique(block.values[at], return_inverse=True)
    listed = list(texts)
    made = [_args(listed[i], texts) for i in unique.tolist()]
    sizes = np.array([len(each) for each in made], np.int64)
    rows = np.array([row for each in made for row in each], np.int64).reshape(-1, 3)
    counts = np.ones(len(block.keys), np.int64)
    counts[at] = sizes[which.reshape(-1)]
    # A stat that is none of these stays; of one that is, come its rows.
    source = np.repeat(np.arange(len(block.keys)), counts)
    keys, kinds, values = rename[block.keys[source]], block.kinds[source], block.values[source]
    ends = np.cumsum(sizes)
    of = which.reshape(-1)
    taken = runs((ends - sizes)[of], ends[of])
    to = np.flatnonzero(np.isin(source, at))
    keys[to], kinds[to], values[to] = rows[taken, 0], rows[taken, 1], rows[taken, 2]
    owner = np.repeat(np.arange(len(block)), block.stats)
    stats = np.bincount(owner, counts, len(block)).astype(np.int64)
    return _once(dataclasses.replace(block, stats=stats, keys=keys, kinds=kinds, values=values))


def _once(block: Block) -> Block:
    """Of an event's args of one key the first: both say the correlation."""
    owner = np.repeat(np.arange(len(block)), block.stats)
    _, first = np.unique(np.stack((owner, block.keys)), axis=1, return_index=True)
    first = np.sort(first)
    stats = np.bincount(owner[first], minlength=len(block)).astype(np.int64)
    return dataclasses.replace(
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
