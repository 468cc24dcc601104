"""Decodes one file in this process, prints seconds, events and decoder as JSON: `python -m benchmarks.decode FILE`."""

from __future__ import annotations

import json
import sys
import time

from tensorboard_perfplugin import decode


def main(path: str) -> None:
    began = time.perf_counter()
    capture = decode.read(path)
    seconds = time.perf_counter() - began
    print(json.dumps({"seconds": seconds, "events": len(capture.events), "decoder": capture.decoder}))


if __name__ == "__main__":
    main(sys.argv[1])
