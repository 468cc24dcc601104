"""Hosts beside each other: groups that behave alike, the one that is late; and how long a driver starts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.hosts.environment import DriverStart, Edge, Edges, driver_start, edges
from tensorboard_perfplugin.analysis.hosts.workers import Pod, clusters, of_worker, pod, straggler
from tensorboard_perfplugin.analysis.steps.means import HostSteps
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, Timeline
from tests.tools.host_steps import MS, host, steps
from tests.tools.kineto import H100, Event, launched, on_host

Parts = Mapping[str, float]
#: Of a step of 100 ms; the rest is Python.
USUAL: Parts = {"compute_16bit": 50, "input_wait": 10}


def trained(*workers: Parts) -> Pod:
    """Workers by what differs from the usual, in ms of each of three steps; a step is so much longer or shorter."""
    hosts = []
    for i, parts in enumerate(workers):
        of = {**USUAL, **parts}
        wall = 100 + sum(of.values()) - sum(USUAL.values())
        three = {"GPU:0": {key: [ms] * 3 for key, ms in of.items()}}
        hosts.append(host(f"w{i}", steps([0, wall, 2 * wall], 3 * wall), parts_ms=three))
    return pod(hosts)


def grouped(*workers: Parts) -> list[tuple[int, str, float]]:
    """How many, by what they differ, and by how many ms."""
    return [
        (len(one.workers), CATEGORIES[one.category].key if one.category >= 0 else "", round(one.change_ps / MS, 6))
        for one in clusters(trained(*workers))
    ]


def waits(*input_ms: float) -> list[tuple[int, str, float]]:
    return grouped(*({"input_wait": ms} for ms in input_ms))


def test_those_as_usual_come_first_then_the_largest_group() -> None:
    others: Sequence[Parts] = ({"compute_16bit": 40}, {"input_wait": 17}, {"input_wait": 19}, {"input_wait": 4})
    assert grouped(*[USUAL] * 9, *others) == [
        (9, "", 0.0),
        (2, "input_wait", 8.0),
        (1, "compute_16bit", -10.0),
        (1, "input_wait", -6.0),
    ]
    found = clusters(trained(*[USUAL] * 9, *others))
    assert of_worker(found, 13).tolist() == [1] * 9 + [3, 2, 2, 4]


def test_a_worker_is_in_the_group_of_what_is_farthest_away() -> None:
    """8 ms of input wait among workers that do not differ in it are farther than 10 ms of compute among others."""
    spread: Sequence[Parts] = [{"compute_16bit": ms} for ms in (45, 46, 47, 48, 50, 52, 53, 54, 55)]
    assert grouped(*spread, {"compute_16bit": 60, "input_wait": 18}) == [(9, "", 0.0), (1, "input_wait", 8.0)]


@pytest.mark.parametrize(("count", "groups"), [(7, 0), (8, 2)])
def test_eight_workers_are_grouped(count: int, groups: int) -> None:
    assert len(waits(*[10] * (count - 1), 60)) == groups


@pytest.mark.parametrize(("ms", "groups"), [(12.0, 1), (12.02, 2)])
def test_of_workers_that_do_not_differ_two_percent_of_a_step_is_another_behaviour(ms: float, groups: int) -> None:
    """Steps take 100.3 ms on average."""
    assert len(waits(*[10] * 7, ms)) == groups


@pytest.mark.parametrize(("ms", "groups"), [(25.8, 1), (25.9, 2)])
def test_of_workers_that_differ_four_of_their_deviations_are(ms: float, groups: int) -> None:
    """The median is 14 ms, and the median of the distances from it 2 ms: 4 × 1.4826 × 2 ms = 11.86 ms."""
    assert len(waits(10, 11, 12, 13, 14, 15, 16, 17, ms)) == groups


def test_two_halves_have_no_majority() -> None:
    assert waits(*[10] * 4, *[60] * 4) == [(8, "", 0.0)]
    assert waits(*[10] * 5, *[60] * 4) == [(5, "", 0.0), (4, "input_wait", 50.0)]


def test_waiting_for_others_counts_where_nothing_else_is_far() -> None:
    """Who comes last to an all-reduce waits least in it."""
    late: Parts = {"input_wait": 15, "collective": 10}
    apart: Parts = {"collective": 33}
    assert grouped(*[{"collective": 30}] * 8, late, apart) == [
        (8, "", 0.0),
        (1, "input_wait", 5.0),
        (1, "collective", 3.0),
    ]


def test_without_steps_there_are_no_groups() -> None:
    assert clusters(pod([host(f"w{i}", steps([], 0)) for i in range(9)])) == ()


def took(name: str, walls_ms: Sequence[float]) -> HostSteps:
    """Steps so long, and one more that does not count."""
    begins = [sum(walls_ms[:i]) for i in range(len(walls_ms) + 1)]
    return host(name, steps(begins, begins[-1] + 100))


@pytest.mark.parametrize(
    ("walls_ms", "late"),
    [
        ({"a": [103] * 4, "b": [100] * 4}, "a"),
        ({"a": [101.5] * 4, "b": [100] * 4}, None),
        ({"a": [140, 140, 140, 100], "b": [100, 100, 100, 110]}, "a"),
        ({"a": [140, 140, 100, 100], "b": [100, 100, 110, 110]}, None),
        ({"a": [140, 140, 100, 100], "b": [100, 100, 110, 100], "c": [100, 100, 100, 110]}, "a"),
        ({"a": [140, 140, 100, 100, 100], "b": [100, 100, 110, 110, 100], "c": [100, 100, 100, 100, 110]}, None),
    ],
    ids=["late", "hardly", "in 3 of 4 steps", "in 2 of 4 steps", "of three in 2 of 4", "of three in 2 of 5"],
)
def test_a_straggler_is_late_by_two_percent_in_half_of_the_steps_of_two_hosts_in_three_quarters(
    walls_ms: dict[str, list[float]], late: str | None
) -> None:
    found = straggler(pod([took(name, walls) for name, walls in walls_ms.items()]))
    assert (found and found.name) == late


def second(*events: Event) -> Timeline:
    """A capture of 1 s."""
    whole = on_host("main", 0, 1_000_000, "user_annotation")
    data = {"schemaVersion": 1, "deviceProperties": [H100], "traceEvents": [whole, *events]}
    return Timeline(decode.read_bytes(json.dumps(data).encode(), "h.pt.trace.json"), "h")


def start(*events: Event) -> DriverStart:
    return driver_start(second(*events))


@pytest.mark.parametrize(("ms", "calls"), [(100, 1), (99.9, 0)])
def test_a_call_of_the_driver_from_a_tenth_of_a_second_on(ms: float, calls: int) -> None:
    found = start(on_host("cudaFree", 50_000, ms * 1000, "cuda_runtime"))
    assert found.calls == calls
    if calls:
        assert (found.ps, found.of_ps, found.call, found.call_ps, found.when[:2]) == (
            100 * MS,
            1000 * MS,
            "cudaFree",
            100 * MS,
            (50 * MS, 150 * MS),
        )


def test_what_waits_for_a_device_is_no_start() -> None:
    waits = [
        on_host(name, 200_000 * i, 150_000, "cuda_runtime")
        for i, name in enumerate(("cudaDeviceSynchronize", "cudaMemcpy", "cudaStreamSynchronize"))
    ]
    assert start(*waits, on_host("aten::mm", 700_000, 200_000)) == DriverStart()


def test_what_a_device_does_meanwhile_is_left_out() -> None:
    call = on_host("cuModuleLoadData", 100_000, 300_000, "cuda_driver")
    found = start(*launched("gemm", 50_000, 350_000, 100_000, 1), call)
    assert (found.ps, found.call_ps) == (250 * MS, 300 * MS)


def test_what_a_host_did_before_its_devices_worked_and_after() -> None:
    """By self time of the calls that lie there; where none has a third of it, no call is named."""
    loads = on_host("cudaMalloc", 10_000, 60_000, "cuda_runtime")
    unloads = [on_host("cuModuleUnload", 300_000 + 10_000 * i, 9_000, "cuda_driver") for i in range(30)]
    work = [*launched("gemm", 100_000, 200_000, 20_000, 1), *launched("gemm", 210_000, 250_000, 10_000, 2)]
    assert edges(second(loads, *work, *unloads)) == Edges(
        1000 * MS,
        Edge(200 * MS),
        Edge(740 * MS, "cuModuleUnload", 270 * MS, 30, (300 * MS, 599 * MS)),
    )
    assert edges(second(loads)) == Edges()
