"""Run where JAX is: `python benchmarks/record_program.py FOLDER` profiles one step of a small transformer on the CPU.

Its program is some thousand instructions, as XLA compiled them, with its buffer assignment.
"""

from __future__ import annotations

import sys
from typing import Any

import jax
import jax.numpy as jnp

LAYERS, WIDTH, LENGTH, HEADS = 24, 64, 32, 4


def layer(weights: dict[str, Any], x: jax.Array) -> jax.Array:
    q, k, v = (x @ weights[name] for name in ("q", "k", "v"))
    parts = [part.reshape(LENGTH, HEADS, -1).swapaxes(0, 1) for part in (q, k, v)]
    scores = jax.nn.softmax(parts[0] @ parts[1].swapaxes(1, 2) / WIDTH**0.5)
    x = x + (scores @ parts[2]).swapaxes(0, 1).reshape(LENGTH, WIDTH) @ weights["out"]
    x = (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + 1e-5)
    return x + jax.nn.gelu(x @ weights["up"]) @ weights["down"]


def loss(weights: list[dict[str, Any]], x: jax.Array) -> jax.Array:
    for one in weights:
        x = layer(one, x)
    return (x**2).mean()


def train_step(weights: list[dict[str, Any]], x: jax.Array) -> Any:
    gradients = jax.grad(loss)(weights, x)
    return jax.tree.map(lambda w, g: w - 0.01 * g, weights, gradients)


def main() -> None:
    shapes = dict.fromkeys(("q", "k", "v", "out"), (WIDTH, WIDTH)) | {
        "up": (WIDTH, 4 * WIDTH),
        "down": (4 * WIDTH, WIDTH),
    }
    weights = [{name: jnp.full(shape, 0.01) for name, shape in shapes.items()} for _ in range(LAYERS)]
    x, step = jnp.ones((LENGTH, WIDTH)), jax.jit(train_step)
    weights = jax.block_until_ready(step(weights, x))
    with jax.profiler.trace(sys.argv[1]):
        jax.block_until_ready(step(weights, x))


if __name__ == "__main__":
    main()
