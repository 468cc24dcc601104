"""A process of its own: takes `Work` from its standard input and writes `Done` to its standard output, until the end.

Each message is its length in 8 bytes, and a pickle that the other process of the same program made.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
from collections.abc import Callable
from typing import IO, Any

from ...logdir import CaptureFile
from ...timeline.timeline import Timeline
from ..choice import captured
from .work import done

#: What a worker says when it is ready.
READY = "ready"


def main() -> None:
    """Run until the input ends, which it does when the parent ends, however that is."""
    with contextlib.suppress(ValueError):
        # Ctrl-C is for the parent, which then ends its workers.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What libraries print must not come between the messages.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    send(sink, READY)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            send(sink, done(receive(source), read_here))


def read_here(file: CaptureFile, look: Callable[[Timeline], tuple[bytes, ...]]) -> tuple[bytes, ...]:
    """What a function finds in a file that is opened for it alone."""
    return look(Timeline(captured(file), file.label))


def send(stream: IO[bytes], message: Any) -> None:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    stream.write(len(data).to_bytes(8, "little") + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next message of a process that this one started, or was started by. Raises EOFError where there is none."""
    return pickle.loads(_exactly(stream, int.from_bytes(_exactly(stream, 8), "little")))


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


if __name__ == "__main__":
    main()
