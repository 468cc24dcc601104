"""What a TPU exchanges between slices → the calls of collectives that this is, by kind of event.

An exchange is one call: its `recv-done`, in which the core waits for what comes, counted since its `send` began; where
a program only sends, its `send-done`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ...timeline import Timeline, derived
from ...timeline.split import SliceTransfer, slice_transfers_of
from .async_names import named
from .names import Group, first_type, given_bytes, is_float32

#: Of the kinds of event that end an exchange, the first one that it has.
_ENDS = ("recv-done", "send-done")
#: What a transfer gives with the buffer: its state, and a token.
_STATE = re.compile(r", u32\[\][^,)]*, token\[\]|, token\[\]")


class SliceCall(NamedTuple):
    """begun: name of the instruction that began it. bytes: of the buffer that is received, -1 where it is not known.
    text: of the instruction whose events are the calls.
    """

    kind: str
    group: Group
    bytes: int
    float32: bool
    begun: str
    text: str


@derived
def slice_calls(timeline: Timeline) -> dict[int, SliceCall]:
    """By kind of event."""
    exchanges: dict[tuple[object, str], dict[str, tuple[int, SliceTransfer]]] = {}
    for kind, one in slice_transfers_of(timeline).items():
        exchanges.setdefault(one.exchange, {}).setdefault(one.opcode, (kind, one))
    found = {}
    for parts in exchanges.values():
        end = next((parts[opcode] for opcode in _ENDS if opcode in parts), None)
        if end is not None:
            found[end[0]] = _call(end[1], parts)
    return found


def _call(end: SliceTransfer, parts: dict[str, tuple[int, SliceTransfer]]) -> SliceCall:
    carries = parts.get("recv-done") or parts.get("recv") or parts.get("send")
    buffer = _STATE.sub("", carries[1].text.partition(" = ")[2].partition(") ")[0]) if carries else ""
    begin = parts.get("send") or parts.get("recv")
    return SliceCall(
        end.kind or "other",
        Group("between slices", end.target, end.slices),
        given_bytes(buffer),
        is_float32(first_type(buffer)),
        named(begin[1].text) if begin else "",
        end.text,
    )
