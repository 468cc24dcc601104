"""One host's events and arrows → lines of Chrome trace-event JSON, some thousands at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind, TrackKind
from ...timeline.causes import flows_of, launches_of
from ...timeline.nesting import nesting_of
from ...timeline.timeline import Timeline
from ..lanes import Window
from .json import TIME_PIECES, Layout, Texts, Times, integers, is_number, quoted, values
from .stats import LONG_NAME, Named, StatRows, counts, distinct, named, repeated, stat_rows
from .threads import Threads

#: Events, stats and characters that are written at once; an event alone may have more.
_EVENTS, _STATS, _CHARACTERS = 1 << 14, 1 << 16, 4 << 20
#: Rows that are looked at together.
_CHUNK = 1 << 18
#: Pieces of an event apart from its stats: head, name, start, length, end.
_PIECES = 3 + 2 * TIME_PIECES
_ARGS, _DETAILS = ',"args":{', '},"details":{'


class Writer:
    """Writes what of a timeline is in the window, on the tracks of `threads`; `offset_ps` is added to all times."""

    def __init__(self, timeline: Timeline, threads: Threads, window: Window | None, offset_ps: int) -> None:
        self._timeline, self._capture = timeline, timeline.capture
        self._threads, self._window, self._offset_ps = threads, window, offset_ps
        self._all = texts = [*timeline.capture.strings, LONG_NAME]
        self._lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        self._blob_lengths = np.array([len(b) for b in timeline.capture.blobs] or [0], np.int64)
        self._names, self._texts = Texts(texts, after=',"ts":'), Texts(texts)
        self._keys = tuple(Texts(texts, before, ":") for before in (",", _ARGS, _DETAILS))
        self._heads = {ph: threads.heads(ph) for ph in "XiC"}
        self._long, self._instant, self._plain = Times(',"dur":'), Times(',"s":"t"'), Times()

    def events(self) -> Iterator[str]:
        for rows in self.rows():
            yield from self._split(rows)

    def rows(self) -> Iterator[I64]:
        """The rows to write, in order, some at a time."""
        waiting: list[I64] = []
        for begin, end in self._threads.ranges():
            for low in range(begin, end, _CHUNK):
                rows = np.arange(low, min(low + _CHUNK, end))
                waiting.append(rows[self._inside(rows)])
                if sum(map(len, waiting)) >= _EVENTS:
                    yield np.concatenate(waiting)
                    waiting = []
        if waiting:
            yield np.concatenate(waiting)

    def _inside(self, rows: I64) -> NDArray[np.bool_]:
        events = self._capture.events
        if self._window is None:
            return np.ones(len(rows), bool)
        return self._window.holds(events.start_ps[rows], events.duration_ps[rows])

    def _split(self, rows: I64) -> Iterator[str]:
        """In parts that take little memory: an event's kind may have very many stats, its name may be very long."""
        for low in range(0, len(rows), _EVENTS):
            part = rows[low : low + _EVENTS]
            stats = np.cumsum(sum(counts(self._capture, part)) + 1)
            cuts = np.flatnonzero(np.diff(stats // _STATS)) + 1
            for some in np.split(part, cuts):
                yield from self._within(some)

    def _within(self, rows: I64) -> Iterator[str]:
        names = named(self._capture, rows)
        table = stat_rows(self._capture, rows, names)
        if len(rows) > 1 and self._characters(names, table) > _CHARACTERS:
            for half in np.array_split(rows, 2):
                yield from self._within(half)
        elif len(rows):
            yield self._lines(rows, names, table)

    def _characters(self, names: Named, table: StatRows) -> int:
        text, blobs = table.kind == StatKind.TEXT, table.kind == StatKind.BYTES
        return int(
            self._lengths[names.name].sum()
            + self._lengths[table.key].sum()
            + self._lengths[table.value[text]].sum()
            + 2 * self._blob_lengths[table.value[blobs]].sum()
        )

    def _lines(self, rows: I64, names: Named, table: StatRows) -> str:
        events, capture = self._capture.events, self._capture
        total = np.bincount(table.event, minlength=len(rows))
        counter, table, opening = self._opened(rows, table)
        start, duration = events.start_ps[rows] + self._offset_ps, events.duration_ps[rows]
        lay = Layout(_PIECES + 2 * total)
        self._put_heads(lay, self._threads.of(rows), np.where(counter, "C", np.where(duration > 0, "X", "i")))
        lay.put(1, self._names.of(names.name))
        self._put_times(lay, start, duration, counter)
        place = np.arange(len(table.key)) - (np.cumsum(total) - total)[table.event]
        at = lay.first[table.event] + _PIECES - 1 + 2 * place
        lay.put_at(at, self._key_pieces(table, opening))
        lay.put_at(at + 1, values(table.kind, table.value, self._texts, capture.blobs, counter[table.event]))
        lay.put(_PIECES - 1 + 2 * total, np.where(total > 0, "}}", "}"))
        return lay.text()

    def _put_heads(self, lay: Layout, thread: I64, phase: NDArray[np.str_]) -> None:
        for ph, heads in self._heads.items():
            at = np.flatnonzero(phase == ph)
            lay.put_at(lay.first[at], heads[thread[at]])

    def _put_times(self, lay: Layout, start: I64, duration: I64, counter: NDArray[np.bool_]) -> None:
        """Begin and, where there is one, length; of an instant its scope."""
        long = duration > 0
        for times, chosen in ((self._long, long), (self._instant, ~long & ~counter), (self._plain, ~long & counter)):
            at = np.flatnonzero(chosen)
            for i, pieces in enumerate(times.of(start[at])):
                lay.put_at(lay.first[at] + 2 + i, pieces)
        for i, pieces in enumerate(self._plain.of(duration)):
            lay.put(2 + TIME_PIECES + i, np.where(long, pieces, ""))

    def _opened(self, rows: I64, table: StatRows) -> tuple[NDArray[np.bool_], StatRows, I64]:
        """Which events are counters; the stats, of counters the numbers first; by stat what its key opens: 0 nothing,
        1 the args, 2 what of a counter is no number."""
        track = self._capture.events.track[rows]
        counter = self._capture.tracks.kind[track] == TrackKind.COUNTER
        opening = np.zeros(len(table.key), np.int64)
        opening[np.append(True, table.event[1:] != table.event[:-1])[: len(opening)]] = 1
        if not counter.any():
            return counter, table, opening
        numeric = is_number(table.kind, table.value)
        counter = counter & (np.bincount(table.event[numeric], minlength=len(rows)) > 0)
        other = counter[table.event] & ~numeric
        order = np.lexsort((other, table.event))
        table, other = table.take(order), other[order]
        begins = other & ~np.append(False, other[:-1] & (table.event[1:] == table.event[:-1]))
        opening[begins] = 2
        return counter, table, opening

    def _key_pieces(self, table: StatRows, opening: I64) -> NDArray[np.object_]:
        made = np.empty(len(table.key), object)
        for which, texts in enumerate(self._keys):
            at = np.flatnonzero(opening == which)
            made[at] = texts.of(table.key[at])
        for event in repeated(table).tolist():
            low, high = np.searchsorted(table.event, (event, event + 1)).tolist()
            keys = [self._all[i] for i in table.key[low:high].tolist()]
            for i, key in enumerate(distinct(keys), low):
                made[i] = f"{(',', _ARGS, _DETAILS)[opening[i]]}{quoted(key)}:"
        return made

    def arrows(self, numbers: Iterator[int]) -> Iterator[str]:
        """Launch → kernel and producer → consumer, where both ends are slices that are written."""
        for name, causes in (
            ("launch", launches_of(self._timeline).rows),
            ("producer", flows_of(self._timeline).producer),
        ):
            if not any(causes.strides):
                continue
            heads = [self._threads.heads(ph, name) for ph in "sf"]
            for low in range(0, len(causes), _CHUNK):
                effects = low + np.flatnonzero(causes[low : low + _CHUNK] >= 0)
                for at in range(0, len(effects), _EVENTS):
                    some = effects[at : at + _EVENTS]
                    text = self._arrow_lines(causes[some].astype(np.int64), some, heads, numbers)
                    if text:
                        yield text

    def _arrow_lines(self, causes: I64, effects: I64, heads: list[NDArray[np.object_]], numbers: Iterator[int]) -> str:
        """Arrows lead from slice to slice; an instant stands for the slice that it lies in.

        An arrow ends when its effect began, or its cause, whichever is later; where the effect is over by then there is
        none.
        """
        events = self._capture.events
        begin = events.start_ps[causes]
        end = np.maximum(begin, events.start_ps[effects])
        causes, effects = self._slices(causes), self._slices(effects)
        drawn = (causes >= 0) & (effects >= 0) & (causes != effects)
        drawn &= end < events.start_ps[effects] + events.duration_ps[effects]
        for rows in (causes, effects):
            drawn &= self._threads.written(rows) & self._inside(rows)
        causes, effects, begin, end = causes[drawn], effects[drawn], begin[drawn], end[drawn]
        lay, times = Layout(np.full(len(causes), 2 * (3 + TIME_PIECES))), Times(',"id":')
        ids = integers(np.array([next(numbers) for _ in range(len(causes))], np.int64))
        lay.put(0, heads[0][self._threads.of(causes)], *times.of(begin + self._offset_ps), ids, "}")
        ends = times.of(end + self._offset_ps)
        lay.put(3 + TIME_PIECES, heads[1][self._threads.of(effects)], *ends, ids, ',"bp":"e"}')
        return lay.text()

    def _slices(self, rows: I64) -> I64:
        """The rows that are slices; of an instant the slice around it, -1 where there is none."""
        return np.where(
            self._capture.events.duration_ps[rows] > 0, rows, nesting_of(self._timeline).parent[rows]
        ).astype(np.int64)
