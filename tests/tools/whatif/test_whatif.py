"""Steps are replayed without a part of them, by hand; what cannot be read is said."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin import Profile
from tensorboard_perfplugin.advice.finding import selection_of
from tensorboard_perfplugin.analysis.path.select import selections
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.whatif import WHATIF
from tests.conftest import SAMPLES
from tests.timeline.timelines import timeline
from tests.tools.answered import combined
from tests.tools.kineto import Event, ask, launched, on_device, on_host, saved, step
from tests.tools.sync_training import MS, Device, captures

TURN = 100


def turns() -> list[Event]:
    """Four steps of 100 µs. The host loads for 30, copies for 10 and launches two kernels of 20 µs; then it waits."""
    events: list[Event] = []
    for number in range(4):
        at = TURN * number
        events += [step(number, at, TURN), on_host("app/data.py(3): load", at, 30, "python_function")]
        events.append(on_host("aten::copy_", at + 30, 4))
        events.append(on_host("cudaMemcpyAsync", at + 31, 1, "cuda_runtime", correlation=10 * number + 1))
        copy = "Memcpy HtoD (Pageable -> Device)"
        events.append(on_device(copy, at + 33, 10, "gpu_memcpy", correlation=10 * number + 1))
        for i in range(2):
            events += launched(f"gemm_{i}", at + 35 + 2 * i, at + 43 + 20 * i, 20, 10 * number + 2 + i)
        events.append(on_host("cudaDeviceSynchronize", at + 40, 45, "cuda_runtime"))
        events.append(on_host("app/train.py(9): log", at + 85, 15, "python_function"))
    return events


def select(run: Profile, *tools: str) -> list[str]:
    return [finding.whatif for tool in tools for finding in run.tool(tool).result.findings if finding.whatif]


def changed(folder: Path, **options: str) -> Answer:
    return ask(saved(folder, *turns()), "whatif", **options)


@pytest.mark.parametrize(
    ("options", "step_us"),
    [
        ({}, 100),
        ({"remove": "function:load"}, 70),
        ({"remove": "load*"}, 70),
        ({"remove": "kernel:gemm_?"}, 60),
        ({"scale": "kernel:gemm_1=0.5"}, 90),
        ({"scale": "gemm_*=2; function:log=0"}, 125),
        # The first kernel was launched at 36 µs, and waited until 43 for the copy.
        ({"remove": "copy:h2d"}, 93),
        ({"overlap": "copy:h2d"}, 93),
        ({"remove": "category:compute_other"}, 60),
        # The host waits from 40 to 85 µs; a category is time, whatever it was spent on.
        ({"remove": "category:waiting"}, 55),
    ],
)
def test_a_step_takes_as_long_as_what_is_left(tmp_path: Path, options: dict[str, str], step_us: float) -> None:
    summary = changed(tmp_path, **options).result.summary
    assert summary["step_ms"] == pytest.approx(TURN / 1000)
    assert summary["changed_step_ms"] == pytest.approx(step_us / 1000, abs=3e-3)


def test_ranks_that_share_their_work_do_not_wait_for_the_slowest() -> None:
    """Steps of 1 ms of input, 10 or 20 of compute, and 2 of all-reduce, for which the one waits 10 more, and 1 to the
    next."""
    hosts = {"a": [Device([MS] * 4, [10 * MS] * 4)], "b": [Device([MS] * 4, [20 * MS] * 4)]}
    parts = [
        WHATIF.per_host(timeline(space, name), WHATIF.parse({}))
        for name, space in zip(hosts, captures(hosts), strict=True)
    ]
    recorded, balanced = (
        combined(WHATIF, parts, list(hosts), options).result for options in ({}, {"balance": "ranks"})
    )
    assert recorded.findings == ()
    assert recorded.summary["changed_step_ms"] == balanced.summary["step_ms"] == 24
    assert balanced.summary["changed_step_ms"] == 1 + (10 + 20) / 2 + 2 + 1
    assert "equally over 2 hosts" in balanced.findings[0].detail


def test_one_host_has_no_other_to_share_its_work_with(tmp_path: Path) -> None:
    result = changed(tmp_path, balance="ranks").result
    assert [finding.code for finding in result.findings] == ["whatif.one_host"]
    assert result.summary["changed_step_ms"] == pytest.approx(TURN / 1000)


def test_hosts_that_work_alike_gain_nothing_by_sharing() -> None:
    result = tensorboard_perfplugin.open(SAMPLES / "two_hosts").tool("whatif", balance="ranks").result
    assert result.summary["gain_share"] == pytest.approx(0, abs=0.01)


def test_it_says_what_is_left_and_that_nothing_was_held(tmp_path: Path) -> None:
    first = changed(tmp_path, remove="kernel:gemm*").result.findings[0]
    assert first.title == "A step would take 60 µs instead of 100 µs"
    assert "`load` (data.py:3), 30 µs a step" in first.detail
    assert changed(tmp_path, remove="op:conv").result.findings[0].code == "whatif.nothing"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"remove": "copy:up"}, "copy 'up'"),
        ({"scale": "kernel:gemm"}, "KIND:NAME=TIMES"),
        ({"remove": "kernel:gemm=2"}, "KIND:NAME"),
        ({"remove": ";".join("abcdefghijklmnopqrstuvwxyz")}, "at most 20"),
    ],
)
def test_a_selection_that_cannot_be_read_is_an_error(tmp_path: Path, options: dict[str, str], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        changed(tmp_path, **options)


@pytest.mark.parametrize(
    "sample", ["broken_tail", "gpu_streams", "host_only_launches", "jax_train", "torch_train", "two_hosts"]
)
def test_what_a_finding_selects_is_in_the_steps(sample: str) -> None:
    run = tensorboard_perfplugin.open(SAMPLES / sample)
    selected = select(run, "overview", "op_stats", "kernel_stats")
    assert selected
    for selection in selected:
        assert run.tool("whatif", remove=selection).result.summary["piece_count"], selection


def test_a_wait_in_which_the_path_shows_no_event_is_not_selected() -> None:
    """In a Keras program the replay could not leave it out."""
    run = tensorboard_perfplugin.open(SAMPLES / "keras_fit")
    assert run.tool("overview").result.findings[0].code == "input_bound.stage"
    assert select(run, "overview") == []


def test_a_finding_selects_its_category_op_or_kernel(tmp_path: Path) -> None:
    run = tensorboard_perfplugin.open(saved(tmp_path, *turns()))
    assert select(run, "overview") == ["category:copy_in"]
    assert select(run, "op_stats") == ["op:gemm_0", "event:cudaDeviceSynchronize"]
    assert select(run, "kernel_stats") == ["kernel:gemm_0"]


def test_the_first_finding_selects_the_part_of_the_path_that_it_names() -> None:
    first = tensorboard_perfplugin.open(SAMPLES / "torch_train").tool("overview").result.findings[0]
    assert "`__getitem__` (torch_loop.py:67)" in first.detail
    assert first.whatif == "function:__getitem__ (torch_loop.py:67)"


@pytest.mark.parametrize(
    ("kind", "name", "selection"),
    [
        ("op", "model/while", "op:model/while"),
        ("event", "wait; then=5 [1]", "event:wait? then?5 ?1]"),
        ("kernel", " padded\n", "kernel:?padded?"),
        ("op", "x" * 193, f"op:{'x' * 193}"),
        ("op", "x" * 194, ""),
    ],
)
def test_a_name_is_written_as_a_selection(kind: str, name: str, selection: str) -> None:
    assert selection_of(kind, name) == selection
    for part in selections(f"{selection}=0.5" if selection else "", "scale"):
        assert f"{part.kind}:{part.pattern}" == selection
