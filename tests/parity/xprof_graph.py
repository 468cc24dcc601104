"""Captures → the text of their XLA programs and each instruction's neighbours, as the peer's graph viewer has them.

    PEER_PYTHON xprof_graph.py FILE.xplane.pb [MORE …]

Prints {file: {program: [text, {instruction: [operands, users]}]}}. It writes into the folder of a capture, so it gets a
copy. Runs in the peer's environment, without this project.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

INSTRUCTION = re.compile(r"^\s+(?:ROOT )?%(\S+) = ", re.MULTILINE)


def main(files: list[str]) -> None:
    sys.stdout.write(json.dumps({file: programs(Path(file)) for file in files}))


def programs(file: Path) -> dict[str, Any]:
    from xprof.convert import raw_to_tool_data

    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(file, folder)
        raw_to_tool_data.xspace_to_tool_names([copy])
        modules = [path.name.removesuffix(".hlo_proto.pb") for path in Path(folder).glob("*.hlo_proto.pb")]

        def asked(module: str, kind: str, node: str = "") -> str:
            options = {"type": kind, "module_name": module, "node_name": node}
            params = {
                "tqx": "",
                "use_saved_result": False,
                "hosts": ["h"],
                "host": "h",
                "graph_viewer_options": options,
            }
            out, _ = raw_to_tool_data.xspace_to_tool_data([copy], "graph_viewer", params)
            return out.decode() if isinstance(out, bytes) else str(out)

        found = {}
        for module in modules:
            text = asked(module, "long_txt")
            near = {}
            for name in INSTRUCTION.findall(text):
                answer = asked(module, "adj_nodes", name)
                both = json.loads(answer) if answer.startswith("{") else {}
                near[name] = [both.get("operand_names", []), both.get("consumer_names", [])]
            found[module] = [text, near]
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
