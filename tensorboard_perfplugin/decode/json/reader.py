"""Trace-event JSON, objects or arrays one after another → their events as columns, and other members of the objects.

The text comes in pieces, of which one is held at a time. What a parser does not take is looked at here, event by event:
bad escapes, control characters, lone surrogates and numbers such as NaN are repaired and counted, what cannot be
repaired is dropped and counted, up to where the next event seems to begin. An array may end anywhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec import structs

from ...formats import Format
from ...messages import Message, message
from ...patterns import regex
from ...tables import I64, StatKind
from .plain import ARRAY_ENDED, FULL, TEXT_ENDED, Columns, Events, Ints
from .plain import Parser as PlainParser

# Events → the same, with texts and ids numbered in the order in which events use them.
#
# Parsers number what they meet: one in the order of the file's members, the other in its own, and both keep what
# belongs
# to an event that they could not read. What is made of the numbers, as an id of a thread, is then the same of both.

T = TypeVar("T")

#: Columns that hold ids, before those that few events have.
_IDS = ("pid", "tid", "id")
#: More than there are columns of ids.
_PLACES = 8


def has_texts(ids: Sequence[int | str]) -> bool:
    """Whether an id is no number, and so what stands for it is its own number."""
    return any(type(each) is str for each in ids)


def numbered_anew(events: Events, with_texts: bool) -> Events:
    """with_texts: texts too, of which those that no event uses are left out as such ids are."""
    c, rows = events.columns, np.arange(len(events))
    used: list[tuple[Ints, I64]] = [(c[name], _PLACES * rows + i) for i, name in enumerate(_IDS)]
    used += [(ids, _PLACES * at + len(_IDS) + i) for i, (at, ids) in enumerate(events.rare.values())]
    ids, new = _by_first_use(used, events.ids, 0)
    columns = c | {name: new[c[name]].astype(c[name].dtype) for name in _IDS}
    rare = {name: (at, new[values]) for name, (at, values) in events.rare.items()}
    events = structs.replace(events, columns=columns, rare=rare, ids=ids)
    return _texts_anew(events) if with_texts else events


def _texts_anew(events: Events) -> Events:
    c, begins = events.columns, events.arg_begins
    at = 2 * (np.arange(len(events)) + begins[:-1])
    at_stats = 2 * (np.repeat(np.arange(len(events)), c["stats"]) + 1 + np.arange(len(events.keys)))
    is_text = events.kinds == StatKind.TEXT
    of_stats = [(events.keys, at_stats), (events.values[is_text], at_stats[is_text] + 1)]
    texts, new = _by_first_use([(c["name"], at), (c["category"], at + 1), *of_stats], events.texts, 1)
    columns = c | {name: new[c[name]].astype(c[name].dtype) for name in ("name", "category")}
    values = events.values.copy()
    values[is_text] = new[values[is_text]]
    return structs.replace(events, columns=columns, keys=new[events.keys].astype(np.int32), values=values, texts=texts)


def _by_first_use(used: list[tuple[Ints, I64]], pool: tuple[T, ...], stay: int) -> tuple[tuple[T, ...], I64]:
    """The pool in the order of its first uses, and the new number of each; of -1 it is -1. used: numbers, and where.

    stay: so many of the first keep their numbers.
    """
    nowhere = np.iinfo(np.int64).max
    first = np.full(len(pool) + 1, nowhere, np.int64)
    for numbers, where in used:
        np.minimum.at(first, numbers, where)
    first[:stay] = np.arange(-stay, 0)
    order = np.argsort(first[:-1], kind="stable")
    order = order[first[order] < nowhere]
    new = np.full(len(pool) + 1, -1, np.int64)
    new[order] = np.arange(len(order))
    return tuple(pool[i] for i in order.tolist()), new


Parser: Any = PlainParser
try:
    from .parse import Parser as CompiledParser
    from .scan import COMPILED as _SCANS
    from .scan import elements, value_end

    COMPILED = _SCANS
except ImportError:
    COMPILED = False
if COMPILED:
    Parser = CompiledParser
else:
    from .walk import elements, value_end

#: Of the members other than the events so many bytes are kept. Device properties of 16 GPUs take 10 kB.
MEMBER_BYTES = 32 << 20
MEMBERS = 1000
#: An event that does not end in so many bytes is none. Looked through for the end of one that is not as usual are first
#: few, and only so often many.
EVENT_BYTES, NEAR_BYTES, FAR_LOOKS = 16 << 20, 1 << 16, 256
#: After the end of the array so many are looked at for an event.
_AFTER_BYTES = 200
#: Traces that were written, or put, into one file, one after another; and how each begins.
_MOST_DOCUMENTS = 10_000
_DOCUMENT = regex(rb"\[[ \t\r\n]*[{\]]|\{[ \t\r\n]*[\"}]")
_BAD_ESCAPE = regex(r'\\(?:u(?![0-9a-fA-F]{4})|(?!["\\/bfnrtu]))')
_SPACE = regex(rb"[ \t\r\n]*")
#: What lies between events.
_GAP = regex(rb"[\x00-\x20,]*")
#: Where an event seems to begin, in text that is no JSON any more; and after an end of the array that is none.
_BEGIN = rb'[ \t\r\n]*(?=\{[ \t\r\n]*"(?:ph|name|cat|pid|tid|ts|dur|id|args|s|bp|tts|cname)"[ \t\r\n]*:)'
_NEXT = regex(rb"(?:\}[ \t\r\n]*,?|,)" + _BEGIN)
_GOES_ON = regex(rb"[ \t\r\n\]}]{0,20}," + _BEGIN)


class Text:
    """A long text that comes in pieces: of it only what is being looked at is held.

    data: what is held, from the byte `before` of the text on.
    """

    def __init__(self, pieces: Iterable[bytes | memoryview]) -> None:
        self._pieces = iter(pieces)
        self.data = memoryview(b"")
        self.before = 0

    def more(self, keep: int) -> bool:
        """Forget what lies before `keep`, which then is at 0, and hold twice as much, if there is more; else False."""
        rest = self.data[keep:]
        parts: list[bytes | memoryview] = [rest]
        got = 0
        for piece in self._pieces:
            parts.append(piece)
            got += len(piece)
            if got >= len(rest) and got:
                break
        if not got:
            return False
        self.before += keep
        self.data = memoryview(b"".join(parts) if len(rest) or len(parts) > 2 else parts[1])
        return True

    @property
    def bytes(self) -> int:
        """How many there were so far."""
        return self.before + len(self.data)


class Document(msgspec.Struct):
    """A file: members of its object other than the events, the events, and what was lost of both.

    has_events: whether there is a list of events at all. flows: of sources that name slices' flows instead of drawing
    arrows: rows of events, the flow of each, and whether it ends there. format: where no dialect knows the events.
    derived: ids of threads that are none, but made of what others did.
    """

    members: dict[str, Any]
    events: Events
    dropped: Counter[str]
    warnings: list[Message]
    has_events: bool
    flows: tuple[I64, I64, I64] | None = None
    format: Format = Format.TRACE_EVENTS
    derived: frozenset[int] = frozenset()


class Reader:
    """Reads one document. Use once. pieces: of its text, in UTF-8."""

    def __init__(self, pieces: Iterable[bytes | memoryview]) -> None:
        self.text = Text(pieces)
        self.texts: dict[str, int] = {"": 0}
        self.ids: dict[Any, int] = {}
        self.parser = Parser(self.texts, self.ids)
        self.plain = PlainParser(self.texts, self.ids)
        self.columns = Columns()
        self.samples: list[tuple[int, int]] = []
        self.members: dict[str, Any] = {}
        self.room = MEMBER_BYTES
        self.far_looks = FAR_LOOKS
        self.dropped = Counter[str]()
        self.warnings: list[Message] = []
        self.repaired = 0
        self.had_odd = False
        self.has_events = False

    def read(self) -> Document:
        self.text.more(0)
        at = self._space(3 if bytes(self.text.data[:3]) == b"\xef\xbb\xbf" else 0)
        documents = 0
        while at >= 0 and (self._is(at, "[") or self._is(at, "{")):
            documents += 1
            at = self._after(self._document(at), documents)
        if documents > 1:
            self.warnings.append(message("json_documents", n=documents))
        if self.repaired:
            self.warnings.append(message("json_repaired", n=self.repaired))
        events = self.columns.events(self.texts, self.ids, self.samples)
        if self.had_odd or has_texts(events.ids):
            events = numbered_anew(events, with_texts=self.had_odd)
        return Document(self.members, events, self.dropped, self.warnings, self.has_events)

    def _space(self, at: int, space: re.Pattern[bytes] = _SPACE) -> int:
        """The place of the first that is no space; the end of the text where there is none."""
        while True:
            match = space.match(self.text.data, at)
            at = match.end() if match else at
            if at < len(self.text.data) or not self.text.more(at):
                return at
            at = 0

    def _is(self, at: int, letter: str) -> bool:
        return at < len(self.text.data) and self.text.data[at] == ord(letter)

    def _value(self, at: int) -> tuple[int, int]:
        """Where the value at `at` begins, once the text is read up to its end, and where it ends; -1: too far away."""
        while True:
            end = len(self.text.data)
            close = int(value_end(self.text.data, at, end))
            if 0 <= close < end or end - at > MEMBER_BYTES or not self.text.more(at):
                return at, close
            at = 0

    def _document(self, at: int) -> int:
        """Where an array or an object ends; -1 where the text ends first. Of a member that several have the first
        counts."""
        if self._is(at, "["):
            self.has_events = True
            return self._array(at + 1, is_whole=True)
        before, self.members = self.members, {}
        end = self._object(at + 1)
        self.members |= before
        return end

    def _object(self, at: int) -> int:
        """Members one after another, until what is there is none."""
        for _ in range(MEMBERS):
            at = self._space(at)
            if not self._is(at, '"'):
                break
            at, close = self._value(at)
            if close < 0:
                break
            name = str(repaired(bytes(self.text.data[at:close][:1000])) or "")
            at = self._space(close)
            if not self._is(at, ":"):
                break
            at = self._member(name, self._space(at + 1))
            at = self._space(at) if at >= 0 else len(self.text.data)
            if not self._is(at, ","):
                break
            at += 1
        if self._is(at, "}"):
            return at + 1
        at, end = self.text.before + at, self.text.bytes
        self.warnings.append(message("json_breaks_off", at=at, size=end))
        return -1

    def _after(self, at: int, documents: int) -> int:
        """Where another document follows those that were read; -1 where none does, after a warning of what does."""
        if at < 0:
            return -1
        at = self._space(at, _GAP)
        if len(self.text.data) - at < _AFTER_BYTES and self.text.more(at):
            at = 0
        if documents < _MOST_DOCUMENTS and _DOCUMENT.match(self.text.data, at):
            return at
        shown, begin = bytes(self.text.data[at : at + 40]).decode(errors="replace"), self.text.before + at
        if shown:
            while self.text.more(len(self.text.data)):
                pass
            left = self.text.bytes - begin
            self.warnings.append(message("json_followed", n=left, shown=repr(shown)))
        return -1

    def _member(self, name: str, at: int) -> int:
        """Where the text goes on after a member's value; -1 where it does not end."""
        if name == "traceEvents" and self._is(at, "["):
            self.has_events = True
            return self._array(at + 1, is_whole=False)
        if name == "samples" and self._is(at, "["):
            begin = self.columns.rows
            at = self._array(at + 1, is_whole=False)
            self.samples.append((begin, self.columns.rows))
            return at
        at, close = self._value(at)
        if close < 0:
            return self._passed_over(at)
        if close - at <= self.room:
            self.room -= close - at
            self.members[name] = _decoded(bytes(self.text.data[at:close]))
        return close

    def _passed_over(self, at: int) -> int:
        """As `_member`, of a list or an object that is too long to be held."""
        if not self._is(at, "[") and not self._is(at, "{"):
            return -1
        cuts, state = np.empty(1024, np.int64), np.zeros(2, np.int64)
        at += 1
        while True:
            elements(self.text.data, at, len(self.text.data), NEAR_BYTES, cuts, state)
            at = int(state[1])
            if state[0] == 1:
                return at + 1
            if state[0] == 0:
                if not self.text.more(at):
                    return -1
                at = 0

    def _array(self, at: int, is_whole: bool) -> int:
        """Events up to the end of their array; where the text goes on. -1 where it ends first.

        is_whole: whether the array is all of the document; then it need not be closed.
        """
        while True:
            end = len(self.text.data)
            status, at, rows, stats = self.parser.parse(self.text.data, at, end)
            self.columns.keep(rows, stats)
            if status == ARRAY_ENDED:
                if len(self.text.data) - at < _AFTER_BYTES and self.text.more(at):
                    at = 0
                if not (match := _GOES_ON.match(self.text.data, at)):
                    return int(at)
                self.dropped["not_json_object"] += 1
                at = match.end()
                continue
            if status == TEXT_ENDED and end - at <= EVENT_BYTES and self.text.more(at):
                at = 0
            elif status != FULL:
                at = self._odd(at)
                if at < 0:
                    self._cut_off(-1 - at, is_whole)
                    return -1

    def _cut_off(self, at: int, is_whole: bool) -> None:
        if rest := bytes(self.text.data[at : at + 100]).strip(b" \t\r\n,]"):
            self.dropped["cut_at_end"] += 1
            if is_whole:
                shown = rest[:40].decode(errors="replace")
                self.warnings.append(message("json_ends_in_event", shown=repr(shown)))

    def _odd(self, at: int) -> int:
        """Take, repair or drop the element at `at`. Where the text goes on; -1 - at where it ends inside."""
        self.had_odd = True
        while True:
            at = self._space(at, _GAP)
            data = self.text.data
            if at >= len(data):
                return -1 - at
            if data[at] == ord("]"):
                return at
            close = self._close(at)
            if close >= 0 and self._taken(bytes(data[at:close])):
                return close
            if close >= 0 or len(data) - at > NEAR_BYTES or not self.text.more(at):
                break
            at = 0
        match = _NEXT.search(data, at, close if close >= 0 else len(data))
        stop = match.start() + (data[match.start()] == ord("}")) if match else -1
        if match and stop != close and self._taken(bytes(data[at:stop])):
            return match.end()
        if match or close >= 0:
            self.dropped["not_json_object"] += 1
            return match.end() if match else close
        if len(data) - at <= EVENT_BYTES and self.text.more(at):
            return self._odd(0)
        if self.text.more(len(data)):
            self.dropped["not_json_object"] += 1
            return self._next(0)
        return -1 - at

    def _next(self, at: int) -> int:
        """Where the next event seems to begin."""
        while not (match := _NEXT.search(self.text.data, at)):
            # What is looked for may begin in one piece and end in the next.
            keep = max(at, len(self.text.data) - 1000)
            if not self.text.more(keep):
                return -1 - len(self.text.data)
            at = 0
        return match.end()

    def _close(self, at: int) -> int:
        """Where the element at `at` ends; -1: not near, or after an end of text."""
        data, end = self.text.data, len(self.text.data)
        near = min(end, at + NEAR_BYTES)
        if data[at] != ord("{"):
            cuts, state = np.empty(1, np.int64), np.zeros(2, np.int64)
            complete = elements(data, at, near, 0, cuts, state)
            close = int(cuts[0]) if complete else int(state[1]) if state[0] == 1 else -1
            return close if close > at else -1
        close = int(value_end(data, at, near))
        if close < 0 and near < end and self.far_looks:
            self.far_looks -= 1
            close = int(value_end(data, at, end))
        return close

    def _taken(self, piece: bytes) -> bool:
        """Whether a piece of text is an event, if need be a repaired one."""
        try:
            event = self.plain.one.decode(piece)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            value = repaired(piece)
            if value is None:
                return False
            if not isinstance(value, dict):
                self.dropped["not_object"] += 1
                return True
            try:
                event = self.plain.one.decode(msgspec.json.encode(value))
            except (msgspec.MsgspecError, RecursionError):
                return False
            self.repaired += 1
        self.columns.keep(*self.plain.rows_of([event]))
        return True


def _decoded(piece: bytes) -> Any:
    """What a text says; None where it cannot be read."""
    try:
        return msgspec.json.decode(piece)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return repaired(piece)


def repaired(piece: bytes) -> Any:
    """The value of text that is nearly JSON: bad escapes, control characters, lone surrogates and NaN put right.

    None where that does not help.
    """
    text = piece.decode("utf-8", "replace")
    for attempt in (text, _BAD_ESCAPE.sub(r"\\\\", text)):
        try:
            return _clean(json.loads(attempt, strict=False))
        except (ValueError, RecursionError):
            continue
    return None


def _clean(value: Any) -> Any:
    """Without lone surrogates, which no text may hold, and numbers that JSON lacks."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(each) for key, each in value.items()}
    return value
