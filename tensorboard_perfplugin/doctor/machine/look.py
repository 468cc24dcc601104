"""What the checks of a machine look at: its files, its environment, two programs, the packages of this Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata

from ...advice.text import MACHINE_LINES, State, render
from ...messages import Param

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
