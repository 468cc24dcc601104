"""What no one reads rots: every tool, column, option, route, command and link says what is true today."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tensorboard_perfplugin import tables
from tensorboard_perfplugin._version import __version__
from tensorboard_perfplugin.cli.commands import FIXED
from tensorboard_perfplugin.tables import Column
from tensorboard_perfplugin.timeline.steps.find import RULES
from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tensorboard_perfplugin.tools import TOOLS, Tool
from tensorboard_perfplugin.web.routes import ROUTES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
UNITS = {"", "ps", "ns", "us", "ms", "s", "bytes", "share", "percent", "count", "id"}
#: Units that a name must end in. A share or a count may have a name that says so in another way.
IN_THE_NAME = {"ps", "ns", "us", "ms", "s", "bytes", "share", "percent"}

#: Hosts that committed text may name: examples, licences, standards, and pages that readers are sent to.
HOSTS = {"localhost", "127.0.0.1", "github.com", "keepachangelog.com", "opencollective.com", "semver.org"}
HOSTS |= {"git-lfs.github.com", "www.apache.org", "www.w3.org"}
#: What a person's press opens: the page of another viewer.
HOSTS |= {"ui.perfetto.dev"}
#: What files of a format name as its schema.
HOSTS |= {"www.speedscope.app"}
#: What cloud machines ask for their credentials: a test sends it as an attacker would.
HOSTS |= {"169.254.169.254"}
#: Folders of one machine, which mean nothing on another; the homes of `me` and `u` are examples.
MACHINE_PATHS = re.compile(rb"/(?:root/(?!\.ssh)|work/|(?:home|Users)/(?!me/|u/)\w+/)|/tmp/tmp\w")


def is_sentence(text: str) -> bool:
    return text[:1] not in ("", " ") and text.rstrip()[-1] in ".?"


def declared(tool: Tool) -> Iterator[Column]:
    yield from tool.summary
    for table in tool.tables:
        yield from table.columns


def tracked() -> list[Path]:
    """Every committed file."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout: which files are committed is not known")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_says_what_it_answers(tool: Tool) -> None:
    assert tool.question.endswith("?")
    assert tool.title
    assert [
        name for name in (tool.name, *(o.name for o in tool.options)) if not re.fullmatch(r"[a-z][a-z0-9_]*", name)
    ] == []
    texts = {tool.name: tool.help, **{t.name: t.help for t in tool.tables}, **{o.name: o.help for o in tool.options}}
    assert [name for name, text in texts.items() if not is_sentence(text)] == []


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_column_has_a_sentence_and_its_unit_in_its_name(tool: Tool) -> None:
    assert [c.name for c in declared(tool) if not is_sentence(c.help)] == []
    assert [c.name for c in declared(tool) if c.unit not in UNITS] == []
    assert [c.name for c in declared(tool) if c.unit in IN_THE_NAME and not re.search(rf"(^|_){c.unit}$", c.name)] == []


def test_a_column_of_the_capture_has_a_sentence() -> None:
    kinds = (tables.Planes, tables.Tracks, tables.Kinds, tables.Events, tables.Aggregates, tables.Stats)
    assert [f"{kind.__name__}.{c.name}" for kind in kinds for c in kind.COLUMNS if not is_sentence(c.help)] == []


@pytest.mark.parametrize("page", ["formats", "devices"])
def test_generated_pages_are_in_step(page: str) -> None:
    printed = subprocess.run(
        [sys.executable, ROOT / "docs" / f"make_{page}.py"], capture_output=True, text=True, check=True
    )
    assert (ROOT / "docs" / f"{page}.md").read_text() == printed.stdout, "run `make docs`"


def test_the_page_of_steps_lists_every_category_and_rule() -> None:
    text = (ROOT / "docs" / "steps.md").read_text()
    keys = re.findall(r"^\| [^|]+ \| `(\w+)` \| [^|]+\.", text, re.MULTILINE)
    assert keys == [category.key for category in CATEGORIES]
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == [rule.name for rule in RULES]


def test_every_route_is_in_the_http_api() -> None:
    text = (ROOT / "tensorboard_perfplugin" / "web" / "http_api.md").read_text()
    assert [
        route for route in ROUTES if not re.search(rf"^#+ .*{re.escape(route.lstrip('/'))}", text, re.MULTILINE)
    ] == []


def test_every_command_has_its_help() -> None:
    assert [name for name, command in FIXED.items() if not is_sentence((command.__doc__ or "").strip())] == []


def test_every_verb_of_the_makefile_has_its_help() -> None:
    makefile = (ROOT / "Makefile").read_text()
    verbs = set(re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)) - {"chromium"}
    assert verbs == set(re.findall(r"^([a-z-]+):.*## .", makefile, re.MULTILINE))


def test_what_the_readme_tells_to_run_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    verbs = set(re.findall(r"(?:^ {4}|`)make ([a-z-]+)", README + CONTRIBUTING, re.MULTILINE))
    assert verbs == set(re.findall(r"^([a-z-]+):.*## .", makefile, re.MULTILINE)) - {"help"}
    commands = set(re.findall(r"(?:^ {4}|`)perfplugin ([a-z_]+)", README + CONTRIBUTING, re.MULTILINE))
    assert {"overview", "doctor"} <= commands <= {*FIXED, *(tool.name for tool in TOOLS)}
    assert set(re.findall(r"^\* \*\*(\w+)\*\*", README, re.MULTILINE)) <= {tool.name for tool in TOOLS}


def test_the_readme_lists_every_folder() -> None:
    folders = set(re.findall(r"^\| `([\w/]+)/` \|", README, re.MULTILINE))
    committed = {path.relative_to(ROOT).parts[0] for path in tracked() if path.parent != ROOT}
    assert folders == {name for name in committed if not name.startswith(".")}


def test_the_changelog_is_of_this_version() -> None:
    versions = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions[0] == __version__


def test_links_between_documents_lead_somewhere() -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in tracked()
        if path.suffix == ".md"
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text())
        if not urlsplit(target).scheme and not (path.parent / target).exists()
    ]
    assert broken == []


def test_nothing_committed_names_a_machine() -> None:
    """Captures too: a profiler writes down the paths of the programs that it sees."""
    named = {
        str(path.relative_to(ROOT)): found[0]
        for path in tracked()
        if (found := MACHINE_PATHS.search(path.read_bytes()))
    }
    named.pop("tests/test_documented.py", None)
    assert named == {}


def test_nothing_committed_names_a_foreign_host() -> None:
    named = {
        (str(path.relative_to(ROOT)), host)
        for path in tracked()
        for host in re.findall(r"https?://([\w.-]+\w)", path.read_bytes().decode(errors="replace"))
        if host not in HOSTS and not host.endswith((".example", ".invalid", ".test"))
    }
    assert named == set()
