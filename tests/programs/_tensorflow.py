"""TensorFlow on the CPU, and pipelines of it that cost time at one known stage."""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

#: What one batch costs at the stage that is slow.
BATCH_SECONDS = 0.02
SIDE = 28


def tensorflow() -> Any:
    """With oneDNN, whose allocator writes memory events; on some CPUs it is off unless asked for."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", TF_ENABLE_ONEDNN_OPTS="1")
    return importlib.import_module("tensorflow")


def images(tf: Any, batches: int, batch: int) -> Any:
    """Batches that are ready: (images, labels)."""
    made = tf.random.uniform((batch, SIDE, SIDE, 1)), tf.zeros((batch,), tf.int64)
    return tf.data.Dataset.from_tensors(made).repeat(batches)


def map_sleep(tf: Any, batches: int, batch: int) -> Any:
    def slow(index: Any) -> Any:
        time.sleep(BATCH_SECONDS / batch)
        return index

    def load(index: Any) -> Any:
        index = tf.ensure_shape(tf.py_function(slow, [index], tf.int64), ())
        return _image(tf, index)

    return tf.data.Dataset.range(batches * batch).map(load).batch(batch)


def generator_sleep(tf: Any, batches: int, batch: int) -> Any:
    def slow() -> Iterator[int]:
        for index in range(batches * batch):
            time.sleep(BATCH_SECONDS / batch)
            yield index

    found = tf.data.Dataset.from_generator(slow, output_signature=tf.TensorSpec((), tf.int64))
    return found.map(lambda index: _image(tf, index)).batch(batch)


def interleave_sleep(tf: Any, batches: int, batch: int) -> Any:
    """Each element opens a new small file, and opening is slow."""

    def slow(index: Any) -> Any:
        time.sleep(BATCH_SECONDS / batch)
        return index

    def opened(index: Any) -> Any:
        index = tf.ensure_shape(tf.py_function(slow, [index], tf.int64), ())
        return tf.data.Dataset.from_tensors(index)

    found = tf.data.Dataset.range(batches * batch).interleave(opened, cycle_length=2)
    return found.map(lambda index: _image(tf, index)).batch(batch)


def read_slow(tf: Any, batches: int, batch: int, folder: Path) -> Any:
    """Large compressed records: inflating them is what reading costs."""
    path = str(folder / "records.gz")
    letters = tf.random.stateless_uniform((1 << 20,), (1, 2), 0, 16, tf.int32)
    options = tf.io.TFRecordOptions(compression_type="GZIP", compression_level=1)
    with tf.io.TFRecordWriter(path, options) as writer:
        for _ in range(4):
            writer.write(tf.cast(letters, tf.uint8).numpy().tobytes())

    def load(record: Any) -> Any:
        return _image(tf, tf.cast(tf.strings.length(record), tf.int64))

    found = tf.data.TFRecordDataset(path, "GZIP").repeat().map(load)
    return found.batch(2).take(batches)


def batch_copy(tf: Any, batches: int, batch: int) -> Any:
    """Elements of many strings, each copied on its own into a batch of which the model gets next to nothing."""
    words = tf.data.Dataset.from_tensors(tf.fill((100_000,), "word")).repeat(batches * batch)

    def images_of(given: Any) -> Any:
        sizes = tf.cast(tf.strings.length(given[:, 0]), tf.int64)
        return tf.zeros((batch, SIDE, SIDE, 1)), sizes

    return words.batch(batch).map(images_of)


def shuffle_fill(tf: Any, batches: int, batch: int) -> Any:
    """A shuffle buffer that is filled whenever an epoch begins, by the step that asks.

    Tuned, it gets stages that work ahead: they would fill one for each iterator that Keras makes, of which it throws
    one away as soon as that is done.
    """
    indices = tf.data.Dataset.range(1_000_000).shuffle(150_000)
    found = indices.batch(batch).take(batches).map(lambda index: _images(tf, index, batch))
    options = tf.data.Options()
    options.autotune.enabled = False
    return found.with_options(options)


def tiny_ops(tf: Any, given: Any, count: int) -> Any:
    """A number, after many operations of which each is next to nothing."""
    small = given[0, :8, :8, 0]
    for _ in range(count):
        small = small @ small
    return tf.reduce_mean(small)


def _image(tf: Any, index: Any) -> Any:
    return tf.fill((SIDE, SIDE, 1), tf.cast(index % 7, tf.float32)), index % 10


def _images(tf: Any, index: Any, batch: int) -> Any:
    return tf.fill((batch, SIDE, SIDE, 1), tf.cast(index[0] % 7, tf.float32)), index % 10


#: Cause → the pipeline that has it.
PIPELINES: dict[str, Callable[[Any, int, int], Any]] = {
    "map_sleep": map_sleep,
    "generator_sleep": generator_sleep,
    "interleave_sleep": interleave_sleep,
    "batch": batch_copy,
    "shuffle_fill": shuffle_fill,
}
