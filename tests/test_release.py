"""What a release says of itself: links that lead anywhere, version and changelog, and names that may not go."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin._version import __version__
from tests.promised import names
from tests.test_docs import anchors

ROOT = Path(__file__).parents[1]
SETUP: dict[str, Any] = runpy.run_path(str(ROOT / "setup.py"))
SOURCE = re.findall(r'^Source = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)[0]


def test_links_and_pictures_are_absolute() -> None:
    text = "A [step](docs/glossary.md#step), ![a picture](docs/a.png), [all](https://pypi.example/x), [here](#try-it)"
    assert SETUP["elsewhere"](text, "https://host.example/us/it", "v1.2.3") == (
        "A [step](https://host.example/us/it/blob/v1.2.3/docs/glossary.md#step), "
        "![a picture](https://host.example/us/it/raw/v1.2.3/docs/a.png), [all](https://pypi.example/x), [here](#try-it)"
    )


def test_the_description_leads_to_files_of_this_version() -> None:
    """Every link lies in the repository, and where it names a heading the page has it."""
    description = SETUP["description"]()
    targets = re.findall(r"\]\(([^)\s]+)\)", description)
    assert len(targets) > 30
    for target in targets:
        kept = re.fullmatch(rf"{re.escape(SOURCE)}/(?:blob|raw)/v{re.escape(__version__)}/([^#]+)#?(.*)", target)
        assert kept, target
        page, heading = ROOT / kept[1], kept[2]
        assert page.exists(), target
        assert not heading or heading in anchors(page.read_text()), target
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", description)
    assert pictures
    assert all("/raw/" in picture for picture in pictures)


def test_project_pages_lie_in_one_repository() -> None:
    urls = re.findall(r'^(\w+) = "(https:.*)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert {name for name, _ in urls} >= {"Documentation", "Source", "Changelog", "Issues"}
    assert [url for _, url in urls if url != SOURCE and not url.startswith(f"{SOURCE}/")] == []
    for _, url in urls:
        in_repository = re.search(r"/(?:tree|blob)/main/(.*)$", url)
        assert in_repository is None or (ROOT / in_repository[1]).exists(), url


def test_the_version_has_a_date() -> None:
    newest = re.findall(r"^## (\[\d.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert re.fullmatch(rf"\[{re.escape(__version__)}\] - \d{{4}}-\d{{2}}-\d{{2}}", newest)


def test_nothing_that_was_promised_is_gone() -> None:
    """What is new is added at the next release: `python -m tests.promised > tests/promised.json`."""
    promised = json.loads((ROOT / "tests" / "promised.json").read_text())
    assert promised["version"].partition(".")[0] == __version__.partition(".")[0]
    assert len(promised["names"]) > 1000
    assert set(promised["names"]) - set(names()) == set()


def test_every_module_that_asks_for_it_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    asking = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in (ROOT / "tensorboard_perfplugin").rglob("*.py")
        if path.read_text().startswith("# cython:")
    }
    assert {extension.name for extension in SETUP["loops"]()} == asking
    assert {extension.optional for extension in SETUP["loops"]()} == {True}
    monkeypatch.setenv("PERFPLUGIN_LOOPS", "all")
    assert {extension.optional for extension in SETUP["loops"]()} == {False}
    monkeypatch.setenv("PERFPLUGIN_LOOPS", "none")
    assert SETUP["loops"]() == []


@pytest.mark.parametrize(("platform", "expected"), [("linux", ["-Wl,-s"]), ("darwin", []), ("win32", [])])
def test_symbols_are_left_out_where_the_linker_knows_how(
    platform: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    assert SETUP["loop"](Path("a/b.py")).extra_link_args == expected
