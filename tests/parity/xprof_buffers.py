"""Run in the peer's environment: captures → its memory viewer's JSON, by program and memory space.

xprof_buffers.py FILE=PROGRAM@SPACE …
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from xprof.convert import raw_to_tool_data


def main() -> None:
    found = {}
    for asked in sys.argv[1:]:
        name, _, chosen = asked.partition("=")
        program, _, space = chosen.rpartition("@")
        # It writes beside what it reads.
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(name, folder)
            host = Path(name).name.removesuffix(".xplane.pb")
            raw_to_tool_data.xspace_to_tool_names([copy])
            params = {"tqx": "", "use_saved_result": False, "hosts": [host], "host": host, "graph_viewer_options": {}}
            params |= {"module_name": program, "memory_space": space}
            text, _ = raw_to_tool_data.xspace_to_tool_data([copy], "memory_viewer", params)
        found[asked] = json.loads(text) if text else None
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
