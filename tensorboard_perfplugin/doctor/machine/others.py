"""AMD GPUs, TPUs, and what stands in a profiler's way on any machine: other profilers, variables of the environment."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ..render import counted
from .look import DISPLAY, VENDOR, Machine, MachineCheck, State, gpu_count

GOOGLE = "0x1ae0"
#: Program → what it does to others' profiles, and what helps. The kernel keeps 15 letters of a program's name.
HOLDS: tuple[State, str, str] = (
    "FAIL",
    "holds CUPTI of the program that it started",
    "end it, or record a run that it did not start",
)
WATCHES: tuple[State, str, str] = (
    "unknown",
    "holds the GPUs' counters where it watches profiling metrics",
    "dcgmi profile --pause",
)
PROFILERS = {
    **dict.fromkeys(("nsys", "nsys-launcher", "ncu", "nvprof", "nv-nsight-cu-cli"), HOLDS),
    **dict.fromkeys(("nv-hostengine", "dcgm-exporter"), WATCHES),
    **dict.fromkeys(("rocprof", "rocprofv2", "rocprofv3"), HOLDS),
}
OFF = ("", "0", "false")


def amd(machine: Machine) -> list[MachineCheck]:
    """AMD's GPUs, and whether this user may use them."""
    nodes = machine.listed("/sys/class/kfd/kfd/topology/nodes", r"\d+")
    count = sum(_has_simd(machine.read(f"{node}/properties")) for node in nodes)
    if not count:
        return []
    if not machine.has("/dev/kfd"):
        found = f"{counted(count, 'AMD GPU')}, and no /dev/kfd in this container"
        return [MachineCheck("GPU", "FAIL", found, "docker run --device=/dev/kfd --device=/dev/dri")]
    if not os.access(machine.at("/dev/kfd"), os.R_OK | os.W_OK):
        found = f"{counted(count, 'AMD GPU')}, and this user may not open /dev/kfd"
        return [MachineCheck("GPU", "FAIL", found, "sudo usermod -aG render,video $USER, and log in again")]
    tracers = machine.listed("/opt/rocm/lib", r"lib(rocprofiler|roctracer).*\.so.*")
    if not tracers:
        found = f"{counted(count, 'AMD GPU')}, and no rocprofiler or roctracer in /opt/rocm/lib"
        return [MachineCheck("GPU", "FAIL", found, "install ROCm's rocprofiler-sdk and roctracer packages")]
    return [MachineCheck("GPU", "ok", f"{counted(count, 'AMD GPU')}; {tracers[0]}")]


def _has_simd(properties: str | None) -> bool:
    """Whether a node of the topology is a GPU; a CPU has no SIMD units."""
    rows = (line.split() for line in (properties or "").splitlines())
    return any(row[0] == "simd_count" and row[-1] != "0" for row in rows if len(row) == 2)


def tpu(machine: Machine) -> list[MachineCheck]:
    """TPUs, whose tracer is part of libtpu and needs no permission."""
    count = len(machine.listed("/dev", r"accel\d+")) or machine.pci(GOOGLE, "")
    library = next((f"{name} {v}" for name in ("libtpu", "libtpu-nightly") if (v := machine.version(name))), "")
    if not count:
        return []
    if not library:
        fix = "pip install 'jax[tpu]', or tensorflow-tpu"
        return [MachineCheck("TPU", "FAIL", f"{counted(count, 'TPU chip')}, and no libtpu in this Python", fix)]
    return [MachineCheck("TPU", "ok", f"{counted(count, 'TPU chip')}; {library}")]


def nothing(machine: Machine) -> list[MachineCheck]:
    """Said where there is no device at all, so that an absence is not taken for a pass."""
    found = gpu_count(machine) or machine.pci(VENDOR, DISPLAY) or amd(machine) or tpu(machine)
    if found:
        return []
    hint = "in a container that should have one: docker run --gpus all"
    return [MachineCheck("devices", "ok", f"no GPU and no TPU: profiles will hold the host alone ({hint})")]


def profilers(machine: Machine) -> list[MachineCheck]:
    """Other profilers that run on this machine, as far as their processes can be seen from here."""
    listed = machine.listed("/proc", r"\d+")
    if not listed:
        return [MachineCheck("other profilers", "unknown", "/proc shows no processes")]
    names = [(machine.read(f"{path}/comm") or "").strip() for path in listed]
    running = [name for name in PROFILERS if name in names]
    if not running:
        return [
            MachineCheck("other profilers", "ok", f"none among the {counted(len(listed), 'process', 'processes')} here")
        ]
    return [
        MachineCheck("other profilers", state, f"{name} runs, which {what}", fix)
        for name, (state, what, fix) in ((name, PROFILERS[name]) for name in running)
    ]


def environment(machine: Machine) -> list[MachineCheck]:
    """Variables of this shell that keep a profiler from recording; a training started elsewhere has its own."""
    found = list(_variables(machine))
    return found or [MachineCheck("environment", "ok", "no variable here that keeps a profiler from recording")]


def _variables(machine: Machine) -> Iterator[MachineCheck]:
    def line(state: State, name: str, what: str) -> MachineCheck:
        return MachineCheck("environment", state, f"{name}={environ[name][:100]}: {what}", f"unset {name}")

    environ = machine.environ
    if environ.get("TF_DISABLE_PROFILING", "0").lower() not in OFF:
        yield line("FAIL", "TF_DISABLE_PROFILING", "the profilers of TensorFlow and JAX refuse to start")
    for name in ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"):
        if environ.get(name):
            yield line("FAIL", name, "another profiler is put into every program that uses CUDA, and holds CUPTI")
    if not gpu_count(machine):
        return
    if environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1", "NoDevFiles"):
        yield line("FAIL", "CUDA_VISIBLE_DEVICES", "hides every GPU")
    for name in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        if environ.get(name, "").strip().lower() == "cpu":
            yield line("FAIL", name, "JAX uses no GPU")
    if environ.get("TF_GPU_CUPTI_USE_ACTIVITY_API", "1").lower() in OFF:
        yield line(
            "FAIL", "TF_GPU_CUPTI_USE_ACTIVITY_API", "TensorFlow and JAX do not record kernels by CUPTI's records"
        )
    if environ.get("CUDA_LAUNCH_BLOCKING", "0").lower() not in OFF:
        yield line(
            "unknown", "CUDA_LAUNCH_BLOCKING", "each launch waits for its kernel: times are not those without it"
        )
    if environ.get("TF_GPU_CUPTI_FORCE_CONCURRENT_KERNEL", "1").lower() in OFF:
        yield line("unknown", "TF_GPU_CUPTI_FORCE_CONCURRENT_KERNEL", "kernels are recorded one after the other")
    if environ.get("KINETO_USE_DAEMON", "0").lower() not in OFF:
        yield line("unknown", "KINETO_USE_DAEMON", "a daemon (dynolog) may start PyTorch's profiler at any time")
