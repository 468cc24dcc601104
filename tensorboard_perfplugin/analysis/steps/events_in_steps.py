"""A timeline → what its threads ran in steps beside ops, by name: eager ops, calls, compilations, other events."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind, among, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import INDEX, Split, Timeline, enclosing_of, nesting_of, outermost, threads_of
from ...timeline.split import exposed_by
from ..ops import is_of_model
from .ops_in_steps import NEXT
from .python_in_steps import is_python, python_in_steps, traced_calls
from .ranking import MAX_LABEL, MAX_NAMES, NOTHING, Inside, Ranking, Spent, input_tracks, ranking

WORTH = Threshold(
    "runtime worth a look",
    0.02,
    "share",
    "events of the runtime are summed up by name if it takes more of a step; there may be millions",
    CHOSEN,
)
#: What a framework records while it traces or compiles a function.
_COMPILE = re.compile(
    r"tf\.function-graph_building|backend_compile\w*|lower_sharding_computation|trace_to_jaxpr\w*|XlaCompil\w*|"
    r"(?:\w+::)*\w*Compiler::(?:Run(?:Backend|HloPasses)|Compile\w*)|(?:\w+::)*\w*Client::Compile\w*|CompileToLocal\w*|"
    r".*\(dynamo_timed\)"
)
_CALL = "PjitFunction("


class _Kinds(NamedTuple):
    """By string: what an event of that name is."""

    call: NDArray[np.bool_]
    compile: NDArray[np.bool_]
    python: NDArray[np.bool_]


def _kinds(timeline: Timeline) -> _Kinds:
    capture = timeline.capture
    call, python = (np.zeros(len(capture.strings), bool) for _ in range(2))
    for i in capture.names_used.tolist():
        call[i] = capture.strings[i].startswith(_CALL)
        python[i] = is_python(timeline, i)
    return _Kinds(call, compiling(timeline), python)


def compiling(timeline: Timeline) -> NDArray[np.bool_]:
    """By string: whether events of that name trace or compile a function."""
    capture = timeline.capture
    found = np.zeros(len(capture.strings), bool)
    for i in capture.names_used.tolist():
        found[i] = bool(_COMPILE.fullmatch(capture.strings[i][:MAX_LABEL]))
    return found


def events_in_steps(
    timeline: Timeline, split: Split, inside: Inside, within: Inside, in_slow: Inside
) -> dict[str, Any]:
    kinds, name = _kinds(timeline), timeline.capture.events.name
    eager, eager_between = _eager(timeline, inside, within)
    result: dict[str, Any] = {"eager": eager, "eager_between": eager_between}
    result["traced_calls"] = traced_calls(timeline, split.steps, kinds.python[name], inside)
    if split.exposed_ps[:, :, INDEX["runtime"]].sum() > WORTH.value * split.exposed_ps.sum():
        result["events"] = _events(timeline, split, kinds.python, inside)
    calls = kinds.call[name] if kinds.call.any() else None
    if calls is not None:
        rows = _outermost(timeline, calls, inside)
        spent = timeline.capture.events.duration_ps[rows]
        texts = timeline.capture.strings
        result["calls"] = ranking(texts, name[rows], spent)
        result["all_calls"] = Spent(len(rows), int(spent.sum()))
    result["calls_between"] = _between(timeline, calls, inside, within)
    if kinds.compile.any():
        result["compiled"] = _compiled(timeline, kinds.compile[name], calls, inside)
        result["slow_compiled"] = _compiled(timeline, kinds.compile[name], calls, in_slow)
    return result | python_in_steps(timeline, split, kinds.python[name], inside, in_slow)


def _events(timeline: Timeline, split: Split, others: NDArray[np.bool_], inside: Inside) -> Ranking:
    """Events of threads that prepare no input, by name, but for marks and functions of Python, by the time in which the
    runtime is what counts to the step, and none within them."""
    events, tracks, strings = timeline.capture.events, timeline.capture.tracks, timeline.capture.strings
    exposed, runtime = exposed_by(timeline, split.steps, [INDEX["runtime"]]), INDEX["runtime"]
    when = intervals.intersection(exposed[runtime], inside.windows) if exposed else inside.windows
    of_input, times, total = input_tracks(timeline), *(np.zeros(len(strings), np.int64) for _ in range(2))
    for track in threads_of(timeline).tolist():
        low, high = int(tracks.events_begin[track]), int(tracks.events_end[track])
        if of_input[track] or low == high:
            continue
        begin, parent = events.start_ps[low:high], nesting_of(timeline).parent[low:high].astype(np.int64) - low
        covered = intervals.coverage(when, begin, begin + events.duration_ps[low:high])
        inner = parent >= 0
        self_ps = (covered - np.bincount(parent[inner], covered[inner], high - low).astype(np.int64)).clip(0)
        name = events.name[low:high]
        times += np.bincount(name[self_ps > 0], minlength=len(strings))
        total += np.bincount(name, self_ps, len(strings)).astype(np.int64)
    total[others] = 0
    total[events.name[split.steps.row[split.steps.row >= 0]]] = 0
    largest = [i for i in np.argsort(-total, kind="stable")[:MAX_NAMES].tolist() if total[i]]
    return {strings[i][:MAX_LABEL]: Spent(int(times[i]), int(total[i])) for i in largest}


def _outermost(timeline: Timeline, wanted: NDArray[np.bool_], inside: Inside) -> I64:
    """The rows in steps that are wanted and in no other that is."""
    rows = outermost(timeline, wanted)
    return rows[inside(timeline.capture.events.start_ps[rows])]


def _between(timeline: Timeline, calls: NDArray[np.bool_] | None, inside: Inside, within: Inside) -> Ranking:
    """Compiled functions that are called between steps, and in none."""
    events, functions = timeline.capture.events, timeline.stat("tf_function_call")[1] == StatKind.TEXT
    rows = _outermost(timeline, functions if calls is None else functions | calls, inside)
    rows = rows[~input_tracks(timeline)[events.track[rows]]]
    here = within(events.start_ps[rows])
    rows = rows[~here & ~among(events.name[rows], np.unique(events.name[rows[here]]))]
    names, which = np.unique(events.name[rows], return_inverse=True)
    called = [_function(name) for name in timeline.capture.strings.of(names)]
    return ranking(called, which.reshape(-1), events.duration_ps[rows])


def _eager(timeline: Timeline, inside: Inside, within: Inside) -> tuple[Spent, Spent]:
    """`EagerExecute` of single ops, other than asking for the next input, in steps and between them. In steps without
    what logs and saves, which between them is what a callback runs."""
    capture = timeline.capture
    name = capture.strings.find("EagerExecute")
    if name < 0:
        return NOTHING, NOTHING
    rows = np.flatnonzero(capture.events.name == name)
    rows = rows[inside(capture.events.start_ps[rows]) & ~input_tracks(timeline)[capture.events.track[rows]]]
    value, kind = timeline.stat_of("is_func", rows)
    rows = rows[(value == 0) & (kind != 0)]
    op, kind = timeline.stat_of("eager_op", rows)
    texts = {i: capture.strings[i] for i in np.unique(op[kind == StatKind.TEXT]).tolist()}
    named, in_span = kind == StatKind.TEXT, within(capture.events.start_ps[rows])
    nexts = named & among(op, [i for i, text in texts.items() if NEXT.fullmatch(text)])
    around = named & among(op, [i for i, text in texts.items() if not is_of_model(text)])
    duration = capture.events.duration_ps[rows]
    parts = [Spent(int(part.sum()), int(duration[part].sum())) for part in (in_span & ~around, ~in_span & ~nexts)]
    return parts[0], parts[1]


def _compiled(
    timeline: Timeline, wanted: NDArray[np.bool_], calls: NDArray[np.bool_] | None, inside: Inside
) -> Ranking:
    """By the function that was called, and how many of its calls compiled; by what compiled where no call says so."""
    events, rows = timeline.capture.events, _outermost(timeline, wanted, inside)
    functions = timeline.stat("tracing_count")[1] != 0
    functions = functions if calls is None else functions | calls
    call = _meanwhile(timeline, outermost(timeline, functions), rows)
    call = np.where(call >= 0, call, rows)
    distinct, which = np.unique(call, return_inverse=True)
    total = np.bincount(which.reshape(-1), weights=events.duration_ps[rows])
    names, name = np.unique(events.name[distinct], return_inverse=True)
    return ranking([_function(n) for n in timeline.capture.strings.of(names)], name.reshape(-1), total)


def _meanwhile(timeline: Timeline, functions: I64, rows: I64) -> I64:
    """For each row the one of some functions that ran around it, else at its begin on another thread, else -1."""
    events = timeline.capture.events
    if not len(functions):
        return np.full(len(rows), -1)
    outer = np.zeros(len(events), bool)
    outer[functions] = True
    around = enclosing_of(timeline, outer, rows).astype(np.int64)
    functions = functions[np.argsort(events.start_ps[functions], kind="stable")]
    before = np.searchsorted(events.start_ps[functions], events.start_ps[rows], side="right") - 1
    last = functions[np.maximum(before, 0)]
    runs = (before >= 0) & (events.start_ps[rows] < events.start_ps[last] + events.duration_ps[last])
    return np.where((around < 0) & runs, last, around)


def _function(name: str) -> str:
    return (name.removeprefix(_CALL).removesuffix(")") if name.startswith(_CALL) else name)[:MAX_LABEL]
