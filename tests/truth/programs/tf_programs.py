"""Programs in TensorFlow."""

# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from tests.truth.programs.declared import Kit, Step, program

_tf = partial(program, "tensorflow")


def _trained(tf: Any, size: int = 768, layers: int = 3, dtype: Any = None) -> Callable[..., Any]:
    """A step that updates a perceptron."""
    dtype = dtype or tf.float32
    weights = [tf.Variable(tf.ones((size, size), dtype) * 0.01) for _ in range(layers)]
    batch = tf.ones((64, size), dtype)

    def train_step() -> Any:
        with tf.GradientTape() as tape:
            made = batch
            for weight in weights:
                made = tf.nn.tanh(made @ weight)
            loss = tf.reduce_mean(made)
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(slope * tf.constant(0.01, dtype))
        return loss

    return train_step


def _with(kit: Kit, extra: Callable[[], Any]) -> Step:
    tf = kit.lib
    train = _trained(tf)

    @tf.function
    def train_step() -> Any:
        loss = train()
        return loss + tf.cast(extra(), tf.float32) if kit.has() else loss

    return lambda number: train_step().numpy()


@_tf(("RegexReplace", "StringSplit", "regex"))
def text_cleaned_in_the_step(kit: Kit) -> Step:
    tf = kit.lib
    lines = tf.constant([f"line {n} of some text, with 100 % of signs" * 4 for n in range(3000)])
    return _with(kit, lambda: tf.strings.length(tf.strings.regex_replace(lines, r"\W+", " "))[0])


@_tf(("Svd", "svd"))
def singular_values(kit: Kit) -> Step:
    tf = kit.lib
    matrix = tf.random.normal((220, 220))
    return _with(kit, lambda: tf.linalg.svd(matrix, compute_uv=False)[0])


@_tf(("Unique", "unique"))
def distinct_ids(kit: Kit) -> Step:
    tf = kit.lib
    ids = tf.random.uniform((1_500_000,), 0, 1 << 30, tf.int64)
    return _with(kit, lambda: tf.size(tf.unique(ids)[0]))


@_tf(("SegmentSum", "segment", "Scatter"))
def sums_of_segments(kit: Kit) -> Step:
    tf = kit.lib
    ids = tf.random.uniform((200_000,), 0, 5000, tf.int32)
    rows = tf.random.normal((200_000, 32))
    return _with(kit, lambda: tf.math.unsorted_segment_sum(rows, ids, 5000)[0, 0])


@_tf(("while", "While"))
def a_loop_of_128_turns(kit: Kit) -> Step:
    tf = kit.lib

    def extra() -> Any:
        held = tf.ones((200, 200))
        for _ in tf.range(128):
            held = tf.sin(held) + 0.1
        return held[0, 0]

    return _with(kit, extra)


@_tf(("augment", "PyFunc", "calls_back"))
def augmented_in_python(kit: Kit) -> Step:
    tf = kit.lib

    def augment() -> Any:
        return np.float32(sum(float(n % 97) for n in range(500_000)))

    return _with(kit, lambda: tf.py_function(augment, [], tf.float32))


@_tf(("DecodeJpeg", "DecodeImage", "decode", "input_bound"))
def pictures_decoded(kit: Kit) -> Step:
    tf = kit.lib
    picture = tf.io.encode_jpeg(tf.cast(tf.random.uniform((700, 700, 3), 0, 255, tf.int32), tf.uint8))
    pictures = tf.data.Dataset.from_tensors(picture).repeat()
    if kit.has():
        pictures = pictures.map(lambda each: tf.io.decode_jpeg(each)[:8, :8]).batch(8)
    return _fed(tf, pictures)


@_tf(("GroupBy", "group", "input_bound", "padded"))
def sentences_in_buckets(kit: Kit) -> Step:
    tf = kit.lib
    words = tf.constant([f"word{n}" for n in range(300)])
    rows = tf.data.Dataset.range(1_000_000)
    if kit.has():
        split = lambda n: tf.strings.split(tf.strings.reduce_join(words, separator=" "))  # noqa: E731
        rows = rows.map(split).padded_batch(600)
    return _fed(tf, rows)


def _fed(tf: Any, rows: Any) -> Step:
    train, given = tf.function(_trained(tf)), iter(rows)

    def step(number: int) -> None:
        next(given)
        train().numpy()

    return step


@_tf(("postprocess", "python_bound", "between_steps"))
def results_in_python(kit: Kit) -> Step:
    tf = kit.lib
    train = tf.function(_trained(tf))

    def postprocess(loss: float) -> list[float]:
        return sorted((n * 7919) % 100_003 * loss for n in range(250_000))

    def step(number: int) -> None:
        loss = float(train().numpy())
        if kit.has():
            postprocess(loss)

    return step


@_tf(("eager_steps", "small_calls", "short_ops", "runtime_bound", "python_bound"))
def layers_without_a_function(kit: Kit) -> Step:
    tf = kit.lib
    train = tf.function(_trained(tf))

    def step(number: int) -> None:
        held = tf.ones((8, 8))
        for _ in range(400 if kit.has() else 0):
            held = tf.tanh(held @ held) + 0.1
        train().numpy()

    return step


@_tf(("compiles_again", "retrac", "trace"))
def a_number_in_the_signature(kit: Kit) -> Step:
    tf = kit.lib
    train = _trained(tf, layers=4)

    @tf.function
    def train_step(scale: int) -> Any:
        return train() * scale

    return lambda number: train_step(number if kit.has() else 1).numpy()


@_tf(("double", "64-bit", "64 bit", "float64", "wide_precision"))
def variables_in_doubles(kit: Kit) -> Step:
    tf = kit.lib
    train = tf.function(_trained(tf, 1024, 4, tf.float64 if kit.has() else tf.float32))
    return lambda number: train().numpy()


@_tf(("Svd", "svd"), ("postprocess", "python_bound", "between_steps"))
def singular_values_and_python(kit: Kit) -> Step:
    tf = kit.lib
    matrix, with_svd = tf.random.normal((220, 220)), Kit(kit.lib, kit.costs & {0})
    train = _with(with_svd, lambda: tf.linalg.svd(matrix, compute_uv=False)[0])

    def postprocess() -> list[int]:
        return sorted((n * 7919) % 100_003 for n in range(130_000))

    def step(number: int) -> None:
        train(number)
        if kit.has(1):
            postprocess()

    return step


@_tf(("Unique", "unique"), ("augment", "PyFunc", "calls_back"))
def distinct_ids_and_python(kit: Kit) -> Step:
    tf = kit.lib
    train, ids = _trained(tf), tf.random.uniform((1_500_000,), 0, 1 << 30, tf.int64)

    def augment() -> Any:
        return np.float32(sum(float(n % 97) for n in range(250_000)))

    @tf.function
    def train_step() -> Any:
        loss = train()
        if kit.has(0):
            loss += tf.cast(tf.size(tf.unique(ids)[0]), tf.float32)
        if kit.has(1):
            loss += tf.py_function(augment, [], tf.float32)
        return loss

    return lambda number: train_step().numpy()


@_tf(("DecodeJpeg", "decode", "input_bound"), ("while", "While"))
def pictures_and_a_loop(kit: Kit) -> Step:
    tf = kit.lib
    fed = pictures_decoded(Kit(kit.lib, kit.costs & {0}))

    @tf.function
    def held_for_128_turns() -> Any:
        held = tf.ones((150, 150))
        for _ in tf.range(128):
            held = tf.sin(held) + 0.1
        return held[0, 0]

    def step(number: int) -> None:
        fed(number)
        if kit.has(1):
            held_for_128_turns().numpy()

    return step


@_tf(("postprocess", "python_bound", "between_steps"), ("eager_steps", "small_calls", "short_ops", "runtime_bound"))
def python_and_layers_without_a_function(kit: Kit) -> Step:
    tf = kit.lib
    train = tf.function(_trained(tf))

    def postprocess() -> list[int]:
        return sorted((n * 7919) % 100_003 for n in range(200_000))

    def step(number: int) -> None:
        train().numpy()
        if kit.has(0):
            postprocess()
        held = tf.ones((8, 8))
        for _ in range(120 if kit.has(1) else 0):
            held = tf.tanh(held @ held) + 0.1

    return step


@_tf(processors=2)
def two_replicas(kit: Kit) -> Step:
    return _over_replicas(kit, 0)


@_tf(("Svd", "svd"), processors=2)
def two_replicas_that_factorise(kit: Kit) -> Step:
    return _over_replicas(kit, 160 if kit.has() else 0)


@_tf(("load_rows", "python_bound", "input_bound", "between_steps"), processors=2)
def two_replicas_fed_by_python(kit: Kit) -> Step:
    train = _over_replicas(kit, 0)

    def load_rows() -> list[float]:
        return sorted((n * 7919) % 100_003 * 0.5 for n in range(250_000))

    def step(number: int) -> None:
        if kit.has():
            load_rows()
        train(number)

    return step


def _over_replicas(kit: Kit, side: int) -> Step:
    """side: of a matrix whose singular values each replica computes; 0 for none."""
    tf = kit.lib
    strategy = tf.distribute.MirroredStrategy([f"CPU:{n}" for n in range(2)])
    with strategy.scope():
        weight = tf.Variable(tf.ones((640, 640)) * 0.01)

    def replica() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.matmul(tf.nn.tanh(tf.matmul(tf.ones((96, 640)), weight)), weight))
        slope = tape.gradient(loss, weight)
        if side:
            loss += tf.linalg.svd(tf.random.normal((side, side)), compute_uv=False)[0] * 1e-6
        total = tf.distribute.get_replica_context().all_reduce("sum", slope)
        return loss + tf.reduce_mean(total)

    @tf.function
    def train_step() -> Any:
        return strategy.reduce("sum", strategy.run(replica), axis=None)

    return lambda number: train_step().numpy()


@_tf()
def a_perceptron(kit: Kit) -> Step:
    train = kit.lib.function(_trained(kit.lib, 1024, 4))
    return lambda number: train().numpy()


@_tf()
def pictures_convolved(kit: Kit) -> Step:
    tf = kit.lib
    kernel, images = tf.Variable(tf.ones((5, 5, 24, 24)) * 0.01), tf.ones((8, 48, 48, 24))

    @tf.function
    def train_step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.conv2d(tf.nn.conv2d(images, kernel, 1, "SAME"), kernel, 1, "SAME"))
        kernel.assign_sub(0.01 * tape.gradient(loss, kernel))
        return loss

    return lambda number: train_step().numpy()


@_tf()
def attention_over_sentences(kit: Kit) -> Step:
    tf = kit.lib
    tokens, weight = tf.ones((16, 128, 256)), tf.Variable(tf.ones((256, 256)) * 0.01)

    @tf.function
    def train_step() -> Any:
        with tf.GradientTape() as tape:
            queries = tokens @ weight
            scores = tf.nn.softmax(tf.matmul(queries, queries, transpose_b=True))
            loss = tf.reduce_mean(tf.matmul(scores, queries) @ weight)
        weight.assign_sub(0.01 * tape.gradient(loss, weight))
        return loss

    return lambda number: train_step().numpy()


@_tf(marked=False)
def two_functions_a_step(kit: Kit) -> Step:
    """The first is called twice."""
    tf = kit.lib
    first, second = tf.function(_trained(tf, 900)), tf.function(_trained(tf, 640))

    def step(number: int) -> None:
        first().numpy()
        first().numpy()
        second().numpy()

    return step
