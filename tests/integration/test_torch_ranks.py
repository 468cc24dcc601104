"""Two real ranks of PyTorch that train together: one run, the one that sleeps is named, and by how much it is late."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tensorboard_perfplugin
from tests.commands import output
from tests.integration.test_torch_programs import torch_python
from tests.programs.torch_ranks import ACTIVE, RANKS, SLOW, WIDTH


@pytest.mark.slow
def test_the_rank_that_sleeps_is_late_by_what_its_clock_says(tmp_path: Path) -> None:
    """Each step has one all-reduce: of a layer's weights and biases, 4 bytes each."""
    command = [torch_python(), "-m", "tests.programs.torch_ranks", str(tmp_path)]
    output(command)
    answer = tensorboard_perfplugin.open(tmp_path / "log").tool("pod_viewer")
    answer.check()
    summary, cells = answer.result.summary, answer.result.tables["collectives"]
    assert (summary["hosts_with_steps"], summary["common_step_count"]) == (RANKS, ACTIVE)
    assert summary["straggler"] == f"rank {SLOW}"
    row = {name: column[0] for name, column in cells.items()}
    assert (row["kind"], row["group_size"], row["last_worker"]) == ("all-reduce", RANKS, f"rank {SLOW}")
    assert (row["count"], row["bytes"]) == (RANKS * ACTIVE, RANKS * ACTIVE * 4 * (WIDTH + 1) * WIDTH)
    arrivals = np.array([json.loads((tmp_path / f"arrivals.{rank}.json").read_text()) for rank in range(RANKS)])
    lag_us = (arrivals[SLOW] - arrivals[1 - SLOW]).mean() / 1000
    assert row["lag_us"] == pytest.approx(lag_us, rel=0.3)
