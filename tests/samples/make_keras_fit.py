"""`python -m tests.samples.make_keras_fit OUT`: a Keras 3 `fit` on CPU that waits for its input, profiled.

Gives `OUT/train/plugins/profile/<session>/trainer.xplane.pb` and `OUT/stopwatch.json`. Needs TensorFlow.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.samples._neutral import keep, log_steps

FIRST, LAST, BATCH = 10, 20, 16
#: How long one record keeps the input pipeline busy. 16 of them make a step.
RECORD_SECONDS = 0.0015


def main(out: Path) -> None:
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
    tf = importlib.import_module("tensorflow")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # the capture keeps the logdir as it was given; this keeps it short and neutral
        steps = train(tf, "logs")
        keep(Path(folder, "logs"), out, run="train")
    keras = importlib.import_module("keras")
    log_steps(out / "stopwatch.json", steps, tensorflow=tf.__version__, keras=keras.__version__, batch=BATCH)


def train(tf: Any, logdir: str) -> list[tuple[int, int, int]]:
    """Fit 30 batches, of which the callback profiles FIRST to LAST; (number, begin, end) of those, in ns.

    Numbers count from 0, as in the capture's `step_num`; `profile_batch` counts from 1.
    """
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}

    def begin(batch: int, logs: Any = None) -> None:
        begins[batch] = time.perf_counter_ns()

    def end(batch: int, logs: Any = None) -> None:
        ends[batch] = time.perf_counter_ns()

    callback = tf.keras.callbacks.LambdaCallback
    board = tf.keras.callbacks.TensorBoard(logdir, write_graph=False, profile_batch=(FIRST, LAST))
    # Inside the profiler's own callback, or its start and stop would count as work.
    callbacks = [callback(on_train_batch_end=end), board, callback(on_train_batch_begin=begin)]
    model(tf).fit(dataset(tf), epochs=1, shuffle=False, verbose=0, callbacks=callbacks)
    return [(n, begins[n], ends[n]) for n in range(FIRST - 1, LAST)]


def model(tf: Any) -> Any:
    layers = tf.keras.layers
    net = tf.keras.Sequential(
        [
            layers.Input((28, 28, 1)),
            layers.Conv2D(8, 3, activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(10),
        ]
    )
    net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    return net


def dataset(tf: Any) -> Any:
    """30 batches of images, made by a Python function that is too slow for the model."""

    def slow_decode(index: Any) -> Any:
        time.sleep(RECORD_SECONDS)
        return tf.fill((28, 28, 1), tf.cast(index % 7, tf.float32))

    def load(index: Any) -> Any:
        image = tf.py_function(slow_decode, [index], tf.float32)
        image.set_shape((28, 28, 1))
        return image, index % 10

    return tf.data.Dataset.range(BATCH * 30).map(load).batch(BATCH).prefetch(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
