"""PyTorch's traces as Perfetto's packets: the same answers as of the JSON of the same run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import api, decode
from tensorboard_perfplugin.decode import Format
from tensorboard_perfplugin.tools import TOOLS

from .perfetto_traces import converted, event, loaded, number, packet, part, track

BASE = 1_700_000_000_000_000_000


def named(pid: int | str, tid: int | str, process: str, thread: str, label: str = "") -> list[dict[str, Any]]:
    said = [("process_name", "name", process), ("process_labels", "labels", label), ("thread_name", "name", thread)]
    return [{"ph": "M", "name": name, "pid": pid, "tid": tid, "ts": 0, "args": {key: text}} for name, key, text in said]


def one(name: str, cat: str, ts: float, dur: float, tid: int = 20, pid: int = 10, **args: Any) -> dict[str, Any]:
    return {"ph": "X", "name": name, "cat": cat, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}


def step(i: int) -> list[dict[str, Any]]:
    """A step of a model: Python, an operator with its backward, a launch, a kernel, a copy, a wait."""
    at, id = 1000.5 + 1000 * i, 100 * i
    kernel: dict[str, Any] = {
        "device": 0,
        "context": 1,
        "stream": 7,
        "correlation": id + 1,
        "grid": [4, 1, 1],
        "block": [128, 1, 1],
    }
    kernel |= {"registers per thread": 32, "shared memory": 1024, "est. achieved occupancy %": 31}
    dims: dict[str, Any] = {
        "Input Dims": [[64, 128], [], [128, 10]],
        "Input type": ["float", "Scalar", "float"],
        "Sequence number": id,
    }
    copy: dict[str, Any] = {"device": 0, "context": 1, "stream": 8, "correlation": id + 2, "bytes": 4096}
    call: dict[str, Any] = {"cbid": 211, "External id": id + 3}
    ids: dict[str, Any] = {"External id": id, "Ev Idx": id}
    python: dict[str, Any] = {"Python id": id + 1, "Python parent id": id}
    return [
        one(f"ProfilerStep#{i}", "user_annotation", at, 950, **ids),
        one("train.py(7): step", "python_function", at + 1, 900, **python),
        one("aten::mm", "cpu_op", at + 10, 100, **{"External id": id + 3, "Record function id": 0, **dims}),
        one("cudaLaunchKernel", "cuda_runtime", at + 20, 10, correlation=id + 1, **call),
        one("cudaMemcpyAsync", "cuda_runtime", at + 50, 10, correlation=id + 2, **call),
        one("MmBackward0", "cpu_op", at + 200, 50, tid=21, **{"External id": id + 4, "Fwd thread id": 1, **dims}),
        one("gemm<float>", "kernel", at + 40, 300.125, pid=0, tid=7, **kernel),
        one("Memcpy HtoD (Pinned -> Device)", "gpu_memcpy", at + 340.125, 30, pid=0, tid=8, **copy),
        one("gemm<float>", "kernel", at + 340.125, 12, pid=0, tid=7, **(kernel | {"correlation": id + 5})),
        *(arrow for name in ("ac2g",) for arrow in arrows(name, id + 1, (10, 20, at + 20), (0, 7, at + 40))),
        *arrows("fwdbwd", id + 9, (10, 20, at + 10), (10, 21, at + 200)),
    ]


def arrows(name: str, id: int, begin: tuple[int, int, float], end: tuple[int, int, float]) -> list[dict[str, Any]]:
    ends = zip("sf", (begin, end), strict=True)
    more = {"cat": name, "name": name, "id": id, "bp": "e"}
    return [{"ph": ph, "pid": pid, "tid": tid, "ts": ts, **more} for ph, (pid, tid, ts) in ends]


def allocation(ts: float, size: int, total: int) -> dict[str, Any]:
    args = {"Total Reserved": 1 << 20, "Total Allocated": total, "Bytes": size, "Device Id": 0, "Device Type": 1}
    moment = {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 10, "tid": 20}
    return moment | {"ts": ts, "args": args | {"Addr": 99}}


def trace(*more: dict[str, Any]) -> dict[str, Any]:
    names = [*named(10, 20, "python", "thread 20 (main)", "CPU"), *named(10, 21, "python", "thread 21", "CPU")]
    names += [*named(0, 7, "python", "stream 7 ", "GPU 0"), *named(0, 8, "python", "stream 8 ", "GPU 0")]
    return {
        "schemaVersion": 1,
        "deviceProperties": [{"id": 0, "name": "NVIDIA H100", "numSms": 132, "totalGlobalMem": 85_000_000_000}],
        "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8},
        "baseTimeNanoseconds": BASE,
        "traceEvents": [*names, *step(3), *step(4), *step(5), *more],
    }


def answers(path: Path, name: str, data: bytes) -> dict[str, Any]:
    path.mkdir()
    (path / name).write_bytes(data)
    profile = api.open(path / name)
    return {tool.name: {**profile.tool(tool.name).to_dict(), "run": ""} for tool in TOOLS}


def same(tmp_path: Path, data: dict[str, Any], with_categories: bool) -> None:
    text = json.dumps(data)
    first = answers(tmp_path / "a", "h.pt.trace.json", text.encode())
    second = answers(tmp_path / "b", "h.pftrace", converted(loaded(text), with_categories))
    for name, answer in first.items():
        assert json.loads(json.dumps(second[name])) == json.loads(json.dumps(answer)), name


def test_every_tool_answers_as_of_the_json(tmp_path: Path) -> None:
    moments = [allocation(1100, 512, 512), allocation(1200, 1024, 1536), allocation(1300, -512, 1024)]
    same(tmp_path, trace(*moments), True)


def test_so_it_does_where_pytorch_wrote_no_categories(tmp_path: Path) -> None:
    data = trace()
    del data["deviceProperties"], data["distributedInfo"]
    same(tmp_path, data, False)


def stage(
    at: int, length: int, queue: int, kind: int, name: int, correlation: int, grid: tuple[int, ...] = (), **extra: Any
) -> bytes:
    """What ran on a GPU, as PyTorch writes it."""
    body = (
        number(1, correlation) + number(2, length) + number(11, 0) + number(13, queue) + number(14, kind) + number(5, 1)
    )
    body += number(20, name) if name else b""
    if grid:
        three = b"".join(number(i + 1, value) for i, value in enumerate(grid))
        args = part(3, number(1, 1) + number(4, 32)) + part(3, number(1, 2) + number(4, 1024))
        body += number(19, 1) + part(21, part(1, three) + part(2, three) + args)
    said = {"device id": 0, "stream id": 7, "correlation": correlation} | extra
    body += b"".join(part(6, part(1, key) + part(2, str(value))) for key, value in said.items())
    return packet(part(53, body), at=BASE + at, flags=2)


def test_what_ran_on_a_gpu_are_kernels_and_copies() -> None:
    entries = [part(2, number(1, 1) + part(2, "gemm<float>")), part(2, number(1, 2) + part(2, "cudaLaunchKernel"))]
    stages = {1: "Kernel", 2: "Memcpy", 3: "Memset", 4: "Annotation", 100: "stream 07", 101: "stream 13"}
    entries += [part(24, number(1, iid) + part(2, name)) for iid, name in stages.items()]
    entries += [part(1000, number(1, 1) + part(3, "gemm<float>"))]
    names = ("registers_per_thread", "shared_mem_dynamic")
    entries += [part(1001, number(1, i + 1) + part(2, name)) for i, name in enumerate(names)]
    call = event(1, 2, 2, {"cbid": 211, "correlation": 5})
    capture = decode.read_bytes(
        b"".join(
            [
                track(1, process=(10, "python")),
                track(2, 1, thread=(10, 20, "thread 20")),
                packet(part(12, b"".join(entries)), flags=1),
                packet(call, at=BASE + 1000, flags=2),
                packet(event(2, 2), at=BASE + 2000),
                stage(3000, 500, 100, 1, 1, 5, (4, 2, 1)),
                stage(3500, 100, 101, 2, 0, 6, (), bytes=4096, **{"stream id": 13}),
            ]
        ),
        "h.pftrace",
    )
    capture.check()
    texts = list(capture.strings)
    e, t = capture.events, capture.tracks
    found = [
        (texts[int(t.name[e.track[i]])], texts[int(e.name[i])], int(e.start_ps[i]), int(e.duration_ps[i]))
        for i in range(len(e))
    ]
    assert found == [
        ("thread 20", "cudaLaunchKernel", 0, 1_000_000),
        ("Stream #7", "gemm<float>", 2_000_000, 500_000),
        ("Stream #13", "Memcpy", 2_500_000, 100_000),
    ]
    assert (capture.format, capture.start_ns) == (Format.KINETO, BASE + 1000)
    launches = capture.kernel_launches
    assert (launches.launches.registers.tolist(), launches.launches.grid_x.tolist()) == ([32], [4])


def test_kineto_writes_all_args_as_one(tmp_path: Path) -> None:
    """Kineto's own builder: a track below the thread's a slice, its args a text of JSON without braces."""
    data = trace()
    del data["deviceProperties"], data["distributedInfo"]
    kept = [each for each in data["traceEvents"] if each["ph"] in "XM"]
    data["traceEvents"] = kept
    text = json.dumps(data)
    built = [track(1, process=(10, "python")), track(2, process=(0, "python"))]
    threads: dict[tuple[int, int], int] = {}
    for i, each in enumerate(kept):
        pid, tid = each["pid"], each["tid"]
        names = (e["args"]["name"] for e in kept if (e["name"], e["pid"], e["tid"]) == ("thread_name", pid, tid))
        name = next(names)
        if each["ph"] == "M":
            continue
        if (pid, tid) not in threads:
            threads[pid, tid] = len(threads) + 3
            built.append(track(threads[pid, tid], 2 if pid == 0 else 1, name, thread=(pid, tid, name)))
        built.append(track(1000 + i, threads[pid, tid], name))
        said = {"metadata": json.dumps(each["args"])[1:-1]}
        if "correlation" in each["args"]:
            said["correlation_id"] = each["args"]["correlation"]
        at = BASE + round(each["ts"] * 1000)
        built.append(packet(event(1, 1000 + i, each["name"], said), at=at))
        built.append(packet(event(2, 1000 + i), at=at + round(each["dur"] * 1000)))
    first = answers(tmp_path / "a", "h.pt.trace.json", text.encode())
    second = answers(tmp_path / "b", "h.pftrace", b"".join(built))
    for name, answer in first.items():
        assert json.loads(json.dumps(second[name])) == json.loads(json.dumps(answer)), name


@pytest.mark.parametrize(("length", "category"), [(200, "cpu_op"), (201, "user_annotation")])
def test_what_wrote_a_name_is_told_by_200_letters_of_it(length: int, category: str) -> None:
    name = "Backward".rjust(length, "x")
    thread = track(1, process=(10, "python")) + track(2, 1, thread=(10, 20, "thread 20"))
    ran = packet(event(1, 2, name, {"External id": 7}), at=1000) + packet(event(2, 2), at=2000)
    capture = decode.read_bytes(thread + ran, "h.pftrace")
    assert dict(capture.event_values(0))["category"] == category
