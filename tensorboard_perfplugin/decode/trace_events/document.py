"""The text of a file of trace events, piece by piece → `Capture`, by the first dialect that knows it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import numpy as np
from msgspec import structs

from ...errors import UnreadableError
from ...messages import Message
from ...patterns import regex
from ...tables import I64, Capture, DecoderKind, StatKind, distinct, distinct_rows
from ..json.plain import Events, Ints
from ..json.reader import COMPILED, Document, Reader
from .ascend import ascend, is_ascend
from .assemble import capture_of
from .autograd import autograd, is_autograd
from .generic import generic, is_tsl, tsl
from .kineto import is_kineto, kineto
from .slices import Added, Plan, arrows, shown, slices_of
from .stacks import Frames, listed, of_file, with_samples
from .tf1 import is_tf1, tf1

_DIGITS = regex(r"0|-?[1-9]\d{0,17}")
_STACK_KEY = "Call stack"
_MOST_STACK_CHARS = 10_000
#: The first that knows a document reads it.
DIALECTS = (
    (is_tsl, tsl),
    (is_ascend, ascend),
    (is_autograd, autograd),
    (is_kineto, kineto),
    (is_tf1, tf1),
    (lambda _: True, generic),
)


def capture(pieces: Iterable[bytes | memoryview], path: str, warnings: list[Message]) -> Capture:
    """Decode. warnings: of unpacking, complete once the pieces are. Raises UnreadableError without a list of events."""
    document = Reader(pieces).read()
    if not document.has_events:
        keys = ", ".join(list(document.members)[:8])
        raise UnreadableError(
            f"{path or 'The data'} is JSON without a list `traceEvents`"
            f"{f': its members are {keys}' if keys else ''}. Give a trace, such as a .pt.trace.json."
        )
    return of_document(document, warnings)


def of_document(document: Document, warnings: list[Message]) -> Capture:
    """The capture of a document."""
    document.events = one_id_each(document.events)
    document.events = one_series_each(with_samples(document))
    dialect = next(dialect for knows, dialect in DIALECTS if knows(document))
    plan = dialect(document, shown(slices_of(document.events), document.events))
    call_stacks(plan)
    arrows(plan, with_launches="correlation" not in document.events.texts)
    made = capture_of(plan, DecoderKind.COMPILED if COMPILED else DecoderKind.PLAIN)
    if warnings:
        quality = dataclasses.replace(made.quality, warnings=(*warnings, *made.quality.warnings))
        made = dataclasses.replace(made, quality=quality)
    return made


def one_id_each(events: Events) -> Events:
    """Ids that some events write as a number and others (rocprof) as its digits are one id, as Chrome takes them."""
    texts = [i for i, id in enumerate(events.ids) if type(id) is str and _DIGITS.fullmatch(id)]
    if not texts:
        return events
    ids = list(events.ids)
    number = {id: i for i, id in enumerate(ids) if type(id) is int}
    # A last entry is for events without an id, which have -1.
    same = np.append(np.arange(len(ids), dtype=np.int64), -1)
    for i in texts:
        value = ids[i] = int(ids[i])
        same[i] = number.setdefault(value, i)
    columns: dict[str, Ints] = {key: same[events.columns[key]].astype(np.int32) for key in ("pid", "tid", "id")}
    rare: dict[str, tuple[I64, I64]] = {key: (rows, same[values]) for key, (rows, values) in events.rare.items()}
    return structs.replace(events, columns=events.columns | columns, ids=tuple(ids), rare=rare)


def one_series_each(events: Events) -> Events:
    """A counter's event of several series becomes an event a series: `memory` with `heap` and `stack` is two counters.

    The same events where no counter has several. Counters of one name and different ids are different, too.

    A row of k args becomes k rows with an arg each, so that args stay where they are.
    """
    c = events.columns
    counters = np.flatnonzero(c["phase"] == ord("C"))
    many = counters[(c["stats"][counters] > 1) | (c["id"][counters] >= 0)]
    if not len(many):
        return events
    # Of a counter that once has several series every event names its series.
    several = np.isin(c["name"][counters], np.unique(c["name"][many]))
    times = np.ones(len(events), np.int64)
    times[counters] = np.maximum(c["stats"][counters], 1)
    rows = np.repeat(np.arange(len(events)), times)
    columns = {name: column[rows] for name, column in c.items()}
    columns["stats"][:] = np.where(c["phase"][rows] == ord("C"), np.minimum(c["stats"][rows], 1), c["stats"][rows])
    named = np.flatnonzero(np.isin(rows, counters[several]) & (columns["stats"] > 0))
    begin = np.cumsum(columns["stats"], dtype=np.int64) - columns["stats"]
    columns["name"][named], texts = _series_names(events, columns["name"][named], columns["id"][named], begin[named])
    place = np.cumsum(times) - times
    rare = {name: (place[rows], values) for name, (rows, values) in events.rare.items()}
    return structs.replace(events, columns=columns, texts=texts, rare=rare)


def _series_names(events: Events, name: Ints, id: Ints, stat: I64) -> tuple[Ints, tuple[str, ...]]:
    """Ids of `name [id] series` by event, and the texts with these."""
    key = events.keys[stat]
    unique, which = distinct_rows(name, id, key)
    ids = {text: i for i, text in enumerate(events.texts)}
    made = []
    for name_id, id_id, key_id in unique.tolist():
        counter, series = events.texts[name_id], events.texts[key_id]
        text = f"{counter} [{events.ids[id_id]}]" if id_id >= 0 else counter
        text = text if series in (counter, "value", "") else f"{text} {series}"
        made.append(ids.setdefault(text, len(ids)))
    return np.array(made, name.dtype)[which], tuple(ids)


def call_stacks(plan: Plan) -> None:
    """Stacks of events that are no samples (`sf`, `stack`) become an arg that is a text, as PyTorch writes its own:
    frames innermost first, parted by `;`.
    """
    stack = plan.events.rare_of("stack", plan.slices.row)
    having = np.flatnonzero(stack >= 0)
    if not len(having):
        return
    frames = Frames()
    rows = of_file(plan.document.members.get("stackFrames"), frames)
    used, which = distinct(stack[having])
    texts = [_stack_text(str(plan.events.ids[i]), rows, frames) for i in used.tolist()]
    ids = np.array([plan.texts.add(text) for text in texts], np.int64)[which]
    plan.added.append(Added(having[ids != 0], _STACK_KEY, StatKind.TEXT, ids[ids != 0]))


def _stack_text(key: str, rows: dict[str, int], frames: Frames) -> str:
    if key.startswith("["):
        return ";".join(listed(key))[:_MOST_STACK_CHARS]
    row, made, size = rows.get(key, -1), [], 0
    while row >= 0 and size < _MOST_STACK_CHARS:
        made.append(frames.names[row])
        size += len(made[-1]) + 1
        row = frames.parents[row]
    return ";".join(made)[:_MOST_STACK_CHARS]
