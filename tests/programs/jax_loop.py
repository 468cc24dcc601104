"""A training loop in JAX → `OUT/plugins/profile/…` and `OUT/stopwatch.json`."""

from __future__ import annotations

import contextlib
import importlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch

WARM, STEPS, BATCH, WIDTH = 3, 16, 256, 512
SLEEP_SECONDS = 0.02
#: Where it sleeps, there is little to compute: a busy machine computes slower, and sleeps no longer.
SMALL_BATCH, SLEEPS = 32, ("generator_sleep", "print_sleep", "host_callback")
CAUSES = (
    "none",
    "generator_sleep",
    "recompile",
    "convolution",
    "tiny_ops",
    "print_sleep",
    "host_callback",
    "several",
    "scan",
    "ahead",
    "renamed",
)


def main(out: Path, cause: str = "none", marked: bool = True, python: bool = False) -> None:
    """marked: each step is in a StepTraceAnnotation. python: the profiler traces Python's calls as well."""
    os.environ.update(JAX_PLATFORMS="cpu")
    jax = importlib.import_module("jax")
    step, state = STEP.get(cause, dense)(jax)
    watch = Stopwatch()
    given = batches(jax, cause)
    for _ in range(WARM):
        state = jax.block_until_ready(step(state, next(given)))
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = int(python)
    with jax.profiler.trace(str(out), profiler_options=options):
        for number in range(STEPS):
            watch.begin(number)
            with mark(jax, number) if marked else contextlib.nullcontext():
                batch = next(given)
                if not marked:  # nothing in the capture is earlier than the call
                    watch.begin(number)
                state = step(state, batch)
                if cause != "ahead" or number % 4 == 3:
                    jax.block_until_ready(state)
            watch.end(number)
            if cause == "print_sleep":
                log(number)
    watch.write(out, program="jax_loop", cause=cause, marked=marked, python=python, jax=jax.__version__)


def mark(jax: Any, number: int) -> Any:
    return jax.profiler.StepTraceAnnotation("train", step_num=number)


def log(number: int) -> None:
    time.sleep(SLEEP_SECONDS)


def batches(jax: Any, cause: str) -> Iterator[Any]:
    numpy = importlib.import_module("numpy")
    size = SMALL_BATCH if cause in SLEEPS else BATCH
    while True:
        if cause == "generator_sleep":
            time.sleep(SLEEP_SECONDS)
        size += cause == "recompile"
        yield numpy.ones((size, 784), numpy.float32)


def dense(jax: Any) -> tuple[Callable[..., Any], Any]:
    keys = jax.random.split(jax.random.key(0), 3)
    shapes = [(784, WIDTH), (WIDTH, WIDTH), (WIDTH, 10)]
    weights = [jax.random.normal(key, shape) * 0.05 for key, shape in zip(keys, shapes, strict=True)]

    def loss(weights: list[Any], given: Any) -> Any:
        for weight in weights:
            given = jax.nn.relu(given @ weight)
        return (given**2).mean()

    def train_step(weights: list[Any], given: Any) -> Any:
        slopes = jax.grad(loss)(weights, given)
        return [weight - 0.01 * slope for weight, slope in zip(weights, slopes, strict=True)]

    return jax.jit(train_step), weights


def convolution(jax: Any) -> tuple[Callable[..., Any], Any]:
    kernel = jax.numpy.ones((5, 5, 16, 16)) * 0.01

    def train_step(kernel: Any, given: Any) -> Any:
        planes = jax.numpy.repeat(given[:32].reshape((32, 28, 28, 1)), 16, axis=3)
        made = jax.lax.conv_general_dilated(planes, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return kernel + 1e-9 * made.mean()

    return jax.jit(train_step), kernel


def tiny_ops(jax: Any) -> tuple[Callable[..., Any], Any]:
    """No jit: each operation is dispatched alone."""

    def train_step(value: Any, given: Any) -> Any:
        for _ in range(200):
            value = jax.numpy.tanh(value + 0.5)
        return value / value.sum()

    return train_step, jax.numpy.zeros((8,))


def host_callback(jax: Any) -> tuple[Callable[..., Any], Any]:
    """The compiled step calls back into Python, which is slow."""
    compute, weights = dense(jax)

    def report(value: Any) -> None:
        time.sleep(SLEEP_SECONDS)

    def train_step(weights: Any, given: Any) -> Any:
        jax.debug.callback(report, weights[0][0, 0], ordered=True)
        return compute(weights, given)

    return jax.jit(train_step), weights


def several(jax: Any) -> tuple[Callable[..., Any], Any]:
    """Three compiled functions an iteration, the first of them twice."""
    compute, weights = dense(jax)
    scale = jax.jit(lambda given: given * 0.5)
    norm = jax.jit(lambda weights: sum((weight**2).sum() for weight in weights))

    def train_step(weights: Any, given: Any) -> Any:
        weights = compute(weights, scale(scale(given)))
        float(norm(weights))
        return weights

    return train_step, weights


def scan(jax: Any) -> tuple[Callable[..., Any], Any]:
    """A loop of 20 turns inside of the compiled step."""
    compute, weights = dense(jax)

    def train_step(weights: Any, given: Any) -> Any:
        parts = given[:240].reshape((20, 12, 784))
        return jax.lax.scan(lambda carry, part: (compute(carry, part), None), weights, parts)[0]

    return jax.jit(train_step), weights


def renamed(jax: Any) -> tuple[Callable[..., Any], Any]:
    """What `none` computes, in a scope, and after it the sum of what it was given."""
    compute, weights = dense(jax)

    def train_step(weights: Any, given: Any) -> Any:
        with jax.named_scope("model"):
            slopes = compute(weights, given)
        return [*slopes[:2], slopes[2] + 1e-9 * jax.numpy.tanh(given).sum()]

    return jax.jit(train_step), weights


STEP: dict[str, Callable[[Any], tuple[Callable[..., Any], Any]]] = {
    "convolution": convolution,
    "tiny_ops": tiny_ops,
    "host_callback": host_callback,
    "several": several,
    "scan": scan,
    "renamed": renamed,
}
