"""`python -m tests.samples.make_jax_memory OUT`: what a JAX program holds in its device's memory, by call stack.

Gives `OUT/plugins/profile/<session>/memory.prof`, with source files named without the machine's folders. Needs JAX.
"""

from __future__ import annotations

import gzip
import importlib
import os
import sys
from pathlib import Path
from typing import Any

from tests.build_capture import chunk, varint

WIDTH, BATCHES = 512, 6
#: Older than the other samples, so that it is not what opens first.
SESSION = "2026_11_20_08_00_00"
#: Field of pprof's Profile message.
STRING_TABLE = 6


def main(out: Path) -> None:
    os.environ.update(JAX_PLATFORMS="cpu")
    jax = importlib.import_module("jax")
    model = make_weights(jax)
    images = [load_batch(jax, number) for number in range(BATCHES)]
    activations = [jax.block_until_ready(forward(jax, model, batch)) for batch in images]
    session = out / "plugins" / "profile" / SESSION
    session.mkdir(parents=True, exist_ok=True)
    profile = gzip.decompress(jax.profiler.device_memory_profile())
    (session / "memory.prof").write_bytes(gzip.compress(base_names(profile), mtime=0))
    print(f"{len(model)} weights, {len(images)} batches, {len(activations)} activations are held")


def make_weights(jax: Any) -> list[Any]:
    keys = jax.random.split(jax.random.key(0), 3)
    return [
        jax.random.normal(key, shape)
        for key, shape in zip(keys, [(784, WIDTH), (WIDTH, WIDTH), (WIDTH, 10)], strict=True)
    ]


def load_batch(jax: Any, number: int) -> Any:
    return jax.random.normal(jax.random.key(number), (256, 784))


def forward(jax: Any, model: list[Any], batch: Any) -> Any:
    """The hidden layers' activations, kept by mistake."""
    hidden = batch
    for weight in model[:-1]:
        hidden = jax.nn.relu(hidden @ weight)
    return hidden


def base_names(profile: bytes) -> bytes:
    """The message with the files in its string table cut: of installed ones to the package, of own ones to the name."""
    out = []
    for field, wire, payload in fields(profile):
        if wire == 0:
            out.append(varint(field << 3) + payload)
        elif field == STRING_TABLE:
            _, installed, name = payload.rpartition(b"site-packages/")
            out.append(chunk(field, installed + name if installed else payload.rpartition(b"/")[2]))
        else:
            out.append(chunk(field, payload))
    return b"".join(out)


def fields(message: bytes) -> list[tuple[int, int, bytes]]:
    """Number, wire type and payload of each field; that of a number is its varint."""
    found, at = [], 0
    while at < len(message):
        key, at = read_varint(message, at)
        begin = at
        value, at = read_varint(message, at)
        if key & 7 == 2:
            begin, at = at, at + value
        found.append((key >> 3, key & 7, message[begin:at]))
    return found


def read_varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (message[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if message[at - 1] < 0x80:
            return value, at


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
