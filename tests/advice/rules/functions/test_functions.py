"""Each rule on Python functions, on both sides of its thresholds."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.functions import function_findings
from tests.build_python_stats import Stats, run_of

MAIN = "train.py:1(main)"
ITEM = "<method 'item' of 'torch._C.TensorBase' objects>"
WAIT = "<built-in method torch._C._distributed_c10d.wait>"
POLL = "<method 'poll' of 'select.poll' objects>"
SLEEP = "<built-in method time.sleep>"
WORKER = "/x/site-packages/torch/utils/data/dataloader.py:1120(_try_get_data)"


def findings(*hosts: Stats) -> tuple[Finding, ...]:
    return function_findings(run_of(*hosts))


def codes(*hosts: Stats) -> list[str]:
    return [finding.code for finding in findings(*hosts)]


def of(name: str, share: float) -> Stats:
    """A program of 100 s of which the function has a share, called by the program itself."""
    stats = Stats().function(MAIN, 100 * (1 - share), 100)
    return stats.function(name, 100 * share, callers={MAIN: (1, 1, 100 * share, 100 * share)})


@pytest.mark.parametrize(
    ("name", "least", "code"),
    [
        (ITEM, 0.05, "python_waits.gpu"),
        (WAIT, 0.05, "python_waits.peers"),
        (POLL, 0.1, "python_waits.others"),
        (SLEEP, 0.05, "python_waits.sleep"),
        (WORKER, 0.05, "python_waits.workers"),
        ("/x/torch/utils/data/_utils/fetch.py:47(fetch)", 0.1, "python_loads"),
        ("/x/torch/optim/adam.py:336(_single_tensor_adam)", 0.1, "python_optimizer"),
        ("/x/logging/__init__.py:1514(_log)", 0.05, "python_logs"),
        ("/x/torch/serialization.py:800(save)", 0.1, "python_saves"),
    ],
)
def test_what_takes_its_share_is_said_first(name: str, least: float, code: str) -> None:
    assert codes(of(name, least * 0.99)) == ["python_largest"]
    found = findings(of(name, least * 1.01))
    label = name if not name.startswith("<") else f"{{{name[1:-1]}}}"
    assert [finding.code for finding in found] == [code, "python_largest"]
    assert found[0].severity == "warning"
    assert found[0].share == pytest.approx(least * 1.01)
    assert (found[0].params["function"], found[0].params["caller"]) == (label, MAIN)
    assert (found[0].tool, found[0].search) == ("python_profile", label)


def test_imports_are_a_note_before_what_takes_most() -> None:
    name = "<frozen importlib._bootstrap>:1022(_find_and_load)"
    assert codes(of(name, 0.099)) == ["python_largest"]
    assert codes(of(name, 0.101)) == ["python_imports", "python_largest"]


def test_waits_of_a_data_loader_are_said_once() -> None:
    """The loader polls for 30 of 32 s that the program polls at all."""
    stats = Stats().function(MAIN, 68, 100).function(WORKER, 0, 30, callers={MAIN: (1, 1, 0, 30)})
    stats.function(POLL, 32, callers={WORKER: (1, 1, 30, 30), MAIN: (1, 1, 2, 2)})
    assert codes(stats) == ["python_waits.workers", "python_largest"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("train.py:9(tokenize)", "python_largest"),
        ("/usr/lib/python3.11/json/decoder.py:3(decode)", "python_largest.library"),
        ("<built-in method torch._C._nn.linear>", "python_largest.builtin"),
        ("<built-in method builtins.sum>", "python_largest.library"),
        ("<stdin>:3(f)", "python_largest"),
        ("<frozen os>:3(walk)", "python_largest.library"),
    ],
)
def test_what_takes_most_is_said_by_who_wrote_it(name: str, code: str) -> None:
    [finding] = findings(of(name, 0.75))
    assert (finding.code, finding.severity, finding.share) == (code, "info", 0.75)
    assert (finding.params["caller"], finding.params["total"]) == (MAIN, 100e12)


def test_what_waits_is_not_what_takes_most() -> None:
    first, second = findings(of(SLEEP, 0.75))
    assert (first.code, second.code, second.params["function"]) == ("python_waits.sleep", "python_largest", MAIN)


@pytest.mark.parametrize(
    ("calls", "each_ps", "often"),
    [
        (10_000, 18e6, True),
        (9_999, 18e6, False),
        (10_000, 22e6, False),
    ],
)
def test_short_calls_that_are_many(calls: int, each_ps: float, often: bool) -> None:
    [finding] = findings(Stats().function("a.py:1(f)", calls * each_ps / 1e12, calls=calls))
    assert finding.params["often"] is often
    assert finding.params["per_call"] == pytest.approx(each_ps)


def test_a_short_recording_is_not_judged() -> None:
    for whole, said in ((49.5e9, False), (50.5e9, True)):
        stats = Stats().function(MAIN, 0.51 * whole / 1e12).function(ITEM, 0.49 * whole / 1e12)
        assert codes(stats) == ["python_waits.gpu"] * said + ["python_largest"]
        assert codes(stats, stats) == codes(stats)


def test_what_is_most_of_a_short_recording_is_a_note() -> None:
    [waits, _] = findings(Stats().function(MAIN, 0.002).function(SLEEP, 0.004))
    assert (waits.code, waits.severity) == ("python_waits.sleep", "note")


def test_nothing_took_time() -> None:
    assert codes(Stats().function("a.py:1(f)", 0.0)) == ["python_nothing_timed"]
    assert codes(Stats()) == ["python_nothing_timed"]
    assert codes(Stats().function("<method 'disable' of '_lsprof.Profiler' objects>", 1e-6)) == ["python_nothing_timed"]


def ranks(extra: float, elsewhere: float = 0.0) -> list[Stats]:
    """Four ranks of 100 s, of which the last works longer: `load` and, evenly, ten others."""
    hosts = []
    for rank in range(4):
        more, spread = (extra, elsewhere / 10) if rank == 3 else (0.0, 0.0)
        host = (
            Stats()
            .function(MAIN, 40)
            .function("train.py:5(load)", 10 + more, callers={MAIN: (1, 1, 10 + more, 10 + more)})
        )
        for i in range(10):
            host.function(f"train.py:{10 + i}(f{i})", spread)
        hosts.append(host.function(WAIT, 50 - more - 10 * spread))
    return hosts


def test_a_slow_rank_is_the_answer() -> None:
    least = 5.0
    assert "python_slow_host" not in codes(*ranks(least * 0.99))
    finding, *_ = findings(*ranks(least * 1.01))
    assert finding.code == "python_slow_host"
    assert finding.share == pytest.approx(0.0505)
    assert (finding.params["host"], finding.params["hosts"]) == ("rank_3", 4)
    assert (finding.params["function"], finding.params["caller"]) == ("train.py:5(load)", MAIN)
    assert finding.params["function_excess"] == pytest.approx(least * 1.01e12)


def test_a_slow_rank_without_a_function_that_explains_it() -> None:
    for part, said in ((0.204, True), (0.196, False)):
        assert ("python_slow_host" in codes(*ranks(20 * part, 20 * (1 - part)))) is said
