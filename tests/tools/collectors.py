"""Captures as XLA's collectors write them for devices of which no capture is at hand: CUPTI's, ROCm's, a TPU's.

    cuda = Cuda(h100, devices=8)
    cuda.launch(0, 13, "nvjet_…", call=(1000, 3000), run=(5000, 9000), annotation=xla("jit_f", 7, "custom-call.1"))

Times are nanoseconds; `call` and `run` are begin and end of the driver's call and of what it ran.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.build_capture import Line, Ref, Space, StatValue, Uint

NS = 1000
Span = tuple[int, int]

#: Planes as the CUPTI collector writes them: 2 × memory clock × bus width ÷ 8 is the memory's rate.
H100: dict[str, StatValue] = {
    "device_vendor": "Nvidia",
    "gpu_device_name": "NVIDIA H100 80GB HBM3",
    "clock_rate": 1_980_000,
    "core_count": 132,
    "memory_bandwidth": Uint(2 * 2_619_000 * 1000 * 5120 // 8),
    "memory_size": Uint(85_017_755_648),
    "compute_cap_major": 9,
    "compute_cap_minor": 0,
}
B200: dict[str, StatValue] = {
    **H100,
    "gpu_device_name": "NVIDIA B200",
    "clock_rate": 1_965_000,
    "core_count": 148,
    "memory_bandwidth": Uint(2 * 3_996_000 * 1000 * 8192 // 8),
    "memory_size": Uint(191_505_104_896),
    "compute_cap_major": 10,
}
MI300X: dict[str, StatValue] = {
    "device_vendor": "AMD",
    "clock_rate": 2_100_000,
    "core_count": 304,
    "memory_bandwidth": Uint(2 * 1_300_000 * 1000 * 8192 // 8),
    "memory_size": Uint(206_141_652_992),
    "compute_cap_major": 9,
    "compute_cap_minor": 4,
}


def details(grid: str, block: str, occupancy: float, registers: int = 168, static: int = 0, dynamic: int = 0) -> str:
    return (
        f"regs:{registers} static_shared:{static} dynamic_shared:{dynamic} grid:{grid} block:{block} "
        f"occ_pct:{occupancy:g}"
    )


def xla(module: str, program: int, op: str, name: str = "") -> dict[str, StatValue]:
    """What is left on a device event of the annotations `XlaModule:#…#::Thunk:#…#`."""
    facts: dict[str, StatValue] = {"tf_op": Ref("XlaModule:"), "hlo_op": Ref(op), "hlo_module": Ref(module)}
    return {**facts, "program_id": program, **({"name": Ref(name)} if name else {})}


class Cuda:
    """A host with GPUs of one kind: driver calls lie on its thread, what they ran on streams; ids count up."""

    def __init__(self, device: Mapping[str, StatValue], devices: int = 1) -> None:
        self.space = Space(hostnames=["h"])
        self.cpu = self.space.plane("/host:CPU")
        self.thread = self.cpu.line(77, "Host Threads/77")
        self.planes = [self.space.plane(f"/device:GPU:{i}", id=i, stats=device) for i in range(devices)]
        self.correlation = 0

    def stream(self, device: int, number: int) -> Line:
        plane = self.planes[device]
        found = (line for line in plane.lines if line.id == number)
        return next(found, None) or plane.line(number, f"Stream #{number}(Compute)")

    def call(self, name: str, device: int, span: Span, **more: StatValue) -> int:
        """A driver's call, and the correlation id that it gets."""
        self.correlation += 1
        facts: dict[str, StatValue] = {"device_id": Uint(device), "correlation_id": Uint(self.correlation)}
        put(self.thread, name, span, {**facts, "context_id": "$$1", **more})
        return self.correlation

    def ran(
        self, device: int, stream: int, name: str, span: Span, correlation: int, facts: dict[str, StatValue]
    ) -> None:
        put(
            self.stream(device, stream), name, span, {"correlation_id": Uint(correlation), "context_id": "$$1", **facts}
        )

    def launch(
        self,
        device: int,
        stream: int,
        name: str,
        call: Span,
        run: Span,
        kernel: str = "",
        annotation: Mapping[str, StatValue] = {},
        occupancy: float = 18.75,
    ) -> None:
        kernel = kernel or details("132,1,1", "384,1,1", occupancy, dynamic=196_608)
        facts: dict[str, StatValue] = {
            "theoretical_occupancy_pct": float(occupancy),
            "occupancy_min_grid_size": 132,
            "occupancy_suggested_block_size": 1024,
            "kernel_details": Ref(kernel),
            **annotation,
        }
        self.ran(device, stream, name, run, self.call("cuLaunchKernelEx", device, call), facts)

    def node(
        self,
        device: int,
        stream: int,
        name: str,
        run: Span,
        correlation: int,
        graph: int,
        node: int,
        /,
        **more: StatValue,
    ) -> None:
        """A kernel of a CUDA graph whose nodes are traced: all have the launch's correlation id."""
        facts: dict[str, StatValue] = {
            "cuda_graph_id": Uint(graph),
            "cuda_graph_node_id": Uint(node),
            "theoretical_occupancy_pct": 25.0,
            "kernel_details": Ref(details("64,1,1", "512,1,1", 25)),
        }
        self.ran(device, stream, name, run, correlation, {**facts, **more})

    def copy(self, device: int, stream: int, name: str, call: Span, run: Span, text: str) -> None:
        """`kind_src:pinned kind_dst:device size:… dest:0 async:1`."""
        correlation = self.call(name, device, call)
        self.ran(device, stream, name, run, correlation, {"memcpy_details": Ref(text)})


def put(line: Line, name: str, span: Span, facts: Mapping[str, StatValue]) -> None:
    line.event(name, span[0] * NS, (span[1] - span[0]) * NS, stats=facts)


def steps(space: Space, spans: Sequence[Span], name: str = "train") -> None:
    """What `jax.profiler.StepTraceAnnotation` leaves on the Python thread."""
    thread = space.planes[0].line(5, "python")
    for i, span in enumerate(spans):
        put(thread, name, span, {"step_num": i, "_r": 1})


class Rocm:
    """A host with AMD's GPUs. Their numbers are those of agents, of which the host's processors are the first two."""

    def __init__(self, devices: int) -> None:
        self.space = Space(hostnames=["h"])
        self.thread = self.space.plane("/host:CPU").line(99, "Host Threads/99")
        self.planes = [self.space.plane(f"/device:GPU:{i}", id=i, stats=MI300X) for i in range(devices)]
        self.correlation = 0

    def launch(
        self, device: int, stream: int, name: str, call: Span, run: Span, grid: str, annotation: Mapping[str, StatValue]
    ) -> None:
        self.correlation += 1
        joined: dict[str, StatValue] = {"correlation_id": Uint(self.correlation)}
        put(self.thread, "hipExtModuleLaunchKernel", call, {"device_id": Uint(device + 2), **joined})
        text = f" grid:{grid} block:256,1,1 private_mem:0 group_mem:8704 occ_pct:0"
        plane = self.planes[device]
        line = next((line for line in plane.lines if line.id == stream), None) or plane.line(
            stream, f"Stream #{stream}"
        )
        put(line, name, run, {**joined, "kernel_details": Ref(text), **annotation})


class Tpu:
    """A host's TPU chips, each of one core: ops on the line of its own, which nest nothing here."""

    def __init__(self, device: Mapping[str, StatValue], chips: int) -> None:
        self.space = Space(hostnames=["h"])
        self.space.plane("/host:CPU")
        self.chips = [self.space.plane(f"/device:TPU:{i}", id=i, stats=device) for i in range(chips)]
        for chip in self.chips:
            for i, name in enumerate(("Steps", "XLA Modules", "XLA Ops", "Async XLA Ops"), 1):
                chip.line(i, name)

    def kind(self, chip: int, text: str, category: str, **more: StatValue) -> int:
        """An instruction, all of whose facts lie at its kind; of the framework's op or none."""
        label = text.partition(" = ")[0].lstrip("%")
        return self.chips[chip].kind(text, label, {"hlo_category": category, "program_id": Uint(77), **more})

    def step(self, chip: int, number: int, span: Span, ops: Sequence[tuple[int, int]]) -> None:
        """ops: (kind, duration), one after another from the step's begin on."""
        marks, modules, line, _ = self.chips[chip].lines
        put(marks, str(number), span, {"group_id": number})
        put(modules, "jit_step(77)", span, {"run_id": number, "group_id": number})
        at = span[0]
        for kind, duration in ops:
            line.event(kind, at * NS, duration * NS)
            at += duration
