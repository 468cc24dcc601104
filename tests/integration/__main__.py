"""Runs the programs that tests look at, alone: `python -m tests.integration FOLDER [--all]`.

Their planted costs are told from the rest only where nothing else wants the machine, as tests side by side do.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.integration._programs import CASES, USUAL, WORKERS, run_programs
from tests.integration.test_tf_data_programs import STAGES, USUAL_STAGES

if __name__ == "__main__":
    folder, is_all = Path(sys.argv[1]), "--all" in sys.argv[2:]
    run_programs(folder, [*(case.spec for case in CASES), *WORKERS] if is_all else list(USUAL))
    # In a process of their own: what ran there before changes how the first calls of a pipeline wait.
    run_programs(folder, [f"tf_data:{cause}" for cause in (STAGES if is_all else USUAL_STAGES)])
