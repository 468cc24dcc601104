"""`PEER_PYTHON tests/parity/xprof_ops.py FILE[,FILE] …`: xprof's table of ops without idle time, as one JSON object.

Files joined by commas are the hosts of one run. By argument: a list of rows, each a value by xprof's own column id.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from xprof.convert import raw_to_tool_data


def table(files: list[Path]) -> list[dict[str, Any]]:
    hosts = [f"{i}-{file.name.removesuffix('.xplane.pb')}" for i, file in enumerate(files)]
    given = {"tqx": "", "use_saved_result": False, "hosts": hosts, "host": hosts[0], "graph_viewer_options": {}}
    with tempfile.TemporaryDirectory() as folder:
        copies = [
            shutil.copy(file, Path(folder) / f"{host}.xplane.pb") for file, host in zip(files, hosts, strict=True)
        ]
        data, _ = raw_to_tool_data.xspace_to_tool_data([str(copy) for copy in copies], "framework_op_stats", given)
    if data is None:
        return []
    without_idle = json.loads(data)[1]
    ids = [column["id"] for column in without_idle["cols"]]
    return [{key: cell["v"] for key, cell in zip(ids, row["c"], strict=True)} for row in without_idle["rows"]]


def main() -> None:
    json.dump({given: table([Path(name) for name in given.split(",")]) for given in sys.argv[1:]}, sys.stdout)


if __name__ == "__main__":
    main()
