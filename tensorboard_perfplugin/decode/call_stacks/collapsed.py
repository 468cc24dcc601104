"""Collapsed stacks, as FlameGraph's `stackcollapse` scripts, async-profiler and py-spy (`-f raw`) write them.

A line is the frames of a stack, the outermost first, parted by `;`, then a blank and how often it was seen. Lines are
in no order of time, and say no length: stacks are sorted, so that what begins alike is one slice, as in a flame graph.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from ...messages import message
from ..common.source import Source
from .laid import MAX_SAMPLES, MOST_PS, Laid, Sample, text_of

#: How long a sample is shown: what all of them fit with.
_LENGTHS = ((10**9, "1 ms"), (10**6, "1 µs"), (10**3, "1 ns"), (1, "1 ps"))
_MOST_COUNT = 1 << 50


def read(source: Source, laid: Laid) -> None:
    counts: dict[tuple[int, ...], int] = {}
    for line in io.BytesIO(source.data):
        if not line.strip():
            continue
        stack, count = _parsed(line, laid)
        if count <= 0:
            laid.dropped["unknown_stack"] += 1
        elif stack is None or (len(counts) >= MAX_SAMPLES and stack not in counts):
            laid.dropped["beyond_slices"] += 1
        else:
            counts[stack] = counts.get(stack, 0) + count
    total = sum(counts.values())
    length, text = next(((ps, text) for ps, text in _LENGTHS if total * ps <= MOST_PS), _LENGTHS[-1])
    laid.thread("all threads", _samples(counts, length, list(laid.frames)))
    # One of many is seen often.
    laid.samples = 0
    laid.warnings.append(message("samples_without_length", n=total, stacks=len(counts), length=text))


def _parsed(line: bytes, laid: Laid) -> tuple[tuple[int, ...] | None, int]:
    """The stack and how often it was seen, 0 where the line is none."""
    frames, _, count = line.rstrip().rpartition(b" ")
    if not frames or not count.isdigit() or len(count) > 18:
        return None, 0
    seen = min(int(count), _MOST_COUNT)
    return laid.stack(laid.frame(text_of(frame) or "(unnamed)") for frame in frames.split(b";")), seen


def _samples(counts: dict[tuple[int, ...], int], length: int, names: list[str]) -> Iterator[Sample]:
    place = sorted(range(len(names)), key=names.__getitem__)
    rank = [0] * len(names)
    for i, frame in enumerate(place):
        rank[frame] = i
    at = 0
    for stack in sorted(counts, key=lambda stack: [rank[frame] for frame in stack]):
        yield Sample(stack, at, counts[stack] * length)
        at += counts[stack] * length
