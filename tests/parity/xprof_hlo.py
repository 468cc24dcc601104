"""`PEER_PYTHON tests/parity/xprof_hlo.py FILE.xplane.pb …`: xprof's table and tree of XLA instructions, as JSON.

By file: the rows, each a value by xprof's own column id, and the tree as it is.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from xprof.convert import raw_to_tool_data


def asked(file: Path, tool: str) -> Any:
    """It writes beside what it reads."""
    given = {"tqx": "", "use_saved_result": False, "hosts": [file.name.removesuffix(".xplane.pb")]}
    with tempfile.TemporaryDirectory() as folder:
        text, _ = raw_to_tool_data.xspace_to_tool_data([shutil.copy(file, folder)], tool, given)
    return json.loads(text)


def rows(file: Path) -> list[dict[str, Any]]:
    table = asked(file, "hlo_stats")
    ids = [column["id"] for column in table["cols"]]
    return [dict(zip(ids, [(cell or {}).get("v") for cell in row["c"]], strict=True)) for row in table["rows"]]


def main() -> None:
    files = [Path(name) for name in sys.argv[1:]]
    json.dump({str(file): [rows(file), asked(file, "op_profile")] for file in files}, sys.stdout)


if __name__ == "__main__":
    main()
