"""AMD GPUs, TPUs, and what stands in a profiler's way on any machine: other profilers, variables of the environment."""

from __future__ import annotations

import os
from collections.abc import Iterator

from .look import DISPLAY, VENDOR, Machine, MachineCheck, gpu_count

GOOGLE = "0x1ae0"
#: Program → the code for what it does to others' profiles. The kernel keeps 15 letters of a program's name.
PROFILERS = {
    **dict.fromkeys(("nsys", "nsys-launcher", "ncu", "nvprof", "nv-nsight-cu-cli"), "profiler_holds_cupti"),
    **dict.fromkeys(("nv-hostengine", "dcgm-exporter"), "profiler_holds_counters"),
    **dict.fromkeys(("rocprof", "rocprofv2", "rocprofv3"), "profiler_holds_cupti"),
}
OFF = ("", "0", "false")


def amd(machine: Machine) -> list[MachineCheck]:
    """AMD's GPUs, and whether this user may use them."""
    nodes = machine.listed("/sys/class/kfd/kfd/topology/nodes", r"\d+")
    count = sum(_has_simd(machine.read(f"{node}/properties")) for node in nodes)
    if not count:
        return []
    if not machine.has("/dev/kfd"):
        return [MachineCheck("amd_not_in_container", {"gpus": count})]
    if not os.access(machine.at("/dev/kfd"), os.R_OK | os.W_OK):
        return [MachineCheck("amd_not_permitted", {"gpus": count})]
    tracers = machine.listed("/opt/rocm/lib", r"lib(rocprofiler|roctracer).*\.so.*")
    if not tracers:
        return [MachineCheck("amd_without_tracer", {"gpus": count})]
    return [MachineCheck("amd", {"gpus": count, "tracer": tracers[0]})]


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
        return [MachineCheck("tpu_without_library", {"chips": count})]
    return [MachineCheck("tpu", {"chips": count, "library": library})]


def nothing(machine: Machine) -> list[MachineCheck]:
    """Said where there is no device at all, so that an absence is not taken for a pass."""
    devices = gpu_count(machine) or machine.pci(VENDOR, DISPLAY) or amd(machine) or tpu(machine)
    if devices:
        return []
    return [MachineCheck("no_devices")]


def profilers(machine: Machine) -> list[MachineCheck]:
    """Other profilers that run on this machine, as far as their processes can be seen from here."""
    listed = machine.listed("/proc", r"\d+")
    if not listed:
        return [MachineCheck("processes_not_visible")]
    names = [(machine.read(f"{path}/comm") or "").strip() for path in listed]
    running = [MachineCheck(code, {"program": name}) for name, code in PROFILERS.items() if name in names]
    return running or [MachineCheck("no_other_profiler", {"processes": len(listed)})]


def environment(machine: Machine) -> list[MachineCheck]:
    """Variables of this shell that keep a profiler from recording; a training started elsewhere has its own."""
    problems = list(_variables(machine))
    return problems or [MachineCheck("environment")]


def _variables(machine: Machine) -> Iterator[MachineCheck]:
    environ = machine.environ

    def line(code: str, name: str) -> MachineCheck:
        return MachineCheck(code, {"name": name, "value": environ[name][:100]})

    if environ.get("TF_DISABLE_PROFILING", "0").lower() not in OFF:
        yield line("profiling_disabled", "TF_DISABLE_PROFILING")
    for name in ("CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"):
        if environ.get(name):
            yield line("profiler_injected", name)
    if not gpu_count(machine):
        return
    if environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in ("", "-1", "NoDevFiles"):
        yield line("gpus_hidden", "CUDA_VISIBLE_DEVICES")
    for name in ("JAX_PLATFORMS", "JAX_PLATFORM_NAME"):
        if environ.get(name, "").strip().lower() == "cpu":
            yield line("jax_on_cpu", name)
    if environ.get("TF_GPU_CUPTI_USE_ACTIVITY_API", "1").lower() in OFF:
        yield line("no_activity_records", "TF_GPU_CUPTI_USE_ACTIVITY_API")
    if environ.get("CUDA_LAUNCH_BLOCKING", "0").lower() not in OFF:
        yield line("launches_block", "CUDA_LAUNCH_BLOCKING")
    if environ.get("TF_GPU_CUPTI_FORCE_CONCURRENT_KERNEL", "1").lower() in OFF:
        yield line("kernels_serialized", "TF_GPU_CUPTI_FORCE_CONCURRENT_KERNEL")
    if environ.get("KINETO_USE_DAEMON", "0").lower() not in OFF:
        yield line("profiler_daemon", "KINETO_USE_DAEMON")
