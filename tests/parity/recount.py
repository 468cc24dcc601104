"""`FRAMEWORKS_PYTHON tests/parity/recount.py FILE.xplane.pb …`: steps and what ran in them, added up event by event.

Reads with TensorFlow's own classes and stands on nothing of ours. Prints one JSON object, by file:

steps: [begin, end] of each host event with a step number, in ps since the epoch, by begin.
devices: by GPU plane and step, over the step's wall time (to the next one's begin, of the last to its own end), in ps:
what kernels that compute cover, then what collectives cover beyond them, then copies beyond both, then all collectives.
input: by step, what the fetching of the next input covers on any thread, and what a call into TensorFlow waits for
Python's lock after all it called is done, while tf.data runs a function of Python.
ops: by step, what TensorFlow's ops cover on threads that are not tf.data's: those of graphs by their name,
`dense/Relu:Relu`, eager ones by their kernel.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tensorflow.tsl.profiler.protobuf import xplane_pb2

Span = tuple[int, int]
COLLECTIVE, COPY = re.compile("nccl|rccl", re.IGNORECASE), re.compile("mem(cpy|set)", re.IGNORECASE)
INPUT = re.compile("IteratorGetNext")
GRAPH_OP = re.compile(r"[^:$]+:(?!IteratorGetNext|_?Send|_?Recv|(?:Stateful)?PartitionedCall)_?[A-Z]\w*")
CALL, PYTHON = re.compile(r"TFE_Py_\w+"), re.compile(r"(?:.*[/:])?(?:Eager)?PyFunc")
#: A call returns to Python sooner, in ps.
RETURNS = 200_000_000
EAGER_OP = re.compile(r"EagerLocalExecute: (?!__|IteratorGetNext)[A-Z_]\w*")


def spans(line: Any) -> list[tuple[int, Span, Any]]:
    """(metadata id, begin and end in ps since the epoch, the event) of each event."""
    start = line.timestamp_ns * 1000
    return [(e.metadata_id, (start + e.offset_ps, start + e.offset_ps + e.duration_ps), e) for e in line.events]


def covered(found: Iterable[Span], window: Span) -> int:
    """How much of the window the spans cover together."""
    total, at = 0, window[0]
    for begin, end in sorted(found):
        begin, end = max(begin, at), min(end, window[1])
        if end > begin:
            total, at = total + end - begin, end
    return total


def host_steps(plane: Any) -> list[Span]:
    """The events with a step number, of the line that has most."""
    ids = {number for number, stat in plane.stat_metadata.items() if stat.name == "step_num"}
    by_line = [
        sorted(span for _, span, event in spans(line) if any(s.metadata_id in ids for s in event.stats))
        for line in plane.lines
    ]
    return max(by_line, key=len)


def device(plane: Any, windows: list[Span]) -> list[list[int]]:
    names = {number: found.name for number, found in plane.event_metadata.items()}
    kinds: dict[str, list[Span]] = {"compute": [], "collective": [], "copy": []}
    for line in plane.lines:
        for number, span, _ in spans(line):
            name = names[number]
            kind = "collective" if COLLECTIVE.search(name) else "copy" if COPY.search(name) else "compute"
            kinds[kind].append(span)
    return [shares(kinds, window) for window in windows]


def op_spans(plane: Any) -> list[Span]:
    """When ops ran."""
    names = {number: found.name for number, found in plane.event_metadata.items()}
    found = []
    for line in plane.lines:
        if line.name.startswith("tf_data_"):
            continue
        around: list[tuple[str, int]] = []
        for number, (begin, end), _ in sorted(spans(line), key=lambda one: (one[1][0], -one[1][1])):
            while around and around[-1][1] <= begin:
                around.pop()
            name = names[number]
            eager = name == "EagerKernelExecute" and any(EAGER_OP.fullmatch(outer) for outer, _ in around)
            if eager or GRAPH_OP.fullmatch(name):
                found.append((begin, end))
            around.append((name, end))
    return found


def waits_for_python(plane: Any) -> list[Span]:
    """When calls into TensorFlow waited for Python's lock, while the first function of tf.data's after them had it."""
    names = {number: found.name for number, found in plane.event_metadata.items()}
    functions, calls = [], []
    for line in plane.lines:
        all_spans = [(names[number], span) for number, span, _ in spans(line)]
        if line.name.startswith("tf_data_"):
            functions += [span for name, span in all_spans if PYTHON.fullmatch(name)]
            continue
        for begin, end in (span for name, span in all_spans if CALL.fullmatch(name)):
            inside = [last for _, (first, last) in all_spans if begin <= first and last <= end and first > begin]
            done = max(inside, default=begin)
            if done > begin and end - done >= RETURNS:
                calls.append((done, end))
    found = []
    for done, end in calls:
        running = sorted(span for span in functions if span[1] > done)
        until = running[0][1] if running else 0
        for begin, last in running:
            until = max(until, last) if begin <= until else until
        if running and min(until, end) > max(running[0][0], done):
            found.append((max(running[0][0], done), min(until, end)))
    return found


def shares(kinds: dict[str, list[Span]], window: Span) -> list[int]:
    near = {k: [s for s in found if s[1] > window[0] and s[0] < window[1]] for k, found in kinds.items()}
    compute = covered(near["compute"], window)
    both = covered(near["compute"] + near["collective"], window)
    busy = covered(near["compute"] + near["collective"] + near["copy"], window)
    return [compute, both - compute, busy - both, covered(near["collective"], window)]


def counted(file: Path) -> dict[str, Any]:
    space = xplane_pb2.XSpace.FromString(file.read_bytes())
    [host] = [plane for plane in space.planes if plane.name == "/host:CPU"]
    steps = host_steps(host)
    windows = [(s[0], after[0]) for s, after in itertools.pairwise(steps)] + steps[-1:]
    fetching = [s for line in host.lines for n, s, _ in spans(line) if INPUT.search(host.event_metadata[n].name)]
    gpus = {plane.name: device(plane, windows) for plane in space.planes if plane.name.startswith("/device:GPU")}
    by_step = {"input": fetching + waits_for_python(host), "ops": op_spans(host)}
    return {"steps": steps, "devices": gpus} | {
        what: [covered(found, window) for window in windows] for what, found in by_step.items()
    }


if __name__ == "__main__":
    json.dump({name: counted(Path(name)) for name in sys.argv[1:]}, sys.stdout)
