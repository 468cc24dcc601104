"""Names in a capture → what they say of an input pipeline: its stages, who only hands over, which kind of work."""

from __future__ import annotations

import re

ON_DEMAND, ADVANCE, PREPROCESSING, ENQUEUE, OTHER = KINDS = (
    "on-demand read",
    "advance read",
    "preprocessing",
    "enqueue",
    "other",
)

#: What feeds a program, in the order in which a page that has several of them names one.
FEEDS = ("tf.data", "PyTorch DataLoader", "TensorFlow queues", "marked stages", "Python", "TPU infeed")
TF_DATA, DATA_LOADER, QUEUES, MARKED, PYTHON, INFEED = FEEDS

#: Types of ops that run a Python function.
PYTHON_OPS = ("PyFunc", "EagerPyFunc", "PyFuncStateless", "NumpyFunction")
PYTHON_ITERATOR = "Python iterator"

#: Threads of a worker of the tf.data service, which ask its pipelines for elements, have names that begin so.
SERVICE_WORKER = "tf_data_service"

#: So much of a name identifies a stage; longer ones are hostile.
NAME_MAX = 1000

_DIGITS = 9
_VERSION = re.compile(r"V\d+$")
_INDEX = re.compile(r"\[\d+\]$")
#: Each input of these is a stage of its own; of others the number is of a file or an epoch.
_BRANCHES = re.compile(r"(?:Zip|Concatenate|DirectedInterleave)(?:V\d+)?\[\d{1,3}\]")
_OWN_GENERATOR = re.compile(r"FlatMap(?:V\d+)?::Generator$")
_READERS = (
    r"TFRecord|TextLine|FixedLengthRecord|SSTable|RecordIO|ArrayRecord|CSV|Sql|LMDB|Generator|DatasetFromGraph|"
    r"SnapshotReader|SnapshotDatasetReader|Snapshot|Load|FileRead\w*|IO|Avro\w*|Parquet\w*|BigQuery\w*|SparseTensorSlice"
)
_READER = re.compile(rf"(?:{_READERS})(?:V\d+)?")
_ASYNC = re.compile(
    r"Prefetch|MapAndBatch|ParallelMap|ParallelInterleave|LegacyParallelInterleave|ParallelBatch|ParallelFilter|"
    r"ParseExample|DataService"
)
_STAGE_KINDS = {"read": ADVANCE, "preprocessing": PREPROCESSING, "enqueue": ENQUEUE}

_ENQUEUE_TYPE = re.compile(r"InfeedEnqueue\w*|MemcpyHToD|MEMCPYHtoD", re.IGNORECASE)
_READ_TYPE = re.compile(r"(?:Whole)?File(?:Reader\w*)|\w*Reader(?:Read|V2|ReadUpTo)\w*|ReadFile|TFRecordReader\w*")
_QUEUE_TYPE = re.compile(r"Queue(?:Dequeue|Enqueue)(?:Many|UpTo)?(?:V2)?|(?:FIFO|RandomShuffle)Queue\w*|Unstage|Stage")
CALLER = re.compile(r"(?:MultiDevice)?IteratorGetNext\w*")
_DECODE_TYPE = re.compile(r"Decode\w+|Parse(?:Single)?(?:Sequence)?Example\w*|\w*ExtractJpeg\w*")


def chain(name: str) -> str:
    """A tf.data iterator's name without the numbers that only tell files and epochs apart.

    >>> chain("Iterator::Root::ParallelInterleaveV4[3]::FlatMap[0]::TFRecord")
    'Iterator::Root::ParallelInterleaveV4::FlatMap::TFRecord'
    """
    return "::".join(part if _BRANCHES.fullmatch(part) else _INDEX.sub("", part) for part in name.split("::"))


def transformation(stage: str) -> str:
    """The last element of a chain: the kind of dataset, `ParallelMapV2`."""
    return stage.rpartition("::")[2]


def bare(name: str) -> str:
    """A kind of dataset without its version: `ParallelMap`."""
    return _VERSION.sub("", name)


def hands_over(stage: str) -> bool:
    """Whether the stage's elements are made on other threads than the one that asks it for them."""
    return bool(_ASYNC.fullmatch(bare(transformation(stage)))) or feeds_device(stage)


def small_number(text: str) -> int | None:
    """What an event says of a buffer; None where it is no number, or so long that nobody writes it."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def feeds_device(stage: str) -> bool:
    """Whether it takes elements from a pipeline of the host for one of several devices.

    A user's own generator is a `Generator` below a `FlatMap`; without one it is TensorFlow's.
    """
    return stage.endswith("::Generator") and not _OWN_GENERATOR.search(stage)


def takes_from_service(stage: str) -> bool:
    """Whether its elements are made by workers of the tf.data service."""
    return bare(transformation(stage)) == "DataService"


def is_reader(stage: str) -> bool:
    return bool(_READER.fullmatch(transformation(stage))) and not feeds_device(stage)


def above(stage: str) -> str:
    """The stage that a stage feeds; empty for the first of a chain."""
    return _INDEX.sub("", stage.rpartition("::")[0])


def op_kind(type: str, iterators: bool) -> tuple[str, bool] | None:
    """Kind of work of an op outside of tf.data, and whether it only waits; None where it is no input op.

    iterators: whether the capture shows the iterators that `IteratorGetNext` calls, which then is only their caller.
    """
    if _ENQUEUE_TYPE.fullmatch(type):
        return ENQUEUE, False
    if _READ_TYPE.fullmatch(type):
        return ON_DEMAND, False
    if _QUEUE_TYPE.fullmatch(type):
        return PREPROCESSING, "Dequeue" in type or type == "Unstage"
    if CALLER.fullmatch(type):
        return None if iterators else (PREPROCESSING, True)
    return (PREPROCESSING, False) if _DECODE_TYPE.fullmatch(type) else None


def stage_kind(category: str) -> str:
    """Kind of work of a stage that the program marks itself."""
    return _STAGE_KINDS.get(category.lower(), OTHER)
