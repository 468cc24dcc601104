"""Templates: fields, forms, brackets; what is in a parameter is text."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.text.template import fields, render
from tensorboard_perfplugin.messages import Message, Params


@pytest.mark.parametrize(
    ("template", "params", "text"),
    [
        ("{name} waits", {"name": "a[b|c]{d}"}, "a[b|c]{d} waits"),
        ("{ps:duration} ({share:percent})", {"ps": 37e9, "share": 0.92}, "37 ms (92 %)"),
        ("{n:count step}, {m:count branch|branches}", {"n": 1, "m": 3}, "1 step, 3 branches"),
        ("{n:number} of {b:memory}", {"n": 1234, "b": 5 << 10}, "1,234 of 5 KiB"),
        ("a[, most of it in {x:quoted}]", {"x": "f"}, "a, most of it in `f`"),
        ("a[, most of it in {x:quoted}]", {}, "a"),
        ("[{x} first|nobody]", {"x": ""}, "nobody"),
        ("[{x} first|nobody]", {"x": 0}, "0 first"),
        ("is[{late?} late][{late!} on time]", {"late": True}, "is late"),
        ("is[{late?} late][{late!} on time]", {"late": False}, "is on time"),
        ("[a {x}[ of {y}]]", {"x": 1}, "a 1"),
        ("[a {x}[ of {y}]]", {"y": 1}, ""),
        (r"\[{x}\] \{y\} [\|]", {"x": 1}, "[1] {y} |"),
        (r"pip install 'x\[{x}]' | tee", {"x": 1}, "pip install 'x[1]' | tee"),
        ("{names:quoted}", {"names": ("a", "b")}, "`a`, `b`"),
        ("{fact:words} differs", {"fact": "batch_size"}, "batch size differs"),
        ("{why:lower}", {"why": Message("any", {"x": 3})}, "said any 3"),
    ],
)
def test_templates(template: str, params: Params, text: str) -> None:
    assert render(template, params, lambda message: f"Said {message.code} {message.params['x']}") == text


def test_a_long_name_keeps_its_end_from_a_scope_on() -> None:
    assert render("{x:quoted}", {"x": "a" * 70 + "/" + "b" * 60}) == f"`…/{'b' * 60}`"


@pytest.mark.parametrize(
    ("template", "length", "shown"),
    [
        ("{x:short}", 80, "x" * 80),
        ("{x:short}", 81, "x" * 80 + "…"),
        ("{x:clipped}", 200, "x" * 200),
        ("{x:clipped}", 201, "x" * 199 + "…"),
        ("{x:quoted}", 80, f"`{'x' * 80}`"),
        ("{x:quoted}", 81, f"`…{'x' * 80}`"),
    ],
)
def test_a_sentence_has_room_for_so_much_of_a_name(template: str, length: int, shown: str) -> None:
    assert render(template, {"x": "x" * length}) == shown


@pytest.mark.parametrize("template", ["[a", "[a [b]", "{a b}", "{}"])
def test_wrong_templates(template: str) -> None:
    with pytest.raises(ValueError, match="brac"):
        render(template, {})


def test_a_parameter_that_must_be_there() -> None:
    with pytest.raises(KeyError):
        render("{a}", {})
    with pytest.raises(ValueError, match="no number"):
        render("{a:duration}", {"a": "x"})


def test_fields_of_a_template() -> None:
    assert fields("{a} [b {c:duration}[{d?}e|{f}]]") == {"a", "c", "d", "f"}
