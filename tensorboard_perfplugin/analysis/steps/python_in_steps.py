"""A timeline and its split → what of a step's Python is in which function, annotation and kind of work.

Of a function counts what lies in none that it calls, and only while Python, writing or waiting for input is what counts
to the step: what runs beside an op, or on another thread meanwhile, costs the step nothing.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...tables import EMPTY, I32, I64, Intervals, among, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import INDEX, Split, Steps, Timeline, enclosing, enclosing_of, ops_of, python_name, threads_of
from ...timeline.split import HostClass, class_of_name, exposed_by
from ..idle import Pauses, pauses
from .python_kinds import CHECKPOINT, kind_of_python
from .ranking import MAX_LABEL, MAX_NAMES, Inside, Ranking, Spent, by_size, ranking

WHOLE = Threshold(
    "annotation of a whole step", 0.95, "share", "an annotation around so much of the steps is the step itself", CHOSEN
)
ENOUGH = Threshold(
    "Python worth its stretches", 0.1, "share", "of less of the steps no finding says where in them it lies", CHOSEN
)
_PYTHON = "$"
#: How some write an annotation, `## forward ##`; of other names what follows `#` is no name.
_TITLE = "## "
_OF_A_FILE = re.compile(r"\$(.+\.py:\d+) (.*)", re.DOTALL)
#: What is installed, or PyTorch's.
_OF_A_LIBRARY = re.compile(r"<|(?:.*/(?:site|dist)-packages/)?torch/|.*/lib/python3")
#: Functions of Python that wait for work that counts elsewhere: on a device, or on other threads.
_AWAITS = re.compile(r"\$(?:.*[ .])?(?:block_until_ready|_value|acquire|wait\w*|join|select|poll|result|__array__)")
#: By what of a step counts: the name of its ranking.
_RANKINGS = {"python": "python", "output": "writes", "input_wait": "gets"}


def is_python(timeline: Timeline, string: int) -> bool:
    return _text(timeline, string).startswith(_PYTHON)


def traced_calls(timeline: Timeline, steps: Steps, python: NDArray[np.bool_], inside: Inside) -> int:
    """How many calls of functions the tracer of Python recorded in steps, on the threads that mark them."""
    rows = _on_lanes(timeline, steps, np.flatnonzero(python))
    return int(inside(timeline.capture.events.start_ps[rows]).sum())


def functions_of_files(timeline: Timeline) -> NDArray[np.bool_]:
    """By string: whether it is a function of Python that a file of the program's own has."""
    strings = timeline.capture.strings
    found = np.zeros(len(strings), bool)
    found[[i for i in timeline.capture.names_used.tolist() if _is_own(strings[i], _text(timeline, i))]] = True
    return found


def _is_own(name: str, text: str) -> bool:
    return bool(_OF_A_FILE.fullmatch(text[:MAX_LABEL])) and not _OF_A_LIBRARY.match(name[:MAX_LABEL])


def function_label(timeline: Timeline, string: int) -> str:
    """`$data.py:50 batches` → `batches` (data.py:50)."""
    return _python_name(_text(timeline, string))


def python_in_steps(
    timeline: Timeline, split: Split, python: NDArray[np.bool_], inside: Inside, in_slow: Inside
) -> dict[str, Any]:
    """`python`, `writes`, `gets`: by function, and the function of a file that called it where it is one of Python
    itself. `regions`: by annotation, the innermost. `kinds`: by kind of work, in functions and annotations.
    `stretches_ps`: of what counts as Python, what lies in long stretches; `interrupted_ps`: in pauses that are none of
    the program's; `after`: the others, by what ended before. `slow_pauses`, `slow_saves`: likewise of slow steps."""
    steps, annotations = split.steps, _annotations(timeline, split.steps)
    named = bool(python.any() or annotations.any())
    if not named and _share(split) < ENOUGH.value:
        return {}
    exposed = exposed_by(timeline, steps, [INDEX[key] for key in _RANKINGS])
    when = {key: intervals.intersection(exposed.get(INDEX[key], EMPTY), inside.windows) for key in _RANKINGS}
    result = _pauses(timeline, steps, when["python"])
    result |= _slow_pauses(
        timeline, steps, intervals.intersection(exposed.get(INDEX["python"], EMPTY), in_slow.windows)
    )
    if not exposed:
        when["python"] = inside.windows
    if not named:
        return result
    found = _by_name(timeline, steps, python, annotations, when, inside)
    return result | found | {"kinds": by_size({**found["kinds"], **result["kinds"]})}


def _pauses(timeline: Timeline, steps: Steps, python: Intervals) -> dict[str, Any]:
    """Of typical steps."""
    found = pauses(timeline, steps, python)
    length = found.when.end - found.when.begin
    saves_ps = length[found.saves]
    return {
        "after": _by_what_ended(timeline, found, ~found.interrupted & ~found.saves),
        "stretches_ps": int(length.sum()),
        "interrupted_ps": int(length[found.interrupted & ~found.saves].sum()),
        "kinds": {CHECKPOINT: Spent(len(saves_ps), int(saves_ps.sum()))} if len(saves_ps) else {},
    }


def _slow_pauses(timeline: Timeline, steps: Steps, python: Intervals) -> dict[str, Any]:
    """By the name of what ended before; and those of them before which state is read."""
    found = pauses(timeline, steps, python)
    length = found.when.end - found.when.begin
    return {
        "slow_pauses": _by_what_ended(timeline, found, np.ones(len(length), bool)),
        "slow_saves": Spent(int(found.saves.sum()), int(length[found.saves].sum())),
    }


def _by_what_ended(timeline: Timeline, found: Pauses, wanted: NDArray[np.bool_]) -> Ranking:
    """Some pauses by the name of what ended before, of functions of Python none."""
    length, strings = found.when.end - found.when.begin, timeline.capture.strings
    known = np.flatnonzero((found.after >= 0) & wanted)
    names, which = np.unique(timeline.capture.events.name[found.after[known]], return_inverse=True)
    return ranking(strings.of(names), which.reshape(-1).astype(np.int64), length[known])


def _share(split: Split) -> float:
    """What part of the steps, over all devices, counts as Python."""
    return float(split.exposed_ps[:, :, INDEX["python"]].sum() / max(split.exposed_ps.sum(), 1))


def _by_name(
    timeline: Timeline,
    steps: Steps,
    python: NDArray[np.bool_],
    annotations: NDArray[np.bool_],
    when: dict[str, Intervals],
    inside: Inside,
) -> dict[str, Ranking]:
    functions = _on_lanes(timeline, steps, np.flatnonzero(python))
    result: dict[str, Ranking] = {
        name: _by_function(timeline, functions, python, when[key]) for key, name in _RANKINGS.items()
    }
    regions = _parts_of_steps(timeline, _on_lanes(timeline, steps, np.flatnonzero(annotations)), inside.windows)
    self_ps, names = _self_ps(timeline, regions, when["python"]), timeline.capture.strings
    result["regions"] = ranking(names, timeline.capture.events.name[regions[self_ps > 0]], self_ps[self_ps > 0])
    both = np.flatnonzero(python | annotations)
    result["kinds"] = _kinds(timeline, _on_lanes(timeline, steps, both), when["python"])
    return result


def _annotations(timeline: Timeline, steps: Steps) -> NDArray[np.bool_]:
    """What a program itself wrote of its threads, but for marks of steps."""
    capture = timeline.capture
    wanted = np.zeros(len(capture.events), bool)
    if not capture.capabilities.framework_names:
        return wanted
    named = np.zeros(len(capture.strings), bool)
    for i in capture.names_used.tolist():
        name = _text(timeline, i)
        own = class_of_name(name) in (HostClass.UNKNOWN, HostClass.OUTPUT) and name[:1] != _PYTHON
        own &= name[:1] != "#" or name.startswith(_TITLE)
        named[i] = own and not name.startswith("ProfilerStep#")
    named[capture.events.name[steps.row[steps.row >= 0]]] = False
    threads = np.zeros(len(capture.tracks), bool)
    threads[threads_of(timeline)] = True
    wanted = named[capture.events.name] & threads[capture.events.track]
    wanted[ops_of(timeline).host.rows] = False
    return wanted


def _parts_of_steps(timeline: Timeline, rows: I64, windows: Intervals) -> I64:
    """Annotations, but for those that are around all of the steps and so tell nothing of them."""
    events = timeline.capture.events
    of_name = np.bincount(events.name[rows], _covered(timeline, rows, windows), len(timeline.capture.strings))
    return rows[of_name[events.name[rows]] < WHOLE.value * windows.total]


def _on_lanes(timeline: Timeline, steps: Steps, rows: I64) -> I64:
    """Those of the threads that mark steps; all where none of them has any."""
    on_lane = among(timeline.capture.events.track[rows], steps.lane[steps.lane >= 0])
    return rows[on_lane] if on_lane.any() else rows


def _covered(timeline: Timeline, rows: I64, when: Intervals) -> I64:
    events = timeline.capture.events
    return intervals.coverage(when, events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows])


def _self_ps(timeline: Timeline, rows: I64, when: Intervals) -> I64:
    """Of each of some events, rows ascending, the time of a set that none of the others within it has."""
    covered = _covered(timeline, rows, when)
    around = _place_around(timeline, rows)
    of_inner = np.bincount(around[around >= 0], covered[around >= 0], len(rows)).astype(np.int64)
    return (covered - of_inner).clip(0)


def _place_around(timeline: Timeline, rows: I64) -> I64:
    """The place among some events, rows ascending, of the innermost one around each, or -1."""
    among = np.zeros(len(timeline.capture.events), bool)
    among[rows] = True
    around = enclosing_of(timeline, among, rows).astype(np.int64)
    return np.where(around >= 0, np.searchsorted(rows, around), -1)


def _by_function(timeline: Timeline, rows: I64, python: NDArray[np.bool_], when: Intervals) -> Ranking:
    capture, strings = timeline.capture, timeline.capture.strings
    name, self_ps = capture.events.name[rows], _self_ps(timeline, rows, when)
    total = np.bincount(name, weights=self_ps, minlength=len(strings))
    largest = [i for i in np.argsort(-total, kind="stable")[: 3 * MAX_NAMES].tolist() if total[i] > 0]
    largest = [i for i in largest if not _AWAITS.fullmatch(_text(timeline, i)[:MAX_LABEL])]
    of_a_file = np.zeros(len(strings), bool)
    for i in np.unique(name).tolist():
        of_a_file[i] = bool(_OF_A_FILE.fullmatch(_text(timeline, i)[:MAX_LABEL]))
    callers = enclosing(timeline, python & of_a_file[capture.events.name])
    result: Ranking = {}
    for i in largest:
        here = np.flatnonzero((name == i) & (self_ps > 0))
        labels, which = _with_callers(timeline, i, callers[rows[here]], bool(of_a_file[i]))
        result |= ranking(labels, which, self_ps[here])
    return by_size(result)


def _with_callers(timeline: Timeline, function: int, callers: I32, of_a_file: bool) -> tuple[list[str], I64]:
    """For the events of one function a label for each of its callers, and which each event has."""
    capture = timeline.capture
    called = _python_name(_text(timeline, function))
    if of_a_file:
        return [called], np.zeros(len(callers), np.int64)
    caller = np.where(callers >= 0, capture.events.name[callers], -1)
    distinct, which = np.unique(caller, return_inverse=True)
    labels = [called if i < 0 else f"{called}, called by {_python_name(_text(timeline, i))}" for i in distinct.tolist()]
    return labels, which.reshape(-1).astype(np.int64)


def _kinds(timeline: Timeline, rows: I64, when: Intervals) -> Ranking:
    """The outermost of each kind, with all that they call."""
    capture = timeline.capture
    result: Ranking = {}
    kind_of = {i: kind_of_python(_text(timeline, i)) for i in np.unique(capture.events.name[rows]).tolist()}
    for kind in sorted(set(kind_of.values()) - {""}):
        of_kind = rows[among(capture.events.name[rows], [i for i in kind_of if kind_of[i] == kind])]
        outer = of_kind[_place_around(timeline, of_kind) < 0]
        covered = _covered(timeline, outer, when)
        result |= ranking([kind], np.zeros(len(outer), np.int64)[covered > 0], covered[covered > 0])
    return by_size(result)


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
