"""`PERFPLUGIN_PEER=… python -m tests.parity.record`: what the peer says of the samples → `recorded.json`.

With these answers tests compare with the peer where it is not installed, too. Of ops the columns that tests read are
kept.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.commands import output
from tests.conftest import ROOT, SAMPLES
from tests.parity._peer import HERE, OPS, PEER, RECORDED

GPU = ("gpu_streams", "two_hosts")
#: By script the samples that it is asked of.
ASKED = {
    "xprof_kernels.py": GPU,
    "xprof_ops.py": ("gpu_streams", "keras_fit", "jax_train"),
    "xprof_steps.py": ("jax_train",),
}


def answers(script: str, samples: tuple[str, ...]) -> dict[str, Any]:
    files = [str(file) for name in samples for file in sorted((SAMPLES / name).rglob("*.xplane.pb"))]
    found: dict[str, Any] = json.loads(output([str(PEER), str(HERE / script), *files]))
    if script == "xprof_ops.py":
        found = {name: [[row.get(column) for column in OPS] for row in rows] for name, rows in found.items()}
    return {Path(name).relative_to(ROOT).as_posix(): answer for name, answer in found.items()}


def main() -> None:
    recorded = {script: answers(script, samples) for script, samples in ASKED.items()}
    # A row a line, so that a difference can be read.
    text = json.dumps(recorded).replace("{", "\n{").replace("[[", "[\n[").replace("], [", "],\n[")
    RECORDED.write_text(text.strip() + "\n")


if __name__ == "__main__":
    main()
