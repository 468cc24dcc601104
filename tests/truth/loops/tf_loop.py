"""A loop of one's own in TensorFlow, around a tf.function.

Models: `small`, `dense`, `convolution`, `while_loop`, `two_functions`, `accumulate`, `rivals` (a function called
twice a step, then another). Flags: `unmarked`, `python`, `prefetched` (a pipeline whose map takes time, and is
quicker than a step), `cold` (nothing runs before the profiler), `uneven` (the last batches are smaller).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch
from tests.programs._tensorflow import SIDE, tensorflow
from tests.programs.tf_loop import accumulate, mark, two_functions, while_loop
from tests.programs.tf_loop import dense as perceptron
from tests.truth.costs import Meter, spend_at
from tests.truth.declared import STEPS, WARM, Case
from tests.truth.loops.tensorflow_costs import Beside, dataset, in_step

#: Where a model computes, a batch is as large as `tests.programs.tf_loop` has it.
LARGE = 128


def main(case: Case, folder: Path, watch: Stopwatch, meter: Meter) -> None:
    tf = tensorflow()
    step, beside = model(tf, case, meter), Beside(tf, case, folder, meter)
    given = iter(batches(tf, case, meter, folder))
    options = tf.profiler.experimental.ProfilerOptions(2, int(case.has("python")), 1)
    for number in range(-WARM, STEPS):
        if case.has("cold") and number < 0:
            continue
        if number == 0:
            tf.profiler.experimental.start(str(folder), options)
            meter.on = True
        watch.begin(number)
        marks = number >= 0 and not case.has("unmarked")
        with mark(tf, number) if marks else contextlib.nullcontext():
            spend_at(meter, case, "feed", number)
            with meter.clock("waits"):
                batch = next(given)
            step(*batch, *signature(case, number)).numpy()
            spend_at(meter, case, "inside", number)
        if number >= 0:
            watch.end(number)
        spend_at(meter, case, "between", number)
        beside.at(number)
    meter.on = False
    tf.profiler.experimental.stop()


def signature(case: Case, number: int) -> tuple[float, ...]:
    """A Python number is part of a function's signature: a new one each step traces it again."""
    return (100.0 + number,) if case.plant("retrace") else ()


def batches(tf: Any, case: Case, meter: Meter, folder: Path) -> Iterator[Any]:
    count = WARM + STEPS + 4
    if case.plant("recompile"):  # a new shape every time
        sizes = tf.data.Dataset.range(count)
        return iter(sizes.map(lambda n: (tf.zeros((16 + n, SIDE, SIDE, 1)), tf.zeros((16 + n,), tf.int64))))
    made = dataset(tf, case, count, meter, folder) if case.model == "small" else _large(tf, case, count)
    if case.has("uneven"):
        smaller = made.map(lambda given, labels: (given[: LARGE // 2], labels[: LARGE // 2]))
        made = made.take(WARM + STEPS - 2).concatenate(smaller)
    return iter(made)


def _large(tf: Any, case: Case, count: int) -> Any:
    made = tf.random.uniform((LARGE, SIDE, SIDE, 1)), tf.zeros((LARGE,), tf.int64)
    if not case.has("prefetched"):
        return tf.data.Dataset.from_tensors(made).repeat(count)

    def load(number: Any) -> Any:
        work = tf.random.stateless_normal((20_000,), (1, 2)) + tf.cast(number, tf.float32)
        return made[0] + tf.sort(work)[0], made[1]

    return tf.data.Dataset.range(count).map(load).prefetch(2)


def convolution(tf: Any) -> Callable[..., Any]:
    kernel = tf.Variable(tf.random.normal((5, 5, 1, 24)) * 0.05)
    second = tf.Variable(tf.random.normal((5, 5, 24, 24)) * 0.05)

    def step(given: Any, labels: Any) -> Any:
        made = tf.nn.relu(tf.nn.conv2d(given[:32], kernel, 1, "SAME"))
        return tf.reduce_mean(tf.nn.conv2d(made, second, 1, "SAME"))

    made: Callable[..., Any] = tf.function(step)
    return made


def rivals(tf: Any) -> Callable[..., Any]:
    first, second = perceptron(tf), perceptron(tf)

    def step(given: Any, labels: Any) -> Any:
        return first(given, labels) + first(given, labels) + second(given, labels)

    return step


MODELS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "dense": perceptron,
    "convolution": convolution,
    "while_loop": while_loop,
    "two_functions": two_functions,
    "accumulate": accumulate,
    "rivals": rivals,
}


def model(tf: Any, case: Case, meter: Meter) -> Callable[..., Any]:
    if case.model != "small":
        return MODELS[case.model](tf)
    weights = [tf.Variable(tf.random.normal(shape) * 0.05) for shape in ((SIDE * SIDE, 64), (64, 10))]

    def step(given: Any, labels: Any, scale: float = 1) -> Any:
        extra = in_step(tf, case, given, meter)
        with tf.GradientTape() as tape:
            hidden = tf.reshape(given, (-1, SIDE * SIDE)) * float(scale)
            for _ in range(60 if case.plant("eager") else 1):
                hidden = hidden * 1.01 + 0.01
            for weight in weights:
                hidden = tf.nn.relu(hidden @ weight)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, hidden))
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(0.01 * slope)
        return loss + extra

    if case.plant("eager"):
        return step
    made: Callable[..., Any] = tf.function(step, jit_compile=True if case.plant("recompile") else None)
    return made
