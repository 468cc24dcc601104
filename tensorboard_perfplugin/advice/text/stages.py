"""Kinds of stages of an input pipeline → what to change about one that limits it, where it alone tells."""

from __future__ import annotations

from ...analysis.input import PYTHON_ITERATOR

CACHE = "If its result is the same in every epoch and fits into memory, put `cache()` behind it."

QUEUE = (
    "Other threads fill the queue, too slowly: give it more of them (`num_threads`, a runner for each file), have them "
    "work on whole batches, or use tf.data, whose stages are shown one by one."
)

BY_TYPE = {
    "Map": "Set `num_parallel_calls=tf.data.AUTOTUNE` on `map`, or put `batch` before it and work on whole "
    "batches. " + CACHE,
    "Filter": "Drop what it drops before the run, or earlier in the pipeline; test whole batches at once.",
    "FlatMap": "Use `interleave` with `num_parallel_calls=tf.data.AUTOTUNE` instead.",
    "Interleave": "Set `num_parallel_calls=tf.data.AUTOTUNE` on `interleave`.",
    "Batch": "Set `num_parallel_calls=tf.data.AUTOTUNE` on `batch`; keep elements small until the model needs them "
    "large (bytes instead of floats, crops before batching); batch where elements are smallest.",
    "PaddedBatch": "Batch elements of similar length (`bucket_by_sequence_length`); keep elements small.",
    "Shuffle": "Use a smaller `buffer_size`; shuffle names of files, or indices, instead of whole elements.",
    "ShuffleAndRepeat": "Use a smaller `buffer_size`; shuffle names of files, or indices, instead of whole elements.",
    "Prefetch": "Its elements are ready: what takes time is to ask for them and to hand them over. Ask less often: "
    "larger batches, several steps in one call (`steps_per_execution`).",
    "Unbatch": "It copies each element out of its batch: leave batches whole, or take what is needed in a `map` on "
    "them.",
    "Rebatch": "It splits each batch for the replicas and copies it: batch by what one replica takes "
    "(`distribute_datasets_from_function`).",
    "MemoryCache": "A cache is filled in the first epoch: capture a later one. After that it costs reading: without a "
    "file name it is in memory, else keep the file on a local disk.",
    "Snapshot": "A snapshot is written in the first epoch: capture a later one. Keep it on a fast, near disk, and "
    "read it with several shards.",
    "Zip": "It makes one element of each of its inputs, in turn: have each end with `prefetch`, so that they work at "
    "once.",
    "Concatenate": "It only takes from its inputs, one after another: make these cheaper.",
    "DirectedInterleave": "It takes from one of its inputs at a time: have each end with `prefetch`.",
    "TensorSlice": "It copies one element at a time out of an array: slice whole batches (`batch` before other "
    "stages, or slices of indices), or write the data as TFRecords.",
    "FromTensor": "It copies its whole tensor each time: keep large constants out of the dataset.",
    "FiniteSkip": "What it skips is made and thrown away: skip files, or save the iterator's state.",
    "Shard": "What other workers take is made and thrown away here: shard the names of files before they are read.",
    "Window": "Each window is a dataset of its own: use `batch` of several windows and slices of that.",
    "GroupByWindow": "Each key fills a window before it gives a batch: use fewer buckets or smaller windows.",
    "Scan": "Each element needs the one before: keep its function small, and do the rest in a parallel `map` behind "
    "it.",
    "ForeverRepeat": "Its input starts anew in each epoch: put `cache` before `repeat`, and `repeat` before `batch`.",
    "FiniteRepeat": "Its input starts anew in each epoch: put `cache` before `repeat`, and `repeat` before `batch`.",
    "LegacyParallelInterleave": "Use `interleave` with `num_parallel_calls=tf.data.AUTOTUNE` and "
    "`deterministic=False`.",
    "DataService": "The time is spent by the tf.data service: give it more workers, and profile these.",
    "ParseExample": "Parse whole batches (`batch` before `parse_example`) with `num_parallel_calls=tf.data.AUTOTUNE`.",
    "DataLoader": "Give the loader worker processes (`num_workers`), `persistent_workers=True` and "
    "`pin_memory=True`; with workers already, add more of them or raise `prefetch_factor`.",
    PYTHON_ITERATOR: "Make the next element while the step runs: read ahead on a thread, better in other processes "
    "(Grain, tf.data, DataLoader with workers), and put it onto the device before it is asked for.",
    "IteratorGetNext": "The capture does not show the pipeline behind it: capture with `host_tracer_level=2` or more.",
    "annotation": "Make the next element while the step runs: read ahead on a thread, better in other processes, and "
    "put it onto the device before it is asked for.",
    "infeed": "The host feeds too slowly: make what fills the infeed faster, or send less (16-bit, bytes).",
}
#: Kinds that are one to their user, though TensorFlow names them apart.
SAME = {
    "MemoryCacheImpl": "MemoryCache",
    "FileCache": "MemoryCache",
    "FileCacheReader": "MemoryCache",
    "FileCacheWriter": "MemoryCache",
    "Cache": "MemoryCache",
    "SnapshotWriter": "Snapshot",
    "SnapshotPassthrough": "Snapshot",
    "Skip": "FiniteSkip",
    "Tensor": "FromTensor",
    "Repeat": "FiniteRepeat",
}
