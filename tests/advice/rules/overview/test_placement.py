"""Tensors that go to the host and back, on both sides of every number that decides."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.round_trips import round_trips
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import Space, Uint
from tests.timeline.timelines import timeline
from tests.tools.answered import answered

STEP = 1000
US = 10**6


def trained(
    *, size: int = 1 << 20, returned: int | None = None, back_us: float = 520, beside_us: float = 0, trips: int = 4
) -> Timeline:
    """Four steps of 1 ms: a kernel up to 300 µs, from 310 µs on a copy of 40 µs to the host, a sort there, and a copy
    of 40 µs back; then another kernel. beside_us: how long a kernel runs meanwhile. trips: steps that have it."""
    events: list[dict[str, Any]] = []
    for step in range(4):
        at = step * STEP
        events.append(host(f"ProfilerStep#{step}", at, STEP, "user_annotation"))
        events += launched("gemm", at + 5, at + 10, 290, step * 10 + 1)
        if step < trips:
            copied = {"bytes": size}
            events += launched("Memcpy DtoH (Device -> Pageable)", at + 305, at + 310, 40, step * 10 + 2, copied)
            events += [host("aten::sort", at + 360, 100), host("aten::copy_", at + 300, 55)]
            copied = {"bytes": size if returned is None else returned}
            events += launched(
                "Memcpy HtoD (Pageable -> Device)", at + back_us - 5, at + back_us, 40, step * 10 + 3, copied
            )
            if beside_us:
                events += launched("other", at + 306, at + 310, beside_us, step * 10 + 5, stream=9)
        events += launched("gemm", at + 640, at + 645, 300, step * 10 + 4)
    text = json.dumps({"schemaVersion": 1, "traceEvents": events})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), "h")


def host(name: str, ts: float, dur: float, cat: str = "cpu_op", **args: Any) -> dict[str, Any]:
    return {"name": name, "cat": cat, "ph": "X", "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": args}


def launched(
    name: str, call: float, ts: float, dur: float, number: int, more: dict[str, Any] | None = None, stream: int = 7
) -> list[dict[str, Any]]:
    copy = name.startswith("Memcpy")
    runtime = host("cudaMemcpyAsync" if copy else "cudaLaunchKernel", call, 2, "cuda_runtime", correlation=number)
    args = {"device": 0, "stream": stream, "correlation": number, **(more or {})}
    cat = "gpu_memcpy" if copy else "kernel"
    return [runtime, {"name": name, "cat": cat, "ph": "X", "pid": 0, "tid": stream, "ts": ts, "dur": dur, "args": args}]


def said_of(of: Timeline) -> list[dict[str, Any]]:
    return [f for f in answered(OVERVIEW, of).to_dict()["findings"] if f["code"] == "round_trips"]


def test_a_tensor_that_is_sorted_on_the_host() -> None:
    """From 310 to 560 µs."""
    [finding] = said_of(trained())
    assert finding["params"] == {
        "trips": 1,
        "bytes": 1 << 20,
        "ps": 250 * US,
        "share": 0.25,
        "op": "aten::sort",
        "op_ps": 100 * US,
    }
    assert (finding["severity"], finding["share"]) == ("warning", 0.25)
    assert [(e["start_ps"], e["end_ps"]) for e in finding["evidence"]][:1] == [(310 * US, 560 * US)]


def test_tensorflow_names_the_tensor_and_the_op_of_any_thread() -> None:
    """The op on the host runs in a thread of the executor; the pipeline prepares the next batch meanwhile."""
    space = Space()
    cpu, gpu = space.plane("/host:CPU"), space.plane("/device:GPU:0", id=1)
    python, executor, pipeline = (cpu.line(i, name) for i, name in ((1, "python"), (2, "executor"), (3, "tf_data")))
    stream = gpu.line(7, "Stream #7")
    for step in range(4):
        at = step * STEP * US
        python.event("train", at, STEP * US, stats={"step_num": step, "_r": 1})
        kernels = (("gemm", 10, 290, "a/MatMul:MatMul", ""), ("gemm", 645, 300, "b/MatMul:MatMul", ""))
        copies = (
            ("MEMCPYD2H", 310, 40, "model/Sort:Sort", "kind_src:device kind_dst:pageable size:8000 dest:0 async:1"),
            ("MEMCPYH2D", 520, 40, "", "kind_src:pageable kind_dst:device size:8000 dest:0 async:1"),
        )
        for i, (name, begin, length, op, details) in enumerate((*kernels, *copies)):
            joined = {"correlation_id": Uint(10 * step + i + 1)}
            line = executor if name.endswith("H2D") else python
            line.event("cuLaunch", at + (begin - 5) * US, US, stats=joined | {"device_id": Uint(0)})
            said: dict[str, Any] = {**joined, **({"tf_op": op} if op else {})}
            stream.event(
                name, at + begin * US, length * US, stats=said | ({"memcpy_details": details} if details else {})
            )
        executor.event("model/Sort:Sort", at + 360 * US, 80 * US)
        pipeline.event("Iterator::Map", at + 355 * US, 120 * US)
    [finding] = said_of(timeline(space))
    assert {name: finding["params"][name] for name in ("tensor", "op", "op_ps", "bytes")} == {
        "tensor": "model/Sort",
        "op": "model/Sort",
        "op_ps": 80 * US,
        "bytes": 8000,
    }


@pytest.mark.parametrize(("size", "times"), [(4095, 0), (4096, 1)])
def test_a_page_is_a_tensor(size: int, times: int) -> None:
    assert len(said_of(trained(size=size))) == times


def test_what_comes_back_has_the_same_size() -> None:
    assert said_of(trained(returned=4096)) == []


@pytest.mark.parametrize(("beside_us", "times"), [(125, 1), (126, 0)])
def test_a_device_that_computes_meanwhile_does_not_wait(beside_us: float, times: int) -> None:
    assert len(said_of(trained(beside_us=beside_us))) == times


@pytest.mark.parametrize(("trips", "times"), [(1, 0), (2, 1)])
def test_half_of_the_steps_are_many(trips: int, times: int) -> None:
    assert len(said_of(trained(trips=trips))) == times


@pytest.mark.parametrize(
    ("beside_us", "severity"),
    [(50, "warning"), (51, "note")],
)
def test_from_a_fifth_of_a_step_on_it_is_a_warning(beside_us: float, severity: str) -> None:
    assert said_of(trained(beside_us=beside_us))[0]["severity"] == severity


def test_a_twentieth_of_the_steps_is_worth_a_line() -> None:
    """Of two of four steps: 100 µs, then 98 µs, each."""
    assert said_of(trained(trips=2, back_us=370))[0]["share"] == pytest.approx(0.05)
    assert said_of(trained(trips=2, back_us=369)) == []


def test_the_next_step_is_another_one() -> None:
    """What comes back after the step's end is its next input."""
    of = trained(back_us=995 + 10)
    assert round_trips(of, split_of(of)) is None


def test_the_three_longest_prove_it() -> None:
    of = trained(trips=4)
    found = round_trips(of, split_of(of))
    assert found is not None
    assert (found.trips, len(found.places)) == (4, 3)
