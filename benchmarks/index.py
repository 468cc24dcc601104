"""Decodes one file in this process and looks at its trace until the index is whole; prints its size and the columns'.

`python -m benchmarks.index FILE`. The index is what the trace keeps besides the capture's columns: nesting, lanes,
and levels of all resolutions that fit.
"""

from __future__ import annotations

import json
import sys
import time

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import find_tool


def main(path: str) -> None:
    tool = find_tool("trace_viewer")
    timeline = Timeline(decode.read(path), "host")
    began = time.perf_counter()
    tool.per_host(timeline, tool.parse({}))
    first_s = time.perf_counter() - began
    if tool.ahead:
        tool.ahead(timeline)
    whole_s = time.perf_counter() - began
    for width in (1, 10, 100, 1000, 8192) * 2:
        tool.per_host(timeline, tool.parse({"width": str(width)}))
    print(
        json.dumps(
            {
                "index": timeline.derived_bytes,
                "columns": timeline.capture.nbytes,
                "first_s": first_s,
                "whole_s": whole_s,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
