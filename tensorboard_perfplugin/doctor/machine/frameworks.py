"""Which frameworks this Python has, and whether they were built for the GPUs that are here. Imports none of them."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Iterator

from .look import Machine, MachineCheck, gpu_count

TENSORFLOW = ("tensorflow", "tensorflow-gpu", "tf-nightly", "tensorflow-rocm", "tensorflow-cpu", "tf-nightly-cpu")
#: JAX's packages for CUDA, by its major version, newest first.
MAJORS = (13, 12, 11)


def frameworks(machine: Machine) -> list[MachineCheck]:
    """The frameworks of this Python with their versions."""
    names = [name for name in TENSORFLOW if machine.version(name)][:1]
    names += [name for name in ("jax", "torch") if machine.version(name)]
    python = f"Python {platform.python_version()} at {sys.executable}"
    if not names:
        fix = "run this with the Python of the training: /path/to/its/python -m tensorboard_perfplugin check"
        return [MachineCheck("frameworks", "unknown", f"no TensorFlow, JAX or PyTorch in {python}", fix)]
    told = ", ".join(f"{name} {machine.version(name)}" for name in (*names, "jaxlib", "keras") if machine.version(name))
    return [MachineCheck("frameworks", "ok", f"{told}; {python}")]


def builds(machine: Machine) -> list[MachineCheck]:
    """Whether each framework can use an NVIDIA GPU at all, where there is one."""
    if not gpu_count(machine):
        return []
    lines = (_tensorflow(machine), _jax(machine), _torch(machine))
    return [line for line in lines if line is not None]


def cuda_majors(machine: Machine) -> dict[str, int]:
    """Framework → the major version of CUDA that it was built for, of those that tell."""
    return {name: major for name, major in _majors(machine) if major}


def _majors(machine: Machine) -> Iterator[tuple[str, int]]:
    if any(machine.version(name) for name in TENSORFLOW):
        yield "TensorFlow", _major(_build_info(machine), r"'cuda_version', '(\d+)")
    yield "JAX", _jax_major(machine)
    if machine.version("torch"):
        yield "PyTorch", _major(machine.packaged("torch/version.py"), r"(?m)^cuda\b[^=\n]*= '(\d+)")


def _major(text: str | None, pattern: str) -> int:
    found = re.search(pattern, text or "")
    return int(found[1]) if found else 0


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
        return MachineCheck("TensorFlow", "unknown", f"{name} does not say whether it was built for CUDA")
    if built[1] == "True":
        return MachineCheck("TensorFlow", "ok", f"{name} was built for CUDA {_told(machine, 'TensorFlow')}")
    fix = f"pip uninstall -y {name} && pip install 'tensorflow[and-cuda]'"
    return MachineCheck("TensorFlow", "FAIL", f"{name} {machine.version(name)} was built without CUDA", fix)


def _jax(machine: Machine) -> MachineCheck | None:
    if not machine.version("jax"):
        return None
    if _jax_major(machine):
        return MachineCheck("JAX", "ok", f"its plugin for CUDA {_told(machine, 'JAX')} is installed")
    fix = "pip install --upgrade 'jax[cuda13]', or 'jax[cuda12]' for a driver older than 580"
    return MachineCheck("JAX", "FAIL", f"jax {machine.version('jax')} is here without its plugin for CUDA", fix)


def _torch(machine: Machine) -> MachineCheck | None:
    version = machine.version("torch")
    if not version:
        return None
    if "PyTorch" in cuda_majors(machine):
        return MachineCheck("PyTorch", "ok", f"torch {version} was built for CUDA {_told(machine, 'PyTorch')}")
    if "+cpu" in version or re.search(r"(?m)^cuda\b[^=\n]*= None", machine.packaged("torch/version.py") or ""):
        fix = "install the build of PyTorch for CUDA: pip install --force-reinstall torch, from the index for your CUDA"
        return MachineCheck("PyTorch", "FAIL", f"torch {version} was built without CUDA", fix)
    return MachineCheck("PyTorch", "unknown", f"torch {version} does not say whether it was built for CUDA")


def _told(machine: Machine, name: str) -> str:
    return str(cuda_majors(machine).get(name, "of an unknown version"))
