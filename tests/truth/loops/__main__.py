"""`python -m tests.truth.loops OUT CASES.json`: runs the cases of one framework, each into `OUT/<its folder>`.

Each runs a second time without its costs, under the profiler as well, whose capture is thrown away: the difference of
the two is what the costs take. What a case wrote is complete where its folder has a `truth.json`, written last.
"""

from __future__ import annotations

import importlib
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.programs._stopwatch import Stopwatch
from tests.truth.costs import Meter
from tests.truth.declared import Case, case_from_json


def run(case: Case, folder: Path) -> None:
    loop: Any = importlib.import_module(f"tests.truth.loops.{case.loop}_loop")
    began = time.monotonic()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    watch, meter = Stopwatch(), Meter()
    loop.main(case, folder, watch, meter)
    truth: dict[str, Any] = {
        "case": case.to_json(),
        "steps": [[step, watch.begins[step], watch.ends[step]] for step in sorted(watch.ends)],
        "planted_ns": dict(meter.ns),
    }
    if case.plants:
        without = Stopwatch()
        with tempfile.TemporaryDirectory() as thrown_away:
            loop.main(case.without_costs(), Path(thrown_away), without, Meter())
        truth["steps_without"] = [[step, without.begins[step], without.ends[step]] for step in sorted(without.ends)]
    truth["seconds"] = round(time.monotonic() - began, 2)
    (folder / "truth.json").write_text(json.dumps(truth) + "\n")
    print(f"{case.name}: {truth['seconds']} s", flush=True)


def main() -> None:
    out, cases = sys.argv[1:]
    for plain in json.loads(Path(cases).read_text()):
        case = case_from_json(plain)
        run(case, Path(out) / case.folder)


if __name__ == "__main__":
    main()
