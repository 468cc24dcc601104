"""The table of XLA instructions, of captures in a few lines."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tests.build_capture import Space, StatValue, chunk, number, text
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

US = 10**6
F32 = shape("f32", 8, 4)
CONFIG = json.dumps(
    {
        "fusion_backend_config": {
            "block_level_fusion_config": {"num_warps": "4", "output_tiles": [{"sizes": ["1", "128"]}], "num_stages": 2}
        }
    }
)
PROGRAM = program(
    computation(
        1,
        [
            instruction(1, "x", "parameter", F32),
            instruction(2, "add.1", "add", F32, (1, 1), op_name="jit(f)/add", source=("model.py", 7)),
            instruction(3, "add.2.remat", "add", F32, (2, 2), op_name="jit(f)/add", config=CONFIG),
            instruction(4, "copy.3", "copy", F32, (3,)),
        ],
    ),
    entry=1,
)
#: 16 FLOP/s for each FLOP of an addition in a µs: 32 FLOPs, 384 bytes.
GPU: dict[str, StatValue] = {"peak_teraflops_per_second": 64e-6, "peak_hbm_bw_gigabytes_per_second": 0.768}


def ran(name: str, program_id: int = 5) -> dict[str, StatValue]:
    return {"hlo_op": name, "hlo_module": "jit_f", "program_id": program_id}


def capture(*runs: tuple[str, int, float], device: dict[str, StatValue] | None = None) -> Timeline:
    """Kernels one after the other: instruction (empty: a copy), id of its program, µs."""
    space = Space()
    held = space.plane("/host:metadata")
    for key in ("jit_f(5)", "jit_f(6)"):
        held.kind(key, stats={"Hlo Proto": PROGRAM})
    line = space.plane("/device:GPU:0", stats=device or {}).line(7, "Stream #7")
    at = 0.0
    for name, program_id, us in runs:
        line.event(
            f"kernel_{name}" if name else "MemcpyH2D", int(at * US), int(us * US), ran(name, program_id) if name else {}
        )
        at += us
    return timeline(space)


def ask(of: Timeline, **options: str) -> Answer:
    return answered(HLO_STATS, of, **options)


BOTH = (
    ("add.1", 5, 2.0),
    ("add.2.remat", 5, 6.0),
    ("add.1", 6, 1.0),
    ("add.1", 5, 2.0),
    ("", 0, 3.0),
    ("copy.3", 5, 1.0),
)


def test_a_row_is_an_instruction_of_a_program() -> None:
    rows = rows_of(ask(capture(*BOTH)), "instructions", "instruction", "program", "category", "occurrences", "self_us")
    assert rows == [
        ("add.2.remat", "jit_f(5)", "non-fusion elementwise", 1, 6.0),
        ("add.1", "jit_f(5)", "non-fusion elementwise", 2, 4.0),
        ("add.1", "jit_f(6)", "non-fusion elementwise", 1, 1.0),
        ("copy.3", "jit_f(5)", "data formatting", 1, 1.0),
    ]


def test_self_times_and_all_else_are_the_busy_time() -> None:
    summary = ask(capture(*BOTH)).result.summary
    assert (summary["device_instruction_ms"], summary["other_self_ms"], summary["device_idle_ms"]) == (0.012, 0.003, 0)
    assert (summary["program_count"], summary["instructions_rows"], summary["host_instruction_ms"]) == (2, 4, 0)


def test_what_is_known_of_an_instruction() -> None:
    columns = ("op_name", "source", "rematerialized", "outside", "autotuned", "bytes", "gb_s", "gflop_s", "intensity")
    rows = rows_of(ask(capture(*BOTH), program="6"), "instructions", *columns)
    #: 32 FLOPs and 384 bytes in 1 µs.
    assert rows == [("jit(f)/add", "model.py:7", False, False, "", 384, 0.384, 0.032, 32 / 384)]
    again = rows_of(ask(capture(*BOTH)), "instructions", "instruction", "rematerialized", "autotuned")[0]
    assert again == ("add.2.remat", True, "warps 4, tiles 1×128, stages 2")


def test_what_bounds_it() -> None:
    #: In 1 µs the peaks allow 64 FLOPs and 768 bytes.
    answer = ask(capture(("add.1", 5, 1.0), device=GPU))
    assert rows_of(answer, "instructions", "bound_by", "roof_share") == [("Compute", 0.5)]
    assert (answer.result.summary["flop_share"], answer.result.summary["memory_share"]) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"program": "jit_f(6)"}, ["add.1"]),
        ({"program": "5"}, ["add.2.remat", "add.1", "copy.3"]),
        ({"category": "data formatting"}, ["copy.3"]),
        ({"source": "model.py"}, ["add.1", "add.1"]),
        ({"source": "model.py:8"}, []),
        ({"side": "host"}, []),
        ({"limit": "1"}, ["add.2.remat"]),
    ],
)
def test_rows_are_filtered(options: dict[str, str], expected: list[str]) -> None:
    answer = ask(capture(*BOTH), **options)
    assert [name for (name,) in rows_of(answer, "instructions", "instruction")] == expected


def test_a_program_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ArgumentError, match=r"jit_f\(5\)"):
        ask(capture(*BOTH), program="jit_g")


def test_categories_add_up() -> None:
    rows = rows_of(ask(capture(*BOTH)), "categories", digits=4)
    assert rows == [
        ("device", "non-fusion elementwise", 3, 4, 11.0, 0.9167),
        ("device", "data formatting", 1, 1, 1.0, 0.0833),
    ]


def test_hosts_are_summed() -> None:
    one = capture(*BOTH)
    rows = rows_of(answered(HLO_STATS, one, one), "instructions", "instruction", "occurrences", "self_us", "kernels")
    assert rows[0] == ("add.2.remat", 2, 12.0, 2)
    assert rows_of(answered(HLO_STATS, one, one), "programs", "program", "self_us", "executions") == [
        ("jit_f(5)", 22.0, 4),
        ("jit_f(6)", 2.0, 2),
    ]


MEMORIES = ("hbm_bytes", "vmem_bytes", "cmem_bytes", "other_bytes")


def breakdown(*moved: tuple[int, int, int]) -> bytes:
    """Of (direction, memory, bytes) each: 1 reads, 2 writes; 1 is HBM, 2 CMEM, 3 VMEM."""
    return b"".join(chunk(1, number(1, way) + number(2, space) + number(3, size)) for way, space, size in moved)


def test_a_tpu_says_how_long_dma_stalled_and_what_stayed_on_its_chip() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    name = "%fusion.3 = f32[8]{0} fusion(f32[8]{0} %p), kind=kLoop"
    moved = breakdown((1, 1, 40), (2, 1, 24), (1, 3, 16), (1, 2, 5), (2, 2, 3), (1, 0, 9))
    facts: dict[str, StatValue] = {
        "program_id": 9,
        "hlo_category": "loop fusion",
        "tf_op": "jit(f)/rematted_computation/add:",
        "source": "model.py:12",
        "bytes_accessed": 100,
        "memory_access_breakdown": moved,
        "deduplicated_name": "fusion.1",
    }
    tpu.kind(name, "fusion.3", facts)
    line = tpu.line(3, "XLA Ops")
    for i in range(2):
        line.event(name, 10 * US * i, 4 * US, {"dma_stall_duration_ps": US})
    columns = ("instruction", "program", "category", "op_name", "source", "stall_share")
    answer = ask(timeline(space))
    assert rows_of(answer, "instructions", *columns) == [
        ("fusion.3", "(9)", "loop fusion", "jit(f)/rematted_computation/add", "model.py:12", 0.25)
    ]
    #: Of two executions; of 100 bytes 88 are in a memory with a name, 12 in none of these.
    assert rows_of(answer, "instructions", "bytes", *MEMORIES) == [(200, 128, 32, 16, 24)]
    #: Of two hosts.
    both = answered(HLO_STATS, timeline(space), timeline(space))
    assert rows_of(both, "instructions", "bytes", *MEMORIES) == [(400, 256, 64, 32, 48)]
    assert rows_of(answer, "instructions", "rematerialized", "expression") == [(True, name)]


def test_without_a_breakdown_nothing_is_said_of_other_memories() -> None:
    rows = rows_of(ask(capture(("add.1", 5, 1.0))), "instructions", "bytes", *MEMORIES)
    assert rows == [(384, 384, None, None, None)]


#: Memory space 5 of XLA's layouts is the host's.
HOST_SHAPE = re.compile(r"f32\[([\d,]+)\]\{[^}]*S\(5\)\}")


def test_memories_of_a_tpu_v6e_are_what_its_shapes_say(shared_captures: Path) -> None:
    """What is in none of the memories that the breakdown names is the array that is copied from or to the host: of a
    copy's start what it reads there, of its end what it wrote there.
    """
    file = shared_captures / "xplane/xprof-tpu-inference-2/plugins/profile/tpu_inference_2/tpu_inference_2.xplane.pb"
    read = Timeline(decode.read(str(file)), "h")
    rows = rows_of(ask(read), "instructions", "expression", "occurrences", "bytes", *MEMORIES)
    host = 0
    for expression, times, moved, hbm, vmem, cmem, other in rows:
        assert (vmem, cmem, hbm + other) == (0, 0, moved)
        result, _, operands = expression.partition(" copy-")
        kind, _, operands = operands.partition("(")
        holds = {"start": operands, "done": result}.get(kind, "")
        sizes = [math.prod(map(int, dims.split(","))) for dims in HOST_SHAPE.findall(holds)]
        assert other == 4 * sum(sizes) * times, expression
        host += other
    assert host == sum(row[2] for row in rows if "S(5)" in row[0]) / 2 > 0


def test_a_capture_without_instructions_says_so() -> None:
    assert HLO_STATS.nothing(timeline(Space())) == "no event of this capture is an instruction of an XLA program"
    assert HLO_STATS.nothing(capture(*BOTH)) is None


@pytest.mark.parametrize(
    ("stats", "share"), [({"hlo_op": "add.1"}, None), ({"hlo_op": "command_buffer"}, 1.0), ({}, 1.0)]
)
@pytest.mark.parametrize("is_graph", [True, False])
def test_graphs_without_names_of_instructions(stats: dict[str, StatValue], share: float | None, is_graph: bool) -> None:
    """A graph that was recorded before the capture left an empty table without a reason."""
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": PROGRAM})
    of = {"hlo_module": "jit_f", "program_id": 5, **stats} if stats else {}
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    line.event("loop_add_fusion", 0, US, {**of, "correlation_id": 9, **({"cuda_graph_id": 12} if is_graph else {})})
    answer = answered(HLO_STATS, timeline(space))
    found = [each.share for each in answer.result.findings if each.code == "instructions_in_command_buffers"]
    assert found == ([share] if share and is_graph else [])


def test_what_a_capture_names_without_its_program_is_in_no_graph() -> None:
    given = answered(HLO_STATS, capture(("add.1", 5, 2), ("add.1", 7, 1), ("gone.9", 5, 1)))
    assert rows_of(given, "instructions", "program", "instruction", "in_graph") == [
        ("jit_f(5)", "add.1", True),
        ("jit_f(7)", "add.1", False),
        ("jit_f(5)", "gone.9", False),
    ]
    assert "in the graph" in given.to_dict()["findings"][0]["action"]
    unheld = answered(HLO_STATS, capture(("add.1", 7, 1)))
    assert "in the graph" not in unheld.to_dict()["findings"][0]["action"]


SQUARE = shape("f32", 64, 64)
RECORDED = program(
    text(1, "command_buffer")
    + computation(
        1,
        [
            instruction(1, "p", "parameter", SQUARE),
            instruction(2, "loop_add_fusion.1", "add", SQUARE, (1, 1)),
            instruction(3, "dot.5", "dot", SQUARE, (2, 1), contracts=[1]),
        ],
    ),
    computation(
        2, [instruction(4, "x", "parameter", SQUARE), instruction(5, "call.4", "call", SQUARE, (4,), calls=[1])]
    ),
    entry=2,
)
BUFFER: dict[str, StatValue] = {"hlo_op": "command_buffer", "hlo_module": "jit_f", "program_id": 7}


def in_graphs(kernels: list[str], *, nodes: bool = True, of: dict[str, StatValue] | None = None) -> Space:
    """Kernels of 1 µs of one graph, of `jit_f`."""
    space = Space()
    space.plane("/host:metadata").kind("jit_f(7)", stats={"Hlo Proto": RECORDED})
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, name in enumerate(kernels):
        stats: dict[str, StatValue] = {"cuda_graph_node_id": (12 << 32) + i} if nodes else {"cuda_graph_exec_id": 12}
        line.event(name, i * US, US, {"cuda_graph_id": 12, **stats, **(of or {})})
    return space


@pytest.mark.parametrize("of", [BUFFER, {}], ids=["buffer", "bare"])
@pytest.mark.parametrize(
    ("kernels", "instructions"),
    [
        (["loop_add_fusion_1", "sm90_gemm"], ["dot.5", "loop_add_fusion.1"]),
        # What may be either's is that which runs both.
        (["loop_add_fusion_1", "sm90_gemm", "reduce"], ["call.4", "loop_add_fusion.1"]),
        (["sm90_gemm"], ["call.4"]),
    ],
)
def test_nodes_of_a_graph_are_called_as_their_instructions(
    kernels: list[str], instructions: list[str], of: dict[str, StatValue]
) -> None:
    answer = answered(HLO_STATS, timeline(in_graphs(kernels, of=of)))
    assert sorted(row[0] for row in rows_of(answer, "instructions", "instruction")) == instructions


def test_nodes_are_those_that_the_host_added_for_an_instruction() -> None:
    space = in_graphs(["a", "b"])
    line = space.plane("/host:CPU", id=3).line(1)
    for i, name in enumerate(["dot.5", "loop_add_fusion.1"]):
        node: dict[str, StatValue] = {"cuda_graph_node_id": (11 << 32) + i, "correlation_id": i + 1}
        line.event("cuGraphAddKernelNode_v2", 10 * i, 5, {**node, **BUFFER, "hlo_op": name})
        made: dict[str, StatValue] = {"cuda_graph_node_id": (12 << 32) + i, "cuda_graph_orig_node_id": (11 << 32) + i}
        line.event("CudaGraphNodeMap: cuGraphInstantiateWithFlags", 100 + i, 1, {**made, "correlation_id": 9})
    answer = answered(HLO_STATS, timeline(space))
    found = dict(rows_of(answer, "instructions", "instruction", "self_us"))
    assert found == {"dot.5": 1.0, "loop_add_fusion.1": 1.0}


def test_a_graph_traced_whole_is_the_instruction_that_runs_it() -> None:
    """Its FLOPs are those of all that it runs; that it names none of these is said, and what opens is in the graph."""
    answer = answered(HLO_STATS, timeline(in_graphs(["CudaGraphExec:12"], nodes=False, of=BUFFER)))
    assert rows_of(answer, "instructions", "instruction", "gflop_s") == [
        ("call.4", pytest.approx((64**2 + 2 * 64**3) / 1e3))
    ]
    assert "instructions_in_command_buffers" in [each.code for each in answer.result.findings]
