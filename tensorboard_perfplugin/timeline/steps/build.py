"""What a rule found → `Steps`: by begin, with the next of each lane, named, and with a bound on how many."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...messages import Message, message
from ...tables import I32, I64, U8, Capture, StatKind
from ...threshold import CHOSEN, Threshold
from .model import Confidence, Cut, Steps
from .rows import ends

#: More are not kept; a day of steps of 100 ms is fewer.
MAX_STEPS = 1_000_000
#: All names together, in characters.
_NAMES_LIMIT = 64_000_000
_64_BITS = (1 << 64) - 1
FEWEST = Threshold(
    "steps with a typical length",
    3,
    "steps",
    "of fewer none is known to be shorter than is typical of the others",
    CHOSEN,
)
SHORTENED = Threshold(
    "mark cut by the session",
    0.9,
    "share",
    "a mark that begins or ends with the capture is cut if it is shorter than this part of the median",
    CHOSEN,
)


@dataclasses.dataclass(eq=False)
class Draft:
    """The steps of a rule, in any order; the fields are those of `Steps`. name: by step, its text before the number."""

    rule: str
    confidence: Confidence
    evidence: Message
    rows: I64
    number: I64
    names: list[str]
    begin_ps: I64
    end_ps: I64
    lane: I64 | I32
    cut: U8 | None = None
    on_device: bool = False
    others: dict[Message, int] = dataclasses.field(default_factory=dict)


def built(draft: Draft) -> Steps:
    """The steps in order. Of too many the first are kept."""
    order = np.lexsort((draft.end_ps, draft.begin_ps))
    others = {what: count for what, count in draft.others.items() if count}
    if len(order) > MAX_STEPS:
        others[message("not_steps.beyond_limit", limit=MAX_STEPS)] = len(order) - MAX_STEPS
        order = order[:MAX_STEPS]
    begin, lane = draft.begin_ps[order], draft.lane[order].astype(np.int32)
    cut = np.zeros(len(order), np.uint8) if draft.cut is None else draft.cut[order]
    return Steps(
        draft.rule,
        draft.confidence,
        draft.evidence,
        None,
        draft.number[order],
        tuple(draft.names[i] for i in order.tolist()),
        draft.rows[order].astype(np.int32),
        lane,
        begin,
        draft.end_ps[order],
        _next(begin, lane),
        cut,
        draft.on_device,
        others,
    )


def _next(begin: I64, lane: I32) -> I64:
    """Begin of the next of the same lane, of steps by begin; -1 for each lane's last."""
    order = np.argsort(lane, kind="stable")
    after = np.full(len(begin), -1, np.int64)
    same = lane[order[1:]] == lane[order[:-1]]
    after[order[:-1][same]] = begin[order[1:][same]]
    return after


def of_events(
    capture: Capture, rows: I64, rule: str, confidence: Confidence, evidence: Message, number: I64, names: list[str]
) -> Draft:
    """Steps whose spans are those of the events that mark them."""
    begin, end = capture.events.start_ps[rows], ends(capture, rows)
    cut = cut_by_session(capture, rows)
    return Draft(rule, confidence, evidence, rows, number, names, begin, end, capture.events.track[rows], cut)


def texts(prefixes: list[str], numbers: list[str]) -> list[str]:
    """`prefix number` of each step, or its prefix if that ends in `#number`; long ones are cut where there are many."""
    limit = max(16, min(200, _NAMES_LIMIT // max(1, len(numbers))))
    return [
        (prefix[:limit] if prefix.endswith(f"#{number}") else f"{prefix[:limit]} {number}") if prefix else number
        for prefix, number in zip(prefixes, numbers, strict=True)
    ]


def decimals(value: I64, kind: U8) -> list[str]:
    """Integers of stats as text; an unsigned one may be beyond what int64 holds."""
    return [str(v & _64_BITS if k == StatKind.UINT else v) for v, k in zip(value.tolist(), kind.tolist(), strict=True)]


def bounded(value: I64, kind: U8) -> I64:
    """Integers of stats as int64; unsigned ones beyond it are its largest."""
    beyond = (kind == StatKind.UINT) & (value < 0)
    return np.where(beyond, np.iinfo(np.int64).max, value)


def cut_by_session(capture: Capture, rows: I64) -> U8:
    """`Cut` flags of events in order of time: those that the session's begin or end shortened.

    Such an event begins (ends) where the whole capture does, so does one of another track, and it is shorter than is
    typical of the others.
    """
    cut = np.zeros(len(rows), np.uint8)
    if len(rows) < FEWEST.value:
        return cut
    low, high = capture.span_ps
    duration = capture.events.duration_ps[rows]
    short = duration < np.median(duration) * SHORTENED.value
    begins = short & (capture.events.start_ps[rows] == low)
    if begins.any() and _tracks_with(capture, capture.events.start_ps == low) > 1:
        cut[begins] |= np.uint8(Cut.BEGIN)
    at_end = short & (ends(capture, rows) == high)
    if at_end.any() and _tracks_with(capture, capture.events.start_ps + capture.events.duration_ps == high) > 1:
        cut[at_end] |= np.uint8(Cut.END)
    return cut


def _tracks_with(capture: Capture, flags: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    return len(np.unique(capture.events.track[flags]))
