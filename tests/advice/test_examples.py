"""Captures that the catalogue names as examples of findings."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.advice.text.catalogue import CATALOGUE

ROOT = Path(__file__).parents[2]
PAGES = ("overview", "input_pipeline", "tf_data", "op_stats", "kernel_stats", "memory_profile", "pod_viewer")
NAMED = {code: text.example for code, text in CATALOGUE.items() if text.example}


def by_sample() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for code, example in NAMED.items():
        if example.startswith("tests/samples/"):
            found[example].add(code)
    return found


@pytest.mark.parametrize("sample", sorted(by_sample()))
def test_a_sample_gives_the_findings_that_name_it(sample: str) -> None:
    profile = tensorboard_perfplugin.open(str(ROOT / sample))
    missing = profile.missing()
    answers = [profile.tool(page).to_dict() for page in PAGES if not missing.get(page)]
    codes = {finding["code"] for answer in answers for finding in answer["findings"]}
    assert by_sample()[sample] <= codes


def test_public_captures_are_rows_of_their_page() -> None:
    page = (ROOT / "docs" / "public_captures.md").read_text()
    rows = {line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line.startswith("| ")}
    named = {row.rpartition("](")[0].replace("[", "") for row in rows if "](" in row}
    assert {example for example in NAMED.values() if not example.startswith("tests/")} <= named


def test_only_findings_have_examples() -> None:
    assert all(CATALOGUE[code].when for code in NAMED)
