"""Call stacks as samplers write them: collapsed stacks, `perf script`, austin, pyinstrument → `Capture`.

Each becomes the slices that speedscope's files become."""

from __future__ import annotations

import io
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from statistics import median_low
from typing import Any, NamedTuple

from .. import units
from ..errors import UnreadableError
from ..formats import STACK_FORMS, Format
from ..messages import Message, message
from ..patterns import regex
from ..tables import Capture, PlaneKind, TrackKind
from .common.build import Builder, Value
from .common.source import Source
from .speedscope import MAX_DEPTH, MAX_SLICES, Slices

# Stacks and how long they lasted, thread by thread → slices: a frame lasts as long as it stays at its place.

#: 100 days.
MOST_PS = 86_400 * 100 * 10**12
#: What is kept of a file, since each takes memory as an object: distinct frames, samples of different stacks, frames
#: of all distinct stacks, and characters of a name. A thread is a track.
MAX_FRAMES, MAX_SAMPLES, MAX_IN_STACKS, MAX_NAME, MAX_TRACKS = 1 << 18, MAX_SLICES, 1 << 22, 1000, 1000
_OTHERS = "(others)"


class Sample(NamedTuple):
    """The outermost frame first, as numbers that `Laid.frame` gives. Times are ps."""

    stack: tuple[int, ...]
    begin: int
    length: int


class Laid:
    """count: how many slices there are. warnings, dropped: what the reader of a form has to say."""

    def __init__(self, source: Source) -> None:
        self.source, self.builder = source, Builder()
        self.warnings: list[Message] = []
        self.dropped: Counter[str] = Counter()
        self.attributes: dict[str, Value] = {}
        self.start_ns: int | None = None
        self.count = self.samples = self._tracks = self._in_stacks = 0
        self.frames: dict[str, int] = {}
        self.stacks: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._made: list[tuple[str, list[tuple[int, int, int]]]] = []

    def frame(self, name: str) -> int:
        found = self.frames.get(name[:MAX_NAME])
        if found is None:
            if len(self.frames) >= MAX_FRAMES:
                return self.frames.setdefault(_OTHERS, len(self.frames))
            found = self.frames[name[:MAX_NAME]] = len(self.frames)
        return found

    def stack(self, frames: Iterable[int]) -> tuple[int, ...] | None:
        """The stack, one object whatever number of samples have it; None where there are too many."""
        made = tuple(frames)
        found = self.stacks.get(made)
        if found is None:
            self._in_stacks += len(made) + 4
            if self._in_stacks > MAX_IN_STACKS:
                return None
            found = self.stacks[made] = made
        return found

    def thread(self, title: str, samples: Iterable[Sample]) -> None:
        """A track; samples are in the order of time."""
        if self._tracks >= MAX_TRACKS:
            self.dropped["beyond_tracks"] += 1
            return
        self._tracks += 1
        slices = Slices(len(self.frames), MAX_SLICES - self.count)
        last = 0
        for stack, begin, length in samples:
            if begin + length > MOST_PS:
                self.dropped["impossible_time"] += 1
                continue
            if begin > last:
                slices.close(last)
            slices.sample(stack, begin)
            last = begin + length
            self.samples += 1
        slices.close(last)
        # Inner frames end first; of one begin and end the outer comes first.
        self.slices(title, slices.made[::-1])
        self.dropped["beyond_slices"] += slices.lost
        self.dropped["deeper_frame"] += slices.deeper

    def slices(self, title: str, made: list[tuple[int, int, int]]) -> None:
        """A track of what is laid out: frame, begin and end."""
        self._made.append((title, made))
        self.count += len(made)

    def capture(self, format: Format) -> Capture:
        plane = self.builder.plane("Call stacks", PlaneKind.PYTHON, stats=self.attributes)
        names = list(self.frames)
        for i, (title, made) in enumerate(self._made):
            track = self.builder.track(plane, i, title, TrackKind.THREAD)
            for frame, begin, end in made:
                track.event(names[frame], begin, end - begin)
        warnings = (*self.source.warnings, *self.warnings)
        if self.samples:
            warnings = (*warnings, message("samples_shown", n=self.samples, slices=self.count))
        return self.builder.capture(format, "", self.start_ns, warnings, self.dropped)


def text_of(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()


# Samples of austin as text: `P<pid>;T<tid>;<file>:<function>:<line>;… <µs>`, thread by thread in the order of time.
#
# Behind `# key: value` lines at the begin. In full mode a line ends in time, idle and memory; of memory alone there
# is no
# time, so these open nowhere.

_PS_PER_US = 10**6
#: Of the file's first lines, those of its own facts.
_FACTS = ("austin", "mode", "interval", "python", "duration")

Lasted = tuple[tuple[int, ...], int]


def read_austin(source: Source, laid: Laid) -> None:
    threads: dict[str, list[Lasted]] = {}
    count = 0
    for line in io.BytesIO(source.data):
        text = text_of(line)
        if text.startswith("#"):
            _fact(text, source, laid)
        elif text:
            thread, stack, length = _parsed(text, laid)
            rows = threads.setdefault(thread, []) if thread else []
            if not thread or length < 0:
                laid.dropped["unknown_stack"] += 1
            elif stack is None or count >= MAX_SAMPLES:
                laid.dropped["beyond_slices"] += 1
            elif rows and rows[-1][0] is stack:
                rows[-1] = stack, rows[-1][1] + length
            else:
                rows.append((stack, length))
                count += 1
    for thread, rows in threads.items():
        laid.thread(thread, _samples(rows))


def _fact(text: str, source: Source, laid: Laid) -> None:
    key, _, value = text[1:].partition(":")
    key, value = key.strip(), value.strip()[:100]
    if key in _FACTS:
        laid.attributes[key] = value
    if key == "mode" and value == "memory":
        raise UnreadableError(
            f"{source.path or 'The data'} has samples of memory (austin --memory), without times. Record times: austin "
            "-o FILE.austin python train.py."
        )


def _parsed(text: str, laid: Laid) -> tuple[str, tuple[int, ...] | None, int]:
    """The thread, its stack and the µs it lasted; no thread, or -1, where the line is none."""
    stack, _, numbers = text.rpartition(" ")
    parts = stack.split(";")
    if len(parts) < 2 or parts[0][:1] != "P" or parts[1][:1] != "T":
        return "", None, -1
    us = numbers.partition(",")[0]
    length = int(us) if us.isascii() and us.isdigit() and len(us) < 16 else -1
    thread = f"process {parts[0][1:100]} thread {parts[1][1:100]}"
    return thread, laid.stack(laid.frame(_name(part)) for part in parts[2:] if part), length


def _name(part: str) -> str:
    """`step (train.py:42)` of `/app/train.py:step:42`."""
    file, _, rest = part.rpartition(":")
    where, _, function = file.rpartition(":")
    if not where or not rest.isascii() or not rest.isdigit():
        return part
    file = where.replace("\\", "/").rpartition("/")[2]
    return f"{function} ({file}:{rest})"


def _samples(rows: list[Lasted]) -> Iterator[Sample]:
    at = 0
    for stack, us in rows:
        yield Sample(stack, at, us * _PS_PER_US)
        at += us * _PS_PER_US


# Collapsed stacks, as FlameGraph's `stackcollapse` scripts, async-profiler and py-spy (`-f raw`) write them.
#
# A line is the frames of a stack, the outermost first, parted by `;`, then a blank and how often it was seen. Lines
# are
# in no order of time, and say no length: stacks are sorted, so that what begins alike is one slice, as in a flame
# graph.

#: How long a sample is shown: what all of them fit with.
_LENGTHS = ((10**9, "1 ms"), (10**6, "1 µs"), (10**3, "1 ns"), (1, "1 ps"))
_MOST_COUNT = 1 << 50


def read_collapsed(source: Source, laid: Laid) -> None:
    counts: dict[tuple[int, ...], int] = {}
    for line in io.BytesIO(source.data):
        if not line.strip():
            continue
        stack, count = _collapsed_parsed(line, laid)
        if count <= 0:
            laid.dropped["unknown_stack"] += 1
        elif stack is None or (len(counts) >= MAX_SAMPLES and stack not in counts):
            laid.dropped["beyond_slices"] += 1
        else:
            counts[stack] = counts.get(stack, 0) + count
    total = sum(counts.values())
    length, text = next(((ps, text) for ps, text in _LENGTHS if total * ps <= MOST_PS), _LENGTHS[-1])
    laid.thread("all threads", _collapsed_samples(counts, length, list(laid.frames)))
    # One of many is seen often.
    laid.samples = 0
    laid.warnings.append(message("samples_without_length", n=total, stacks=len(counts), length=text))


def _collapsed_parsed(line: bytes, laid: Laid) -> tuple[tuple[int, ...] | None, int]:
    """The stack and how often it was seen, 0 where the line is none."""
    frames, _, count = line.rstrip().rpartition(b" ")
    if not frames or not count.isdigit() or len(count) > 18:
        return None, 0
    seen = min(int(count), _MOST_COUNT)
    return laid.stack(laid.frame(text_of(frame) or "(unnamed)") for frame in frames.split(b";")), seen


def _collapsed_samples(counts: dict[tuple[int, ...], int], length: int, names: list[str]) -> Iterator[Sample]:
    place = sorted(range(len(names)), key=names.__getitem__)
    rank = [0] * len(names)
    for i, frame in enumerate(place):
        rank[frame] = i
    at = 0
    for stack in sorted(counts, key=lambda stack: [rank[frame] for frame in stack]):
        yield Sample(stack, at, counts[stack] * length)
        at += counts[stack] * length


# What `perf script` prints of `perf record -g`: samples of threads, each with a line of its own and its frames below.
#
# A sample lasts to the next of its thread; behind one whose next is further away than two usual distances the thread
# did
# not run. Where several events were recorded, those of the most samples count: distances of others say nothing of
# them.

#: `python 4711/4712 [003] 1234.567890:     250000 cpu-clock:pppH: `; the number of the process may be missing.
_HEAD = regex(
    r"(?P<program>\S.{0,80}?)\s+(?:(?P<pid>\d{1,10})/)?(?P<tid>\d{1,10})\s+(?:\[\d{1,6}\]\s+)?"
    r"(?P<s>\d{1,9})\.(?P<part>\d{1,9}):\s+(?:\d{1,20}\s+)?(?P<event>\S{1,100}):"
)
#: `7f0a1b2c3d4e _PyEval_EvalFrameDefault+0x1a2 (/usr/bin/python3.11)`
_FRAME = regex(r"[0-9a-f]{1,16}\s+(?P<symbol>.+?)(?:\+0x[0-9a-f]+)?(?:\s+\((?P<object>[^()]*)\))?$")
_UNKNOWN = "[unknown]"
#: Of a thread's distances so many are looked at for the usual one.
_LOOKED_AT = 100_000
_PS = 10**12


class _Seen(NamedTuple):
    thread: tuple[str, str]
    at: int
    event: str
    stack: tuple[int, ...]


def read_perf_script(source: Source, laid: Laid) -> None:
    seen = list(_perf_script_samples(source, laid))
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


def _perf_script_samples(source: Source, laid: Laid) -> Iterator[_Seen]:
    head: re.Match[str] | None = None
    frames: list[int] = []
    count = 0
    for line in chain(io.BytesIO(source.data), (b"\n",)):
        if line[:1] in b" \t" and line.strip():
            if head and (frame := _FRAME.match(text_of(line[:4096]))):
                frames.append(laid.frame(_perf_script_name(frame)))
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


def _perf_script_name(frame: re.Match[str]) -> str:
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


# Sessions of pyinstrument as JSON: what `-r json` and `session.save` write.
#
# Saved are samples in the order of time (`frame_records`: a stack and how long it lasted), or the tree that they
# make;
# `-r json` has the tree alone, in which a function's calls are one: inner frames stand one after another at its
# begin.

#: Bytes that each of them takes as an object of Python; of all there may be 8 times the file, and some.
_HELD = {b"[": 60, b"{": 240, b",": 8}
_ROOM = 128 << 20
_PS_PYINSTRUMENT = 10**12
_OWN = "[self]"


def read_pyinstrument(source: Source, laid: Laid) -> None:
    data = bytes(source.data)
    if sum(data.count(mark) * size for mark, size in _HELD.items()) > 8 * len(data) + _ROOM:
        raise UnreadableError(f"{source.path or 'The data'} has more lists and objects than a session holds.")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise source.unreadable() from None
    if not isinstance(content, dict):
        return
    session = content.get("session")
    facts = session if isinstance(session, dict) else content
    started = facts.get("start_time")
    if isinstance(started, float) and 0 < started < 1 << 33:
        laid.start_ns = round(started * 10**9)
    records = content.get("frame_records", facts.get("frame_records"))
    if isinstance(records, list):
        laid.thread("session", list(_pyinstrument_samples(records, laid)))
    else:
        laid.slices("session", _tree(content.get("root_frame", content.get("frame_tree")), laid))


def _pyinstrument_samples(records: list[Any], laid: Laid) -> Iterator[Sample]:
    at = 0
    for record in records:
        stack, time = record if isinstance(record, list) and len(record) == 2 else (None, None)
        length = _length(time)
        if not isinstance(stack, list) or not all(isinstance(frame, str) for frame in stack) or length is None:
            laid.dropped["unknown_stack"] += 1
            continue
        known = laid.stack(laid.frame(_named(frame)) for frame in stack)
        if known is None:
            laid.dropped["beyond_slices"] += 1
        else:
            yield Sample(known, at, length)
            at += length


def _tree(root: Any, laid: Laid) -> list[tuple[int, int, int]]:
    """Slices of a tree, outer ones first. Inner frames may be longer together than theirs, by what rounding adds."""
    made: list[tuple[int, int, int]] = []
    left: list[tuple[Any, int, int, int]] = [(root, 0, MOST_PS, 0)]
    while left:
        node, begin, most, depth = left.pop()
        length = _length(node.get("time")) if isinstance(node, dict) else None
        if length is None:
            laid.dropped["unknown_stack"] += 1
            continue
        if len(made) >= MAX_SLICES or depth >= MAX_DEPTH:
            laid.dropped["beyond_slices" if depth < MAX_DEPTH else "deeper_frame"] += 1
            continue
        end = min(begin + length, most)
        made.append((laid.frame(_pyinstrument_name(node)), begin, end))
        at = begin
        inner = node.get("children")
        for child in inner if isinstance(inner, list) else []:
            if isinstance(child, dict) and _pyinstrument_name(child) == _OWN:
                continue
            left.append((child, at, end, depth + 1))
            at = min(at + (_length(child.get("time")) or 0 if isinstance(child, dict) else 0), end)
    return made


def _length(time: Any) -> int | None:
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time < MOST_PS // _PS_PYINSTRUMENT:
        return None
    return round(time * _PS_PYINSTRUMENT) if math.isfinite(time) else None


def _pyinstrument_name(node: dict[str, Any]) -> str:
    identifier = node.get("identifier")
    if isinstance(identifier, str):
        return _named(identifier)
    function, file, line = (node.get(key) for key in ("function", "file_path", "line_no"))
    return _called(_sound(function), _sound(file), line)


def _named(identifier: str) -> str:
    """Of `function`, file and line parted by zeros; what follows a one are other facts."""
    parts = _sound(identifier.partition("\x01")[0]).split("\0")
    line = int(parts[2]) if len(parts) > 2 and parts[2].isascii() and parts[2].isdigit() and len(parts[2]) < 10 else 0
    return _called(parts[0], parts[1] if len(parts) > 1 else "", line)


def _called(function: str, file: str, line: Any) -> str:
    name = function or "(unnamed)"
    where = file.replace("\\", "/").rpartition("/")[2]
    at = f"{where}:{line}" if where and isinstance(line, int) and line else where
    return f"{name} ({at})" if at else name


def _sound(text: Any) -> str:
    """Halves of characters, as JSON may hold them, are none."""
    return text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""


# The bytes of a sampler's file → `Capture`, by the form that knows how it begins.

#: Lines are read one by one; JSON takes some eight times as much as an object of Python.
MAX_BYTES, MAX_JSON_BYTES = 256 << 20, 32 << 20
_READERS = {
    Format.COLLAPSED: read_collapsed,
    Format.PERF_SCRIPT: read_perf_script,
    Format.AUSTIN: read_austin,
    Format.PYINSTRUMENT: read_pyinstrument,
}


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where the file holds no stack with a time, or is too large."""
    form = next((form for form, knows in STACK_FORMS.items() if knows(source.head)), Format.COLLAPSED)
    most = MAX_JSON_BYTES if form is Format.PYINSTRUMENT else MAX_BYTES
    if len(source.data) > most:
        raise UnreadableError(
            f"{source.path} has {units.size(len(source.data))}; files of this kind are read up to {units.size(most)}. "
            "Record a shorter time, or sample less often."
        )
    laid = Laid(source)
    _READERS[form](source, laid)
    if not laid.count:
        raise source.unreadable()
    return laid.capture(form)
