"""`python -m benchmarks.at_once SIZE`: a profiler's server that gives so many bytes as soon as the time is over.

Prints its port, then works until it is ended.
"""

from __future__ import annotations

import sys
import threading

from tests.build_capture import chunk
from tests.capture.fake_server import SMALL, FakeProfiler, serving
from tests.samples._neutral import fields

from .relay import say


def main(size: str) -> None:
    [plane, *_] = [payload for number, payload in fields(SMALL) if number == 1]
    # Messages one after the other are one message, with all their lines.
    with serving(FakeProfiler(chunk(1, plane * (int(size) // len(plane))))) as address:
        say(str(address.port))
        threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1])
