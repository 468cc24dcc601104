"""Collectives of XLA whose devices are in several groups: which belong together, and who came last to each."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.collectives.calls import calls, members
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import StatValue, number
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.collectors import Tpu
from tests.tools.pod_viewer.test_collectives import ask, rows

US = 1000
DEVICE: dict[str, StatValue] = {"device_type_string": "TPU v5"}
NAMES = (
    "workers",
    "collective_count",
    "skew_us",
    "max_skew_us",
    "peer_wait_ms",
    "last_worker",
    "last_share",
    "lag_us",
)


@pytest.mark.parametrize(
    ("said", "groups"),
    [
        ("{{0,1},{2,3}}", ((0, 1), (2, 3))),
        ("[2,2]<=[4]", ((0, 1), (2, 3))),
        ("[4,2]<=[2,4]T(1,0)", ((0, 4), (1, 5), (2, 6), (3, 7))),
        ("[2,4]<=[2,2,2]T(1,0,2)", ((0, 1, 4, 5), (2, 3, 6, 7))),
        ("{{0}{1 9}}", ((0,), (1, 9))),
        ("[2,2]<=[5]", ()),
        ("[4,2]<=[2,4]T(1,1)", ()),
        ("[999999,999999]<=[999999,999999]", ()),
        ("[0, 1]", ()),
        ("[1,65536]<=[65536]", (tuple(range(65_536)),)),
        ("[1,65537]<=[65537]", ()),
    ],
)
def test_groups_in_both_of_xlas_forms(said: str, groups: tuple[tuple[int, ...], ...]) -> None:
    assert members(said) == groups


def reduce(groups: str) -> str:
    return f"%all-reduce.1 = f32[256] all-reduce(f32[256] %x), channel_id=1, replica_groups={groups}"


def trained(
    groups: str,
    arrive_us: list[int],
    end_us: list[int],
    cores: tuple[int, ...] = (),
    devices: tuple[int, ...] = (),
    host: str = "h",
    replicas: int = 1,
) -> Timeline:
    """Two steps of 400 µs of each chip: work until it arrives, then an all-reduce."""
    tpu = Tpu(DEVICE, len(arrive_us))
    for chip, (arrives, end) in enumerate(zip(arrive_us, end_us, strict=True)):
        work = tpu.kind(chip, "%fusion.1 = f32[256] fusion(f32[256] %x)", "loop fusion")
        both = tpu.kind(chip, reduce(groups), "all-reduce")
        for step in range(2):
            span = step * 400 * US, (step * 400 + end) * US
            tpu.step(chip, step, span, [(work, arrives * US), (both, (end - arrives) * US)])
        if cores:
            tpu.chips[chip].stats = {**DEVICE, "core_details": number(6, cores[chip]) + number(4, chip)}
    if devices:
        body = computation(1, [instruction(1, "x", "parameter", shape("f32", 256))])
        told: dict[str, StatValue] = {
            "Hlo Proto": program(body, entry=1, name="jit_step", devices=devices, replicas=replicas)
        }
        tpu.space.plane("/host:metadata").kind("jit_step(77)", stats=told)
    return timeline(tpu.space, host)


def test_groups_of_one_host_are_told_apart() -> None:
    """Chip 2 comes 100 µs after chip 0, chip 1 30 µs after chip 3. Without their groups chip 2 came last to all."""
    answer = ask(trained("{{0,2},{1,3}}", [100, 150, 200, 120], [300, 310, 300, 310]))
    assert [tuple(row.values()) for row in rows(answer, "collectives", *NAMES)] == [
        (4, 4, pytest.approx(65.0), 100.0, pytest.approx(0.26), "h/TPU:2", 1.0, 100.0)
    ]
    waits = [row["peer_wait_ms"] for row in rows(answer, "workers", "peer_wait_ms")]
    assert waits == [pytest.approx(ms) for ms in (0.1, 0.0, 0.0, 0.03)]


def test_groups_that_did_not_run_at_one_time_are_not_believed() -> None:
    """Chips 0 and 2 are said to be a group, but the one is done before the other arrives."""
    answer = ask(trained("{{0,2},{1,3}}", [100, 150, 350, 120], [300, 310, 390, 310]))
    assert rows(answer, "collectives", "collective_count")[0]["collective_count"] == 2


def test_groups_across_hosts_by_the_cores_ids_and_the_programs_devices() -> None:
    """Places 0 and 2 of the program are one group: devices 1 and 3, the second chips of both hosts."""
    groups, devices = "[2,2]<=[2,2]T(1,0)", (1, 0, 3, 2)
    first = trained(groups, [100, 100], [300, 340], (0, 1), devices, "a")
    second = trained(groups, [110, 170], [300, 340], (2, 3), devices, "b")
    assert [calls(one).party.tolist() for one in (first, second)] == [[1, 1, 0, 0]] * 2
    row = rows(ask(first, second), "collectives", *NAMES)[0]
    assert tuple(row.values())[:4] == (4, 4, pytest.approx(40.0), 70.0)
    assert (row["last_worker"], row["lag_us"]) == ("b/TPU:1", 70.0)


@pytest.mark.parametrize(("replicas", "party"), [(1, [1, 1, 0, 0]), (2, [0, 0, 1, 1]), (4, [1, 1, 0, 0])])
def test_what_programs_of_replicas_and_partitions_assign_is_not_read(replicas: int, party: list[int]) -> None:
    """Their places are taken for ids."""
    of = trained("[2,2]<=[2,2]T(1,0)", [100, 100], [300, 340], (0, 1), (1, 0, 3, 2), replicas=replicas)
    assert calls(of).party.tolist() == party


def test_what_places_name_is_not_known_of_a_part_of_a_programs_devices() -> None:
    """Two of four devices, and no ids of theirs: they may be 0 and 1, or 2 and 3."""
    found = trained("{{0,1},{2,3}}", [100, 150], [300, 300])
    assert calls(found).party.tolist() == [-1] * 4


def test_workers_whose_groups_hold_nobody_else_are_told() -> None:
    """The second host of a program whose groups go across hosts, without the first."""
    answer = ask(trained("[4,2]<=[2,4]T(1,0)", [100, 120, 140, 160], [300] * 4, (4, 5, 6, 7), tuple(range(8))))
    row = rows(answer, "collectives", "workers", "group_size", "collective_count", "why_unknown")[0]
    assert tuple(row.values())[:3] == (4, 2, None)
    assert row["why_unknown"].endswith("the others of these groups are in no capture of this run")


def test_an_asynchronous_collective_counts_from_its_start() -> None:
    """Chip 1 starts it 150 µs later. By the ends alone chip 0, which waits for 20 µs, would have come last."""
    tpu = Tpu(DEVICE, 2)
    for chip, (starts, waits) in enumerate(((0, 20), (150, 100))):
        work = tpu.kind(chip, "%fusion.1 = f32[256] fusion(f32[256] %x)", "loop fusion")
        begun = tpu.kind(chip, "%all-reduce-start.3 = f32[256] all-reduce-start(f32[256] %x)", "all-reduce")
        done = tpu.kind(
            chip, "%all-reduce-done.5 = f32[256] all-reduce-done(f32[256] %all-reduce-start.3)", "all-reduce"
        )
        for step in range(2):
            ops = [(work, starts * US), (begun, US), (work, (299 - starts - waits) * US), (done, waits * US)]
            tpu.step(chip, step, (step * 400 * US, step * 400 * US + 300 * US), ops)
    answer = ask(timeline(tpu.space))
    names = ("count", "total_ms", *NAMES[1:])
    assert [tuple(row.values()) for row in rows(answer, "collectives", *names)] == [
        (4, pytest.approx(0.24), 2, 150.0, 150.0, pytest.approx(0.3), "h/TPU:1", 1.0, 150.0)
    ]
