"""Calls that are named as if they got input: those that run the model are a program's loop."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.split import device, sets
from tensorboard_perfplugin.timeline.split.host import host_pieces
from tensorboard_perfplugin.timeline.split.host_names import own_loops_of
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX
from tests.build_capture import Line, Space, StatsGiven
from tests.timeline.timelines import timeline
from tests.tools.kineto import Event, ask, launched, on_host, saved, step

US = 10**6


def generates(name: str, inside: int, kernels: int = 4) -> list[Event]:
    """Two steps of 100 µs, of which a call takes 60; each step launches so many kernels, some of them inside of it."""
    events: list[Event] = []
    for number in range(2):
        at = 100.0 * number
        events += [step(number, at, 100), on_host(name, at + 10, 60, "python_function")]
        for i in range(kernels):
            begin = at + (20 + 10 * i if i < inside else 75 + 5 * i)
            events += launched("gemm", begin, begin + 2, 2, 10 * number + i + 1)
    return events


@pytest.mark.parametrize(("inside", "kernels", "waits_us"), [(0, 4, 60), (1, 5, 58), (1, 4, 0), (4, 4, 0)])
def test_what_yields_the_models_tokens_is_no_input(tmp_path: Path, inside: int, kernels: int, waits_us: float) -> None:
    """One of four kernels is `OF_THE_MODEL`, one of five is not."""
    answer = ask(saved(tmp_path, *generates("serve.py(12): __next__", inside, kernels)), "overview").to_dict()
    split = dict(zip(*(answer["tables"]["split"]["columns"][c] for c in ("category", "step_ms")), strict=True))
    assert split["input_wait"] == pytest.approx(waits_us / 1000)


@pytest.mark.parametrize(("inside", "waits_us"), [(1, 60), (2, 0)])
def test_a_loader_may_augment_on_the_device(tmp_path: Path, inside: int, waits_us: float) -> None:
    """Two of four kernels are `OF_A_LOADER`. What a loader launches is its own."""
    name = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    answer = ask(saved(tmp_path, *generates(name, inside)), "overview").to_dict()
    split = dict(zip(*(answer["tables"]["split"]["columns"][c] for c in ("category", "step_ms")), strict=True))
    assert split["input_wait"] == pytest.approx(max(waits_us - 2 * inside, 0) / 1000)


def test_a_generator_that_calls_the_compiled_step_is_the_programs_loop() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(3):
        begin = 100 * number * US
        line.event("train", begin, 90 * US, stats={"step_num": number, "_r": 1})
        line.event("$data.py:5 batches", begin + US, 20 * US)
        line.event("$train.py:9 next_batch", begin + 30 * US, 50 * US)
        line.event("PjitFunction(step)", begin + 32 * US, 40 * US)
    t = timeline(space)
    names = [t.capture.strings[int(i)] for i in t.capture.events.name[own_loops_of(t)]]
    assert names == ["$train.py:9 next_batch"] * 3
    assert split_of(t).exposed_ps[0, 0, INDEX["input_wait"]] == 20 * US


def program(space: Space) -> Line:
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(2):
        line.event("train", 100 * number * US, 100 * US, stats={"step_num": number, "_r": 1})
    return line


def first_step_us(space: Space) -> dict[str, float]:
    exposed = split_of(timeline(space)).exposed_ps[0, 0]
    return {c.key: ps / US for c, ps in zip(CATEGORIES, exposed.tolist(), strict=True) if ps}


@pytest.mark.parametrize(
    ("inner", "parts"),
    [
        ("backend_compile", {"compilation": 60.0, "op_compute": 10.0, "python": 30.0}),
        ("PJRT_Client_Buffer", {"runtime": 60.0, "op_compute": 10.0, "python": 30.0}),
    ],
)
def test_a_call_that_compiles_is_compilation_but_for_its_ops(inner: str, parts: dict[str, float]) -> None:
    space = Space()
    line = program(space)
    line.event("PjitFunction(step)", 10 * US, 70 * US)
    line.event("$pjit.py:300 cache_miss", 15 * US, 50 * US)
    line.event(inner, 20 * US, 20 * US)
    line.event("dot.1", 70 * US, 10 * US, stats={"hlo_op": "dot.1", "hlo_module": "jit_step"})
    assert first_step_us(space) == parts


MS = 10**9


STEPS = 4


def capture(late_ms: float, python_ms: float, begins_ms: float = 0, pool: str = "tf_data_private_threadpool") -> Space:
    """Steps of 20 ms: a call that is done after 5 ms and returns later, while a function of Python runs elsewhere; then
    an op. The pipeline has a stage that runs the function."""
    space = Space(hostnames=["h"])
    host = space.plane("/host:CPU")
    python, thread = host.line(1, "python"), host.line(2, pool)
    for i in range(STEPS):
        begin = i * 20 * MS
        mark: StatsGiven = {"step_num": i, "_r": 1}
        python.event("train", begin, 20 * MS, mark)
        python.event("TFE_Py_ExecuteCancelable", begin, round((5 + late_ms) * MS))
        python.event("EagerExecute", begin, 5 * MS)
        python.event("a/MatMul:MatMul", begin + 1 * MS, 4 * MS)
        python.event("b/MatMul:MatMul", begin + 15 * MS, 5 * MS)
        thread.event("PyFunc:PyFunc", begin + round(begins_ms * MS), round(python_ms * MS))
    return space


def waits_ms(space: Space) -> float:
    """Input waits of a step, as the split has them."""
    split = split_of(timeline(space))
    return float(split.exposed_ps[:, :, INDEX["input_wait"]].sum()) / STEPS / MS


def test_the_pieces_of_a_host_show_the_call_that_waits() -> None:
    t = timeline(capture(8, 12))
    pieces = [p for p in host_pieces(t, steps_of(t), False) if (p.category == INDEX["input_wait"]).any()]
    [held] = [p for p in pieces if len(p.row)]
    assert t.capture.strings.texts(np.unique(t.capture.events.name[held.row])) == ["TFE_Py_ExecuteCancelable"]
    assert intervals.union(held.begin, held.end).total == STEPS * 7 * MS


@pytest.mark.parametrize("together", [1, 5, 1 << 12])
def test_short_and_long_ones(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams 0 to 9 overlap: kernels [10 i, 10 i + 15) and, on each third, a collective [200, 205)."""
    monkeypatch.setattr(device, "_TOGETHER", together)
    monkeypatch.setattr(sets, "_TOGETHER", together)
    space = Space()
    space.plane("/host:CPU").line(1, "python").event("train", 0, 300, {"step_num": 0, "_r": 1})
    gpu = space.plane("/device:GPU:0")
    for i in range(10):
        stream = gpu.line(i, f"Stream #{i}")
        for part in range(3):
            stream.event("kernel", 10 * i + 5 * part, 5)
        if i % 3 == 0:
            stream.event("ncclKernel_AllReduce", 200, 5)
    gpu.line(20, "XLA Ops").event("derived", 0, 300)
    found = split_of(timeline(space))
    found.check()
    both = [INDEX["compute_other"], INDEX["collective"]]
    assert found.union_ps[0, 0, both].tolist() == [105, 5]
    assert found.exposed_ps[0, 0, both].tolist() == [105, 5]


@pytest.mark.parametrize("op", ["AnonymousIteratorV3", "DeleteMultiDeviceIterator", "DeleteIterator", "MakeIterator"])
def test_to_make_and_to_free_iterators_is_input(op: str) -> None:
    """On the program's own thread alone."""
    space = Space()
    line = program(space)
    line.event(f"{op}:{op}", 10 * US, 70 * US)
    space.planes[0].line(2, "tf_Compute/1").event("MakeIterator::ShardDataset", 85 * US, 5 * US)
    assert first_step_us(space) == {"input_wait": 70.0, "python": 30.0}


#: When a call returns, what a function of Python takes and when it begins, and how long is waited, in ms.
HELD = {
    "until the function ends": (8, 12, 0, 7),
    "until the call returns": (8, 18, 0, 8),
    "it had ended": (8, 5, 0, 0),
    "it began after the call was done": (8, 4, 6, 4),
    "long enough": (0.2, 12, 0, 0.2),
    "what a call takes anyway": (0.19, 12, 0, 0),
}


def test_a_call_that_returns_late_waits_for_the_pipelines_python() -> None:
    for name, (late_ms, python_ms, begins_ms, waited_ms) in HELD.items():
        assert waits_ms(capture(late_ms, python_ms, begins_ms)) == pytest.approx(waited_ms), name
    assert waits_ms(capture(8, 12, pool="another thread")) == 0
