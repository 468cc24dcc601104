"""The catalogue of diagnoses: every code gives whole sentences, whatever its numbers, and is given somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tensorboard_perfplugin import doctor
from tensorboard_perfplugin.doctor import Diagnosis
from tensorboard_perfplugin.doctor.render import Scalar, render
from tensorboard_perfplugin.doctor.text import TEXTS

SOURCES = Path(doctor.__file__).parent
#: Where one is absent, another that means the same of several is given.
ONE_OF_TWO = {"first_rank", "first_ranks", "second_rank", "second_ranks"}


def variants(code: str) -> list[dict[str, Scalar]]:
    """The example, and the same with each number 1 and 2, with all and with none of what may be absent."""
    text = TEXTS[code]
    templates = text.found + text.cause + text.fix
    segments = re.findall(r"(?<!\\)\[([^\[\]]*)\]", templates)
    always = set(re.findall(r"\{(\w+)", re.sub(r"(?<!\\)\[[^\[\]]*\]", "", templates)))
    optional = {name for segment in segments for name in re.findall(r"\{(\w+)", segment)} - always - ONE_OF_TWO
    example = dict(text.example)
    counted = [
        {name: number if isinstance(value, int) else value for name, value in example.items()} for number in (1, 2)
    ]
    without = {name: None if name in optional else value for name, value in example.items()}
    return [example, *counted, without, {**example, "more": 2}, {**example, "more": 1}]


@pytest.mark.parametrize("code", TEXTS)
def test_every_code_gives_whole_sentences(code: str) -> None:
    for params in variants(code):
        found = Diagnosis(code, "/logs", params)
        words = [found.found, found.cause, found.fix]
        assert found.found
        assert found.ok or all(words)
        for text in words:
            assert not re.search(r"\{|\}|\\|None|  |^[ ,;]|[,;] *$|,[,;]|(?<![#,\d])\b1 \w+s\b(?! ago)", text), text


@pytest.mark.parametrize("code", TEXTS)
def test_an_example_has_the_parameters_of_its_templates(code: str) -> None:
    text = TEXTS[code]
    assert set(re.findall(r"\{(\w+)", text.found + text.cause + text.fix)) == set(text.example)


def test_every_code_is_given_and_every_given_code_has_its_words() -> None:
    sources = "".join(path.read_text() for path in SOURCES.glob("*.py") if path.name != "text.py")
    assert [code for code in TEXTS if f'"{code}"' not in sources] == []
    assert [code for code in re.findall(r'Diagnosis\(\s*"(\w+)"', sources) if code not in TEXTS] == []


@pytest.mark.parametrize(
    ("template", "params", "text"),
    [
        ("{n:count file}, {m:count launch|launches}", {"n": 1, "m": 2000}, "1 file, 2,000 launches"),
        ("{a:bytes} {b:bytes} {c:bytes}", {"a": 1, "b": 9_999, "c": 1_200_000}, "1 byte 9,999 bytes 1.20 MB"),
        ("{at}[: {what}][, {n:count time}]", {"at": 7, "what": None, "n": 1}, "7, 1 time"),
        (r"'jax\[{name}]'", {"name": "tpu"}, "'jax[tpu]'"),
        ("{a}[ {b}]", {"a": "[{b}] \\1 {a:count x}", "b": "[x]"}, "[{b}] \\1 {a:count x} [x]"),
    ],
)
def test_render(template: str, params: dict[str, Scalar], text: str) -> None:
    """Names come out as they went in, whatever they hold."""
    assert render(template, params) == text


def test_words_of_a_few() -> None:
    """As they stand on the page: what is there, why, and what to do."""
    found = Diagnosis("never_profiled", "/logs", {"event_files": 1, "others": None, "folders": 2, "more": 3})
    assert found.found == "1 TensorBoard event file, 2 folders, no capture; 3 more are like this"
    assert (found.case, found.ok) == ("wrong_level", False)
    age: dict[str, Scalar] = {"days": None, "hours": 2, "minutes": None, "seconds": None}
    assert Diagnosis("empty_file", "/logs/a", age).found == "0 bytes, modified 2 hours ago"
    both: dict[str, Scalar] = {"opened": 1, "left_out": None, "many": 3, "example": "vm.overview_page.pb"}
    summary = Diagnosis("ok", "/logs", {"runs": 2, "captures": 2, "events": 3000, "logdir": "/logs", **both})
    assert summary.found == (
        "2 runs, 2 captures, 3,000 events in the newest 1, which were opened; not read: 3 files that tell less of the "
        "same, such as vm.overview_page.pb"
    )
