"""Marks that a program or its profiler made itself: events with a root level, step numbers, ranges."""

from __future__ import annotations

import re

import numpy as np
from msgspec import structs

from ...messages import Message, message
from ...patterns import regex
from ...tables import I64, U8, Capture, StatKind, TrackKind, among
from ...threshold import Threshold
from ..devices import planes_at_work
from ..nesting import enclosing_of
from ..ops.ops import are_calls
from ..timeline import Timeline, is_integer
from ..tracks import device_planes
from .model import (
    Choice,
    Confidence,
    Draft,
    Flags,
    Hulls,
    Steps,
    bounded,
    built,
    calls,
    count_other,
    dearest,
    decimals,
    ends,
    host_rows,
    hulls,
    loops,
    name_ids,
    named,
    names_where,
    of_events,
    of_workers,
    outermost,
    shown,
    texts,
    track_name,
)
from .updates import updates

# Marks that the program made itself: events with a root level, or the groups that old TensorFlow wrote down.

#: Roots that a runtime makes of its own accord.
_IMPLICIT = ("FunctionRun", "SessionRun", "RunGraph", "ExecutorState::Process")
STUB = Threshold(
    "stub of a step",
    0.5,
    "share",
    "a last mark shorter than this part of the median, and beside one other with so few events, is what was begun when "
    "the profiler stopped",
)
_NUMBER_AT_END = regex(r"\d+$")
#: Roots though their events do not say so, by level.
_LEVELS = {1: ("TraceContext", "BatchingSessionRun"), 2: ("ProcessBatch", "OrbaxServing::ProcessBatch")}


def markers(timeline: Timeline) -> Steps | None:
    """Roots of the highest level, else groups."""
    return _explicit(timeline) or _groups(timeline)


def _explicit(timeline: Timeline) -> Steps | None:
    capture = timeline.capture
    rows = host_rows(capture)
    level = _levels(timeline, rows)
    root = (level > 0) & ~among(capture.events.name[rows], name_ids(capture, _IMPLICIT))
    rows, level = rows[root], level[root]
    if not len(rows):
        return None
    top = outermost(capture, rows)
    top &= level == level[top].max()
    inner, rows = rows[~top], rows[top]
    value, kind, has_number = _numbers(timeline, rows)
    value = np.where(has_number, value, -1 - np.arange(len(rows)))
    keep = one_an_iteration(capture, rows, value)
    again = of_other_processes(capture, rows, value)
    others = loops(timeline)
    others.update(counts(capture, inner, "not_steps.beside"))
    others.update(counts(capture, rows[~keep & ~again], "not_steps.same_number"))
    keep &= ~again
    repeats = rows[again]
    order = np.flatnonzero(keep)[np.argsort(capture.events.start_ps[rows[keep]], kind="stable")]
    rows, kind = rows[order], kind[order]
    value = np.where(has_number[order], value[order], np.arange(len(rows)))
    names = texts(_prefixes(timeline, rows), decimals(value, kind))
    processes = 1 + len(np.unique(capture.tracks.plane[capture.events.track[repeats]]))
    evidence = _marks(capture, rows, processes - 1)
    draft = of_events(capture, rows, "markers", "certain", evidence, bounded(value, kind), names)
    draft.others = others
    steps = built(draft)
    if capture.capabilities.steps_are_apart:
        return structs.replace(steps, next_ps=steps.end_ps.copy(), cut=np.zeros_like(steps.cut))
    return with_last(capture, steps) if capture.capabilities.last_step_is_whole else steps


def with_last(capture: Capture, steps: Steps) -> Steps:
    """PyTorch ends the last step's mark as it ends the others', so its time counts, too.

    Not where the profiler stopped soon after that mark began: `step()` after the last batch begins one more. Where one
    other step alone tells how long they take, which as the first may be longer, it also counts if it runs as much.
    """
    is_last = steps.next_ps < 0
    last, others = np.flatnonzero(is_last), np.flatnonzero(~is_last)
    enough = _enough(steps.span_ps, last, others)
    if len(others) == 1 and not enough.all():
        ran = _events_within(capture, steps)
        enough |= _enough(ran, last, others) & (ran[last] > 0)
    last = last[enough]
    after = steps.next_ps.copy()
    after[last] = steps.end_ps[last]
    return structs.replace(steps, next_ps=after)


def _enough(size: I64, last: I64, others: I64) -> Flags:
    typical = float(np.median(size[others])) if len(others) else 0.0
    return np.asarray(size[last] >= typical * STUB.value)


def _events_within(capture: Capture, steps: Steps) -> I64:
    """How many events begin in each step's mark, on its thread."""
    events, tracks = capture.events, capture.tracks
    found = np.zeros(len(steps), np.int64)
    for i, (row, end) in enumerate(zip(steps.row.tolist(), steps.end_ps.tolist(), strict=True)):
        until = int(tracks.events_end[events.track[row]])
        found[i] = np.searchsorted(events.start_ps[row + 1 : until], end)
    return found


def _levels(timeline: Timeline, rows: I64) -> I64:
    """The root level of each event, 0 where it has none."""
    capture = timeline.capture
    value, kind = timeline.stat_of("_r", rows)
    level = np.where(is_integer(kind), value, 0)
    for known, names in _LEVELS.items():
        ids = name_ids(capture, names)
        if len(ids):
            level[(level == 0) & among(capture.events.name[rows], ids)] = known
    return level


def _numbers(timeline: Timeline, rows: I64) -> tuple[I64, U8, Flags]:
    """Step number of each mark, its kind, and whether there is one: the mark's own, else that of what is around it."""
    value, kind = timeline.stat_of("iter_num", rows)
    has_number = is_integer(kind)
    step, step_kind = timeline.stat_of("step_num", rows)
    value, kind = np.where(has_number, value, step), np.where(has_number, kind, step_kind)
    has_number = is_integer(kind)
    if has_number.all():
        return value, kind, has_number
    all_value, all_kind = timeline.stat("step_num")
    numbered = is_integer(all_kind)
    if numbered.any():
        around = enclosing_of(timeline, numbered, rows)
        takes = ~has_number & (around >= 0)
        value, kind = np.where(takes, all_value[around], value), np.where(takes, all_kind[around], kind)
        has_number |= takes
    return value, kind, has_number


def _prefixes(timeline: Timeline, rows: I64) -> list[str]:
    """What stands before the number: the kind of graph where the mark says it, else the mark's name."""
    value, kind = timeline.stat_of("graph_type", rows)
    return timeline.capture.strings.texts(np.where(kind == StatKind.TEXT, value, timeline.capture.events.name[rows]))


def one_an_iteration(capture: Capture, rows: I64, number: I64) -> Flags:
    """Which marks begin an iteration, where several of different names carry its number one after the other.

    `load 7`, `train 7` are one iteration; of each such run the name that has most time stays.
    """
    name = capture.events.name[rows]
    if len(rows) < 2 or (name == name[0]).all():
        return np.ones(len(rows), bool)
    track = capture.events.track[rows]
    run = np.cumsum(np.append(True, (track[1:] != track[:-1]) | (number[1:] != number[:-1]))) - 1
    spent = np.bincount(name, weights=capture.events.duration_ps[rows].astype(float))[name]
    most = np.zeros(int(run[-1]) + 1)
    np.maximum.at(most, run, spent)
    return np.asarray(spent >= most[run])


def of_other_processes(capture: Capture, rows: I64, number: I64) -> Flags:
    """Which marks have the number of one of the process that has most of them: ranks whose traces were put together."""
    plane = capture.tracks.plane[capture.events.track[rows]]
    most = np.bincount(plane).argmax() if len(rows) else 0
    others: Flags = (plane != most) & among(number, number[plane == most])
    return others


def counts(capture: Capture, rows: I64, code: str) -> dict[Message, int]:
    """How many events of each name there are, the five most frequent. code: the text about a name."""
    ids, count = np.unique(capture.events.name[rows], return_counts=True)
    first = np.argsort(-count, kind="stable")[:5]
    return {message(code, name=shown(capture.strings[int(ids[i])])): int(count[i]) for i in first}


def _marks(capture: Capture, rows: I64, processes: int) -> Message:
    """How many events of which names mark steps; names that differ in a number at their end alone are one."""
    ids, count = np.unique(capture.events.name[rows], return_counts=True)
    names: dict[str, int] = {}
    for name, n in zip((shown(capture.strings[int(i)]) for i in ids), count.tolist(), strict=True):
        alike = _NUMBER_AT_END.sub("", name) or name if len(ids) > 1 else name
        names[alike] = names.get(alike, 0) + n
    first = sorted(names.items(), key=lambda item: -item[1])[:3]
    return message(
        "steps_seen.marks",
        names=tuple(message("steps_seen.mark", name=name, times=n) for name, n in first),
        more=len(names) - 3 if len(names) > 3 else None,
        one=len(rows) == 1,
        processes=processes or None,
    )


def _groups(timeline: Timeline) -> Steps | None:
    """Groups of events: the marker of each, else the hull of its work on devices."""
    capture = timeline.capture
    if capture.strings.find("group_id") < 0:
        return None
    group, kind = timeline.stat("group_id")
    grouped = np.flatnonzero(is_integer(kind))
    if not len(grouped):
        return None
    rows = _group_marks(timeline, grouped, group)
    begin, end = capture.events.start_ps[rows], ends(capture, rows)
    lane = capture.events.track[rows].astype(np.int64)
    hull, _, hull_begin, hull_end, hull_lane = _hulls(timeline, grouped, group, group[rows])
    rows = np.concatenate((rows, hull))
    if not len(rows):
        return None
    begin, end = np.concatenate((begin, hull_begin)), np.concatenate((end, hull_end))
    lane = np.concatenate((lane, hull_lane))
    evidence = message("steps_seen.groups", groups=len(rows), one=len(rows) == 1, marked=len(hull) < len(rows))
    names = _group_names(timeline, rows, group)
    if (hull_lane >= 0).any():
        names = [*names[: len(names) - len(hull)], *of_workers(capture, hull, names[len(names) - len(hull) :])]
    on_device = len(hull) == len(rows)
    draft = Draft("markers", "likely", evidence, rows, group[rows], names, begin, end, lane, None, on_device)
    draft.others = {Message("not_steps.unmarked_groups"): len(np.unique(group[grouped])) - len(rows)}
    return built(draft)


def _group_names(timeline: Timeline, rows: I64, group: I64) -> list[str]:
    value, kind = timeline.stat_of("step_name", rows)
    given = timeline.capture.strings.texts(np.where(kind == StatKind.TEXT, value, 0))
    return [text[:200] or str(number) for text, number in zip(given, group[rows].tolist(), strict=True)]


def _group_marks(timeline: Timeline, grouped: I64, group: I64) -> I64:
    """The longest marker of each group that has one, on host threads."""
    capture = timeline.capture
    rows = np.intersect1d(grouped, host_rows(capture), assume_unique=True)
    marked = names_where(
        capture, rows, lambda name: name.startswith(("train", "test", "TraceContext")) and "/" not in name
    )
    named = timeline.stat_of("step_name", rows)[1] == StatKind.TEXT
    rows = rows[marked[capture.events.name[rows]] | named]
    rows = rows[np.lexsort((-capture.events.duration_ps[rows], group[rows]))]
    first: I64 = rows[np.unique(group[rows], return_index=True)[1]]
    return first


def _hulls(timeline: Timeline, grouped: I64, group: I64, marked: I64) -> Hulls:
    """The device work of each group that has no marker, by worker."""
    capture = timeline.capture
    track = capture.events.track[grouped]
    on_device = among(capture.tracks.plane, device_planes(capture)) & (capture.tracks.kind != TrackKind.DERIVED)
    rows = grouped[on_device[track]]
    rows = rows[~among(group[rows], marked)]
    rows = rows[planes_at_work(timeline)[capture.tracks.plane[capture.events.track[rows]]]]
    return hulls(capture, rows, group[rows])


# Events that carry a step number without being roots, and events whose names carry one.

#: What people and frameworks call one turn of their loop. An epoch holds many.
_WORDS = (
    r"ProfilerStep|StepTraceAnnotation|StepTrace|(?:global|train(?:ing)?|eval(?:uation)?|test|optimi[sz]er)[ _]?step"
    r"|step|train(?:ing)?|iteration|iter|(?:mini|train(?:ing)?[ _]?)?batch|train[ _]?(?:loop|iter(?:ation)?)"
)
_NUMBERED = regex(rf"({_WORDS})(?:[ _#:=/-]*|\s*\[|\s*\()(\d{{1,18}})[\])]?", re.IGNORECASE)
#: Names that are steps without a number.
_PLAIN = regex(r"StepTraceAnnotation|ProfilerStep\*?|StepTrace", re.IGNORECASE)
#: What servers of language models call a batch, by what is in it: `execute_context_1(888)_generation_0(0)` (vLLM, and
#: `execute_new_1_cached_7` before 0.11), `step[DECODE bs=32]` (SGLang). One alone is a step.
_BATCH = regex(
    r"execute_(?:\d+_)?context_\d+\(.*\)_generation_\d+\(.*\)|execute_new_\d+_cached_\d+|step\[[A-Z_]+ .*\]", re.DOTALL
)


def numbered(timeline: Timeline) -> Steps | None:
    """Events with a step number, each outermost one a step."""
    capture = timeline.capture
    if capture.strings.find("step_num") < 0:
        return None
    rows = host_rows(capture)
    value, kind = step_numbers(timeline, rows)
    has = is_integer(kind)
    rows, value, kind = rows[has], value[has], kind[has]
    if not len(rows):
        return None
    top = outermost(capture, rows)
    keep = np.flatnonzero(top)[one_an_iteration(capture, rows[top], value[top])]
    others = loops(timeline) | counts(capture, np.delete(rows, keep), "not_steps.numbered_inside")
    keep = keep[np.argsort(capture.events.start_ps[rows[keep]], kind="stable")]
    rows, value, kind = rows[keep], value[keep], kind[keep]
    number = bounded(value, kind)
    numbers = decimals(value, kind)
    evidence = _numbered_numbers(capture, rows, number)
    names = texts(capture.strings.texts(capture.events.name[rows]), numbers)
    draft = of_events(capture, rows, "numbers", _sure(number), evidence, number, names)
    draft.others = others
    return built(draft)


def step_numbers(timeline: Timeline, rows: I64) -> tuple[I64, U8]:
    """The stat `step_num` of events; SageMaker's writer has it as text."""
    value, kind = timeline.stat_of("step_num", rows)
    texts_at = np.flatnonzero(kind == StatKind.TEXT)
    if not len(texts_at):
        return value, kind
    value, kind = value.copy(), kind.copy()
    ids, which = np.unique(value[texts_at], return_inverse=True)
    read = [int(t) if t.isdecimal() and len(t) < 19 else -1 for t in timeline.capture.strings.texts(ids)]
    number = np.array(read, np.int64)[which.reshape(-1)]
    value[texts_at] = number
    kind[texts_at] = np.where(number >= 0, np.uint8(StatKind.INT), kind[texts_at])
    return value, kind


def self_numbered(timeline: Timeline) -> Steps | None:
    """Events whose names number themselves, `ProfilerStep#12`, by the word and thread that have most of them."""
    capture = timeline.capture
    rows = host_rows(capture)
    kinds = (_NUMBERED, _PLAIN, _BATCH)
    wanted = names_where(capture, rows, lambda name: any(kind.fullmatch(name) for kind in kinds))
    rows = rows[wanted[capture.events.name[rows]]]
    rows = rows[outermost(capture, rows)]
    word, number = numbers_in_names(capture, rows)
    families = sorted(calls(capture, rows, word), key=lambda call: -len(call.rows))
    marks = families[0].rows if families else rows
    batches = bool(len(marks)) and _BATCH.fullmatch(capture.event_name(int(marks[0]))) is not None
    if len(marks) < 2 and not batches:
        return None
    at = np.searchsorted(rows, marks)
    if _are_micro_batches(capture, marks, number[at]):
        return None
    number = np.where(number[at] >= 0, number[at], np.arange(len(marks)))
    names = [name[:200] for name in capture.strings.texts(capture.events.name[marks])]
    thread = track_name(capture, families[0].track)
    example = shown(capture.strings[int(capture.events.name[marks[0]])])
    evidence = message("steps_seen.named", events=len(marks), one=len(marks) == 1, thread=thread, example=example)
    draft = of_events(capture, marks, "annotations", _sure(number), evidence, number, names)
    draft.others = loops(timeline)
    for family in families[1:]:
        example = shown(capture.strings[int(capture.events.name[family.rows[0]])])
        what = message("not_steps.alike", example=example, thread=track_name(capture, family.track))
        count_other(draft.others, what, len(family.rows))
    return with_last(capture, built(draft)) if batches and capture.capabilities.last_step_is_whole else built(draft)


def _are_micro_batches(capture: Capture, marks: I64, number: I64) -> bool:
    """Whether an optimizer's update comes when marks have been numbered up to some number, and they begin anew then."""
    again = np.diff(number) <= 0
    updated = np.diff(np.searchsorted(capture.events.start_ps[updates(capture)], capture.events.start_ps[marks])) > 0
    return bool(again.any() and not again.all() and (again == updated).all())


def numbers_in_names(capture: Capture, rows: I64) -> tuple[I64, I64]:
    """By row: a number for its word, and the number in its name (-1: none). Each distinct name is read once."""
    names, which = np.unique(capture.events.name[rows], return_inverse=True)
    matches = [_NUMBERED.fullmatch(text) for text in capture.strings.texts(names)]
    words = [match.group(1).lower() if match else "" for match in matches]
    ids = {word: i for i, word in enumerate(dict.fromkeys(words))}
    word = np.array([ids[word] for word in words], np.int64)
    number = np.array([int(match.group(2)) if match else -1 for match in matches], np.int64)
    return word[which.reshape(-1)], number[which.reshape(-1)]


def _sure(number: I64) -> Confidence:
    """Numbers that only grow are the program's own count."""
    return "certain" if (np.diff(number) > 0).all() else "likely"


def _numbered_numbers(capture: Capture, rows: I64, number: I64) -> Message:
    """Which events carry which numbers."""
    ids, count = np.unique(capture.events.name[rows], return_counts=True)
    low, high = int(number.min()), int(number.max())
    return message(
        "steps_seen.numbers",
        events=len(rows),
        one=len(rows) == 1,
        name=shown(capture.strings[int(ids[np.argmax(count)])]),
        names=len(ids) - 1 or None,
        low=low,
        high=high if high != low else None,
    )


# The range of NVTX that a program writes once an iteration, without a number: `train_step`, `iteration`, `forward`.

#: What people call one turn of their loop.
_TURN = regex(
    r"(?:(?:train(?:ing)?|eval(?:uation)?|inference|test|global|optimi[sz]er?)[ _-]?)?(?:step|iter(?:ation)?|batch)"
    r"|train(?:ing)?|inference|predict(?:ion)?",
    re.IGNORECASE,
)


def ranges(timeline: Timeline, rows: I64) -> Choice | None:
    """The program's ranges that repeat on their thread: those that are called as a turn is, else the outermost.

    Ranges of a domain are a library's. Around PyTorch's operators are those of functions, too, so a word must tell.
    """
    capture = timeline.capture
    if not capture.capabilities.has_ranges:
        return None
    is_own = (timeline.stat_of("correlation_id", rows)[1] == 0) & (timeline.stat_of("domain", rows)[1] == 0)
    rows = rows[is_own & (capture.events.duration_ps[rows] > 0)]
    rows = rows[~are_calls(timeline, rows)]
    key = capture.events.track[rows].astype(np.int64) * len(capture.strings) + capture.events.name[rows]
    _, which, count = np.unique(key, return_inverse=True, return_counts=True)
    every = calls(capture, rows[count[which.reshape(-1)] > 1])
    turns = [call for call in every if _TURN.fullmatch(named(capture, call))]
    if not turns and not capture.capabilities.has_operators:
        rows = rows[count[which.reshape(-1)] > 1]
        turns = calls(capture, rows[outermost(capture, rows)])
    return dearest(capture, turns, lambda call: call.weight)
