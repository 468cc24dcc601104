"""`PEER_PYTHON tests/parity/xprof_steps.py FILE.xplane.pb …`: the steps that xprof sees, as one JSON object by file.

marks: what it calls a step on a host's thread, [name, begin µs, duration µs] from its trace. fragments: the same on
its derived lines of devices. rows: its table of steps, [name, ms]. Imports nothing of ours; xprof's own copies are made
in a private folder, since it writes beside the file it reads.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from xprof.convert import raw_to_tool_data

#: The name of its derived line of steps.
DERIVED = "Steps"


def answer(file: Path, tool: str) -> Any:
    host = file.name.removesuffix(".xplane.pb")
    given = {"tqx": "", "use_saved_result": False, "hosts": [host], "host": host, "graph_viewer_options": {}}
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(file, folder)
        data, _ = raw_to_tool_data.xspace_to_tool_data([copy], tool, given)
    return None if data is None else json.loads(data)


def marked(file: Path) -> tuple[list[Any], list[Any]]:
    events = (answer(file, "trace_viewer") or {"traceEvents": []})["traceEvents"]
    lines = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e.get("name") == "thread_name"}
    named = [e for e in events if "step_name" in e.get("args", {})]
    named.sort(key=lambda e: e["ts"])
    derived = [lines[e["pid"], e["tid"]] == DERIVED for e in named]
    rows = [[e["args"]["step_name"], e["ts"], e["dur"]] for e in named]
    pairs = list(zip(rows, derived, strict=True))
    return [row for row, is_derived in pairs if not is_derived], [row for row, is_derived in pairs if is_derived]


def table(file: Path) -> list[Any]:
    for found in answer(file, "input_pipeline_analyzer") or []:
        ids = [column["id"] for column in found.get("cols", [])]
        if ids[:1] == ["stepnum"]:
            at = ids.index("stepTimeMs") if "stepTimeMs" in ids else None
            return [[row["c"][0]["v"], None if at is None else row["c"][at]["v"]] for row in found["rows"]]
    return []


def main() -> None:
    found = {}
    for name in sys.argv[1:]:
        marks, fragments = marked(Path(name))
        found[name] = {"marks": marks, "fragments": fragments, "rows": table(Path(name))}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
