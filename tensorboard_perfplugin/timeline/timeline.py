"""One host's capture, and what follows from it: each derived fact is a function of the timeline that is remembered."""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ..tables import I64, U8, Capture, Intervals, StatKind, at_once, intervals
from ..work import Gate, check
from .loops.loops import Numbered, first_of_key, first_of_key_at, mark, numbered

# Values by key, each made once even when several threads ask, the oldest of too many forgotten; what values hold.

T = TypeVar("T")

#: The choice that is looked at, and the ones before.
CHOICES = 4
#: None is a value that a function may make.
_MISSING: Any = object()
#: Most of what lies in lists and dicts, which holds nothing that counts.
_PLAIN = frozenset((str, int, float, bool, type(None)))


@dataclasses.dataclass(eq=False)
class Kept(Generic[T]):
    """most: how many are kept. most_bytes: how much the ones before the newest may hold, None for any. values: by key,
    oldest first. made: how many were made so far."""

    most: int = CHOICES
    most_bytes: int | None = None
    values: dict[Hashable, T] = dataclasses.field(default_factory=dict)
    made: int = 0
    _making: dict[Hashable, Gate] = dataclasses.field(default_factory=dict)
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for the key before, else what is made now. No caller waits for what is made for another key."""
        value: T = self.values.get(key, _MISSING)
        if value is not _MISSING:
            return value
        with self._lock:
            gate = self._making.setdefault(key, Gate())
        try:
            with gate:
                value = self.values.get(key, _MISSING)
                if value is _MISSING:
                    check()
                    value = make()
                    self._keep(key, value)
            return value
        finally:
            # Of choices that fail there are as many as users can type.
            self._making.pop(key, None)

    def _keep(self, key: Hashable, value: T) -> None:
        with self._lock:
            while len(self.values) >= self.most or self._is_full():
                self.values.pop(next(iter(self.values)))
            self.values[key] = value
            self.made += 1

    def _is_full(self) -> bool:
        return self.most_bytes is not None and held_bytes(list(self.values.values())) > self.most_bytes


def made_in(value: Any) -> int:
    """How many values were made so far in what keeps some, and in what those keep."""
    if not isinstance(value, Kept):
        return value.made if isinstance(getattr(value, "made", None), int) else 0
    return value.made + sum(map(made_in, list(value.values.values())))


def held_bytes(value: Any) -> int:
    """Memory of a value's arrays, in dataclasses, dicts, lists and tuples; texts are mostly the capture's own.

    What several share counts once, as views of one array do. What says itself how much it holds, by `nbytes`, is
    believed, but for arrays of it that were counted before.
    """
    return _held(value, set())


def _held(value: Any, seen: set[int]) -> int:
    """seen: ids of what was counted."""
    if type(value) in _PLAIN:
        return 0
    if isinstance(value, np.ndarray):
        # One value seen as many holds next to nothing.
        return value.nbytes if any(value.strides) and _is_new(_owner(value), seen) else 0
    if isinstance(value, (dict, list, tuple)):
        inside = list(value.values()) if isinstance(value, dict) else value
        # One look at the types of thousands of names decides.
        return 0 if _PLAIN.issuperset(map(type, inside)) else sum(_held(each, seen) for each in inside)
    nbytes = getattr(value, "nbytes", None)
    if isinstance(nbytes, int):
        return max(nbytes - _counted(value, seen), 0) if _is_new(value, seen) else 0
    return sum(_held(each, seen) for each in _values(value)) if _is_record(value) and _is_new(value, seen) else 0


def _counted(value: Any, seen: set[int]) -> int:
    """Bytes of a value's arrays, and of those of its tables, that were counted; the others are from now on."""
    if isinstance(value, np.ndarray):
        return 0 if _is_new(_owner(value), seen) else value.nbytes
    if isinstance(value, tuple):
        return sum(_counted(each, seen) for each in value)
    return sum(_counted(each, seen) for each in _values(value)) if _is_record(value) else 0


def _is_record(value: Any) -> bool:
    return isinstance(value, msgspec.Struct) or dataclasses.is_dataclass(value)


def _values(record: Any) -> list[Any]:
    """Of its fields, and of what it remembers beside them."""
    remembered = list(getattr(record, "__dict__", {}).values())
    return [*structs.astuple(record), *remembered] if isinstance(record, msgspec.Struct) else remembered


def _is_new(value: Any, seen: set[int]) -> bool:
    known = id(value) in seen
    seen.add(id(value))
    return not known


def _owner(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array whose memory it is."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


C = TypeVar("C", bound=Hashable)

#: The kinds of stats that are whole numbers.
INTEGER = (StatKind.INT, StatKind.UINT)
#: More than there are functions that derive something.
_DERIVED = 500


class Timeline:
    """One host's capture, its stats by event, and what functions derived from it so far (see `derived`).

    overrides: of a part of another timeline, by derived function what takes the other's facts, not its own: causes,
    say, that began before the part. shared_bytes: what of the capture's arrays is the other's. whole_rows: by row of
    events the row of the same event there.
    """

    def __init__(
        self,
        capture: Capture,
        host: str,
        overrides: Mapping[Hashable, Callable[..., Any]] | None = None,
        shared_bytes: int = 0,
        whole_rows: I64 | None = None,
    ) -> None:
        self.capture = capture
        self.host = host
        self.whole_rows = whole_rows
        self._overrides = overrides
        self._shared_bytes = shared_bytes
        self._stats: dict[str, tuple[I64, U8]] = {}
        self._kind_stats: dict[int, tuple[I64, U8] | None] = {}
        self._derived: Kept[Any] = Kept(_DERIVED)

    @property
    def nbytes(self) -> int:
        """Memory of the capture and of what has been derived from it so far, for caches that are bounded in bytes."""
        return held_bytes(list(vars(self).values())) - self._shared_bytes

    @property
    def derived_bytes(self) -> int:
        """Memory of what functions derived so far."""
        return held_bytes(self._derived.values)

    @property
    def made(self) -> int:
        """How much was derived so far, in parts of it, too: as long as it stays the same `nbytes` does."""
        return made_in(self._derived) + len(self._stats)

    def forget(self) -> None:
        """What was derived is let go, and made again when it is asked for."""
        self._derived.values.clear()
        self._stats.clear()
        self._kind_stats.clear()

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for the key before, else what is made now, once, also when several threads ask.

        What holds memory beyond dataclasses of arrays says how much by an `nbytes` of its own.
        """
        value: T = self._derived.get(key, make)
        return value

    def overrides(self, function: Hashable, make: Callable[..., T]) -> Callable[..., T]:
        """What makes the facts of a function here: `make`, or what takes the place of it."""
        return make if self._overrides is None else self._overrides.get(function, make)

    def stat(self, key: str) -> tuple[I64, U8]:
        """Value (64 bits) and StatKind of the stat `key` of each event; kind 0 where it has none.

        Of several the first counts; where the event has none, its kind's does.
        """
        found = self._stats.get(key)
        if found is None:
            found = self._stats[key] = self.stat_of(key, None)
        return found

    def stat_of(self, key: str, rows: I64 | None) -> tuple[I64, U8]:
        """As `stat`, of some events only (None: of all), and not kept."""
        events, stats, wanted = self.capture.events, self.capture.stats, self.capture.strings.find(key)
        n = len(events) if rows is None else len(rows)
        if not self.has_stat(key):
            return np.broadcast_to(np.int64(0), n), np.broadcast_to(np.uint8(0), n)
        at = slice(None) if rows is None else at_once(rows)
        begin, end = events.stats_begin, events.stats_end
        if isinstance(at, slice):
            values, kinds = first_of_key(begin[at], end[at], stats.key, stats.kind, stats.value, wanted)
        else:
            values, kinds = first_of_key_at(at, begin, end, stats.key, stats.kind, stats.value, wanted)
        of_kinds = self._stat_of_kinds(wanted)
        if of_kinds is not None:
            kind = events.kind[at]
            inherits = np.flatnonzero((kinds == 0) & (kind >= 0))
            values[inherits], kinds[inherits] = (column[kind[inherits]] for column in of_kinds)
        return values, kinds

    def numbered(self, key: str, parts: Sequence[tuple[int, int]], beside: str = "") -> Numbered:
        """Of the events in some parts of all, (first, last + 1), those whose stat `key` is a whole number other than 0.

        With it their stat `beside`, as of `stat_of`.
        """
        wanted, other = (self.capture.strings.find(each) if each else -1 for each in (key, beside))
        events, stats = self.capture.events, self.capture.stats
        if any(i >= 0 and self._stat_of_kinds(i) is not None for i in (wanted, other)):
            found = [self._numbered(key, np.arange(*part), beside) for part in parts]
            return Numbered(*map(np.concatenate, zip(Numbered.room(0), *found, strict=True)))
        if not self.has_stat(key):
            parts = ()
        columns = (stats.key, stats.kind, stats.value)
        return numbered(parts, events.stats_begin, events.stats_end, columns, wanted, other)

    def _numbered(self, key: str, rows: I64, beside: str) -> Numbered:
        value, kind = self.stat_of(key, rows)
        has = np.flatnonzero(is_integer(kind) & (value != 0))
        return Numbered(rows[has].astype(np.int32), value[has], *self.stat_of(beside, rows[has]))

    def has_stat(self, key: str) -> bool:
        """Whether anything in the capture has the stat `key`."""
        wanted = self.capture.strings.find(key)
        return wanted >= 0 and bool(self._stat_keys[wanted])

    def aggregate_stat(self, key: str, rows: I64) -> tuple[tuple[I64, U8], tuple[I64, U8]]:
        """As `stat`, of some rows of `aggregates`: of each its own, and its kind's."""
        of_rows = (np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8))
        kinds = (np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8))
        if not len(rows) or not self.has_stat(key):
            return of_rows, kinds
        table, stats, wanted = self.capture.aggregates, self.capture.stats, self.capture.strings.find(key)
        begin, end = table.stats_begin[rows], table.stats_end[rows]
        of_rows = first_of_key(begin, end, stats.key, stats.kind, stats.value, wanted)
        of_kinds = self._stat_of_kinds(wanted)
        if of_kinds is not None:
            kind = table.kind[rows]
            value, kind_of_value = (column[kind] for column in of_kinds)
            kinds = np.where(kind >= 0, value, 0), np.where(kind >= 0, kind_of_value, 0).astype(np.uint8)
        return of_rows, kinds

    def _stat_of_kinds(self, wanted: int) -> tuple[I64, U8] | None:
        """Value and StatKind by kind, None where no kind has it; kept, since it is asked for again track by track."""
        if wanted not in self._kind_stats:
            stats, kinds = self.capture.stats, self.capture.kinds
            begin, end = kinds.stats_begin, kinds.stats_end
            first = first_of_key(begin, end, stats.key, stats.kind, stats.value, wanted)
            found = first if first[1].any() else None
            self._kind_stats[wanted] = found
            return found
        return self._kind_stats.get(wanted)

    @functools.cached_property
    def _stat_keys(self) -> NDArray[np.bool_]:
        """By string id: whether it is the key of any stat."""
        used = np.zeros(len(self.capture.strings), bool)
        mark(self.capture.stats.key, used)
        return used


def is_integer(kind: U8) -> NDArray[np.bool_]:
    """Which stats, by their StatKind, are whole numbers."""
    if not any(kind.strides):
        return np.full(len(kind), bool(len(kind)) and int(kind[0]) in INTEGER)
    # Their kinds follow each other; looking each up in a table takes four times as long.
    found: NDArray[np.bool_] = kind - np.uint8(INTEGER[0]) < len(INTEGER)
    return found


def derived(make: Callable[[Timeline], T]) -> Callable[[Timeline], T]:
    """Decorates a function of a timeline alone: what it returns is made once and kept as long as the timeline is."""

    @functools.wraps(make)
    def cached(timeline: Timeline) -> T:
        return timeline.remember(cached, lambda: timeline.overrides(cached, make)(timeline))

    return cached


def derived_by_choice(make: Callable[[Timeline, C], T]) -> Callable[[Timeline, C], T]:
    """As `derived`, for functions of a timeline and of one thing that is chosen; a few choices are kept of each."""

    @functools.wraps(make)
    def cached(timeline: Timeline, choice: C) -> T:
        kept: Kept[T] = timeline.remember(cached, Kept)
        return kept.get(choice, lambda: timeline.overrides(cached, make)(timeline, choice))

    return cached


def derived_by_plane(make: Callable[[Timeline, int], T]) -> Callable[[Timeline, int], T]:
    """As `derived`, for functions of a timeline and of a plane: that of every plane is kept."""

    @functools.wraps(make)
    def cached(timeline: Timeline, plane: int) -> T:
        kept: Kept[T] = timeline.remember(cached, lambda: Kept(len(timeline.capture.planes)))
        return kept.get(plane, lambda: timeline.overrides(cached, make)(timeline, plane))

    return cached


def cached(timeline: Timeline, make: Callable[[Timeline], T]) -> T:
    """What a function, or a class, makes of the timeline, made once: `derived` for what is not to be decorated."""
    return timeline.remember(make, lambda: make(timeline))


# A timeline → the time that its figures are of: from the first event to the last, or only parts of that.


class Windows(NamedTuple):
    """The time of hosts' threads, and that of devices, which may come later: sets of intervals."""

    host: Intervals
    device: Intervals


@derived
def windows_of(timeline: Timeline) -> Windows:
    """What busy and idle time add up to: the capture's span, of chosen steps theirs."""
    begin, end = timeline.capture.span_ps
    whole = intervals.union(np.array([begin]), np.array([end]))
    return Windows(whole, whole)


# What an instant of a step can be: the categories of the split, the first that holds wins.

Group = Literal["compute", "collective", "copy", "input", "host", "python", "idle"]


class Category(NamedTuple):
    """key: its name in columns (`<key>_ms`). group: what it is coloured and summed up as. help: its definition."""

    key: str
    title: str
    group: Group
    help: str


#: By priority. Of one device (of the host, where no device ran anything) each instant counts to the first that holds.
CATEGORIES = (
    Category("compute_8bit", "Compute 8-bit", "compute", "A kernel that computes in fp8, int8 or less runs."),
    Category("compute_16bit", "Compute 16-bit", "compute", "A kernel that computes in fp16 or bf16 runs."),
    Category("compute_tf32", "Compute TF32", "compute", "A kernel that computes in TF32 runs."),
    Category("compute_32bit", "Compute 32-bit", "compute", "A kernel that computes in fp32 or 32-bit integers runs."),
    Category("compute_64bit", "Compute 64-bit", "compute", "A kernel that computes in fp64 or 64-bit integers runs."),
    Category("compute_other", "Compute", "compute", "A kernel runs whose precision the capture does not record."),
    Category("op_compute", "Op compute", "host", "Without a device: an op of the step runs on a host thread."),
    Category("collective", "Collectives", "collective", "A collective runs and nothing computes: its exposed part."),
    Category("copy_device", "Copy on device", "copy", "The device copies or fills its memory, or copies to another."),
    Category("copy_in", "Copy in", "copy", "Data is copied from the host to the device."),
    Category("copy_out", "Copy out", "copy", "Data is copied from the device to the host."),
    Category("input_wait", "Input wait", "input", "The step waits for its next input; on a TPU, for its infeed."),
    Category("compilation", "Compilation", "host", "A function is traced or compiled."),
    Category("output", "Output", "copy", "A TPU's outfeed, or the host writes checkpoints or summaries."),
    Category(
        "launch", "Kernel launch", "host", "The host launches work for the idle device, or has and it did not begin."
    ),
    Category("host_compute", "Host compute", "host", "The device has nothing to do and an op runs on a host thread."),
    Category("runtime", "Runtime overhead", "host", "The framework's runtime is at work and runs no op."),
    Category("waiting", "Waiting", "idle", "A thread of the step waits for something else than input to complete."),
    Category("python", "Python", "python", "Python, or what lies between steps: callbacks, logging, the loop."),
    Category("idle", "Idle, cause unknown", "idle", "None of the above: the capture does not show why."),
)
INDEX = {category.key: i for i, category in enumerate(CATEGORIES)}
