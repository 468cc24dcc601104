"""Search over a trace's names: what is found, in which order, and what is refused."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.trace_viewer import event as search_question
from tensorboard_perfplugin.trace import search as trace_search
from tensorboard_perfplugin.trace.search import matcher
from tests.build_capture import Ref, Space, StatValue, Uint
from tests.trace.test_viewer import ask, opened, rows


def named() -> Space:
    space = Space()
    cpu = space.plane("/host:CPU")
    cpu.line(1, "a").event("MatMul", 50, 10).event("matmul_grad", 10, 10).event("Relu", 0, 100)
    gpu = space.plane("/device:GPU:0")
    gpu.kind("volta_sgemm_128", display_name="MATMUL kernel")
    gpu.line(1, "s").event("volta_sgemm_128", 30, 5).event("other", 40, 5)
    return space


def test_names_and_labels_that_hold_the_text_by_start() -> None:
    answer = ask(opened(named()), search="matmul")
    assert rows(answer, "hits", "start_ps", "name", "track", "depth", "duration_ps", "row") == [
        (10, "matmul_grad", 0, 1, 10, 1),
        (30, "MATMUL kernel", 1, 0, 5, 3),
        (50, "MatMul", 0, 1, 10, 2),
    ]
    assert rows(answer, "hit_tracks", "host", "track", "hits") == [("h", 0, 2), ("h", 1, 1)]
    assert answer.result.summary["hit_count"] == 3


def test_a_kernel_is_found_by_its_op() -> None:
    space = Space()
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    stream.event("volta_sgemm", 10, 5, stats={"tf_op": "model/dense/MatMul:MatMul"}).event("memset", 20, 5)
    assert rows(ask(opened(space), search="dense/mat"), "hits", "start_ps", "name") == [(10, "volta_sgemm")]


def test_pages_windows_and_expressions() -> None:
    timeline = opened(named())

    def names(**options: object) -> list[str]:
        return [name for (name,) in rows(ask(timeline, **options), "hits", "name")]

    assert names(search="matmul", offset=1) == ["MATMUL kernel", "MatMul"]
    assert names(search="matmul", offset=3) == []
    assert names(search="matmul", start_ps=15, end_ps=50) == ["matmul_grad", "MATMUL kernel"]
    assert names(search="^(mat|vol).*[0-9l]$", match="regex") == ["MATMUL kernel", "MatMul"]
    assert names(search="sgemm") == ["MATMUL kernel"]
    assert names(search=".*") == []


def test_a_page_is_the_same_wherever_the_pages_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    for line in range(3):
        track = space.plane("/host:CPU").line(line + 1, f"t{line}")
        for i in range(10):
            track.event("e", (i * 7) % 5 * 10, 1)
    timeline = opened(space)
    everything = rows(ask(timeline, search="e"), "hits", "start_ps", "row")
    assert everything == sorted(everything)
    for module in (trace_search, search_question):
        monkeypatch.setattr(module, "HITS_MAX", 7)
    pages = [rows(ask(timeline, search="e", offset=i), "hits", "start_ps", "row") for i in range(0, 35, 7)]
    assert [hit for page in pages for hit in page] == everything
    assert len(everything) == 30
    both = [rows(ask(timeline, timeline, search="e", offset=i), "hits", "start_ps", "row") for i in range(0, 63, 7)]
    # By start, of equal ones the first host's come first.
    assert [hit for page in both for hit in page] == [
        hit for start in range(0, 50, 10) for _ in range(2) for hit in everything if hit[0] == start
    ]
    assert rows(ask(timeline, timeline, search="e", offset=70), "hits", "row") == []


@pytest.mark.parametrize(
    "text",
    [
        *("(a+)+$", "(a|aa)*b", r"(a)\1", "a*a*a*a*b", "(x", "a{1000}{1000}", "y" * 201, "(a|b)(a|b)(a|b)(a|b)"),
        # A comment, a blank or a line's end may hide what is repeated.
        *("(?x)(a+) +$", "(?ix:(a+) +)$", "(?#[)a*a*a*a*a*c(?#])", "(?x)#[\na*a*a*a*c#]", "[\\\n[]a*a*a*a*a*]"),
    ],
)
def test_expressions_that_could_run_for_ever_are_refused(text: str) -> None:
    with pytest.raises(ArgumentError, match="search"):
        matcher(text, "regex")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r"\(\*\)+", "f(*)"),
        ("a|b|c|d|e", "xe"),
        (r"[(*+]{2}", "a(*"),
        (r"^foo.*bar\d+$", "FOO.bar12"),
        ("(?:fwd|bwd)_conv", "x_bwd_conv"),
        ("^a.*?b.*?c.*?$", "axbxcx"),
    ],
)
def test_expressions_that_are_accepted(text: str, name: str) -> None:
    assert matcher(text, "regex")(name)


def test_an_expression_that_takes_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.5, 1.5])
    monkeypatch.setattr("tensorboard_perfplugin.timeline.names.ops.time.monotonic", lambda: next(clock))
    matches = matcher("a.*b", "regex")
    assert matches("ab")
    with pytest.raises(ArgumentError, match="takes longer than 1 s"):
        matches("ab")


def with_args() -> Timeline:
    space = Space()
    line = space.plane("/host:CPU").line(1, "a")
    stats: dict[str, StatValue] = {"tag": "Epoch seven", "id": 1234}
    line.event("f", 0, 10, stats=stats).event("f", 20, 30, stats={"id": Uint(2**64 - 1)})
    gpu = space.plane("/device:GPU:0")
    gpu.kind("k", stats={"note": Ref("epoch of kinds")})
    gpu.line(1, "s").event("k", 40, 5).event("epoch", 60, 5, stats={"id": 1234})
    return opened(space)


@pytest.mark.parametrize(
    ("options", "starts"),
    [
        ({"search": "epoch"}, [60]),
        ({"search": "epoch", "in": "args"}, [0, 40]),
        ({"search": "epoch", "in": "all"}, [0, 40, 60]),
        ({"search": "^epoch .*n$", "in": "args", "match": "regex"}, [0]),
        ({"search": "epoch seven", "in": "args", "match": "exact"}, []),
        ({"search": "Epoch seven", "in": "args", "match": "exact"}, [0]),
        ({"search": "1234", "in": "args"}, [0, 60]),
        ({"search": "18446744073709551615", "in": "args"}, [20]),
        ({"search": "-1", "in": "args"}, []),
        ({"search": "1234"}, []),
        ({"search": "f", "match": "exact"}, [0, 20]),
        ({"search": "epoch", "in": "all", "tracks": "1"}, [40, 60]),
        ({"search": "9" * 30, "in": "args"}, []),
    ],
)
def test_where_and_how(options: dict[str, object], starts: list[int]) -> None:
    answer = ask(with_args(), **options)
    assert [start for (start,) in rows(answer, "hits", "start_ps")] == starts
    assert answer.result.summary["hit_count"] == len(starts)


def test_hits_by_name() -> None:
    answer = ask(with_args(), with_args(), search=".", match="regex")
    assert rows(answer, "hit_names") == [("f", 4, 80), ("epoch", 2, 10), ("k", 2, 10)]
    assert answer.result.summary["hit_names_rows"] == 3


def test_names_with_hits_are_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    for i in range(9):
        line.event(f"e{i}", i * 10, i)
    for module in (trace_search, search_question):
        monkeypatch.setattr(module, "HIT_NAMES_MAX", 2)
    answer = ask(opened(space), search="e")
    assert rows(answer, "hit_names", "name") == [("e8",), ("e7",)]
    assert answer.result.summary["hit_names_rows"] == 9


def test_a_bad_expression_is_told_with_its_place() -> None:
    with pytest.raises(ArgumentError, match=r"unterminated subpattern at position 3"):
        ask(opened(named()), search="abc(", match="regex")
