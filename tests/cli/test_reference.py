"""`perfplugin findings` and `perfplugin columns` print whatever is declared."""

from __future__ import annotations

import json
from typing import TypeAlias

import pytest

from tensorboard_perfplugin.advice.text.catalogue import CATALOGUE
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.cli.reference import columns_text, findings_text
from tensorboard_perfplugin.tools import listed

Capsys: TypeAlias = pytest.CaptureFixture[str]
CODES = [code for code, text in CATALOGUE.items() if text.when]


def printed(capsys: Capsys, *argv: str) -> str:
    assert main(argv) == 0
    return capsys.readouterr().out


def test_a_finding_with_its_condition_thresholds_and_variants(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    text = printed(capsys, "findings", "memory_nearly_full")
    assert text.startswith("memory_nearly_full (memory)\n\n  Out of memory is near: ")
    for part in (
        "\nWhen: The peak is nine tenths of the memory's capacity, or more.\nNot: The allocator has no limit.\n",
        "\nThresholds:\n  nearly_full, 90 %: from this part of the capacity on the next larger batch may not fit (",
        "\nIn captures of PyTorch:\n  Out of memory is near: ",
    ):
        assert part in text


def test_the_list_has_every_finding_once(capsys: Capsys) -> None:
    lines = printed(capsys, "findings").splitlines()
    assert sorted(line.split()[0] for line in lines[1:]) == sorted(CODES)


def test_every_finding_is_printed() -> None:
    for code in CODES:
        text = findings_text(code, 120)
        assert text.startswith(f"{code} (")
        assert "\nWhen: " in text


def test_every_tool_and_the_table_of_runs_are_printed() -> None:
    tables = columns_text(None).splitlines()
    for tool in listed():
        text = columns_text(tool.name)
        for table in tool.tables:
            assert any(line.split()[:2] == [tool.name, table.name] for line in tables)
            assert f"{tool.name}: {table.name}\n" in text
            assert all(f"  {c.name} ({c.unit or c.dtype}), {c.title}: {c.help}" in text for c in table.columns)
    assert columns_text("runs").startswith("runs: runs\n  run (text), Run: ")


def test_as_json(capsys: Capsys) -> None:
    listed_findings = json.loads(printed(capsys, "findings", "--json"))["findings"]
    assert [each["code"] for each in listed_findings] == CODES
    finding = json.loads(printed(capsys, "findings", "slow_step", "--json"))
    assert finding["when"] == CATALOGUE["slow_step"].when
    assert {"why", "value"} <= finding["limits"][0].keys()
    tools = {each["tool"]: each["tables"] for each in json.loads(printed(capsys, "columns", "--json"))["tools"]}
    assert tools["runs"] == ["runs"]
    assert "summary" in tools["overview"]
    columns = json.loads(printed(capsys, "columns", "overview_page", "--json"))
    assert columns["tool"] == "overview"
    assert set(columns["tables"]) == set(tools["overview"])
    assert columns["tables"]["summary"][0].keys() == {"name", "dtype", "unit", "title", "help"}
