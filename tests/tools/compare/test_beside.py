"""Built programs → what changed beside a step's time: counts, input stages, collectives, hosts, memory, by hand."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, quantities
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.compare.sides import US, compared, program

SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.xplane.pb"))
#: Table → its columns of base, new and change.
CHANGES = {
    "categories": [("base_ms", "new_ms", "change_ms")],
    "ops": [("base_ms", "new_ms", "change_ms")],
    "kernels": [("base_ms", "new_ms", "change_ms")],
    "counts": [("base", "new", "change")],
    "inputs": [("base_ms", "new_ms", "change_ms")],
    "collectives": [("base_ms", "new_ms", "change_ms")],
    "hosts": [("base_ms", "new_ms", "change_ms"), ("own_base_ms", "own_new_ms", "own_change_ms")],
    "memory": [("base_bytes", "new_bytes", "change_bytes")],
}


def trained(
    steps: int = 6,
    kernels: int = 2,
    copied: int = 1000,
    reduced_us: int = 10,
    mapped_us: int = 4,
    compiles: int = 0,
    kernel_us: int = 20,
    host: str = "h",
    step_us: int = 200,
    map_name: str = "Map",
) -> Timeline:
    """A step on a GPU: a copy in, kernels, an all-reduce; a stage of tf.data makes its element. One more
    step is cut."""
    space = Space()
    cpu, gpu = space.plane("/host:CPU"), space.plane("/device:GPU:0")
    python, maker = cpu.line(1, "python"), cpu.line(2, "tf_data_iterator_get_next/1")
    stream, reduces = gpu.line(7, "Stream #7(Compute)"), gpu.line(9, "Stream #9(Compute)")
    for number in range(steps + 1):
        at = step_us * number
        python.event("train", at * US, (step_us - 10) * US, {"step_num": number, "_r": 1})
        maker.event(f"Iterator::{map_name}", at * US, mapped_us * US)
        for i in range(kernels + 1):
            python.event("cuLaunchKernel", (at + 20 + i) * US, US // 2, {"correlation_id": 100 * number + i + 1})
        text = f"kind_src:pinned kind_dst:device size:{copied} dest:0 async:1"
        details: dict[str, StatValue] = {"memcpy_details": text, "correlation_id": 100 * number + kernels + 1}
        stream.event("MemcpyH2D", (at + 22) * US, 5 * US, details)
        for i in range(kernels):
            launched = {"correlation_id": 100 * number + i + 1}
            stream.event("volta_sgemm_128x64", (at + 30 + kernel_us * i) * US, kernel_us * US, launched)
        reduces.event("ncclDevKernel_AllReduce_Sum_f32", (at + 150) * US, reduced_us * US)
    for i in range(compiles):
        python.event("backend_compile", (192 + step_us * i) * US, 5 * US)
    return timeline(space, host)


def counts(answer: Answer) -> dict[str, tuple[Any, ...]]:
    found = rows_of(answer, "counts", "count", "base", "new", "change", digits=6)
    return {name: tuple(numbers) for name, *numbers in found}


def test_counts_of_a_step() -> None:
    """One more kernel, a larger copy, a longer all-reduce; counted of steps that are whole."""
    answer = compared([trained()], [trained(kernels=3, copied=3000, reduced_us=15)])
    found = counts(answer)
    assert found["launches"] == (3, 4, 1)
    assert found["kernels"] == (3, 4, 1)
    assert found["copies"] == (1, 1, 0)
    assert found["copied_in_bytes"] == (1000, 3000, 2000)
    assert found["collectives"] == (1, 1, 0)
    assert found["compilations"] == (0, 0, 0)
    # The largest change, relative to A, is first.
    assert rows_of(answer, "counts", "count")[0] == ("copied_in_bytes",)


def test_what_the_capture_compiles() -> None:
    """Whatever steps count: a program may compile in a slow one only."""
    found = counts(compared([trained(compiles=1)], [trained(compiles=3)]))
    assert found["compilations"] == (1, 3, 2)
    assert found["compilation_ms"] == (0.005, 0.015, 0.01)


def test_what_a_capture_cannot_show_has_no_row() -> None:
    answer = compared([program(*[100] * 6)], [program(*[100] * 6)])
    assert set(counts(answer)) == {"ops", "compilations", "compilation_ms"}


def test_stages_of_the_input() -> None:
    answer = compared([trained()], [trained(mapped_us=14)])
    [row] = rows_of(answer, "inputs", "name", "change_ms", "match", "event", digits=6)
    # Of seven steps each has one: the capture's work ÷ its steps.
    assert row == ("Iterator::Map", 0.01, "same", "Map")
    [row] = rows_of(
        compared([trained(map_name="Map1")], [trained(map_name="Map2")]), "inputs", "name", "was", "match", digits=6
    )
    assert row == ("Iterator::Map2", "Iterator::Map1", "renamed")


def test_collectives() -> None:
    answer = compared([trained()], [trained(reduced_us=25)])
    [row] = rows_of(answer, "collectives", "name", "change_ms", "base_times", "base_bytes", "event", digits=6)
    assert row == ("all-reduce", 0.015, 1, None, "ncclDevKernel_AllReduce_Sum_f32")


def test_the_host_that_became_slower_is_first_though_the_other_waits_for_it() -> None:
    """Steps of both take 30 µs longer: one computes so much longer, the other waits for it in its all-reduce."""
    base = [trained(host="a"), trained(host="b")]
    new = [trained(host="a", step_us=230, reduced_us=40), trained(host="b", step_us=230, kernel_us=35)]
    rows = rows_of(compared(base, new, together=True), "hosts", "name", "own_change_ms", "change_ms", digits=6)
    assert rows == [("b", 0.03, 0.03), ("a", 0, 0.03)]


def test_hosts_of_other_names_go_by_their_place() -> None:
    answer = compared([trained(host="a1")], [trained(host="b7")])
    assert rows_of(answer, "hosts", "name", "was", "match") == [("b7", "a1", "renamed")]
    both = compared([trained(host="a1")], [trained(host="a1"), trained(host="b7")], together=True)
    assert sorted(rows_of(both, "hosts", "name", "match")) == [("a1", "same"), ("b7", "new")]


@pytest.mark.parametrize(("steps", "differ"), [(11, False), (12, True)])
def test_another_number_of_steps(steps: int, differ: bool) -> None:
    """Of six and twice as many."""
    answer = compared([trained(6)], [trained(steps)])
    [row] = [row for row in rows_of(answer, "conditions", "fact", "base", "new", "differs") if row[0] == "steps"]
    assert row == ("steps", "6", str(steps), differ)


def test_each_is_a_quantity_of_a_gate() -> None:
    found = quantities(compared([trained()], [trained(kernels=3, copied=3000, mapped_us=14)]))
    assert (found["kernels"].base, found["kernels"].new) == (3, 4)
    assert (found["copied_in"].unit, found["copied_in"].new) == ("bytes", 3000)
    assert found["copied_in"] == found["copied_in_bytes"]
    assert found["input:Iterator::Map"].unit == "ms"
    assert found["collective:all-reduce"].noisy
    assert found["host:h"].base == pytest.approx(found["host:h"].new)
    assert found["step_time_change_share"].unit == "share"
    assert (found["flops"].new, found["flops"].why) == (None, "the capture does not show it")


def check_sums(answer: Answer, swapped: Answer) -> None:
    """The change is B's less A's, and of the swapped sides the opposite."""
    for table, columns in CHANGES.items():
        for base, new, change in columns:
            for a, b, by in rows_of(answer, table, base, new, change):
                if by is not None:
                    assert by == pytest.approx((b or 0) - (a or 0), abs=1e-6)
            ours, theirs = (
                sorted(each for (each,) in rows_of(one, table, change) if each is not None) for one in (answer, swapped)
            )
            assert ours == pytest.approx([-each for each in reversed(theirs)], abs=1e-3, rel=1e-9), table


def check_zero(answer: Answer) -> None:
    for table, columns in CHANGES.items():
        for _, _, change in columns:
            assert not any(each for (each,) in rows_of(answer, table, change)), table


def test_rows_are_zero_and_flip() -> None:
    one, other = trained(), trained(kernels=3, copied=3000, reduced_us=15, mapped_us=14, compiles=1)
    check_sums(compared([one], [other]), compared([other], [one]))
    check_zero(compared([other], [other]))


@pytest.mark.parametrize(("a", "b"), list(pairwise([*SAMPLES, SAMPLES[0]])), ids=range(len(SAMPLES)))
def test_samples_against_each_other(a: Path, b: Path) -> None:
    one, other = (Timeline(decode.read(str(path)), "h") for path in (a, b))
    check_sums(compared([one], [other]), compared([other], [one]))
    check_zero(compared([one], [one]))


def torch_layer(first: int, **options: object) -> Timeline:
    """Three steps of PyTorch with a layer whose input has so many rows."""
    events: list[dict[str, object]] = []
    for number in range(3):
        mark = {"name": f"ProfilerStep#{number}", "cat": "user_annotation", "ts": 1000 * number, "dur": 1000}
        args = {"Input Dims": f"[[{first}, 512], [10, 512], [10]]"}
        layer = {"name": "aten::linear", "cat": "cpu_op", "ts": 1000 * number + 10, "dur": 900, "args": args}
        events += [{**one, "ph": "X", "pid": 1, "tid": 1} for one in (mark, layer)]
    text = json.dumps({"schemaVersion": 1, **options, "traceEvents": events})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), "h")


def test_batches_and_what_was_recorded_are_conditions() -> None:
    answer = compared([torch_layer(64)], [torch_layer(128, record_shapes=1)])
    facts = {name: facts for name, *facts in rows_of(answer, "conditions", "fact", "base", "new", "differs")}
    assert facts["first_dimension"] == ["64", "128", True]
    assert "record_shapes" not in facts
    answer = compared([torch_layer(64, record_shapes=0)], [torch_layer(64, record_shapes=1)])
    facts = {name: facts for name, *facts in rows_of(answer, "conditions", "fact", "base", "new", "differs")}
    assert facts["first_dimension"] == ["64", "64", False]
    assert facts["record_shapes"] == ["0", "1", True]


def lagging(first_launch: int) -> Timeline:
    """Kernels run 30 µs after their launches, one a step; what ran first was launched `first_launch` µs ago, or before
    the capture began, where that is below 0."""
    space = Space()
    python = space.plane("/host:CPU").line(1, "python")
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    for number in range(5):
        at = 100 * number
        python.event("train", at * US, 90 * US, {"step_num": number, "_r": 1})
        python.event("cuLaunchKernel", (at + 10) * US, US, {"correlation_id": number + 1})
        stream.event("volta_sgemm_128x64", (at + 40) * US, 20 * US, {"correlation_id": number + 1})
    if first_launch >= 0:
        python.event("cuLaunchKernel", first_launch * US, US, {"correlation_id": 99})
    stream.event("volta_sgemm_128x64", 20 * US, 10 * US, {"correlation_id": 99})
    return timeline(space)


@pytest.mark.parametrize(("first_launch", "times"), [(-1, 1.0), (5, 1.25)])
def test_what_was_launched_before_the_capture_is_no_step_s_kernel(first_launch: int, times: float) -> None:
    """Of four steps that count."""
    answer = compared([lagging(first_launch)], [lagging(first_launch)])
    assert rows_of(answer, "kernels", "base_times", "new_times") == [(times, times)]
    assert counts(answer)["kernels"] == (times, times, 0)
