"""What is shipped: the archives' contents, and that they install anywhere and open a capture in a real TensorBoard."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "tests" / "samples" / "gpu_streams"
PROBE = ROOT / "tests" / "matrix" / "probe.py"
INSTALLED_BYTES = 16_000_000
SIZE_OF_FILES = """
from importlib.metadata import files
print(sum(path.locate().stat().st_size for path in files("tensorboard-perfplugin")))
"""


def run(*command: str | Path, **env: str) -> str:
    # The tests' own cache folder would have pip download everything again.
    env = {**os.environ, "PIP_CACHE_DIR": str(Path.home() / ".cache" / "pip"), **env}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive and the wheel made from it, the one without compiled loops."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT, PERFPLUGIN_LOOPS="none")
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    return next(dist.glob("*.whl"))


@pytest.fixture(scope="module")
def sdist(dist: Path) -> Path:
    return next(dist.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment's Python, with the TensorBoard that a user gets today and nothing else."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "tensorboard")
    return folder / "bin" / "python"


def packages(python: Path) -> set[str]:
    return {package["name"] for package in json.loads(run(python, "-m", "pip", "list", "--format=json"))}


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    package = {
        name.removeprefix("tensorboard_perfplugin/") for name in names if name.startswith("tensorboard_perfplugin/")
    }
    assert {name.split("/")[0].split("-")[0] for name in names} == {"tensorboard_perfplugin"}
    assert {"py.typed", "static/index.js", "web/http_api.md"} <= package
    assert {Path(name).suffix for name in package if name.startswith("decode/")} >= {".proto", ".desc"}
    assert {Path(name).suffix for name in package} <= {
        ".py",
        ".so",
        ".pyd",
        ".typed",
        ".js",
        ".css",
        ".md",
        ".proto",
        ".desc",
    }
    sources = {path.relative_to(ROOT / "tensorboard_perfplugin").as_posix() for path in shipped_sources()}
    assert {name for name in package if not re.search(r"\.(so|pyd)$", name)} == sources


def shipped_sources() -> list[Path]:
    """Every file of the package, less what only compiling reads, and what compiling and running leave."""
    return [
        path
        for path in (ROOT / "tensorboard_perfplugin").rglob("*")
        if path.is_file() and path.suffix not in {".pxd", ".c", ".so", ".pyd", ".pyc"}
    ]


def test_wheel_says_who_we_are(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    texts = {Path(name).name: archive.read(name).decode() for name in archive.namelist() if ".dist-info/" in name}
    assert "perfplugin = tensorboard_perfplugin.plugin:PerfPluginLoader" in texts["entry_points.txt"]
    assert "perfplugin = tensorboard_perfplugin.cli:main" in texts["entry_points.txt"]
    assert "Apache License" in texts["LICENSE"]
    needs = re.findall(r"^Requires-Dist: (.*)$", texts["METADATA"], re.MULTILINE)
    assert sorted(need for need in needs if "extra ==" not in need) == [
        "grpcio",
        "msgspec>=0.19",
        "numpy>=1.26",
        "protobuf>=4.25",
        "tensorboard>=2.16",
        "werkzeug",
    ]


def test_source_archive_builds_and_checks_the_package(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Makefile", "LICENSE", "CHANGELOG.md", "frontend/package-lock.json", "tests/build_capture.py"} <= names
    assert not [name for name in names if re.search(r"node_modules|__pycache__|\.(so|pyd|pyc|c)$", name)]


def test_the_wheel_opens_a_capture(wheel: Path, tmp_path: Path) -> None:
    """In an environment of its own, which borrows the packages that tests have."""
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path)
    python = tmp_path / "bin" / "python"
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')"))
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", wheel)
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    report = json.loads(run(python, PROBE, SAMPLE))
    assert (report["tab"], report["decoder"]) == ("Profile", "protobuf")
    assert report["events"] > 0


@pytest.mark.slow
def test_installs_without_compiler_and_node_and_opens_a_capture(python: Path, sdist: Path, tmp_path: Path) -> None:
    """No C compiler, and a Node that fails when called: the slow decoder, and the bundle as it was committed."""
    for name in ("node", "npm", "npx"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    before = packages(python)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    run(python, "-m", "pip", "install", "--quiet", sdist, CC="/bin/false", PATH=path)
    assert packages(python) - before == {"msgspec", "tensorboard-perfplugin"}
    report = json.loads(run(python, PROBE, SAMPLE))
    assert (report["tab"], report["decoder"]) == ("Profile", "protobuf")


@pytest.mark.slow
def test_the_wheel_installs_compiled_and_opens_the_same_capture(python: Path, tmp_path: Path) -> None:
    """But for the optimizing: that takes half a minute."""
    compiler = tmp_path / "cc"
    compiler.write_text(f'#!/bin/sh\nexec {sysconfig.get_config_var("CC")} "$@" -O0\n')
    compiler.chmod(0o755)
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT, CC=str(compiler))
    (wheel,) = tmp_path.glob("*.whl")
    run(python, "-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps", wheel)
    report = json.loads(run(python, PROBE, SAMPLE))
    assert (report["tab"], report["decoder"]) == ("Profile", "compiled")
    assert report["events"] > 0
    assert int(run(python, "-c", SIZE_OF_FILES)) <= INSTALLED_BYTES
