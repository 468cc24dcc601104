"""Which frameworks of this process can be recorded, and which of them has the GPUs. Never imports one.

A framework that runs is one that did something: JAX has devices, TensorFlow has a context, PyTorch is imported (it has
no sign of use on a CPU). Starting JAX's profiler makes JAX take the devices, and on a GPU most of its memory, so a JAX
that is imported and does not run is left alone as long as anything else can be recorded."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ...errors import ArgumentError
from .recorders import JaxRecorder, PythonRecorder, Recorder, TensorFlowRecorder, TorchRecorder

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


# Which process of a distributed program this is: what launchers and frameworks say → `Rank`.
#
# No message is sent: `jax.distributed` and `torch.distributed` are asked where they are up, else the variables that
# torchrun, Open MPI, MPICH and Intel MPI, PMIx, Slurm and TensorFlow's `TF_CONFIG` set.

#: Launcher → its variables for a process's number and for how many there are. The first that is complete counts:
#: torchrun inside of a Slurm job sets both, and only torchrun's numbers every process.
LAUNCHERS: tuple[tuple[str, str, str], ...] = (
    ("torchrun", "RANK", "WORLD_SIZE"),
    ("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("MPICH", "PMI_RANK", "PMI_SIZE"),
    ("MVAPICH", "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"),
    # SLURM_NTASKS is also set in the batch script, which is one process and no rank; that of the step is not.
    ("Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
)
#: What distinguishes one start of a program from another: the values are the same in all processes of one start.
JOBS = (
    "SLURM_JOB_ID",
    "SLURM_STEP_ID",
    "SLURM_RESTART_COUNT",
    "PBS_JOBID",
    "LSB_JOBID",
    "PMIX_NAMESPACE",
    "OMPI_MCA_ess_base_jobid",
    "TORCHELASTIC_RUN_ID",
    "TORCHELASTIC_RESTART_COUNT",
    "MASTER_ADDR",
    "MASTER_PORT",
    "JAX_COORDINATOR_ADDRESS",
)


@dataclass(frozen=True)
class Rank:
    """One of `count` processes. label: as it stands in a file's name. source: what says so. job: the same in all."""

    label: str
    count: int
    source: str
    job: str


def rank_of(environ: Mapping[str, str], modules: Mapping[str, ModuleType] = sys.modules) -> Rank | None:
    """This process among those of its program; None where it is the only one."""
    process = _jax(modules) or _torch(modules) or _launched(environ)
    if process is None:
        return _tensorflow(environ)
    source, number, count = process
    return Rank(f"rank{number}", count, source, _job(environ, str(count))) if count > 1 else None


def _jax(modules: Mapping[str, ModuleType]) -> tuple[str, int, int] | None:
    """Only once JAX runs: to ask it before would make it take the GPUs."""
    # MERGED-AWAY

    if not jax_runs(modules):
        return None
    jax: Any = modules["jax"]
    count = int(jax.process_count())
    return ("jax.distributed", int(jax.process_index()), count) if count > 1 else None


def _torch(modules: Mapping[str, ModuleType]) -> tuple[str, int, int] | None:
    distributed: Any = modules.get("torch.distributed")
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return None
    return "torch.distributed", int(distributed.get_rank()), int(distributed.get_world_size())


def _launched(environ: Mapping[str, str]) -> tuple[str, int, int] | None:
    for source, number, count in LAUNCHERS:
        given = environ.get(number, ""), environ.get(count, "")
        if all(re.fullmatch(r"\d{1,9}", each) for each in given):
            return source, int(given[0]), int(given[1])
    return None


def _tensorflow(environ: Mapping[str, str]) -> Rank | None:
    """`TF_CONFIG`: the addresses of all processes, by kind, and which of them this one is."""
    try:
        config = json.loads(environ.get("TF_CONFIG", ""))
        cluster, task = config["cluster"], config["task"]
        count = sum(len(cluster[kind]) for kind in cluster if kind != "evaluator")
        kind, index = str(task["type"]), int(task["index"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if count < 2 or not re.fullmatch(r"[a-z]{1,32}", kind):
        return None
    return Rank(f"{kind}{index}", count, "TF_CONFIG", _job(environ, json.dumps(cluster, sort_keys=True)))


def _job(environ: Mapping[str, str], more: str) -> str:
    given = [f"{name}={environ[name]}" for name in JOBS if name in environ]
    return hashlib.sha256("\n".join([*given, more]).encode("utf-8", "replace")).hexdigest()[:16]


def process_began_s() -> float:
    """When this process began, in seconds since the epoch; where that is unknown, when this was imported."""
    try:
        with open("/proc/self/stat") as stat, open("/proc/stat") as system:
            # The program's name comes second, in brackets, and may hold blanks; field 22 counts ticks since the boot.
            ticks = int(stat.read().rpartition(")")[2].split()[19])
            booted_s = next(int(line.split()[1]) for line in system if line.startswith("btime "))
        return booted_s + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return _IMPORTED_S


_IMPORTED_S = time.time()
