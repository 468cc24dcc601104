"""Device memory profiles on the memory page: whole call trees of small profiles, odd ones, and every real one."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin import decode, tools
from tensorboard_perfplugin.analysis.memory import stacks as memory_stacks
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.memory_profile import MEMORY_PROFILE
from tests.conftest import SHARED_CAPTURES
from tests.decode.pprofs import Pprof
from tests.tools.answered import answered

REAL = sorted(SHARED_CAPTURES.glob("memory/*/*/*"))
Row = tuple[int, int, str, int, int, int]


def ask(*profiles: Pprof | bytes, **options: str) -> Answer:
    data = [p if isinstance(p, bytes) else p.bytes() for p in profiles]
    timelines = [Timeline(decode.read_bytes(each, "memory.prof"), f"host{i}") for i, each in enumerate(data)]
    answer = answered(MEMORY_PROFILE, *timelines, **options)
    check_sums(answer)
    return answer


def check_sums(answer: Answer) -> None:
    """A row's own bytes and its children's are its bytes; depths and preorder hold."""
    table = {name: list(cells) for name, cells in answer.result.tables["stacks"].items()}
    below, counted = [0] * len(table["parent"]), [0] * len(table["parent"])
    path: list[int] = []
    for row, (parent, depth) in enumerate(zip(table["parent"], table["depth"], strict=True)):
        del path[depth:]
        assert parent == (path[-1] if path else -1)
        path.append(row)
        if parent >= 0:
            below[parent] += table["bytes"][row]
            counted[parent] += table["count"][row]
    for row, size in enumerate(table["bytes"]):
        assert table["self_bytes"][row] == size - below[row]
        assert counted[row] <= table["count"][row] or min(counted) < 0
    roots = sum(size for size, parent in zip(table["bytes"], table["parent"], strict=True) if parent < 0)
    assert roots == answer.result.summary["in_use_bytes"]


def tree(answer: Answer) -> list[Row]:
    """parent, depth, name, bytes, self_bytes, count."""
    table = answer.result.tables["stacks"]
    names = ("parent", "depth", "name", "bytes", "self_bytes", "count")
    return list(zip(*(table[name] for name in names), strict=True))


def small() -> Pprof:
    profile = Pprof()
    profile.sample(600, ["main a.py:1", "f a.py:7"], kind="buffer", device="cuda:0")
    profile.sample(100, ["main a.py:1"], kind="buffer", device="cuda:0")
    profile.sample(200, ["main a.py:1", "f a.py:8"], count=3, kind="buffer", device="cuda:0")
    profile.sample(50, ["main a.py:1", "f a.py:7", "f a.py:7"], kind="executable")
    return profile.sample(50, ["main a.py:1", "f a.py:7"], kind="buffer", device="cuda:1")


def test_a_whole_answer() -> None:
    answer = ask(small())
    assert tree(answer) == [
        (-1, 0, "cuda:0", 900, 0, 5),
        (0, 1, "buffer", 900, 0, 5),
        (1, 2, "main", 900, 100, 5),
        (2, 3, "f", 600, 600, 1),
        (2, 3, "f", 200, 200, 3),
        (-1, 0, "(no device named)", 50, 0, 1),
        (5, 1, "executable", 50, 0, 1),
        (6, 2, "main", 50, 0, 1),
        (7, 3, "f", 50, 0, 1),
        (8, 4, "f", 50, 50, 1),
        (-1, 0, "cuda:1", 50, 0, 1),
        (10, 1, "buffer", 50, 0, 1),
        (11, 2, "main", 50, 0, 1),
        (12, 3, "f", 50, 50, 1),
    ]
    table = answer.result.tables["stacks"]
    assert [table["file"][row] for row in (0, 1, 2, 3)] == ["", "", "a.py", "a.py"]
    assert [table["line"][row] for row in (0, 1, 2, 3, 4)] == [None, None, 1, 7, 8]
    assert [table["share"][row] for row in (0, 3, 5)] == [0.9, 0.6, 0.05]
    summary = answer.result.summary
    assert {name: summary[name] for name in ("stack_rows", "op_rows", "in_use_bytes", "in_use_count")} == {
        "stack_rows": 14,
        "op_rows": 3,
        "in_use_bytes": 1000,
        "in_use_count": 7,
    }
    assert summary["in_use_devices"] == 2
    assert summary["peak_bytes"] is None
    assert "no timeline" in answer.result.unknown["peak_bytes"]
    (finding,) = answer.result.findings
    assert finding.title == "1,000 bytes in use on 2 devices; 700 bytes (70 %) allocated in `f` (a.py:7)"
    assert finding.detail == "buffer: 950 bytes in 6, executable: 50 bytes in 1."
    ops = answer.result.tables["ops"]
    assert [*zip(ops["op"], ops["live_bytes"], ops["live_allocations"], strict=True)] == [
        ("f (a.py:7)", 700, 3),
        ("f (a.py:8)", 200, 3),
        ("main (a.py:1)", 100, 1),
    ]


def test_who_asked_is_the_innermost_function_of_no_library() -> None:
    jax = "bind /venv/lib/python3.12/site-packages/jax/_src/core.py:5"
    profile = Pprof().sample(9, ["main a.py:1", "f a.py:7", jax], kind="buffer", device="cuda:0").sample(4, [jax])
    answer = ask(profile)
    assert answer.result.findings[0].title == "13 bytes in use on 1 device; 9 bytes (69 %) allocated in `f` (a.py:7)"
    assert list(answer.result.tables["ops"]["op"])[1].startswith("bind (/venv/lib")


def test_what_the_limit_leaves_out_is_one_row_below_its_caller() -> None:
    assert tree(ask(small(), limit="4")) == [
        (-1, 0, "cuda:0", 900, 0, 5),
        (0, 1, "buffer", 900, 0, 5),
        (1, 2, "main", 900, 100, 5),
        (2, 3, "f", 600, 600, 1),
        (2, 3, "(1 smaller)", 200, 200, 3),
        (-1, 0, "(2 smaller)", 100, 100, 2),
    ]
    assert ask(small(), limit="4").result.summary["stack_rows"] == 14
    assert tree(ask(small(), limit="0")) == tree(ask(small()))


def test_several_hosts_are_above_their_devices() -> None:
    other = Pprof().sample(2000, ["main a.py:1"], kind="buffer", device="cuda:0")
    answer = ask(small(), other)
    assert [row for row in tree(answer) if row[1] < 2] == [
        (-1, 0, "host1", 2000, 0, 1),
        (0, 1, "cuda:0", 2000, 0, 1),
        (-1, 0, "host0", 1000, 0, 7),
        (4, 1, "cuda:0", 900, 0, 5),
        (4, 1, "(no device named)", 50, 0, 1),
        (4, 1, "cuda:1", 50, 0, 1),
    ]
    assert answer.result.summary["stack_rows"] == 19
    assert answer.result.findings[0].title.startswith(
        "2.93 KiB in use on 3 devices; 2.05 KiB (70 %) allocated in `main`"
    )
    assert len(tree(ask(small(), other, limit="3"))) <= 6


def test_a_stack_deeper_than_any_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_stacks, "MAX_DEPTH", 5)
    profile = Pprof().sample(7, [f"f{i} a.py:1" for i in range(9)], kind="buffer").sample(1, ["g a.py:1"])
    answer = ask(profile)
    assert [row[2:] for row in tree(answer) if row[1] == 4] == [("f2", 7, 7, 1)]
    assert max(row[1] for row in tree(answer)) == 4
    assert answer.result.findings[0].params["cut"] == 1


def test_one_stack_of_a_hundred_thousand_calls() -> None:
    profile = Pprof().sample(7, [1 + i % 3 for i in range(100_000)], kind="buffer").sample(1, ["a", "b", "c"])
    answer = ask(profile)
    assert max(row[1] for row in tree(answer)) == memory_stacks.MAX_DEPTH - 1


def test_a_profile_of_nothing() -> None:
    answer = ask(Pprof())
    assert tree(answer) == []
    assert answer.result.findings[0].title == "0 bytes in use"


def test_buffers_of_no_size_and_negative_ones() -> None:
    profile = Pprof().sample(0, ["f a.py:1"], kind="buffer").sample(-5, ["g a.py:1"], kind="buffer")
    answer = ask(profile)
    assert [row[2:4] for row in tree(answer)] == [("(no device named)", -5), ("buffer", -5), ("f", 0), ("g", -5)]
    assert list(answer.result.tables["stacks"]["share"]) == [None] * 4


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(0, 12))
def test_sums_hold_for_any_tree_and_limit(seed: int, limit: int) -> None:
    draw, profile = random.Random(seed), Pprof()
    for _ in range(draw.randrange(40)):
        stack = [f"f{draw.randrange(3)} a.py:{draw.randrange(2)}" for _ in range(draw.randrange(6))]
        device = f"cuda:{draw.randrange(2)}" if draw.random() < 0.7 else ""
        profile.sample(draw.randrange(5), stack, draw.randrange(1, 3), kind=draw.choice(["buffer", "b"]), device=device)
    whole, some = ask(profile, limit="0"), ask(profile, limit=str(limit))
    assert some.result.summary["stack_rows"] == whole.result.summary["stack_rows"] == len(tree(whole))
    if limit:
        kept = sorted((row[3] for row in tree(some) if "smaller" not in row[2]), reverse=True)
        assert kept == sorted((row[3] for row in tree(whole)), reverse=True)[:limit]


def test_every_tool_answers_of_a_memory_profile_and_says_that_there_is_no_timeline() -> None:
    timeline = Timeline(decode.read_bytes(small().bytes(), "memory.prof"), "host")
    for tool in tools.TOOLS:
        options = tool.parse({})
        result = tool.combine([tool.per_host(timeline, options)], options)
        Answer(tool, "run", ("host",), result, timeline.capture.quality, "any").check()
        reason = tool.nothing(timeline)
        assert reason == (None if tool is MEMORY_PROFILE else "a device memory profile has no timeline")


@pytest.mark.skipif(not REAL, reason="the captures are not here")
@pytest.mark.parametrize("path", REAL, ids=lambda path: str(path.parent.name))
def test_real_profiles(path: Path) -> None:
    answer = ask(path.read_bytes())
    summary = answer.result.summary
    assert len(tree(answer)) == summary["stack_rows"]
    assert sum(answer.result.tables["ops"]["live_bytes"]) == summary["in_use_bytes"]
    assert sum(answer.result.tables["ops"]["live_allocations"]) == summary["in_use_count"]
    assert "site-packages" not in answer.result.findings[0].title


def test_the_largest_sizes_of_several_hosts_add_up() -> None:
    most = Pprof().sample((1 << 63) - 1, ["f a.py:1"]).bytes()
    answer = ask(*[most] * 8, limit="1")
    assert answer.result.summary["in_use_bytes"] == 8 << 50
    assert answer.to_dict()["tables"]["stacks"]["columns"]["bytes"][0] == 1 << 50
