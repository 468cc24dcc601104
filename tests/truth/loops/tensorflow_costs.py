"""Places in a TensorFlow program where a cost is planted: pipelines, models and what runs beside them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.programs._tensorflow import SIDE, batch_copy
from tests.programs._tensorflow import tiny_ops as small_ops
from tests.truth.costs import Meter, spend, until
from tests.truth.declared import Case, Plant

BATCH = 16


def dataset(tf: Any, case: Case, batches: int, meter: Meter, folder: Path) -> Any:
    """Batches of images and labels."""
    for plant in case.plants:
        if plant.where in PIPELINES:
            return PIPELINES[plant.where](tf, plant, batches, meter, folder)
    made = tf.random.uniform((BATCH, SIDE, SIDE, 1)), tf.zeros((BATCH,), tf.int64)
    return tf.data.Dataset.from_tensors(made).repeat(batches)


def _image(tf: Any, index: Any) -> Any:
    return tf.fill((SIDE, SIDE, 1), tf.cast(index % 7, tf.float32)), index % 10


def _python(tf: Any, index: Any, plant: Plant, seconds: float, meter: Meter) -> Any:
    def slow(given: Any) -> Any:
        spend(meter, plant, seconds)
        return given

    return tf.ensure_shape(tf.py_function(slow, [index], tf.int64), index.shape)


def _mapped(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    def load(index: Any) -> Any:
        return _image(tf, _python(tf, index, plant, plant.seconds / BATCH, meter))

    return tf.data.Dataset.range(batches * BATCH).map(load).batch(BATCH)


def _batch_mapped(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    def load(indices: Any) -> Any:
        indices = _python(tf, indices, plant, plant.seconds, meter)
        return tf.zeros((BATCH, SIDE, SIDE, 1)) + tf.cast(indices[0] % 7, tf.float32), indices % 10

    return tf.data.Dataset.range(batches * BATCH).batch(BATCH, drop_remainder=True).map(load)


def _parallel_mapped(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    def load(index: Any) -> Any:
        return _image(tf, _python(tf, index, plant, 2 * plant.seconds / BATCH, meter))

    return tf.data.Dataset.range(batches * BATCH).map(load, num_parallel_calls=2).batch(BATCH).prefetch(2)


def _prefetched(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    return _batch_mapped(tf, plant, batches, meter, folder).prefetch(2)


def _generated(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    def slow() -> Iterator[int]:
        for index in range(batches * BATCH):
            spend(meter, plant, plant.seconds / BATCH)
            yield index

    made = tf.data.Dataset.from_generator(slow, output_signature=tf.TensorSpec((), tf.int64))
    return made.map(lambda index: _image(tf, index)).batch(BATCH)


def _interleaved(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    def opened(index: Any) -> Any:
        return tf.data.Dataset.from_tensors(_python(tf, index, plant, plant.seconds / BATCH, meter))

    made = tf.data.Dataset.range(batches * BATCH).interleave(opened, cycle_length=2)
    return made.map(lambda index: _image(tf, index)).batch(BATCH)


def _filtered(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    def kept(index: Any) -> Any:
        return _python(tf, index, plant, plant.seconds / BATCH, meter) >= 0

    made = tf.data.Dataset.range(batches * BATCH).filter(kept)
    return made.map(lambda index: _image(tf, index)).batch(BATCH)


def _read_slow(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    """Records that take long to inflate, some a batch."""
    path = str(folder / "records.gz")
    folder.mkdir(parents=True, exist_ok=True)
    letters = tf.cast(tf.random.stateless_uniform((1 << 20,), (1, 2), 0, 16, tf.int32), tf.uint8).numpy().tobytes()
    with tf.io.TFRecordWriter(path, tf.io.TFRecordOptions(compression_type="GZIP", compression_level=1)) as writer:
        for _ in range(4):
            writer.write(letters)

    def load(records: Any) -> Any:
        sizes = tf.cast(tf.strings.length(records), tf.int64)
        return tf.zeros((4, SIDE, SIDE, 1)), sizes % 10

    return tf.data.TFRecordDataset(path, "GZIP").repeat().batch(4, drop_remainder=True).map(load).take(batches)


def _copied(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    return batch_copy(tf, batches, BATCH)


def _shuffled(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    """A buffer that is filled whenever an epoch begins, and these are short."""
    made = tf.data.Dataset.range(1_000_000).shuffle(40_000).batch(BATCH, drop_remainder=True).take(2).repeat()

    def load(indices: Any) -> Any:
        return tf.zeros((BATCH, SIDE, SIDE, 1)) + tf.cast(indices[0] % 7, tf.float32), indices % 10

    return made.map(load).take(batches)


def _heavy_ops(tf: Any, plant: Plant, batches: int, meter: Meter, folder: Path) -> Any:
    """A map function of TensorFlow ops that compute for long, and nothing is prefetched."""

    def load(indices: Any) -> Any:
        work = tf.random.stateless_normal((300_000,), (1, 2)) + tf.cast(indices[0], tf.float32)
        for _ in range(3):
            work = tf.sort(tf.sin(work))
        return tf.zeros((BATCH, SIDE, SIDE, 1)) + work[0], indices % 10

    options = tf.data.Options()
    options.autotune.enabled = False
    made = tf.data.Dataset.range(batches * BATCH).batch(BATCH, drop_remainder=True).map(load)
    return made.with_options(options)


#: Place → the pipeline in which it is planted.
PIPELINES: dict[str, Callable[[Any, Plant, int, Meter, Path], Any]] = {
    "map": _mapped,
    "map_batch": _batch_mapped,
    "parallel_map": _parallel_mapped,
    "prefetched_map": _prefetched,
    "generator": _generated,
    "interleave": _interleaved,
    "filter": _filtered,
    "read_slow": _read_slow,
    "batch_copy": _copied,
    "shuffle": _shuffled,
    "heavy_ops": _heavy_ops,
}


def in_step(tf: Any, case: Case, given: Any, meter: Meter) -> Any:
    """0, after what is planted among a step's ops: Python that they call, prints, or ops of which each is tiny."""
    zero = tf.reduce_mean(given) * 0
    if plant := case.plant("loss"):
        chosen = plant

        def slow(value: Any) -> Any:
            spend(meter, chosen, chosen.seconds)
            return value

        zero += tf.ensure_shape(tf.py_function(slow, [zero], tf.float32), ())
    if case.plant("tiny_ops"):
        zero += small_ops(tf, given, 2000) * 0
    if case.plant("tf_print"):
        path = "file://" + str(Path(tempfile.gettempdir()) / "perfplugin-truth.txt")
        for _ in range(20):
            tf.print(given, summarize=-1, output_stream=path)
    return zero


class Beside:
    """What a program does with ops of its own beside its steps, for as long as is planted."""

    def __init__(self, tf: Any, case: Case, folder: Path, meter: Meter) -> None:
        self.case, self.meter = case, meter
        weights = [tf.Variable(tf.zeros((256, 256))) for _ in range(4)]
        checkpoint = tf.train.Checkpoint(weights=weights)
        writer = tf.summary.create_file_writer(str(folder / "summaries"))
        forward, image = tf.function(lambda given: tf.reduce_sum(given @ given)), tf.ones((512, 512))

        def summarize() -> None:
            with writer.as_default():
                tf.summary.scalar("loss", 0.5, step=1)
            writer.flush()

        self.once: dict[str, Callable[[], object]] = {
            "checkpoint": lambda: checkpoint.write(str(folder / "checkpoint")),
            "summary": summarize,
            "sync": lambda: float(weights[0][0, 0].numpy()),
            "eager_metrics": lambda: tf.reduce_mean(tf.abs(weights[0] - weights[1])),
            "evaluate": lambda: forward(image).numpy(),
        }
        for plant in case.plants:  # the first time traces functions
            self.once.get(plant.where, lambda: None)()

    def at(self, step: int) -> None:
        for plant in self.case.plants:
            if plant.where in self.once and plant.seconds_at(step):
                with self.meter.clock(plant.name):
                    until(plant.seconds_at(step), self.once[plant.where])
