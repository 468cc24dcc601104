"""A device's events → what it does at each instant, by category."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from ...tables import I32, I64, U8, Capture, PlaneKind, StatKind, at_once, intervals
from ..categories import CATEGORIES, INDEX
from ..causes.launches import launches_of
from ..devices.clock import clocked
from ..devices.own_clock import OwnClock
from ..loops.loops import nest
from ..names.op_names import copy_op
from ..nesting import nesting_of
from ..timeline import Timeline
from ..tracks.tracks import device_tracks, rows_of
from ..tracks.work import at_work
from .hlo import refine
from .precision import precision_of_instruction, precision_of_kernel
from .sets import Collected, Pieces, Sets, paint, paint_rows, union
from .slices import slice_transfers_of

_COMPUTE = INDEX["compute_other"]
_HEAD = 400
#: Libraries of collectives, the kernels that frameworks write for them, and XLA's instructions.
_COLLECTIVE = re.compile(
    r"(?:void )?(?:\w+::)*(?:nccl|rccl|msccl|oneccl|nvshmem|sccl|rocshmem)\w*|"
    r".*?(?:(?<![a-z])|(?<=_))(?:all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|cross_device_reduce|"
    r"userbuffers|multimem_|(?:one|two)_?shot|p2p_?(?:send|recv)|send_?recv)|"
    r"%?(?:ragged-)?(?:all-reduce|all-gather|reduce-scatter|all-to-all|collective-)|"
    r".*(?:allreduce|allgather|reducescatter|alltoall|sendrecv)",
    re.DOTALL,
)
#: One of these is in the name of each of them, which is found out sooner.
_PARTS = (
    *("ccl", "shmem", "reduce", "gather", "all_to", "allto", "all-to", "userbuf", "multimem", "shot", "p2p"),
    *("collective-", "sendrecv", "send_recv"),
)
#: Types of copies, as `copy_op` gives them.
_COPIES = {"MemcpyHToD": "copy_in", "MemcpyDToH": "copy_out"}
#: Short streams are gone through so many events at a time.
_TOGETHER = 1 << 12
#: A copy of which the name does not show where it goes.
_UNKNOWN = len(CATEGORIES)
_DETAILS = re.compile(r"kind_src:(\w+)\s+kind_dst:(\w+)")
_CALL = re.compile(r"\w*?[Mm]emcpy ?([HD])to([HD])")
_ON_HOST = ("pageable", "pinned", "host", "H")


def category_of_kernel(name: str) -> int:
    """The category of a GPU's event of this name, or `_UNKNOWN`; `compute_other` where the name does not show it."""
    copy = copy_op(name)
    if copy is not None:
        return _copy(name, copy.type)
    head = name[:_HEAD].lower()
    if any(part in head for part in _PARTS) and _COLLECTIVE.match(head):
        return INDEX["collective"]
    return INDEX[precision_of_kernel(name) or "compute_other"]


def _copy(name: str, kind: str) -> int:
    if kind in _COPIES:
        return INDEX[_COPIES[kind]]
    ends = _CALL.match(name)
    return _UNKNOWN if kind == "Memcpy" and ends is None else _between(ends)


def device_sets(timeline: Timeline, plane: int, clock: OwnClock | None = None) -> Sets:
    """When each category holds on a device. clock: a TPU's own, to give times by that, not as the trace shows them."""
    if clock is not None:
        return _sets(timeline, plane, clock)
    return timeline.remember((device_sets, plane), lambda: _sets(timeline, plane, None))


def _sets(timeline: Timeline, plane: int, clock: OwnClock | None) -> Sets:
    collected = Collected()
    tracks = timeline.capture.tracks
    is_tpu = timeline.capture.planes.kind[plane] == PlaneKind.TPU
    classes = _tpu_classes(timeline, plane) if is_tpu else _gpu_classes(timeline.capture, plane)
    of_device = device_tracks(timeline.capture, plane)
    if not is_tpu:
        for rows in _streams(timeline.capture, of_device):
            collected.add(*_gpu_streams(timeline, at_work(timeline, plane, rows), classes))
        return collected.sets()
    for track in of_device.tolist():
        at = slice(int(tracks.events_begin[track]), int(tracks.events_end[track]))
        if at.start < at.stop:
            collected.add(*(_tpu_line(timeline, at, classes) if clock is None else _by(clock, timeline, at, classes)))
    return collected.sets()


def device_runs(timeline: Timeline, plane: int, categories: Iterable[str]) -> intervals.Intervals:
    """When any of some categories, by key, holds on a device."""
    sets = device_sets(timeline, plane)
    return union(sets[i] for i in map(INDEX.__getitem__, categories) if i in sets)


def device_categories_of(timeline: Timeline, plane: int) -> dict[int, list[tuple[int, intervals.Intervals]]]:
    """By category the streams or op lines of a device on which it holds at some time, and when."""
    found: dict[int, list[tuple[int, intervals.Intervals]]] = {}
    for track, (begin, end, what, _) in _pieces(timeline, plane):
        for category in np.unique(what).tolist():
            holds = what == category
            when = intervals.union(begin[holds], end[holds])
            if len(when.begin):
                found.setdefault(category, []).append((track, when))
    return found


def device_pieces(timeline: Timeline, plane: int) -> Iterator[Pieces]:
    """The time of each stream or op line of a device in pieces."""
    return (pieces for _, pieces in _pieces(timeline, plane))


def _pieces(timeline: Timeline, plane: int) -> Iterator[tuple[int, Pieces]]:
    """The time of each stream or op line of a device in pieces."""
    tracks = timeline.capture.tracks
    is_tpu = timeline.capture.planes.kind[plane] == PlaneKind.TPU
    classes = _tpu_classes(timeline, plane) if is_tpu else _gpu_classes(timeline.capture, plane)
    for track in device_tracks(timeline.capture, plane).tolist():
        at = slice(int(tracks.events_begin[track]), int(tracks.events_end[track]))
        if at.start == at.stop:
            continue
        if is_tpu:
            begin, end, what, row = paint_rows(*_op_line(timeline, at, classes))
            yield track, Pieces(begin, end, what - np.uint8(1), row)
            continue
        rows = at_work(timeline, plane, np.arange(at.start, at.stop))
        begin, end, what = _gpu_streams(timeline, rows, classes)
        real = end > begin
        yield track, Pieces(begin[real], end[real], what[real], rows[real])


def _streams(capture: Capture, tracks: I64) -> Iterator[I64]:
    """The event rows of each stream, those of short ones together."""
    begin, end = capture.tracks.events_begin[tracks], capture.tracks.events_end[tracks]
    after = np.cumsum(end - begin)
    lot = after // _TOGETHER + (after - (end - begin)) // _TOGETHER
    for some in np.split(tracks, np.flatnonzero(np.diff(lot)) + 1):
        rows = rows_of(capture, some)
        if len(rows):
            yield rows


def _gpu_streams(timeline: Timeline, rows: I64, classes: U8) -> tuple[I64, I64, U8]:
    """Begin, end and category of what ran on some streams."""
    events = timeline.capture.events
    at = at_once(rows)
    begin, what = events.start_ps[at], classes[events.name[at]]
    unknown = np.flatnonzero(what == _UNKNOWN)
    if len(unknown):
        what[unknown] = _direction(timeline, rows[unknown])
    unknown = np.flatnonzero(what == _COMPUTE)
    what[unknown] = refine(timeline, rows[unknown])
    return begin, begin + events.duration_ps[at], what


def _tpu_line(timeline: Timeline, at: slice, classes: U8) -> tuple[I64, I64, U8]:
    begin, end, what = paint(*_op_line(timeline, at, classes))
    return begin, end, what - np.uint8(1)


def _op_line(timeline: Timeline, at: slice, classes: U8) -> tuple[I64, I64, I32, int, U8, U8, U8]:
    """What a line of a TPU's ops is painted from."""
    events, parent = timeline.capture.events, nesting_of(timeline).parent[at]
    return events.start_ps[at], events.duration_ps[at], parent, int(at.start), classes[events.kind[at]], _WITHIN, _SHOWN


def _by(clock: OwnClock, timeline: Timeline, at: slice, classes: U8) -> tuple[I64, I64, U8]:
    """As `_tpu_line`, by the core's own clock, by which ops may nest that do not in the trace."""
    events, rows = timeline.capture.events, np.arange(at.start, at.stop)
    begin, duration, known = clocked(timeline, int(timeline.capture.tracks.plane[events.track[at.start]]), rows)
    if not known:
        begin, end = clock.begins_at(begin), clock.ends_at(begin + duration)
        duration = np.maximum(end - begin, 0)
    order = np.lexsort((-duration, begin))
    begin, duration = begin[order], duration[order]
    parent = nest(np.zeros(len(order), np.int32), begin, duration).parent
    begin, end, what = paint(begin, duration, parent, 0, classes[events.kind[rows[order]]], _WITHIN, _SHOWN)
    return begin, end, what - np.uint8(1)


def _direction(timeline: Timeline, rows: I64) -> U8:
    """The categories of copies: by their details, else by the call that launched them."""
    text, kind = timeline.stat_of("memcpy_details", rows)
    launch = launches_of(timeline).rows[rows]
    call = np.where(launch >= 0, timeline.capture.events.name[launch], 0)
    text = np.where(kind == StatKind.TEXT, text, call)
    ids, which = np.unique(text, return_inverse=True)
    direction = [_between(_DETAILS.search(name) or _CALL.match(name)) for name in timeline.capture.strings.of(ids)]
    return np.array(direction, np.uint8)[which]


def _between(ends: re.Match[str] | None) -> int:
    from_host, to_host = (end in _ON_HOST for end in ends.groups()) if ends else (False, False)
    if from_host == to_host:
        return INDEX["copy_device"]
    return INDEX["copy_in" if from_host else "copy_out"]


#: On a TPU's op lines the innermost op counts; classes are categories + 1.
_WITHIN = np.tile(np.arange(len(CATEGORIES) + 1, dtype=np.uint8), (len(CATEGORIES) + 1, 1))
_SHOWN = np.arange(len(CATEGORIES) + 1, dtype=np.uint8)


def _gpu_classes(capture: Capture, plane: int) -> U8:
    """By string id: the category of events of that name."""
    used = np.zeros(len(capture.strings), bool)
    for rows in _streams(capture, device_tracks(capture, plane)):
        used[capture.events.name[rows]] = True
    table = np.zeros(len(capture.strings), np.uint8)
    for i in np.flatnonzero(used).tolist():
        table[i] = category_of_kernel(capture.strings[i])
    return table


def _tpu_classes(timeline: Timeline, plane: int) -> U8:
    """By kind: its category + 1."""
    capture, between_slices = timeline.capture, slice_transfers_of(timeline)
    table = np.full(len(capture.kinds) + 1, _COMPUTE + 1, np.uint8)
    for kind in np.flatnonzero(capture.kinds.plane == plane).tolist():
        found = "collective" if kind in between_slices else category_of_instruction(*instruction_of_kind(capture, kind))
        table[kind] = INDEX[found] + 1
    return table


def instruction_of_kind(capture: Capture, kind: int) -> tuple[str, str]:
    """The text of an instruction and its category, as far as the capture shows them."""
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
#: What starts a collective and what waits for its end, by name: on a TPU both may be fusions, of XLA's kind `custom
#: fusion`, or be wrapped in `async-start` and `async-done`.
_IN_TWO = re.compile(
    r"%?(?:async-collective|(?:ragged-)?all-(?:reduce|gather|to-all)|reduce-scatter|collective-[a-z-]+?)"
    r"-(?:start|done)(?:\.\d+)*(?: =|$)"
)
_OPCODE = re.compile(r"(?<= )[a-z][\w-]*(?=\()")


def category_of_instruction(text: str, category: str = "") -> str:
    """The key of the category of an XLA instruction on a TPU, by its text and what XLA calls its kind."""
    opcode = _OPCODE.search(text.partition(" = ")[2])
    name = _NAME.match(text)
    kinds = [category, opcode[0] if opcode else "", name[1] if name and not opcode and not category else ""]
    if "is_host_transfer=true" in text:
        return "output"
    if _IN_TWO.match(text):
        return "collective"
    for key, pattern in _XLA:
        if any(pattern.match(one) for one in kinds if one):
            return _copied(text) if key == "copy_device" else key
    return precision_of_instruction(text, category) or "compute_other"


def _copied(text: str) -> str:
    """`dst copy-done((dst, src, context))`, `(dst, src, context) copy-start(src)`. Memory space 5 is the host's."""
    rest = text.partition(" = ")[2]
    on_host = ["S(5)" in layout for layout in _LAYOUT.findall(rest)] + [False] * 3
    to_host, from_host = on_host[1:3] if "-done(" in rest else on_host[:2]
    if to_host == from_host:
        return "copy_device"
    return "copy_out" if to_host else "copy_in"
