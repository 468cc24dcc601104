"""What the steps of PyTorch lose: short operators, first calls, anomaly mode, sums of gradients that no update uses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.steps.contents import Spent
from tensorboard_perfplugin.analysis.steps.summary import StepSummary, step_summary
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.tools.kineto import H100, Event, ask, launched, on_device, on_host, saved, step

US = 10**6


def calls(count: int, op_us: float = 5, gap_us: float = 3, inner: int = 0) -> list[Event]:
    """Two steps of 10 ms with so many calls of an operator each, and a gap after each."""
    events: list[Event] = []
    for number in range(2):
        events.append(step(number, 10_000 * number, 10_000))
        for i in range(count):
            at = 10_000 * number + 100 + i * (op_us + gap_us)
            events.append(on_host("aten::add", at, op_us))
            events += [on_host("aten::to", at + 0.1 + j * 0.2, 0.1) for j in range(inner)]
    return events


def summary(folder: Path, *events: Event) -> StepSummary:
    timeline = Timeline(decode.read(str(saved(folder, *events))), "h")
    return step_summary(timeline, split_of(timeline))


@pytest.mark.parametrize(("part_us", "count"), [(50, 20), (51, 0)])
def test_an_operator_whose_part_computes_is_none(tmp_path: Path, part_us: float, count: int) -> None:
    """A layer of 90 µs that makes nine more calls, one of which multiplies matrices."""
    events = calls(10, 90, inner=8)
    parts = [on_host("aten::addmm", event["ts"] + 20, part_us) for event in events if event["name"] == "aten::add"]
    assert summary(tmp_path, *events, *parts).all_short_calls.times == count


@pytest.mark.parametrize("late_us", [0, 4000])
def test_what_others_had_of_the_processor_is_no_part_of_short_ops(tmp_path: Path, late_us: float) -> None:
    """Each fifth of 200 calls a step lasts 4 ms longer: of what is left of a step they take what they take anyway."""
    events: list[Event] = []
    at = 0.0
    for number in range(2):
        begin = at
        for i in range(200):
            length = 6 + (late_us if i % 5 == 3 else 0)
            events.append(on_host("aten::add", at, length))
            at += length + 1
        events.append(on_host("aten::mm", at, 1000))
        at += 1001
        events.append(step(number, begin, at - begin))
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert (first["code"], first["share"]) == ("short_ops", pytest.approx(1.4 / 2.4, abs=0.01))


@pytest.mark.parametrize(("late_us", "counted_us"), [(5000, 5000 + 3 * 17), (5001, 3 * 17)])
def test_a_call_that_was_interrupted_once_is_as_short(tmp_path: Path, late_us: float, counted_us: float) -> None:
    events = calls(10)
    for event in events[-5:]:
        event["ts"] += late_us - 3
    assert summary(tmp_path, *events).short_gaps_ps == pytest.approx(counted_us * US)


def test_what_a_loader_calls_is_none(tmp_path: Path) -> None:
    name = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    found = summary(tmp_path, *calls(10), on_host(name, 50, 9000))
    assert found.all_short_calls.times == 10


@pytest.mark.parametrize(("count", "code"), [(100, "short_ops"), (99, "python_bound")])
def test_a_step_of_many_is_named_by_them(tmp_path: Path, count: int, code: str) -> None:
    events = [e for e in calls(count, op_us=18, gap_us=48) if e["ts"] < 30_000]
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert first["code"] == code


def test_fetching_numbers_is_said_to_be_that(tmp_path: Path) -> None:
    events = [event | {"name": "aten::item"} if event["name"] == "aten::add" else event for event in calls(400, 4, 20)]
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert (first["code"], first["params"]["op"], first["params"]["fetches"]) == ("short_ops", "aten::item", True)
    assert first["share"] == pytest.approx(0.98, abs=0.01)
    assert "tolist()" in first["action"]


def test_parameters_updated_one_by_one_are_told_with_what_does_it_at_once(tmp_path: Path) -> None:
    """Of 300 calls 200 change a tensor in place and 50 fetch one number: an optimizer written by hand."""
    names = ["aten::mul_", "aten::add_", "aten::mul_", "aten::add_", "aten::norm", "aten::item"]
    events = calls(300, op_us=5, gap_us=20)
    for i, event in enumerate(e for e in events if e["name"] == "aten::add"):
        event["name"] = names[i % len(names)]
    first, *_ = ask(saved(tmp_path, *events), "overview").to_dict()["findings"]
    assert first["code"] == "short_ops"
    assert "200 change a tensor in place" in first["title"]
    assert "50 are `aten::item`, which fetches one number" in first["title"]
    assert "`foreach=True` or `fused=True`" in first["action"]
    assert "`torch.nn.utils.clip_grad_norm_`" in first["action"]


def training(summed: tuple[int, ...], batches: int = 4, updates: int = 1) -> list[Event]:
    """Three steps of 10 ms: of each batch a forward pass, 1 ms; of some the sums over ranks, 1 ms; then updates."""
    events: list[Event] = []
    for number in range(3):
        begin = 10_000.0 * number
        events.append(step(number, begin, 10_000))
        for i in range(batches):
            at = begin + 2000 * i
            events.append(on_host("DistributedDataParallel.forward", at, 1000, "user_annotation"))
            events.append(on_host("aten::addmm", at, 900))
            if i in summed:
                events.append(on_host("torch::distributed::reducer::mul_out", at + 1000, 10))
                events.append(on_host("gloo:all_reduce", at + 1010, 900, "user_annotation"))
        for i in range(updates):
            events.append(on_host("Optimizer.step#SGD.step", begin + 9000 + 300 * i, 200, "user_annotation"))
    return events


@pytest.mark.parametrize(
    ("summed", "updates", "again"),
    [
        pytest.param((0, 1, 2, 3), 1, 0.75, id="after each batch"),
        pytest.param((2, 3), 1, 0.5, id="after two"),
        pytest.param((0, 1, 2, 3), 4, None, id="as many updates"),
        pytest.param((3,), 1, None, id="after the last"),
        pytest.param((0, 1, 2, 3), 0, None, id="no update recorded"),
    ],
)
def test_sums_of_gradients_that_no_update_uses(
    tmp_path: Path, summed: tuple[int, ...], updates: int, again: float | None
) -> None:
    findings = ask(saved(tmp_path, *training(summed, updates=updates)), "overview").to_dict()["findings"]
    found = [f for f in findings if f["code"].startswith("collectives_exposed")]
    assert found
    assert found[0]["params"].get("again") == again
    assert ("no_sync()" in found[0]["action"]) is (again is not None)


def numbered(name: str, at: float, length: float, number: int, thread: int = 0) -> Event:
    event = on_host(name, at, length)
    return event | {"args": {"Sequence number": number, "Fwd thread id": thread}}


def backward(name: str, at: float, number: int, checked: bool) -> list[Event]:
    """A node of 100 µs, of which 60 are its own work and 35 look for NaN."""
    node = numbered(f"autograd::engine::evaluate_function: {name}", at, 100, number, 1)
    own = numbered(name, at, 60, number, 1)
    checks = [("aten::isnan", 61, 10), ("aten::_is_any_true", 71, 20), ("aten::item", 91, 5)]
    return [node, own, *(on_host(check, at + begin, length) for check, begin, length in checks if checked)]


def trained(checked: int = 2, stack: float = 300, first: str = "aten::t") -> list[Event]:
    """Two steps of 2 ms: a view and a product, of which anomaly mode checks so many nodes."""
    events = []
    for i in range(2):
        at = 2000 * i
        events += [
            step(i, at, 2000),
            numbered(first, at, stack, 2 * i),
            numbered("aten::mm", at + 400, 1000, 2 * i + 1),
        ]
        events += [on_host("aten::as_strided", at + stack / 2, stack / 10)]
        events += backward("MmBackward0", at + 1500, 2 * i + 1, checked > 0)
        events += backward("TBackward0", at + 1600, 2 * i, checked > 1)
    return events


def anomaly(folder: Path, *events: Event) -> tuple[int, float]:
    """Nodes that are checked, and µs, of all steps."""
    timeline = Timeline(decode.read(str(saved(folder, *events))), "h")
    found = step_summary(timeline, split_of(timeline)).anomaly
    return found.times, found.ps / US


def test_a_stack_takes_what_a_view_does_and_a_product_has_one_too(tmp_path: Path) -> None:
    """Of the view's 300 µs 30 are of what it calls; the product keeps a stack for as long: 2 × 270 + 2 × 35 a step."""
    nodes, us = anomaly(tmp_path, *trained())
    assert (nodes, round(us)) == (4, 2 * (2 * 270 + 2 * 35))


def test_without_a_view_no_operator_keeps_its_stack_longer_than_the_median(tmp_path: Path) -> None:
    """Of 270 and 1000 µs each twice the median is 635."""
    nodes, us = anomaly(tmp_path, *trained(first="aten::relu"))
    assert (nodes, round(us)) == (4, 2 * (270 + 635 + 2 * 35))


def test_a_hook_that_looks_for_nan_in_one_of_three_nodes_is_no_anomaly_mode(tmp_path: Path) -> None:
    more = [event for i in range(2) for event in backward("ReluBackward0", 2000 * i + 1750, 50, False)]
    assert anomaly(tmp_path, *trained(1), *more) == (0, 0)


def test_what_a_device_does_meanwhile_costs_nothing(tmp_path: Path) -> None:
    """`aten::item` waits for the kernel that the node launched: of the first check's 35 µs 15 are the kernel's."""
    kernels = launched("isnan_kernel", 1561, 1576, 15, 7)
    assert anomaly(tmp_path, *trained(), *kernels)[1] == pytest.approx(2 * (2 * 270 + 2 * 35) - 15, abs=0.01)


@pytest.mark.parametrize(("stack", "code"), [(300, "anomaly_mode"), (40, "computes")])
def test_it_is_the_answer_from_a_tenth_of_a_step_on(tmp_path: Path, stack: float, code: str) -> None:
    first, *others = ask(saved(tmp_path, *trained(stack=stack)), "overview").to_dict()["findings"]
    assert first["code"] == code
    if code != "anomaly_mode":
        [noted] = [f for f in others if f["code"] == "anomaly_mode"]
        assert (noted["severity"], noted["share"]) == ("note", pytest.approx((2 * 36 + 70) / 2000, abs=1e-3))
    else:
        assert first["title"] == (
            "Steps take 2 ms; 610 µs (31 %) of that is autograd's anomaly mode, which keeps the stack of every "
            "operator and looks for NaN in 2 nodes of the backward pass a step"
        )


MS = 10**9


def ones(number: int, empty_us: float) -> list[Event]:
    """`aten::ones` that makes a tensor, and fills it on the device."""
    at = 10_000 * number
    return [
        step(number, at, 9_900),
        on_host("aten::ones", at + 100, empty_us + 100),
        on_host("aten::empty", at + 110, empty_us),
        *launched("fill", at + 115 + empty_us, at + 120 + empty_us, 50, 1 + number),
    ]


def first_calls(*events: Event) -> dict[str, Spent]:
    data = {"schemaVersion": 1, "deviceProperties": [H100], "traceEvents": events}
    timeline = Timeline(decode.read_bytes(json.dumps(data).encode(), "h.pt.trace.json"), "h")
    return step_summary(timeline, split_of(timeline)).first_calls


def test_what_a_device_works_meanwhile_costs_nothing() -> None:
    assert first_calls(*ones(0, 2000), on_device("long", 0, 1610, stream=9)) == {"aten::empty": Spent(1, 500 * US)}


def test_an_operator_that_launches_nothing_is_work_of_the_host() -> None:
    assert first_calls(*ones(0, 5), on_host("aten::sort", 1000, 5000)) == {}


def test_calls_are_short_by_what_they_call_and_gaps_between_them_are_their_dispatch(tmp_path: Path) -> None:
    for op_us, inner, count in ((20, 0, 20), (20.5, 0, 0), (40, 1, 20), (41, 1, 0)):
        found = summary(tmp_path, *calls(10, op_us, inner=inner)).all_short_calls
        assert (found.times, found.ps) == (count, round(count * op_us * US))
    for gap_us, counted_us in ((50, 50 * 18), (51, 0)):
        assert summary(tmp_path, *calls(10, gap_us=gap_us)).short_gaps_ps == pytest.approx(counted_us * US)
    for name, updates in (("aten::mul_", 20), ("aten::zero_", 0), ("aten::mul", 0)):
        events = [event | {"name": name} if event["name"] == "aten::add" else event for event in calls(10)]
        assert summary(tmp_path, *events).short_updates.times == updates


def test_half_of_the_nodes_are_checked(tmp_path: Path) -> None:
    assert [anomaly(tmp_path, *trained(checked))[0] for checked in (2, 1, 0)] == [4, 2, 0]


def test_an_operator_that_takes_a_millisecond_and_not_in_each_step() -> None:
    once = [first_calls(*ones(0, 5), *ones(1, us), *ones(2, 5)) for us in (999, 1000)]
    assert once == [{}, {"aten::empty": Spent(1, MS)}]
    often = [first_calls(*(e for i in range(3) for e in ones(i, 2000 if i < times else 5))) for times in (2, 3)]
    assert often == [{"aten::empty": Spent(2, 4 * MS)}, {}]
