"""The documentation's site: built without a warning, and its pages ask no other origin for anything."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SITE: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "make_site.py"))
#: Attributes whose address a browser fetches by itself, by element; a link is followed by a press alone.
FETCHED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src", "video": "src"}


class Fetched(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if FETCHED.get(tag) == name]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_pages_fetch_nothing_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        fetched = Fetched()
        fetched.feed(page.read_text())
        assert fetched.addresses
        for address in fetched.addresses:
            assert not re.match(r"(?:\w+:)?//", address), f"{page.name} fetches {address}"
            file = re.split("[?#]", address)[0]
            # The page of what is not found is asked for at any depth: from the site's root.
            there = site / file[1:] if file.startswith("/") else page.parent / file
            assert address.startswith("data:") or there.exists(), address
    for style in site.rglob("*.css"):
        asked = re.findall(r"""url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", style.read_text())
        assert [a + b for a, b in asked if re.match(r"(?:https?:)?//", a + b)] == []


def test_lists_and_tables_are_what_they_are_meant_to_be(site: Path) -> None:
    """GitHub takes a line after text for a list's begin, the site does not."""
    for page in site.rglob("*.html"):
        text = re.sub(r"<pre>.*?</pre>", "", page.read_text(), flags=re.DOTALL)
        assert re.findall(r"^(?:<p>)?(?:[*-] |\d\. |\|).*$", text, re.MULTILINE) == [], page.name


def test_links_lead_to_the_site_s_pages_or_into_the_repository() -> None:
    text = (
        "[a](../tensorboard_perfplugin/web/http_api.md#runs) [b](glossary.md#x) [c](../LICENSE) [d](https://e.example)"
    )
    assert SITE["led"](text, "design.md", "https://host.example/it") == (
        "[a](http_api.md#runs) [b](glossary.md#x) [c](https://host.example/it/LICENSE) [d](https://e.example)"
    )
    assert SITE["led"]("![a](docs/a.png) [b](CHANGELOG.md)", "index.md", "") == "![a](a.png) [b](changelog.md)"
    assert SITE["led"]("[a](../../docs/glossary.md)", "http_api.md", "") == "[a](glossary.md)"


def test_links_to_the_reference_lead_to_the_generated_pages() -> None:
    text = '[a](reference.md#columns "perfplugin columns op_stats") [b](reference.md#findings "perfplugin findings")'
    assert SITE["led"](text, "design.md", "") == "[a](columns.md#op_stats) [b](findings.md)"
    text = '[a](../../docs/reference.md#findings "perfplugin findings a.b") [c](glossary.md "title")'
    assert SITE["led"](text, "design.md", "") == '[a](findings.md#ab) [c](glossary.md "title")'


def test_headings_are_spelled_as_github_does() -> None:
    assert SITE["slug"]("FLOPs, bytes and `x_y` / z") == "flops-bytes-and-x_y--z"


def test_breaks_of_lines_outside_of_code() -> None:
    assert SITE["as_python_markdown"]("> a \\\n> b\n```\nc \\\n```\n") == "> a  \n> b\n```\nc \\\n```\n"
