"""The arrows between the package's rooms point one way, and TensorBoard's start pays for none of the heavy ones."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "tensorboard_perfplugin"

#: Room → rooms it may import. A room is a folder or a module at the package's top.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "_version": set(),
    "wire": set(),
    "formats": {"wire"},
    "tables": {"formats", "errors"},
    "logdir": {"formats", "wire", "errors"},
    "decode": {"tables", "formats", "wire", "errors"},
    "timeline": {"tables", "formats", "wire", "errors"},
    "tools": {"timeline", "tables", "formats", "wire", "errors"},
    "capture": {"wire", "decode", "logdir", "tables", "errors", "_version"},
    "answers": {"logdir", "decode", "timeline", "tools", "tables", "errors", "_version"},
    "doctor": {"formats", "logdir", "decode", "timeline", "tables", "errors"},
    "api": {"answers", "logdir", "decode", "timeline", "tools", "tables", "errors"},
    "web": {"answers", "capture", "doctor", "tools", "tables", "logdir", "errors", "_version"},
    "cli": {"answers", "capture", "doctor", "api", "tools", "tables", "logdir", "errors", "_version"},
    "plugin": {"web", "logdir", "errors"},
    "__init__": {"api", "capture", "_version"},
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


def room(path: Path, package: Path) -> str:
    return path.relative_to(package).parts[0].removesuffix(".py")


def imported(path: Path, package: Path) -> Iterator[tuple[str, int]]:
    """Every name of the package that a file imports, dotted from the package root (itself: ""), and its line."""
    folder = [package.name, *path.relative_to(package).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = folder[: len(folder) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{stem}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == package.name:
                yield name[len(package.name) + 1 :], node.lineno


def wrong_arrows(package: Path) -> list[str]:
    """What no arrow allows. A name of the root that is no room is the root itself, which is nobody's to import."""
    rooms = {room(path, package) for path in package.rglob("*.py")}
    return [
        f"{path.relative_to(package)}:{line} imports {target or 'the package root'}"
        for path in sorted(package.rglob("*.py"))
        for target, line in imported(path, package)
        if (there := target.split(".")[0] if target.split(".")[0] in rooms - {"__init__"} else "")
        != room(path, package)
        and there not in MAY_IMPORT[room(path, package)]
    ]


def test_every_room_is_listed() -> None:
    assert {room(path, PACKAGE) for path in PACKAGE.rglob("*.py")} == set(MAY_IMPORT)


def test_imports_follow_the_arrows() -> None:
    assert wrong_arrows(PACKAGE) == []


def test_the_arrows_have_no_way_round() -> None:
    """Rooms without arrows out can be taken away, again and again, until none is left."""
    left = {name: set(targets) for name, targets in MAY_IMPORT.items()}
    while free := [name for name, targets in left.items() if not targets & set(left)]:
        left = {name: targets for name, targets in left.items() if name not in free}
    assert left == {}


def test_a_wrong_arrow_is_seen(tmp_path: Path) -> None:
    package = tmp_path / "pkg"
    for name, text in {
        "__init__.py": "x = 1\n",
        "errors.py": "",
        "tables/__init__.py": "from ..errors import E\nfrom .. import errors\n",
        "tables/inner.py": "import pkg\nfrom .. import x\nfrom . import other\nfrom ..web import y\nimport pkg.web.z\n",
        "tables/other.py": "def f():\n    from pkg import web\n",
        "web/__init__.py": "",
    }.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    assert wrong_arrows(package) == [
        "tables/inner.py:1 imports the package root",
        "tables/inner.py:2 imports x",
        "tables/inner.py:4 imports web.y",
        "tables/inner.py:5 imports web.z",
        "tables/other.py:2 imports web",
    ]


def test_importing_the_plugin_is_light() -> None:
    code = f"import sys, tensorboard_perfplugin.plugin; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
