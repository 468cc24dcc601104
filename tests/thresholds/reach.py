"""Which tests execute which lines that read a constant: each file of tests is run once under a light tracer.

Some files share a process, since importing the package takes longer than most of them.

A function that reads no constant costs one call of the tracer; one that does is followed line by line until all of its
lines of interest have been executed by the test that runs.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from tests.thresholds.forked import forget, run_pytest

#: These compare what is written with what is declared: they notice every change, and no wrong decision.
DOCUMENTS = ("tests/test_documented.py", "tests/test_size.py", "tests/test_static.py", "tests/test_layers.py")
#: These start servers, browsers, frameworks or environments, or test this.
FAR = ("tests/integration/", "tests/matrix/", "tests/parity/", "tests/programs/", "tests/thresholds/")
FAR_FILES = ("tests/test_wheel.py", "tests/test_benchmarks.py", "tests/capture/test_profile_programs.py")
#: These, and tests with this fixture, need the captures beside a checkout, which others do not have.
BESIDE_FILES = ("tests/decode/test_captures.py", "tests/decode/test_shared_traces.py")
BESIDE = "shared_captures"


@dataclasses.dataclass
class Reached:
    """What a file's tests execute. Tests are numbered as in `tests`: (id, seconds)."""

    tests: list[tuple[str, float]]
    #: "file:line" of a line of interest, and every file of the package: the tests that come there.
    lines: dict[str, list[int]]
    files: dict[str, list[int]]
    #: What the file and the package's files were when this was recorded.
    digests: dict[str, str]


class BrokenOffError(RuntimeError):
    """pytest ended without having run what it was given: of no file is known what its tests execute."""


@functools.cache
def digest(path: Path) -> str:
    """Of a file as it was when this run first asked."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else ""


def _waited_s() -> float:
    """How long this thread has waited for a processor that others had, where the system tells."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


class Tracer:
    """A plugin of pytest that notes for each test the lines of interest that it executes."""

    def __init__(self, root: Path, package: str, interest: set[tuple[str, int]]) -> None:
        self.prefix = str(root / package)
        self.wanted: dict[str, set[int]] = {}
        for path, line in interest:
            self.wanted.setdefault(path, set()).add(line)
        self.codes: dict[CodeType, frozenset[int] | None] = {}
        self.file = ""
        self.lines: set[tuple[str, int]] = set()
        self.files: set[str] = set()
        self.passed: dict[str, float] = {}
        self.waited: dict[str, float] = {}
        self.seen: dict[str, tuple[list[tuple[str, int]], list[str]]] = {}

    def _lines_of(self, code: CodeType) -> frozenset[int] | None:
        """The lines of interest of a function; None where it is not the package's."""
        if not code.co_filename.startswith(self.prefix) or code.co_name == "<module>":
            return None
        own = {line for _, _, line in code.co_lines() if line is not None}
        return frozenset(own & self.wanted.get(code.co_filename, set()))

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        try:
            lines = self.codes[code]
        except KeyError:
            lines = self.codes[code] = self._lines_of(code)
        if lines is None:
            return None
        path = code.co_filename
        self.files.add(path)
        left = {line for line in lines if (path, line) not in self.lines}
        if not left:
            return None

        def line(frame: FrameType, event: str, _: Any) -> Any:
            if frame.f_lineno in left:
                self.lines.add((path, frame.f_lineno))
                left.discard(frame.f_lineno)
            return line if left else None

        return line

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Without long random tests, too: what these alone notice nobody can check by eye."""
        items[:] = [
            item
            for item in items
            if BESIDE not in getattr(item, "fixturenames", ()) and not item.get_closest_marker("slow")
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        file = item.nodeid.split("::")[0]
        if file != self.file:
            # What an earlier file's tests have made is made again.
            forget(Path(self.prefix).name)
            self.file = file
        self.lines, self.files = set(), set()
        threading.settrace(self._call)
        waited_s = _waited_s()
        sys.settrace(self._call)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            self.waited[item.nodeid] = _waited_s() - waited_s
            self.seen[item.nodeid] = (sorted(self.lines), sorted(self.files))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.passed:
            self.passed[report.nodeid] = self.passed.get(report.nodeid, 0.0) + report.duration
        elif report.failed or report.when == "call":
            self.passed[report.nodeid] = -1e9

    def answer(self, file: str) -> dict[str, Any]:
        """Of one file, as `Reached`, without digests; of tests that pass."""
        own = [test for test in self.seen if test.split("::")[0] == file]
        took = {test: self.passed[test] - self.waited[test] for test in own if self.passed.get(test, -1) >= 0}
        tests = [(test, round(max(seconds, 0.0), 3)) for test, seconds in took.items()]
        lines: dict[str, list[int]] = {}
        files: dict[str, list[int]] = {}
        for index, (test, _) in enumerate(tests):
            for path, line in self.seen[test][0]:
                lines.setdefault(f"{path}:{line}", []).append(index)
            for path in self.seen[test][1]:
                files.setdefault(path, []).append(index)
        known = [name for name in sys.modules if not name.startswith(("tests", "__", "_pytest", "test_"))]
        whole = all(self.passed.get(test, 0) >= 0 for test in own)
        return {"tests": tests, "lines": lines, "files": files, "modules": known, "whole": whole}


def test_files(root: Path, folder: str) -> list[Path]:
    """The files whose tests may be the nearest of a constant."""
    found = []
    for path in sorted((root / folder).rglob("test_*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(FAR) and name not in (*DOCUMENTS, *FAR_FILES, *BESIDE_FILES):
            found.append(path)
    return found


class Reach:
    """What is known of all files of tests, kept in a folder between runs."""

    def __init__(self, root: Path, package: str, cache: Path, interest: set[tuple[str, int]]) -> None:
        self.root, self.package, self.cache, self.interest = root, package, cache, interest
        self.known: dict[str, Reached] = {}
        self.modules: set[str] = set()
        self.traced: set[Path] = set()

    def load(self, files: list[Path], wanted: set[str] | None) -> list[Path]:
        """Read what is kept of `files`; gives those that have to be run anew.

        wanted: the package's files whose lines will be asked for, if only these must be as they were; that others have
        changed may lead a test elsewhere.
        """
        stale = []
        for path in [path for path in files if path not in self.traced]:
            kept = self._kept(path)
            if kept.is_file():
                body = json.loads(kept.read_text())
                self.modules.update(body.pop("modules"))
                reached = Reached(**body)
                if all(
                    self._state(name) == was
                    for name, was in reached.digests.items()
                    if wanted is None or name in wanted or name == str(path)
                ):
                    self.known[str(path)] = reached
                    continue
            stale.append(path)
        return stale

    def _state(self, name: str) -> str:
        """Of a file: its text, and which of its lines are of interest."""
        lines = self._lines.get(name, [])
        return digest(Path(name)) + hashlib.sha256(repr(sorted(lines)).encode()).hexdigest()[:8] * bool(lines)

    @functools.cached_property
    def _lines(self) -> dict[str, list[int]]:
        lines: dict[str, list[int]] = {}
        for path, line in self.interest:
            lines.setdefault(path, []).append(line)
        return lines

    def trace(self, paths: Sequence[Path]) -> dict[str, Any]:
        """In a child: run some files of tests under the tracer."""
        tracer = Tracer(self.root, self.package, self.interest)
        code = run_pytest([*map(str, paths)], [tracer])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED):
            raise BrokenOffError(f"pytest {code}")
        return {str(path): tracer.answer(path.relative_to(self.root).as_posix()) for path in paths}

    def keep(self, path: Path, body: dict[str, Any]) -> None:
        """What `trace` gave: for this run and, if no test failed, which may come further another time, the next."""
        body["digests"] = {name: self._state(name) for name in (str(path), *body["files"])}
        if body.pop("whole"):
            self._kept(path).parent.mkdir(parents=True, exist_ok=True)
            self._kept(path).write_text(json.dumps(body))
        self.modules.update(body.pop("modules"))
        self.known[str(path)] = Reached(**body)
        self.traced.add(path)

    def _kept(self, path: Path) -> Path:
        return self.cache / "reach" / (path.relative_to(self.root).as_posix().replace("/", "+") + ".json")

    def tests_at(self, lines: set[tuple[str, int]]) -> dict[str, float]:
        """The tests that execute one of the lines, with the seconds each takes."""
        wanted = {f"{path}:{line}" for path, line in lines}
        return self._tests(lambda reached: (reached.lines[key] for key in wanted & reached.lines.keys()))

    def tests_in(self, files: set[str]) -> dict[str, float]:
        """The tests that execute a function of one of the files."""
        return self._tests(lambda reached: (reached.files[key] for key in files & reached.files.keys()))

    def _tests(self, pick: Any) -> dict[str, float]:
        found: dict[str, float] = {}
        for reached in self.known.values():
            for numbers in pick(reached):
                found.update(reached.tests[index] for index in numbers)
        return found
