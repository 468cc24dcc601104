"""The sample captures: readable, what their README says they are, and what their scripts make."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Capture, PlaneKind
from tests.integration.conftest import SAMPLES
from tests.samples import make_synthetic


def read(folder: str) -> list[Capture]:
    """The captures of a sample, one a host."""
    captures = [decode.read(str(path)) for path in sorted((SAMPLES / folder).rglob("*.xplane.pb"))]
    for capture in captures:
        capture.check()
    return captures


def kinds(capture: Capture) -> list[PlaneKind]:
    return [PlaneKind(int(kind)) for kind in capture.planes.kind]


def numbered_ms(capture: Capture, name: str) -> dict[int, float]:
    """Step number → length in ms, of the events of a name that carry `step_num`."""
    rows = [row for row in range(len(capture.events)) if capture.event_name(row) == name]
    return {
        int(str(dict(capture.event_values(row))["step_num"])): float(capture.events.duration_ps[row]) / 1e9
        for row in rows
    }


def stopwatch_ms(folder: str) -> dict[int, float]:
    log: dict[str, Any] = json.loads((SAMPLES / folder / "stopwatch.json").read_text())
    return {step["step"]: (step["end_ns"] - step["begin_ns"]) / 1e6 for step in log["steps"]}


def test_synthetic_samples_are_what_their_script_makes(tmp_path: Path) -> None:
    make_synthetic.main(tmp_path)
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.pb"))
    assert {path.parts[0] for path in made} == {"gpu_streams", "two_hosts", "broken_tail", "host_only_launches"}
    for path in made:
        assert (SAMPLES / path).read_bytes() == (tmp_path / path).read_bytes(), path


@pytest.mark.parametrize(("folder", "marker"), [("keras_fit", "Profiled batch"), ("jax_train", "train")])
def test_real_samples_agree_with_the_stopwatch(folder: str, marker: str) -> None:
    [capture] = read(folder)
    assert capture.hostname == "trainer"
    steps, watch = numbered_ms(capture, marker), stopwatch_ms(folder)
    assert sorted(steps) == sorted(watch)
    for number, length_ms in watch.items():
        assert steps[number] == pytest.approx(length_ms, rel=0.02), number


def test_gpu_streams_holds_two_gpus_and_loses_nothing() -> None:
    [capture] = read("gpu_streams")
    assert kinds(capture).count(PlaneKind.GPU) == 2
    assert (capture.quality.events_in_file, capture.quality.dropped) == (14046, {})
    assert len(capture.events) == 14046


def test_two_hosts_are_two_files_of_one_session() -> None:
    captures = read("two_hosts")
    assert [capture.hostname for capture in captures] == ["worker-0", "worker-1"]
    first, second = (capture.start_ns for capture in captures)
    assert first is not None
    assert second is not None
    assert second - first == 37_000_000


def test_broken_tail_is_read_up_to_the_damage() -> None:
    [capture] = read("broken_tail")
    assert capture.quality.events_kept > 1000
    assert any("at" in warning.params for warning in capture.quality.warnings)


def test_host_only_launches_has_a_gpu_without_events() -> None:
    [capture] = read("host_only_launches")
    gpu = kinds(capture).index(PlaneKind.GPU)
    assert gpu not in capture.tracks.plane.tolist()
    assert "cuLaunchKernel" in capture.strings


def test_samples_are_small() -> None:
    assert sum(path.stat().st_size for path in SAMPLES.rglob("*.xplane.pb*")) <= 3_000_000
