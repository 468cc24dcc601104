"""A device's events → what it does at each instant, by category."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from ...tables import Capture, PlaneKind
from ...tables.capture import U8
from .._op_names import copy_op
from .._ops import at_work, device_tracks
from . import _precision, _sets
from ._categories import CATEGORIES, INDEX
from ._sets import Collected, Sets

if TYPE_CHECKING:
    from .._timeline import Timeline

_COMPUTE = INDEX["compute_other"]
_HEAD = 400
#: Libraries of collectives, the kernels that frameworks write for them, and XLA's instructions.
_COLLECTIVE = re.compile(
    r"(?:void )?(?:\w+::)*(?:nccl|rccl|msccl|oneccl|nvshmem|sccl|rocshmem)\w*|"
    r".*?(?:(?<![a-z])|(?<=_))(?:all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|cross_device_reduce|"
    r"userbuffers|multimem_|(?:one|two)_?shot|p2p_?(?:send|recv)|send_?recv)|"
    r"%?(?:ragged-)?(?:all-reduce|all-gather|reduce-scatter|all-to-all|collective-)|"
    r".*AllReduce|.*AllGather|.*ReduceScatter|.*AllToAll|.*SendRecv",
    re.IGNORECASE | re.DOTALL,
)
#: Types of copies, as `copy_op` gives them.
_COPIES = {"MemcpyHToD": "copy_in", "MemcpyDToH": "copy_out"}
_UNTOLD = "Memcpy"
_KINDS = re.compile(r"kind_src:(\w+)\s+kind_dst:(\w+)")
_ON_HOST = ("pageable", "pinned", "host")


def of_kernel(name: str) -> int:
    """The category of a GPU's event of this name; `compute_other` where the name does not tell."""
    copy = copy_op(name)
    if copy is not None:
        return INDEX[_COPIES.get(copy.type, "copy_device")]
    if _COLLECTIVE.match(name[:_HEAD]):
        return INDEX["collective"]
    return INDEX[_precision.of_kernel(name) or "compute_other"]


def sets(timeline: Timeline, plane: int) -> Sets:
    """When each category holds on a device."""
    found = Collected()
    events = timeline.capture.events
    is_tpu = timeline.capture.planes.kind[plane] == PlaneKind.TPU
    classes = _tpu_classes(timeline.capture, plane) if is_tpu else _gpu_classes(timeline.capture, plane)
    for track in device_tracks(timeline.capture, plane).tolist():
        low, high = (int(c[track]) for c in (timeline.capture.tracks.events_begin, timeline.capture.tracks.events_end))
        if low == high:
            continue
        if is_tpu:
            own = classes[events.kind[low:high]]
            given = events.start_ps[low:high], events.duration_ps[low:high], timeline.parent[low:high], low, own
            begin, end, what = _sets.paint(*given, _WITHIN, _SHOWN)
            found.add(begin, end, what - np.uint8(1))
            continue
        rows = at_work(timeline, plane, np.arange(low, high))
        begin = events.start_ps[rows]
        found.add(begin, begin + events.duration_ps[rows], classes[events.name[rows]])
    return found.sets()


#: On a TPU's op lines the innermost op counts; classes are categories + 1.
_WITHIN = np.tile(np.arange(len(CATEGORIES) + 1, dtype=np.uint8), (len(CATEGORIES) + 1, 1))
_SHOWN = np.arange(len(CATEGORIES) + 1, dtype=np.uint8)


def _gpu_classes(capture: Capture, plane: int) -> U8:
    """By string id: the category of events of that name."""
    used = np.zeros(len(capture.strings), bool)
    for track in device_tracks(capture, plane).tolist():
        used[capture.events.name[int(capture.tracks.events_begin[track]) : int(capture.tracks.events_end[track])]] = (
            True
        )
    table = np.zeros(len(capture.strings), np.uint8)
    for i in np.flatnonzero(used).tolist():
        table[i] = of_kernel(capture.strings[i])
    return table


def _tpu_classes(capture: Capture, plane: int) -> U8:
    """By kind: its category + 1."""
    table = np.full(len(capture.kinds) + 1, _COMPUTE + 1, np.uint8)
    for kind in np.flatnonzero(capture.kinds.plane == plane).tolist():
        table[kind] = INDEX[of_instruction(*_said(capture, kind))] + 1
    return table


def _said(capture: Capture, kind: int) -> tuple[str, str]:
    """The text of an instruction and its category, as far as the capture tells them."""
    facts = dict(reversed(capture.values(int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind]))))
    category = facts.get("hlo_category")
    name = capture.strings[int(capture.kinds.name[kind])]
    return name, category if isinstance(category, str) else ""


_LAYOUT = re.compile(r"\]\{([^}]*)\}")
_XLA = (
    ("input_wait", re.compile(r"infeed")),
    ("output", re.compile(r"outfeed|host[ _-]?(?:send|recv)")),
    (
        "collective",
        re.compile(
            r"(?:ragged-)?all-(?:reduce|gather|to-all)|reduce-scatter|collective-|(?:send|recv)(?:-done)?$|barrier"
        ),
    ),
    (
        "copy_device",
        re.compile(r"(?:async-)?(?:copy|slice|dynamic-slice|dynamic-update-slice)-(?:start|done)|async-(?:start|done)"),
    ),
    ("copy_device", re.compile(r"copy$|data formatting|memset")),
)
_NAME = re.compile(r"%?([\w-]+?)(?:\.\d+)*(?: =|$)")
_OPCODE = re.compile(r"(?<= )[a-z][\w-]*(?=\()")


def of_instruction(text: str, category: str = "") -> str:
    """The key of the category of an XLA instruction on a TPU, by its text and what XLA calls its kind."""
    opcode = _OPCODE.search(text.partition(" = ")[2])
    name = _NAME.match(text)
    said = [category, opcode[0] if opcode else "", name[1] if name and not opcode and not category else ""]
    if "is_host_transfer=true" in text:
        return "output"
    for key, pattern in _XLA:
        if any(pattern.match(one) for one in said if one):
            return _copied(text) if key == "copy_device" else key
    return _precision.of_instruction(text, category) or "compute_other"


def _copied(text: str) -> str:
    """`dst copy-done((dst, src, context))`, `(dst, src, context) copy-start(src)`. Memory space 5 is the host's."""
    rest = text.partition(" = ")[2]
    told = ["S(5)" in layout for layout in _LAYOUT.findall(rest)] + [False] * 3
    to_host, from_host = told[1:3] if "-done(" in rest else told[:2]
    if to_host == from_host:
        return "copy_device"
    return "copy_out" if to_host else "copy_in"
