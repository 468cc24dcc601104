"""`python -m tests.samples.make_synthetic OUT`: captures no machine at hand can make, always the same bytes.

A ResNet-50 trains on GPUs: input copy, forward, backward, all-reduce, optimizer. Each kernel is launched by a host op
and joined to it by its correlation id; one step waits for its input, which leaves the GPUs idle.

    gpu_streams          one host, two GPUs, six steps; the fourth waits for its input
    two_hosts            one session of two hosts, a GPU each, clocks 37 ms apart
    broken_tail          a capture that ends in the middle of its GPU plane
    host_only_launches   kernels were launched, but the GPU plane is empty
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from tests.build_capture import Line, Plane, Ref, Space, StatValue, Uint

US, MS = 10**6, 10**9
#: 2026-11-20 09:00 UTC.
START_NS = 1_795_165_200 * 10**9
SESSION = "2026_11_20_09_00_00"
SLOW_STEP, SLOW_INPUT_PS = 3, 24 * MS

GPU: dict[str, StatValue] = {
    "device_vendor": "Nvidia",
    "gpu_device_name": "NVIDIA A100-SXM4-40GB",
    "clock_rate": Uint(1_410_000),
    "core_count": Uint(108),
    "memory_bandwidth": Uint(1_555_200_000_000),
    "memory_size": Uint(42_505_273_344),
    "compute_cap_major": Uint(8),
    "compute_cap_minor": Uint(0),
}


#: Host events in the making: name, start in ps, duration in ps, stats.
Pending: TypeAlias = list[tuple[str, int, int, dict[str, StatValue]]]


@dataclass(frozen=True)
class Op:
    """A TensorFlow op and the one kernel that it runs."""

    name: str
    kernel: str
    mean_us: float


def main(out: Path) -> None:
    keep(out / "gpu_streams", {"trainer": capture("trainer", gpus=2, steps=6, seed=1)})
    two = {f"worker-{i}": capture(f"worker-{i}", gpus=1, steps=3, seed=2 + i, late_ms=37 * i) for i in range(2)}
    keep(out / "two_hosts", two)
    whole = capture("trainer", gpus=1, steps=2, seed=4).bytes()
    keep(out / "broken_tail", {"trainer": whole[: len(whole) * 3 // 5]})
    keep(out / "host_only_launches", {"trainer": capture("trainer", gpus=1, steps=2, seed=5, kernels=False)})


def keep(logdir: Path, hosts: Mapping[str, Space | bytes]) -> None:
    folder = logdir / "plugins" / "profile" / SESSION
    folder.mkdir(parents=True, exist_ok=True)
    for host, space in hosts.items():
        data = space if isinstance(space, bytes) else space.bytes()
        (folder / f"{host}.xplane.pb").write_bytes(data)


def capture(host: str, gpus: int, steps: int, seed: int, late_ms: int = 0, kernels: bool = True) -> Space:
    """`kernels=False` leaves the GPU planes without lines, as a tracer without permission does."""
    space = Space(hostnames=[host])
    cpu = space.plane("/host:CPU", stats={"process_id": 4242})
    run = Run(cpu, [Device(space.plane(f"/device:GPU:{i}", id=i, stats=GPU), i) for i in range(gpus)], seed)
    for step in range(steps):
        run.step(step, SLOW_INPUT_PS if step == SLOW_STEP else 900 * US)
    if not kernels:
        for device in run.devices:
            device.plane.lines.clear()
            device.plane.kind_data.clear()
    start_ns = START_NS + late_ms * 10**6
    stop_ns = start_ns + run.now_ps // 1000
    space.plane("Task Environment", stats={"profile_start_time": Uint(start_ns), "profile_stop_time": Uint(stop_ns)})
    return space


class Device:
    """A GPU with four streams, and the thread of the host that feeds it."""

    def __init__(self, plane: Plane, ordinal: int) -> None:
        self.plane, self.ordinal = plane, ordinal
        names = ("Compute", "Compute", "MemcpyH2D", "MemcpyD2H")
        self.streams = [
            plane.line(20 + i, f"Stream #{20 + i}({name})", timestamp_ns=5000) for i, name in enumerate(names)
        ]
        self.free_ps = [0] * len(names)

    def run(self, stream: int, name: str, earliest_ps: int, duration_ps: int, stats: Mapping[str, StatValue]) -> int:
        """Queue work behind what the stream has; when it ends."""
        start_ps = max(self.free_ps[stream] + US, earliest_ps)
        self.streams[stream].event(name, start_ps, duration_ps, stats={"context_id": Ref("$$1"), **stats})
        self.free_ps[stream] = start_ps + duration_ps
        return self.free_ps[stream]


@dataclass
class Run:
    """One training process; `now_ps` is when its next step starts."""

    cpu: Plane
    devices: list[Device]
    seed: int
    now_ps: int = 200 * US
    random: random.Random = field(init=False)
    python: Line = field(init=False)
    executors: list[Line] = field(init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.ids = itertools.count(1)
        self.python = self.cpu.line(4242, "python", timestamp_ns=5000)
        self.executors = [
            self.cpu.line(4300 + d.ordinal, f"tf_gpu_launch_{d.ordinal}/{4300 + d.ordinal}", timestamp_ns=5000)
            for d in self.devices
        ]

    def step(self, number: int, input_ps: int) -> None:
        begin_ps, call_ps = self.now_ps, self.now_ps + input_ps + 60 * US
        ends = [self.execute(device, number, call_ps) for device in self.devices]
        end_ps = max(ends) + 40 * US
        self.python.event("train", begin_ps, end_ps - begin_ps, stats={"step_num": number, "_r": 1})
        self.python.event("IteratorGetNext:IteratorGetNext", begin_ps + 20 * US, input_ps)
        self.python.event(
            "FunctionRun", call_ps, end_ps - call_ps - 10 * US, stats={"id": number, "_pt": 2, "_p": number}
        )
        self.now_ps = end_ps + 150 * US

    def execute(self, device: Device, number: int, start_ps: int) -> int:
        """All ops of a step on one device, on its executor's thread; when the last kernel ends."""
        thread = self.executors[device.ordinal]
        inner: Pending = []
        now_ps = self.copy_in(device, inner, start_ps + 15 * US)
        for op in OPS:
            now_ps = self.launch(device, inner, op, now_ps)
        now_ps = self.reduce_and_report(device, inner, now_ps)
        stats = {"id": number, "iter_num": number, "_ct": 2, "_c": number}
        thread.event("ExecutorState::Process", start_ps + 5 * US, now_ps - start_ps, stats=stats)
        for name, at_ps, duration_ps, given in inner:
            thread.event(name, at_ps, duration_ps, stats=given)
        return max(now_ps, *device.free_ps)

    def launch(self, device: Device, inner: Pending, op: Op, now_ps: int) -> int:
        """The op, the launch inside it, and the kernel that it starts; when the next op may begin."""
        host_ps = int(self.random.uniform(7, 12) * US)
        correlation = next(self.ids)
        inner.append((op.name, now_ps, host_ps, {}))
        inner.append(("cuLaunchKernel", now_ps + 2 * US, 4 * US, self.joined(device, correlation)))
        duration_ps = int(op.mean_us * self.random.lognormvariate(0, 0.06) * US)
        facts: dict[str, StatValue] = {
            "correlation_id": Uint(correlation),
            "kernel_details": Ref(details(op)),
            "tf_op": Ref(op.name),
            "theoretical_occupancy_pct": 50.0,
        }
        device.run(0, op.kernel, now_ps + 8 * US, duration_ps, facts)
        return now_ps + host_ps + US

    def copy_in(self, device: Device, inner: Pending, now_ps: int) -> int:
        correlation = next(self.ids)
        inner.append(("cuMemcpyHtoDAsync_v2", now_ps, 9 * US, self.joined(device, correlation)))
        facts = Ref("kind_src:pinned kind_dst:device size:38535168 dest:0 async:1")
        stats: dict[str, StatValue] = {"correlation_id": Uint(correlation), "memcpy_details": facts}
        device.run(2, "MemcpyH2D", now_ps + 4 * US, 1560 * US, stats)
        device.free_ps[0] = max(device.free_ps[0], device.free_ps[2])  # kernels wait for the input
        return now_ps + 10 * US

    def reduce_and_report(self, device: Device, inner: Pending, now_ps: int) -> int:
        """All-reduce beside the last kernels, on the second compute stream, then the loss to the host."""
        reduce_id, copy_id = next(self.ids), next(self.ids)
        inner.append(("CollectiveReduceV2:CollectiveReduceV2", now_ps, 10 * US, {}))
        inner.append(("cuLaunchKernel", now_ps + 2 * US, 4 * US, self.joined(device, reduce_id)))
        kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)"
        reduce_op = Ref("CollectiveReduceV2:CollectiveReduceV2")
        facts: dict[str, StatValue] = {"correlation_id": Uint(reduce_id), "tf_op": reduce_op}
        ready_ps = max(now_ps + 8 * US, device.free_ps[0] - 900 * US)
        reduced_ps = device.run(1, kernel, ready_ps, 2100 * US, facts)
        inner.append(("cuMemcpyDtoHAsync_v2", now_ps + 12 * US, 5 * US, self.joined(device, copy_id)))
        size = Ref("kind_src:device kind_dst:pageable size:4 dest:0 async:1")
        facts = {"correlation_id": Uint(copy_id), "memcpy_details": size}
        device.run(3, "MemcpyD2H", reduced_ps, 2 * US, facts)
        return now_ps + 20 * US

    @staticmethod
    def joined(device: Device, correlation: int) -> dict[str, StatValue]:
        return {"correlation_id": Uint(correlation), "device_id": Uint(device.ordinal)}


def details(op: Op) -> str:
    registers, blocks = 64 + len(op.kernel) % 64, 108 * (1 + len(op.name) % 7)
    memory = "static_shared:0 dynamic_shared:49152"
    return f"regs:{registers} {memory} grid:{blocks},1,1 block:256,1,1 occ_pct:50"


def resnet50() -> list[Op]:
    """The ops of one training step, in order, with times of an A100 at batch size 64."""
    layers = [
        f"conv{stage}_block{block}_{part}"
        for stage, blocks in ((2, 3), (3, 4), (4, 6), (5, 3))
        for block in range(1, blocks + 1)
        for part in (1, 2, 3)
    ]
    forward = [op for layer in layers for op in forward_of(layer)]
    backward = [op for layer in reversed(layers) for op in backward_of(layer)]
    return forward + HEAD + backward + [update_of(layer) for layer in layers]


def forward_of(layer: str) -> list[Op]:
    scope = f"model/resnet50/{layer}"
    slow = 1.8 if layer.endswith("_2") else 1.0
    return [
        Op(f"{scope}_conv/Conv2D:Conv2D", "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc", 46 * slow),
        Op(f"{scope}_bn/FusedBatchNormV3:FusedBatchNormV3", BATCH_NORM.format("fw_tr"), 21),
        Op(f"{scope}_relu/Relu:Relu", "Relu_GPU_DT_FLOAT_DT_FLOAT_kernel", 8),
    ]


def backward_of(layer: str) -> list[Op]:
    scope = f"gradient_tape/model/resnet50/{layer}"
    slow = 1.7 if layer.endswith("_2") else 1.0
    norm, conv = f"{scope}_bn/FusedBatchNormGradV3", f"{scope}_conv/Conv2D/Conv2DBackprop"
    gemm = "sm80_xmma_{}_implicit_gemm_indexed_tf32f32_tf32f32_f32_nhwckrsc_nhwc"
    return [
        Op(f"{scope}_relu/ReluGrad:ReluGrad", "ReluGrad_GPU_DT_FLOAT_DT_FLOAT_kernel", 12),
        Op(f"{norm}:FusedBatchNormGradV3", BATCH_NORM.format("bw"), 34),
        Op(f"{conv}Filter:Conv2DBackpropFilter", gemm.format("wgrad"), 58 * slow),
        Op(f"{conv}Input:Conv2DBackpropInput", gemm.format("dgrad"), 52 * slow),
    ]


def update_of(layer: str) -> Op:
    kernel = "void tensorflow::functor::(anonymous namespace)::SparseApplyKeepNone<float>(int, float*, float const*)"
    return Op(f"SGD/SGD/update_{layer}/ResourceApplyKerasMomentum:ResourceApplyKerasMomentum", kernel, 4)


BATCH_NORM = "void cudnn::bn_{}_1C11_kernel_NCHW<float, float, int, 512, true, 1, true>(cudnnTensorStruct*)"
HEAD = [
    Op("model/resnet50/avg_pool/Mean:Mean", "void cub::DeviceReduceKernel<cub::Policy600, float*, float*>(int)", 14),
    Op("model/resnet50/predictions/MatMul:MatMul", "ampere_sgemm_128x64_nn", 24),
    Op(
        "loss/SparseSoftmaxCrossEntropyWithLogits:SparseSoftmaxCrossEntropyWithLogits",
        "void tensorflow::functor::SparseXentGradKernel<float, long>(long const*, float*)",
        9,
    ),
]
OPS = resnet50()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
