"""A loop that waits for a tf.data pipeline which is slow at one known stage → its profile and `stopwatch.json`.

The stopwatch tells of every step how long it took to get the batch, too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch
from tests.programs._tensorflow import generator_sleep as generator
from tests.programs._tensorflow import interleave_sleep, map_sleep, tensorflow
from tests.programs.tf_loop import compiled, mark

WARM, STEPS, BATCH, SIDE = 3, 12, 8, 256
#: What a batch costs at the slow stage, and every how many batches one does that costs as much as these together.
BATCH_SECONDS, BURST = 0.02, 4
#: What a step takes beside, by cause: so long that the pipeline is quick enough on average.
STEP_SECONDS = {"bursts": BATCH_SECONDS}
#: Threads of Python take turns so often. The loop's has its batch, and waits that long for a map function's: the
#: stopwatch counts it, and no event tells.
TURN_SECONDS = 1e-4


def main(out: Path, cause: str, marked: bool = True) -> None:
    tf = tensorflow()
    sys.setswitchinterval(TURN_SECONDS)
    made = CAUSES[cause](tf, (WARM + STEPS + 2) * BURST, out)
    batches, step, watch = iter(made), dense(tf), Stopwatch()
    for _ in range(WARM):
        next(batches)
        step().numpy()
    waits = []
    tf.profiler.experimental.start(str(out))
    for number in range(STEPS):
        watch.begin(number)
        with mark(tf, number):
            asked, before = time.time_ns(), sum(FREED_NS)
            next(batches)
            waits.append(time.time_ns() - asked - (sum(FREED_NS) - before))
            step().numpy()
            time.sleep(STEP_SECONDS.get(cause, 0))
        watch.end(number)
    tf.profiler.experimental.stop()
    watch.write(out, program="tf_data", cause=cause, waits_ns=waits, tensorflow=tf.__version__)


def dense(tf: Any) -> Callable[[], Any]:
    """Some milliseconds of matrix products."""
    weight = tf.Variable(tf.random.normal((SIDE, SIDE)) / SIDE)

    def step() -> Any:
        hidden = weight
        for _ in range(6):
            hidden = tf.tanh(hidden @ weight)
        return tf.reduce_mean(hidden)

    return compiled(tf, step)


def slowly(tf: Any, value: Any, seconds: float) -> Any:
    """The same value, after a while that a Python function slept."""

    def slow(given: Any) -> Any:
        time.sleep(seconds)
        return given

    return tf.ensure_shape(tf.numpy_function(slow, [value], value.dtype), value.shape)


def numbers(tf: Any, batches: int) -> Any:
    return tf.data.Dataset.range(batches * BATCH)


def parallel_map(tf: Any, batches: int, out: Path) -> Any:
    found = numbers(tf, batches).batch(BATCH, drop_remainder=True)
    return found.map(lambda n: slowly(tf, n, 2 * BATCH_SECONDS), num_parallel_calls=2)


def map_and_batch(tf: Any, batches: int, out: Path) -> Any:
    found = numbers(tf, batches).map(lambda n: slowly(tf, n, 2 * BATCH_SECONDS / BATCH), num_parallel_calls=2)
    return found.batch(BATCH)


def parallel_interleave(tf: Any, batches: int, out: Path) -> Any:
    def opened(n: Any) -> Any:
        return tf.data.Dataset.from_tensors(slowly(tf, n, 2 * BATCH_SECONDS / BATCH))

    return numbers(tf, batches).interleave(opened, cycle_length=2, num_parallel_calls=2).batch(BATCH)


def flat_map(tf: Any, batches: int, out: Path) -> Any:
    def opened(n: Any) -> Any:
        return tf.data.Dataset.from_tensors(slowly(tf, n, BATCH_SECONDS / BATCH))

    return numbers(tf, batches).flat_map(opened).batch(BATCH)


def filtered(tf: Any, batches: int, out: Path) -> Any:
    found = numbers(tf, batches).filter(lambda n: slowly(tf, n, BATCH_SECONDS / BATCH) >= 0)
    return found.batch(BATCH)


def padded_batch(tf: Any, batches: int, out: Path) -> Any:
    words = tf.data.Dataset.from_tensors(tf.fill((150_000,), "word")).repeat(batches * BATCH)
    return words.padded_batch(BATCH, [150_001]).map(lambda given: given[:, 0])


def read_compressed(tf: Any, batches: int, out: Path) -> Any:
    """Records that take long to inflate."""
    out.mkdir(parents=True, exist_ok=True)
    path = str(out / "records.gz")
    letters = tf.cast(tf.random.stateless_uniform((1 << 20,), (1, 2), 0, 16, tf.int32), tf.uint8).numpy().tobytes()
    with tf.io.TFRecordWriter(path, tf.io.TFRecordOptions(compression_type="GZIP", compression_level=1)) as writer:
        for _ in range(4):
            writer.write(letters)
    return tf.data.TFRecordDataset(path, "GZIP").repeat().map(tf.strings.length).batch(4).take(batches)


def cache_fill(tf: Any, batches: int, out: Path) -> Any:
    """The first epoch, in which what is cached is made."""
    found = numbers(tf, batches).map(lambda n: slowly(tf, n, BATCH_SECONDS / BATCH))
    return found.cache().batch(BATCH)


def bursts(tf: Any, batches: int, out: Path) -> Any:
    """Every few batches one takes as long as some steps, and the buffer holds less than these use meanwhile."""

    def slow(n: Any) -> Any:
        return tf.cond(n[0] % (BURST * BATCH) == 0, lambda: slowly(tf, n, 3 * BATCH_SECONDS), lambda: n)

    return numbers(tf, batches).batch(BATCH, drop_remainder=True).map(slow).prefetch(1)


def two_pipelines(tf: Any, batches: int, out: Path) -> Any:
    """One that is quick, in the loop's own thread, and one that is not."""
    quick = iter(numbers(tf, batches).batch(BATCH))
    slow = iter(map_sleep(tf, batches, BATCH))

    def both() -> Iterator[Any]:
        while True:
            yield next(quick), next(slow)

    return both()


def epochs(tf: Any, batches: int, out: Path) -> Any:
    """Each has iterators of its own, which are waited for, too."""
    found = map_sleep(tf, 7, BATCH)

    def every() -> Iterator[Any]:
        while True:
            epoch = iter(found)
            yield from epoch
            began = time.time_ns()
            del epoch
            FREED_NS.append(time.time_ns() - began)

    return every()


def service(tf: Any, batches: int, out: Path) -> Any:
    """A dispatcher and a worker of the tf.data service, in this process; they live as long as it does."""
    servers = tf.data.experimental.service
    dispatcher = servers.DispatchServer()
    address = dispatcher.target.partition("://")[2]
    SERVERS.extend((dispatcher, servers.WorkerServer(servers.WorkerConfig(dispatcher_address=address))))
    return map_sleep(tf, batches, BATCH).apply(servers.distribute("parallel_epochs", dispatcher.target)).prefetch(1)


def shuffle_fill(tf: Any, batches: int, out: Path) -> Any:
    """A buffer that is filled whenever an epoch begins, and these are short."""
    found = tf.data.Dataset.range(1_000_000).shuffle(40_000).batch(BATCH).take(BURST)
    return found.repeat()


def batch_strings(tf: Any, batches: int, out: Path) -> Any:
    """Elements of many strings, each copied on its own into a batch."""
    words = tf.data.Dataset.from_tensors(tf.fill((600_000,), "word")).repeat(batches * BATCH)
    return words.batch(BATCH).map(lambda given: given[:, 0])


SERVERS: list[Any] = []
#: How long it took to free the iterators of an epoch, which waits for what they do ahead, and for no element.
FREED_NS: list[int] = []


def without_out(made: Callable[[Any, int, int], Any]) -> Callable[[Any, int, Path], Any]:
    return lambda tf, batches, out: made(tf, batches, BATCH)


#: Cause → the pipeline that has it.
CAUSES: dict[str, Callable[[Any, int, Path], Any]] = {
    "map": without_out(map_sleep),
    "parallel_map": parallel_map,
    "map_and_batch": map_and_batch,
    "interleave": without_out(interleave_sleep),
    "parallel_interleave": parallel_interleave,
    "flat_map": flat_map,
    "generator": without_out(generator),
    "filter": filtered,
    "batch": batch_strings,
    "padded_batch": padded_batch,
    "shuffle_fill": shuffle_fill,
    "read": read_compressed,
    "cache_fill": cache_fill,
    "bursts": bursts,
    "epochs": epochs,
    "service": service,
    "two_pipelines": two_pipelines,
}
