"""Takes this machine, reports whether a program that trains here will record its devices, and what helps where not."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata

from ..advice.text.machine import MACHINE_LINES, State
from ..advice.text.template import render
from ..messages import Param

# What the checks of a machine look at: its files, its environment, two programs, the packages of this Python.

#: No file that is looked at is larger; `/proc` has as many entries as there are processes.
MAX_BYTES = 64 << 10
MAX_ENTRIES = 50_000
#: nvidia-smi takes some seconds where the driver has to start.
RUN_S = 10.0
#: As PCI numbers them: NVIDIA, and what drives a display.
VENDOR, DISPLAY = "0x10de", "0x03"


@dataclass(frozen=True)
class MachineCheck:
    """One line. code: what it is, exactly; params: the numbers and names in its words.

    state: whether it lets devices be recorded. fix: one command or action, where there is one.
    """

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)
    subject: str = field(init=False)
    state: State = field(init=False)
    found: str = field(init=False)
    fix: str = field(init=False)

    def __post_init__(self) -> None:
        line = MACHINE_LINES[self.code]
        words = {name: render(getattr(line, name), self.params) for name in ("found", "fix")}
        for name, value in {"subject": line.subject, "state": line.state, **words}.items():
            object.__setattr__(self, name, value)


def run_program(command: Sequence[str]) -> tuple[int, str] | None:
    """Exit code and what it printed, or None where there is no such program or no end of it."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=RUN_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.returncode, done.stdout[: 16 * MAX_BYTES].decode(errors="replace")


def version_of(distribution: str) -> str | None:
    """The version of a package that this Python has."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


@dataclass(frozen=True)
class Machine:
    """Where to look. root: the folder that `/proc`, `/dev`, `/sys` and `/usr` lie in. packages: folders of packages."""

    root: str = "/"
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    packages: Sequence[str] = field(default_factory=lambda: tuple(path for path in sys.path if os.path.isdir(path)))
    run: Callable[[Sequence[str]], tuple[int, str] | None] = run_program
    version: Callable[[str], str | None] = version_of

    def at(self, path: str) -> str:
        return os.path.join(self.root, path.lstrip("/"))

    def read(self, path: str) -> str | None:
        """The start of a file, or None where it is not there or may not be read."""
        try:
            with open(self.at(path), "rb") as file:
                return file.read(MAX_BYTES).decode(errors="replace")
        except OSError:
            return None

    def listed(self, path: str, pattern: str) -> list[str]:
        """The paths of the entries of a folder whose whole names the pattern matches."""
        try:
            names = sorted(os.listdir(self.at(path)))[:MAX_ENTRIES]
        except OSError:
            return []
        return [f"{path.rstrip('/')}/{name}" for name in names if re.fullmatch(pattern, name)]

    def has(self, path: str) -> bool:
        return os.path.lexists(self.at(path))

    def packaged(self, path: str) -> str | None:
        """The start of a file of an installed package."""
        for folder in self.packages:
            try:
                with open(os.path.join(folder, path), "rb") as file:
                    return file.read(MAX_BYTES).decode(errors="replace")
            except OSError:
                continue
        return None

    def pci(self, vendor: str, kind: str) -> int:
        """How many PCI devices there are of a vendor, as `0x10de`, whose class begins with `kind`."""
        count = 0
        for path in self.listed("/sys/bus/pci/devices", r"[0-9a-f:.]+"):
            its_kind = (self.read(f"{path}/class") or "").strip()
            count += (self.read(f"{path}/vendor") or "").strip() == vendor and its_kind.startswith(kind)
        return count


def gpu_count(machine: Machine) -> int:
    """How many NVIDIA GPUs the driver has, or WSL shows."""
    listed = machine.listed("/proc/driver/nvidia/gpus", r"[0-9a-fA-F:.]+")
    return len(listed) or len(nvidia_devices(machine)) or (1 if is_wsl(machine) else 0)


def nvidia_devices(machine: Machine) -> list[str]:
    return machine.listed("/dev", r"nvidia\d+")


def is_wsl(machine: Machine) -> bool:
    return machine.has("/dev/dxg") and machine.has("/usr/lib/wsl/lib/libcuda.so.1")


# Which frameworks this Python has, and whether they were built for the GPUs that are here. Imports none of them.

TENSORFLOW = ("tensorflow", "tensorflow-gpu", "tf-nightly", "tensorflow-rocm", "tensorflow-cpu", "tf-nightly-cpu")
#: JAX's packages for CUDA, by its major version, newest first.
MAJORS = (13, 12, 11)


def frameworks(machine: Machine) -> list[MachineCheck]:
    """The frameworks of this Python with their versions."""
    names = [name for name in TENSORFLOW if machine.version(name)][:1]
    names += [name for name in ("jax", "torch") if machine.version(name)]
    python: dict[str, Param] = {"python": platform.python_version(), "executable": sys.executable}
    if not names:
        return [MachineCheck("no_framework", python)]
    every = [(name, machine.version(name)) for name in (*names, "jaxlib", "keras")]
    named = ", ".join(f"{name} {version}" for name, version in every if version)
    return [MachineCheck("frameworks", {"names": named, **python})]


def builds(machine: Machine) -> list[MachineCheck]:
    """Whether each framework can use an NVIDIA GPU at all, where there is one."""
    if not gpu_count(machine):
        return []
    lines = (_tensorflow(machine), _jax(machine), _torch(machine))
    return [line for line in lines if line is not None]


def cuda_majors(machine: Machine) -> dict[str, int]:
    """Framework → the major version of CUDA that it was built for, of those whose names show it."""
    return {name: major for name, major in _majors(machine) if major}


def _majors(machine: Machine) -> Iterator[tuple[str, int]]:
    if any(machine.version(name) for name in TENSORFLOW):
        yield "TensorFlow", _major(_build_info(machine), r"'cuda_version', '(\d+)")
    yield "JAX", _jax_major(machine)
    if machine.version("torch"):
        yield "PyTorch", _major(machine.packaged("torch/version.py"), r"(?m)^cuda\b[^=\n]*= '(\d+)")


def _major(text: str | None, pattern: str) -> int:
    match = re.search(pattern, text or "")
    return int(match[1]) if match else 0


def _build_info(machine: Machine) -> str | None:
    return machine.packaged("tensorflow/python/platform/build_info.py")


def _jax_major(machine: Machine) -> int:
    if not machine.version("jax"):
        return 0
    there = (n for n in MAJORS if machine.version(f"jax-cuda{n}-plugin") or machine.version(f"jax-cuda{n}-pjrt"))
    return next(there, _major(machine.version("jaxlib"), r"\+cuda(\d\d)"))


def _tensorflow(machine: Machine) -> MachineCheck | None:
    name = next((name for name in TENSORFLOW if machine.version(name)), None)
    if name is None:
        return None
    built = re.search(r"'is_cuda_build', (True|False)", _build_info(machine) or "")
    if built is None:
        return MachineCheck("tensorflow_build_unknown", {"name": name})
    if built[1] == "True":
        return MachineCheck("tensorflow_with_cuda", {"name": name, "major": cuda_majors(machine).get("TensorFlow")})
    return MachineCheck("tensorflow_without_cuda", {"name": name, "version": machine.version(name)})


def _jax(machine: Machine) -> MachineCheck | None:
    if not machine.version("jax"):
        return None
    if major := _jax_major(machine):
        return MachineCheck("jax_with_cuda", {"major": major})
    return MachineCheck("jax_without_cuda", {"version": machine.version("jax")})


def _torch(machine: Machine) -> MachineCheck | None:
    version = machine.version("torch")
    if not version:
        return None
    if major := cuda_majors(machine).get("PyTorch"):
        return MachineCheck("torch_with_cuda", {"version": version, "major": major})
    if "+cpu" in version or re.search(r"(?m)^cuda\b[^=\n]*= None", machine.packaged("torch/version.py") or ""):
        return MachineCheck("torch_without_cuda", {"version": version})
    return MachineCheck("torch_build_unknown", {"version": version})


# NVIDIA GPUs: are they reachable, is libcupti found where it is looked for, may this user trace, which driver.
#
# CUPTI records kernels and copies. Since CUDA 10.2 it does so for any user; the driver's switch RmProfilingAdminOnly
# then
# keeps hardware counters alone for administrators, and before, and in some containers, everything
# (CUPTI_ERROR_INSUFFICIENT_PRIVILEGES). An administrator is a user with CAP_SYS_ADMIN, from driver 565 on also
# CAP_PERFMON.

#: CUDA's major version → the oldest driver on Linux that runs all of its minor versions.
DRIVERS = {11: "450.80.02", 12: "525.60.13", 13: "580.65.06"}
SYS_ADMIN, PERFMON = 21, 38
PERFMON_SINCE = (565,)
#: CUPTI of this major version and later traces for any user.
TRACES_FOR_ALL = 11


@dataclass(frozen=True)
class Cupti:
    """One libcupti. seen: whether a program that is started here finds it there."""

    path: str
    major: int
    version: str
    seen: bool


def driver_version(machine: Machine) -> str:
    """The driver's version, as `550.54.15`, or nothing."""
    match = re.search(r"Kernel Module\b.*?\s(\d+(?:\.\d+)+)\s", machine.read("/proc/driver/nvidia/version") or "")
    return match[1] if match else ""


def gpus(machine: Machine) -> list[MachineCheck]:
    """The GPUs, and whether a process here reaches them."""
    count = gpu_count(machine)
    cards = machine.pci(VENDOR, DISPLAY)
    if not count:
        return [MachineCheck("nvidia_card_without_driver", {"cards": cards})] if cards else []
    if is_wsl(machine):
        return [MachineCheck("wsl")]
    if not nvidia_devices(machine):
        return [MachineCheck("gpus_not_in_container", {"gpus": count})]
    return [_asked(machine, count)]


def _asked(machine: Machine, count: int) -> MachineCheck:
    models, version = ", ".join(_models(machine)), driver_version(machine)
    seen: dict[str, Param] = {"gpus": count, "models": models or None, "driver": version or None}
    answer = machine.run(("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"))
    if answer is None or answer[0] == 0:
        return MachineCheck("gpus", seen)
    message = " ".join(answer[1].split())[:200]
    return MachineCheck(
        "nvidia_smi_mismatch" if "mismatch" in message else "nvidia_smi_fails", {**seen, "message": message}
    )


def _models(machine: Machine) -> list[str]:
    texts = [machine.read(f"{at}/information") for at in machine.listed("/proc/driver/nvidia/gpus", r"[0-9a-fA-F:.]+")]
    matches = [re.search(r"(?m)^Model:\s*(\S.*)$", text or "") for text in texts]
    return list(dict.fromkeys(each[1].strip() for each in matches if each))


def cupti(machine: Machine) -> list[MachineCheck]:
    """libcupti where the frameworks look for it, of the version that they were built for."""
    if not gpu_count(machine):
        return []
    every = list(_cuptis(machine))
    seen = [each for each in every if each.seen]
    wanted = cuda_majors(machine)
    lacking = {name: major for name, major in wanted.items() if major not in {each.major for each in seen}}
    if seen and not lacking:
        best = next((each for each in seen if each.major in wanted.values()), seen[0])
        return [MachineCheck("cupti", {"version": best.version or best.major, "path": best.path})]
    if not seen:
        return [_unseen(every, wanted)]
    others = ", ".join(f"{each.path} ({each.major})" for each in seen[:3])
    return [
        MachineCheck("cupti_of_another_cuda", {"framework": name, "others": others, **_fetch(major, every)})
        for name, major in lacking.items()
    ]


def _unseen(every: list[Cupti], wanted: dict[str, int]) -> MachineCheck:
    fetch = _fetch(next(iter(wanted.values()), 12), every)
    return (
        MachineCheck("cupti_not_looked_for", {"path": every[0].path, **fetch})
        if every
        else MachineCheck("no_cupti", fetch)
    )


def _fetch(major: int, every: list[Cupti]) -> dict[str, Param]:
    """Where a libcupti of that version lies that no program looks for, else the package that has it."""
    near = next((each for each in every if not each.seen and each.major == major), None)
    package = f"nvidia-cuda-cupti-cu{major}" if major < 13 else "nvidia-cuda-cupti"
    return {
        "major": major,
        "folder": os.path.dirname(near.path) if near else None,
        "package": None if near else package,
    }


def _cuptis(machine: Machine) -> Iterator[Cupti]:
    """Every libcupti there is, in the order in which programs would find them, then those that they would not."""
    for folder in machine.packages:
        for wheel in ("nvidia/cuda_cupti/lib", "nvidia/cu13/lib"):
            yield from _in(os.path.join(folder, wheel), True)
    for folder in machine.environ.get("LD_LIBRARY_PATH", "").split(":"):
        yield from _in(machine.at(folder), True) if folder else ()
    code, text = machine.run(("ldconfig", "-p")) or (1, "")
    for match in re.finditer(r"libcupti\.so\S*.*=> (\S+)", text if code == 0 else ""):
        yield from _in(machine.at(os.path.dirname(match[1])), True)
    homes = [machine.environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX")]
    for home in (*homes, *machine.listed("/usr/local", r"cuda(-[\d.]+)?")):
        for inner in ("extras/CUPTI/lib64", "lib64", "lib"):
            yield from _in(machine.at(os.path.join(home, inner)), False) if home else ()


def _in(folder: str, seen: bool) -> Iterator[Cupti]:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        # `libcupti.so.12` is what is asked for, a link to `libcupti.so.2024.1.1`.
        if (match := re.fullmatch(r"libcupti\.so\.(\d{1,2})(\.\d+)?", name)) is not None:
            whole = re.fullmatch(
                r"libcupti\.so\.([\d.]+)", os.path.basename(os.path.realpath(os.path.join(folder, name)))
            )
            yield Cupti(os.path.join(folder, name), int(match[1]), whole[1] if whole else "", seen)


def driver(machine: Machine) -> list[MachineCheck]:
    """Whether the driver is new enough for the CUDA that each framework was built for."""
    version = driver_version(machine)
    if not gpu_count(machine) or not version:
        return []
    lines = []
    for name, major in cuda_majors(machine).items():
        needed = DRIVERS.get(major)
        if needed and _numbers(version) < _numbers(needed):
            params: dict[str, Param] = {"version": version, "major": major, "framework": name, "needed": needed}
            lines.append(MachineCheck("driver_too_old", params))
    return lines


def permission(machine: Machine) -> list[MachineCheck]:
    """Whether the driver lets this process trace."""
    if not gpu_count(machine) or is_wsl(machine):
        return []
    switch = re.search(r"(?m)^RmProfilingAdminOnly:\s*(\d+)", machine.read("/proc/driver/nvidia/params") or "")
    if switch is None:
        return [MachineCheck("permission_unknown")]
    if switch[1] == "0":
        return [MachineCheck("everyone_may_profile")]
    if capability := _capability(machine):
        return [MachineCheck("administrator", {"capability": capability})]
    majors = {each.major for each in _cuptis(machine) if each.seen}
    if majors and max(majors) < TRACES_FOR_ALL:
        return [MachineCheck("nothing_without_administrator", {"cupti": max(majors)})]
    return [MachineCheck("no_counters_without_administrator")]


def _capability(machine: Machine) -> str:
    """What makes this process an administrator in the driver's eyes, or nothing."""
    match = re.search(r"(?m)^CapEff:\s*([0-9a-fA-F]{1,16})\s*$", machine.read("/proc/self/status") or "")
    held = int(match[1], 16) if match else 0
    if held >> SYS_ADMIN & 1:
        return "CAP_SYS_ADMIN"
    return "CAP_PERFMON" if held >> PERFMON & 1 and _numbers(driver_version(machine)) >= PERFMON_SINCE else ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part)


# AMD GPUs, TPUs, and what stands in a profiler's way on any machine: other profilers, variables of the environment.

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
    """Reported where there is no device at all, so that an absence is not taken for a pass."""
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


#: What is asked, in this order: each gives the lines that apply here.
QUESTIONS: tuple[Callable[[Machine], Sequence[MachineCheck]], ...] = (
    frameworks,
    gpus,
    builds,
    cupti,
    driver,
    permission,
    amd,
    tpu,
    nothing,
    profilers,
    environment,
)


def check_machine(machine: Machine | None = None) -> list[MachineCheck]:
    """What keeps device tracing from working, and what was found in order. Starts nothing but nvidia-smi and ldconfig.

    machine: where to look; this one, in this process's environment, without.
    """
    looked_at = machine or Machine()
    return [line for question in QUESTIONS for line in question(looked_at)]
