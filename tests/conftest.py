"""What tests of several folders share: the real captures, and a logdir made from built ones."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings

from tests.build_capture import Space

ROOT = Path(__file__).parents[1]
SHARED_CAPTURES = ROOT.parent / "shared" / "captures"
SAMPLES = ROOT / "tests" / "samples"

# No test fails because the machine is busy, and the same tree has the same outcome each time; `make fuzz` searches on.
settings.register_profile("steady", deadline=None, derandomize=True, database=None)
settings.register_profile("searching", deadline=None)
settings.load_profile("steady")

#: Where tests start browsers, servers and frameworks, and build wheels: they come first, and `make test-fast` has none.
LONG = (
    "tests/integration/",
    "tests/test_wheel.py",
    "tests/capture/test_profile_programs.py",
    "tests/stores/",
    "tests/answers/test_disk.py",
    "tests/answers/partials/test_cluster.py",
    "tests/answers/partials/test_processes.py",
    "tests/cli/test_cli.py::TestProcess",
    "tests/cli/test_compare_docs.py",
    "tests/tools/every/",
    "tests/tools/test_damaged_programs.py",
    "tests/trace/test_export.py",
    "tests/trace/test_proofs.py",
    "tests/trace/test_windows.py",
    "tests/test_benchmarks",
    "tests/test_changed.py",
    "tests/test_container.py",
    "tests/test_contributing.py",
    "tests/test_documented.py",
    "tests/test_docs.py",
    "tests/test_reproducible.py",
    "tests/test_security.py",
    "tests/test_site.py",
)
#: What gives real captures, of which some are large.
REAL = {"shared_captures", "xplane_files"}

MakeLogdir: TypeAlias = Callable[[dict[str, "Space | bytes"]], Path]


#: Tests of browsers and servers, which may be tried once more; pytest names each that was at its end.
TRIED_AGAIN = ("tests/capture/", "tests/integration/", "tests/web/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first: of tests side by side, the short ones fill the end."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
    for item in items:
        if item.nodeid.startswith(LONG) or REAL & {*getattr(item, "fixturenames", ())}:
            item.add_marker(pytest.mark.long)
        if item.nodeid.startswith(TRIED_AGAIN):
            item.add_marker(pytest.mark.flaky(reruns=1))


def slow_unless(is_usual: bool) -> tuple[pytest.MarkDecorator, ...]:
    """Marks what `make test` leaves to `make test-all`."""
    return () if is_usual else (pytest.mark.slow,)


def slow_but(usual: Container[object], values: Iterable[object]) -> list[ParameterSet]:
    """Values of a parameter: all but the usual ones are slow. Of several, all of them or the first name the usual."""
    rows = [value if isinstance(value, tuple) else (value,) for value in values]
    return [pytest.param(*row, marks=slow_unless(row in usual or row[0] in usual)) for row in rows]


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Answers that tests keep on disk, in this process and in those it starts, stay out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        # Tables are as wide as where there is no terminal.
        patch.delenv("COLUMNS", raising=False)
        yield


@pytest.fixture(scope="session")
def shared_captures() -> Path:
    """The folder of real captures, which lies beside a checkout where there is one."""
    if not SHARED_CAPTURES.is_dir():
        pytest.skip("no ../shared/captures beside this checkout: real captures are not read")
    return SHARED_CAPTURES


@pytest.fixture(scope="session")
def xplane_files() -> list[Path]:
    """Captures in TensorFlow's format: the samples, and the real ones beside a checkout where there are some."""
    folders = (SAMPLES, SHARED_CAPTURES / "xplane")
    return [file for folder in folders for file in sorted(folder.rglob("*.xplane.pb"))]


@pytest.fixture
def make_logdir(tmp_path: Path) -> MakeLogdir:
    """`make_logdir({"train/plugins/profile/r1/h.xplane.pb": space})` writes the files and gives their logdir."""

    def make(files: dict[str, Space | bytes]) -> Path:
        for name, content in files.items():
            path = tmp_path / "logs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.bytes())
        return tmp_path / "logs"

    return make
