"""docs/sql.md shows the examples and views that there are, and its Python runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.api import Profile, relations_of
from tensorboard_perfplugin.relations import EXAMPLES, VIEWS, Limits, answered, names
from tests.conftest import ROOT

DOCUMENT = (ROOT / "docs" / "sql.md").read_text()
SAMPLES = ROOT / "tests" / "samples"


def test_examples_and_views_are_shown() -> None:
    shown = re.findall(r"^\*\*([^\n]+)\*\*\n\n```sql\n(.*?)\n```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    assert shown == [tuple(example) for example in EXAMPLES]
    assert all(f"| `{view.name}` | {view.help} |" in DOCUMENT for view in VIEWS)
    assert [name for name in names() if "." not in name and f"`{name}`" not in DOCUMENT] == []


@pytest.mark.parametrize("run", ["gpu_streams/2026_11_20_09_00_00", "two_hosts/2026_11_20_09_00_00", "torch_train"])
def test_examples_run(run: str) -> None:
    relations = relations_of([tensorboard_perfplugin.open(SAMPLES, run=run)])
    for example in EXAMPLES:
        answered(relations, example.query, Limits())


def test_the_python_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    program, _ = re.findall(r"^```python\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    profile = tensorboard_perfplugin.open(SAMPLES, run="gpu_streams/2026_11_20_09_00_00")

    def opened(path: str) -> Profile:
        assert Path(path).name == "logs"
        return profile

    monkeypatch.setattr(tensorboard_perfplugin, "open", opened)
    # It cannot be set where what is public is brought in on first use.
    exec(compile(program, "sql.md", "exec"), {})
