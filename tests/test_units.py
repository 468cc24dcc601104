"""Numbers read the same wherever they are shown: in sentences, on the command line, on pages."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tensorboard_perfplugin import units

TABLE = Path(__file__).with_name("units.json")


def test_a_cell_has_three_digits_and_the_unit_that_fits() -> None:
    cells: list[tuple[float | None, str, str]] = [
        (2860, "us", "2.86 ms"),
        (640, "us", "640 µs"),
        (36.98, "ms", "37.0 ms"),
        (0.5, "us", "500 ns"),
        (999.7, "us", "1.00 ms"),
        (0.25, "ps", "< 1 ps"),
        (7200, "s", "7,200 s"),
        (1_200_000_000, "bytes_per_s", "1.20 GB/s"),
        (143_000_000, "bytes", "143 MB"),
        (143_000_000, "memory", "136 MiB"),
        (12_345, "gflop_s", "12.3 TFLOP/s"),
        (1530, "mhz", "1,530 MHz"),
        (27.04, "per_s", "27.0/s"),
        (14_132, "count", "14,132"),
        (14_132, "id", "14132"),
        (12.34, "gb_s", "12.3 GB/s"),
        (1.5, "tflops", "1.50 TFLOP/s"),
        (0.00123, "", "0.00123"),
        (0.00015, "", "0.000150"),
        (0.00007, "", "< 0.0001"),
        (3, "GHz", "3 GHz"),
        (0, "ms", "0"),
        (None, "ms", "–"),
        (math.nan, "share", "–"),
    ]
    assert [units.value(x, unit) for x, unit, _ in cells] == [text for _, _, text in cells]


@pytest.mark.parametrize(
    ("share", "cell", "sentence"),
    [
        (0.0, "0 %", "0 %"),
        (0.00001, "< 0.01 %", "< 0.01 %"),
        (0.0042, "0.42 %", "0.42 %"),
        (0.0412, "4.12 %", "4 %"),
        (0.625, "62.5 %", "63 %"),
        (0.92, "92.0 %", "92 %"),
        (0.9962, "99.6 %", "99.62 %"),
        (0.9996, "99.96 %", "99.96 %"),
        (0.99999, "> 99.99 %", "> 99.99 %"),
        (1.0, "100 %", "100 %"),
    ],
)
def test_a_share_reads_neither_as_nothing_nor_as_all_unless_it_is(share: float, cell: str, sentence: str) -> None:
    assert units.value(share, "share") == units.value(100 * share, "percent") == cell
    assert units.percent(share) == sentence


def test_a_sentence_leaves_out_zeros_after_the_point() -> None:
    durations = [0, 0.5, 500, 1e9, 2.86e9, 37e9, 36.98e9, 999.7e6, 1234e12, -2e9, math.nan]
    assert [units.duration(ps) for ps in durations] == [
        *("0 ns", "< 1 ps", "500 ps", "1 ms", "2.86 ms", "37 ms", "37 ms", "1 ms", "1,234 s", "-2 ms", "–"),
    ]
    assert [units.size(n) for n in (0, 1, 999, 5120, 143e6, 1.2e9)] == [
        *("0 bytes", "1 byte", "999 bytes", "5.12 kB", "143 MB", "1.2 GB"),
    ]
    assert [units.memory(n) for n in (12, 1023, 5120, 1023 * 1024, 17_721_600)] == [
        *("12 bytes", "1,023 bytes", "5 KiB", "1,023 KiB", "16.9 MiB"),
    ]
    assert [units.rate(n) for n in (1.2e9, 12.34e6, math.inf)] == ["1.2 GB/s", "12.3 MB/s", "–"]


def test_a_time_of_more_than_three_years_is_a_date() -> None:
    year_s = 365 * 86400
    assert [units.value(years * year_s, "s")[:4] for years in (2, 2.99, 3.01, 4)] == ["63,0", "94,2", "1973", "1973"]


def test_of_a_name_200_characters_go_into_a_sentence() -> None:
    assert [len(units.clipped("x" * size)) for size in (199, 200, 201)] == [199, 200, 200]


def test_halves_are_rounded_away_from_zero() -> None:
    """Python's own formatting makes 12 % of an eighth."""
    assert [units.percent(n / 8) for n in (1, 3, 5)] == ["13 %", "38 %", "63 %"]
    assert [units.seconds(number) for number in (4.8, 0.5, 2e-6)] == ["4.8 s", "500 ms", "2 µs"]
    assert (units.duration(2125), units.value(-2125, "ps"), units.value(0.5, "count")) == (
        *("2.13 ns", "-2.13 ns", "0.500"),
    )


def test_one_is_singular() -> None:
    assert [units.count(1, "host"), units.count(1200, "run"), units.count(0, "branch")] == [
        *("1 host", "1,200 runs", "0 branches"),
    ]
    assert units.count(2, "batch of data", "batches of data") == "2 batches of data"


def test_a_unit_comes_from_the_declaration_else_from_the_name() -> None:
    columns = [("self_us", "us"), ("bus_gb_s", ""), ("gflop_s", ""), ("peak_tflops", ""), ("clock_mhz", "")]
    columns += [("row", ""), ("size_bytes", "bytes"), ("device_memory_bytes", "bytes")]
    assert units.unit_of("peak_bytes", "bytes", is_memory=True) == "memory"
    assert units.unit_of("peak_us", "us", is_memory=True) == "us"
    assert [units.unit_of(*column) for column in columns] == [
        "us",
        "gb_s",
        "gflop_s",
        "tflops",
        "mhz",
        "",
        "bytes",
        "memory",
    ]


def test_the_table_that_both_languages_are_held_to_is_of_this_rule() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "tests.make_units"],
        cwd=TABLE.parents[1],
        env={**os.environ, "TZ": "UTC", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert TABLE.read_text(encoding="utf-8") == made.stdout, "the rule has changed: see tests/make_units.py"
    assert len(json.loads(made.stdout)["cells"]) >= 200
