"""Functions by name → what their own time waits for, and which of them are known parts of a training program.

cProfile sees the thread that records, and calls into C as one function each. What such a function waits for is told by
its name: of PyTorch, JAX, TensorFlow, CuPy, mpi4py, Horovod, and of Python's own locks, pipes and processes.
"""

from __future__ import annotations

import enum
import re

import numpy as np

from ...tables import I64
from .model import Functions


class Wait(str, enum.Enum):
    """What a function's own time is spent on, where that is no work of the thread."""

    GPU = "gpu"
    PEERS = "peers"
    OTHERS = "others"
    SLEEP = "sleep"

    def __str__(self) -> str:
        return self.value


_TENSOR = r"\{method '(?:%s)' of 'torch\._C\.(?:_TensorBase|TensorBase)' objects\}"
#: What waits for a GPU wherever it is called.
_GPU = re.compile(
    r"\{built-in method torch\._C\._(?:cuda|mps|xpu|hpu)_\w*[sS]ynchronize\}"
    r"|\{method 'synchronize' of 'torch\._C\._?(?:Cuda|Xpu|Mps|Hpu)?(?:Event|Stream)(?:Base)?' objects\}"
    rf"|{_TENSOR % 'item|cpu'}"
    r"|\{built-in method torch\._local_scalar_dense\}"
    r"|.*jaxlib.*block_until_ready.*|.*jaxlib.*_to_np_array.*|.*jaxlib.*copy_to_host.*"
    r"|.*jax[/\\]_src[/\\]array\.py:\d+\((?:_value|__array__|__float__|__int__|__bool__|item|tolist|block_until_ready)\)"
    r"|.*jax[/\\]_src[/\\]api\.py:\d+\((?:block_until_ready|try_to_block|device_get|_device_get)\)"
    r"|\{method '_numpy_internal' of .*\}"
    r"|\{built-in method cupy.*\b(?:device|stream|event)Synchronize\}"
    r"|\{method '(?:get|item|tolist|synchronize)' of 'cupy.*' objects\}"
    r"|.*cupy.*:\d+\((?:synchronize|asnumpy)\)|.*numba[/\\]cuda.*:\d+\(synchronize\)"
)
#: What computes by itself of a tensor of the CPU.
_GPU_IF_USED = re.compile(
    rf"{_TENSOR % 'nonzero|tolist|numpy|__bool__|is_nonzero|equal'}|\{{built-in method torch\.nonzero\}}"
)
#: What only a program with a GPU calls.
_USES_GPU = re.compile(
    r"\{built-in method torch\._C\._cuda_(?:synchronize|getCurrent\w*|setStream|isCurrentStreamCapturing|emptyCache)\}"
    r"|\{method 'cuda' of 'torch\._C\..*\}|.*torch[/\\]cuda[/\\](?:streams|amp|graphs)\w*.*"
)
_PEERS = re.compile(
    r"\{method '\w+' of 'torch\._C\._distributed_c10d\.\w+' objects\}"
    r"|\{built-in method torch\._C\._distributed_c10d\.\w+\}"
    r"|\{method '(?:Barrier|barrier|Wait|Waitall|wait|waitall|I?[Aa]ll\w+|I?[Rr]educe\w*|I?[Bb]cast|[Rr]ecv|[Pp]robe|"
    r"Sendrecv|sendrecv|[Gg]ather\w*|[Ss]catter\w*|Fence)' of 'mpi4py\.MPI\.\w+' objects\}"
    r"|\{built-in method .*(?:nccl|horovod\w*wait)\w*.*\}|\{method '\w+' of '.*[nN]ccl.*' objects\}"
    r"|.*horovod.*:\d+\(synchronize\)"
)
_OTHERS = re.compile(
    r"\{method '(?:acquire|__enter__)' of '_thread\.R?[lL]ock' objects\}"
    r"|\{method 'poll' of 'select\.e?poll' objects\}|\{method 'control' of 'select\.kqueue' objects\}"
    r"|\{built-in method select\.select\}|\{built-in method (?:posix|nt)\.wait\w*\}"
    r"|\{method 'get' of '_queue\.SimpleQueue' objects\}|\{built-in method _winapi\.WaitFor\w+\}"
    r"|\{method 'recv' of '_socket\.socket' objects\}"
)
_SLEEP = re.compile(r"\{built-in method time\.sleep\}")


def waits_of(functions: Functions) -> tuple[Wait | None, ...]:
    """Of each function what its own time waits for; None of what works, as far as its name says."""
    uses_gpu = any(map(_USES_GPU.match, functions.names))

    def wait(name: str) -> Wait | None:
        if _GPU.fullmatch(name) or (uses_gpu and _GPU_IF_USED.fullmatch(name)):
            return Wait.GPU
        for pattern, kind in ((_PEERS, Wait.PEERS), (_OTHERS, Wait.OTHERS), (_SLEEP, Wait.SLEEP)):
            if pattern.fullmatch(name):
                return kind
        return None

    return tuple(map(wait, functions.names))


class Part(str, enum.Enum):
    """Parts of a program that are told by the function that is all of them, with what it calls."""

    WORKERS = "workers"
    LOADING = "loading"
    IMPORTS = "imports"
    LOGGING = "logging"
    CHECKPOINTS = "checkpoints"

    def __str__(self) -> str:
        return self.value


_PARTS = {
    Part.WORKERS: r".*[/\\]dataloader\.py:\d+\(_try_get_data\)|.*multiprocess_iterator\.py:\d+\((?:get|_get)\)"
    r"|.*(?:data_utils|py_dataset_adapter)\.py:\d+\(get\)",
    Part.LOADING: r".*[/\\]_utils[/\\]fetch\.py:\d+\(fetch\)|.*[/\\]serial_iterator\.py:\d+\((?:__next__|next)\)",
    Part.IMPORTS: r"<frozen importlib\._bootstrap>:\d+\(_find_and_load\)",
    Part.LOGGING: r".*[/\\]logging[/\\]__init__\.py:\d+\(_log\)|\{built-in method builtins\.print\}"
    r"|.*[/\\]tqdm[/\\]\w+\.py:\d+\((?:refresh|display)\)|.*writer\.py:\d+\(add_(?!graph|embedding|hparams)\w+\)"
    r"|.*[/\\]wandb_run\.py:\d+\(log\)|.*[/\\]mlflow[/\\].*:\d+\(log_\w+\)|.*[/\\]loggers[/\\]\w+\.py:\d+\(log_metrics\)",
    Part.CHECKPOINTS: r".*[/\\]torch[/\\]serialization\.py:\d+\(save\)"
    r"|.*:\d+\(save_(?:checkpoint|pretrained|weights|npz|hdf5)\)"
    r"|.*[/\\]saving_api\.py:\d+\(save_model\)|.*[/\\]checkpoint\w*\.py:\d+\((?:save|write|_save)\)"
    r"|.*[/\\]safetensors[/\\].*:\d+\(save_file\)",
}
_COMPILED = {part: re.compile(pattern) for part, pattern in _PARTS.items()}


def largest_of(functions: Functions, part: Part) -> int:
    """The function of a part with most time, what it calls included; -1 where there is none."""
    rows = [row for row, name in enumerate(functions.names) if _COMPILED[part].fullmatch(name)]
    cumulative = np.nan_to_num(functions.sums.cumulative_ps)
    return max(rows, key=lambda row: float(cumulative[row]), default=-1)


#: Files of what a person did not write.
_LIBRARY = re.compile(
    r"(?:site|dist)-packages[/\\]|[/\\]lib(?:64)?[/\\]python\d|[Pp]ython\d+[/\\][Ll]ib[/\\]|^<(?!stdin|ipython|string|console)|^~$"
)
#: Callers of callers that are followed.
_MOST_CALLERS = 100


def is_library(file: str) -> bool:
    return bool(_LIBRARY.search(file))


def own_caller(functions: Functions, row: int) -> int:
    """The nearest function of the program's own files that leads to a function, by its largest callers; -1 for none."""
    seen: set[int] = set()
    while len(seen) < _MOST_CALLERS and row not in seen:
        seen.add(row)
        row = largest_caller(functions, row)
        if row < 0 or not is_library(functions.files[row]):
            return row
    return -1


def largest_caller(functions: Functions, row: int) -> int:
    """From where most of a function's time was asked for, or most calls where times are unknown; -1 for none."""
    edges: I64 = np.flatnonzero((functions.called == row) & (functions.caller != row))
    if not len(edges):
        return -1
    time = functions.edges.cumulative_ps[edges]
    weight = functions.edges.calls[edges] if np.isnan(time).any() else time
    return int(functions.caller[edges[int(np.argmax(weight))]])
