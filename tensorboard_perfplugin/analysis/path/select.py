"""A selection of a part of what ran → its events, with all that they called and launched."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import ArgumentError
from ...patterns import regex
from ...timeline.causes import launches_of
from ...timeline.loops.loops import nearest
from ...timeline.names.kernels import kernel_name
from ...timeline.names.ops import Op, python_name
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import INDEX, Timeline
from ..kernels.rows import short_name
from ..steps.contents import event_label
from .costs import op_scopes
from .path import Laid
from .replay import with_serving

#: Of a pattern, and of a name that it is compared with, so many characters count.
_MOST = 200
#: Patterns of one option.
_PATTERNS = 20
_SELECTION = regex(r"(?:(\w+):)?(.+?)(?:=(\d+(?:\.\d+)?))?")
#: Kinds that hold pieces by their category: of each name its place.
_CATEGORIES = {
    "copy": {"h2d": INDEX["copy_in"], "d2h": INDEX["copy_out"], "d2d": INDEX["copy_device"]},
    "category": INDEX,
}


class Selection(NamedTuple):
    """kind: one of `KINDS`. pattern: with `*` and `?`. factor: how many times as long it is to take."""

    kind: str
    pattern: str
    factor: float


def selections(text: str, option: str, factor: float | None = None) -> tuple[Selection, ...]:
    """`op:py_function; kernel:gemm*=0.5` → its parts. factor: where none is to be given. Raises ArgumentError."""
    parts = [part.strip() for part in text.split(";") if part.strip()]
    if len(parts) > _PATTERNS:
        raise ArgumentError(f"{option} takes at most {_PATTERNS} parts, not {len(parts)}")
    return tuple(_selection(part, option, factor) for part in parts)


def _selection(text: str, option: str, factor: float | None) -> Selection:
    match = _SELECTION.fullmatch(text[:_MOST])
    kind, pattern, given = match.groups() if match else (None, "", None)
    if not match or (given is None) == (factor is None):
        form = "KIND:NAME" if factor is not None else "KIND:NAME=TIMES"
        raise ArgumentError(f"{option} is a list of {form}, divided by `;`, not {text[:80]!r}")
    if kind and kind not in KINDS:
        # A name may hold a colon.
        kind, pattern = None, f"{kind}:{pattern}"
    if kind in _CATEGORIES and pattern not in _CATEGORIES[kind]:
        raise ArgumentError.with_choices(f"{option} has no {kind} {pattern[:80]!r}", _CATEGORIES[kind])
    return Selection(kind or "event", pattern, factor if factor is not None else float(given or 1))


class Scaled(NamedTuple):
    """By piece: how many times as long it is to take; whether any selection holds it; and, of a wait, whether it takes
    that of its own time, whatever it waits for: a category is time, not work."""

    scale: NDArray[np.float64]
    held: NDArray[np.bool_]
    free: NDArray[np.bool_]


def scaled(timeline: Timeline, laid: Laid, chosen: tuple[Selection, ...]) -> Scaled:
    """Of several selections that hold a piece the last counts."""
    n = len(laid.pieces.begin)
    changed = Scaled(np.ones(n), np.zeros(n, bool), np.zeros(n, bool))
    for one in chosen:
        if one.kind in _CATEGORIES:
            here = laid.pieces.category == _CATEGORIES[one.kind][one.pattern]
        else:
            whole = _with_inner(timeline, _EVENTS[one.kind](timeline, one.pattern))
            here = (whole if one.factor else with_serving(timeline, whole))[laid.pieces.row]
        changed.scale[here] = one.factor
        changed.held[here] = True
        changed.free[here] = one.kind in _CATEGORIES
    return changed


def _with_inner(timeline: Timeline, found: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Events, what they hold, and what all of these launched."""
    whole = found | (nearest(nesting_of(timeline).parent, found) >= 0)
    launch = launches_of(timeline).rows
    if any(launch.strides):
        whole |= (launch >= 0) & whole[launch]
    return whole


def _by_name(timeline: Timeline, pattern: str, texts: Callable[[str], Iterator[str]]) -> NDArray[np.bool_]:
    capture = timeline.capture
    named = np.zeros(len(capture.strings), bool)
    for i in capture.names_used.tolist():
        named[i] = any(_like(text, pattern) for text in texts(capture.strings[i]))
    return named[capture.events.name]


def _like(text: str, pattern: str) -> bool:
    """Upper and lower case are the same; without `*` and `?` the whole name, or its last part, is meant."""
    text = text[:_MOST].lower()
    return fnmatch.fnmatchcase(text, pattern.lower()) or text.rpartition("/")[2] == pattern.lower()


def _events(timeline: Timeline, pattern: str) -> NDArray[np.bool_]:
    named = _by_name(timeline, pattern, lambda name: iter((name,)))
    return named | _ops(timeline, pattern) | _functions(timeline, pattern)


def _ops(timeline: Timeline, pattern: str) -> NDArray[np.bool_]:
    ops, found = ops_of(timeline), np.zeros(len(timeline.capture.events), bool)
    like = np.array([_is_op(op, pattern) for op in ops.ops], bool)
    for side in (ops.host, ops.device):
        found[side.rows] |= like[side.op]
    return found


def _is_op(op: Op, pattern: str) -> bool:
    """By its name, its type, or a scope that holds it, as the parts of a path have it."""
    if _like(op.name, pattern) or _like(op.type, pattern):
        return True
    chain = "/".join(op_scopes(op)).lower()
    return fnmatch.fnmatchcase(chain, pattern.lower()) or fnmatch.fnmatchcase(chain, f"{pattern.lower()}/*")


def _functions(timeline: Timeline, pattern: str) -> NDArray[np.bool_]:
    def texts(name: str) -> Iterator[str]:
        text = python_name(name) or name
        if text.startswith("$"):
            yield text.rpartition(" ")[2]
            yield event_label(name).replace("`", "")

    return _by_name(timeline, pattern, texts)


def _kernels(timeline: Timeline, pattern: str) -> NDArray[np.bool_]:
    rows = ops_of(timeline).device.rows
    on_device = np.zeros(len(timeline.capture.events), bool)
    on_device[rows] = True
    return _by_name(timeline, pattern, lambda name: iter((name, short_name(kernel_name(name))))) & on_device


#: Kinds that hold events, and all that these call and launch.
_EVENTS: dict[str, Callable[[Timeline, str], NDArray[np.bool_]]] = {
    "event": _events,
    "op": _ops,
    "function": _functions,
    "kernel": _kernels,
}
KINDS = (*_EVENTS, *_CATEGORIES)
