"""Which frameworks this Python has, and whether they were built for the GPUs that are here. Imports none of them."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator

from ...messages import Param
from .look import Machine, MachineCheck, gpu_count

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
