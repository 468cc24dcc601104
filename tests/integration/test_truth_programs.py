"""One program of each framework out of the table in `tests/truth`, run and judged: the first finding alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration._programs import frameworks_python
from tests.integration.test_torch_programs import torch_python
from tests.truth.cases import chosen
from tests.truth.judge import judged
from tests.truth.run import run


@pytest.mark.slow
@pytest.mark.parametrize("name", ["torch/small/dataset:sleep", "jax/small/debug_callback:sleep", "tf/small/loss:sleep"])
def test_the_planted_cost_is_named_first(name: str, tmp_path: Path) -> None:
    python = torch_python() if name.startswith("torch") else str(frameworks_python())
    case = next(case for case in chosen([name]) if case.name == name)
    assert run([case], tmp_path, python) == {}
    row = judged(case, tmp_path / case.folder)
    assert row.right, f"{row.first}: {row.title}"
