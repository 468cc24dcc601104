"""Events that carry a step number without being roots, and events whose names carry one."""

from __future__ import annotations

import re

import numpy as np

from ...messages import Message, message
from ...tables import I64, U8, Capture, StatKind
from ..timeline import Timeline, is_integer
from .build import bounded, built, decimals, of_events, texts
from .markers import counts, one_an_iteration, with_last
from .model import Confidence, Steps
from .nested import loops
from .rows import calls, count_other, host_rows, names_where, outermost, shown, track_name

#: What people and frameworks call one turn of their loop. An epoch holds many.
_WORDS = (
    r"ProfilerStep|StepTraceAnnotation|StepTrace|(?:global|train(?:ing)?|eval(?:uation)?|test|optimi[sz]er)[ _]?step"
    r"|step|train(?:ing)?|iteration|iter|(?:mini|train(?:ing)?[ _]?)?batch|train[ _]?(?:loop|iter(?:ation)?)"
)
_NUMBERED = re.compile(rf"({_WORDS})(?:[ _#:=/-]*|\s*\[|\s*\()(\d{{1,18}})[\])]?", re.IGNORECASE)
#: Names that are steps without a number.
_PLAIN = re.compile(r"StepTraceAnnotation|ProfilerStep\*?|StepTrace", re.IGNORECASE)
#: What servers of language models call a batch, by what is in it: `execute_context_1(888)_generation_0(0)` (vLLM, and
#: `execute_new_1_cached_7` before 0.11), `step[DECODE bs=32]` (SGLang). One alone is a step.
_BATCH = re.compile(
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
    evidence = _numbers(capture, rows, number)
    names = texts(capture.strings.of(capture.events.name[rows]), numbers)
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
    read = [int(t) if t.isdecimal() and len(t) < 19 else -1 for t in timeline.capture.strings.of(ids)]
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
    word, number = _read(capture, rows)
    families = sorted(calls(capture, rows, word), key=lambda call: -len(call.rows))
    marks = families[0].rows if families else rows
    batches = bool(len(marks)) and _BATCH.fullmatch(capture.event_name(int(marks[0]))) is not None
    if len(marks) < 2 and not batches:
        return None
    at = np.searchsorted(rows, marks)
    number = np.where(number[at] >= 0, number[at], np.arange(len(marks)))
    names = [name[:200] for name in capture.strings.of(capture.events.name[marks])]
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


def _read(capture: Capture, rows: I64) -> tuple[I64, I64]:
    """By row: a number for its word, and the number in its name (-1: none). Each distinct name is read once."""
    names, which = np.unique(capture.events.name[rows], return_inverse=True)
    matches = [_NUMBERED.fullmatch(text) for text in capture.strings.of(names)]
    words = [match.group(1).lower() if match else "" for match in matches]
    ids = {word: i for i, word in enumerate(dict.fromkeys(words))}
    word = np.array([ids[word] for word in words], np.int64)
    number = np.array([int(match.group(2)) if match else -1 for match in matches], np.int64)
    return word[which.reshape(-1)], number[which.reshape(-1)]


def _sure(number: I64) -> Confidence:
    """Numbers that only grow are the program's own count."""
    return "certain" if (np.diff(number) > 0).all() else "likely"


def _numbers(capture: Capture, rows: I64, number: I64) -> Message:
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
