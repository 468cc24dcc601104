"""Kinds of a TPU's events → which of them exchange data between slices, over the data centre's network (DCN).

XLA hands the buffers to Megascale's runtime on the host: of one exchange a `send`, a `send-done`, a `recv` and a
`recv-done`, transfers to and from the host whose attributes name the runtime, the exchange (their rendezvous), what it
is, and between whom: `{1,2}x{0:3}` are the devices 0 to 3 of the slices 1 and 2. What ends a transfer may have but its
channel. The names are those that XProf looks for (`xspace_to_dcn_slack_analysis.cc`), and that programs of Cloud TPU's
v7x have. The runtime's own events, on the plane `/device:CUSTOM:Megascale Trace`, are not looked at.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ...tables import Capture, PlaneKind
from ..timeline import Timeline, derived

#: Of an instruction's text so much is looked at.
_MOST = 1 << 14
_PROGRAM = "program_id"
_RUNTIME = ("xla_megascale_runtime", "_xla_megascale_")
_OPCODE = re.compile(r" ((?:send|recv)(?:-done)?)\(")
_CHANNEL = re.compile(r"\bchannel_id=(\d{1,18})\b")
_TYPE, _TARGET = "_xla_megascale_transfer_type", "_xla_megascale_target"
_RENDEZVOUS = "_xla_host_transfer_rendezvous"
_ATTRIBUTE = re.compile(rf'\b({_TYPE}|{_TARGET}|{_RENDEZVOUS})="([^"]*)"')
_SLICES = re.compile(r"\{([0-9, ]{1,4000})\}x")
#: What XLA calls the collectives elsewhere.
_KINDS = {
    "ALL_REDUCE": "all-reduce",
    "ALL_GATHER": "all-gather",
    "ALL_TO_ALL": "all-to-all",
    "REDUCE_SCATTER": "reduce-scatter",
    "ONE_TO_ONE": "collective-permute",
}


class SliceTransfer(NamedTuple):
    """opcode: `send`, `send-done`, `recv` or `recv-done`. kind: the collective, empty where it is not named. target:
    slices and devices that exchange, as XLA writes it; slices: how many, 0 where that is not written. exchange: equal
    for what belongs together: of one program one rendezvous, or one channel. text: the instruction's.
    """

    opcode: str
    kind: str
    target: str
    slices: int
    exchange: tuple[object, str]
    text: str


@derived
def slice_transfers_of(timeline: Timeline) -> dict[int, SliceTransfer]:
    """By kind."""
    capture = timeline.capture
    is_tpu = (capture.planes.kind == PlaneKind.TPU)[capture.kinds.plane]
    texts = {
        kind: text
        for kind in is_tpu.nonzero()[0].tolist()
        if "is_host_transfer=true" in (text := capture.strings[int(capture.kinds.name[kind])][:_MOST])
    }
    if not any(any(name in text for name in _RUNTIME) for text in texts.values()):
        return {}
    programs = {kind: _program(capture, kind) for kind in texts}
    found: dict[int, SliceTransfer] = {}
    by_channel: dict[tuple[object, str], SliceTransfer] = {}
    for kind, text in texts.items():
        if any(name in text for name in _RUNTIME) and (one := _described(text, programs[kind])):
            found[kind] = by_channel[programs[kind], _channel(text)] = one
    for kind, text in texts.items():
        opcode, begun = _OPCODE.search(text), by_channel.get((programs[kind], _channel(text)))
        if kind not in found and opcode and begun:
            found[kind] = begun._replace(opcode=opcode[1], text=text)
    return found


def _described(text: str, program: object) -> SliceTransfer | None:
    opcode = _OPCODE.search(text)
    if opcode is None:
        return None
    named = dict(_ATTRIBUTE.findall(text))
    target = named.get(_TARGET, "")
    slices = _SLICES.match(target)
    return SliceTransfer(
        opcode[1],
        _KINDS.get(named.get(_TYPE, ""), ""),
        target,
        len([one for one in slices[1].split(",") if one.strip()]) if slices else 0,
        (program, named.get(_RENDEZVOUS) or _channel(text)),
        text,
    )


def _channel(text: str) -> str:
    found = _CHANNEL.search(text)
    return f"channel {found[1]}" if found else ""


def _program(capture: Capture, kind: int) -> object:
    begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
    return dict(reversed(capture.values(begin, end))).get(_PROGRAM)
