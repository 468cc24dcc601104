"""The name of a host event, or of the op that it ran → what a thread does while it is open.

The names are those of TensorFlow, JAX, PyTorch's loaders, XLA, and the drivers of CUDA, ROCm and TPUs. Python's own
calls begin with `$`, as its tracer writes them: `$file.py:12 function`, `$builtins next`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, U8, among, kept_by_text
from ...threshold import Threshold
from ..causes import inherited, launches_of
from ..loops.loops import nearest
from ..names.kernels import ALLOCATES, SYNCHRONIZES
from ..names.ops import BODY, FEEDS_BODY, OUTSIDE_BODY, Op, copy_op, python_name
from ..nesting import nesting_of
from ..steps.model import Steps
from ..timeline import INDEX, Timeline, derived
from ..tracks import host_tracks


class HostClass(IntEnum):
    """What an event stands for; the numbers of those that are categories are `INDEX` + 1."""

    #: Says nothing of its own: it is what the event around it is.
    NONE = 0
    OP = INDEX["op_compute"] + 1
    COLLECTIVE = INDEX["collective"] + 1
    COPY_IN = INDEX["copy_in"] + 1
    COPY_OUT = INDEX["copy_out"] + 1
    INPUT = INDEX["input_wait"] + 1
    COMPILATION = INDEX["compilation"] + 1
    OUTPUT = INDEX["output"] + 1
    LAUNCH = INDEX["launch"] + 1
    RUNTIME = INDEX["runtime"] + 1
    WAITING = INDEX["waiting"] + 1
    PYTHON = INDEX["python"] + 1
    #: Prepares input ahead of time, for steps to come: no part of the step that runs meanwhile. On the program's
    #: own threads the step waits for it.
    PIPELINE = len(INDEX) + 1
    #: Gets the next element: on the program's own threads the step waits for it, elsewhere it works ahead.
    NEXT = len(INDEX) + 2
    #: Hands elements to each device. Where another event waits for those, it works ahead.
    SHARD = len(INDEX) + 3
    #: Eager execution of one op, and of the kernel within it, which alone computes.
    EAGER_OP = len(INDEX) + 4
    EAGER_KERNEL = len(INDEX) + 5
    #: Waits for a function, or runs it on this thread.
    FUNCTION = len(INDEX) + 6
    #: An unknown name: a person's own annotation, if the program's own thread wrote it.
    UNKNOWN = len(INDEX) + 7
    #: A call of a tf.function that traces it and prepares the graph; it ends where the function is run within.
    TRACING = len(INDEX) + 8
    EXECUTE = len(INDEX) + 9
    #: Takes memory of the device from the driver or gives it back, which may wait for all that runs there.
    ALLOCATES = len(INDEX) + 10
    #: A call of JAX's that compiles: what is left of it is the tracing, and looking up what is compiled.
    COMPILING = len(INDEX) + 11


CLASSES = max(HostClass) + 1
#: Of a name only so much is looked at.
_HEAD = 300

_GETS = r"(?:next|get|load|make|sample|fetch|read|generate|gen|draw|produce)"
_DATA = r"(?:(?:mini|train(?:ing)?_?|next_?)?batch(?:es)?|data|examples?|inputs?|samples?|dataset|records?)"
#: Functions and annotations whose name says that they get data.
_GETS_DATA = (
    rf"_?(?:{_GETS}_(?:the_)?(?:next_)?{_DATA}|{_DATA}_?(?:gen(?:erator)?|iter(?:ator)?|loader|stream|pipeline)s?"
    rf"|batch(?:es)?|(?:data_?|train_?)?loader|data(?:set|_?loading)|(?:data_)?gen(?:erator)?|input_fn|"
    rf"(?:data|input|batch)_(?:load(?:ing)?|wait|fetch|next)|(?:load|wait|fetch)_(?:input|data|batch)s?)"
)
#: Python's iterators and functions, and annotations, that get the next element.
GETS_INPUT = regex(rf"\$(?:builtins next|\S+ (?:__next__|{_GETS_DATA}))|{_GETS_DATA}")
_WRITES = r"(?:\w*(?:save|write|dump|store)_?(?:checkpoint|model|weights|state|ckpt)\w*|\w*checkpoint(?:ing)?|save)"

#: Functions of Python that wait until a thread or a process ends, or a queue is empty; those of texts and paths join
#: words.
JOINS = r"(?:threading|process|pool|queues?)\.py:\d+ join"

#: The first that fits counts. Patterns hold for the whole name.
_NAMES = (
    # An op waits for its own pieces, which a pool runs without events: it goes on.
    (HostClass.NONE, r"\w*ThreadPool::Await"),
    # JAX's tracer names no type: a text's method, or a thread's handle within `threading.py`.
    (HostClass.NONE, r"\$<unknown> join"),
    # Activations that are computed again in the backward pass: nothing is written.
    (HostClass.PYTHON, r"\$(?:ad_)?checkpoint\.py:\d+ checkpoint"),
    (HostClass.PIPELINE, r"InstantiatedCapturedFunction::.*|MakeIterator::.*"),
    (
        HostClass.PIPELINE,
        (
            r"(?:Prefetch|ParallelInterleave|ParallelMap|MapAndBatch|ParseExample|ParallelBatch|ParallelFilter|Shuffle\w*)"
            r"(?:Produce|Consume|InitializeInput)"
        ),
    ),
    (HostClass.NEXT, r"(?:Reduce)?Iterator::.*"),
    (HostClass.SHARD, r"(?:EagerLocalExecute: )?MultiDeviceIteratorGetNextFromShard|GetNextFromShard\d*"),
    (HostClass.INPUT, r"IteratorGetNext\w*(?:Op)?::DoCompute"),
    (HostClass.NEXT, r"EagerLocalExecute: (?:IteratorGetNext\w*|\w*QueueDequeue\w*|DatasetToSingleElement)"),
    (HostClass.NEXT, r"enumerate\(DataLoader\)#\S+\.__next__|.*DataLoader\S*\.__next__"),
    (HostClass.NEXT, GETS_INPUT.pattern),
    (HostClass.PIPELINE, r"EagerLocalExecute: (?:(?:Anonymous|Delete|Make)\w*Iterator\w*|Delete(?:Memory|Seed)\w*)"),
    # A loop that takes something out of a queue gets what other threads or processes prepare.
    (HostClass.NEXT, r"\$queues?\.py:\d+ get"),
    (
        HostClass.COMPILATION,
        (
            r"(?:\$(?:pxla|pjit|compiler|partial_eval|_?mlir|dispatch|stages)\S* )?"
            r"(?:backend_compile\w*|compile_or_get_cached|_?compile_and_\w+|lower_sharding_computation|_pjit_lower\w*|"
            r"trace_to_jaxpr\w*|_?cached_lowering\w*|lower_jaxpr_to_\w+|_cached_compilation)"
        ),
    ),
    (HostClass.COMPILATION, r"tf\.function-graph_building|.*\(dynamo_timed\)|\$convert_frame\.py:\d+ \w*compile\w*"),
    (
        HostClass.COMPILATION,
        r"(?:\w+(?:Client|Compiler)|MLIR|LLVM|Llvm|Nvptx\w*|GpuCompiler|CpuCompiler)::\w*[Cc]ompile\w*",
    ),
    (
        HostClass.COMPILATION,
        (
            r"Xla(?:Compile|Compilation)\w*(?::.*)?|\w*Compil(?:er|ationCache|e)::\w+|HloPass\w*.*|HLO [Pp]ass.*|"
            r"XLA::TPU .*|XLA::(?:CPU|GPU) .*(?:compil|passes|optimiz|emit|codegen).*|LLVM.*|llvm.*|"
            r"(?:CpuCompiler|GpuCompiler|LlvmIrCompiler|JitCompiler|IrCompiler|IrEmitter)\b.*|"
            r"Compile(?!r?Cache|d)\w*|(?:\w+ )*[Cc]ompilation(?: .*)?|"
            r"(?:cu|hip)(?:Module|Library)Load\w*|cuLink\w+|hiprtc\w+|nvrtc\w+|ptxas.*|"
            r"Grappler.*|MetaOptimizer.*|OptimizeGraph|OptimizeFunction\w*|OptimizationPassRegistry.*|"
            r"Instantiate(?:MultiDevice)?|\w+::Instantiate\w*|TF_?GraphToFunction|Graph(?:Constructor|Optimiz)\w*.*"
        ),
    ),
    (
        HostClass.OUTPUT,
        (
            r"(?:EagerLocalExecute: )?(?:SaveV?\d*|SaveSlices|MergeV2Checkpoints|WriteFile|\w*WriteSummary|"
            r"Write\w+Summary|FlushSummaryWriter|CloseSummaryWriter|CreateSummary\w*Writer|WriteRawProtoSummary|DatasetToTFRecord)"
        ),
    ),
    (HostClass.OUTPUT, r"\$\S*(?:checkpoint|orbax|saver|ckpt|tensorstore|serialization)\S* \w*(?:save|write|dump)\w*"),
    (
        HostClass.OUTPUT,
        rf"\$_?(?:torch|numpy|pickle|np|joblib)\S* (?:save\w*|dump|_?savez\w*)|\$\S+:\d+ {_WRITES}|{_WRITES}",
    ),
    # `pickle.dump` is a built-in function of no module's name, and json's is in its package's own file.
    (HostClass.OUTPUT, r"\$(?:builtins|json\S*|__init__\.py:\d+) dump"),
    (
        HostClass.WAITING,
        (
            r".*\(wait for completion\)|.*\b(?:Await|BlockHost\w*|BlockUntil\w*)\b.*|.*block_until_ready\w*|"
            r"\$\S+ try_to_block|.*[Aa]cquire[ _]?[Ss]emaphore|\w*SemaphoreAcquire|Wait for .*|"
            rf"{SYNCHRONIZES}|"
            r"np\.asarray\(jax\.Array\)|"
            r"\$(?:threading\.py:\d+|<unknown>|_thread|queue\.py:\d+) (?:wait|acquire|_wait_for_tstate_lock)|"
            rf"\${JOINS}|"
            r"\w*Rendezvous\w*(?:Wait|Recv).*|RecvTensor\w*|"
            r"\$\S*array\.py:\d+ (?:_value|__array__|__float__|__int__|item)|"
            r"\w*::?Wait\w*|WaitFor\w*|Barrier\w*|dependency-wait"
        ),
    ),
    (HostClass.ALLOCATES, ALLOCATES.pattern),
    (HostClass.LAUNCH, r"(?:cu|cuda|hip|hsa)\w*(?:Launch(?!HostFunc)|Memcpy|Memset)\w*"),
    # Of SYCL's runtime, and of Level Zero below it.
    (HostClass.LAUNCH, r"urEnqueue(?!Events)\w*|zeCommandListAppend(?:Launch|Memory)\w*"),
    (HostClass.LAUNCH, r"(?:MEMCPY|Memcpy)(?:[HDP](?:to|2)[HDP]|Other)\w*|Memset\b.*|CudaGraphExec\b.*"),
    (
        HostClass.LAUNCH,
        (
            r"tpu::System::Execute(?!=>Done)(?:=>.*)?|DoEnqueue\w*Program|EnqueueContinuationProgram|TpuExecuteOp|"
            r"\w+::ExecuteLaunch|GpuExecutable::ExecuteThunks|.*:XLA GPU module|StreamExecutor::Launch\w*"
        ),
    ),
    (HostClass.COPY_IN, r"tpu::System::TransferToDevice.*|H2D Dispatch|XlaLinearize|Linearize|TransferH2DRequest"),
    (HostClass.COPY_OUT, r"tpu::System::TransferFromDevice.*|D2H Dispatch|\w*Delinearize\w*|TransferD2HRequest"),
    # PyTorch's on the host run on a thread of their own; those of NCCL on the device.
    (HostClass.COLLECTIVE, r"(?:gloo|mpi|ucc):\w+"),
    (
        HostClass.COLLECTIVE,
        r"(?:Base)?CollectiveExecutor::.*|CollectiveOpV\dKernel::Run|RingReduce\w*.*|RingGather\w*.*",
    ),
    (HostClass.EXECUTE, r"FunctionRun|SessionRun|RunGraph"),
    (HostClass.EAGER_OP, r"EagerLocalExecute: (?!__)[A-Z_]\w*"),
    (HostClass.EAGER_KERNEL, r"EagerKernelExecute"),
    (HostClass.FUNCTION, r"KernelAndDeviceFunc::Run"),
    (HostClass.PYTHON, r"\$.*"),
    # Two colons, brackets or a call in a name: C++ wrote it.
    (HostClass.RUNTIME, r"Eager\w+(?:: .*)?|TFE_\w+|Executor\w*(?:::.*)?|PjitFunction\(.*"),
    (HostClass.RUNTIME, r"\w[\w<>]*(?:::[\w<>~]+)+.*|PJRT_\w+|Pjrt\w*|PjRt\w*|(?:cu|cuda|hip|hsa)[A-Z_]\w*"),
    (
        HostClass.RUNTIME,
        (
            r"tf\.constant|convert_to_tensor|ParseArguments|Handle (?:inputs|outputs|input event recording).*|"
            r"Build buffer allocations|MakeOutputBuffers|RecordUsage|Resolve constant globals|Allocate\w*Buffer\w*|"
            r"DevicePut\w*|ValidateInputTypeAndPlacement|RemoteCall\w*(?:: .*)?|ThenExecuteCallback|MemCpyAsync|"
            r"Scheduled .*|LoadProgram\w*|MapDmaBuffer|CompleteCallbacks|ReadSyncFlag|shard_args|ExecuteReplicated.*|"
            r"ArrayImpl\..*|end: .*|ParallelFor|Loop|ThreadpoolListener.*|Memory(?:Alloc|Dealloc)\w*"
        ),
    ),
)
_BY_NAME = regex("|".join(f"(?P<_{i}>{pattern})" for i, (_, pattern) in enumerate(_NAMES)), re.DOTALL)

_XLA_COLLECTIVE = regex(
    r"%?(?:ragged-)?(?:all-reduce|all-gather|reduce-scatter|all-to-all|collective-(?:permute|broadcast))(?:-\w+)*(?:\.\d+)*"
)
#: The type of an op → its class; any other op computes.
_TYPES = (
    (HostClass.NEXT, r"Dataset::.*"),
    (HostClass.SHARD, r"MultiDeviceIteratorGetNextFromShard"),
    (HostClass.INPUT, r"IteratorGetNext\w*|\w*QueueDequeue\w*|ReaderRead\w*|DatasetToSingleElement"),
    (HostClass.INPUT, r"(?:Ordered)?(?:Map)?Unstage(?:NoKey)?|BarrierTakeMany"),
    (HostClass.PIPELINE, r"InfeedEnqueue\w*|MultiDeviceIterator(?!GetNext)\w*|\w*QueueEnqueue\w*"),
    # To make an iterator and to free it is input, too: it starts and ends the threads of its pipeline.
    (HostClass.PIPELINE, r"(?:Anonymous|Delete|Make|OneShot)\w*Iterator\w*|IteratorV?\d*|Delete(?:Memory|Seed)\w*"),
    (
        HostClass.OUTPUT,
        r"SaveV?\d*|SaveSlices|ShardedSave\w*|MergeV2Checkpoints|WriteFile|\w*WriteSummary|Write\w*Summary",
    ),
    (HostClass.OUTPUT, r"FlushSummaryWriter|\w*OutfeedDequeue\w*"),
    (
        HostClass.COLLECTIVE,
        (
            r"Collective\w+|Nccl\w+|Xla(?:AllReduce|AllGather|ReduceScatter|AllToAll|CollectivePermute)\w*|Horovod\w+|"
            r"CrossReplicaSum|psum\w*|pmean|all_gather\w*|all_to_all\w*|reduce_scatter|ppermute|all_reduce\w*"
        ),
    ),
    (HostClass.WAITING, r"_?(?:Host)?Recv\w*|_XlaRecv\w*|Barrier\w*|StreamExecutorWait"),
    (HostClass.COMPILATION, r"_?XlaCompile\w*"),
    (HostClass.LAUNCH, r"Memcpy\w*|Memset"),
    (
        HostClass.RUNTIME,
        r"(?:Stateful)?PartitionedCall|RemoteCall|_?Send|_?HostSend|_Arg|_DeviceArg|_Retval|_DeviceRetval",
    ),
)
_BY_TYPE = regex("|".join(f"(?P<_{i}>{pattern})" for i, (_, pattern) in enumerate(_TYPES)), re.DOTALL)


@kept_by_text
def class_of_name(name: str) -> HostClass:
    """What a host event of this name stands for, by its name alone."""
    match = _BY_NAME.fullmatch(name[:_HEAD])
    return _NAMES[int(match.lastgroup[1:])][0] if match and match.lastgroup else HostClass.UNKNOWN


def class_of_op(op: Op) -> HostClass:
    """What a host event stands for that ran this op."""
    if _XLA_COLLECTIVE.fullmatch(op.name[:_HEAD]) or _XLA_COLLECTIVE.fullmatch(op.type[:_HEAD]):
        return HostClass.COLLECTIVE
    match = _BY_TYPE.fullmatch(op.type[:_HEAD])
    return _TYPES[int(match.lastgroup[1:])][0] if match and match.lastgroup else HostClass.OP


# PyTorch's autograd → its calls in which hooks run: Python that a program has put on a gradient.
#
# The engine writes one event around each function of a backward pass, and what the function runs lies inside. Beside
# that
# it hands gradients over, which takes microseconds; where it takes as long step after step, a program's hook runs
# there.

LONG_PS = Threshold(
    "gradient handed over",
    500_000_000,
    "ps",
    "a call of autograd's that runs nothing for longer runs a hook, or others have the processor",
    "without hooks 5 to 50 µs",
)
EACH = Threshold(
    "steps with a hook",
    0.5,
    "share",
    "so many long calls of one function as steps are a hook's; what takes the processor comes anywhere",
)
_CALL = "autograd::engine::evaluate_function: "


def hooks_of(timeline: Timeline, steps: Steps) -> I64:
    """Rows of the calls whose time outside of what they run is a hook's."""
    capture = timeline.capture
    called = [i for i in capture.names_used.tolist() if capture.strings[i].startswith(_CALL)]
    if not called or not len(steps):
        return np.empty(0, np.int64)
    rows = np.flatnonzero(among(capture.events.name, called))
    rows = rows[nesting_of(timeline).self_ps[rows] >= LONG_PS.value]
    count = np.bincount(capture.events.name[rows], minlength=len(capture.strings))
    long: I64 = rows[count[capture.events.name[rows]] >= EACH.value * len(steps)]
    return long


# A timeline and its steps → which of a host's threads are the program's own, and which of them mark steps.

_MAIN = regex(r"(?:python\d*|main|MainThread|python\d*[-/ ]\d+|main/\d+)", re.IGNORECASE)


class Threads:
    """The threads of a host: the program's own, those that mark steps, and the functions of Python on them."""

    def __init__(self, timeline: Timeline, steps: Steps, with_device: bool) -> None:
        self.timeline, self.steps, self.with_device = timeline, steps, with_device
        capture = timeline.capture
        self.tracks = host_tracks(capture)
        self.begin, self.end = capture.tracks.events_begin, capture.tracks.events_end
        self.names = capture.strings.texts(capture.tracks.name)

    @cached_property
    def marked(self) -> dict[int, tuple[int, int]]:
        """The threads that mark steps, and when the first of each begins and the last ends."""
        lanes, which = np.unique(self.steps.lane, return_inverse=True)
        first, last = np.full(len(lanes), np.iinfo(np.int64).max), np.zeros(len(lanes), np.int64)
        np.minimum.at(first, which, self.steps.begin_ps)
        np.maximum.at(last, which, self.steps.until_ps)
        spans = dict(zip(lanes.tolist(), zip(first.tolist(), last.tolist(), strict=True), strict=True))
        return {track: spans[track] for track in self.tracks.tolist() if track in spans}

    @cached_property
    def main(self) -> set[int]:
        """The program's own threads: those that mark steps, else those that are called so."""
        called = {t for t in self.tracks.tolist() if _MAIN.fullmatch(self.names[t])}
        return set(self.marked) | self._of_other_ranks() or called

    def _of_other_ranks(self) -> set[int]:
        """Threads that mark steps which follow those of another: of ranks whose traces are in one file."""
        capture = self.timeline.capture
        if not capture.capabilities.has_operators:
            return set()
        marks = [i for i in capture.names_used.tolist() if capture.strings[i].startswith("ProfilerStep#")]
        return set(np.unique(capture.events.track[among(capture.events.name, marks)]).tolist())

    @cached_property
    def python(self) -> dict[int, str]:
        """String id of the name of each function of Python that PyTorch's tracer wrote → what others call it."""
        if not self.timeline.capture.capabilities.has_operators:
            return {}
        strings, used = self.timeline.capture.strings, self.timeline.capture.names_used.tolist()
        return {i: name for i in used if (name := python_name(strings[i]))}


# Work for steps to come, by what caused it, else by the thread that it runs on.

#: Threads that prepare input ahead of time; the pool of the one left out hands elements to the step.
_AHEAD = regex(r"tf_data_(?!iterator_get_next)\w+")

#: A loop over a dataset in a tf.function, and the thread it is on.
_REDUCES, _REDUCER = "ReduceDatasetOp::DoCompute", "tf_data_reduce_dataset"

#: So many events lie around a stage that runs the loop's body: `ReduceIterator::Root`, `PrefetchProduce`, `TakeWhile`.
_AROUND_BODY = 3


def mark_ahead(threads: Threads, event_class: U8) -> None:
    """Work for steps to come: by what caused it, else by the thread that it runs on."""
    gets_input = bool(((event_class == HostClass.INPUT) | (event_class == HostClass.NEXT)).any())
    here, elsewhere = _resolved(gets_input, True), _resolved(gets_input, False)
    looped = elsewhere.copy()
    looped[HostClass.PIPELINE] = HostClass.RUNTIME
    caused, body = _caused_by_input(threads, event_class), _loop_bodies(threads)
    if caused is not None and body is not None:
        caused &= ~body
    for track in threads.tracks.tolist():
        at = slice(int(threads.begin[track]), int(threads.end[track]))
        main = track in threads.main or threads.names[track].startswith(_REDUCER)
        if not main and _AHEAD.match(threads.names[track]):
            event_class[at] = (
                HostClass.PIPELINE if body is None else np.where(body[at], looped[event_class[at]], HostClass.PIPELINE)
            )
            continue
        if not main and threads.python and threads.main:
            # What other threads run of Python is no part of the step, what that calls may be.
            event_class[at][among(threads.timeline.capture.events.name[at], list(threads.python))] = HostClass.NONE
        if caused is not None:
            event_class[at][caused[at] & ~(main & (event_class[at] == HostClass.NEXT))] = HostClass.PIPELINE
        event_class[at] = (here if main else elsewhere)[event_class[at]]
    bodies = None if body is None else _called(threads, BODY)
    if bodies is not None and bodies.any():
        event_class[_above(nesting_of(threads.timeline).parent, bodies)] = event_class[
            _called(threads, OUTSIDE_BODY)
        ] = HostClass.RUNTIME
        event_class[_called(threads, FEEDS_BODY)] = HostClass.INPUT


def _caused_by_input(threads: Threads, event_class: U8) -> NDArray[np.bool_] | None:
    """What iterators and the functions they call did, on whatever thread; None where there are none."""
    roots = np.flatnonzero((event_class == HostClass.PIPELINE) | (event_class == HostClass.NEXT))
    if not len(roots):
        return None
    label = np.full(len(event_class), -1, np.int32)
    label[threads.steps.row[threads.steps.row >= 0]] = 1
    label[roots] = 0
    caused: NDArray[np.bool_] = inherited(threads.timeline, label) == 0
    return caused


def _called(threads: Threads, names: re.Pattern[str]) -> NDArray[np.bool_]:
    """The calls of iterators that have such a name, in loops over a dataset in a tf.function."""
    strings, used = threads.timeline.capture.strings, threads.timeline.capture.names_used.tolist()
    named = np.zeros(len(strings), bool)
    named[[i for i in used if names.fullmatch(strings[i])]] = True
    matching: NDArray[np.bool_] = named[threads.timeline.capture.events.name]
    return matching


def _loop_bodies(threads: Threads) -> NDArray[np.bool_] | None:
    """What loops over a dataset in a tf.function run for its elements: stages of a pipeline to TensorFlow."""
    capture = threads.timeline.capture
    if capture.strings.find(_REDUCES) < 0:
        return None
    table = np.full(len(capture.strings), -1, np.int32)
    for i in np.unique(capture.events.name).tolist():
        if capture.strings[i].startswith("ReduceIterator::"):
            table[i] = int(bool(BODY.fullmatch(capture.strings[i])))
    bodies: NDArray[np.bool_] = inherited(threads.timeline, table[capture.events.name]) == 1
    return bodies


def _above(parent: I32, rows: NDArray[np.bool_]) -> I64:
    """Some events, and those that contain them on their threads, `PrefetchProduce` say."""
    marked, up = rows.copy(), np.flatnonzero(rows)
    for _ in range(_AROUND_BODY):
        up = parent[up].astype(np.int64)
        up = up[up >= 0]
        marked[up] = True
    return np.flatnonzero(marked)


def _resolved(gets_input: bool, main: bool) -> U8:
    """Class → what it is on the program's own threads, or on others. gets_input: whether a call of the program does."""
    table = np.arange(CLASSES, dtype=np.uint8)
    table[HostClass.SHARD] = HostClass.PIPELINE if gets_input else HostClass.INPUT
    table[[HostClass.NEXT, HostClass.PIPELINE]] = HostClass.INPUT if main else HostClass.PIPELINE
    if not main:
        table[HostClass.UNKNOWN] = HostClass.RUNTIME
    return table


# A timeline → the calls that are named as if they got input, and run the model: a program's own loop is no input.

OF_THE_MODEL = Threshold(
    "share of the model's work",
    0.25,
    "share",
    "getting input launches few of a program's kernels, and calls little of what is compiled; a loop that yields what "
    "the model computes has much of it",
)
OF_A_LOADER = Threshold(
    "share of the model's work in a loader",
    0.5,
    "share",
    "a loader that PyTorch marks gets input, also where it augments on the device",
)
_LOADER = regex(r"enumerate\(DataLoader\)#.*|.*DataLoader\S*\.__next__")
#: Calls of compiled functions.
_COMPILED = regex(r"PjitFunction\(.*|EagerLocalExecute: __inference_.*|TfrtCpuExecutable::Execute.*")
#: Training, which no input does.
_TRAINS = regex(r"Optimizer\.step#.*|autograd::engine::evaluate_function: .*")


@derived
def own_loops_of(timeline: Timeline) -> NDArray[np.bool_]:
    """Which events have names of calls that get input, and run the model."""
    events, strings = timeline.capture.events, timeline.capture.strings
    names = timeline.capture.names_used.tolist()
    with_operators = timeline.capture.capabilities.has_operators
    loader = [i for i in names if _LOADER.fullmatch(strings[i])]
    called = {i: python_name(strings[i]) if with_operators else "" for i in names}
    gets = [i for i in names if GETS_INPUT.fullmatch(called[i] or strings[i])]
    loops = np.zeros(len(events), bool)
    candidates = among(events.name, [*loader, *gets])
    if not candidates.any():
        return loops
    around = nearest(nesting_of(timeline).parent, candidates)
    bound = np.where(among(events.name, loader), OF_A_LOADER.value, OF_THE_MODEL.value)
    for works, weight in _work(timeline):
        inside = _inside(around, works, weight)
        by_name = np.bincount(events.name[candidates], inside[candidates], len(strings))
        loops |= candidates & (inside > 0) & (by_name[events.name] >= bound * weight.sum())
    return loops


def _work(timeline: Timeline) -> Iterator[tuple[I64, I64]]:
    """What a program runs of its model, by kind: rows on the host, and how much each counts."""
    capture = timeline.capture
    launch, strings = launches_of(timeline).rows, capture.strings
    kernels = np.flatnonzero(launch >= 0)
    names = np.unique(capture.events.name[kernels])
    moves = [i for i in names.tolist() if copy_op(strings[i]) is not None]
    launches = np.unique(launch[kernels[~among(capture.events.name[kernels], moves)]]).astype(np.int64)
    yield launches, np.ones(len(launches), np.int64)
    for pattern in (_COMPILED, _TRAINS):
        rows = capture.events_named(pattern)
        yield rows, capture.events.duration_ps[rows]


def _inside(around: NDArray[np.integer], works: I64, weight: I64) -> I64:
    """By row how much of some work lies in it. around: the innermost row that may hold it, or -1."""
    total = np.zeros(len(around), np.int64)
    at = around[works]
    while (at >= 0).any():
        weight, at = weight[at >= 0], at[at >= 0]
        np.add.at(total, at, weight)
        at = around[at]
    return total
