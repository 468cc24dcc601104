"""kernel_stats of captures that lie, lack, or are huge: an answer, never an exception, never quadratic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.build_capture import Nothing, Space, StatValue, Uint
from tests.timeline.timelines import timeline
from tests.tools.kernels import DETAILS, NS, V100, ask, gpu, kernel, kernels_of, record, rows

HUGE = (1 << 62) // 1000


def test_stats_of_the_wrong_kind() -> None:
    wrong: list[dict[str, StatValue]] = [
        {"kernel_details": 5},
        {"kernel_details": b"\xff"},
        {"kernel_details": Nothing},
        {"kernel_details": DETAILS, "correlation_id": "text", "cuda_graph_id": "x", "tf_op": 7},
        {
            "kernel_details": DETAILS,
            "theoretical_occupancy_pct": float("nan"),
            "occupancy_min_grid_size": Uint(1 << 63),
        },
        {"kernel_details": DETAILS, "theoretical_occupancy_pct": float("inf"), "equation": "a,b->c->d"},
        {"memcpy_details": 7, "Memset_details": "x"},
        {"kernel_details": DETAILS, "memcpy_details": "size:8"},
        {"cuda_graph_exec_id": Uint((1 << 64) - 1)},
    ]
    space = Space()
    line = gpu(space, V100).line(7, "Stream #7(Compute)")
    for i, stats in enumerate(wrong):
        line.event("k", i * 1000 * NS, 1000 * NS, stats=stats)
    answer = ask(timeline(space))
    assert sum(row[0] for row in rows(answer, "kernels", "occurrences")) == 7
    assert len(rows(answer, "copies")) == len(rows(answer, "graphs")) == 1


def test_attributes_of_the_device_that_lie() -> None:
    lies: dict[str, StatValue] = {
        "device_vendor": 7,
        "core_count": -1,
        "compute_cap_major": 1 << 62,
        "compute_cap_minor": "x",
        "memory_bandwidth": float("nan"),
    }
    space = kernels_of("k", stats=lies)
    text = "kind_src:pageable kind_dst:device size:9223372036854775807 dest:0 async:1"
    space.planes[0].line(9, "x").event("MemcpyH2D", 0, 1, stats={"memcpy_details": text})
    answer = ask(timeline(space))
    assert record(answer, "kernels")["waves"] is None


def test_the_longest_times_and_grids() -> None:
    most = (1 << 63) - 1
    space = Space()
    line = gpu(space).line(7, "Stream #7(Compute)")
    for i in range(3):
        text = f"grid:{most},{most},{most} block:{most},1,1 occ_pct:1e-300"
        kernel(line, "k", i, i + HUGE, kernel_details=text)
    kernel(line, "instant", 5, 5)
    answer = ask(timeline(space))
    total = [row[0] for row in rows(answer, "kernels", "total_us")]
    assert all(np.isfinite(total))
    assert rows(answer, "kernels", "name", "occurrences")[-1] == ("instant", 1)


def test_only_instants() -> None:
    space = Space()
    kernel(gpu(space).line(7, "Stream #7(Compute)"), "k", 5, 5)
    answer = ask(timeline(space))
    assert rows(answer, "kernels", "occurrences", "total_us", "share") == [(1, 0.0, None)]


def test_names_of_all_kinds() -> None:
    names = ["", "x" * 100_000, "_Z" + "N" * 1000, "<>" * 1000, "\n\t", "::", "(", "é" * 50, "CudaGraphExec", "a b c"]
    answer = ask(timeline(kernels_of(*names)))
    assert len(rows(answer, "kernels")) == len(names)
    assert all(len(row[0]) <= 120 for row in rows(answer, "names", "short_name"))


def test_very_many_names_and_streams() -> None:
    """Each kernel has its own name and its own stream."""
    space = Space()
    plane = gpu(space)
    for i in range(3000):
        kernel(plane.line(i, f"Stream #{i}(Compute)"), f"k{i}", i, i + 1000)
    answer = ask(timeline(space), limit="5")
    assert (answer.result.summary["kernels_rows"], len(rows(answer, "kernels"))) == (3000, 5)


STATS = st.dictionaries(
    st.sampled_from(["kernel_details", "memcpy_details", "correlation_id", "cuda_graph_id", "tf_op", "equation"]),
    st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), st.text("regsd:1, x->", max_size=30), st.floats()),
)
EVENT = st.tuples(st.sampled_from(["k", "MemcpyH2D", "Memset 2", "CudaGraphExec:1", "volta_sgemm"]), STATS)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(EVENT, st.integers(0, 10**6), st.integers(0, 10**6)), max_size=12),
    st.sampled_from(["kernel", "device"]),
)
def test_any_events(events: list[tuple[tuple[str, dict[str, StatValue]], int, int]], by: str) -> None:
    space = Space()
    host, line = space.plane("/host:CPU").line(1, "t"), gpu(space).line(7, "Stream #7(Compute)")
    for (name, stats), begin, length in events:
        line.event(name, begin, length, stats=stats)
        host.event("cuLaunchKernel", begin, length, stats={k: v for k, v in stats.items() if k == "correlation_id"})
    answer = ask(timeline(space), by=by)
    counted = sum(row[0] for table in ("kernels", "copies") for row in rows(answer, table, "occurrences"))
    counted += sum(row[0] for row in rows(answer, "graphs", "launches", "level") if row[1] == "graph")
    # The launches of a graph whose kernels are there count nothing, whatever else such an event says of itself.
    launch = "CudaGraphExec:"
    nodes = {graph_of(stats) for (name, stats), _, _ in events if not name.startswith(launch)} - {0}
    graphs = [graph_of(s) or int(name[len(launch) :]) for (name, s), _, _ in events if name.startswith(launch)]
    assert counted + sum(graph in nodes for graph in graphs) == len(events)


def graph_of(stats: dict[str, StatValue]) -> int:
    given = stats.get("cuda_graph_id")
    return given if isinstance(given, int) else 0
