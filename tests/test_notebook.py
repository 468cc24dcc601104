"""docs/first_look.ipynb runs, and what its cells give is what a notebook can show."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

NOTEBOOK = ROOT / "docs" / "first_look.ipynb"


def shown(source: str, names: dict[str, Any]) -> Any:
    """What a cell's last line gives, as a notebook runs it."""
    program = ast.parse(source)
    last = program.body.pop()
    exec(compile(program, "cell", "exec"), names)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return exec(compile(ast.Module([last], []), "cell", "exec"), names)


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    monkeypatch.chdir(ROOT / "docs")
    names: dict[str, Any] = {}
    results = [shown("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]
    assert not any(cell.get("outputs") for cell in cells)
    drawn = [result._repr_html_() for result in results if hasattr(result, "_repr_html_")]
    assert "Step 3 took 40.6 ms" in drawn[0]
    assert [html.partition(" ")[0] for html in drawn].count("<iframe") == 1
    assert any(result is True for result in results)
    assert Path.cwd().name == "docs"
