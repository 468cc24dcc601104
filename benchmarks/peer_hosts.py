"""Run in the peer's environment: the overview of one run of several hosts, once.

peer_hosts.py FILE.xplane.pb …
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from xprof.convert import raw_to_tool_data


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        # It writes beside the captures.
        copies = [shutil.copy(file, folder) for file in sys.argv[1:]]
        hosts = [Path(file).name.removesuffix(".xplane.pb") for file in copies]
        asked = {"tqx": "", "use_saved_result": False, "hosts": hosts, "host": hosts[0], "graph_viewer_options": {}}
        answer, _ = raw_to_tool_data.xspace_to_tool_data(copies, "overview_page", asked)
    print(len(answer or ""))


if __name__ == "__main__":
    main()
