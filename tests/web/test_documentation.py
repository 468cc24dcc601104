"""Addresses of the documentation are those of headings and columns that its pages have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata

import pytest

from tensorboard_perfplugin.advice.text.catalogue import CATALOGUE
from tensorboard_perfplugin.reference import columns, findings
from tensorboard_perfplugin.tools import TOOLS
from tensorboard_perfplugin.web import respond
from tests.conftest import ROOT


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    respond.folder.cache_clear()
    yield
    respond.folder.cache_clear()


def test_each_column_and_finding_has_its_place() -> None:
    anchors = set(re.findall(r'<a id="([^"]+)">', columns.page()))
    for tool in TOOLS:
        place = respond.columns_of(tool.name).partition("#")[2]
        wanted = {f"{place}.{column.name}" for column in tool.summary}
        assert wanted | {f"{place}.{t.name}.{c.name}" for t in tool.tables for c in t.columns} <= anchors
    headings = re.findall(r"^### `(.+)`$", findings.page(), re.MULTILINE)
    spelt = {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}
    codes = [code for code, text in CATALOGUE.items() if text.when]
    assert {respond.finding(code).partition("#")[2] for code in codes} <= spelt


def test_addresses_are_of_a_page_that_exists() -> None:
    for address in (respond.columns_of("op_stats"), respond.finding("slow_step")):
        page = address.partition("#")[0].rpartition("/")[2]
        assert (ROOT / "docs" / page).is_file()


@pytest.mark.parametrize(
    ("urls", "expected"),
    [
        (["Documentation, https://host.example/docs/"], "https://host.example/docs/reference.md#compareslower"),
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
