"""NVIDIA GPUs: are they reachable, is libcupti found where it is looked for, may this user trace, which driver.

CUPTI records kernels and copies. Since CUDA 10.2 it does so for any user; the driver's switch RmProfilingAdminOnly then
keeps hardware counters alone for administrators, and before, and in some containers, everything
(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES). An administrator is who has CAP_SYS_ADMIN, from driver 565 on also CAP_PERFMON.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..render import counted
from .frameworks import cuda_majors
from .look import DISPLAY, VENDOR, Machine, MachineCheck, gpu_count, is_wsl, nvidia_devices

#: CUDA's major version → the oldest driver on Linux that runs all of its minor versions.
DRIVERS = {11: "450.80.02", 12: "525.60.13", 13: "580.65.06"}
SYS_ADMIN, PERFMON = 21, 38
PERFMON_SINCE = (565,)
#: CUPTI of this major version and later traces for any user.
TRACES_FOR_ALL = 11

UNLOCK = (
    "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee /etc/modprobe.d/nvidia-profiling.conf"
    " && sudo update-initramfs -u && sudo reboot (dracut -f where there is no update-initramfs); "
    "in a container: docker run --cap-add=SYS_ADMIN, in Kubernetes securityContext.capabilities.add: [SYS_ADMIN]"
)


@dataclass(frozen=True)
class Cupti:
    """One libcupti. seen: whether a program that is started here finds it there."""

    path: str
    major: int
    version: str
    seen: bool


def driver_version(machine: Machine) -> str:
    """The driver's version, as `550.54.15`, or nothing."""
    found = re.search(r"Kernel Module\b.*?\s(\d+(?:\.\d+)+)\s", machine.read("/proc/driver/nvidia/version") or "")
    return found[1] if found else ""


def gpus(machine: Machine) -> list[MachineCheck]:
    """The GPUs, and whether a process here reaches them."""
    count = gpu_count(machine)
    cards = machine.pci(VENDOR, DISPLAY)
    if not count and cards:
        found = f"{counted(cards, 'NVIDIA card')} on the bus, and no driver of theirs (/proc/driver/nvidia is missing)"
        fix = "install NVIDIA's driver, or load it: sudo modprobe nvidia; in a container: docker run --gpus all"
        return [MachineCheck("GPU", "FAIL", found, fix)]
    if not count:
        return []
    if is_wsl(machine):
        fix = "in Windows: NVIDIA Control Panel, Developer, Manage GPU Performance Counters, allow all users"
        return [MachineCheck("GPU", "unknown", "WSL 2: whether kernels are recorded depends on Windows's driver", fix)]
    if not nvidia_devices(machine):
        found = f"the driver has {counted(count, 'GPU')}, and none is given to this container (no /dev/nvidia0)"
        return [MachineCheck("GPU", "FAIL", found, "docker run --gpus all, or the GPUs in the job's request")]
    return [_asked(machine, count)]


def _asked(machine: Machine, count: int) -> MachineCheck:
    told = f"{counted(count, 'GPU')}: {', '.join(_models(machine)) or 'of an unknown model'}"
    told += f"; driver {driver_version(machine) or 'of an unknown version'}"
    answer = machine.run(("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"))
    if answer is None or answer[0] == 0:
        return MachineCheck("GPU", "ok", told)
    said = " ".join(answer[1].split())[:200]
    fix = "reboot: the driver was updated while it ran" if "mismatch" in said else "nvidia-smi must work first"
    return MachineCheck("GPU", "FAIL", f"{told}; nvidia-smi says: {said}", fix)


def _models(machine: Machine) -> list[str]:
    texts = [machine.read(f"{at}/information") for at in machine.listed("/proc/driver/nvidia/gpus", r"[0-9a-fA-F:.]+")]
    found = [re.search(r"(?m)^Model:\s*(\S.*)$", text or "") for text in texts]
    return list(dict.fromkeys(each[1].strip() for each in found if each))


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
        return [MachineCheck("CUPTI", "ok", f"libcupti {best.version or best.major} at {best.path}")]
    if not seen:
        return [_unseen(every, wanted)]
    there = ", ".join(f"{each.path} ({each.major})" for each in seen[:3])
    return [_lacking(name, major, every, there) for name, major in lacking.items()]


def _lacking(name: str, major: int, every: list[Cupti], there: str) -> MachineCheck:
    found = f"{name} was built for CUDA {major}, and the libcupti that is found is of another: {there}"
    return MachineCheck("CUPTI", "FAIL", found, _fetch(major, every))


def _unseen(every: list[Cupti], wanted: dict[str, int]) -> MachineCheck:
    major = next(iter(wanted.values()), 12)
    if every:
        found = f"libcupti is at {every[0].path}, where no program looks for it"
    else:
        found = "no libcupti: not among this Python's packages, in LD_LIBRARY_PATH, ldconfig's list, or /usr/local/cuda"
    return MachineCheck("CUPTI", "FAIL", found, _fetch(major, every))


def _fetch(major: int, every: list[Cupti]) -> str:
    near = next((each for each in every if not each.seen and each.major == major), None)
    if near is not None:
        return f"export LD_LIBRARY_PATH={os.path.dirname(near.path)}:$LD_LIBRARY_PATH, before the training starts"
    package = f"nvidia-cuda-cupti-cu{major}" if major < 13 else "nvidia-cuda-cupti"
    return f"pip install {package}, or CUDA {major}'s toolkit with its extras/CUPTI/lib64 in LD_LIBRARY_PATH"


def _cuptis(machine: Machine) -> Iterator[Cupti]:
    """Every libcupti there is, in the order in which programs would find them, then those that they would not."""
    for folder in machine.packages:
        for wheel in ("nvidia/cuda_cupti/lib", "nvidia/cu13/lib"):
            yield from _in(os.path.join(folder, wheel), True)
    for folder in machine.environ.get("LD_LIBRARY_PATH", "").split(":"):
        yield from _in(machine.at(folder), True) if folder else ()
    code, text = machine.run(("ldconfig", "-p")) or (1, "")
    for found in re.finditer(r"libcupti\.so\S*.*=> (\S+)", text if code == 0 else ""):
        yield from _in(machine.at(os.path.dirname(found[1])), True)
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
        if (found := re.fullmatch(r"libcupti\.so\.(\d{1,2})(\.\d+)?", name)) is not None:
            whole = re.fullmatch(
                r"libcupti\.so\.([\d.]+)", os.path.basename(os.path.realpath(os.path.join(folder, name)))
            )
            yield Cupti(os.path.join(folder, name), int(found[1]), whole[1] if whole else "", seen)


def driver(machine: Machine) -> list[MachineCheck]:
    """Whether the driver is new enough for the CUDA that each framework was built for."""
    version = driver_version(machine)
    if not gpu_count(machine) or not version:
        return []
    lines = []
    for name, major in cuda_majors(machine).items():
        needed = DRIVERS.get(major)
        if needed and _numbers(version) < _numbers(needed):
            found = f"driver {version} is older than CUDA {major} needs, for which {name} was built: {needed}"
            fix = f"update the driver to {needed} or later, or install {name} for an older CUDA"
            lines.append(MachineCheck("driver", "FAIL", found, fix))
    return lines


def permission(machine: Machine) -> list[MachineCheck]:
    """Whether the driver lets this process trace."""
    if not gpu_count(machine) or is_wsl(machine):
        return []
    switch = re.search(r"(?m)^RmProfilingAdminOnly:\s*(\d+)", machine.read("/proc/driver/nvidia/params") or "")
    if switch is None:
        found = "/proc/driver/nvidia/params does not say whether profiling is kept for administrators"
        return [MachineCheck("permission", "unknown", found, f"if kernels are missing: {UNLOCK}")]
    if switch[1] == "0":
        return [MachineCheck("permission", "ok", "every user may profile (RmProfilingAdminOnly: 0)")]
    if held := _capability(machine):
        return [MachineCheck("permission", "ok", f"kept for administrators, which this process is ({held})")]
    found = "RmProfilingAdminOnly is 1, and this process has not CAP_SYS_ADMIN"
    majors = {each.major for each in _cuptis(machine) if each.seen}
    if majors and max(majors) < TRACES_FOR_ALL:
        found += f"; CUPTI {max(majors)} then records nothing (CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)"
        return [MachineCheck("permission", "FAIL", found, UNLOCK)]
    found += ": hardware counters are refused; kernels are recorded all the same, but in some containers"
    return [MachineCheck("permission", "unknown", found, f"if kernels are missing: {UNLOCK}")]


def _capability(machine: Machine) -> str:
    """What makes this process an administrator in the driver's eyes, or nothing."""
    found = re.search(r"(?m)^CapEff:\s*([0-9a-fA-F]{1,16})\s*$", machine.read("/proc/self/status") or "")
    held = int(found[1], 16) if found else 0
    if held >> SYS_ADMIN & 1:
        return "CAP_SYS_ADMIN"
    return "CAP_PERFMON" if held >> PERFMON & 1 and _numbers(driver_version(machine)) >= PERFMON_SINCE else ""


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part)
