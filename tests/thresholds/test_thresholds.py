"""The tool on small packages: it names the numbers that no test holds, and only those."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.thresholds.constants import constants
from tests.thresholds.kept import BROKEN, NOTICED
from tests.thresholds.mutants import Mutant, changes, matches, plan
from tests.thresholds.near import own_files
from tests.thresholds.reach import test_files as files_of_tests
from tests.thresholds.run import Settings, Trial
from tests.thresholds.stated import _in_name, folders_shared, states
from tests.thresholds.uses import Uses, modules

ROOT = Path(__file__).parents[2]

PACKAGE = """\
import functools
from typing import NamedTuple

class Threshold(NamedTuple):
    name: str
    value: float

HELD = 10
LOOSE = 0.8
MS_PER_S = 1000
LISTED = 7
LATE = 20

def long(value, limit=HELD):
    return value > limit

def most(share):
    return share > LOOSE

def listed(value):
    return value > LISTED

def never(value):
    return value > LATE

FEW = Threshold("few", 3)
MANY = Threshold("many", 300)

@functools.cache
def few(value):
    return value < FEW.value
"""
#: The same thresholds under other names, in another module.
OTHER = """\
from . import FEW as LEAST, MANY as MOST

def other(value):
    return LEAST.value <= value < MOST.value
"""
TESTS = """\
import pytest
from small import FEW, few, listed, long, most
from small.other import other

def test_long():
    assert long(11) and not long(10)

def test_most():
    assert most(0.95)

def test_listed():
    assert listed(100)

@pytest.mark.parametrize(("value", "expected"), [(2, True), (3, False)])
def test_few(value, expected):
    assert few(value) == expected

def test_other():
    assert other(3) and not other(2) and not other(1000)
"""
SURVIVORS = """\
small/__init__.py:9 LOOSE = 0.8 →0.9 (1 tests ran)
small/__init__.py:9 LOOSE = 0.8 ÷2 (1 tests ran)
small/__init__.py:12 LATE = 20 ×2 (0 tests ran)
small/__init__.py:12 LATE = 20 ÷2 (0 tests ran)
small/__init__.py:27 MANY = 300 ×2 (1 tests ran)
small/__init__.py:27 MANY = 300 ÷2 (1 tests ran)
10 changes of 5 numbers: 4 noticed, 4 survived, 2 untested
left out: 1 conversion of units, 1 listed as not deciding
"""


def thresholds(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.thresholds", "--root", str(folder), "--package", "small", *words]
    allowed = ["--not-deciding", str(folder / "not_deciding.txt")]
    return subprocess.run([*command, *allowed], cwd=ROOT, capture_output=True, text=True)


def small(folder: Path, tests: str, allowed: str = "LISTED — a test of this file\n") -> None:
    (folder / "small").mkdir(exist_ok=True)
    (folder / "small" / "__init__.py").write_text(PACKAGE)
    (folder / "small" / "other.py").write_text(OTHER)
    (folder / "tests").mkdir(exist_ok=True)
    (folder / "tests" / "test_small.py").write_text(tests)
    (folder / "not_deciding.txt").write_text(allowed)


@pytest.mark.parametrize(("words", "note"), [((), "4 of 6 changes need no new import\n"), (("--anew",), "")])
def test_names_what_no_test_holds(tmp_path: Path, words: tuple[str, ...], note: str) -> None:
    """`HELD` reaches its function as a default argument, made on import; a test states 3 of `FEW`."""
    small(tmp_path, TESTS)
    done = thresholds(tmp_path, *words)
    assert (done.stdout, done.returncode) == (SURVIVORS, 1)
    assert [line for line in done.stderr.splitlines(keepends=True) if "import" in line] == [note] * bool(note)
    assert ("changes have tests that state the number\n1/" in done.stderr) is bool(note)
    assert sorted(re.findall(r"noticed .* (FEW|HELD) ", done.stderr)) == ["FEW", "FEW", "HELD", "HELD"]


def test_what_states_no_number_can_be_left_for_later(tmp_path: Path) -> None:
    """`HELD` is read on import; tests of `LOOSE` and `LATE` state other numbers."""
    small(tmp_path, TESTS)
    done = thresholds(tmp_path, "small.FEW", "small.LATE", "--stated")
    assert done.stdout.startswith("small/__init__.py:12 LATE = 20 ×2 (0 tests ran)\n")
    assert "4 changes of 2 numbers: 2 noticed, 2 untested" in done.stdout
    assert "traced" not in done.stderr


def test_a_run_goes_on_from_what_is_kept_and_ends_well_once_all_is_held(tmp_path: Path) -> None:
    small(tmp_path, TESTS)
    thresholds(tmp_path)
    again = thresholds(tmp_path)
    assert (again.stdout, again.stderr) == (SURVIVORS, "")
    more = "\n\ndef test_edges():\n    from small import never\n    assert never(21) and not never(20)\n"
    more += "    assert most(0.81) and not most(0.8)\n    assert other(299) and not other(300)\n"
    small(tmp_path, TESTS + more)
    done = thresholds(tmp_path)
    assert done.stdout.startswith("10 changes of 5 numbers: 10 noticed\n")
    assert done.returncode == 0


NOTICED_BOTH = "2 changes of 1 numbers: 2 noticed\n"
#: Both sides of a number, where a file is there.
LATER = """\
from pathlib import Path
from small import listed
from small.other import late

def test_late():
    assert Path("there").exists()
    assert late(21) and not late(20)

def test_listed():
    assert listed(8) and not listed(7)
"""
LATE = "from . import never\n\ndef late(value):\n    return never(value)\n"


def test_a_trace_is_kept_only_if_every_test_passed(tmp_path: Path) -> None:
    """A test that failed came less far than it does now, and neither it nor the package has changed."""
    small(tmp_path, LATER)
    (tmp_path / "small" / "other.py").write_text(LATE)
    assert "2 untested" in thresholds(tmp_path, "small.LATE").stdout
    (tmp_path / "there").touch()
    assert thresholds(tmp_path, "small.LATE").stdout.startswith(NOTICED_BOTH)


def test_a_file_that_cannot_be_read_leaves_the_others_their_traces(tmp_path: Path) -> None:
    """pytest runs no test of any file then, and nothing was known to be traced."""
    small(tmp_path, TESTS)
    (tmp_path / "tests" / "test_broken.py").write_text("import small, gone\n")
    done = thresholds(tmp_path)
    assert done.stdout == SURVIVORS
    assert re.findall(r"traced (\S+ \S+) .*(pytest 2)", done.stderr)[:1] == [("1/2 tests/test_broken.py", "pytest 2")]
    assert not (tmp_path / ".cache/thresholds/reach/tests+test_broken.py.json").exists()


def test_a_test_that_goes_another_way_since_is_traced_anew(tmp_path: Path) -> None:
    """What has changed is not the file that the number is in."""
    small(tmp_path, LATER)
    (tmp_path / "there").touch()
    (tmp_path / "small" / "other.py").write_text("def late(value):\n    return value > 20\n")
    assert "2 untested" in thresholds(tmp_path, "small.LATE").stdout
    (tmp_path / "small" / "other.py").write_text(LATE)
    assert thresholds(tmp_path, "small.LATE").stdout.startswith(NOTICED_BOTH)


def test_what_is_no_longer_listed_is_looked_for_in_every_trace(tmp_path: Path) -> None:
    small(tmp_path, LATER)
    (tmp_path / "there").touch()
    (tmp_path / "small" / "other.py").write_text(LATE)
    thresholds(tmp_path, "small.LATE")
    (tmp_path / "not_deciding.txt").write_text("")
    assert thresholds(tmp_path, "small.LISTED").stdout.startswith(NOTICED_BOTH)


def test_what_is_chosen_alone_is_tried(tmp_path: Path) -> None:
    small(tmp_path, TESTS)
    assert thresholds(tmp_path, "small.HELD").stdout.startswith("2 changes of 1 numbers: 2 noticed\n")


def test_an_entry_that_names_nothing_is_an_error(tmp_path: Path) -> None:
    small(tmp_path, TESTS, "GONE — was renamed\n")
    done = thresholds(tmp_path, "small.HELD")
    assert "not_deciding.txt: GONE names no number that could decide\n" in done.stdout
    assert done.returncode == 1


SLOW = """\
import time
import pytest
from small import FEW, few, most

BOUNDS = [(0.8, False), (0.81, True)]

@pytest.mark.parametrize("i", range(9))
def test_most(i):
    time.sleep(0.1)
    assert most(0.95)

def test_few():
    time.sleep(0.2)
    assert few(FEW.value - 1) and not few(FEW.value)

def test_bounds():
    time.sleep(0.2)
    assert all(most(share) is expected for share, expected in BOUNDS)
"""


def test_what_states_the_number_comes_before_what_is_quicker(tmp_path: Path) -> None:
    """A budget of half a second is spent before it is the turn of the slowest."""
    small(tmp_path, SLOW)
    done = thresholds(tmp_path, "small.LOOSE", "--budget", "0.5")
    assert done.stdout.startswith("2 changes of 1 numbers: 2 noticed\n")


SAID = """\
FEW = 3
_LATE = {"late": 4, "few": FEW}
_SOME = {**_LATE, "rows": 5}
NEVER = 6
TEXTS = {"late": text("{late}", examples=(_SOME, {"rows": NEVER})), "early": text("early", most=NEVER)}

def few(value):
    return value < FEW
"""


def test_what_only_examples_hold_decides_nothing(tmp_path: Path) -> None:
    small(tmp_path, TESTS)
    (tmp_path / "small" / "said.py").write_text(SAID)
    made = plan(tmp_path, "small", tmp_path / "not_deciding.txt", ["small.said"])
    assert [mutant.constant.name for mutant, _ in made.mutants[::2]] == ["FEW", "NEVER"]
    assert made.left_out["example of what is said"] == 2


def test_what_takes_too_long_where_nothing_is_changed_is_not_noticed(tmp_path: Path) -> None:
    """A machine that others work on, too, would notice whatever is changed."""
    small(tmp_path, TESTS)
    [held, *_] = constants("small", tmp_path / "small" / "__init__.py")
    trial = Trial(
        Settings([], 1, False, False, False, False, 1.0, tmp_path, "small", "tests", tmp_path / "not_deciding.txt")
    )

    def attempt(mutant: Mutant, tests: Sequence[str], changed: bool = True) -> dict[str, Any]:
        end_s = time.process_time() + 2
        while time.process_time() < end_s:
            pass
        return {"code": 0}

    trial.attempt = attempt  # type: ignore[method-assign]
    for limit_s, what in ((0.3, BROKEN), (60.0, NOTICED)):
        assert trial.judge(Mutant(held, "×2", 20), ["test"], None, "time", limit_s).what == what
    assert trial.judge(Mutant(held, "×2", 20), ["test"], None, "died", 0.0).what == NOTICED


NAMED = """
def test_more_than_300_of_1_500_are_many():
    pass
"""


def test_what_tests_state(tmp_path: Path) -> None:
    """A number is stated as such, in the test's name or in what the test reads, or the constant is named."""
    small(tmp_path, SLOW + NAMED)
    every = {one.name: one for one in constants("small", tmp_path / "small" / "__init__.py")}
    stated = {
        (test, name)
        for test in ("test_most[0]", "test_few", "test_bounds", "test_more_than_300_of_1_500_are_many")
        for name in ("LOOSE", "FEW", "MANY")
        if states(tmp_path, f"tests/test_small.py::{test}", every[name])
    }
    named = ("test_more_than_300_of_1_500_are_many", "MANY")
    assert stated == {("test_few", "FEW"), ("test_bounds", "LOOSE"), named}
    assert _in_name(named[0]) == {300, 1500}


def test_own_tests_are_of_the_room_s_folder_or_named_like_the_room(tmp_path: Path) -> None:
    """Another's file that holds a name which many modules declare is none; a file in a folder of many rooms may be."""
    (tmp_path / "small" / "trace").mkdir(parents=True)
    (tmp_path / "small" / "decode" / "json").mkdir(parents=True)
    (tmp_path / "small" / "trace" / "window.py").write_text("MOST = 3\n")
    (tmp_path / "small" / "decode" / "json" / "read.py").write_text("MOST = 4\nLONGEST_TEXT = 5\n")
    texts = {
        "trace/test_window.py": "",
        "trace/event/test_why.py": "",
        "web/test_trace.py": "MOST",
        "decode/test_limits_of_json.py": "",
        "decode/test_sizes.py": "LONGEST_TEXT",
        "decode/test_pprof.py": "MOST",
    }
    for name, text in texts.items():
        (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tests" / name).write_text(text)
    files = files_of_tests(tmp_path, "tests")
    uses = Uses(modules(tmp_path, "small"))

    def own(module: str) -> list[str]:
        path = tmp_path / "small" / f"{module.replace('.', '/')}.py"
        found = own_files(files, constants(f"small.{module}", path), tmp_path / "tests", uses)
        return [file.relative_to(tmp_path / "tests").as_posix() for file in found]

    assert own("trace.window") == ["trace/event/test_why.py", "trace/test_window.py"]
    assert own("decode.json.read") == ["decode/test_limits_of_json.py", "decode/test_sizes.py"]


@pytest.mark.parametrize(("folder", "shared"), [("trace/event", 2), ("trace", 1), ("tools/trace", 0)])
def test_folders_that_a_test_shares_with_a_module(tmp_path: Path, folder: str, shared: int) -> None:
    (tmp_path / "why.py").write_text("FEW = 3\n")
    [few] = constants("package.trace.event.why", tmp_path / "why.py")
    assert folders_shared(f"tests/{folder}/test_why.py::test_few", few) == shared


FORMS = """\
ONE, TWO = 0.1, 1 << 20
SIZES = {"kb": 1000, "rows": 20}
FEW = Threshold("few", 3, "steps", "why 5", "source 7")
CAUSES = (Cause("input", 0.2), Cause("output", 0.3, most=4))
SAYS = {"cut": Text("{rows} rows", examples=({"rows": 12},))}
FAR = (1 << 63) - 1
SCHEMA = 4
EMPTY = -1
class Kind(IntEnum):
    HOST = 1
@dataclass
class Options:
    duration_ms: int = 2000
"""


def test_the_numbers_of_a_module_and_why_some_decide_nothing(tmp_path: Path) -> None:
    path = tmp_path / "forms.py"
    path.write_text(FORMS)
    assert [(one.name, one.value, one.rule) for one in constants("forms", path)] == [
        ("ONE", 0.1, ""),
        ("TWO", 1 << 20, ""),
        ("SIZES['kb']", 1000, "conversion of units"),
        ("SIZES['rows']", 20, ""),
        ("FEW", 3, ""),
        ("CAUSES[0](1)", 0.2, ""),
        ("CAUSES[1](1)", 0.3, ""),
        ("CAUSES[1](most)", 4, ""),
        ("SAYS['cut'](examples)[0]['rows']", 12, "example of what is said"),
        ("FAR", (1 << 63) - 1, "width of a number type"),
        ("SCHEMA", 4, "version"),
        ("EMPTY", -1, "0 or -1: no magnitude"),
        ("Kind.HOST", 1, "enum member"),
        ("Options.duration_ms", 2000, ""),
    ]


def test_twice_and_half() -> None:
    assert changes(0.2) == [("×2", 0.4), ("÷2", 0.1)]
    assert changes(0.8) == [("→0.9", 0.9), ("÷2", 0.4)]
    assert changes(3) == [("×2", 6), ("÷2", 1)]
    assert changes(1) == [("×2", 2), ("÷2", 0)]


def test_entries_outlive_a_move(tmp_path: Path) -> None:
    path = tmp_path / "forms.py"
    path.write_text("_FEWEST = 3\nPAIR = (4, 5)\n")
    fewest, first, _ = constants("package.timeline._retime", path)
    assert matches(fewest, "retime.FEWEST")
    assert matches(fewest, "timeline.*.FEWEST")
    assert not matches(fewest, "EWEST")
    assert matches(first, "PAIR")
    assert matches(first, "PAIR[0]")
    assert not matches(first, "PAIR[1]")
