"""Steps that the collector put on a device's plane: its line of steps, else, on a TPU, of modules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...messages import Message, message
from ...patterns import regex
from ...tables import I64, U8, Capture, PlaneKind, TrackKind, among
from ...threshold import Threshold
from ..devices import planes_at_work
from ..timeline import Timeline, is_integer
from ..tracks import at_work, device_planes, device_tracks, rows_of, sparse_cores
from .calls import begins_turn, operators, within_one_turn
from .marks import numbers_in_names
from .model import (
    NAME_LIMIT,
    Confidence,
    Cut,
    Draft,
    Steps,
    built,
    calls,
    ends,
    hulls,
    of_workers,
    shown,
    track_name,
    turns,
    whole_percent,
)
from .updates import eager_ops

_STEPS = ("Steps", "Sparse Core Steps")
_MODULES = ("XLA Modules", "Sparse Core Modules")
CUT_BELOW = Threshold(
    "cut step on a device",
    0.8,
    "share",
    "a first or last step shorter than this part of the typical one is cut by the capture",
)
LEADS = Threshold(
    "leading module",
    0.5,
    "share",
    "runs of a module with this part of all modules' time are likely the steps; with less they are a guess",
)


class _Parts(NamedTuple):
    """Pieces of steps on devices: the step each belongs to."""

    rows: I64
    step: I64


def device_steps(timeline: Timeline) -> Steps | None:
    """The hulls of the steps on devices."""
    return _lines(timeline) or _annotated(timeline) or _modules(timeline)


def lines(capture: Capture, plane: int, names: tuple[str, ...]) -> I64:
    """Event rows of a plane's first line of one of the names that holds any."""
    tracks = np.flatnonzero(capture.tracks.plane == plane)
    for name in names:
        rows = rows_of(capture, tracks[capture.tracks.name[tracks] == capture.strings.find(name)])
        if len(rows):
            return rows
    return np.empty(0, np.int64)


def _lines(timeline: Timeline) -> Steps | None:
    capture = timeline.capture
    at_work = planes_at_work(timeline)
    held = [(plane, rows) for plane in device_planes(capture) if len(rows := lines(capture, plane, _STEPS))]
    planes = _chips(capture, [(plane, rows) for plane, rows in held if at_work[plane]] or held)
    if not planes:
        return None
    parts = [_keyed(timeline, rows) for _, rows in planes]
    rows, step = np.concatenate([p.rows for p in parts]), np.concatenate([p.step for p in parts])
    count = len(np.unique(step))
    where = shown(capture.strings[int(capture.planes.name[planes[0][0]])])
    evidence = message("steps_seen.line", device=where, more=len(planes) - 1 or None, steps=count, one=count == 1)
    is_tpu = capture.planes.kind[planes[0][0]] == PlaneKind.TPU
    names = {int(s): capture.event_name(int(r)) for s, r in zip(step[::-1], rows[::-1], strict=True)}
    draft = _hulls(capture, _Parts(rows, step), evidence)
    draft.confidence = "certain" if is_tpu else "likely"
    draft.names = [names[n][:200] or str(n) for n in draft.number.tolist()]
    if (draft.lane >= 0).any():
        draft.names = of_workers(capture, draft.rows, draft.names)
    fragments = len(rows) - len({(int(s), int(t)) for s, t in zip(step, capture.events.track[rows], strict=True)})
    draft.others = {Message("not_steps.pieces"): fragments}
    return built(draft)


def _annotated(timeline: Timeline) -> Steps | None:
    """PyTorch's marks that number themselves, `ProfilerStep#12`: without the CPU's activity they are on devices'
    streams alone."""
    capture = timeline.capture
    derived = (capture.tracks.kind == TrackKind.DERIVED) & among(capture.tracks.plane, device_planes(capture))
    rows = rows_of(capture, np.flatnonzero(derived & capture.capabilities.has_operators))
    word, number = numbers_in_names(capture, rows)
    rows, word, number = rows[number >= 0], word[number >= 0], number[number >= 0]
    if not len(rows):
        return None
    most = word == np.argmax(np.bincount(word))
    rows, number = rows[most], number[most]
    example, count = shown(capture.event_name(int(rows[0]))), len(np.unique(number))
    if count < 2:
        return None
    evidence = message(
        "steps_seen.named",
        events=len(rows),
        one=False,
        thread=track_name(capture, int(capture.events.track[rows[0]])),
        example=example,
    )
    draft = _hulls(capture, _Parts(rows, number), evidence)
    draft.names = [capture.event_name(row)[:200] for row in draft.rows.tolist()]
    if (draft.lane >= 0).any():
        draft.names = of_workers(capture, draft.rows, draft.names)
    return built(draft)


def _chips(capture: Capture, found: list[tuple[int, I64]]) -> list[tuple[int, I64]]:
    """Without SparseCores whose TensorCore has lines, too: what they do for a step may end after it."""
    planes, chip = {plane for plane, _ in found}, sparse_cores(capture)
    return [(plane, rows) for plane, rows in found if chip.get(plane) not in planes]


def _keyed(timeline: Timeline, rows: I64) -> _Parts:
    """The step of each event of one line: its group, else the number that its name is, else its place."""
    group, kind = timeline.stat_of("group_id", rows)
    if is_integer(kind).all():
        return _Parts(rows, group)
    names = timeline.capture.strings.texts(timeline.capture.events.name[rows])
    if all(name.isdecimal() and len(name) < 19 for name in names):
        return _Parts(rows, np.array([int(name) for name in names], np.int64))
    return _Parts(rows, np.arange(len(rows)))


def _hulls(capture: Capture, parts: _Parts, evidence: Message) -> Draft:
    """One step for each number and worker, from its first piece's begin to its last one's end."""
    rows, number, begin, end, lane = hulls(capture, parts.rows, parts.step)
    names = [str(n) for n in number.tolist()]
    cut = short_ends(begin, end)
    return Draft("device_steps", "likely", evidence, rows, number, names, begin, end, lane, cut, True)


def short_ends(begin: I64, end: I64) -> U8:
    """`Cut` flags: the first and the last step by begin, where they are too short to be whole."""
    cut = np.zeros(len(begin), np.uint8)
    if len(begin) < 4:
        return cut
    order = np.argsort(begin, kind="stable")
    length = (end - begin)[order]
    typical = np.median(length[1:-1]) * CUT_BELOW.value
    if length[0] < typical:
        cut[order[0]] |= Cut.BEGIN
    if length[-1] < typical:
        cut[order[-1]] |= Cut.END
    return cut


def _modules(timeline: Timeline) -> Steps | None:
    """The runs of the module that takes most of the time of the TPU that is busiest with modules."""
    capture = timeline.capture
    tpus = [plane for plane in device_planes(capture) if capture.planes.kind[plane] == PlaneKind.TPU]
    candidates = _chips(capture, [(plane, rows) for plane in tpus if len(rows := lines(capture, plane, _MODULES))])
    if not candidates:
        return None
    plane, rows = max(candidates, key=lambda item: int(capture.events.duration_ps[item[1]].sum()))
    module, names = _base_names(capture, rows)
    count = np.bincount(module)
    spent = np.bincount(module, weights=capture.events.duration_ps[rows].astype(float))
    spent[count < 2] = -1
    most = int(np.argmax(spent))
    if count[most] < 2:
        return None
    runs = rows[module == most]
    begin, end = capture.events.start_ps[runs], ends(capture, runs)
    share = spent[most] / max(1.0, float(capture.events.duration_ps[rows].sum()))
    where = shown(capture.strings[int(capture.planes.name[plane])])
    evidence = message(
        "steps_seen.module", module=shown(names[most]), times=len(runs), device=where, percent=whole_percent(share)
    )
    label = [f"{names[most][:100]} {i}" for i in range(len(runs))]
    number, lane = np.arange(len(runs)), capture.events.track[runs]
    sure: Confidence = "likely" if share >= LEADS.value else "guess"
    steps = Draft("device_steps", sure, evidence, runs, number, label, begin, end, lane, None, True)
    ranked = [i for i in np.argsort(-spent, kind="stable").tolist() if i != most][:5]
    steps.others = {message("not_steps.module_runs", module=shown(names[i])): int(count[i]) for i in ranked}
    return built(steps)


def _base_names(capture: Capture, rows: I64) -> tuple[I64, list[str]]:
    """By row a number for its module, whose program's id is left out; and the modules' names."""
    ids, which = np.unique(capture.events.name[rows], return_inverse=True)
    bases = [_base(text) for text in capture.strings.texts(ids)]
    index = {base: i for i, base in enumerate(dict.fromkeys(bases))}
    return np.array([index[base] for base in bases], np.int64)[which.reshape(-1)], list(index)


def _base(name: str) -> str:
    """`jit_f` of `jit_f(12)`."""
    base, _, program = name.rpartition("(")
    return base if program[-1:] == ")" and program[:-1].isdecimal() else name


# A sequence of kernels that repeats on a device's busiest stream, or of operations that a host runs one by one.

REPEATS = Threshold("repeated sequence", 3, "times", "what comes twice may come twice by chance")
OFTEN = Threshold(
    "repeated operations",
    4,
    "times",
    "a sequence of a host's operations must come so often: the end of an epoch comes, too",
)
LAYERS = Threshold(
    "layers", 1.5, "times", "so many of a shorter period must lie in a longer one to be its layers, or turns"
)
#: The period is looked for among so many kernels from the first on, then cut out of all.
_SAMPLE = 1 << 18
#: So many ways to divide the sequence are tried.
_TRIES = 24
HOLDS = Threshold(
    "names in a period",
    0.75,
    "share",
    "a period that holds less of the distinct names, or of their order, is a part of a step: a layer",
)
LONGER_WAIT = Threshold(
    "begin of a period",
    1.5,
    "times",
    "a period begins where its stream waits longest, if that is so much longer than at its first kernel",
)
NEAR = Threshold(
    "even period",
    0.1,
    "share",
    "a period is even if its length differs from the median by no more than this part of it",
)
EVEN = Threshold("even periods", 0.8, "share", "a sequence is periodic if so many of its periods are even")
ENDS = Threshold(
    "kernels at the ends",
    1.5,
    "times",
    "a periodic sequence leaves no more typical periods out before its first and after its last begin",
)
CONTINUES = Threshold(
    "end of a cut period",
    0.9,
    "share",
    "kernels before the first period are the end of another if so many are those of a period's end",
)
WHOLE = Threshold(
    "cut period",
    0.95,
    "share",
    "a first or last period of fewer kernels than this part of the median is cut by the capture",
)
#: Where in a period the longest wait is, is looked for in so many periods and among so many of their kernels.
_BLOCKS, _PLACES = 64, 1 << 14
#: Operations by a model's weights: what else it does is also done with what it gives.
_WEIGHS = regex(r"aten::(?:\w*linear|addmm|\w*mm|matmul|einsum|embedding\w*|\w*conv\w*|\w*norm\w*|lstm|gru|rnn\w*)")
#: Of as many names that come equally often so many are tried.
_ALIKE = 16


class _Division(NamedTuple):
    """at: the places in the sequence at which periods begin. name: of the kernel, or the pair, that begins each."""

    at: I64
    name: int


def kernel_period(timeline: Timeline) -> Steps | None:
    """Steps from one beginning of the period to the next, on the stream with most time; else of operations.

    Periods that were launched together, in one call of a model or as one graph, are its layers: one step.
    """
    rows = _busiest(timeline)
    return (
        _by_names(timeline, rows, False)
        or _by_pauses(timeline, rows, True)
        or _by_names(timeline, rows, True)
        or _by_pauses(timeline, eager_ops(timeline), False)
        or _by_operators(timeline)
    )


def _by_operators(timeline: Timeline) -> Steps | None:
    """The same of what PyTorch runs on its host."""
    capture, rows = timeline.capture, _operators(timeline)
    at = _of_models(capture, capture.events.name[rows].astype(np.int64))
    return _by_pauses(timeline, rows, False) if at is None else _of_sequence(timeline, rows, at, False)


def _of_models(capture: Capture, names: I64) -> I64 | None:
    """Where the shortest period begins, or a longer one that has weights besides those of the shorter ones, its layers,
    or lacks something that these have: they only look alike.

    What else a longer one has, such as a mean that is printed now and then, makes it no period.
    """
    weighs = np.array([_WEIGHS.fullmatch(text[:NAME_LIMIT]) is not None for text in capture.strings], bool)
    found: I64 | None = None
    for at in _periodic(names, len(weighs)):
        if found is None:
            found = at
        elif len(found) >= LAYERS.value * len(at):
            besides = _held(names, at, len(weighs)) - round(len(found) / len(at)) * _held(names, found, len(weighs))
            found = at if (besides[weighs] > 0).any() or (besides < 0).any() else found
    return found


def _held(names: I64, at: I64, distinct: int) -> I64:
    """By name how often a typical period holds it."""
    apart = np.diff(at)
    begin = int(at[:-1][np.argsort(np.abs(apart - np.median(apart)), kind="stable")[0]])
    return np.bincount(names[begin : begin + int(np.median(apart))], minlength=distinct)


def _periodic(names: I64, distinct: int) -> list[I64]:
    """Where periods begin, by ways to divide a sequence, the shortest first: with a name that comes once in each, or
    with one that comes once after some other."""
    found = []
    for symbols in (names, names + distinct * np.append(names[-1:], names[:-1])):
        values, symbol, count = np.unique(symbols[:_SAMPLE], return_inverse=True, return_counts=True)
        by_symbol = np.argsort(symbol.reshape(-1), kind="stable")
        begin = np.cumsum(count) - count
        often = np.flatnonzero((count >= OFTEN.value) & (2 * count <= len(symbol)))
        counts = np.unique(count[often])
        for times in counts[np.unique(np.linspace(0, len(counts) - 1, min(_TRIES, len(counts))).astype(int))].tolist():
            alike = often[count[often] == times]
            for known in alike[np.argsort(by_symbol[begin[alike]])][:_ALIKE].tolist():
                at = by_symbol[begin[known] : begin[known] + times]
                if _even(at, len(symbol)) and _alike(names, at):
                    found.append(np.flatnonzero(symbols == values[known]))
                    break
    return sorted(found, key=lambda at: -len(at))


def _by_names(timeline: Timeline, rows: I64, pairs: bool) -> Steps | None:
    """A period begins with a kernel that comes once in each; pairs: that comes once in each after some other."""
    if len(rows) < 2 * REPEATS.value:
        return None
    capture = timeline.capture
    names = capture.events.name[rows].astype(np.int64)
    begin, end = capture.events.start_ps[rows], ends(capture, rows)
    symbols = names + len(capture.strings) * np.append(names[-1], names[:-1]) if pairs else names
    division = _divided(symbols[:_SAMPLE], begin[:_SAMPLE], end[:_SAMPLE])
    if division is None or (pairs and not _alike(names, np.flatnonzero(symbols == division.name))):
        return None
    return _of_sequence(timeline, rows, np.flatnonzero(symbols == division.name), True)


def _of_sequence(timeline: Timeline, rows: I64, at: I64, on_device: bool) -> Steps | None:
    """Steps of the periods that hold some places each, moved to where they begin."""
    capture = timeline.capture
    names = capture.events.name[rows].astype(np.int64)
    if not on_device and _begins_sequence(names, at):
        at = at - at[0]
    else:
        at = _after_pause(at, _gaps(capture.events.start_ps[rows], ends(capture, rows)))
    leading = 0 if _continues(names, at) else int(at[0])
    first = at if leading or not at[0] else np.append(0, at)
    evidence = message(
        "steps_seen.sequence",
        kernels=int(np.median(np.diff(at))),
        name=shown(capture.strings[int(names[at[-1]])]),
        times=len(at),
        on_host=None if on_device else True,
        track=_track(capture, rows),
    )
    return _periods(timeline, rows, first, leading, evidence, on_device)


def _by_pauses(timeline: Timeline, rows: I64, on_device: bool) -> Steps | None:
    """A period begins after a pause that comes whenever as many kernels, or operations, have run."""
    at = turns(timeline.capture, rows)
    if at is None:
        return None
    evidence = message(
        "steps_seen.pauses",
        events=int(at[1] - at[0]),
        on_device=on_device,
        track=_track(timeline.capture, rows),
        times=len(at),
    )
    return _periods(timeline, rows, at, int(at[0]), evidence, on_device)


def _periods(
    timeline: Timeline, rows: I64, first: I64, leading: int, evidence: Message, on_device: bool
) -> Steps | None:
    """Steps of the periods, by the places at which they begin; None where all are layers of one."""
    capture = timeline.capture
    if on_device:
        layers, first = first, first[begins_turn(timeline, rows[first])]
        if len(first) < min(2, len(layers)):
            return None
        if len(first) < len(layers):
            evidence = message("steps_seen.layers", seen=evidence, times=len(layers) / len(first))
    number = np.arange(len(first))
    begin = capture.events.start_ps[rows[first]]
    end = np.maximum.reduceat(ends(capture, rows), first)
    lane = capture.events.track[rows[first]]
    labels = [f"period {i}" for i in number.tolist()]
    cut = _cuts(np.diff(np.append(first, len(rows))))
    draft = Draft("kernels", "guess", evidence, rows[first], number, labels, begin, end, lane, cut, on_device)
    draft.others = {Message("not_steps.kernels_before"): leading}
    return built(draft)


def _track(capture: Capture, rows: I64) -> str:
    return track_name(capture, int(capture.events.track[rows[0]]))


def _operators(timeline: Timeline) -> I64:
    """PyTorch's outermost calls of operators, on the thread where they take most time; no layers of a single call."""
    capture, rows = timeline.capture, operators(timeline)
    rows = rows[~within_one_turn(timeline, rows)]
    by_track = calls(capture, rows, capture.events.track[rows])
    return max(by_track, key=lambda call: int(capture.events.duration_ps[call.rows].sum())).rows if by_track else rows


def _busiest(timeline: Timeline) -> I64:
    """What ran on the stream that has most time, among all devices."""
    capture = timeline.capture
    best, most = np.empty(0, np.int64), 0
    for plane in device_planes(capture):
        for track in device_tracks(capture, plane).tolist():
            begin, stop = int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track])
            spent = int(capture.events.duration_ps[begin:stop].sum())
            if spent > most:
                best, most = at_work(timeline, plane, np.arange(begin, stop)), spent
    return best


def _divided(names: I64, begin: I64, end: I64) -> _Division | None:
    """The shortest period that holds most of the names."""
    ids, symbol, count = np.unique(names, return_inverse=True, return_counts=True)
    symbol = symbol.reshape(-1)
    order = np.argsort(symbol, kind="stable")
    first = np.concatenate(([0], np.cumsum(count)))
    often = np.unique(count[count >= REPEATS.value])
    if not len(often) or len(ids) < 2:
        return None
    gap = _gaps(begin, end)
    tries = often[np.unique(np.linspace(0, len(often) - 1, min(_TRIES, len(often))).astype(int))]
    for times in tries[::-1].tolist():
        known = np.flatnonzero(count == times)[:64].tolist()
        regular = [s for s in known if _even(order[first[s] : first[s + 1]], len(names))]
        if not regular:
            continue
        anchor = max(regular, key=lambda s: float(np.median(gap[order[first[s] : first[s + 1]]])))
        at = order[first[anchor] : first[anchor + 1]]
        if _whole(symbol, at, len(ids)):
            return _Division(at, int(ids[anchor]))
    return None


def _after_pause(at: I64, gap: I64) -> I64:
    """The places of a period's begins, moved to where the stream waits longest in most periods.

    A whole number of periods begins with the sequence.
    """
    length = int(np.median(np.diff(at)))
    typical = at[:-1][np.diff(at) == length][:_BLOCKS]
    if not len(typical):
        return at
    if len(typical) == len(at) - 1 and len(gap) == length * len(at):
        return np.arange(0, len(gap), length)
    waits = np.median(gap[typical[:, None] + np.arange(min(length, _PLACES))], axis=0)
    by = int(np.argmax(waits))
    if waits[by] <= LONGER_WAIT.value * waits[0]:
        return at
    moved = at + by
    if moved[0] >= length:
        moved = np.append(moved[0] - length, moved)
    kept: I64 = moved[moved < len(gap)]
    return kept


def _begins_sequence(names: I64, at: I64) -> bool:
    """Whether a sequence begins with a period and ends with one, or with what comes after one now and then."""
    length, leading = int(np.median(np.diff(at))), int(at[0])
    end = int(at[-1]) + length - leading
    if leading >= min(length, _PLACES) or end > len(names) or (end < len(names) and names[end] == names[0]):
        return False
    held = names[at[:_BLOCKS, None] - np.arange(1, leading + 1)]
    return not leading or bool((held == held[0]).mean() >= CONTINUES.value)


def _gaps(begin: I64, end: I64) -> I64:
    """Idle time before each kernel."""
    return np.append(0, np.maximum(begin[1:] - np.maximum.accumulate(end)[:-1], 0))


def _even(at: I64, count: int) -> bool:
    """Whether places are at regular distances and leave little out at both ends."""
    apart = np.diff(at)
    typical = float(np.median(apart))
    near = np.abs(apart - typical) <= NEAR.value * typical
    left_out = ENDS.value * typical
    return bool(np.mean(near) >= EVEN.value and at[0] <= left_out and count - at[-1] <= left_out + 1)


def _whole(symbol: I64, at: I64, distinct: int) -> bool:
    """Whether a typical period holds most of the distinct names, each weighed by no more than one."""
    block = np.cumsum(np.bincount(at, minlength=len(symbol)))
    pair = np.unique(block * distinct + symbol)
    held = np.bincount(pair // distinct, minlength=len(at) + 1)[1:]
    return bool(np.median(held) >= HOLDS.value * distinct)


def _alike(names: I64, at: I64) -> bool:
    """Whether most periods are as long as is typical, and hold the same names in the same order."""
    length = int(np.median(np.diff(at)))
    typical = at[:-1][np.diff(at) == length]
    if len(typical) < REPEATS.value or len(typical) < HOLDS.value * (len(at) - 1):
        return False
    held = names[typical[:_BLOCKS, None] + np.arange(min(length, _PLACES))]
    return bool((held == held[0]).mean() >= HOLDS.value)


def _continues(names: I64, at: I64) -> bool:
    """Whether what precedes the first period is the end of another."""
    leading = int(at[0])
    length = int(at[1] - at[0])
    return 0 < leading < length and bool((names[:leading] == names[at[1] - leading : at[1]]).mean() >= CONTINUES.value)


def _cuts(kernels: I64) -> U8:
    """`Cut` flags of periods of so many kernels: the first and the last where they have fewer than is typical."""
    cut = np.zeros(len(kernels), np.uint8)
    typical = WHOLE.value * float(np.median(kernels[1:-1])) if len(kernels) > 2 else 0.0
    cut[0] = Cut.BEGIN if kernels[0] < typical else Cut.NO
    cut[-1] |= Cut.END if kernels[-1] < typical else Cut.NO
    return cut
