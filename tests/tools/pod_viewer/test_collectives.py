"""pod_viewer's collectives: hand-built ranks, whose whole answer stands here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.collectives.calls import bus_factor, input_bytes, instruction_bytes, kind_of
from tensorboard_perfplugin.analysis.collectives.calls import instruction_group as group_of
from tensorboard_perfplugin.tables.columns import row_key
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tensorboard_perfplugin.trace.proof import Marked, prove
from tests.tools.answered import answered

ARGS = {
    "Collective name": "allreduce",
    "In msg nelems": 1_000_000,
    "Out msg nelems": 1_000_000,
    "Group size": 2,
    "dtype": "Float",
    "Process Group Name": "0",
    "Process Group Description": "default_pg",
    "Process Group Ranks": "[0, 1]",
}
NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"


def rank(number: int, arrive_us: int, told: bool = True) -> Timeline:
    """A step of 1 ms: compute from 100 to 400 µs, an all-reduce from the arrival to 700 µs."""
    around = {"name": "nccl:all_reduce", "cat": "user_annotation", "ph": "X", "pid": 1, "tid": 1, "ts": 90, "dur": 20}
    around["args"] = {"Input Dims": "[[1000000]]", "Input type": '["float"]'} if not told else {}
    launch = {"name": "cudaLaunchKernel", "cat": "cuda_runtime", "ph": "X", "pid": 1, "tid": 1, "ts": 95, "dur": 5}
    call: dict[str, Any] = {"device": number, "stream": 20, "correlation": 2} | (ARGS if told else {})
    events = [
        {"name": "ProfilerStep#7", "cat": "user_annotation", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 1000},
        around,
        launch | {"args": {"correlation": 2}},
        gpu("gemm", 100, 300, {"device": number, "stream": 7, "correlation": 1}),
        gpu(NCCL, arrive_us, 700 - arrive_us, call),
    ]
    info = {"backend": "nccl", "rank": number, "world_size": 2}
    text = json.dumps({"schemaVersion": 1, "distributedInfo": info, "traceEvents": events})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), f"node_{number}")


def gpu(name: str, ts: int, dur: int, args: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "cat": "kernel", "ph": "X", "pid": 0, "tid": 7, "ts": ts, "dur": dur, "args": args}


def ask(*ranks: Timeline) -> dict[str, Any]:
    return answered(POD_VIEWER, *ranks).to_dict()


def rows(answer: dict[str, Any], table: str, *names: str) -> list[dict[str, Any]]:
    columns = answer["tables"][table]["columns"]
    names = names or tuple(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*(columns[name] for name in names), strict=True)]


def test_two_ranks_whose_second_comes_200_us_late() -> None:
    """4 MB in the 200 µs that both are there: 20 GB/s. Rank 0 waits 200 µs, of which it computes in the first 100."""
    answer = ask(rank(0, 300), rank(1, 500))
    assert rows(answer, "collectives") == [
        {
            "kind": "all-reduce",
            "tensor": None,
            "group": "0 default_pg",
            "ranks": "[0, 1]",
            "group_size": 2,
            "workers": 2,
            "count": 2,
            "bytes": 8_000_000,
            "mean_us": 300.0,
            "total_ms": pytest.approx(0.6),
            "expected_ms": None,
            "algorithm_gb_s": pytest.approx(20.0),
            "bus_gb_s": pytest.approx(20.0),
            "exposed_share": pytest.approx(5 / 6),
            "overlapped_share": pytest.approx(1 / 6),
            "collective_count": 1,
            "skew_us": 200.0,
            "max_skew_us": 200.0,
            "peer_wait_ms": pytest.approx(0.2),
            "last_worker": "rank 1",
            "last_share": 1.0,
            "lag_us": 200.0,
            "why_unknown": "",
        }
    ]
    names = ("worker", "rank", "collective_ms", "overlapped_collective_ms", "peer_wait_ms", "work_ms")
    assert [tuple(row.values()) for row in rows(answer, "steps", *names)] == [
        ("rank 0", 0, 0.3, 0.1, 0.1, 0.7),
        ("rank 1", 1, 0.2, 0.0, 0.0, 0.8),
    ]
    first = answer["findings"][0]
    assert (first["code"], first["params"]["worker"], first["params"]["work"]) == (
        "straggler.collectives",
        "rank 1",
        800_000_000,
    )


def test_an_older_profiler_names_no_group_but_shapes() -> None:
    found = rows(ask(rank(0, 300, told=False), rank(1, 500, told=False)), "collectives")[0]
    assert (found["kind"], found["bytes"], found["last_worker"]) == ("all-reduce", 8_000_000, "rank 1")
    assert (found["group"], found["group_size"], found["bus_gb_s"]) == (None, None, None)
    assert found["algorithm_gb_s"] == pytest.approx(20.0)
    assert found["why_unknown"].startswith("the capture does not name the process group")


def test_one_rank_alone_tells_no_arrival() -> None:
    """Its rate is a lower bound: 4 MB in 400 µs."""
    answer = ask(rank(0, 300))
    assert (answer["findings"][0]["code"], answer["findings"][0]["params"]["missing"]) == (
        "single_worker.of_several",
        1,
    )
    found = rows(answer, "collectives")[0]
    assert (found["skew_us"], found["last_worker"], found["algorithm_gb_s"]) == (None, None, pytest.approx(10.0))
    assert found["why_unknown"] == "one worker's calls are all there is: nobody to compare arrival with"


def on_cpu(number: int, asleep_us: int, groups: int = 1, *more: dict[str, Any]) -> Timeline:
    """A step of 1 ms: an operator up to 200 µs and its sleep, then two all-reduces of gloo and a barrier."""
    arrives = 200 + asleep_us
    # Which of two that begin at once comes first differs from rank to rank.
    first = arrives + 20 * number
    called = (("all_reduce", first, 700, 1000), ("all_reduce", arrives + 10, 800, 250), ("barrier", 850, 900, 0))
    events = [
        on_host("ProfilerStep#7", 1, 0, 1000, "user_annotation"),
        on_host("aten::mm", 1, 0, 200, "cpu_op"),
        on_host("aten::add_", 1, 600, 50, "cpu_op"),
    ]
    for i, (name, begin, end, size) in enumerate(called):
        one = on_host(f"gloo:{name}", 2 + i % 2, begin, end - begin, "user_annotation")
        events.append(one | ({"args": {"Input Dims": f"[[{size}]]", "Input type": '["float"]'}} if size else {}))
    events += more
    group = {"pg_name": "0", "pg_desc": "default_pg", "pg_size": 2, "ranks": [0, 1]}
    info = {"rank": number, "world_size": 2, "pg_count": groups, "pg_config": [group] * groups}
    said = {"schemaVersion": 1, "baseTimeNanoseconds": 10**18, "distributedInfo": info}
    text = json.dumps({**said, "traceEvents": events})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), f"node_{number}")


def on_host(name: str, thread: int, ts: int, dur: int, cat: str) -> dict[str, Any]:
    return {"name": name, "cat": cat, "ph": "X", "pid": 1, "tid": thread, "ts": ts, "dur": dur}


def test_ranks_on_cpus_that_exchange_by_gloo() -> None:
    """Rank 1 sleeps 300 µs. Its calls: from 520 to 700 and from 510 to 800; rank 0's: from 200 and from 210."""
    answer = ask(on_cpu(0, 0), on_cpu(1, 300))
    names = ("kind", "group", "group_size", "count", "bytes", "collective_count", "skew_us", "last_worker", "lag_us")
    assert [tuple(row.values()) for row in rows(answer, "collectives", *names)] == [
        ("all-reduce", "0 default_pg", 2, 4, 10_000, 2, 310.0, "rank 1", 310.0),
        ("barrier", "0 default_pg", 2, 2, None, 1, 0.0, None, None),
    ]
    hidden = rows(answer, "collectives", "overlapped_share", "algorithm_gb_s", "why_unknown")
    assert hidden[0]["overlapped_share"] == pytest.approx(200 / (500 + 590 + 180 + 290))
    assert hidden[0]["algorithm_gb_s"] == pytest.approx(10_000 / (2 * 180 + 2 * 290) / 1e3)
    assert hidden[1]["why_unknown"] == "a barrier carries no data"
    title = (
        "rank 1 is the straggler: 710 µs per step excluding exposed communication, 78 % more than the other's, slowest "
        "in 1 of 1 step;"
    )
    assert answer["findings"][0]["title"].startswith(title)
    clocks = "the clocks of rank 0 and rank 1 agree within 0 ns, estimated from 2 ends of collectives"
    assert answer["summary"]["clocks"] == clocks


def test_gloo_beside_a_gpu_is_of_that_gpu() -> None:
    """The GPU computes for 100 of the 500 and 590 µs that rank 0's all-reduces take."""
    gemm = gpu("gemm", 600, 100, {"device": 0, "stream": 7, "correlation": 1})
    found = rows(
        ask(on_cpu(0, 0, 1, gemm), on_cpu(1, 300, 1, gemm)), "collectives", "kind", "workers", "overlapped_share"
    )
    assert found[0] == {"kind": "all-reduce", "workers": 2, "overlapped_share": pytest.approx(400 / 1560)}


def test_a_call_that_only_asks_for_a_collective_is_none() -> None:
    """A profile of the CPU alone: `record_param_comms` ends when NCCL's kernel is queued."""
    events = [on_host("ProfilerStep#1", 1, 0, 1000, "user_annotation"), on_host("c10d::allreduce_", 1, 10, 9, "cpu_op")]
    events.append(on_host("record_param_comms", 1, 12, 5, "cpu_op") | {"args": ARGS})
    events.append(on_host("nccl:all_reduce", 1, 13, 3, "user_annotation"))
    text = json.dumps({"schemaVersion": 1, "traceEvents": events})
    of = Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), "node")
    assert rows(ask(of), "collectives") == []


def test_of_several_groups_none_is_told() -> None:
    found = rows(ask(on_cpu(0, 0, groups=2), on_cpu(1, 300, groups=2)), "collectives", "group", "bus_gb_s")
    assert found[0] == {"group": None, "bus_gb_s": None}


def test_more_workers_than_a_group_holds_are_several_groups() -> None:
    """Four ranks' calls in groups of two, whose ranks nobody tells: which two wait for each other is not known."""
    several = [rank(number, 300 + number) for number in range(4)]
    found = rows(ask(*several), "collectives")[0]
    assert (found["workers"], found["group_size"], found["skew_us"], found["last_worker"]) == (4, 2, None, None)
    assert found["why_unknown"].startswith("more workers make these calls than a group holds")


def test_a_row_leads_to_its_calls() -> None:
    row = "kind=all-reduce&group=0%20default_pg&ranks=%5B0%2C%201%5D&group_size=2"
    key = row_key(f"pod_viewer.collectives.total_ms?{row}")
    found = [prove(rank(number, at), key) for number, at in ((0, 300), (1, 500))]
    assert [one.ps.tolist() for one in found if isinstance(one, Marked)] == [[400_000_000], [200_000_000]]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(x)", "reduce-scatter"),
        ("ncclKernel_Reduce_RING_LL_Sum_float(x)", "reduce"),
        ("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(x)", "send and receive"),
        ("_allgather_base", "all-gather"),
        ("all_to_allv", "all-to-all"),
        ("nccl:recv 3<-2", "receive"),
        ("%all-reduce.5 = f32[8]{0} all-reduce(f32[8]{0} %x)", "all-reduce"),
        ("%collective-permute-done.1", "collective-permute"),
        ("gemm", "other"),
    ],
)
def test_kinds(name: str, kind: str) -> None:
    assert kind_of(name) == kind


def test_bus_factors_are_those_of_nccl_tests() -> None:
    assert [bus_factor(kind, 8) for kind in ("all-reduce", "all-gather", "broadcast")] == [1.75, 0.875, 1.0]
    assert bus_factor("all-reduce", 0) is None


def test_an_instruction_says_its_bytes_and_groups() -> None:
    text = "%all-gather.1 = bf16[64,128]{1,0} all-gather(bf16[16,128]{1,0} %x), replica_groups={{0,1,2,3},{4,5,6,7}}"
    assert instruction_bytes(text) == 64 * 128 * 2
    assert group_of(text)[1:] == ("{{0,1,2,3},{4,5,6,7}}", 4)
    assert group_of("x = f32[] all-reduce(f32[] y), replica_groups=[2,4]<=[8]")[1:] == ("[2,4]<=[8]", 4)
    pair = "%ar = (f32[8]{0}, f32[2]{0}) all-reduce(f32[8]{0} %a, f32[2]{0} %b)"
    assert instruction_bytes(pair) == 40
    assert instruction_bytes("all-reduce.1") == -1


@pytest.mark.parametrize("dims", ["", "[[", "[[-1]]", "7", "[[1e999]]", "[" * 9000])
def test_shapes_that_are_none_are_no_bytes(dims: str) -> None:
    assert input_bytes(dims, '["float"]') == -1
