"""Programs in JAX."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tests.truth.programs.declared import Kit, Step, program

_jax = partial(program, "jax")


def _product(jax: Any, size: int = 768, turns: int = 3) -> tuple[Any, Any]:
    """A compiled step of matrix products, and its state."""
    numpy = jax.numpy

    def train_step(weights: Any) -> Any:
        for _ in range(turns):
            weights = numpy.tanh(weights @ weights) * 0.1
        return weights

    return jax.jit(train_step), numpy.ones((size, size)) * 0.01


def _with(kit: Kit, extra: Any) -> Step:
    """A compiled step, with the extra computed in it."""
    jax = kit.lib
    numpy = jax.numpy

    def train_step(weights: Any) -> Any:
        for _ in range(3):
            weights = numpy.tanh(weights @ weights) * 0.1
        return weights + extra(weights) if kit.has() else weights

    compiled, state = jax.jit(train_step), [numpy.ones((768, 768)) * 0.01]

    def step(number: int) -> None:
        state[0] = jax.block_until_ready(compiled(state[0]))

    return step


@_jax(("sort",))
def sorted_in_the_step(kit: Kit) -> Step:
    numpy = kit.lib.numpy
    return _with(kit, lambda weights: numpy.sort(weights.ravel() * numpy.arange(768 * 768))[:1])


@_jax(("scatter",))
def scattered_in_the_step(kit: Kit) -> Step:
    numpy = kit.lib.numpy
    where = numpy.asarray(np.random.default_rng(0).integers(0, 5000, 12_000_000))

    def extra(weights: Any) -> Any:
        return numpy.zeros(5000).at[where].add(weights[0, 0])[:1]

    return _with(kit, extra)


@_jax(("while",))
def a_loop_of_256_turns(kit: Kit) -> Step:
    jax = kit.lib
    turn = lambda n, held: jax.numpy.sin(held) + 0.1  # noqa: E731
    return _with(kit, lambda weights: jax.lax.fori_loop(0, 256, turn, weights[:160, :160]).mean())


@_jax(("cholesky", "eigh", "lapack"))
def factorised_in_the_step(kit: Kit) -> Step:
    jax = kit.lib
    numpy = jax.numpy

    def extra(weights: Any) -> Any:
        return numpy.linalg.eigh(weights[:200, :200] + numpy.eye(200))[0][:1]

    return _with(kit, extra)


@_jax(("random", "rng", "threefry", "shift", "xor"))
def noise_in_the_step(kit: Kit) -> Step:
    jax = kit.lib
    return _with(kit, lambda weights: jax.random.normal(jax.random.PRNGKey(0), (3_000_000,)).mean())


@_jax(("f64", "double", "64-bit", "64 bit", "float64", "wide_precision"))
def products_in_doubles(kit: Kit) -> Step:
    jax = kit.lib
    if kit.has():
        jax.config.update("jax_enable_x64", True)
    dtype = jax.numpy.float64 if kit.has() else jax.numpy.float32
    compiled, state = (
        jax.jit(lambda weights: jax.numpy.tanh(weights @ weights) * 0.1),
        [jax.numpy.ones((1024, 1024), dtype) * 0.01],
    )

    def step(number: int) -> None:
        state[0] = jax.block_until_ready(compiled(state[0]))
        state[0] = jax.block_until_ready(compiled(state[0]))

    return step


@_jax(("look_up", "callback", "calls_back"))
def a_table_looked_up_in_python(kit: Kit) -> Step:
    jax = kit.lib
    table = {n: float(n) for n in range(1000)}

    def look_up(keys: Any) -> Any:
        return np.asarray([table[int(key)] for key in np.asarray(keys)], np.float32)

    def extra(weights: Any) -> Any:
        keys = jax.numpy.arange(60_000) % 1000
        return jax.pure_callback(look_up, jax.ShapeDtypeStruct((60_000,), np.float32), keys)[:1]

    return _with(kit, extra)


@_jax(("compiles_again", "compil"))
def a_new_length_each_step(kit: Kit) -> Step:
    jax = kit.lib
    compiled, state = _product(jax)
    pooled = jax.jit(lambda tokens: (jax.numpy.sin(tokens) @ tokens.T).mean())

    def step(number: int) -> None:
        state_now = compiled(state)
        length = 40 + number if kit.has() else 40
        jax.block_until_ready((state_now, pooled(np.ones((length + 3, 16), np.float32))))

    return step


@_jax(("eager_steps", "small_calls", "runtime_bound", "short_ops", "python_bound"))
def layers_that_are_not_compiled(kit: Kit) -> Step:
    jax = kit.lib
    compiled, state = _product(jax)

    def step(number: int) -> None:
        held = jax.numpy.ones((16, 16))
        for _ in range(300 if kit.has() else 0):
            held = jax.numpy.tanh(held @ held) + 0.1
        jax.block_until_ready((compiled(state), held))

    return step


@_jax(("spectrum", "between_steps", "python_bound"))
def a_spectrum_in_numpy(kit: Kit) -> Step:
    jax = kit.lib
    compiled, state = _product(jax)
    signal = np.random.default_rng(0).random((240, 8192))

    def spectrum() -> Any:
        return np.abs(np.fft.fft(signal))

    def step(number: int) -> None:
        if kit.has():
            spectrum()
        jax.block_until_ready(compiled(state))

    return step


@_jax(("read_examples", "input_bound", "python_bound"))
def a_generator_of_examples(kit: Kit) -> Step:
    jax = kit.lib
    compiled, state = _product(jax)
    line = " ".join(str(n / 3) for n in range(600))

    def read_examples() -> Any:
        while True:
            yield [[float(cell) for cell in line.split()] for _ in range(400 if kit.has() else 1)]

    examples = read_examples()

    def step(number: int) -> None:
        next(examples)
        jax.block_until_ready(compiled(state))

    return step


@_jax(("detokenize", "python_bound", "between_steps"))
def text_of_tokens_between_steps(kit: Kit) -> Step:
    jax = kit.lib
    compiled, state = _product(jax)
    words = [f"w{n}" for n in range(1000)]

    def detokenize(tokens: Any) -> str:
        return " ".join(words[int(token * 1000) % 1000] for token in np.asarray(tokens).ravel()[:150_000])

    def step(number: int) -> None:
        made = jax.block_until_ready(compiled(state))
        if kit.has():
            detokenize(made)

    return step


@_jax(("sort",), ("spectrum", "python_bound", "between_steps"))
def sorting_and_a_spectrum(kit: Kit) -> Step:
    jax = kit.lib
    numpy = jax.numpy
    step_with_sort = _with(kit, lambda weights: numpy.sort(weights.ravel() * numpy.arange(768 * 768))[:1])
    signal = np.random.default_rng(0).random((32, 8192))

    def spectrum() -> Any:
        return np.abs(np.fft.fft(signal))

    def step(number: int) -> None:
        step_with_sort(number)
        if kit.has(1):
            spectrum()

    return step


@_jax(("scatter",), ("look_up", "python_bound", "between_steps"))
def scattering_and_a_table(kit: Kit) -> Step:
    numpy = kit.lib.numpy
    where = numpy.asarray(np.random.default_rng(0).integers(0, 5000, 2_000_000))
    scattered = _with(kit, lambda weights: numpy.zeros(5000).at[where].add(weights[0, 0])[:1])
    table = {str(n): n for n in range(1000)}

    def look_up() -> int:
        return sum(table[str(n % 1000)] for n in range(90_000))

    def step(number: int) -> None:
        scattered(number)
        if kit.has(1):
            look_up()

    return step


@_jax(("while",), ("random", "rng", "threefry", "shift", "xor"))
def a_loop_and_noise(kit: Kit) -> Step:
    jax = kit.lib
    numpy = jax.numpy
    turn = lambda n, held: numpy.sin(held) + 0.1  # noqa: E731

    def train_step(weights: Any) -> Any:
        made = numpy.tanh(weights @ weights)
        if kit.has(0):
            made = made + jax.lax.fori_loop(0, 256, turn, weights[:160, :160]).mean()
        if kit.has(1):
            made = made + jax.random.normal(jax.random.PRNGKey(0), (1_500_000,)).mean()
        return made

    compiled, weights = jax.jit(train_step), numpy.ones((768, 768)) * 0.01
    return lambda number: jax.block_until_ready(compiled(weights))


@_jax(("load_shard", "input_bound", "python_bound"), processors=4)
def four_devices_fed_by_one_thread(kit: Kit) -> Step:
    jax = kit.lib
    devices = jax.devices()
    compiled = jax.jit(lambda weights: jax.numpy.tanh(weights @ weights))

    def load_shard(number: int) -> Any:
        rows = [float(n % 97) for n in range(250_000)] if kit.has() else [0.0]
        return np.full((512, 512), rows[-1] * 1e-3, np.float32)

    def step(number: int) -> None:
        made = [compiled(jax.device_put(load_shard(number), device)) for device in devices]
        jax.block_until_ready(made)

    return step


@_jax(processors=4)
def four_devices_that_sum(kit: Kit) -> Step:
    return _over_devices(kit, lambda weights, axis: kit.lib.lax.psum(weights, axis))


@_jax(("sort",), processors=4)
def four_devices_that_sort(kit: Kit) -> Step:
    numpy = kit.lib.numpy

    def body(weights: Any, axis: str) -> Any:
        extra = numpy.sort(numpy.arange(300_000) * weights[0, 0])[0] if kit.has() else 0.0
        return kit.lib.lax.psum(weights, axis) + extra

    return _over_devices(kit, body)


def _over_devices(kit: Kit, exchange: Any) -> Step:
    jax = kit.lib
    numpy = jax.numpy

    def train_step(weights: Any) -> Any:
        return exchange(numpy.tanh(weights @ weights), "data") * 1e-3

    compiled = jax.pmap(train_step, axis_name="data")
    state = [numpy.ones((len(jax.devices()), 512, 512)) * 0.01]

    def step(number: int) -> None:
        state[0] = jax.block_until_ready(compiled(state[0]))

    return step


@_jax()
def matrix_products(kit: Kit) -> Step:
    compiled, state = _product(kit.lib, 1024)
    return lambda number: kit.lib.block_until_ready(compiled(state))


@_jax()
def a_batch_of_convolutions(kit: Kit) -> Step:
    jax = kit.lib
    kernel, images = jax.numpy.ones((24, 24, 5, 5)), jax.numpy.ones((8, 24, 48, 48))
    convolve = jax.jit(lambda k, x: jax.lax.conv(x, k, (1, 1), "SAME").mean())
    compiled = jax.jit(jax.grad(convolve))
    return lambda number: jax.block_until_ready(compiled(kernel, images))


@_jax()
def a_recurrence_of_products(kit: Kit) -> Step:
    jax = kit.lib
    numpy = jax.numpy
    weights, tokens = numpy.ones((384, 384)) * 0.01, numpy.ones((40, 64, 384))

    def cell(hidden: Any, given: Any) -> Any:
        made = numpy.tanh(given @ weights + hidden @ weights)
        return made, made.mean()

    compiled = jax.jit(lambda hidden: jax.lax.scan(cell, hidden, tokens)[0])
    return lambda number: jax.block_until_ready(compiled(numpy.ones((64, 384))))


@_jax(marked=False)
def three_partials_of_one_step(kit: Kit) -> Step:
    """Three compiled functions without a name of their own, of the same ops."""
    jax = kit.lib
    scaled = lambda scale, weights: jax.numpy.tanh(weights @ weights) * scale  # noqa: E731
    parts = [jax.jit(partial(scaled, scale)) for scale in (0.1, 0.2, 0.3)]
    weights = jax.numpy.ones((700, 700)) * 0.01

    def step(number: int) -> None:
        made = weights
        for part in parts:
            made = part(made)
        jax.block_until_ready(made)

    return step
