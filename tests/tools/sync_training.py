"""Captures of hosts that train together: each step waits for its input, computes, and all-reduces with the others."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from tests.build_capture import Plane, Space, Uint

MS = 10**9
#: How long the all-reduce takes when all have arrived, and what lies between two steps.
REDUCE_PS, BETWEEN_PS = 2 * MS, MS


@dataclasses.dataclass(frozen=True)
class Device:
    """What one GPU does in each step, in ps."""

    input_ps: Sequence[int]
    compute_ps: Sequence[int]


def captures(hosts: Mapping[str, Sequence[Device]], clock_ms: Mapping[str, int] = {}, first: int = 0) -> list[Space]:
    """A capture a host; all its GPUs share its one Python thread. clock_ms: how late a host's clock is."""
    names = list(hosts)
    steps = len(hosts[names[0]][0].input_ps)
    spaces = {name: _space(name, len(devices), clock_ms.get(name, 0)) for name, devices in hosts.items()}
    now = MS
    for i in range(steps):
        ready = {
            (name, d): now + max(g.input_ps[i] for g in devices) + device.compute_ps[i]
            for name, devices in hosts.items()
            for d, device in enumerate(devices)
        }
        end = max(ready.values()) + REDUCE_PS
        for name, devices in hosts.items():
            _step(spaces[name], first + i, devices, i, now, [ready[name, d] for d in range(len(devices))], end)
        now = end + BETWEEN_PS
    return list(spaces.values())


def _space(name: str, gpus: int, clock_ms: int) -> Space:
    space = Space(hostnames=[name])
    space.plane("/host:CPU").line(1, "python")
    for i in range(gpus):
        plane = space.plane(f"/device:GPU:{i}", id=i + 1)
        plane.line(7, "Stream #7(Compute)")
        plane.line(8, "Stream #8(Compute)")
    start_ns = 1_800_000_000_000_000_000 + clock_ms * 10**6
    space.plane("Task Environment", stats={"profile_start_time": Uint(start_ns)})
    return space


def _step(
    space: Space, number: int, devices: Sequence[Device], i: int, begin: int, ready: Sequence[int], end: int
) -> None:
    python = space.planes[0].lines[0]
    wait = max(g.input_ps[i] for g in devices)
    python.event("train", begin, end - begin, stats={"step_num": number, "_r": 1})
    python.event("IteratorGetNext:IteratorGetNext", begin, wait)
    for d, device in enumerate(devices):
        compute, reduce = space.planes[1 + d].lines
        _kernel(
            space.planes[0], d, compute.plane, 0, 1000 * number + 2 * d, begin + wait, device.compute_ps[i], "gemm_f16"
        )
        _kernel(space.planes[0], d, reduce.plane, 1, 1000 * number + 2 * d + 1, ready[d], end - ready[d], _NCCL)


_NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)"


def _kernel(
    cpu: Plane, device: int, gpu: Plane, line: int, correlation: int, start: int, length: int, name: str
) -> None:
    joined = {"correlation_id": Uint(correlation + 1), "device_id": Uint(device)}
    cpu.lines[0].event("cuLaunchKernel", start, 1000, stats=joined)
    gpu.lines[line].event(name, start, length, stats={"correlation_id": Uint(correlation + 1)})
