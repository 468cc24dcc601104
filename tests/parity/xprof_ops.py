"""`PEER_PYTHON tests/parity/xprof_ops.py FILE.xplane.pb …`: xprof's table of ops without idle time, as one JSON object.

By file: a list of rows, each a value by xprof's own column id. Imports nothing of ours; xprof's copies are made in a
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


def table(file: Path) -> list[dict[str, Any]]:
    host = file.name.removesuffix(".xplane.pb")
    given = {"tqx": "", "use_saved_result": False, "hosts": [host], "host": host, "graph_viewer_options": {}}
    with tempfile.TemporaryDirectory() as folder:
        data, _ = raw_to_tool_data.xspace_to_tool_data([shutil.copy(file, folder)], "framework_op_stats", given)
    if data is None:
        return []
    without_idle = json.loads(data)[1]
    ids = [column["id"] for column in without_idle["cols"]]
    return [{key: cell["v"] for key, cell in zip(ids, row["c"], strict=True)} for row in without_idle["rows"]]


def main() -> None:
    json.dump({name: table(Path(name)) for name in sys.argv[1:]}, sys.stdout)


if __name__ == "__main__":
    main()
