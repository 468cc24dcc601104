"""A Keras 3 `fit` of large tensors, with or without a leak → `OUT/train/plugins/profile/…` and `OUT/leak.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.programs._tensorflow import tensorflow

#: The batches that are profiled, counted from 1.
FIRST, LAST = 5, 16
BATCH, SIDE = 512, 1024
CAUSES = ("none", "leak")
#: The op whose result the leak keeps: its name in the graph, and how large it is.
KEPT_OP, KEPT_BYTES = "kept_scores", 4 * BATCH * SIDE


def main(out: Path, cause: str = "none", marked: bool = True) -> None:
    """The leak: after each batch the result of an op is appended to a list that lives as long as the program."""
    tf = tensorflow()
    tf.keras.utils.set_random_seed(1)
    images = tf.random.uniform((BATCH, SIDE))
    weights = tf.random.uniform((SIDE, SIDE))
    given = tf.data.Dataset.from_tensors((images, tf.zeros((BATCH,), tf.int64))).repeat(LAST + 2)
    kept: list[Any] = []

    @tf.function  # type: ignore[untyped-decorator, unused-ignore]
    def scores(rows: Any) -> Any:
        return tf.matmul(rows, weights, name=KEPT_OP)

    def after(batch: int, logs: Any = None) -> None:
        result = scores(images)
        if cause == "leak":
            kept.append(result)

    layers = tf.keras.layers
    dense = [layers.Dense(SIDE, activation="relu"), layers.Dense(SIDE, activation="relu")]
    net = tf.keras.Sequential([layers.Input((SIDE,)), *dense, layers.Dense(10)])
    net.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    board = tf.keras.callbacks.TensorBoard(str(out), write_graph=False, profile_batch=(FIRST, LAST))
    slow = tf.keras.callbacks.LambdaCallback(on_train_batch_end=after)
    net.fit(given, epochs=1, shuffle=False, verbose=0, callbacks=[slow, board])
    out.mkdir(parents=True, exist_ok=True)
    (out / "leak.json").write_text(json.dumps({"op": KEPT_OP, "step_bytes": KEPT_BYTES, "kept": len(kept)}))
