"""A Keras 3 `fit` → `OUT[/train]/plugins/profile/…` and `OUT/stopwatch.json`."""

from __future__ import annotations

import importlib
import time
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch
from tests.programs._tensorflow import PIPELINES, images, read_slow, tensorflow, tiny_ops

#: The batches that are profiled, counted from 1.
FIRST, LAST = 5, 20
BATCH, CALLBACK_SECONDS = 16, 0.02
CAUSES = (
    "none",
    "map_sleep",
    "generator_sleep",
    "interleave_sleep",
    "read_slow",
    "batch",
    "shuffle_fill",
    "callback_sleep",
    "validation",
    "convolution",
    "eager",
    "tiny_ops",
    "retrace",
    "recompile",
)


def main(out: Path, cause: str = "none", marked: bool = True) -> None:
    """marked: the TensorBoard callback profiles, which marks each batch; else a callback that only starts and stops."""
    tf = tensorflow()
    tf.keras.utils.set_random_seed(1)
    watch = Stopwatch()
    net = model(tf, cause)
    # Two epochs where what happens between them is the cause.
    epochs, batches = (2, 11) if cause in ("validation", "shuffle_fill") else (1, 21)
    given = dataset(tf, cause, batches, out)
    held_back = images(tf, 10, BATCH) if cause == "validation" else None
    called = callbacks(tf, cause, net, watch, profilers(tf, out, marked))
    net.fit(given, epochs=epochs, validation_data=held_back, shuffle=False, verbose=0, callbacks=called)
    keras = importlib.import_module("keras")
    watch.write(out, program="keras_fit", cause=cause, tensorflow=tf.__version__, keras=keras.__version__)


def dataset(tf: Any, cause: str, batches: int, out: Path) -> Any:
    if cause == "read_slow":
        out.mkdir(parents=True, exist_ok=True)
        return read_slow(tf, batches, BATCH, out)
    if cause == "recompile":  # a batch of a new size every time
        sizes = tf.data.Dataset.range(batches)
        return sizes.map(lambda n: (tf.zeros((16 + n, 28, 28, 1)), tf.zeros((16 + n,), tf.int64)))
    return PIPELINES.get(cause, images)(tf, batches, BATCH)


def model(tf: Any, cause: str) -> Any:
    layers = tf.keras.layers
    body = {
        "convolution": [layers.Conv2D(24, 5, activation="relu"), layers.Conv2D(24, 5, activation="relu")],
        "tiny_ops": [layers.Lambda(lambda given: given + tiny_ops(tf, given, 1000))],
    }
    dense = [layers.Dense(2048), layers.Dense(1024)] if cause == "none" else [layers.Dense(64)]
    net = tf.keras.Sequential(
        [layers.Input((28, 28, 1)), *body.get(cause, []), layers.Flatten(), *dense, layers.Dense(10)]
    )
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    net.compile(
        "sgd" if cause == "recompile" else "adam", loss, run_eagerly=cause == "eager", jit_compile=cause == "recompile"
    )
    return net


def profilers(tf: Any, out: Path, marked: bool) -> tuple[Any, Any]:
    """What stops the profiler at the end of a batch, and what starts it at the begin; one does both where it marks."""
    made = tf.keras.callbacks.LambdaCallback
    if marked:
        board = tf.keras.callbacks.TensorBoard(str(out), write_graph=False, profile_batch=(FIRST, LAST))
        return made(), board

    def start(batch: int, logs: Any = None) -> None:
        if batch + 1 == FIRST:
            tf.profiler.experimental.start(str(out))

    def stop(batch: int, logs: Any = None) -> None:
        if batch + 1 == LAST:
            tf.profiler.experimental.stop()

    return made(on_train_batch_end=stop), made(on_train_batch_begin=start)


def callbacks(tf: Any, cause: str, net: Any, watch: Stopwatch, profilers: tuple[Any, Any]) -> list[Any]:
    """The profiler's callbacks around the stopwatch, and after it the one that is slow."""
    made = tf.keras.callbacks.LambdaCallback
    counted = iter(range(1_000_000))
    current = {"batch": -1}

    def begin(batch: int, logs: Any = None) -> None:
        current["batch"] = next(counted)
        if FIRST <= current["batch"] + 1 <= LAST:
            watch.begin(current["batch"])

    def end(batch: int, logs: Any = None) -> None:
        if current["batch"] in watch.begins:
            watch.end(current["batch"])

    def after(batch: int, logs: Any = None) -> None:
        if cause == "callback_sleep":
            time.sleep(CALLBACK_SECONDS)
        if cause == "retrace":
            net.make_train_function(force=True)

    stop, start = profilers
    return [
        made(on_train_batch_end=end),
        stop,
        start,
        made(on_train_batch_begin=begin),
        made(on_train_batch_end=after),
    ]
