"""Run in the peer's environment: captures → its roofline, rows by its own column ids, as JSON."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from xprof.convert import raw_to_tool_data


def main() -> None:
    found = {}
    for name in sys.argv[1:]:
        # It writes beside what it reads.
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copy(name, folder)
            asked = {"tqx": "", "use_saved_result": False, "hosts": [Path(name).name.removesuffix(".xplane.pb")]}
            text, _ = raw_to_tool_data.xspace_to_tool_data([copy], "roofline_model", asked)
        table, _ = json.loads(text)
        ids = [column["id"] for column in table["cols"]]
        found[name] = [
            dict(zip(ids, [(cell or {}).get("v") for cell in row["c"]], strict=True)) for row in table["rows"]
        ]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
