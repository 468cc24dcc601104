"""A training loop of one's own in TensorFlow → `OUT/plugins/profile/…` and `OUT/stopwatch.json`."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch
from tests.programs._tensorflow import PIPELINES, images, tensorflow
from tests.programs._tensorflow import tiny_ops as small

WARM, STEPS, BATCH, WIDTH, SMALL_WIDTH = 3, 16, 128, 1024, 128
#: Name of the mark around a step.
MARK = "train"
CAUSES = (
    "none",
    "map_sleep",
    "retrace",
    "tiny_ops",
    "eager",
    "while_loop",
    "print_sleep",
    "two_functions",
    "accumulate",
)


def main(out: Path, cause: str = "none", marked: bool = True) -> None:
    """marked: each step is in a `Trace` with `_r`."""
    tf = tensorflow()
    step = STEP.get(cause, dense)(tf)
    batches = iter(PIPELINES.get(cause, images)(tf, WARM + STEPS + 1, BATCH))
    watch = Stopwatch()
    # A Python number is part of a function's signature: a new one each step traces it again.
    extra = (lambda n: (n,)) if cause == "retrace" else (lambda n: ())
    for number in range(WARM):
        step(*next(batches), *extra(-1 - number))
    tf.profiler.experimental.start(str(out))
    for number in range(STEPS):
        watch.begin(number)
        with mark(tf, number) if marked else contextlib.nullcontext():
            step(*next(batches), *extra(number)).numpy()
        watch.end(number)
        if cause == "print_sleep":
            time.sleep(0.02)
    tf.profiler.experimental.stop()
    watch.write(out, program="tf_loop", cause=cause, marked=marked, tensorflow=tf.__version__)


def mark(tf: Any, number: int) -> Any:
    return tf.profiler.experimental.Trace(MARK, step_num=number, _r=1)


def dense(tf: Any, graph: bool = True, width: int = WIDTH) -> Callable[..., Any]:
    """One step of gradient descent of a perceptron; the loss."""
    weights = [tf.Variable(tf.random.normal(shape) * 0.05) for shape in ((784, width), (width, width), (width, 10))]

    def step(given: Any, labels: Any, scale: float = 1) -> Any:
        with tf.GradientTape() as tape:
            hidden = tf.reshape(given, (-1, 784)) * float(scale)
            for weight in weights:
                hidden = tf.nn.relu(hidden @ weight)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, hidden))
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(0.01 * slope)
        return loss

    return compiled(tf, step) if graph else step


def compiled(tf: Any, step: Callable[..., Any]) -> Callable[..., Any]:
    made: Callable[..., Any] = tf.function(step)
    return made


def small_dense(tf: Any) -> Callable[..., Any]:
    """Little to compute beside what sleeps: a busy machine computes slower, and sleeps no longer."""
    return dense(tf, width=SMALL_WIDTH)


def eager(tf: Any) -> Callable[..., Any]:
    return dense(tf, graph=False)


def tiny_ops(tf: Any) -> Callable[..., Any]:
    def step(given: Any, labels: Any) -> Any:
        return small(tf, given, 2000)

    return compiled(tf, step)


def while_loop(tf: Any) -> Callable[..., Any]:
    """A loop inside the step, of 30 turns."""
    weight = tf.Variable(tf.random.normal((784, 784)) * 0.03)

    def step(given: Any, labels: Any) -> Any:
        hidden = tf.reshape(given, (-1, 784))
        for _ in tf.range(30):
            hidden = tf.tanh(hidden @ weight)
        return tf.reduce_mean(hidden)

    return compiled(tf, step)


def two_functions(tf: Any) -> Callable[..., Any]:
    """Two functions a step, as of a generator and what judges it."""
    first, second = dense(tf), dense(tf)

    def step(given: Any, labels: Any) -> Any:
        return first(given, labels) + second(given, labels)

    return step


def accumulate(tf: Any) -> Callable[..., Any]:
    """Four calls of one function a step, then one of another."""
    part = dense(tf)
    total = tf.Variable(0.0)
    apply = compiled(tf, lambda: total.assign(total * 0.5))

    def step(given: Any, labels: Any) -> Any:
        for _ in range(4):
            total.assign_add(part(given, labels))
        return apply()

    return step


STEP: dict[str, Callable[[Any], Callable[..., Any]]] = {
    "map_sleep": small_dense,
    "print_sleep": small_dense,
    "eager": eager,
    "tiny_ops": tiny_ops,
    "while_loop": while_loop,
    "two_functions": two_functions,
    "accumulate": accumulate,
}
