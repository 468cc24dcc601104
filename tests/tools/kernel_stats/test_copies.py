"""Copies, fills and CUDA graphs of `kernel_stats`, whole tables of small captures."""

from __future__ import annotations

from tensorboard_perfplugin.timeline.names.kernels import CopyDetails, copy_details
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.kernels import A100, MI300, NS, ask, gpu, kernel, record, rows


def copies(*events: tuple[str, int, dict[str, StatValue]], stats: dict[str, StatValue] = A100) -> Space:
    """Each is (name, duration in ns, stats), one after another."""
    space = Space()
    line, at = gpu(space, stats).line(9, "Stream #9(MemcpyH2D,MemcpyD2H,Memset)"), 0
    for name, duration, more in events:
        line.event(name, at * NS, duration * NS, stats=more)
        at += duration
    return space


COLUMNS = ("kind", "source", "destination", "async", "to_device", "occurrences", "total_us", "size_bytes", "gb_s")


def test_copies_of_one_kind_are_one_row_whatever_their_size() -> None:
    pinned = "kind_src:pinned kind_dst:device size:{} dest:0 async:1"
    space = copies(
        ("MemcpyH2D", 1000, {"memcpy_details": pinned.format(10_000)}),
        ("MemcpyH2D", 3000, {"memcpy_details": pinned.format(30_000)}),
        ("MemcpyH2D", 500, {"memcpy_details": "kind_src:pageable kind_dst:device size:500 dest:0 async:0"}),
        ("MemcpyD2H", 2000, {"memcpy_details": "kind_src:device kind_dst:pinned size:4000 dest:0 async:1"}),
        ("MemcpyP2P", 100, {"memcpy_details": "kind_src:device kind_dst:device size:100 dest:1 async:1"}),
        ("Memset 2", 50, {"Memset_details": "kind:device num_bytes:1000 async:1"}),
    )
    answer = ask(timeline(space))
    assert rows(answer, "copies", *COLUMNS) == [
        ("H2D", "pinned", "device", True, 0, 2, 4.0, 40_000, 10.0),
        ("D2H", "device", "pinned", True, 0, 1, 2.0, 4000, 2.0),
        ("H2D", "pageable", "device", False, 0, 1, 0.5, 500, 1.0),
        ("P2P", "device", "device", True, 1, 1, 0.1, 100, 1.0),
        ("fill", None, "device", True, None, 1, 0.05, 1000, 20.0),
    ]
    assert rows(answer, "copies", "bus_gb_s") == [(31.5,), (31.5,), (31.5,), (None,), (None,)]
    assert answer.result.summary["copied_bytes"] == 45_600
    assert answer.result.summary["kernel_ms"] is None


def test_older_forms_and_those_of_rocm() -> None:
    assert copy_details("size:6144 dest:4 async:0") == CopyDetails(None, None, 6144, 4, False)
    assert copy_details("kind:Unknown size:655360 dest:2 async:1") == CopyDetails(None, None, 655360, 2, True)
    assert copy_details("num_bytes:8\nkind:device\nasync:1\n") == CopyDetails(None, "device", 8, None, True)
    assert copy_details("size:1 size:2 async:2 dest:x") == CopyDetails()
    assert copy_details("size:99999999999999999999 dest:-1") == CopyDetails()


def test_an_unknown_size_has_its_reason() -> None:
    space = copies(
        ("MemcpyD2D", 1000, {}),
        ("MemcpyH2D", 2000, {"memcpy_details": "kind:Unknown size:0 dest:512 async:1"}),
        stats=MI300,
    )
    answer = ask(timeline(space))
    columns = ("kind", "size_bytes", "average_size_bytes", "unsized", "gb_s", "bus_gb_s", "why_unknown")
    assert rows(answer, "copies", *columns) == [
        ("H2D", None, None, 1, None, 63.0, "the capture gives a size of 0 bytes"),
        ("D2D", None, None, 1, None, None, "the capture gives no size"),
    ]
    assert answer.result.unknown["copied_bytes"] == "no copy of this capture has a size"


def test_a_copy_that_is_a_kernel_is_a_kernel() -> None:
    """ROCm copies with kernels of its own, which have a launch configuration."""
    space = Space()
    kernel(gpu(space, MI300).line(1, "Stream #1(Kernel)"), "__amd_rocclr_copyBuffer.kd", 0, 1000)
    answer = ask(timeline(space))
    assert rows(answer, "kernels", "name", "op_type") == [("__amd_rocclr_copyBuffer", "Memcpy")]
    assert rows(answer, "copies") == []


def test_a_rate_above_the_bus_is_another_way() -> None:
    text = "kind_src:pinned kind_dst:device size:400000 dest:0 async:1"
    row = record(ask(timeline(copies(("MemcpyH2D", 1000, {"memcpy_details": text})))), "copies")
    assert (row["gb_s"], row["bus_gb_s"], row["bus_share"]) == (400.0, 31.5, None)


def test_allocations_are_no_work() -> None:
    space = copies(("MemoryAlloc", 1000, {"memalloc_details": "kind:device num_bytes:8"}))
    answer = ask(timeline(space))
    assert (answer.result.summary["kernel_count"], answer.result.summary["copy_count"]) == (0, 0)


GRAPH = ("device", "graph", "level", "launches", "nodes", "kernels", "total_us", "average_us")


def test_a_graph_whose_nodes_were_traced() -> None:
    """Two launches of a graph of two kernels and a copy; one kernel outside."""
    space = Space()
    line = gpu(space).line(7, "Stream #7(Compute,MemcpyD2D)")
    at = 0
    for launch in (11, 12):
        for node, name in enumerate(("a", "b"), 1):
            kernel(line, name, at, at + 1000, cuda_graph_id=5, cuda_graph_node_id=node, correlation_id=launch)
            at += 1000
        more: dict[str, StatValue] = {"cuda_graph_id": 5, "cuda_graph_node_id": 3, "correlation_id": launch}
        text = "kind_src:device kind_dst:device size:8 dest:0 async:1"
        line.event("MemcpyD2D", at * NS, 500 * NS, stats={"memcpy_details": text, **more})
        at += 500
    kernel(line, "a", at, at + 4000)
    answer = ask(timeline(space))
    assert rows(answer, "graphs", *GRAPH) == [("/device:GPU:0", 5, "node", 2, 3, 4, 5.0, 2.5)]
    assert rows(answer, "kernels", "name", "in_graph", "occurrences", "total_us") == [
        ("a", False, 1, 4.0),
        ("a", True, 2, 2.0),
        ("b", True, 2, 2.0),
    ]
    assert answer.result.summary["graph_kernel_share"] == 0.5
