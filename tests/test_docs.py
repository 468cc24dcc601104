"""The documents hold together: links lead to headings, terms to the glossary, generated parts to the code."""

from __future__ import annotations

import functools
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.reference import columns, findings

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *sorted(DOCS.glob("*.md")),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "tensorboard_perfplugin" / "web" / "http_api.md",
]
#: A page about the pictures of the documents, which uses none of the field's terms.
WITHOUT_TERMS = {"pictures.md", "glossary.md"}
#: What prints the lists of all.
KINDS = {"perfplugin columns", "perfplugin findings"}
TABLES: dict[str, Any] = runpy.run_path(str(DOCS / "make_tables.py"))
ARCHITECTURE: dict[str, Any] = runpy.run_path(str(DOCS / "make_architecture.py"))


@functools.cache
def rooms_of_package() -> Any:
    return ARCHITECTURE["rooms_of"](ROOT / "tensorboard_perfplugin")


def anchors(text: str) -> set[str]:
    """What `#…` may name: the headings, as GitHub spells them in addresses."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings)
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}


def links(page: Path) -> list[tuple[Path, str]]:
    """Files of this project that a page links to, each with the heading it names or an empty text."""
    found = re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)(?: \"[^\"]*\")?\)", page.read_text())
    return [((page.parent / to).resolve() if to else page, part) for to, part in found if "://" not in to]


def test_headings_as_github_spells_them() -> None:
    text = "# One\n## FLOPs, bytes and `x_y`\n```\n# no heading\n```\n### See [here](a.md#b)\n"
    assert anchors(text) == {"one", "flops-bytes-and-x_y", "see-here"}


def test_links_lead_to_headings() -> None:
    named = {(page.name, to, part) for page in PAGES for to, part in links(page)}
    headings = {to: anchors(to.read_text()) for _, to, part in named if part and to.exists()}
    broken = [
        f"{page}: {to.name}#{part}"
        for page, to, part in named
        if not to.exists() or (part and part not in headings[to])
    ]
    assert broken == []


def test_links_to_the_reference_say_what_prints_their_part() -> None:
    linked = [
        (page.name, printed)
        for page in PAGES
        for printed in re.findall(r'\]\([^)\s]*reference\.md#\w+(?: "([^"]*)")?\)', page.read_text())
        if page.name not in ("README.md", "CHANGELOG.md")
    ]
    assert len(linked) > 40
    known = {f"perfplugin columns {each.name}" for each in columns.entries()}
    known |= {f"perfplugin findings {code}" for _, code, _ in findings.titles()}
    assert [(page, printed) for page, printed in linked if printed not in known | KINDS] == []


def test_a_page_leads_to_the_glossary() -> None:
    with_terms = [page for page in PAGES if page.name not in WITHOUT_TERMS]
    assert [page.name for page in with_terms if DOCS / "glossary.md" not in [to for to, _ in links(page)]] == []


def test_terms_of_the_glossary_are_defined_once_and_in_order() -> None:
    text = re.sub(r"<!-- \w+ -->.*?<!-- end -->", "", (DOCS / "glossary.md").read_text(), flags=re.DOTALL)
    terms = re.findall(r"^### (.+)\n\n\S", text, re.MULTILINE)
    assert len(terms) == len(set(terms)) == text.count("\n### ")
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        listed = re.findall(r"^### (.+)$", section, re.MULTILINE)
        assert listed == sorted(listed, key=str.lower)


@pytest.mark.parametrize("name", TABLES["PAGES"])
def test_generated_tables_are_those_of_the_code(name: str) -> None:
    text = (DOCS / name).read_text()
    assert text == TABLES["page_with_tables"](name, text), "run `make docs`"


def test_the_picture_shows_the_rooms_and_imports_of_the_package() -> None:
    """Without the counts beside its arrows, which any change moves."""
    svg = (DOCS / "architecture.svg").read_text()
    rooms = rooms_of_package()
    assert ARCHITECTURE["facts_in"](svg) == ARCHITECTURE["facts_in"](ARCHITECTURE["picture"](rooms)), "run `make docs`"
    assert len(svg) < 40_000
    assert "prefers-color-scheme: dark" in svg


def test_what_the_picture_says_of_a_package(tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    for name, code in {
        "__init__.py": "from .web import x",
        "errors.py": "",
        "tables/__init__.py": "from ..errors import E",
        "tables/inner.py": "from .. import errors",
        "tools/__init__.py": "from pkg.tables import T\nfrom ..errors import E",
        "tools/ops/__init__.py": "from ...tables.inner import T",
        "web/__init__.py": "import pkg.tools\nfrom ..tables import T",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(code)
    rooms = ARCHITECTURE["rooms_of"](package)
    assert rooms.modules == {"errors": 1, "tables": 2, "tools": 2, "web": 1}
    assert rooms.folders == {"errors": [], "tables": [], "tools": ["ops"], "web": []}
    assert rooms.imports == {
        ("tables", "errors"): 2,
        ("tools", "tables"): 2,
        ("tools", "errors"): 1,
        ("web", "tools"): 1,
        ("web", "tables"): 1,
    }
    assert rooms.layers() == [["errors"], ["tables"], ["tools"], ["web"]]
    # The web's import of tables goes without an arrow: the one by tools says it. So do imports of the lowest layer.
    assert rooms.arrows() == [("tools", "tables"), ("web", "tools")]
    svg = ARCHITECTURE["picture"](rooms)
    assert re.findall(r'class="name"[^>]*>([^<]+)<', svg) == ["errors", "tables · 2", "tools · 2", "web"]
    assert "also imports tables 1" in svg


def test_rooms_in_a_circle_are_an_error() -> None:
    rooms = ARCHITECTURE["Rooms"]({"a": 1, "b": 1, "c": 1}, {}, {("a", "b"): 1, ("b", "a"): 1, ("a", "c"): 1})
    with pytest.raises(ValueError, match=r"circle: \['a', 'b'\]"):
        rooms.layers()


def test_the_design_names_every_room() -> None:
    table = (DOCS / "design.md").read_text().partition("\n## Rooms\n")[2].partition("\n## ")[0]
    named = {name.partition("/")[0] for name in re.findall(r"`([a-z]+)(?:/[^`]*)?`", table)}
    assert rooms_of_package().modules.keys() <= named
