"""`PEER_PYTHON tests/parity/xprof_kernels.py FILE.xplane.pb …`: xprof's rows of kernels, as one JSON object by file.

A row is [name, grid, block, occurrences, total µs, min µs, max µs]. Imports nothing of ours; xprof works on copies in a
private folder, since it writes beside the file it reads.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from xprof.convert import raw_to_tool_data

COLUMNS = (
    "kernel_name",
    "grid_dim",
    "block_dim",
    "occurrences",
    "total_duration_us",
    "min_duration_us",
    "max_duration_us",
)


def kernels(file: Path) -> list[list[Any]]:
    host = file.name.removesuffix(".xplane.pb")
    given = {"tqx": "", "use_saved_result": False, "hosts": [host], "host": host}
    with tempfile.TemporaryDirectory() as folder:
        data, _ = raw_to_tool_data.xspace_to_tool_data([shutil.copy(file, folder)], "kernel_stats", given)
    found = json.loads(data)
    table = found[0] if isinstance(found, list) else found
    at = [[column["id"] for column in table["cols"]].index(name) for name in COLUMNS]
    return [[row["c"][i]["v"] for i in at] for row in table["rows"]]


if __name__ == "__main__":
    json.dump({name: kernels(Path(name)) for name in sys.argv[1:]}, sys.stdout)
