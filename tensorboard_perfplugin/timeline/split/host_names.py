"""The name of a host event, or of the op that it ran → what a thread does while it is open.

The names are those of TensorFlow, JAX, PyTorch's loaders, XLA, and the drivers of CUDA, ROCm and TPUs. Python's own
calls begin with `$`, as its tracer writes them: `$file.py:12 function`, `$builtins next`.
"""

from __future__ import annotations

import re
from enum import IntEnum

from ...tables import kept_by_text
from ..categories import INDEX
from ..names.driver import ALLOCATES, SYNCHRONIZES
from ..names.op_names import Op


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
    #: A name nobody knows: a person's own annotation, if the program's own thread wrote it.
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
GETS_INPUT = re.compile(rf"\$(?:builtins next|\S+ (?:__next__|{_GETS_DATA}))|{_GETS_DATA}")
_WRITES = r"(?:\w*(?:save|write|dump|store)_?(?:checkpoint|model|weights|state|ckpt)\w*|\w*checkpoint(?:ing)?|save)"

#: The first that fits counts. Patterns hold for the whole name.
_NAMES = (
    # An op waits for its own pieces, which a pool runs without events: it goes on.
    (HostClass.NONE, r"\w*ThreadPool::Await"),
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
            rf"{SYNCHRONIZES}|(?:cu|cuda|hip)\w*Wait\w*|"
            r"np\.asarray\(jax\.Array\)|"
            r"\$(?:threading\.py:\d+|<unknown>|_thread|queue\.py:\d+) (?:wait|join|acquire|_wait_for_tstate_lock)|"
            r"\w*Rendezvous\w*(?:Wait|Recv).*|RecvTensor\w*|"
            r"\$\S*array\.py:\d+ (?:_value|__array__|__float__|__int__|item)|"
            r"\w*::?Wait\w*|WaitFor\w*|Barrier\w*|dependency-wait"
        ),
    ),
    (HostClass.ALLOCATES, ALLOCATES.pattern),
    (HostClass.LAUNCH, r"(?:cu|cuda|hip|hsa)\w*(?:Launch(?!HostFunc)|Memcpy|Memset)\w*"),
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
_BY_NAME = re.compile("|".join(f"(?P<_{i}>{pattern})" for i, (_, pattern) in enumerate(_NAMES)), re.DOTALL)

_XLA_COLLECTIVE = re.compile(
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
_BY_TYPE = re.compile("|".join(f"(?P<_{i}>{pattern})" for i, (_, pattern) in enumerate(_TYPES)), re.DOTALL)


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
