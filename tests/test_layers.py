"""Imports follow the flow of docs/design.md: rooms without circles, through what each exports.

A room is a folder or a module at the package's top. Imports that only type checkers see count as any other.
TensorBoard's start pays for none of the heavy ones.
"""

from __future__ import annotations

import ast
import functools
import importlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parents[1] / "tensorboard_perfplugin"

#: What any room may import.
LEAVES = {"errors", "heap", "messages", "patterns", "stores", "threshold", "units", "wire", "work", "_version"}
#: Room → rooms it may import besides.
MAY_IMPORT: dict[str, set[str]] = {
    **{leaf: set() for leaf in LEAVES},
    "formats": set(),
    "tables": {"formats"},
    "logdir": {"formats"},
    "decode": {"tables", "formats"},
    "timeline": {"formats", "tables"},
    "analysis": {"formats", "timeline", "tables"},
    "advice": {"analysis", "timeline", "tables"},
    "trace": {"formats", "analysis", "advice", "timeline", "tables"},
    "tools": {"formats", "trace", "advice", "analysis", "timeline", "tables"},
    "capture": {"decode", "logdir", "tables"},
    "answers": {"formats", "logdir", "decode", "timeline", "trace", "advice", "tools", "tables"},
    "relations": {"analysis", "answers", "logdir", "timeline", "tools", "trace", "tables"},
    "doctor": {"formats", "advice", "logdir", "decode", "timeline", "tables"},
    "reference": {"advice", "analysis", "answers", "timeline", "tools", "trace", "tables"},
    "api": {"formats", "answers", "logdir", "decode", "relations", "timeline", "tools", "tables", "web"},
    "web": {"answers", "capture", "doctor", "relations", "tools", "tables", "logdir"},
    "cli": {"advice", "answers", "capture", "doctor", "api", "reference", "relations", "tools", "tables", "logdir"},
    "plugin": {"web", "logdir"},
    "__init__": {"api", "capture"},
    "__main__": {"cli"},
}

#: What the import of the plugin may not pull in: each costs a tenth of a second or more.
HEAVY = [
    "numpy",
    "google.protobuf",
    "cython",
    "pandas",
    "tensorboard_perfplugin.decode",
    "tensorboard_perfplugin.tables",
    "tensorboard_perfplugin.capture",
    "grpc",
]


class Imported(NamedTuple):
    """One imported name. module: where it is imported from, dotted from the package root (itself: "")."""

    importer: str
    line: int
    module: str
    name: str

    @property
    def target(self) -> str:
        return f"{self.module}.{self.name}" if self.module else self.name


def modules(package: Path) -> dict[str, Path]:
    """Dotted name from the package root → file; a folder's name stands for its `__init__`."""
    names = {path: path.relative_to(package).with_suffix("").parts for path in sorted(package.rglob("*.py"))}
    return {
        ".".join(parts if len(parts) == 1 or parts[-1] != "__init__" else parts[:-1]): p for p, parts in names.items()
    }


@functools.lru_cache(maxsize=1)
def imports(package: Path) -> tuple[Imported, ...]:
    return tuple(imports_of(package))


def imports_of(package: Path) -> Iterator[Imported]:
    for module, path in modules(package).items():
        folder = [package.name, *path.relative_to(package).parts[:-1]]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names = [alias.name.rpartition(".") for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = folder[: len(folder) - node.level + 1] if node.level else []
                stem = ".".join([*base, *([node.module] if node.module else [])])
                names = [(stem, ".", alias.name) for alias in node.names]
            else:
                continue
            for stem, _, name in names:
                top, _, inner = (stem or name).partition(".")
                if top == package.name:
                    yield Imported(module, node.lineno, inner, name if stem else "")


def room(module: str) -> str:
    return module.partition(".")[0]


def wrong_arrows(package: Path) -> list[str]:
    """What no arrow allows. A name of the root that is no room is the root itself, which is nobody's to import."""
    rooms = {room(module) for module in modules(package)} - {"__init__"}
    return [
        f"{each.importer}:{each.line} imports {each.target or 'the package root'}"
        for each in imports(package)
        if (there := room(each.target) if room(each.target) in rooms else "") != room(each.importer)
        and there not in MAY_IMPORT[room(each.importer)] | LEAVES
    ]


def inner_imports(package: Path) -> list[str]:
    """Imports from another room of what it keeps to itself: where its face has a list, what that does not name; of a
    room whose face is its modules, names with an underscore."""
    faces = {name: exports(path) for name, path in modules(package).items() if path.parent.parent == package}
    found = []
    for each in imports(package):
        owner = room(each.module)
        if not owner or owner == room(each.importer) or room(each.module) == "__init__":
            continue
        is_named = each.module == owner and each.name in faces.get(owner, ())
        is_own = each.name.startswith("_") and not each.name.startswith("__")
        if is_own or (faces.get(owner) and not is_named):
            found.append(f"{each.importer}:{each.line} imports {each.target}")
    return found


def unused_exports(package: Path, *others: Path) -> list[str]:
    """What the face of a room names, and no other room nor any file of other folders does."""
    named = {path: identifiers(path) for folder in (package, *others) for path in folder.rglob("*.py")}
    return [
        f"{name}.{each}"
        for name, face in modules(package).items()
        if face.parent.parent == package
        for each in sorted(exports(face))
        if not any(each in names for path, names in named.items() if not path.is_relative_to(face.parent))
    ]


def identifiers(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names | {node.name for node in nodes if isinstance(node, ast.alias)}


def exports(path: Path) -> set[str]:
    """The names in a module's `__all__`."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return {str(name) for name in ast.literal_eval(node.value)}
    return set()


def arrows(package: Path) -> dict[str, set[str]]:
    """Module → the modules it imports; imports within functions count.

    A name of a folder is what its `__init__` takes it from, so that an `__init__` that collects names makes no circle.
    """
    known = modules(package)
    found: dict[str, set[str]] = {name: set() for name in known}
    imported = imports(package)
    sources = {(e.importer, e.name): e for e in imported if e.importer in known}
    for each in imported:
        target = each.target if each.target in known else each.module
        while (again := sources.get((target, each.name))) and known[target].name == "__init__.py":
            target = again.target if again.target in known else again.module
        if target in known and target != each.importer:
            found[each.importer].add(target)
    return found


def circles(package: Path) -> list[list[str]]:
    """Modules that import each other, over whatever way."""
    return [sorted(circle) for circle in strongly_connected(arrows(package)) if len(circle) > 1]


def strongly_connected(arrows: Mapping[str, set[str]]) -> list[set[str]]:
    """Those from which each can be reached from each other one."""
    reach = {name: reachable(name, arrows) for name in arrows}
    left, found = set(arrows), []
    while left:
        name = left.pop()
        circle = {name} | {other for other in reach[name] if name in reach[other]}
        left -= circle
        found.append(circle)
    return found


def reachable(name: str, arrows: Mapping[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        new = arrows[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def test_every_room_is_listed() -> None:
    assert {room(module) for module in modules(PACKAGE)} == set(MAY_IMPORT)


def test_imports_follow_the_arrows() -> None:
    assert wrong_arrows(PACKAGE) == []


def test_the_arrows_have_no_way_round() -> None:
    """Rooms without arrows out can be taken away, again and again, until none is left."""
    assert [circle for circle in strongly_connected(MAY_IMPORT) if len(circle) > 1] == []


def test_no_module_imports_itself_by_others() -> None:
    assert circles(PACKAGE) == []


def test_rooms_use_only_what_others_export() -> None:
    assert inner_imports(PACKAGE) == []


def test_what_is_exported_is_there_also_where_it_is_imported_later() -> None:
    rooms = [name for name, path in modules(PACKAGE).items() if path.name == "__init__.py" and exports(path)]
    for name in rooms:
        of = importlib.import_module(f"{PACKAGE.name}.{name}" if name != "__init__" else PACKAGE.name)
        assert [each for each in exports(modules(PACKAGE)[name]) if not hasattr(of, each)] == [], name


@pytest.mark.parametrize("tool", ["hlo_stats", "op_profile", "memory_viewer", "graph_viewer"])
def test_a_page_of_programs_imports_nothing_of_steps(tool: str) -> None:
    """Imports are a third of what the command takes of a small capture."""
    left_out = ("timeline.split", "timeline.steps", "timeline.assignment", "analysis.steps", "analysis.memory", "trace")
    program = f"import sys; from {PACKAGE.name} import api, tools; tools.find_tool({tool!r}); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    assert [name for name in left_out if f"{PACKAGE.name}.{name}" in done.stdout.split()] == []


def test_no_room_exports_what_none_imports() -> None:
    assert unused_exports(PACKAGE, *(PACKAGE.parent / name for name in ("tests", "benchmarks", "docs"))) == []


def test_an_overview_loads_few_modules() -> None:
    """The first answer of the command is imports, mostly: they were 604."""
    program = (
        f"import sys; from {PACKAGE.name}.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "overview", str(PACKAGE.parent / "tests" / "samples" / "jax_train")],
        capture_output=True,
        text=True,
        check=True,
        cwd=PACKAGE.parent,
    )
    loaded = [name for name in done.stderr.split() if name.startswith(PACKAGE.name)]
    assert 100 < len(loaded) <= 220


def build(package: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    return package


def test_a_wrong_arrow_is_seen(tmp_path: Path) -> None:
    package = build(
        tmp_path / "pkg",
        {
            "__init__.py": "x = 1\n",
            "errors.py": "",
            "tables/__init__.py": "from ..errors import E\nfrom .. import errors\n",
            "tables/inner.py": "import pkg\nfrom .. import x\nfrom . import other\nfrom ..web import y\n"
            "import pkg.web.z\n",
            "tables/other.py": "def f():\n    from pkg import web\n",
            "web/__init__.py": "",
        },
    )
    assert wrong_arrows(package) == [
        "tables.inner:1 imports the package root",
        "tables.inner:2 imports x",
        "tables.inner:4 imports web.y",
        "tables.inner:5 imports web.z",
        "tables.other:2 imports web",
    ]


def test_an_import_past_what_a_room_exports_is_seen(tmp_path: Path) -> None:
    package = build(
        tmp_path / "pkg",
        {
            "__init__.py": "",
            "tables/__init__.py": "from .inner import a, kept\n__all__ = ['a', 'kept']\n",
            "tables/inner.py": "a = b = kept = 1\n",
            "timeline/__init__.py": "",
            "timeline/steps/find.py": "from ..root import _r\nc = _d = 1\n",
            "timeline/root.py": "from .steps.find import c\n_r = 1\n",
            "web/__init__.py": "from ..tables import a, b\nfrom ..tables.inner import a\n"
            "from ..timeline.steps.find import c, _d\n",
        },
    )
    assert inner_imports(package) == [
        "web:1 imports tables.b",
        "web:2 imports tables.inner.a",
        "web:3 imports timeline.steps.find._d",
    ]
    assert unused_exports(package) == ["tables.kept"]


def test_a_circle_is_seen_also_for_types_alone(tmp_path: Path) -> None:
    package = build(
        tmp_path / "pkg",
        {
            "a/__init__.py": "from .one import x\nfrom .two import y\n__all__ = ['x', 'y']\n",
            "a/one.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .two import y\nx = 1\n",
            "a/two.py": "from . import one\ny = 1\n",
            "b.py": "from .a import x\n",
        },
    )
    assert circles(package) == [["a.one", "a.two"]]


def test_importing_the_plugin_is_light() -> None:
    code = f"import sys, tensorboard_perfplugin.plugin; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
