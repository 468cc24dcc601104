"""What heads a column: cells carry the unit, so that the title does not."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.answers.table_of_runs import RUNS
from tensorboard_perfplugin.tables import Column
from tensorboard_perfplugin.tables.columns import NAMED
from tensorboard_perfplugin.tools import TOOLS


@pytest.mark.parametrize(
    ("column", "title"),
    [
        (Column.us("self_us", ""), "Self"),
        (Column.us("us", ""), "Us"),
        (Column.us("bottleneck_us", ""), "Bottleneck time"),
        (Column.us("bus", ""), "Bus"),
        (Column.share("idle_share", ""), "Idle %"),
        (Column("occupancy_percent", "float64", "percent", ""), "Occupancy %"),
        (Column.count("launch_count", ""), "Launches"),
        (Column.count("occurrences", ""), "Occurrences"),
        (Column.count("count_a", ""), "Count A"),
        (Column.ps("self_b_ps", ""), "Self B"),
        (Column.ps("more_ps", ""), "Δ self (B − A)"),
        (Column.bytes("peak_memory_bytes", ""), "Peak memory"),
        (Column.bytes("self_cpu_memory_bytes", ""), "Self CPU memory"),
        (Column.number("clock_mhz", ""), "Clock"),
        (Column.number("bandwidth_gb_s", ""), "Bandwidth"),
        (Column.number("model_gflop_s", ""), "Model FLOP rate"),
        (Column.number("peak_tflops", ""), "Peak FLOP rate"),
        (Column.ms("compute_16bit_ms", ""), "Compute 16-bit"),
        (Column.ms("compute_tf32_ms", ""), "Compute TF32"),
        (Column.flag("tensor_core_used", ""), "TC used"),
        (Column.text("status", ""), "Status"),
    ],
    ids=lambda value: value.name if isinstance(value, Column) else "",
)
def test_titles(column: Column, title: str) -> None:
    assert column.title == title


def test_no_title_is_of_a_column_that_is_gone() -> None:
    columns = [c for tool in TOOLS for c in (*tool.summary, *(c for spec in tool.tables for c in spec.columns))]
    columns += RUNS.columns
    assert set(NAMED) <= {column.name for column in columns}
