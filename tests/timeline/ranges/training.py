"""A program of equal steps, of which a capture holds all or, cut by hand, only some."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.build_capture import Space, StatValue, Uint
from tests.tools.kernels import DETAILS, V100
from tests.tools.memory import Memory
from tests.tools.pipelines import asked, host

MS = 10**9
STEP_MS, STEPS = 10, 12


def training(only: Collection[int] = range(STEPS), lengths_ms: Sequence[int] = (STEP_MS,) * STEPS) -> Space:
    """Steps that get input, launch kernels on two streams, copy, and allocate; a thread goes on all the time.

    only: the steps whose events are there; what goes on all the time is then cut to them.
    """
    space = Space()
    python, data, pool, loop = host(space)
    gpu = space.plane("/device:GPU:0", id=1, stats=V100)
    compute, copies = gpu.line(7, "Stream #7(Compute)"), gpu.line(8, "Stream #8(MemcpyH2D)")
    counts = gpu.line(9, "_counters_")
    space.plane("Task Environment", stats={"profile_start_time": Uint(1_800_000_000_000_000_000)})
    memory = Memory(python)
    begins = [1 + sum(lengths_ms[:i]) for i in range(STEPS + 1)]
    loop.event("serve", begins[min(only)] * MS, (begins[max(only) + 1] - begins[min(only)]) * MS)
    for step in range(STEPS):
        at, length = begins[step], lengths_ms[step]
        address, memory_there = 4096 * (step + 1), memory.heap or 0
        if step not in only:
            # What it keeps is in use later.
            memory.heap = memory_there + 1000
            continue
        python.event("train", at * MS, length * MS, {"step_num": step, "_r": 1})
        asked(python, "Prefetch", at, at + 1)
        data.event("Iterator::Prefetch::Map", at * MS, MS)
        pool.event("model/dense/MatMul:MatMul", (at + 1) * MS, 2 * MS)
        memory.allocate((at + 1.5) * 1000, address, 1000, "model/dense/MatMul")
        memory.allocate((at + 2) * 1000, address + 2048, 500, "model/dense/MatMul")
        memory.free_((at + 4) * 1000, address + 2048, 500)
        for i, (line, name, begin, lasts, op) in enumerate(_WORK):
            joined = {"correlation_id": Uint(100 * step + i + 1), "device_id": Uint(0)}
            python.event("cuLaunchKernel", int((at + begin - 0.5) * MS), MS // 10, joined)
            stream = (compute, copies)[line]
            facts: dict[str, StatValue] = {"correlation_id": Uint(100 * step + i + 1), "tf_op": op}
            facts |= {"memcpy_details": "kind:pageable size:4096 async:0"} if line else {"kernel_details": DETAILS}
            stream.event(name, int((at + begin) * MS), int(lasts * MS), facts)
        counts.event("use", at * MS, 0, {"use": step})
    return space


#: Stream, name, begin after the step's, length, op.
_WORK = (
    (1, "MemcpyH2D", 1.0, 0.5, "MemcpyH2D:MemcpyH2D"),
    (0, "volta_fp16_gemm", 2.0, 3.0, "model/dense/MatMul:MatMul"),
    (0, "elementwise", 5.5, 1.0, "model/dense/Relu:Relu"),
)
