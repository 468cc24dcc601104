"""An overview on one screen, and what is coloured on a terminal."""

from __future__ import annotations

import dataclasses
import io
import re
from pathlib import Path

import pytest

from tensorboard_perfplugin import tools
from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.cli.show import SCREEN, Style, answer_text, screen_text
from tests.conftest import SAMPLES

Capsys = pytest.CaptureFixture[str]
COLOUR = re.compile(r"\x1b\[[\d;]*m")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def screen(path: Path, capsys: Capsys, *more: str) -> list[str]:
    assert main(["overview", str(path), "-q", *more]) == 0
    return capsys.readouterr().out.splitlines()


def test_every_sample_fits_one_screen(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    for width in (60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        for sample in (each for each in SAMPLES.iterdir() if each.is_dir() and not each.name.startswith("_")):
            lines = screen(sample, capsys)
            assert len(lines) <= SCREEN, (sample, width)
            assert max(map(len, lines)) <= min(width, 120), (sample, width)
            assert lines[-1].endswith("--all")


def test_what_is_first_on_it(capsys: Capsys) -> None:
    lines = screen(SAMPLES / "gpu_streams", capsys)
    text = "\n".join(lines)
    assert lines[2].startswith("! ")
    for part in ("Step time ", "Where a step's time goes", "Top 10 device ops", " events kept"):
        assert part in text
    # No figure that is 0, and none that is not known.
    assert not re.search(r"  (0|–)$", text.partition("\nStep time ")[2].partition("\n\n")[0], re.MULTILINE)
    whole = screen(SAMPLES / "gpu_streams", capsys, "--all")
    assert len(whole) > 2 * len(lines)


def test_a_screen_is_one_whatever_the_capture() -> None:
    """Findings of many long sentences, and a figure that is unknown for a long reason."""
    import tensorboard_perfplugin

    answer = tensorboard_perfplugin.open(SAMPLES / "gpu_streams").tool("overview")
    brief = answer.tool.brief
    assert brief
    text = "very long\x1b[2J words " * 200
    findings = tuple(Finding(code="input_bound", title=text, detail=text, action=text) for _ in range(20))
    unknown = {**answer.result.unknown, brief.facts[0]: text}
    result = dataclasses.replace(answer.result, findings=findings, unknown=unknown)
    for width in (1, 40, 80, 1000):
        lines = screen_text(dataclasses.replace(answer, result=result), brief, width).splitlines()
        assert len(lines) <= SCREEN
        assert max(map(len, lines)) <= max(40, min(width, 120))
        assert "  and 18 more findings" in lines
        assert "\x1b" not in "".join(lines)


def test_what_a_screen_shows_is_declared() -> None:
    briefs = [(tool, tool.brief) for tool in tools.TOOLS if tool.brief]
    assert briefs
    for tool, brief in briefs:
        assert {*brief.facts} <= {column.name for column in tool.summary}
        tables = {spec.name: {column.name for column in spec.columns} for spec in tool.tables}
        for each in brief.tables:
            assert {*each.columns, each.by} <= tables[each.table]


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for term, no_color, stream, expected in (
        ("xterm", "", Terminal(), True),
        ("xterm", "1", Terminal(), False),
        ("dumb", "", Terminal(), False),
        ("xterm", "", io.StringIO(), False),
    ):
        monkeypatch.setenv("TERM", term)
        monkeypatch.setenv("NO_COLOR", no_color)
        assert Style.of(stream).is_coloured == expected


def test_colours_change_no_text() -> None:
    import tensorboard_perfplugin

    answer = tensorboard_perfplugin.open(SAMPLES / "gpu_streams").tool("overview")
    assert answer.tool.brief
    for plain, coloured in (
        (answer_text(answer, 80), answer_text(answer, 80, Style(True))),
        (screen_text(answer, answer.tool.brief, 80), screen_text(answer, answer.tool.brief, 80, Style(True))),
    ):
        assert COLOUR.sub("", coloured) == plain
        assert "\x1b[1mWhere a step's time goes\x1b[m" in coloured
        assert "\x1b[1;33m!\x1b[m " in coloured
