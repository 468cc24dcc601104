"""`make demo-live`: a program that trains with a profiler server, and TensorBoard beside it, until Ctrl-C ends both.

`python -m tests.programs.demo_live PYTHON [LOGDIR [FLAGS OF TENSORBOARD]]`: PYTHON has TensorFlow; the Python that runs
this has TensorBoard and perfplugin.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.programs.two_workers import free_ports

LOGDIR = ".cache/live"
SAID = """
Training goes on; its profiler listens on {address}.

  Open {url}#perfplugin
  Press "Capture", write {address}, press "Capture" again; or run
  {command} capture {address} --logdir {logdir} --duration 2s

Ctrl-C ends both.
"""


@dataclass(frozen=True)
class Started:
    """A process, and the file that holds what it printed."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def printed(self, pattern: str) -> str:
        """The group of what it printed, once it is there. Raises SystemExit when the process ends instead."""
        while not (found := re.search(pattern, self.log.read_text(), re.MULTILINE)):
            self.check()
            time.sleep(0.1)
        return found[1]

    def check(self) -> None:
        if self.process.poll() is not None:
            raise SystemExit(f"{self.name} ended:\n{self.log.read_text()[-2000:]}")


def main(python: str, logdir: str = LOGDIR, *flags: str) -> None:
    """Ends when it is interrupted or terminated, or when one of the two ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    Path(logdir).mkdir(parents=True, exist_ok=True)
    [port] = free_ports(1)
    training = [python, "-m", "tests.programs.live", str(port), logdir]
    board = [sys.executable, "-m", "tensorboard.main", "--logdir", logdir, *flags]
    tell("Starting a training and TensorBoard …")
    with contextlib.suppress(KeyboardInterrupt), started("training", training) as trained, started("board", board) as b:
        trained.printed("^(ready)$")
        url = b.printed(r"TensorBoard \S+ at (http\S+)")
        command = shlex.quote(str(Path(sys.executable).with_name("perfplugin")))
        tell(SAID.format(address=f"localhost:{port}", url=url, command=command, logdir=shlex.quote(logdir)))
        while True:
            trained.check()
            b.check()
            time.sleep(0.5)


@contextlib.contextmanager
def started(name: str, command: list[str]) -> Iterator[Started]:
    """A process that ends with the block. Ctrl-C in a terminal reaches it through this one alone."""
    with tempfile.NamedTemporaryFile(prefix=f"{name}-", suffix=".log") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
        with process:
            try:
                yield Started(name, process, Path(log.name))
            finally:
                process.terminate()
                # Else an interrupted `with` waits for a quarter of a second only.
                process.wait()


def tell(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
