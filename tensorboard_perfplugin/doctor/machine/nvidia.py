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

from ...messages import Param
from .frameworks import cuda_majors
from .look import DISPLAY, VENDOR, Machine, MachineCheck, gpu_count, is_wsl, nvidia_devices

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
