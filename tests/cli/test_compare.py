"""`perfplugin compare` and `check-run` as a person and a build run them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import TypeAlias

import pytest

from tensorboard_perfplugin import compare
from tensorboard_perfplugin import open as open_run
from tensorboard_perfplugin.cli import gate, main
from tensorboard_perfplugin.tables import Cells, Quality
from tensorboard_perfplugin.tools import Answer, Result
from tensorboard_perfplugin.tools.compare import COMPARE
from tests.build_capture import Space
from tests.conftest import MakeLogdir

US = 1_000_000
Capsys: TypeAlias = pytest.CaptureFixture[str]
BASE, NEW, HOSTILE, REPEATS = "plugins/profile/base", "plugins/profile/new", "plugins/profile/hostile", "repeats"


def space(op_us: int, name: str = "dense/MatMul:MatMul") -> Space:
    made = Space()
    plane = made.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_Compute/1")
    for number in range(8):
        begin = number * (op_us + 20) * US
        python.event("train", begin, (op_us + 10) * US, {"step_num": number, "_r": 1})
        pool.event(name, begin, (op_us + number % 2) * US)
    return made


@pytest.fixture
def logdir(make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COLUMNS", "120")
    hostile = "<img src=x onerror=1>|`a`"
    files: dict[str, Space | bytes] = {f"{BASE}/h.xplane.pb": space(100), f"{NEW}/h.xplane.pb": space(140)}
    files |= {f"{HOSTILE}/h.xplane.pb": space(140, hostile)}
    files |= {f"{REPEATS}/plugins/profile/{i}/h.xplane.pb": space(100) for i in range(3)}
    return make_logdir(files)


def test_the_verdict_comes_first(logdir: Path, capsys: Capsys) -> None:
    assert main(["compare", str(logdir / BASE), str(logdir / NEW)]) == 0
    said = capsys.readouterr().out
    assert "A step takes 160 µs instead of 120 µs: 40 µs more (33 %)" in said


@pytest.mark.parametrize(
    ("condition", "code"),
    [
        ("step_time > +30 %", 1),
        ("step_time > +40 %", 0),
        ("op_compute > +39 us", 1),
        ("overview.step_time_median > +39 us", 1),
        ("step_time_typical_ms > 1 ms", 0),
        ("finding:computes", 1),
        ("finding:input_bound", 0),
        ("finding:overview.computes", 1),
        ("finding:compare.slower", 1),
        ("memory_peak > +1 B", 1),
        ("input_wait > +1 us", 0),
        ("input_wait < 1 us", 1),
    ],
)
def test_a_condition_decides_the_exit_code(logdir: Path, capsys: Capsys, condition: str, code: int) -> None:
    assert main(["compare", str(logdir / BASE), str(logdir / NEW), "--fail-if", condition]) == code
    assert f"{'FAIL' if code else 'ok'} " in capsys.readouterr().out.splitlines()[-1]


def test_a_wrong_condition_is_a_wrong_argument(logdir: Path, capsys: Capsys) -> None:
    assert main(["compare", str(logdir / BASE), str(logdir / NEW), "--fail-if", "step_time > much"]) == 2
    assert "write `step_time > +3 %`" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["input_bond", "overview.input_bond", "nothing.input_bound", "host_left_out"])
def test_a_finding_that_there_is_none_of_is_a_wrong_argument(logdir: Path, capsys: Capsys, name: str) -> None:
    assert main(["check-run", str(logdir / NEW), "--fail-if", f"finding:{name}"]) == 2
    assert "input_bound" in capsys.readouterr().err or name == "host_left_out"


def test_a_side_that_is_not_there(logdir: Path, capsys: Capsys) -> None:
    assert main(["compare", str(logdir / BASE), str(logdir / "nowhere")]) == 3
    assert "nowhere" in capsys.readouterr().err


def test_noise_fails_only_strictly(logdir: Path) -> None:
    same = ["compare", str(logdir / BASE), str(logdir / BASE), "--fail-if", "step_time >= +0 %"]
    assert main(same) == 0
    assert main([*same, "--strict"]) == 1


def test_noise_is_noise_beside_a_condition_of_a_tool(logdir: Path) -> None:
    """Regression: the overview's step, which knows of no noise, stood for the comparison's."""
    same = ["compare", str(logdir / BASE), str(logdir / BASE), "--fail-if", "step_time >= +0 %"]
    assert main([*same, "--fail-if", "overview.step_count > +1"]) == 0


@pytest.mark.parametrize("condition", ["input_wait > +1 ms", "op_compute > 1 ms", "step_time > +3 %"])
def test_a_side_without_steps_fails(logdir: Path, capsys: Capsys, condition: str) -> None:
    """Not 0 ms: nothing is known of its steps."""
    empty = logdir / "empty.xplane.pb"
    made = Space()
    made.plane("/host:CPU").line(1, "python").event("alone", 0, US)
    empty.write_bytes(made.bytes())
    assert main(["compare", str(logdir / BASE), str(empty), "--fail-if", condition]) == 1
    assert "no steps were found on one of the sides" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize(
    ("condition", "code"), [("step_time > +3 %", 1), ("overview.step_time_median > +1 ms", 1), ("step_time > 1 ms", 0)]
)
def test_unlike_steps_fail_what_is_of_a_change(logdir: Path, capsys: Capsys, condition: str, code: int) -> None:
    """A step that trains, and one that does not, which is faster."""
    trains = logdir / "trains.xplane.pb"
    trains.write_bytes(space(200, "gradient_tape/dense/MatMul:MatMul").bytes())
    assert main(["compare", str(trains), str(logdir / BASE), "--fail-if", condition]) == code
    said = capsys.readouterr().out
    assert "only a step of A runs a backward pass" in said
    assert ("FAIL" in said) == bool(code)


def test_a_repeat_that_cannot_be_read_is_left_out_and_named(logdir: Path) -> None:
    (logdir / REPEATS / "plugins/profile/1/h.xplane.pb").write_bytes(b"\xff" * 1000)
    answer = compare(logdir / REPEATS, logdir / NEW)
    assert answer.result.summary["captures_base"] == 2
    assert [each.params["capture"] for each in answer.quality.warnings] == [f"{logdir / REPEATS}: 1"]
    assert main(["compare", str(logdir / REPEATS / "plugins/profile/1"), str(logdir / NEW)]) == 3


def test_json_holds_the_answer_and_what_became_of_conditions(logdir: Path, capsys: Capsys) -> None:
    main(["compare", str(logdir / BASE), str(logdir / NEW), "--json", "--fail-if", "step_time > +30 %"])
    told = json.loads(capsys.readouterr().out)
    assert told["summary"]["verdict"] == "slower"
    assert told["conditions"] == [
        {"condition": "step_time > +30 %", "state": "failed", "said": "160 µs, before 120 µs: +33.3%"}
    ]


def test_markdown_shows_names_as_they_are(logdir: Path, capsys: Capsys) -> None:
    main(["compare", str(logdir / BASE), str(logdir / HOSTILE), "--markdown", "--fail-if", "step_time > +30 %"])
    said = capsys.readouterr().out
    assert r"\<img src=x onerror=1\>\|\`a\`" in said
    assert r"| step\_time \> +30 % | FAIL | 160 µs, before 120 µs: +33.3% |" in said


def test_junit_is_read_by_a_reader_of_xml(logdir: Path, capsys: Capsys) -> None:
    conditions = ["--fail-if", "step_time > +30 %", "--fail-if", "finding:input_bound"]
    assert main(["compare", str(logdir / BASE), str(logdir / NEW), "--junit", *conditions]) == 1
    suite = ElementTree.fromstring(capsys.readouterr().out)
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.get("name") for case in suite] == ["step_time > +30 %", "finding:input_bound"]
    assert [case[0].tag for case in suite] == ["failure", "system-out"]


def test_csv_is_the_table_of_ops(logdir: Path, capsys: Capsys) -> None:
    main(["compare", str(logdir / BASE), str(logdir / NEW), "--csv"])
    assert capsys.readouterr().out.startswith("name,type,change_ms,base_ms,new_ms,")


def test_any_table_as_csv(logdir: Path, capsys: Capsys) -> None:
    main(["compare", str(logdir / BASE), str(logdir / NEW), "--csv", "--table", "categories"])
    assert capsys.readouterr().out.startswith("category,title,group,base_ms,")
    assert main(["compare", str(logdir / BASE), str(logdir / NEW), "--csv", "--table", "nothing"]) == 3
    main(["check-run", str(logdir / NEW), "--csv", "--table", "split"])
    assert capsys.readouterr().out.startswith("category,title,group,step_ms,")


def test_runs_that_were_opened(logdir: Path) -> None:
    answer = compare(open_run(logdir / BASE), [open_run(logdir / NEW, host="h")])
    assert answer.result.summary["verdict"] == "slower"


def test_all_runs_of_a_folder_are_repeats(logdir: Path) -> None:
    answer = compare(logdir / REPEATS, [logdir / NEW, logdir / NEW])
    assert (answer.result.summary["captures_base"], answer.result.summary["captures_new"]) == (3, 1)


def test_a_run_against_limits(logdir: Path, capsys: Capsys) -> None:
    path = str(logdir / NEW)
    assert main(["check-run", path, "--fail-if", "step_time > 150 us"]) == 1
    assert main(["check-run", path, "--fail-if", "step_time > 170 us", "--fail-if", "op_stats.host_op_rows > 1"]) == 0
    assert main(["check-run", path, "--fail-if", "typical_step > 150 us"]) == 1
    assert main(["check-run", path, "--fail-if", "op_compute > 139 us", "--fail-if", "python > 1 ms"]) == 1
    assert main(["check-run", path, "--fail-if", "input_wait > 0 us", "--fail-if", "op:dense/MatMul > 1 ms"]) == 0
    assert main(["check-run", path, "--fail-if", "memory_peak > 1 B"]) == 1
    assert "the capture holds no memory events" in capsys.readouterr().out
    assert main(["check-run", path, "--fail-if", "step_time > +3 %"]) == 2
    assert "there is one run" in capsys.readouterr().err


def test_markdown_shows_ten_ops() -> None:
    cells: dict[str, Cells] = {"name": [f"op{i}" for i in range(11)], "category": ["compute"] * 11}
    cells |= {name: [1.0] * 11 for name in ("base_ms", "new_ms", "change_ms")}
    lines = [*gate._changes(Answer(COMPARE, "", (), Result({}, {"ops": cells}), Quality(), ""))]
    assert (len(lines), lines[-1].split()[1]) == (12, "op9")
