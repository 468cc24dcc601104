"""Trace events as msgspec gives them → rows of numbers, without a compiler; and what `parse.py` shares with it.

Columns of a row: phase (its letter), name and category (ids of texts), pid, tid, id (of ids, -1 where there is none),
begin (whole microseconds, and picoseconds), length (the same), flags, number of stats; and what few events have, as
ids: stack, scope of the id, id of arrows that begin or end here. What flags mean: `columns.py`. Columns of a
stat: key (id of a text), kind, value.
"""

from __future__ import annotations

import struct
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from typing import Any

import msgspec

from ...tables import I64, StatKind
from .columns import ENDS_AROUND, FLOW_IN, FLOW_OUT, GLOBAL, HAS_LENGTH, HAS_START, LOCAL, NO_NUMBER

COLUMNS, STAT_COLUMNS = 15, 3
#: Why a parser stopped: the array, or the text ended; there is no more room; or the next element is not as usual.
TEXT_ENDED, ARRAY_ENDED, FULL, ODD = 0, 1, 2, 3
_NOTHING = msgspec.Raw(b"")


class Event(msgspec.Struct, gc=False):
    """What is read of an event; whatever its types are, since any may be wrong."""

    ph: Any = None
    name: Any = None
    cat: Any = None
    pid: Any = None
    tid: Any = None
    id: Any = None
    ts: msgspec.Raw = _NOTHING
    dur: msgspec.Raw = _NOTHING
    tdur: msgspec.Raw = _NOTHING
    args: Any = None
    bp: Any = None
    flow_in: Any = None
    flow_out: Any = None
    id2: Any = None
    sf: Any = None
    stack: Any = None
    scope: Any = None
    bind_id: Any = None


def text_of(value: Any) -> str:
    """A name or a value that is no text, as one: numbers as they are, lists and objects as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()


def number(raw: bytes, rows: I64, i: int, column: int) -> int:
    """Microseconds of any notation → whole ones and picoseconds; 1, or 0 where it is none, or beyond any time."""
    try:
        value = Decimal(raw.strip(b'" ').decode("ascii", "replace"))
        # Comparing is exact; computing with exponents of seven digits is an error.
        fits = value.is_finite() and -(10**18) < value < 10**18
        picoseconds = int((value * 10**6).to_integral_value(ROUND_HALF_UP)) if fits else None
    except InvalidOperation:
        picoseconds = None
    if picoseconds is None:
        return 0
    rows[i, column], rows[i, column + 1] = divmod(picoseconds, 10**6)
    return 1


def fill(batch: list[Event], rows: I64, stats: I64, texts: dict[str, int], ids: dict[Any, int]) -> None:
    """Write a row an event, and a row a member of its args."""
    at = 0
    for i, event in enumerate(batch):
        args = event.args if isinstance(event.args, dict) else {}
        names = [texts.setdefault(text_of(each), len(texts)) for each in (event.name, event.cat)]
        id, flags = _identity(event)
        keys = [_key(each, ids) for each in (event.pid, event.tid, id)]
        rows[i, :6] = [_phase(event.ph), *names, *keys]
        stack = event.stack if event.sf is None else event.sf
        rows[i, 12:] = [_key(each, ids) for each in (stack, event.scope or None, event.bind_id)]
        for raw, column, flag in (
            (bytes(event.ts), 6, HAS_START),
            (bytes(event.dur) or bytes(event.tdur), 8, HAS_LENGTH),
        ):
            if raw:
                flags |= flag if number(raw, rows, i, column) else NO_NUMBER
        rows[i, 10], rows[i, 11] = flags, len(args)
        for key, value in args.items():
            stats[at] = (texts.setdefault(key, len(texts)), *stat_of(value, texts))
            at += 1


def _phase(value: Any) -> int:
    """Its letter; what is none of ASCII's, and so no phase that anybody knows, as `?`."""
    if not isinstance(value, str) or not value:
        return 0
    return ord(value[0]) if " " <= value[0] <= "\x7f" else ord("?")


def _identity(event: Event) -> tuple[Any, int]:
    """An event's id, and the flags that are not of its times."""
    arrows = ENDS_AROUND * (event.bp == "e") + FLOW_IN * (event.flow_in is True) + FLOW_OUT * (event.flow_out is True)
    if isinstance(event.id2, dict) and len(event.id2) == 1:
        for key, flag in (("local", LOCAL), ("global", GLOBAL)):
            if event.id2.get(key) is not None:
                return event.id2[key], arrows | flag
    return event.id, arrows


def _key(value: Any, ids: dict[Any, int]) -> int:
    if value is None:
        return -1
    return ids.setdefault(value if type(value) in (int, str) else text_of(value), len(ids))


def stat_of(value: Any, texts: dict[str, int]) -> tuple[int, int]:
    if isinstance(value, bool):
        return StatKind.INT, int(value)
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return StatKind.INT, value
    if isinstance(value, int) and 0 <= value < 1 << 64:
        return StatKind.UINT, value - (1 << 64)
    if isinstance(value, float):
        return StatKind.DOUBLE, int(struct.unpack("<q", struct.pack("<d", value))[0])
    return StatKind.TEXT, texts.setdefault(text_of(value), len(texts))
