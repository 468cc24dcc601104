"""A loop in JAX around a jitted step.

Models: `small`, `cells` (a jitted function called fifty times a step, then one that updates), `lambdas` and those of
`tests.programs.jax_loop`: `dense`, `convolution`, `several`, `scan`. Flags: `unmarked`, `python`, `ahead` (waits for
results in every fourth step), `accumulate` (four calls of the jitted function a step), `cold` (nothing runs before
the profiler).
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch
from tests.programs.jax_loop import convolution, dense, mark, scan, several
from tests.truth.costs import Meter, spend, spend_at, until
from tests.truth.declared import STEPS, WARM, Case

LARGE, SMALL, WIDTH = 256, 32, 784
CELLS = 50


def cells(jax: Any) -> tuple[Callable[..., Any], Any]:
    numpy = jax.numpy

    def cell(weights: Any, given: Any, hidden: Any) -> Any:
        return numpy.tanh(given @ weights + hidden @ weights)

    def update(weights: Any, hidden: Any) -> Any:
        return weights - 1e-3 * hidden.mean()

    compiled, updated = jax.jit(cell), jax.jit(update)

    def train_step(weights: Any, given: Any) -> Any:
        given = hidden = numpy.asarray(given[:64, :512])
        for _ in range(CELLS):
            hidden = compiled(weights, given, hidden)
        return updated(weights, hidden)

    return train_step, numpy.ones((512, 512)) * 0.01


def lambdas(jax: Any) -> tuple[Callable[..., Any], Any]:
    """Three functions without a name of their own, the second of which is called twice a step."""
    numpy = jax.numpy
    forward = jax.jit(lambda weights, given: numpy.tanh(given @ weights))
    mix = jax.jit(lambda one, other: (one - other) * 0.5)
    update = jax.jit(lambda weights, given, error: weights - 1e-3 * (given.T @ error))

    def train_step(weights: Any, given: Any) -> Any:
        given = numpy.asarray(given)
        out = forward(weights, given)
        return update(weights, given, mix(mix(out, given), out))

    return train_step, numpy.ones((WIDTH, WIDTH)) * 0.01


MODELS: dict[str, Callable[[Any], tuple[Callable[..., Any], Any]]] = {
    "dense": dense,
    "convolution": convolution,
    "several": several,
    "scan": scan,
    "cells": cells,
    "lambdas": lambdas,
}


def main(case: Case, folder: Path, watch: Stopwatch, meter: Meter) -> None:
    os.environ.update(JAX_PLATFORMS="cpu")
    jax = importlib.import_module("jax")
    step, state = model(jax, case, meter)
    given, beside = batches(case, meter), Beside(jax, case, folder, meter)
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = int(case.has("python"))
    if not case.has("cold"):
        for _ in range(WARM):
            state = jax.block_until_ready(step(state, next(given)))
    with jax.profiler.trace(str(folder), profiler_options=options):
        meter.on = True
        for number in range(STEPS):
            watch.begin(number)
            with mark(jax, number) if not case.has("unmarked") else contextlib.nullcontext():
                with meter.clock("waits"):
                    batch = next(given)
                state = step(state, batch)
                if not case.has("ahead") or number % 4 == 3:
                    jax.block_until_ready(state)
                spend_at(meter, case, "inside", number)
                beside.at(number, beside.inside)
            watch.end(number)
            spend_at(meter, case, "between", number)
            beside.at(number, beside.between)
        meter.on = False


def batches(case: Case, meter: Meter) -> Iterator[Any]:
    """Arrays of numpy from a generator, which is where a cost of the input is planted."""
    numpy = importlib.import_module("numpy")
    size = SMALL if case.model == "small" else LARGE
    while True:
        for plant in case.plants:
            if plant.where == "feed":
                spend(meter, plant, plant.seconds)
        size += case.plant("recompile") is not None
        yield numpy.ones((size, WIDTH), numpy.float32)


def model(jax: Any, case: Case, meter: Meter) -> tuple[Callable[..., Any], Any]:
    if case.model != "small":
        step, state = MODELS[case.model](jax)
        return (accumulated(step) if case.has("accumulate") else step), state
    if case.plant("tiny_ops"):
        return tiny_ops(jax)
    compute, weights = dense(jax)

    def train_step(weights: Any, given: Any) -> Any:
        weights = [weights[0] + called_back(jax, case, weights[0][0, 0], meter), *weights[1:]]
        return compute(weights, given)

    return jax.jit(train_step), weights


def tiny_ops(jax: Any) -> tuple[Callable[..., Any], Any]:
    """No jit: each operation is dispatched alone."""

    def train_step(value: Any, given: Any) -> Any:
        for _ in range(200):
            value = jax.numpy.tanh(value + 0.5)
        return value / value.sum()

    return train_step, jax.numpy.zeros((8,))


def accumulated(step: Callable[..., Any]) -> Callable[..., Any]:
    """Four micro-batches a step."""

    def train_step(state: Any, given: Any) -> Any:
        for _ in range(4):
            state = step(state, given)
        return state

    return train_step


def called_back(jax: Any, case: Case, value: Any, meter: Meter) -> Any:
    """0, after what the compiled step calls in Python."""
    shape = jax.ShapeDtypeStruct((), jax.numpy.float32)
    for plant in case.plants:

        def slow(given: Any, plant: Any = plant) -> Any:
            spend(meter, plant, plant.seconds)
            return given * 0

        if plant.where == "debug_callback":
            jax.debug.callback(lambda given, slow=slow: (slow(given), None)[1], value, ordered=True)
        if plant.where == "pure_callback":
            return jax.pure_callback(slow, shape, value)
        if plant.where == "io_callback":
            io_callback = importlib.import_module("jax.experimental").io_callback
            return io_callback(slow, shape, value, ordered=True)
        if plant.where == "debug_print":
            for _ in range(40):
                jax.debug.print("{}", value, ordered=True)
    return 0.0


class Beside:
    """What a program does with arrays beside its jitted step, for as long as is planted."""

    def __init__(self, jax: Any, case: Case, folder: Path, meter: Meter) -> None:
        self.case, self.meter = case, meter
        numpy = importlib.import_module("numpy")
        on_host = numpy.ones((4 << 20,), numpy.float32)
        small, image = jax.numpy.arange(64.0), jax.numpy.ones((512, 512))
        forward = jax.jit(lambda given: (given @ given).sum())

        self.inside: dict[str, Callable[[], object]] = {
            "device_put": lambda: jax.block_until_ready(jax.device_put(on_host)),
            "fetch": lambda: numpy.array(jax.device_get(image)),
            "sync": lambda: float(small[3]),
            "eager_metrics": lambda: (small * 2).mean() + small.max(),
        }
        self.between: dict[str, Callable[[], object]] = {
            "checkpoint": lambda: numpy.save(folder / "weights.npy", numpy.asarray(image)),
            "evaluate": lambda: forward(image).block_until_ready(),
        }
        for plant in case.plants:  # the first time compiles
            {**self.inside, **self.between}.get(plant.where, lambda: None)()

    def at(self, step: int, kinds: dict[str, Callable[[], object]]) -> None:
        for plant in self.case.plants:
            if plant.where in kinds and plant.seconds_at(step):
                with self.meter.clock(plant.name):
                    until(plant.seconds_at(step), kinds[plant.where])
