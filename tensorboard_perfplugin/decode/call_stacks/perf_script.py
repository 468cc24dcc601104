"""What `perf script` prints of `perf record -g`: samples of threads, each with a line of its own and its frames below.

A sample lasts to the next of its thread; behind one whose next is further away than two usual distances the thread did
not run. Where several events were recorded, those of the most samples count: distances of others say nothing of them.
"""

from __future__ import annotations

import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from statistics import median_low
from typing import NamedTuple

from ..common.source import Source
from .laid import MAX_SAMPLES, MOST_PS, Laid, Sample, text_of

#: `python 4711/4712 [003] 1234.567890:     250000 cpu-clock:pppH: `; the number of the process may be missing.
_HEAD = re.compile(
    r"(?P<program>\S.{0,80}?)\s+(?:(?P<pid>\d{1,10})/)?(?P<tid>\d{1,10})\s+(?:\[\d{1,6}\]\s+)?"
    r"(?P<s>\d{1,9})\.(?P<part>\d{1,9}):\s+(?:\d{1,20}\s+)?(?P<event>\S{1,100}):"
)
#: `7f0a1b2c3d4e _PyEval_EvalFrameDefault+0x1a2 (/usr/bin/python3.11)`
_FRAME = re.compile(r"[0-9a-f]{1,16}\s+(?P<symbol>.+?)(?:\+0x[0-9a-f]+)?(?:\s+\((?P<object>[^()]*)\))?$")
_UNKNOWN = "[unknown]"
#: Of a thread's distances so many are looked at for the usual one.
_LOOKED_AT = 100_000
_PS = 10**12


class _Seen(NamedTuple):
    thread: tuple[str, str]
    at: int
    event: str
    stack: tuple[int, ...]


def read(source: Source, laid: Laid) -> None:
    seen = list(_samples(source, laid))
    if not seen:
        return
    event = Counter(each.event for each in seen).most_common(1)[0][0]
    laid.attributes["event"] = event
    laid.dropped["sample_of_other_event"] += sum(each.event != event for each in seen)
    threads: defaultdict[tuple[str, str], list[_Seen]] = defaultdict(list)
    for each in seen:
        if each.event == event:
            threads[each.thread].append(each)
    first = min(each.at for rows in threads.values() for each in rows)
    for rows in threads.values():
        rows.sort(key=lambda each: each.at)
    usual = _usual(threads.values())
    for (tid, program), rows in threads.items():
        laid.thread(f"{program} {tid}", _lasting(rows, first, usual))


def _samples(source: Source, laid: Laid) -> Iterator[_Seen]:
    head: re.Match[str] | None = None
    frames: list[int] = []
    count = 0
    for line in chain(io.BytesIO(source.data), (b"\n",)):
        if line[:1] in b" \t" and line.strip():
            if head and (frame := _FRAME.match(text_of(line[:4096]))):
                frames.append(laid.frame(_name(frame)))
            continue
        if head and frames:
            stack = laid.stack(reversed(frames))
            if stack is None or count >= MAX_SAMPLES:
                laid.dropped["beyond_slices"] += 1
            else:
                yield _Seen((head["tid"], head["program"]), _time(head), head["event"], stack)
                count += 1
        elif head:
            laid.dropped["unknown_stack"] += 1
        frames = []
        head = _HEAD.match(text_of(line[:4096]))


def _name(frame: re.Match[str]) -> str:
    """A symbol; one that is unknown with the file that it is in."""
    file = (frame["object"] or "").rpartition("/")[2]
    return frame["symbol"] if frame["symbol"] != _UNKNOWN or not file else f"{_UNKNOWN} ({file})"


def _time(head: re.Match[str]) -> int:
    return int(head["s"]) * _PS + int(head["part"].ljust(12, "0"))


def _usual(threads: Iterable[list[_Seen]]) -> int:
    """The middle distance of two samples of a thread; 1 ms where no thread has two."""
    found: list[int] = []
    for rows in threads:
        found += [b.at - a.at for a, b in pairwise(rows) if b.at > a.at][:_LOOKED_AT]
    return median_low(found) if found else 10**9


def _lasting(rows: list[_Seen], first: int, usual: int) -> Iterator[Sample]:
    for i, each in enumerate(rows):
        after = rows[i + 1].at - each.at if i + 1 < len(rows) else usual
        length = after if after <= 2 * usual else usual
        yield Sample(each.stack, min(each.at - first, MOST_PS), length)
