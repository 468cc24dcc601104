"""The long test under load: what it asks for is there, and it fails where an answer fails or memory grows."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from benchmarks import soak
from benchmarks.generate import training_run
from tensorboard_perfplugin.tools import TOOLS

ASKED = soak.Asked("r", ("overview", "op_stats"), 5, (0, 10**9), 7, ("index.js",))


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    file = tmp_path / "logs" / "plugins" / "profile" / "train" / "bench.xplane.pb"
    file.parent.mkdir(parents=True)
    file.write_bytes(training_run(9_000))
    return file


def test_clients_get_answers_to_all_they_ask_for(capture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Growth is not judged here: TensorBoard has not settled after seconds."""
    soak.main(["--minutes", "0.05", "--clients", "3", "--file", str(capture)])
    printed = capsys.readouterr()
    assert "failed: 0" in printed.out
    assert "memory once warm" in printed.out
    assert all(name in printed.err for name in ("overview", "trace_viewer"))


def test_every_kind_asks_for_something_of_its_own() -> None:
    chance = random.Random(1)
    asked = {kind: urlsplit(ASKED.query(kind, chance)) for kind in soak.KINDS}
    assert len({address.geturl() for address in asked.values()}) == len(soak.KINDS)
    tools = {parse_qs(address.query).get("tool", ["overview"])[0] for address in asked.values()}
    assert tools <= {tool.name for tool in TOOLS}
    window = parse_qs(asked["window"].query)
    assert 0 <= int(window["start_ps"][0]) < int(window["end_ps"][0]) <= 10**9


def test_growth_is_of_what_was_held_at_the_end_of_the_first_part() -> None:
    told = soak.Told(memory=[(0.0, 100), (9.0, 200), (20.0, 210), (61.0, 250)])
    assert told.grew(600.0) == 250 / 210
    assert told.grew(45.0) == 250 / 200
    assert soak.Told(memory=[(0.0, 100)]).grew(100.0) == 1


def test_a_failed_answer_is_told_and_counted() -> None:
    told = soak.Told({"page": [0.1, 0.2, 0.3]}, Counter({"data?x: 500": 2}), [(0.0, 10**6)])
    lines = list(soak.report(told, 60.0))
    assert lines[-2:] == ["failed: 2", "  2 x data?x: 500"]
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == ["page", "3", "0.200 s", "0.200 s", "0.300 s"]


@pytest.mark.parametrize("words", [["--minutes", "0"], ["--minutes", "61"], ["--clients", "257"]])
def test_it_is_bounded(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        soak.main(words)
