"""TensorFlow 1: a session.run with FULL_TRACE on two CPU devices, whose dequeue waits for a thread that is late.

Writes `run_metadata.pb`, the same into an event file, and `timeline.json` as TensorFlow makes it of that.
"""

from __future__ import annotations

import importlib
import threading
import time
from pathlib import Path
from typing import Any

from tests.programs._tensorflow import tensorflow

CAUSES = ("none", "late")
#: What the other thread waits before it puts a batch in.
LATE_SECONDS = 0.1
SIDE = 64


def main(out: Path, cause: str) -> None:
    tf1 = tensorflow().compat.v1
    with tf1.Graph().as_default():
        _run(tf1, out, LATE_SECONDS if cause == "late" else 0.0)


def _run(tf1: Any, out: Path, late: float) -> None:
    queue = tf1.FIFOQueue(8, [tf1.float32], shapes=[[SIDE, SIDE]])
    enqueue = queue.enqueue(tf1.random.normal([SIDE, SIDE]))
    train = _model(tf1, queue)
    # One thread an op: what ops do in pieces on others is not recorded.
    config = tf1.ConfigProto(device_count={"CPU": 2}, intra_op_parallelism_threads=1)
    with tf1.Session(config=config) as session:
        session.run(tf1.global_variables_initializer())
        for _ in range(2):
            session.run(enqueue)
            session.run(train)
        metadata = _traced(tf1, session, train, enqueue, late)
    out.mkdir(parents=True, exist_ok=True)
    (out / "run_metadata.pb").write_bytes(metadata.SerializeToString())
    with tf1.summary.FileWriter(str(out / "events")) as writer:
        writer.add_run_metadata(metadata, "train")
    timeline = importlib.import_module("tensorflow.python.client.timeline").Timeline(metadata.step_stats)
    (out / "timeline.json").write_text(timeline.generate_chrome_trace_format(show_dataflow=True, show_memory=True))


def _model(tf1: Any, queue: Any) -> Any:
    with tf1.device("/cpu:0"):
        batch = queue.dequeue(name="input/dequeue")
        hidden = tf1.matmul(batch, tf1.get_variable("weights", [SIDE, SIDE]), name="hidden")
    with tf1.device("/cpu:1"):
        loss = tf1.reduce_sum(tf1.nn.relu(tf1.matmul(hidden, hidden, name="squared"), name="act"), name="loss")
    return [loss, tf1.train.GradientDescentOptimizer(0.001).minimize(loss)]


def _traced(tf1: Any, session: Any, train: Any, enqueue: Any, late: float) -> Any:
    def later() -> None:
        time.sleep(late)
        session.run(enqueue)

    metadata = tf1.RunMetadata()
    options = tf1.RunOptions(trace_level=tf1.RunOptions.FULL_TRACE, output_partition_graphs=True)
    other = threading.Thread(target=later)
    other.start()
    session.run(train, options=options, run_metadata=metadata)
    other.join()
    return metadata
