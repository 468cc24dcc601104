"""Addresses of the documentation are those of headings and columns that its pages have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata

import pytest

from tensorboard_perfplugin.advice.text.catalogue import CATALOGUE
from tensorboard_perfplugin.tools import TOOLS
from tensorboard_perfplugin.web import respond
from tests.conftest import ROOT


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    respond.folder.cache_clear()
    yield
    respond.folder.cache_clear()


def test_each_column_and_finding_has_its_place() -> None:
    columns = set(re.findall(r'<a id="([^"]+)">', (ROOT / "docs" / "columns.md").read_text()))
    for tool in TOOLS:
        place = respond.columns_of(tool.name).partition("#")[2]
        wanted = {f"{place}.{column.name}" for column in tool.summary}
        assert wanted | {f"{place}.{t.name}.{c.name}" for t in tool.tables for c in t.columns} <= columns
    headings = re.findall(r"^### `(.+)`$", (ROOT / "docs" / "findings.md").read_text(), re.MULTILINE)
    spelt = {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}
    codes = [code for code, text in CATALOGUE.items() if text.when]
    assert {respond.finding(code).partition("#")[2] for code in codes} <= spelt


@pytest.mark.parametrize(
    ("urls", "expected"),
    [
        (["Documentation, https://host.example/docs/"], "https://host.example/docs/findings.md#compareslower"),
        (["Documentation, javascript:alert(1)"], ""),
        (["Source, https://host.example"], ""),
        (None, ""),
    ],
)
def test_it_lies_where_the_metadata_says(
    monkeypatch: pytest.MonkeyPatch, urls: list[str] | None, expected: str
) -> None:
    class Metadata:
        def get_all(self, name: str) -> list[str] | None:
            return urls

    monkeypatch.setattr(metadata, "metadata", lambda name: Metadata())
    assert respond.finding("compare.slower") == expected


def test_without_metadata_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "metadata", missing)
    assert respond.columns_of("overview") == ""
