"""A Keras 3 `fit`, profiled by the TensorBoard callback.

Models: `small`, `dense`, `convolution`. Flags: `unmarked` (a callback of its own only starts and stops the profiler).
The stopwatch is that of the batches that are profiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch
from tests.programs._tensorflow import SIDE, tensorflow
from tests.truth.costs import Meter, spend, spend_at
from tests.truth.declared import STEPS, WARM, Case, Plant
from tests.truth.loops.tensorflow_costs import BATCH, Beside, dataset, in_step

#: The batches that are profiled, counted from 1.
FIRST, LAST = WARM + 1, WARM + STEPS


def main(case: Case, folder: Path, watch: Stopwatch, meter: Meter) -> None:
    tf = tensorflow()
    tf.keras.utils.set_random_seed(1)
    net = model(tf, case, meter)
    called = callbacks(tf, case, net, watch, meter, folder)
    given = batches_of(tf, case, LAST + 1, meter, folder)
    net.fit(given, shuffle=False, verbose=0, callbacks=called)


def batches_of(tf: Any, case: Case, batches: int, meter: Meter, folder: Path) -> Any:
    if case.plant("recompile"):  # a new shape every time
        sizes = tf.data.Dataset.range(batches)
        return sizes.map(lambda n: (tf.zeros((16 + n, SIDE, SIDE, 1)), tf.zeros((16 + n,), tf.int64)))
    if plant := case.plant("python_dataset"):
        return python_dataset(tf, plant, batches, meter)
    if plant := case.plant("python_generator"):
        return python_generator(plant, meter)
    return dataset(tf, case, batches, meter, folder)


def python_dataset(tf: Any, plant: Plant, batches: int, meter: Meter) -> Any:
    """Keras' own kind of dataset in Python, in the loop's process."""
    import numpy

    class Batches(tf.keras.utils.PyDataset):  # type: ignore[misc]
        def __len__(self) -> int:
            return batches

        def __getitem__(self, number: int) -> Any:
            spend(meter, plant, plant.seconds)
            return numpy.zeros((BATCH, SIDE, SIDE, 1), numpy.float32), numpy.zeros((BATCH,), numpy.int64)

    return Batches()


def python_generator(plant: Plant, meter: Meter) -> Iterator[Any]:
    """A generator of arrays."""
    import numpy

    for _ in range(LAST + 1):
        spend(meter, plant, plant.seconds)
        yield numpy.zeros((BATCH, SIDE, SIDE, 1), numpy.float32), numpy.zeros((BATCH,), numpy.int64)


def model(tf: Any, case: Case, meter: Meter) -> Any:
    layers = tf.keras.layers
    body: dict[str, list[Any]] = {
        "dense": [layers.Flatten(), layers.Dense(2048), layers.Dense(1024)],
        "convolution": [layers.Conv2D(24, 5, activation="relu"), layers.Conv2D(24, 5), layers.Flatten()],
        "small": [layers.Lambda(lambda given: given + in_step(tf, case, given, meter)), layers.Flatten()],
    }
    net = tf.keras.Sequential([layers.Input((SIDE, SIDE, 1)), *body[case.model], layers.Dense(10)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    compiled = case.plant("recompile") is not None
    net.compile("sgd" if compiled else "adam", loss, run_eagerly=case.plant("eager") is not None, jit_compile=compiled)
    return net


def callbacks(tf: Any, case: Case, net: Any, watch: Stopwatch, meter: Meter, folder: Path) -> list[Any]:
    """The profiler's callbacks around the stopwatch, and after it the one with the planted costs."""
    made, beside = tf.keras.callbacks.LambdaCallback, Beside(tf, case, folder, meter)
    counted, current = iter(range(1_000_000)), {"batch": -1}

    def begin(batch: int, logs: Any = None) -> None:
        current["batch"] = next(counted)
        if FIRST <= current["batch"] + 1 <= LAST:
            meter.on = True
            watch.begin(current["batch"])
        spend_at(meter, case, "batch_begin", current["batch"] - WARM)

    def end(batch: int, logs: Any = None) -> None:
        if current["batch"] in watch.begins:
            watch.end(current["batch"])

    def after(batch: int, logs: Any = None) -> None:
        spend_at(meter, case, "between", current["batch"] - WARM)
        beside.at(current["batch"] - WARM)
        if case.plant("retrace"):
            net.make_train_function(force=True)
        if current["batch"] + 1 >= LAST:
            meter.on = False

    stop, start = profilers(tf, case, folder)
    return [
        made(on_train_batch_end=end),
        stop,
        start,
        made(on_train_batch_begin=begin),
        made(on_train_batch_end=after),
    ]


def profilers(tf: Any, case: Case, folder: Path) -> tuple[Any, Any]:
    """What stops the profiler at the end of a batch, and what starts it at the begin; one does both where it marks."""
    made = tf.keras.callbacks.LambdaCallback
    if not case.has("unmarked"):
        board = tf.keras.callbacks.TensorBoard(str(folder), write_graph=False, profile_batch=(FIRST, LAST))
        return made(), board

    def start(batch: int, logs: Any = None) -> None:
        if batch + 1 == FIRST:
            tf.profiler.experimental.start(str(folder))

    def stop(batch: int, logs: Any = None) -> None:
        if batch + 1 == LAST:
            tf.profiler.experimental.stop()

    return made(on_train_batch_end=stop), made(on_train_batch_begin=start)
