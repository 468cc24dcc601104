"""Collectives just below and just above each number that decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.collectives import (
    Arrivals,
    begun_by,
    calls,
    collective_sums,
    late_rank,
    negotiated,
)
from tensorboard_perfplugin.analysis.collectives.calls import What
from tensorboard_perfplugin.analysis.collectives.links import linked
from tensorboard_perfplugin.analysis.collectives.names import Group, input_bytes, instruction_group, kind_of
from tensorboard_perfplugin.analysis.collectives.together import Together
from tensorboard_perfplugin.timeline import split_of
from tests.analysis.collectives.test_programs import PART, ran
from tests.build_capture import Space, StatValue, chunk
from tests.build_program import instruction, packed
from tests.timeline.timelines import timeline

MS = 10**9


@pytest.mark.parametrize(("length", "start"), [(2000, "all-reduce-start.3"), (2001, "all-reduce-start.5")])
def test_an_operand_is_looked_for_in_2000_characters(length: int, start: str) -> None:
    """Without it the name tells which start is meant."""
    end = " all-reduce-done(f32[8] %all-reduce-start.3)"
    assert begun_by("%all-reduce-done.5 = ".ljust(length - len(end), "x") + end) == start


@pytest.mark.parametrize(("length", "kind"), [(400, "all-reduce"), (401, "other")])
def test_a_kind_is_looked_for_in_400_characters(length: int, kind: str) -> None:
    assert kind_of("all-reduce".rjust(length, "_")) == kind


@pytest.mark.parametrize(("length", "size", "bytes_"), [(10_000, 2, 32), (10_001, 0, -1)])
def test_shapes_and_groups_are_looked_for_in_10_000_characters(length: int, size: int, bytes_: int) -> None:
    assert instruction_group("replica_groups={{0,1}}".rjust(length)).size == size
    assert input_bytes("[[8" + "]]".rjust(length - 3), '["float"]') == bytes_


@pytest.mark.parametrize("count", [64, 65])
def test_64_groups_and_64_devices_of_one_are_written_out(count: int) -> None:
    one = instruction(5, "c.1", "all-reduce", PART, (1,))
    many = b"".join(chunk(49, packed(1, (2 * i, 2 * i + 1))) for i in range(count))
    [groups] = calls(ran(one + many, name="c.1")).whats
    [large] = calls(ran(one + chunk(49, packed(1, range(count))), name="c.1")).whats
    assert (groups.group.ranks.count("{") - 1, groups.group.size) == (64, 2)
    assert (large.group.ranks.count(",") + 1, large.group.size) == (64, count)


@pytest.mark.parametrize(
    ("last", "late_ps", "rank"),
    [(5, MS + 1, 1), (4, MS + 1, None), (5, MS, None)],
    ids=["late", "seldom", "in a cycle"],
)
def test_a_rank_is_late_by_more_than_a_cycle_to_half_of_all(last: int, late_ps: int, rank: int | None) -> None:
    columns = ([0, 0], [0, 1], [10, 10], [0, last], [0, 10 * late_ps])
    found = late_rank(Arrivals(*(np.array(column, np.int64) for column in columns)), 10)
    assert (found and found.rank) == rank


def test_the_first_negotiations_and_their_kinds_are_kept() -> None:
    space = Space()
    line = space.plane("dense").line(1).event("NEGOTIATE_ALLREDUCE", 0, 10**6)
    line.events *= 262_145
    assert len(negotiated(timeline(space)).rows) == 262_144
    space = Space()
    line = space.plane("dense").line(1)
    for i in range(5001):
        line.event(f"NEGOTIATE_{i}", i * 10**6, 10**6)
    found = negotiated(timeline(space))
    assert (len(found.whats), len(found.rows), found.whats[-1].kind) == (5000, 5000, "4999")


@pytest.mark.slow
def test_the_first_calls_are_kept() -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)").event("ncclDevKernel_AllReduce_f32", 0, 10**6)
    line.events *= 262_145
    found = calls(timeline(space))
    assert (len(found), found.left_out) == (262_144, 1)


def all_reduces(spans_ps: Sequence[Sequence[int]], kinds: int = 1) -> Together:
    """spans_ps: how long each takes, worker by worker. kinds: as many rows of the table, each of these."""
    spans = np.array(spans_ps, np.int64)
    ones, workers = spans.shape
    n = spans.size * kinds
    one, worker = np.arange(n) // workers, np.arange(n) % workers
    span, none = np.tile(spans.ravel(), kinds), np.zeros(n, np.int64)
    whats = tuple(What("all-reduce", Group(str(i), "", workers)) for i in range(kinds))
    shortest = np.tile(np.repeat(spans.min(axis=1), workers), kinds)
    labels = tuple(f"w{i}" for i in range(workers))
    times = span, span, none, none > 0, none, none, none, none
    return Together(whats, one // ones, worker, none, *times, one, shortest, labels, (0,))


@pytest.mark.parametrize(
    ("spans", "late"),
    [
        ([[1000, 979]] * 4, "w1"),
        ([[1000, 981]] * 4, None),
        ([[9, 1, 9], [9, 1, 9], [1, 9, 9], [9, 9, 1]], "w1"),
        ([[9, 1, 9], [9, 1, 9], [1, 9, 9], [1, 9, 9], [9, 9, 1]], None),
    ],
)
def test_a_worker_is_late_to_half_of_a_rows_calls_by_two_percent_of_them(
    spans: list[list[int]], late: str | None
) -> None:
    [row] = collective_sums(all_reduces(spans))
    assert row.arrival is not None
    assert row.arrival.last == late


def test_a_table_has_5000_rows_at_most() -> None:
    many = all_reduces([[2, 1]], 5001)
    assert len(collective_sums(many._replace(one=np.full(len(many.one), -1)))) == 5000


@pytest.mark.parametrize(("length", "gb_s"), [(100, 300.0), (101, None)])
def test_100_letters_of_a_models_name_are_looked_at(length: int, gb_s: float | None) -> None:
    space, name = Space(), "NVIDIA A100-SXM4-80GB"
    stats: dict[str, StatValue] = {"device_vendor": "Nvidia", "gpu_device_name": name.rjust(length + 5)}
    space.plane("/device:GPU:0", stats=stats).line(7, "Stream #7").event("k", 0, 10**6)
    of = timeline(space)
    [found] = linked(of, split_of(of))
    assert (len(found.model), found.gb_s) == (100, gb_s)
