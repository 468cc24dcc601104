"""Profiles of Python functions: what each took, its callers, what it waits for, and how hosts differ."""

from __future__ import annotations

import enum
import heapq
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from ..patterns import regex
from ..tables import (
    CALLED_ROW,
    CALLER_ROW,
    F64,
    FUNCTION_FILE,
    FUNCTION_LINE,
    FUNCTION_NAME,
    I64,
    PRIMITIVE_CALLS,
    RECORDED_SELF_PS,
    AnyArray,
    Capture,
    Mask,
    StatKind,
    interned,
    range_members,
)
from ..threshold import Threshold
from ..timeline.timeline import Timeline, cached

# A profile of Python functions → its functions and their callers, of one host, or of several added up.


class Sums(msgspec.Struct, frozen=True, eq=False):
    """A row is all calls of a function, or all from one caller. own_ps: without what these called; cumulative_ps: with
    it, of calls within calls of the same function once. NaN is unknown, of primitive calls -1.
    """

    calls: I64
    primitive: I64
    own_ps: F64
    cumulative_ps: F64

    def take(self, rows: AnyArray) -> Sums:
        return Sums(self.calls[rows], self.primitive[rows], self.own_ps[rows], self.cumulative_ps[rows])


class Functions(msgspec.Struct, frozen=True, eq=False):
    """names: as pstats prints them. caller, called: the functions at both ends of each row of `edges`."""

    host: str
    names: tuple[str, ...]
    functions: tuple[str, ...]
    files: tuple[str, ...]
    lines: I64
    sums: Sums
    caller: I64
    called: I64
    edges: Sums

    def __len__(self) -> int:
        return len(self.names)

    @property
    def total_ps(self) -> float:
        return float(np.nansum(self.sums.own_ps))

    @property
    def keys(self) -> list[tuple[str, int, str]]:
        return list(zip(self.files, self.lines.tolist(), self.functions, strict=True))


def is_of_functions(capture: Capture) -> bool:
    return capture.capabilities.functions_only


def functions_of(timeline: Timeline) -> Functions:
    """The functions of a Python profile."""
    return cached(timeline, _functions)


def _functions(timeline: Timeline) -> Functions:
    capture = timeline.capture
    table, texts = capture.aggregates, capture.strings
    stats = _Stats(capture)
    name, is_function = stats.values(FUNCTION_NAME)
    rows, edges = np.flatnonzero(is_function), np.flatnonzero(~is_function)
    row_of = np.full(len(table), -1, np.int64)
    row_of[rows] = np.arange(len(rows))
    caller, called = (row_of[stats.values(key)[0][edges]] for key in (CALLER_ROW, CALLED_ROW))
    sums = Sums(
        table.occurrences,
        np.where(stats.values(PRIMITIVE_CALLS)[1], stats.values(PRIMITIVE_CALLS)[0], -1),
        np.where(stats.values(RECORDED_SELF_PS)[1], stats.values(RECORDED_SELF_PS)[0], np.nan),
        np.where(stats.values(RECORDED_SELF_PS)[1], table.duration_ps, np.nan),
    )
    return Functions(
        timeline.host,
        tuple(texts.texts(table.name[rows])),
        tuple(texts.texts(name[rows])),
        tuple(texts.texts(stats.values(FUNCTION_FILE)[0][rows])),
        stats.values(FUNCTION_LINE)[0][rows],
        sums.take(rows),
        caller,
        called,
        sums.take(edges),
    )


class _Stats:
    """The stats of a capture's aggregates, by key."""

    def __init__(self, capture: Capture) -> None:
        table = capture.aggregates
        sizes = table.stats_end - table.stats_begin
        self._row = np.repeat(np.arange(len(table)), sizes)
        self._place = range_members(table.stats_begin, table.stats_end)
        self._capture = capture

    def values(self, key: str) -> tuple[I64, Mask]:
        """Of each aggregate the value, and whether it has one."""
        stats, rows = self._capture.stats, len(self._capture.aggregates)
        is_it = (stats.key[self._place] == self._capture.strings.find(key)) & (stats.kind[self._place] != StatKind.NONE)
        value, known = np.zeros(rows, np.int64), np.zeros(rows, bool)
        value[self._row[is_it]], known[self._row[is_it]] = stats.value[self._place[is_it]], True
        return value, known


class Merged(msgspec.Struct, frozen=True, eq=False):
    """all: the functions of all hosts added up. own_ps, cumulative_ps: of each host, of each of these functions."""

    all: Functions
    hosts: tuple[str, ...]
    own_ps: F64
    cumulative_ps: F64


def merged(hosts: Sequence[Functions]) -> Merged:
    """Functions of one file, line and name are one. Raises ValueError without hosts."""
    if not hosts:
        raise ValueError("no host")
    place: dict[tuple[str, int, str], int] = {}
    rows = [interned(one.keys, place) for one in hosts]
    n = len(place)
    own, cumulative = np.zeros((len(hosts), n)), np.zeros((len(hosts), n))
    for i, (one, row) in enumerate(zip(hosts, rows, strict=True)):
        own[i, row], cumulative[i, row] = one.sums.own_ps, one.sums.cumulative_ps
    name = dict.fromkeys(place, "")
    for one in hosts:
        name.update(zip(one.keys, one.names, strict=True))
    pairs = [(row[one.caller] * n + row[one.called]) for one, row in zip(hosts, rows, strict=True)]
    pair, edge = np.unique(np.concatenate(pairs), return_inverse=True)
    everything = Functions(
        hosts[0].host if len(hosts) == 1 else "",
        tuple(name.values()),
        tuple(key[2] for key in place),
        tuple(key[0] for key in place),
        np.array([key[1] for key in place], np.int64),
        _added([one.sums for one in hosts], np.concatenate(rows), n),
        pair // max(n, 1),
        pair % max(n, 1),
        _added([one.edges for one in hosts], edge.reshape(-1), len(pair)),
    )
    return Merged(everything, tuple(one.host for one in hosts), own, cumulative)


def _added(parts: Sequence[Sums], row: I64, n: int) -> Sums:
    """Sums of the same row added up; what one part does not know is unknown."""
    calls = np.zeros(n, np.int64)
    np.add.at(calls, row, np.concatenate([part.calls for part in parts]))
    primitive = np.zeros(n, np.int64)
    given = np.concatenate([part.primitive for part in parts])
    np.add.at(primitive, row, np.maximum(given, 0))
    primitive[row[given < 0]] = -1
    own, cumulative = [part.own_ps for part in parts], [part.cumulative_ps for part in parts]
    return Sums(calls, primitive, _summed(own, row, n), _summed(cumulative, row, n))


def _summed(values: Sequence[F64], row: I64, n: int) -> F64:
    return np.bincount(row, weights=np.concatenate(values), minlength=n).astype(np.float64)


# Functions and their callers → a tree of calls, the outermost first: an estimate, call stacks are not recorded.
#
# Of each pair of functions it is known how long all calls from one to the other took. What a function calls is
# therefore divided among its own callers by the time that each of them gave it. That is exact as long as every function
# on the way has one caller only. Of a function that leads to itself, as the call of a module in a module, the calls are
# of all levels together: the longest is taken for the outermost.

NARROW = Threshold(
    "narrowest row of the icicle",
    2e-4,
    "share",
    "of the total; on 1,440 pixels it is a quarter of one",
    "a screen's width",
)
#: Deeper calls stay with the last one shown.
MAX_DEPTH = 200
#: Functions called from where nothing was recorded that lead to themselves, of which it is looked at how.
_MAX_RECURSION = 20


class _Node(NamedTuple):
    function: int
    parent: int
    depth: int
    time_ps: float
    exact: bool


class Icicle(msgspec.Struct, frozen=True, eq=False):
    """A row is a call, parents first, each followed by all that it calls. function: row of it; exact: whether every
    function on the way has one caller alone. rows: of the whole tree down to `NARROW`.
    """

    function: I64
    parent: I64
    depth: I64
    time_ps: F64
    own_ps: F64
    exact: tuple[bool, ...]
    rows: int


def icicle(functions: Functions, limit: int) -> Icicle:
    """The `limit` longest calls of the tree, all for 0."""
    growing = _Growing(functions)
    growing.grow(limit)
    return growing.tree()


class _Growing:
    def __init__(self, functions: Functions) -> None:
        self.functions = functions
        edges, n = functions.edges, len(functions)
        self.cumulative = np.nan_to_num(functions.sums.cumulative_ps)
        self.own = np.nan_to_num(functions.sums.own_ps)
        share = edges.calls / np.maximum(functions.sums.calls[functions.called], 1)
        time = np.where(np.isnan(edges.cumulative_ps), self.cumulative[functions.called] * share, edges.cumulative_ps)
        order = np.lexsort((edges.calls, -time, functions.caller))
        self.caller, self.called, self.time = functions.caller[order], functions.called[order], time[order]
        self.first = np.searchsorted(self.caller, np.arange(n + 1))
        apart = self.caller != self.called
        self.callers = np.bincount(self.called[apart], minlength=n)
        self.least = max(functions.total_ps * NARROW.value, 1.0)
        self.nodes: list[_Node] = []
        self.waiting: list[tuple[float, int, _Node]] = []
        self.count = 0

    def grow(self, limit: int) -> None:
        for function, time in self._roots():
            self._offer(_Node(function, -1, 0, time, not self.callers[function]))
        while self.waiting and not (limit and len(self.nodes) >= limit):
            node = heapq.heappop(self.waiting)[2]
            self.nodes.append(node)
            if node.depth < MAX_DEPTH:
                self._called_by(len(self.nodes) - 1)

    def _offer(self, node: _Node) -> None:
        if node.time_ps >= self.least:
            self.count += 1
            heapq.heappush(self.waiting, (-node.time_ps, self.count, node))

    def _roots(self) -> list[tuple[int, float]]:
        """What was called from where nothing was recorded, and how long that took."""
        f, apart = self.functions, self.caller != self.called
        n = len(f)
        given = np.bincount(self.called[apart], weights=self.time[apart], minlength=n)
        calls = np.bincount(f.called, weights=f.edges.calls, minlength=n)
        rows = np.flatnonzero((f.sums.calls > calls) | (self.callers == 0))
        recursive = rows[((f.sums.primitive >= 0) & (f.sums.primitive < f.sums.calls))[rows]][:_MAX_RECURSION]
        for row in recursive.tolist():
            given[row] = self._given_from_outside(row)
        rest = np.maximum(self.cumulative - given, 0)
        return [(row, float(rest[row])) for row in rows.tolist()]

    def _given_from_outside(self, function: int) -> float:
        """Time of the calls of a function by what it does not lead to itself: the others lie within its own time."""
        inside, waiting = {function}, [function]
        while waiting:
            row = waiting.pop()
            called = self.called[int(self.first[row]) : int(self.first[row + 1])].tolist()
            waiting += [each for each in called if each not in inside]
            inside.update(called)
        edges = np.flatnonzero(self.called == function).tolist()
        return sum(float(self.time[edge]) for edge in edges if int(self.caller[edge]) not in inside)

    def _called_by(self, place: int) -> None:
        """What a node calls, none twice on one way: the time of a call within itself is in the outer one."""
        node = self.nodes[place]
        whole = float(self.cumulative[node.function])
        if whole <= 0:
            return
        part = min(node.time_ps / whole, 1.0)
        edges = slice(int(self.first[node.function]), int(self.first[node.function + 1]))
        room = max(node.time_ps - part * float(self.own[node.function]), 0.0) + 1.0
        above = self._above(place)
        exact = node.exact and self.callers[node.function] <= 1
        for called, time in zip(self.called[edges].tolist(), self.time[edges].tolist(), strict=True):
            given = min(time * part, room)
            if given < self.least:
                return
            if (node.function, called) not in above and called != node.function:
                room -= given
                self._offer(_Node(called, place, node.depth + 1, given, exact))

    def _above(self, place: int) -> set[tuple[int, int]]:
        """The calls that lead to a node, and those back to what it lies in but once."""
        calls, function = set(), self.nodes[place].function
        place = self.nodes[place].parent
        while place >= 0:
            calls.add((self.nodes[place].function, function))
            function, place = self.nodes[place].function, self.nodes[place].parent
        return calls

    def tree(self) -> Icicle:
        """In preorder, longer calls first."""
        below: dict[int, list[int]] = {}
        for place, node in enumerate(self.nodes):
            below.setdefault(node.parent, []).append(place)
        order: list[int] = []
        waiting = below.get(-1, [])[::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += below.get(order[-1], [])[::-1]
        row = {place: i for i, place in enumerate(order)}
        nodes = [self.nodes[place] for place in order]
        function = np.array([node.function for node in nodes], np.int64)
        time = np.array([node.time_ps for node in nodes])
        whole = self.cumulative[function]
        own = np.where(whole > 0, self.own[function] * np.minimum(time / np.where(whole > 0, whole, 1), 1), 0.0)
        return Icicle(
            function,
            np.array([row[node.parent] if node.parent >= 0 else -1 for node in nodes], np.int64),
            np.array([node.depth for node in nodes], np.int64),
            time,
            np.maximum(own, 0.0),
            tuple(bool(node.exact) for node in nodes),
            self.count,
        )


# Functions by name → what their own time waits for, and which of them are known parts of a training program.
#
# cProfile sees the thread that records, and calls into C as one function each. What such a function waits for follows
# from its name: of PyTorch, JAX, TensorFlow, CuPy, mpi4py, Horovod, and of Python's own locks, pipes and processes.


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
_GPU = regex(
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
_GPU_IF_USED = regex(
    rf"{_TENSOR % 'nonzero|tolist|numpy|__bool__|is_nonzero|equal'}|\{{built-in method torch\.nonzero\}}"
)
#: What only a program with a GPU calls.
_USES_GPU = regex(
    r"\{built-in method torch\._C\._cuda_(?:synchronize|getCurrent\w*|setStream|isCurrentStreamCapturing|emptyCache)\}"
    r"|\{method 'cuda' of 'torch\._C\..*\}|.*torch[/\\]cuda[/\\](?:streams|amp|graphs)\w*.*"
)
_PEERS = regex(
    r"\{method '\w+' of 'torch\._C\._distributed_c10d\.\w+' objects\}"
    r"|\{built-in method torch\._C\._distributed_c10d\.\w+\}"
    r"|\{method '(?:Barrier|barrier|Wait|Waitall|wait|waitall|I?[Aa]ll\w+|I?[Rr]educe\w*|I?[Bb]cast|[Rr]ecv|[Pp]robe|"
    r"Sendrecv|sendrecv|[Gg]ather\w*|[Ss]catter\w*|Fence)' of 'mpi4py\.MPI\.\w+' objects\}"
    r"|\{built-in method .*(?:nccl|horovod\w*wait)\w*.*\}|\{method '\w+' of '.*[nN]ccl.*' objects\}"
    r"|.*horovod.*:\d+\(synchronize\)"
)
_OTHERS = regex(
    r"\{method '(?:acquire|__enter__)' of '_thread\.R?[lL]ock' objects\}"
    r"|\{method 'poll' of 'select\.\w*poll' objects\}|\{method 'control' of 'select\.kqueue' objects\}"
    # Compiled modules of ZeroMQ keep the names of their .py.
    r"|(?:.*[/\\])?zmq[/\\](?:sugar|backend)[/\\].*:\d+\((?:poll|zmq_poll|recv|proxy)\)"
    r"|\{built-in method zmq\..*zmq_poll\}"
    r"|\{method '(?:poll|recv\w*|next_(?:call_)?event)' of '(?:zmq|grpc)\..*' objects\}"
    r"|\{method 'run_\w+' of 'uvloop\..*' objects\}|\{built-in method _overlapped\.GetQueuedCompletionStatus\}"
    r"|\{built-in method select\.select\}|\{built-in method (?:posix|nt)\.wait\w*\}"
    r"|\{method 'get' of '_queue\.SimpleQueue' objects\}|\{built-in method _winapi\.WaitFor\w+\}"
    r"|\{method '(?:recv\w*|accept|_accept)' of '_socket\.socket' objects\}"
)
_SLEEP = regex(r"\{built-in method time\.sleep\}")


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
    """Parts of a program that one function runs, with what it calls."""

    WORKERS = "workers"
    LOADING = "loading"
    OPTIMIZER = "optimizer"
    IMPORTS = "imports"
    LOGGING = "logging"
    CHECKPOINTS = "checkpoints"

    def __str__(self) -> str:
        return self.value


_PARTS = {
    Part.WORKERS: r".*[/\\]dataloader\.py:\d+\(_try_get_data\)|.*multiprocess_iterator\.py:\d+\((?:get|_get)\)"
    r"|.*(?:data_utils|py_dataset_adapter)\.py:\d+\(get\)",
    Part.LOADING: r".*[/\\]_utils[/\\]fetch\.py:\d+\(fetch\)|.*[/\\]serial_iterator\.py:\d+\((?:__next__|next)\)",
    # One parameter after another. Not `step`, which runs the model where it gets a closure.
    Part.OPTIMIZER: r".*[/\\]torch[/\\]optim[/\\](?:\w+\.py:\d+\(_single_tensor_\w+\)|_functional\.py:\d+\(\w+\))",
    Part.IMPORTS: r"<frozen importlib\._bootstrap>:\d+\(_find_and_load\)",
    Part.LOGGING: r".*[/\\]logging[/\\]__init__\.py:\d+\(_log\)|\{built-in method builtins\.print\}"
    r"|.*[/\\]tqdm[/\\]\w+\.py:\d+\((?:refresh|display)\)|.*writer\.py:\d+\(add_(?!graph|embedding|hparams)\w+\)"
    r"|.*[/\\]wandb_run\.py:\d+\(log\)|.*[/\\]mlflow[/\\].*:\d+\(log_\w+\)|.*[/\\]loggers[/\\]\w+\.py:\d+\(log_metrics\)",
    Part.CHECKPOINTS: r".*[/\\]torch[/\\]serialization\.py:\d+\(save\)"
    r"|.*:\d+\(save_(?:checkpoint|pretrained|weights|npz|hdf5)\)"
    r"|.*[/\\]saving_api\.py:\d+\(save_model\)|.*[/\\]checkpoint\w*\.py:\d+\((?:save|write|_save)\)"
    r"|.*[/\\]safetensors[/\\].*:\d+\(save_file\)",
}
_COMPILED = {part: regex(pattern) for part, pattern in _PARTS.items()}


def largest_of(functions: Functions, part: Part) -> int:
    """The function of a part with most time, what it calls included; -1 where there is none."""
    rows = [row for row, name in enumerate(functions.names) if _COMPILED[part].fullmatch(name)]
    cumulative = np.nan_to_num(functions.sums.cumulative_ps)
    return max(rows, key=lambda row: float(cumulative[row]), default=-1)


#: Files of what a person did not write.
_LIBRARY = regex(
    r"(?:site|dist)-packages[/\\]|[/\\]lib(?:64)?[/\\]python\d|[Pp]ython\d+[/\\][Ll]ib[/\\]|^<(?!stdin|ipython|string|console)|^~$"
)
#: Callers of callers that are followed.
_MAX_CALLERS = 100


def is_library(file: str) -> bool:
    return bool(_LIBRARY.search(file))


def own_caller(functions: Functions, row: int) -> int:
    """The nearest function of the program's own files that leads to a function, by its largest callers; -1 for none."""
    seen: set[int] = set()
    while len(seen) < _MAX_CALLERS and row not in seen:
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


# Functions of several hosts → how long each worked and waited, and which functions take longer on some of them.


class Ranks(msgspec.Struct, frozen=True, eq=False):
    """By host: total_ps, and of it what waits for each thing; busy_ps is the rest. A host that others wait for is the
    busiest: all of them end together.

    By function, of its own time over the hosts: mean_ps, min_ps, max_ps, sd_ps (of the hosts as they are, not of a
    sample), slowest and fastest host.
    """

    hosts: tuple[str, ...]
    total_ps: F64
    wait_ps: dict[Wait, F64]
    busy_ps: F64
    mean_ps: F64
    min_ps: F64
    max_ps: F64
    sd_ps: F64
    slowest: I64
    fastest: I64


def ranks(run: Merged) -> Ranks:
    own = np.nan_to_num(run.own_ps)
    kinds = waits_of(run.all)
    total = own.sum(axis=1)
    waits = {kind: own[:, [each is kind for each in kinds]].sum(axis=1) for kind in Wait}
    busy = total - sum((ps for kind, ps in waits.items() if kind is not Wait.SLEEP), np.zeros(len(run.hosts)))
    return Ranks(
        run.hosts,
        total,
        waits,
        busy,
        own.mean(axis=0),
        own.min(axis=0),
        own.max(axis=0),
        own.std(axis=0),
        own.argmax(axis=0),
        own.argmin(axis=0),
    )


class Slow(msgspec.Struct, frozen=True):
    """The host that works longest: how much longer than the others' median; the function whose own time is longer most,
    and by how much.
    """

    host: str
    excess_ps: float
    mean_ps: float
    function: int
    function_excess_ps: float


def slow_host(run: Merged, found: Ranks) -> Slow | None:
    """None of one host, or where no function that works takes longer there."""
    if len(found.hosts) < 2:
        return None
    host = int(np.argmax(found.busy_ps))
    others = np.arange(len(found.hosts)) != host
    excess = float(found.busy_ps[host] - np.median(found.busy_ps[others]))
    works = np.array([kind is None or kind is Wait.SLEEP for kind in waits_of(run.all)], bool)
    own = np.nan_to_num(run.own_ps)
    more = np.where(works, own[host] - np.median(own[others], axis=0), -np.inf)
    if not len(more) or excess <= 0 or not np.isfinite(more).any() or more.max() <= 0:
        return None
    function = int(np.argmax(more))
    return Slow(found.hosts[host], excess, float(found.total_ps.mean()), function, float(more[function]))
