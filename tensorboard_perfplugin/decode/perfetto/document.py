"""Packets → one document of trace events, which the dialects of these read."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
from msgspec import structs

from ...messages import Message, message
from ...tables import I64, StatKind, distinct_rows, range_members
from ...wire import LENGTH, VARINT, DamagedError, signed, walk
from ..json.plain import ENDS_AROUND, FLOW_IN, FLOW_OUT, GLOBAL, HAS_LENGTH, HAS_START, LOCAL
from ..json.reader import Document
from . import gpu
from .gpu import counters, is_kineto, spread, stages
from .kernel import heap_profile, scheduling
from .layout import ABSOLUTE_US, DELTA_US, FLOW, HAS_TIME, HAS_TRACK, LAST_FLOW, LEGACY, LEGACY_FIELD, TRACK_EVENT
from .packets import Clocks, Packets
from .tracks import Block, Tracks, bounds_of, document_of, pairs_of

# Track events → slices, instants and counters; begins and ends are one slice each.
#
# Chrome's own words (`legacy_event`) give phases, ids, lengths and arrows as its JSON does. Times of Chrome before
# 2021,
# as distances within a sequence, count from the sequence's thread description.

_PHASES = {1: "B", 2: "E", 3: "i", 4: "C", 5: "i"}
#: Fields of Chrome's own words, and the phases of theirs whose ids say what belongs together.
_PHASE, _DURATION, _ID, _SCOPE, _BIND, _LOCAL_ID, _GLOBAL_ID, _ENCLOSING, _DIRECTION, _PID, _TID = (
    LEGACY_FIELD + field for field in (2, 3, 6, 7, 8, 10, 11, 12, 13, 18, 19)
)
_WITH_IDS = tuple(ord(letter) for letter in "bneSTFpstf")
_THREAD_DESCRIPTION = 44
#: From here on a double is no time within 2 ** 62 ns.
_FAR = (1 << 62) - 256
_B, _E, _X, _C = (ord(letter) for letter in "BEXC")


class _Ends(msgspec.Struct):
    """Ends of slices that say no more: how many of the events come before each, the number of its track and its time.
    places: by number of a track the place of its row.
    """

    before: Any
    track: Any
    time: I64
    places: I64


def track_events(
    packets: Packets, tracks: Tracks, time: I64, ended: I64, dropped: Counter[str], warnings: list[Message]
) -> Block:
    """The events that are left, in the order of the file. time: by event, of all packets; ended: of those of `ends`."""
    is_one = packets.events["kind"] == TRACK_EVENT
    chosen = np.flatnonzero(is_one)
    legacy = _Legacy(packets, chosen)
    of_all = len(chosen) == len(time)
    e = packets.events if of_all else {name: column[chosen] for name, column in packets.events.items()}
    block = _block(packets, e, time if of_all else time[chosen], chosen)
    phase = np.zeros(256, np.uint8)
    phase[list(_PHASES)] = [ord(letter) for letter in _PHASES.values()]
    block.phase = phase[e["type"]]
    is_legacy = e["flags"] & LEGACY != 0
    if is_legacy.any():
        legacy_phase = legacy.of(_PHASE, 0)
        block.phase = np.where((block.phase == 0) & is_legacy, legacy_phase & 127, block.phase).astype(np.uint8)
    _old_times(packets, e, block)
    places = _places(packets, tracks, e["track"])
    block.row = _rows(packets, e, tracks, legacy, places)
    ends = _ends(packets, ended, is_one, places, dropped)
    if is_legacy.any():
        _add_legacy(block, legacy)
    counted = np.flatnonzero(block.phase == _C)
    if len(counted):
        block = _with_counters(block, e, packets, tracks, counted)
    return _paired(block, ends, e["track"], e["flags"], dropped, warnings)


def _ends(packets: Packets, time: I64, is_one: Any, places: I64, dropped: Counter[str]) -> _Ends:
    """Of those that have a time. is_one: by row of events, whether it is a track event."""
    before, track = packets.ends["before"], packets.ends["track"]
    timed = _is_time(time)
    if not timed.all():
        dropped["no_time"] += int((~timed).sum())
        before, track, time = before[timed], track[timed], time[timed]
    if not is_one.all():
        before = np.concatenate(([0], np.cumsum(is_one)))[before]
    return _Ends(before, track, time, places)


def _is_time(time: I64) -> Any:
    return (time < _FAR) & (time > -_FAR)


def _block(packets: Packets, e: dict[str, Any], time: I64, chosen: I64) -> Block:
    n = len(chosen)
    counts = packets.events["stats"]
    flows = packets.more[(packets.more[:, 1] == FLOW) | (packets.more[:, 1] == LAST_FLOW)]
    flows = np.stack((flows[:, 0], flows[:, 2], (flows[:, 1] == LAST_FLOW).astype(np.int64)), axis=1)
    if len(chosen) == len(counts):
        keys, kinds, values = packets.keys, packets.kinds, packets.values
    else:
        ends = np.cumsum(counts, dtype=np.int64)
        at = range_members((ends - counts)[chosen], ends[chosen])
        keys, kinds, values = packets.keys[at], packets.kinds[at], packets.values[at]
        place = np.full(len(counts), -1, np.int64)
        place[chosen] = np.arange(n)
        flows[:, 0] = place[flows[:, 0]]
    timed = (e["flags"] & HAS_TIME != 0) & _is_time(time)
    return Block(
        np.zeros(n, np.uint8),
        e["name"].astype(np.int64),
        e["category"].astype(np.int64),
        np.zeros(n, np.int64),
        np.where(timed, time, 0),
        np.zeros(n, np.int64),
        np.where(timed, HAS_START, 0).astype(np.uint8),
        e["stats"].astype(np.int64),
        keys,
        kinds,
        values,
        np.full(n, -1, np.int64),
        flows=flows,
    )


class _Legacy:
    """What Chrome's own words say, by event."""

    def __init__(self, packets: Packets, chosen: I64) -> None:
        place = np.full(len(packets.events["kind"]), -1, np.int64)
        place[chosen] = np.arange(len(chosen))
        more = packets.more[packets.more[:, 1] >= LEGACY_FIELD]
        self.count = len(chosen)
        self.event, self.what, self.value = place[more[:, 0]], more[:, 1], more[:, 2]

    def of(self, what: int, default: int) -> I64:
        made = np.full(self.count, default, np.int64)
        at = self.what == what
        made[self.event[at]] = self.value[at]
        return made

    def having(self, what: int) -> tuple[I64, I64]:
        at = np.flatnonzero(self.what == what)
        event, last = np.unique(self.event[at][::-1], return_index=True)
        return event, self.value[at][::-1][last]


def _add_legacy(block: Block, legacy: _Legacy) -> None:
    is_complete = block.phase == _X
    event, length_us = legacy.having(_DURATION)
    block.length[event] = np.where(is_complete[event], np.clip(length_us, 0, 1 << 50) * 1000, 0)
    block.flags[event] |= HAS_LENGTH
    for what, flag in ((_ID, 0), (_LOCAL_ID, LOCAL), (_GLOBAL_ID, GLOBAL)):
        event, id = legacy.having(what)
        kept = np.isin(block.phase[event], _WITH_IDS)
        # -1 is none.
        block.id[event[kept]] = id[kept] & 0x7FFFFFFFFFFFFFFF
        block.flags[event[kept]] |= flag
    event, encloses = legacy.having(_ENCLOSING)
    block.flags[event] |= np.where(encloses != 0, ENDS_AROUND, 0).astype(np.uint8)
    event, bind = legacy.having(_BIND)
    direction = legacy.of(_DIRECTION, 0)[event]
    block.flags[event] |= (np.where(direction & 1, FLOW_IN, 0) | np.where(direction & 2, FLOW_OUT, 0)).astype(np.uint8)
    for name, rows, values in (("bind", event, bind & 0x7FFFFFFFFFFFFFFF), ("scope", *legacy.having(_SCOPE))):
        if len(rows):
            block.rare[name] = rows, values


def _places(packets: Packets, tracks: Tracks, track: Any) -> I64:
    """By number of a track the place of its row. track: of the events that are no mere ends."""
    used = np.zeros(len(packets.uuids), bool)
    used[track] = used[packets.ends["track"]] = True
    places = np.zeros(len(packets.uuids), np.int64)
    for number in sorted(np.flatnonzero(used).tolist(), key=packets.uuids.__getitem__):
        places[number] = tracks.row(packets.uuids[number])
    return places


def _rows(packets: Packets, e: dict[str, Any], tracks: Tracks, legacy: _Legacy, places: I64) -> I64:
    """By event the place of its row."""
    place: I64 = places[e["track"]]
    without = (e["flags"] & HAS_TRACK == 0) | (e["track"] == 0)
    if without.any():
        threads = {row: tracks.thread(pid, tid, name) for row, (pid, tid, name, _) in _threads(packets).items()}
        for row in np.unique(e["sequence"][without]).tolist():
            if row in threads:
                place[without & (e["sequence"] == row)] = threads[row]
    event, pid = legacy.having(_PID)
    tid = legacy.of(_TID, 0)[event]
    pairs, which = distinct_rows(pid, tid)
    places = np.array([tracks.thread(*pair) for pair in pairs.tolist()], np.int64)
    if len(event):
        place[event] = places[which]
    return place


def _threads(packets: Packets) -> dict[int, tuple[int, int, str, int]]:
    """By sequence the thread that it is of: numbers, name, and the µs that its times count from."""
    found: dict[int, tuple[int, int, str, int]] = {}
    for other in packets.others:
        if other.kind != _THREAD_DESCRIPTION:
            continue
        pid = tid = at = 0
        name = ""
        try:
            for field in walk(other.data, 0, len(other.data)):
                if field.wire == VARINT:
                    pid = signed(field.value) if field.number == 1 else pid
                    tid = signed(field.value) if field.number == 2 else tid
                    at = signed(field.value) if field.number == 6 else at
                elif field.wire == LENGTH and field.number == 5:
                    name = str(other.data[field.begin : field.end], "utf-8", "replace")
        except DamagedError:
            continue
        found[other.sequence] = pid, tid, name, at
    return found


def _old_times(packets: Packets, e: dict[str, Any], block: Block) -> None:
    """Times in µs that an event itself gives: one of its own, or the distance from the one before it."""
    old = e["flags"] & (DELTA_US | ABSOLUTE_US) != 0
    if not old.any():
        return
    for row, (*_, begin_us) in _threads(packets).items():
        mine = np.flatnonzero(old & (e["sequence"] == row))
        is_delta = e["flags"][mine] & DELTA_US != 0
        raw = np.clip(packets.events["time"][packets.events["kind"] == TRACK_EVENT][mine], -(1 << 50), 1 << 50)
        us = np.where(is_delta, begin_us + np.cumsum(np.where(is_delta, raw, 0)), raw)
        block.time[mine] = np.clip(us, -(1 << 50), 1 << 50) * 1000
        block.flags[mine] |= HAS_START


def _with_counters(block: Block, e: dict[str, Any], packets: Packets, tracks: Tracks, counted: I64) -> Block:
    """Counters have their value as their only arg, called by its unit, and their track's name."""
    texts = packets.texts
    kind, value = e["value_kind"][counted], e["value"][counted].copy()
    for place in np.unique(block.row[counted]).tolist():
        row = tracks.rows[place]
        if row.multiplier == 1 and not row.is_difference:
            continue
        at = np.flatnonzero(block.row[counted] == place)
        real = np.where(kind[at] == StatKind.DOUBLE, value[at].view(np.float64), value[at])
        with np.errstate(over="ignore", invalid="ignore"):
            real = np.nan_to_num(real * float(row.multiplier), nan=0.0, posinf=0.0, neginf=0.0)
            if row.is_difference:
                order = np.argsort(block.time[counted[at]], kind="stable")
                real[order] = np.cumsum(real[order])
        whole = (np.abs(real) < 1 << 53) & (real == np.round(real)) & (kind[at] == StatKind.INT)
        value[at] = np.where(whole, np.where(whole, real, 0).astype(np.int64), real.view(np.int64))
        kind[at] = np.where(whole, StatKind.INT, StatKind.DOUBLE)
    names = np.zeros(len(tracks.rows), np.int64)
    units = np.zeros(len(tracks.rows), np.int64)
    for place in np.unique(block.row[counted]).tolist():
        row = tracks.rows[place]
        names[place] = texts.setdefault(row.name, len(texts))
        units[place] = texts.setdefault(row.unit or "value", len(texts))
    block.name[counted] = np.where(block.name[counted] > 0, block.name[counted], names[block.row[counted]])
    sizes = block.stats.copy()
    sizes[counted] = kind > 0
    ends, before = np.cumsum(sizes), np.cumsum(block.stats)
    size = int(ends[-1])
    keys, kinds, values = np.zeros(size, np.int32), np.zeros(size, np.uint8), np.zeros(size, np.int64)
    others = np.flatnonzero(block.phase != _C)
    to = range_members((ends - sizes)[others], ends[others])
    source = range_members((before - block.stats)[others], before[others])
    keys[to], kinds[to], values[to] = block.keys[source], block.kinds[source], block.values[source]
    known = counted[kind > 0]
    at = ends[known] - 1
    keys[at], kinds[at], values[at] = units[block.row[known]], kind[kind > 0], value[kind > 0]
    return structs.replace(block, stats=sizes, keys=keys, kinds=kinds, values=values)


def _paired(block: Block, ends: _Ends, track: Any, flags: Any, dropped: Counter[str], warnings: list[Message]) -> Block:
    """Begins that have their ends become slices; ends go."""
    is_either = ((block.phase == _B) | (block.phase == _E)) & (block.flags & HAS_START != 0)
    has = flags & HAS_TRACK != 0
    of = track if has.all() else np.where(has, track, len(ends.places) + block.row)
    bounds = bounds_of(is_either, block.phase == _B, of, block.time, ends.before, ends.track, ends.time)
    opened, closed, lost = pairs_of(bounds, len(ends.places) + int(block.row.max(initial=0)) + 1)
    ended = closed >= 0
    until = np.where(ended, bounds.time[closed], 0)
    begin, end = bounds.source[opened], np.where(ended, bounds.source[closed], -1)
    if not ended.all():
        until[~ended] = _last_times(block, ends)[block.row[begin[~ended]]]
        warnings.append(message("unclosed_events", n=int((~ended).sum())))
    block.phase[begin] = _X
    block.length[begin] = np.maximum(until - block.time[begin], 0)
    block.flags[begin] |= HAS_LENGTH
    if lost:
        dropped["end_without_begin"] += lost
    goes = np.flatnonzero(is_either & (block.phase == _E))
    if not len(goes):
        return block
    kept = np.ones(len(block), bool)
    kept[goes] = False
    is_row = end >= 0
    return _with_ends(block, begin[is_row], end[is_row], np.flatnonzero(kept))


def _last_times(block: Block, ends: _Ends) -> I64:
    """By row the last time there."""
    timed = np.flatnonzero(block.flags & HAS_START)
    of_ends = ends.places[ends.track]
    last = np.full(int(max(block.row.max(initial=0), of_ends.max(initial=0))) + 1, np.iinfo(np.int64).min)
    np.maximum.at(last, block.row[timed], block.time[timed] + block.length[timed])
    np.maximum.at(last, of_ends, ends.time)
    return last


def _with_ends(block: Block, begin: Any, end: Any, kept: I64) -> Block:
    """What is kept, with what the ends of slices say after what their begins say."""
    if not block.stats[end].any():
        return block.taken(kept) if len(kept) < len(block) else block
    after = np.full(len(block), -1, np.int64)
    after[begin] = end
    ends = np.cumsum(block.stats)
    begins = ends - block.stats
    both = np.stack((kept, after[kept]), axis=1)
    low = np.where(both >= 0, begins[both], 0).reshape(-1)
    high = np.where(both >= 0, ends[both], 0).reshape(-1)
    at = range_members(low, high)
    keys, kinds, values = block.keys[at], block.kinds[at], block.values[at]
    sizes = (high - low).reshape(-1, 2).sum(axis=1)
    made = block.taken(kept)
    return structs.replace(made, stats=sizes, keys=keys, kinds=kinds, values=values)


# What a trace says of itself → members, as the object of a trace of JSON has them beside its events.
#
# Kineto writes them as instants without a time, one for each member; other writers as attributes of the trace.

ATTRIBUTES = 126
_MEMBERS, _PROPERTIES = "trace_metadata", "device_properties"
_DEVICES = "deviceProperties"
#: So many are looked at, of so many characters together.
_MOST, _MOST_CHARACTERS = 1000, 32 << 20


def members_of(packets: Packets, block: Block) -> tuple[dict[str, Any], Block]:
    """The members, and the track events without those that held them."""
    found: dict[str, Any] = {}
    room = _MOST_CHARACTERS
    for key, value in _attributes(packets):
        room -= len(value) if isinstance(value, str) else 8
        if len(found) < _MOST and room >= 0:
            found[key] = _value(value)
    names = [packets.texts.get(name, -1) for name in (_MEMBERS, _PROPERTIES)]
    rows = np.flatnonzero(np.isin(block.name, names) & (block.phase == ord("i")))
    if not len(rows):
        return found, block
    ends = np.cumsum(block.stats)
    texts = list(packets.texts)
    for row in rows[:_MOST].tolist():
        for at in range(int(ends[row] - block.stats[row]), int(ends[row])):
            text = texts[int(block.values[at])] if block.kinds[at] == StatKind.TEXT else int(block.values[at])
            room -= len(text) if isinstance(text, str) else 8
            if room < 0:
                break
            if int(block.name[row]) == names[0]:
                found[texts[int(block.keys[at])]] = _value(text)
            else:
                found[_DEVICES] = _devices(str(text))
    kept = np.ones(len(block), bool)
    kept[rows] = False
    return found, block.taken(np.flatnonzero(kept))


def _attributes(packets: Packets) -> Iterator[tuple[str, str | int]]:
    for other in packets.others:
        if other.kind != ATTRIBUTES:
            continue
        with contextlib.suppress(DamagedError):
            for field in walk(other.data, 0, len(other.data)):
                if field.number == 1 and field.wire == LENGTH:
                    yield _attribute(other.data, field.begin, field.end)


def _attribute(data: bytes, begin: int, end: int) -> tuple[str, str | int]:
    key = ""
    value: str | int = ""
    for field in walk(data, begin, end):
        if field.wire == LENGTH and field.number in (1, 3):
            text = str(data[field.begin : field.end], "utf-8", "replace")
            key, value = (text, value) if field.number == 1 else (key, text)
        elif field.wire == VARINT and field.number == 2:
            value = signed(field.value)
    return key, value


def _value(text: str | int) -> Any:
    """What a text says as JSON, or itself."""
    if isinstance(text, str):
        with contextlib.suppress(msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
            return msgspec.json.decode(text)
    return text


def _devices(text: str) -> Any:
    """A list of objects, which Kineto writes without its brackets."""
    for form in (text, f"[{text}]"):
        with contextlib.suppress(msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
            made = msgspec.json.decode(form)
            if isinstance(made, dict):
                return made.get(_DEVICES, [made])
            if isinstance(made, list):
                return made
    return []


# Packets → one document of trace events, which the dialects of these read.


def times_of(clocks: Clocks, columns: dict[str, Any]) -> tuple[I64, int]:
    """By row its ns since the epoch, or of the trace's clock; and how many are of a clock that is unknown."""
    time, clock = columns["time"], columns["clock"]
    one_clock = int(clock[0]) if len(clock) else -1
    if not 64 <= one_clock < 128 and bool((clock == one_clock).all()):
        # As nearly all writers have it: without sorting.
        at = clocks.in_trace(time, one_clock, 0)
        return (time if at is None else at) + clocks.since_epoch(), len(time) if at is None else 0
    clock, sequence = clock.astype(np.int64), columns["sequence"].astype(np.int64)
    own = (clock >= 64) & (clock < 128)
    key = clock * (1 << 17) + np.where(own, sequence, 0)
    time, unknown = time.copy(), 0
    for one in np.unique(key).tolist():
        rows = np.flatnonzero(key == one)
        moved = clocks.in_trace(time[rows], one >> 17, one & ((1 << 17) - 1))
        if moved is None:
            unknown += len(rows)
        else:
            time[rows] = moved
    return time + clocks.since_epoch(), unknown


def document(packets: Packets) -> Document:
    tracks = Tracks(packets.tracks, packets.texts)
    time, unknown = times_of(packets.clocks, packets.events)
    ended, of_ends = times_of(packets.clocks, packets.ends)
    unknown += of_ends
    warnings, dropped = list(packets.warnings), packets.dropped
    if unknown and packets.clocks.snapshots:
        warnings.append(message("clock_unknown", n=unknown))
    block = track_events(packets, tracks, time, ended, dropped, warnings)
    members, block = members_of(packets, block)
    ran = stages(packets, tracks, time)
    if is_kineto(block, packets.texts):
        block = spread(block, packets.texts)
    if gpu.is_pytorch(block, packets.texts):
        gpu.with_categories(block, tracks, packets.texts)
        members.setdefault("schemaVersion", 1)
    if ran is not None and gpu.stage_categories(ran, packets.texts):
        members.setdefault("schemaVersion", 1)
    more = (ran, counters(packets, tracks, time), heap_profile(packets, tracks))
    # The blocks have what they need, and take as much memory.
    del time, ended
    packets.events.clear()
    packets.ends.clear()
    blocks = [block, *(each for each in more if each is not None)]
    blocks += scheduling(packets, tracks)
    return document_of(blocks, tracks, packets.texts, members, dropped, warnings)
