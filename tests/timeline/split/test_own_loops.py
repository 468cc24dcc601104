"""Calls that are named as if they got input: those that run the model are a program's loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin.timeline import INDEX, own_loops_of, split_of
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.kineto import Event, ask, launched, on_host, saved, step

US = 10**6


def generates(name: str, inside: int, kernels: int = 4) -> list[Event]:
    """Two steps of 100 µs, of which a call takes 60; each step launches so many kernels, some of them inside of it."""
    events: list[Event] = []
    for number in range(2):
        at = 100.0 * number
        events += [step(number, at, 100), on_host(name, at + 10, 60, "python_function")]
        for i in range(kernels):
            begin = at + (20 + 10 * i if i < inside else 75 + 5 * i)
            events += launched("gemm", begin, begin + 2, 2, 10 * number + i + 1)
    return events


@pytest.mark.parametrize(("inside", "kernels", "waits_us"), [(0, 4, 60), (1, 5, 58), (1, 4, 0), (4, 4, 0)])
def test_what_yields_the_models_tokens_is_no_input(tmp_path: Path, inside: int, kernels: int, waits_us: float) -> None:
    """One of four kernels is `OF_THE_MODEL`, one of five is not."""
    answer = ask(saved(tmp_path, *generates("serve.py(12): __next__", inside, kernels)), "overview").to_dict()
    split = dict(zip(*(answer["tables"]["split"]["columns"][c] for c in ("category", "step_ms")), strict=True))
    assert split["input_wait"] == pytest.approx(waits_us / 1000)


@pytest.mark.parametrize(("inside", "waits_us"), [(1, 60), (2, 0)])
def test_a_loader_may_augment_on_the_device(tmp_path: Path, inside: int, waits_us: float) -> None:
    """Two of four kernels are `OF_A_LOADER`. What a loader launches is its own."""
    name = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
    answer = ask(saved(tmp_path, *generates(name, inside)), "overview").to_dict()
    split = dict(zip(*(answer["tables"]["split"]["columns"][c] for c in ("category", "step_ms")), strict=True))
    assert split["input_wait"] == pytest.approx(max(waits_us - 2 * inside, 0) / 1000)


def test_a_generator_that_calls_the_compiled_step_is_the_programs_loop() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(3):
        begin = 100 * number * US
        line.event("train", begin, 90 * US, stats={"step_num": number, "_r": 1})
        line.event("$data.py:5 batches", begin + US, 20 * US)
        line.event("$train.py:9 next_batch", begin + 30 * US, 50 * US)
        line.event("PjitFunction(step)", begin + 32 * US, 40 * US)
    t = timeline(space)
    names = [t.capture.strings[int(i)] for i in t.capture.events.name[own_loops_of(t)]]
    assert names == ["$train.py:9 next_batch"] * 3
    assert split_of(t).exposed_ps[0, 0, INDEX["input_wait"]] == 20 * US
