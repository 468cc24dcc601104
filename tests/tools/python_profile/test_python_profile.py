"""The page of Python functions: pstats' table and order, callers, callees, the tree, and ranks."""

from __future__ import annotations

import cProfile
import io
import pstats
import re
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.tools import Result
from tensorboard_perfplugin.tools.python_profile import PYTHON_PROFILE
from tensorboard_perfplugin.tools.python_profile.tables import ORDERS
from tests.build_capture import Space
from tests.build_python_stats import Stats
from tests.conftest import SHARED_CAPTURES

REAL = sorted(path for path in SHARED_CAPTURES.glob("cprofile/**/*") if path.is_file())
WAIT = "<built-in method torch._C._distributed_c10d.wait>"


def answered(*hosts: Stats, **options: str) -> Result:
    given = PYTHON_PROFILE.parse(options)
    parts = [PYTHON_PROFILE.per_host(stats.timeline(f"rank_{i}"), given) for i, stats in enumerate(hosts)]
    return PYTHON_PROFILE.combine(parts, given)


def rows(result: Result, table: str) -> list[dict[str, Any]]:
    columns = {name: [*cells] for name, cells in result.tables[table].items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def program() -> Stats:
    stats = Stats().function("train.py:1(main)", 1, 10)
    stats.function("train.py:5(load)", 3, 4, calls=6, primitive=2, callers={"train.py:1(main)": (6, 2, 3, 4)})
    stats.function("<built-in method time.sleep>", 1, callers={"train.py:5(load)": (2, 2, 1, 1)}, calls=2)
    return stats.function("train.py:9(step)", 5, callers={"train.py:1(main)": (1, 1, 5, 5)})


def test_functions() -> None:
    result = answered(program())
    first, load, *_ = rows(result, "functions")
    assert [row["function"] for row in rows(result, "functions")] == [
        "train.py:9(step)",
        "train.py:5(load)",
        "train.py:1(main)",
        "{built-in method time.sleep}",
    ]
    assert load == {
        "function": "train.py:5(load)",
        "calls": 6,
        "primitive_calls": 2,
        "own_ms": 3000,
        "own_share": 0.3,
        "own_call_us": 500_000,
        "cumulative_ms": 4000,
        "cumulative_share": 0.4,
        "cumulative_call_us": 2_000_000,
        "waits": None,
        "name": "load",
        "file": "train.py",
        "line": 5,
    }
    assert (first["own_share"], result.summary["total_ms"], result.summary["sleep_share"]) == (0.5, 10_000, 0.1)
    assert (result.summary["functions_rows"], result.summary["calls"], result.summary["primitive_calls"]) == (4, 10, 6)


def test_callers_and_callees_of_a_function() -> None:
    result = answered(program(), function="train.py:5(load)")
    assert rows(result, "callers") == [
        {
            "function": "train.py:1(main)",
            "calls": 6,
            "primitive_calls": 2,
            "own_ms": 3000,
            "cumulative_ms": 4000,
            "cumulative_share": 1,
        }
    ]
    assert [(row["function"], row["cumulative_ms"]) for row in rows(result, "callees")] == [
        ("{built-in method time.sleep}", 1000)
    ]
    assert answered(program()).summary["function"] == "train.py:9(step)"
    with pytest.raises(ArgumentError, match="step"):
        answered(program(), function="nowhere")


def test_the_tree_is_one() -> None:
    result = answered(program())
    assert [(row["name"], row["parent"], row["total_ms"], row["estimated"]) for row in rows(result, "tree")] == [
        ("main (train.py:1)", -1, 10_000, False),
        ("step (train.py:9)", 0, 5000, False),
        ("load (train.py:5)", 0, 4000, False),
        ("built-in method time.sleep", 2, 1000, False),
    ]
    assert result.summary["estimated"] is False


def test_hosts_side_by_side() -> None:
    hosts = [Stats().function("a.py:1(load)", load).function(WAIT, 8 - load) for load in (1, 1, 4)]
    result = answered(*hosts)
    load, wait = sorted(rows(result, "ranks"), key=lambda row: str(row["function"]))
    assert load == {
        "function": "a.py:1(load)",
        "spread_ms": 3000,
        "mean_ms": 2000,
        "min_ms": 1000,
        "max_ms": 4000,
        "sd_ms": pytest.approx(2**0.5 * 1000),
        "spread_share": 0.375,
        "slowest": "rank_2",
        "fastest": "rank_0",
        "waits": None,
    }
    assert (wait["waits"], wait["slowest"]) == ("other ranks", "rank_0")
    assert [(row["host"], row["python_work_ms"], row["collective_wait_ms"]) for row in rows(result, "hosts")] == [
        ("rank_0", 1000, 7000),
        ("rank_1", 1000, 7000),
        ("rank_2", 4000, 4000),
    ]
    assert (result.summary["slowest_host"], result.summary["busy_excess_ms"]) == ("rank_2", 3000)
    assert rows(answered(hosts[0]), "ranks") == []


def work(n: int) -> int:
    return sum(sorted(range(n), key=lambda i: -i)) + (work(n - 1) if n else 0)


def printed(path: Path, order: str) -> list[tuple[str, str, str, str]]:
    """Calls, own and cumulative time, and name of each row that pstats prints, as it prints them."""
    text = io.StringIO()
    stats: Any = pstats.Stats(str(path), stream=text)
    stats.sort_stats(order).print_stats()
    found = re.findall(
        r"^ *(\d+(?:/\d+)?) +(-?[\d.]+) +-?[\d.]+ +(-?[\d.]+) +-?[\d.]+ (.+)$", text.getvalue(), re.MULTILINE
    )
    return [(calls, own, cumulative, name) for calls, own, cumulative, name in found]


def ours(path: Path, order: str) -> list[tuple[str, str, str, str]]:
    answer = tensorboard_perfplugin.open(str(path)).tool("python_profile", sort=order, limit=0)
    cells = answer.result.tables["functions"]
    columns = (cells[name] for name in ("calls", "primitive_calls", "own_ms", "cumulative_ms", "function"))
    return [
        (f"{calls}/{first}" if calls != first else f"{calls}", f"{own / 1e3:.3f}", f"{total / 1e3:.3f}", str(name))
        for calls, first, own, total, name in zip(*columns, strict=True)
    ]


@pytest.mark.parametrize("order", ORDERS)
def test_the_table_of_pstats(order: str, tmp_path: Path) -> None:
    made, path = cProfile.Profile(), tmp_path / "a.prof"
    made.runcall(work, 20)
    made.dump_stats(path)
    assert ours(path, order) == printed(path, order)


@pytest.mark.slow
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.parent.name)
def test_real_dumps_print_as_with_pstats(path: Path) -> None:
    """Halves of a printed digit may be rounded either way, so that times are those of the decoder's test."""
    for order in ("ncalls", "nfl"):
        assert [(row[0], row[3]) for row in ours(path, order)] == [(row[0], row[3]) for row in printed(path, order)]


def test_other_pages_have_nothing_to_say_of_it(tmp_path: Path) -> None:
    program().write(tmp_path / "rank_0.cprofile")
    missing = tensorboard_perfplugin.open(str(tmp_path)).missing()
    assert [name for name, reason in missing.items() if reason is None] == ["overview", "python_profile"]


def test_other_captures_have_no_functions() -> None:
    space = Space(["h"])
    space.plane("/host:CPU").line(1, "main").event("a", 1, 1)
    from tensorboard_perfplugin import decode
    from tensorboard_perfplugin.timeline.timeline import Timeline

    timeline = Timeline(decode.read_bytes(space.bytes()), "h")
    assert PYTHON_PROFILE.nothing(timeline)
    given = PYTHON_PROFILE.parse({})
    result = PYTHON_PROFILE.combine([PYTHON_PROFILE.per_host(timeline, given)], given)
    assert (result.summary["functions_rows"], result.summary["total_ms"], result.findings) == (0, None, ())


def test_the_overview_has_the_headline(tmp_path: Path) -> None:
    for rank in range(2):
        program().write(tmp_path / f"rank_{rank}.cprofile")
    answer = tensorboard_perfplugin.open(str(tmp_path)).tool("overview")
    answer.check()
    summary = answer.result.summary
    assert summary["host_count"] == 2
    assert summary["step_count"] is summary["device_type"] is None
    assert [*answer.result.tables["environment"]["value"]] == ["20 s of Python in 4 functions"]
    assert [finding.code for finding in answer.result.findings] == ["python_waits.sleep", "python_largest"]
    assert answer.result.tables["python_functions"]["function"][0] == "train.py:9(step)"


def test_the_overview_lists_the_ten_functions_with_most_own_time(tmp_path: Path) -> None:
    stats = Stats()
    for i in range(11):
        stats.function(f"a.py:{i + 1}(f{i})", 20 - i)
    stats.write(tmp_path / "rank_0.cprofile")
    answer = tensorboard_perfplugin.open(str(tmp_path)).tool("overview")
    assert list(answer.result.tables["python_functions"]["function"]) == [f"a.py:{i + 1}(f{i})" for i in range(10)]


def test_rank_files_are_one_run_and_others_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "result"
    folder.mkdir()
    for name in ("rank_0.cprofile", "rank_1.cprofile", "rank_10.cprofile", "before.prof", "after.prof"):
        program().write(folder / name)
    found = {run.name: run.hosts for run in runs_at(str(folder))}
    assert found == {
        "result/rank*": ("rank_0", "rank_1", "rank_10"),
        "result/before": ("before",),
        "result/after": ("after",),
    }


def test_the_tree_has_five_thousand_rows_at_most() -> None:
    stats = Stats().function("a.py:0(f)", 0, 1)
    for i in range(1, 5001):
        stats.function(f"a.py:{i}(f)", 1, callers={"a.py:0(f)": (1, 1, 1, 1)})
    stats.stats["a.py", 0, "f"] = (1, 1, 0.0, 5000.0, {})
    assert len(rows(answered(stats, limit="0"), "tree")) == 5000
