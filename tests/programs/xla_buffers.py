"""Programs that JAX compiles for the CPU → `OUT/dump/`: what XLA writes of each program, with its buffer assignment.

Beside each `….hlo.pb` stand `…-buffer-assignment.txt`, `…-live-range.txt` and `…-memory-usage-report.txt`. Of the
programs that run, `OUT/plugins/profile/…` is a capture.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

BATCH, LENGTH, WIDTH, DEVICES = 8, 32, 64, 4
LAYERS = 3
CAUSES = ("none",)


def main(out: Path, cause: str = "none") -> None:
    dumped = f"--xla_dump_to={out / 'dump'} --xla_dump_hlo_as_proto --xla_dump_hlo_as_text"
    os.environ.update(JAX_PLATFORMS="cpu", XLA_FLAGS=f"{dumped} --xla_force_host_platform_device_count={DEVICES}")
    jax = importlib.import_module("jax")
    made = [program(jax) for program in (transformer, scan, loop, donated, branches, sharded, two)]
    with jax.profiler.trace(str(out)):
        for runs in made:
            jax.block_until_ready(runs())


def transformer(jax: Any) -> Callable[[], Any]:
    """A training step of a block with attention."""
    np = jax.numpy

    def block(weights: Any, x: Any) -> Any:
        q, k, v = (x @ weights[name] for name in ("q", "k", "v"))
        x = x + jax.nn.softmax(q @ k.swapaxes(-1, -2) / 8) @ v
        return x + jax.nn.gelu(x @ weights["up"]) @ weights["down"]

    def train_step(weights: Any, x: Any) -> Any:
        loss, slopes = jax.value_and_grad(lambda w: (block(w, x) ** 2).mean())(weights)
        return jax.tree.map(lambda weight, slope: weight - 0.1 * slope, weights, slopes), loss

    weights = {name: np.full((WIDTH, WIDTH), 0.01) for name in ("q", "k", "v")}
    weights |= {"up": np.full((WIDTH, 4 * WIDTH), 0.01), "down": np.full((4 * WIDTH, WIDTH), 0.01)}
    step, x = jax.jit(train_step), np.ones((BATCH, LENGTH, WIDTH))
    return lambda: step(weights, x)


def scan(jax: Any) -> Callable[[], Any]:
    np = jax.numpy

    def scanned(x: Any) -> Any:
        return jax.lax.scan(lambda carry, _: (np.tanh(carry @ carry), carry.sum()), x, None, length=7)

    program, x = jax.jit(scanned), np.ones((WIDTH, WIDTH))
    return lambda: program(x)


def loop(jax: Any) -> Callable[[], Any]:
    """A loop in a loop."""
    np = jax.numpy

    def inner(x: Any) -> Any:
        return jax.lax.while_loop(lambda one: one[1] < 3, lambda one: (np.sin(one[0]) @ one[0], one[1] + 1), (x, 0))[0]

    def looped(x: Any) -> Any:
        return jax.lax.while_loop(lambda one: one.sum() < 10.0, lambda one: inner(one) + 1.0, x)

    program, x = jax.jit(looped), np.ones((WIDTH, WIDTH))
    return lambda: program(x)


def donated(jax: Any) -> Callable[[], Any]:
    np = jax.numpy

    def given(state: Any, x: Any) -> Any:
        return state + np.cos(x @ x), (state * x).sum()

    program = jax.jit(given, donate_argnums=0)
    return lambda: program(np.ones((WIDTH, WIDTH)), np.ones((WIDTH, WIDTH)))


def branches(jax: Any) -> Callable[[], Any]:
    np = jax.numpy

    def branched(x: Any) -> Any:
        return jax.lax.cond(x.sum() > 0, lambda one: np.sort(one @ one, axis=0), lambda one: np.cumsum(one, axis=1), x)

    program, x = jax.jit(branched), np.ones((WIDTH, WIDTH))
    return lambda: program(x)


def sharded(jax: Any) -> Callable[[], Any]:
    """On all devices, with a sum over them."""
    np = jax.numpy
    mesh = jax.make_mesh((DEVICES,), ("d",))
    spec = jax.sharding.PartitionSpec("d")

    def spread(x: Any) -> Any:
        return jax.lax.psum(np.tanh(x @ x.T), "d") @ x

    program = jax.jit(jax.shard_map(spread, mesh=mesh, in_specs=spec, out_specs=spec))
    placed = jax.sharding.NamedSharding(mesh, spec)
    x = jax.device_put(np.ones((DEVICES * WIDTH, WIDTH)), placed)
    return lambda: program(x)


def two(jax: Any) -> Callable[[], Any]:
    """Two programs, and one that only fills."""
    np = jax.numpy

    def first(x: Any) -> Any:
        for _ in range(LAYERS):
            x = np.tanh(x @ x.T) @ x
        return x

    one, other = jax.jit(first), jax.jit(lambda x: np.fft.fft2(x).real)
    return lambda: (one(np.ones((WIDTH, WIDTH))), other(np.ones((WIDTH, WIDTH))))
