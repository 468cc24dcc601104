"""`python -m tests.samples.make_jax_train OUT`: a jitted JAX train loop on CPU, profiled with step annotations.

Gives `OUT/plugins/profile/<session>/trainer.xplane.pb` and `OUT/stopwatch.json`. Needs JAX.
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

STEPS, BATCH, WIDTH = 12, 256, 512


def main(out: Path) -> None:
    os.environ.update(JAX_PLATFORMS="cpu")
    jax = importlib.import_module("jax")
    # Source files in the programs by their base name only.
    jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        steps = train(jax, "logs")
        keep(Path(folder, "logs"), out)
    log_steps(out / "stopwatch.json", steps, jax=jax.__version__, batch=BATCH)


def train(jax: Any, logdir: str) -> list[tuple[int, int, int]]:
    """Profile STEPS steps after two that compile; (step, begin, end) of each, in ns."""
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    weights, images, labels = problem(jax)

    def train_step(*given: Any) -> list[Any]:
        return update(jax, *given)

    step = jax.jit(train_step)
    for _ in range(2):
        weights = jax.block_until_ready(step(weights, images, labels))
    steps = []
    with jax.profiler.trace(logdir, profiler_options=options):
        for number in range(STEPS):
            begin = time.perf_counter_ns()
            with jax.profiler.StepTraceAnnotation("train", step_num=number):
                weights = jax.block_until_ready(step(weights, images, labels))
            steps.append((number, begin, time.perf_counter_ns()))
    return steps


def problem(jax: Any) -> tuple[Any, Any, Any]:
    """Weights of a three-layer perceptron, images, labels."""
    keys = jax.random.split(jax.random.key(0), 5)
    shapes = [(784, WIDTH), (WIDTH, WIDTH), (WIDTH, 10)]
    weights = [jax.random.normal(key, shape) * 0.05 for key, shape in zip(keys, shapes, strict=False)]
    images = jax.random.normal(keys[3], (BATCH, 784))
    return weights, images, jax.random.randint(keys[4], (BATCH,), 0, 10)


def update(jax: Any, weights: list[Any], images: Any, labels: Any) -> list[Any]:
    """One step of gradient descent."""

    def loss(weights: list[Any]) -> Any:
        hidden = images
        for weight in weights[:-1]:
            hidden = jax.nn.relu(hidden @ weight)
        chosen = jax.nn.one_hot(labels, 10)
        return -(jax.nn.log_softmax(hidden @ weights[-1]) * chosen).sum(axis=1).mean()

    return [weight - 0.01 * slope for weight, slope in zip(weights, jax.grad(loss)(weights), strict=True)]


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
