"""The catalogue of diagnoses: every code gives whole sentences, whatever its numbers, and is given somewhere."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from tensorboard_perfplugin import doctor
from tensorboard_perfplugin.advice.text.doctor import DIAGNOSES
from tensorboard_perfplugin.advice.text.machine import MACHINE_LINES
from tensorboard_perfplugin.doctor import Diagnosis, MachineCheck
from tensorboard_perfplugin.messages import Param

SOURCES = Path(doctor.__file__).parent
#: What no sentence has: signs of a template, nothing where a number was, two spaces or commas, a plural of one.
BROKEN = re.compile(r"\{|\}|\\|None|  |^[ ,;]|[,;] *$|,[,;]|(?<!#)\b1 (?!process)\w+s\b(?! ago)")
#: Where one is absent, another that means the same of several is given.
ONE_OF_TWO = {"first_rank", "first_ranks", "second_rank", "second_ranks", "folder", "package", "major"}
#: What nothing helps against that is known here.
WITHOUT_FIX = {"tensorflow_build_unknown", "torch_build_unknown", "processes_not_visible"}


def variants(templates: str, example: Mapping[str, Param]) -> list[dict[str, Param]]:
    """The example, and the same with each number 1 and 2, with all and with none of what may be absent."""
    segments = re.findall(r"(?<!\\)\[([^\[\]]*)\]", templates)
    always = set(re.findall(r"\{(\w+)", re.sub(r"(?<!\\)\[[^\[\]]*\]", "", templates)))
    optional = {name for segment in segments for name in re.findall(r"\{(\w+)", segment)} - always - ONE_OF_TWO
    counts = set(re.findall(r"\{(\w+):count", templates))
    counted = [{**example, **{name: number for name in counts if example[name] is not None}} for number in (1, 2)]
    without = {name: None if name in optional else value for name, value in example.items()}
    return [dict(example), *counted, without]


def test_every_code_gives_whole_sentences() -> None:
    for code, text in DIAGNOSES.items():
        for params, more in itertools.product(variants(text.found + text.cause + text.fix, text.example), (None, 1, 2)):
            found = Diagnosis(code, "/logs", {**params, "more": more})
            words = [found.found, found.cause, found.fix]
            assert found.found, code
            assert found.ok or all(words), code
            assert not any(map(BROKEN.search, words)), (code, words)


def test_every_line_about_a_machine_is_whole() -> None:
    for code, line in MACHINE_LINES.items():
        for params in variants(line.found + line.fix, line.example):
            found = MachineCheck(code, params)
            assert found.found, code
            assert found.state == "ok" or found.fix or code in WITHOUT_FIX, code
            assert not BROKEN.search(found.found), (code, found.found)
            assert not BROKEN.search(found.fix), (code, found.fix)


def test_an_example_has_the_parameters_of_its_templates() -> None:
    named = {code: (text.found + text.cause + text.fix, text.example) for code, text in DIAGNOSES.items()}
    named |= {code: (line.found + line.fix, line.example) for code, line in MACHINE_LINES.items()}
    assert len(named) == len(DIAGNOSES) + len(MACHINE_LINES)
    for code, (words, example) in named.items():
        assert set(re.findall(r"\{(\w+)", words)) == set(example), code


@pytest.mark.parametrize(
    ("files", "made", "codes"),
    [
        ("[!m]*.py", "Diagnosis", DIAGNOSES),
        ("machine.py", "MachineCheck", MACHINE_LINES),
    ],
)
def test_every_code_is_given_and_every_given_code_has_its_words(
    files: str, made: str, codes: Mapping[str, object]
) -> None:
    sources = "".join(path.read_text() for path in SOURCES.glob(files))
    assert [code for code in codes if f'"{code}"' not in sources] == []
    assert [code for code in re.findall(rf'\b{made}\(\s*"(\w+)"', sources) if code not in codes] == []


def test_words_of_a_few() -> None:
    """As they stand on the page: what is there, why, and what to do."""
    found = Diagnosis("never_profiled", "/logs", {"event_files": 1, "others": None, "folders": 2, "more": 3})
    assert found.found == "1 TensorBoard event file, 2 folders, no capture; 3 more are like this"
    assert (found.case, found.ok) == ("wrong_level", False)
    age: dict[str, Param] = {"days": None, "hours": 2, "minutes": None, "seconds": None}
    assert Diagnosis("empty_file", "/logs/a", age).found == "0 bytes, modified 2 hours ago"
    both: dict[str, Param] = {"opened": 1, "left_out": None, "many": 3, "example": "vm.overview_page.pb"}
    summary = Diagnosis("ok", "/logs", {"runs": 2, "captures": 2, "events": 3000, "logdir": "/logs", **both})
    assert summary.found == (
        "2 runs, 2 captures, 3,000 events in the newest 1, which were opened; not read: 3 files that hold less of the "
        "same, such as vm.overview_page.pb"
    )
