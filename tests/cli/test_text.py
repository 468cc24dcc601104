"""Values as people read them."""

from __future__ import annotations

from tensorboard_perfplugin.cli.show import cut, printable, table


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
