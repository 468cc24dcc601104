"""A timeline → the functions of Python in its steps, by self time, and who called them."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64
from ...timeline import Steps, Timeline, enclosing, nesting_of, python_name
from .ranking import MAX_LABEL, MAX_NAMES, Inside, Ranking, by_size, ranking

_PYTHON = "$"
_OF_A_FILE = re.compile(r"\$(.+\.py:\d+) (.*)", re.DOTALL)
#: Functions of Python that wait for work that counts elsewhere: on a device, or on other threads.
_AWAITS = re.compile(r"\$(?:.*[ .])?(?:block_until_ready|_value|acquire|wait\w*|join|select|poll|result|__array__)")


def is_python(timeline: Timeline, string: int) -> bool:
    return _text(timeline, string).startswith(_PYTHON)


def python_in_steps(timeline: Timeline, steps: Steps, python: NDArray[np.bool_], inside: Inside) -> Ranking:
    """By function, and the function of a file that called it where it is one of Python itself."""
    capture, strings = timeline.capture, timeline.capture.strings
    rows = np.flatnonzero(python)
    rows = rows[inside(capture.events.start_ps[rows])]
    on_lane = np.isin(capture.events.track[rows], steps.lane[steps.lane >= 0])
    rows = rows[on_lane] if on_lane.any() else rows
    name, self_ps = capture.events.name[rows], nesting_of(timeline).self_ps[rows]
    total = np.bincount(name, weights=self_ps, minlength=len(strings))
    largest = [i for i in np.argsort(-total, kind="stable")[: 3 * MAX_NAMES].tolist() if total[i] > 0]
    largest = [i for i in largest if not _AWAITS.fullmatch(_text(timeline, i)[:MAX_LABEL])]
    of_a_file = np.zeros(len(strings), bool)
    for i in np.unique(name).tolist():
        of_a_file[i] = bool(_OF_A_FILE.fullmatch(_text(timeline, i)[:MAX_LABEL]))
    callers = enclosing(timeline, python & of_a_file[capture.events.name])
    result: Ranking = {}
    for i in largest:
        here = rows[name == i]
        result |= ranking(*_with_callers(timeline, i, here, callers[here], bool(of_a_file[i])))
    return by_size(result)


def _with_callers(
    timeline: Timeline, function: int, rows: I64, callers: I32, of_a_file: bool
) -> tuple[list[str], I64, I64]:
    """What `ranking` takes, for the events of one function: a label for each of its callers."""
    capture = timeline.capture
    called = _python_name(_text(timeline, function))
    if of_a_file:
        return [called], np.zeros(len(rows), np.int64), nesting_of(timeline).self_ps[rows]
    caller = np.where(callers >= 0, capture.events.name[callers], -1)
    distinct, which = np.unique(caller, return_inverse=True)
    labels = [called if i < 0 else f"{called}, called by {_python_name(_text(timeline, i))}" for i in distinct.tolist()]
    return labels, which.reshape(-1).astype(np.int64), nesting_of(timeline).self_ps[rows]


def _text(timeline: Timeline, string: int) -> str:
    """A name, of functions of Python as TensorFlow's and JAX's tracer writes it, `$train.py:12 step`."""
    name = timeline.capture.strings[string]
    return (python_name(name) or name) if timeline.capture.capabilities.has_operators else name


def _python_name(text: str) -> str:
    """`$data.py:50 batches` → `batches` (data.py:50); `$time sleep` → `time.sleep`."""
    match = _OF_A_FILE.fullmatch(text[:MAX_LABEL])
    if match:
        return f"`{match[2]}` ({match[1]})"
    return f"`{text[:MAX_LABEL].removeprefix(_PYTHON).replace(' ', '.', 1)}`"
