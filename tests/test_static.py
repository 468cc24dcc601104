"""The committed bundle is what frontend/ gives, asks no other origin, stays small, and knows today's answers."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from werkzeug.test import Client

from tensorboard_perfplugin import capture
from tensorboard_perfplugin.doctor import Diagnosis
from tensorboard_perfplugin.logdir import Logdir
from tensorboard_perfplugin.tables import Column, Quality
from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tensorboard_perfplugin.tools import (
    Answer,
    Evidence,
    FileUse,
    Finding,
    Option,
    QualityInWords,
    Result,
    TableSpec,
    Tool,
    View,
    listed,
)
from tensorboard_perfplugin.web import Site
from tensorboard_perfplugin.web.jobs import Job
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT

ROOT = Path(__file__).parents[1]
FRONTEND = ROOT / "frontend"
STATIC = ROOT / "tensorboard_perfplugin" / "static"
#: Of these 150 kB are libraries, packed tight; the rest is ours, readable, a third of it the trace.
MOST_BYTES = 760_000

#: Packed, what is loaded before the first page shows its sentence.
MOST_FIRST_BYTES = 120_000

#: XML namespaces: names that look like addresses.
NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/1999/xhtml"}
#: What a person's press opens in a tab of its own; the page itself asks it for nothing.
OPENED = {"https://ui.perfetto.dev"}
#: What would turn a name from a file into HTML or code.
FROM_TEXT_TO_HTML = (
    r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySet|document\.write|\beval\(|new Function|srcdoc"
)


def frontend_sources() -> list[str]:
    files = [path.relative_to(FRONTEND).as_posix() for path in (FRONTEND / "src").rglob("*") if path.is_file()]
    written = [path for path in files if not path.startswith("src/generated/")]
    return sorted([*written, "build.mjs", "package-lock.json"])


def digest_of_sources() -> str:
    digest = hashlib.sha256()
    for path in frontend_sources():
        digest.update(f"{path}\n".encode() + (FRONTEND / path).read_bytes())
    return digest.hexdigest()


def test_bundle_names_the_sources_it_was_built_from() -> None:
    for name in ("index.js", "style.css"):
        first_line = (STATIC / name).read_text().partition("\n")[0]
        assert digest_of_sources() in first_line, f"{name} is of other sources: cd frontend && npm run build"


def test_building_again_gives_the_same_bytes(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (FRONTEND / "node_modules" / "esbuild").is_dir():
        pytest.skip("no Node, or frontend/node_modules is missing: only the digest of the sources is compared")
    subprocess.run([node, "build.mjs", "--out", str(tmp_path)], cwd=FRONTEND, check=True, timeout=120)
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    committed = {path.name: path.read_bytes() for path in STATIC.iterdir()}
    assert sorted(built) == sorted(committed)
    assert [name for name in built if built[name] != committed[name]] == []


def test_bundle_is_small() -> None:
    assert sum(path.stat().st_size for path in STATIC.iterdir()) <= MOST_BYTES


def needed(*names: str) -> set[str]:
    """The modules that these need before they run, themselves among them."""
    needs, left = set[str](), list(names)
    while left:
        name = left.pop()
        if name not in needs:
            needs.add(name)
            left += re.findall(r"""(?:from|import)"\./([\w-]+\.js)\"""", (STATIC / name).read_text())
    return needs


def page_module(tool: str) -> str:
    (path,) = STATIC.glob(f"{tool}-*.js")
    return path.name


def test_the_first_page_is_a_small_load() -> None:
    files = [*needed("index.js", page_module("overview")), "style.css"]
    sizes = {name: len(gzip.compress((STATIC / name).read_bytes(), 9)) for name in files}
    assert sum(sizes.values()) <= MOST_FIRST_BYTES, sizes


def test_trace_graphs_and_charts_are_loaded_when_first_used() -> None:
    """What the largest parts say in their text, and the pages that need them."""
    parts = {"trace": "trace-canvas", "graph": "rankdir", "charts": "u-over"}
    pages = {tool.name: page_module(tool.name) for tool in listed() if page_of(tool).is_file()}
    users: dict[str, set[str]] = {part: set() for part in parts}
    for page, module in pages.items():
        text = "".join((STATIC / name).read_text() for name in needed("index.js", module))
        for part in (part for part, mark in parts.items() if mark in text):
            users[part].add(page)
    assert users["trace"] == {"trace_viewer", "compare"}
    assert users["graph"] == {"tf_data", "graph_viewer"}
    assert users["charts"] < set(pages)
    shell = "".join((STATIC / name).read_text() for name in needed("index.js"))
    assert [part for part, mark in parts.items() if mark in shell] == []


def test_bundle_knows_no_other_origin() -> None:
    for path in STATIC.iterdir():
        addresses = set(re.findall(r"""(?:https?|wss?)://[^\s"'`)]*""", path.read_text()))
        assert addresses <= NAMESPACES | OPENED, f"{path.name} names another origin"


def test_bundle_makes_no_code_from_text() -> None:
    """TensorBoard's content security policy allows no eval; a library that tries it would be without what it made."""
    bundle = (STATIC / "index.js").read_text()
    assert re.findall(r"(?<![\w.$])(?:eval|Function)\(|new Function\b|set(?:Timeout|Interval)\([\"'`]", bundle) == []


def test_names_from_files_stay_text() -> None:
    for path in frontend_sources():
        if path.startswith("src/"):
            text = (FRONTEND / path).read_text()
            assert re.findall(FROM_TEXT_TO_HTML, text) == [], f"{path} makes HTML or code from text"


def test_lock_file_names_no_registry() -> None:
    packages = json.loads((FRONTEND / "package-lock.json").read_text())["packages"]
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
    declared = json.loads((FRONTEND / "package.json").read_text())
    versions = {**declared["dependencies"], **declared["devDependencies"]}
    assert [name for name, version in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []


def test_every_category_of_a_step_has_its_title_and_colour() -> None:
    text = (FRONTEND / "src" / "views" / "category.ts").read_text()
    titles = {key: title for key, _, title in re.findall(r'^  (\w+): \["(--[\w-]+)", "([^"]+)"\],$', text, re.M)}
    assert {category.key: titles.get(category.key) for category in CATEGORIES} == {c.key: c.title for c in CATEGORIES}
    palette = (FRONTEND / "src" / "palette.css").read_text()
    for variable in re.findall(r'\["(--[\w-]+)", ', text):
        assert palette.count(f"  {variable}: ") == 2, f"{variable} is not in both themes"


def typescript_fields() -> dict[str, list[str]]:
    """Interface → its fields, in order, from types.ts."""
    return interfaces((FRONTEND / "src" / "types.ts").read_text())


def interfaces(text: str) -> dict[str, list[str]]:
    declared = re.findall(r"export interface (\w+)(?:<[^>]*>)? \{\n(.*?)\n\}", text, re.S)
    return {name: re.findall(r"^  (\w+)\??:", body, re.M) for name, body in declared}


def names(declared: Any) -> list[str]:
    if issubclass(declared, msgspec.Struct):
        return list(declared.__struct_fields__)
    return [field.name for field in dataclasses.fields(declared)]


def test_typescript_types_are_the_python_ones() -> None:
    types = typescript_fields()
    plain = {"Column": Column, "TableSpec": TableSpec, "View": View, "Option": Option}
    plain |= {"Finding": Finding, "Evidence": Evidence, "Diagnosis": Diagnosis}
    assert {name: types[name] for name in plain} == {name: names(declared) for name, declared in plain.items()}
    assert types["Quality"] == [*names(QualityInWords), "decoder", "files"]
    assert types["FileUse"] == list(FileUse._fields)


def test_names_of_answers_in_typescript_are_the_declared_ones() -> None:
    made = subprocess.run([sys.executable, FRONTEND / "make_columns.py"], capture_output=True, text=True, check=True)
    interfaces = dict(re.findall(r"^  (\w+): \{\n(.*?)^  \};", made.stdout, re.M | re.S))
    assert set(interfaces) == {"runs", *(tool.name for tool in listed())}
    for tool in listed():
        unions = re.findall(r"^ +(\w+): (.*);", interfaces[tool.name], re.M)
        typed = {name: re.findall(r'"(\w+)"', union) for name, union in unions}
        assert typed.pop("options") == [option.name for option in tool.options]
        assert typed.pop("summary") == [column.name for column in tool.summary]
        assert typed == {table.name: [column.name for column in table.columns] for table in tool.tables}


def page_of(tool: Tool) -> Path:
    return FRONTEND / "src" / "tools" / f"{tool.name}.tsx"


@pytest.mark.parametrize("tool", listed(), ids=lambda tool: tool.name)
def test_a_page_asks_for_what_its_own_tool_declares(tool: Tool) -> None:
    """The types tell that some tool declares a name; words with a name in braces are no types."""
    page = page_of(tool).read_text()
    words = " ".join(re.findall(r'words: "([^"]*)"', page))
    figures = {*re.findall(r'summary\["(\w+)"\]', page), *re.findall(r"\{(\w+)\}", words)}
    assert figures - {column.name for column in tool.summary} - {f"{table.name}_rows" for table in tool.tables} == set()
    assert set(re.findall(r'tables\["(\w+)"\]', page)) - {table.name for table in tool.tables} == set()


def test_typescript_answer_is_what_python_sends() -> None:
    result = Result({"event_count": 0, "idle_share": None}, {}, {"idle_share": "events are only counted"})
    answer = Answer(COUNT, "r", ("h",), result, Quality(), "compiled").to_dict()
    types = typescript_fields()
    assert types["Answer"] == list(answer)
    assert types["Quality"] == list(answer["quality"])


def sent(logdir: Path, route: str) -> Any:
    """What the route sends for that logdir, once its scan is over."""
    scanned = Logdir.from_flags(str(logdir))
    scanned.snapshot(wait_s=10.0)
    return Client(Site(scanned).apps()[route]).get(route).json


def test_typescript_runs_are_what_the_route_sends(make_logdir: MakeLogdir) -> None:
    types = typescript_fields()
    runs = sent(make_logdir({"run/plugins/profile/r/vm.xplane.pb": Space()}), "/runs")
    assert types["Runs"] == [*runs, "diagnosis"]
    assert types["Run"] == list(runs["runs"][0])
    assert types["Host"] == list(runs["runs"][0]["hosts"][0])


def test_typescript_tools_are_what_the_route_sends(tmp_path: Path) -> None:
    types = typescript_fields()
    tools = sent(tmp_path, "/tools")
    assert types["Tools"] == list(tools)
    assert types["ToolSpec"] == list(tools["tools"][0])
    assert types["Missing"] == list(tools)
    assert types["Runs"] == list(sent(tmp_path, "/runs"))


def test_typescript_captures_are_what_the_routes_send(tmp_path: Path) -> None:
    text = (FRONTEND / "src" / "shell" / "capture_api.ts").read_text()
    types = interfaces(text)
    plain = {"CaptureOptions": capture.Options, "Preset": capture.Preset, "Checked": capture.Checked}
    plain |= {"HostState": capture.HostState, "HostOutcome": capture.HostOutcome}
    assert {name: types[name] for name in plain} == {name: names(declared) for name, declared in plain.items()}
    offer = sent(tmp_path, "/capture/options")
    assert types["CaptureOffer"] == list(offer)
    assert types["CaptureRoot"] == list(offer["roots"][0])
    assert types["CaptureState"] == ["schema", *Job(("a:1",)).state]
    assert {"HostState": types["HostState"]} == {"HostState": list(Job(("a:1",)).state["hosts"][0])}
