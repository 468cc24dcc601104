"""Which frameworks of this process can be recorded, and which of them has the GPUs. Never imports one.

A framework that runs is one that did something: JAX has devices, TensorFlow has a context, PyTorch is imported (it has
no sign of use on a CPU). Starting JAX's profiler makes JAX take the devices, and on a GPU most of its memory, so a JAX
that is imported and does not run is left alone as long as anything else can be recorded.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

from ...errors import ArgumentError
from .pytorch import TorchRecorder
from .recorder import PythonRecorder, Recorder
from .xla import JaxRecorder, TensorFlowRecorder

Modules = Mapping[str, ModuleType]


def jax_runs(modules: Modules = sys.modules) -> bool:
    """Whether JAX has taken its devices, at most one look into its inside; True where that looks different by now."""
    bridge = modules.get("jax._src.xla_bridge")
    initialized = getattr(bridge, "backends_are_initialized", None)
    return _is_whole(modules, "jax", "profiler") and (bool(initialized()) if callable(initialized) else True)


def tensorflow_runs(modules: Modules = sys.modules) -> bool:
    """Whether TensorFlow ran an operation or looked for devices."""
    eager = modules.get("tensorflow.python.eager.context")
    context = getattr(eager, "_context", None)
    known = hasattr(eager, "_context")
    handle = getattr(context, "_context_handle", True) if context is not None else None
    return _is_whole(modules, "tensorflow", "profiler") and (handle is not None if known else True)


def _is_whole(modules: Modules, name: str, part: str) -> bool:
    """Whether a module is imported; one that is being imported has not all of its parts."""
    return hasattr(modules.get(name), part)


def _imported(modules: Modules) -> list[str]:
    whole = (("jax", "jax", "profiler"), ("tensorflow", "tensorflow", "profiler"), ("pytorch", "torch", "profiler"))
    return [name for name, module, part in whole if _is_whole(modules, module, part)]


def chosen(wanted: Sequence[str] | None, modules: Modules = sys.modules) -> list[str]:
    """The names of what is to be recorded, at least one.

    Without a wish: all that run; else those imported, of which JAX only where it is alone; else Python's calls. Raises
    ArgumentError for a name that is none, or that is not imported.
    """
    imported = _imported(modules)
    if wanted is not None:
        missing = [name for name in wanted if name not in (*imported, "python")]
        if missing or not wanted:
            problem = f"{', '.join(missing)} not imported" if missing else "none given"
            raise ArgumentError.with_choices(f"frameworks: {problem}", (*imported, "python"))
        return list(dict.fromkeys(wanted))
    runs = {"jax": jax_runs, "tensorflow": tensorflow_runs, "pytorch": lambda _: True}
    running = [name for name in imported if runs[name](modules)]
    idle = [name for name in imported if name != "jax"] or imported
    return running or idle or ["python"]


def device_owner(names: Sequence[str], modules: Modules = sys.modules) -> str:
    """Which of them records the GPUs: CUPTI, through which all of them do, takes one of a process.

    The first that uses one, of JAX, PyTorch and TensorFlow; without any the first.
    """
    uses: dict[str, Callable[[], bool]] = {
        "jax": lambda: jax_runs(modules) and _any(modules, "jax").default_backend() != "cpu",
        "pytorch": lambda: bool(_any(modules, "torch").cuda.is_initialized()),
        "tensorflow": lambda: bool(_any(modules, "tensorflow").config.list_physical_devices("GPU")),
    }
    return next((name for name in uses if name in names and uses[name]()), names[0])


def _any(modules: Modules, name: str) -> Any:
    return modules[name]


def recorders(names: Sequence[str]) -> list[Recorder]:
    """A recorder of each, in the order in which they start: Python's own last, whose hook sees the others start."""
    kinds: tuple[Callable[[], Recorder], ...] = (JaxRecorder, TensorFlowRecorder, TorchRecorder, PythonRecorder)
    made = [kind() for kind in kinds]
    return [each for each in made if each.name in names]
