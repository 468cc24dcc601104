"""`perfplugin runs --table`: a row a run, by hand."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TypeAlias

import pytest

from tensorboard_perfplugin import runs
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.errors import NotFoundError
from tests.build_capture import Space
from tests.cli.test_compare import space
from tests.conftest import MakeLogdir

Capsys: TypeAlias = pytest.CaptureFixture[str]
FIRST, SECOND, OTHER = "train/2026_01_01_00_00_00", "train/2026_01_02_00_00_00", "eval/2026_01_03_00_00_00"


@pytest.fixture
def logdir(make_logdir: MakeLogdir) -> Path:
    """Two runs of a folder, steps of 120 and 160 µs, a later one of another folder, and one that cannot be read."""
    files: dict[str, Space | bytes] = {
        "train/plugins/profile/2026_01_01_00_00_00/h.xplane.pb": space(100),
        "train/plugins/profile/2026_01_02_00_00_00/h.xplane.pb": space(140),
        "eval/plugins/profile/2026_01_03_00_00_00/h.xplane.pb": space(280),
        "broken/plugins/profile/2026_01_04_00_00_00/h.xplane.pb": b"no capture",
    }
    return make_logdir(files)


def test_a_change_is_against_the_run_before_in_its_folder(logdir: Path) -> None:
    table = runs(logdir)
    steps = dict(zip(table["run"], table["step_time_ms"], strict=True))
    changes = dict(zip(table["run"], table["change_share"], strict=True))
    assert {name: steps[name] for name in (FIRST, SECOND, OTHER)} == pytest.approx(
        {FIRST: 0.12, SECOND: 0.16, OTHER: 0.3}
    )
    assert changes[SECOND] == pytest.approx(1 / 3)
    assert changes[FIRST] is None
    assert changes[OTHER] is None


def test_a_run_that_cannot_be_read_says_why(logdir: Path) -> None:
    table = runs(logdir)
    told = dict(zip(table["run"], table["first_finding"], strict=True))
    assert "h.xplane.pb" in str(told["broken/2026_01_04_00_00_00"])


def test_a_baseline(logdir: Path) -> None:
    table = runs(logdir, baseline=FIRST)
    changes = dict(zip(table["run"], table["baseline_change_share"], strict=True))
    assert changes[OTHER] == pytest.approx(1.5)
    assert changes[FIRST] == 0
    with pytest.raises(NotFoundError, match="no run 'x'"):
        runs(logdir, baseline="x")


@pytest.mark.parametrize(("grep", "names"), [("EVAL", [OTHER]), ("computes", [OTHER, SECOND, FIRST]), ("nothing", [])])
def test_a_search_goes_through_names_and_findings(logdir: Path, grep: str, names: list[str]) -> None:
    assert runs(logdir, grep=grep)["run"] == names


@pytest.mark.parametrize(("more", "names"), [([], [FIRST, SECOND, OTHER]), (["--reverse"], [OTHER, SECOND, FIRST])])
def test_rows_are_sorted_those_without_a_value_last(
    logdir: Path, capsys: Capsys, more: list[str], names: list[str]
) -> None:
    assert main(["runs", str(logdir), "--sort", "step_time_ms", *more, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["columns"]["run"]
    assert told[:3] == names
    assert len(told) == 4


def test_forms(logdir: Path, capsys: Capsys) -> None:
    main(["runs", str(logdir), "--csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["run"] for row in rows} >= {FIRST, SECOND, OTHER}
    main(["runs", str(logdir), "--table"])
    assert "33.3 %" in capsys.readouterr().out
    assert main(["runs", str(logdir), "--sort", "x"]) == 2
