"""`PEER_PYTHON tests/parity/xprof_lines.py FILE.xplane.pb …`: lines that xprof derives in its trace, as a JSON object.

By file: a list of (device, line, begin ps, end ps, name). Imports nothing of ours; xprof's copies are made in a private
folder, since it writes beside the file it reads.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from xprof.convert import raw_to_tool_data

_LINES = ("Framework Name Scope", "Framework Ops", "XLA Modules", "XLA Ops", "Source code")
_PS = 1_000_000


def lines(file: Path) -> list[tuple[str, str, int, int, str]]:
    host = file.name.removesuffix(".xplane.pb")
    given = {"tqx": "", "use_saved_result": False, "hosts": [host], "host": host, "graph_viewer_options": {}}
    given["trace_viewer_options"] = {"resolution": "8000", "full_dma": False}
    with tempfile.TemporaryDirectory() as folder:
        data, _ = raw_to_tool_data.xspace_to_tool_data([shutil.copy(file, folder)], "trace_viewer@", given)
    events: list[dict[str, Any]] = json.loads(data)["traceEvents"]
    named: dict[str, dict[tuple[Any, Any], str]] = defaultdict(dict)
    for event in events:
        if event.get("ph") == "M":
            named[event["name"]][event["pid"], event.get("tid")] = event["args"].get("name", "")
    devices = {pid: name.rpartition(" ")[2] for (pid, _), name in named["process_name"].items()}
    found = []
    for event in events:
        line = named["thread_name"].get((event.get("pid"), event.get("tid")), "")
        line = next((one for one in _LINES if line == one or line.startswith(f"{one} - from")), "")
        if event.get("ph") == "X" and line:
            begin = round(event["ts"] * _PS)
            found.append((devices[event["pid"]], line, begin, begin + round(event["dur"] * _PS), event["name"]))
    return found


def main() -> None:
    json.dump({name: lines(Path(name)) for name in sys.argv[1:]}, sys.stdout)


if __name__ == "__main__":
    main()
