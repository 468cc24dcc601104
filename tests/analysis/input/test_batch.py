"""Copies to the device: those that carry the batch of a step, and those that place something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.input.copies import BatchCopies
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.input_pipeline import INPUT_PIPELINE
from tests.tools.kineto import Event, ask, launched, on_host, saved, step


def copies(*at: tuple[float, int], loader: bool = False) -> list[Event]:
    """Two steps of 100 µs; ten kernels of 4 µs from 20 µs on, 6 µs apart, of which copies of 2 µs run between.

    at: begin of a copy in its step, and its bytes.
    """
    events: list[Event] = []
    for number in range(2):
        begin = 100.0 * number
        events.append(step(number, begin, 100))
        for i in range(10):
            events += launched("gemm", begin + i, begin + 20 + 6 * i, 4, 100 * number + i + 1)
        for i, (copied, size) in enumerate(at):
            launch, name = begin + 12 + 2 * i, "Memcpy HtoD (Pageable -> Device)"
            call, copy = launched(name, launch, begin + copied, 2, 100 * number + 50 + i)
            copy["cat"] = "gpu_memcpy"
            copy["args"]["bytes"] = size
            call["name"] = "cudaMemcpyAsync"
            events += [call, copy]
            if loader:
                name = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
                events.append(on_host(name, launch - 0.5, 1.8))
    return events


def copy_in_us(folder: Path, *at: tuple[float, int], loader: bool = False) -> float:
    columns = ask(saved(folder, *copies(*at, loader=loader)), "input_pipeline").to_dict()["tables"]["steps"]["columns"]
    whole = {key: columns[f"{key}_ms"][0] for key in ("duration", "input_wait", "batch_copy", "rest")}
    assert whole["input_wait"] + whole["batch_copy"] + whole["rest"] == pytest.approx(whole["duration"])
    return float(round(1000 * whole["batch_copy"], 3))


def test_a_copy_before_or_after_compute_brings_a_batch(tmp_path: Path) -> None:
    assert copy_in_us(tmp_path, (16, 4096), (85, 512)) == 4


@pytest.mark.parametrize(("at", "us"), [(24, 2), (30, 0)])
def test_a_copy_amid_compute_is_placement(tmp_path: Path, at: float, us: float) -> None:
    """One of ten kernels has run, `EARLY`; or two."""
    assert copy_in_us(tmp_path, (at, 4096)) == us


def test_the_batch_of_a_later_micro_batch_is_as_large_as_the_first(tmp_path: Path) -> None:
    assert copy_in_us(tmp_path, (16, 4096), (48, 4096), (54, 8)) == 4


def test_what_a_loader_launches_is_input(tmp_path: Path) -> None:
    assert copy_in_us(tmp_path, (48, 4096), loader=True) == 2


@pytest.mark.parametrize(("size", "us"), [(8192, 0), (4096, 2)])
def test_what_the_step_had_on_the_device_before_is_no_batch(tmp_path: Path, size: int, us: float) -> None:
    """A tensor of that size went to the host before in the step."""
    events = copies((16, 8192))
    for number in range(2):
        call, copy = launched("Memcpy DtoH (Device -> Pageable)", 100 * number + 5, 100 * number + 10, 2, 900 + number)
        call["name"], copy["cat"] = "cudaMemcpyAsync", "gpu_memcpy"
        copy["args"]["bytes"] = size
        events += [call, copy]
    columns = ask(saved(tmp_path, *events), "input_pipeline").to_dict()["tables"]["steps"]["columns"]
    assert round(1000 * columns["batch_copy_ms"][0], 3) == us


def of_batches(folder: Path, events: list[Event]) -> BatchCopies:
    path = saved(folder, *events)
    of = Timeline(decode.read_bytes(Path(path).read_bytes(), Path(path).name), "h")
    return INPUT_PIPELINE.per_host(of, INPUT_PIPELINE.parse({})).copies  # type: ignore[no-any-return]


def pinned(events: list[Event], size: int) -> list[Event]:
    """The same, where copies of so many bytes are from pinned memory."""
    for event in events:
        given: dict[str, Any] = event.get("args", {})
        if given.get("bytes") == size:
            event["name"] = event["name"].replace("Pageable", "Pinned")
    return events


def test_what_is_pageable_of_two_copies_a_step(tmp_path: Path) -> None:
    """In each of two steps 2 µs of 4096 bytes and 2 µs of 512; a third copy, amid the compute, is of no batch."""
    found = of_batches(tmp_path, pinned(copies((16, 4096), (85, 512), (48, 99)), 512))
    assert (found.ps, found.pageable_ps, found.bytes, found.sized_ps) == (8_000_000, 4_000_000, 8192, 4_000_000)
    assert (found.pageable_share, found.bytes_per_s) == (0.5, 8192 * 1e12 / 4e6)


@pytest.mark.parametrize(("scale", "found"), [(0.9, 0), (1.1, 4)])
def test_copies_that_take_next_to_nothing_of_steps_are_not_looked_at(tmp_path: Path, scale: float, found: int) -> None:
    """A hundredth of steps of 100 µs is 1 µs."""
    events = copies((16, 4096))
    for event in events:
        if event["name"].startswith("Memcpy"):
            event["dur"] = scale
    assert (of_batches(tmp_path, events).ps > 0) is bool(found)
