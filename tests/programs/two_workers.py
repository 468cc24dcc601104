"""Two training processes, captured together over gRPC → `OUT/plugins/profile/…` and `OUT/stopwatch.<port>.json`.

Captures begin and end in the middle of a step; a stopwatch holds more steps than its capture.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.programs import tf_loop
from tests.programs._stopwatch import Stopwatch
from tests.programs._tensorflow import images, tensorflow

CAUSES = ("none", "straggler")
DURATION_MS, PATIENCE_S = 1000, 120
STRAGGLER_SECONDS = 0.02


def main(out: Path, cause: str = "none") -> None:
    """straggler: the second worker is slower in each step."""
    out.mkdir(parents=True, exist_ok=True)
    ports = free_ports(2)
    stop = out / "stop"
    stop.unlink(missing_ok=True)
    command = [sys.executable, "-m", "tests.programs.two_workers", str(out)]
    sleeps = (0.0, STRAGGLER_SECONDS if cause == "straggler" else 0.0)
    workers = [
        subprocess.Popen([*command, str(port), str(n), str(sleeps[n])], stdin=subprocess.DEVNULL)
        for n, port in enumerate(ports)
    ]
    try:
        for n in range(2):
            wait_for(out / f"ready.{n}")
        addresses = ",".join(f"grpc://localhost:{port}" for port in ports)
        tensorflow().profiler.experimental.client.trace(addresses, str(out), DURATION_MS)
    finally:
        stop.touch()
        for worker in workers:
            worker.wait(PATIENCE_S)
    for path in (stop, out / "ready.0", out / "ready.1"):
        path.unlink(missing_ok=True)


def work(out: Path, port: int, number: int, sleep_seconds: float) -> None:
    """Train until the file `stop` is there."""
    tf = tensorflow()
    tf.profiler.experimental.server.start(port)
    step = tf_loop.dense(tf)
    watch = Stopwatch()
    end_s = time.monotonic() + PATIENCE_S
    for n, batch in enumerate(images(tf, 1_000_000, tf_loop.BATCH)):
        watch.begin(n)
        with tf_loop.mark(tf, n):
            step(*batch).numpy()
            time.sleep(sleep_seconds)
        watch.end(n)
        if n == tf_loop.WARM:
            (out / f"ready.{number}").touch()
        if (out / "stop").exists() or time.monotonic() > end_s:
            break
    watch.write(out, f"stopwatch.{port}.json", program="two_workers", port=port, tensorflow=tf.__version__)


def free_ports(count: int) -> list[int]:
    listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [listener.getsockname()[1] for listener in listeners]
    for listener in listeners:
        listener.close()
    return ports


def wait_for(path: Path) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not path.exists():
        if time.monotonic() > end_s:
            raise TimeoutError(f"no {path.name} within {PATIENCE_S} s")
        time.sleep(0.05)


if __name__ == "__main__":
    work(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
