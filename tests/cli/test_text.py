"""Values as people read them."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.cli.text import cut, label, printable, shown, table


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "us", "–"),
        (float("nan"), "us", "–"),
        (36.98, "ms", "37.0 ms"),
        (999.6, "us", "1.00 ms"),
        (640.4, "us", "640 µs"),
        (2.859, "ms", "2.86 ms"),
        (0, "us", "0"),
        (0.0004, "us", "400 ps"),
        (0.00000049, "us", "0.490 ps"),
        (1, "ps", "1 ps"),
        (-1500, "ns", "-1.50 µs"),
        (98_700, "ms", "98.7 s"),
        (12_345_678, "ms", "12,300 s"),
        (1_234_000_000, "bytes", "1.23 GB"),
        (999, "bytes", "999 B"),
        (1023, "memory", "1,023 B"),
        (1000 << 20, "memory", "1,000 MiB"),
        (6.2e9, "memory", "5.77 GiB"),
        (0, "memory", "0"),
        (-2048, "memory", "-2.00 KiB"),
        (0.916, "share", "91.6 %"),
        (1.0, "share", "100 %"),
        (12.34, "percent", "12.3 %"),
        (0.00004, "share", "0.00400 %"),
        (4_500_000, "count", "4,500,000"),
        (1234.5, "", "1,230"),
        (1234567, "id", "1234567"),
        (True, "", "yes"),
        ("GPU\x1b[31m:0\n", "", "GPU\\x1b[31m:0\\n"),
    ],
)
def test_three_digits_and_a_unit_that_fits(value: object, unit: str, text: str) -> None:
    assert shown(value, unit) == text


def test_a_time_since_the_epoch_is_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(1_795_000_000_123.0, "ms")[:7] == "2026-11"


def test_a_whole_second_is_that_second() -> None:
    """Divided in doubles and rounded down, 09:00:00 was shown as 08:59:59."""
    assert shown(1_795_165_200_000.0, "ms")[14:19] == "00:00"


def test_labels() -> None:
    assert [label("self_us", "us"), label("idle_share", "share"), label("event_count", "count")] == [
        *("self", "idle share", "event count")
    ]
    assert [label(name) for name in ("gb_s", "algorithm_gb_s", "model_gflop_s", "peak_tflops", "clock_mhz")] == [
        *("GB/s", "algorithm GB/s", "model GFLOP/s", "peak TFLOP/s", "clock MHz")
    ]


def test_printable() -> None:
    assert printable("µ→日本") == "µ→日本"
    assert printable("a\u202eb\udcff\x7f") == "a\\u202eb\\udcff\\x7f"


def test_cut() -> None:
    assert [cut("model/dense/MatMul", width) for width in (18, 17, 4)] == [
        *("model/dense/MatMul", "model/de…e/MatMul", "m…ul")
    ]


LONG = "a" * 30 + "b" * 30


def test_a_table_that_fits() -> None:
    text, columns = table(("name", "self"), [("x", "1.00 ms"), ("yy", "–")], (True, False), 40)
    assert (columns, text) == (2, "name     self\nx     1.00 ms\nyy          –")


def test_a_long_name_is_cut_and_numbers_are_not() -> None:
    text, columns = table(("name", "self"), [(LONG, "1.00 ms")], (True, False), 40)
    assert columns == 2
    assert text.splitlines()[1] == f"{'a' * 15}…{'b' * 15}  1.00 ms"


def test_columns_that_do_not_fit_are_left_out_from_the_end() -> None:
    rows = [(LONG, LONG, "1.00 ms", "2.00 ms")]
    text, columns = table(("name", "type", "self", "total"), rows, (True, True, False, False), 60)
    assert (columns, max(map(len, text.splitlines()))) == (3, 60)


def test_a_name_that_is_told_by_its_middle_is_wrapped() -> None:
    rows = [("aten::mm [[16, 32], [32, 8]]", "1.00 ms"), ("aten::t " + "[[4]], " * 20, "2.00 ms"), ("x", "–")]
    text, columns = table(("name", "self"), rows, (True, False), 33, wrapped=0)
    assert (columns, text) == (
        2,
        """\
name                         self
aten::mm [[16, 32], [32,  1.00 ms
  8]]
aten::t [[4]], [[4]],     2.00 ms
  [[4]], [[4]], [[4]],
  [[4]], [[4]], [[4]], …
x                               –""",
    )


def test_one_column_is_always_there() -> None:
    assert table(("self",), [("1,000,000 s",)], (False,), 5)[1] == 1
