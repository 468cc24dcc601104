"""Every regular expression of the package compiles; none is compiled before it is used."""

from __future__ import annotations

import gc
import importlib
import re

import pytest

from tensorboard_perfplugin.patterns import LazyPattern, regex
from tests.test_layers import PACKAGE, modules


def test_every_expression_compiles() -> None:
    for name in modules(PACKAGE).keys() - {"__init__", "__main__"}:
        importlib.import_module(f"{PACKAGE.name}.{name}")
    expressions = [each for each in gc.get_objects() if type(each) is LazyPattern]
    assert len(expressions) > 400
    for each in expressions:
        assert each.groups >= 0


def test_it_is_compiled_when_it_is_used() -> None:
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.match("(")
    number = regex(r"\d+", re.ASCII)
    assert [match.group() for match in number.finditer("1 22")] == ["1", "22"]
    assert (number.pattern, number.groups, bool(number.flags & re.ASCII)) == (r"\d+", 0, True)
    assert regex(rb"\d+").search(b"x1")
