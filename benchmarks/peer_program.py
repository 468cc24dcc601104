"""Run in the peer's environment: one of its tools on the largest XLA program of a capture; seconds and bytes as JSON.

    peer_program.py FILE.xplane.pb TOOL

Its page asks for the list of tools first, which writes each program into a file of its own; that is in the seconds.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

from xprof.convert import raw_to_tool_data

END = ".hlo_proto.pb"


def main() -> None:
    file, tool = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(file, folder)
        began = time.perf_counter()
        raw_to_tool_data.xspace_to_tool_names([copy])
        largest = max(Path(folder).glob(f"*{END}"), key=lambda each: each.stat().st_size)
        host = file.name.removesuffix(".xplane.pb")
        asked = {"tqx": "", "use_saved_result": False, "hosts": [host], "host": host, "graph_viewer_options": {}}
        asked |= {"module_name": largest.name.removesuffix(END), "memory_space": "0"}
        answer, _ = raw_to_tool_data.xspace_to_tool_data([copy], tool, asked)
        seconds = time.perf_counter() - began
    print(json.dumps({"cold_s": round(seconds, 3), "bytes": len(answer or "")}))


if __name__ == "__main__":
    main()
