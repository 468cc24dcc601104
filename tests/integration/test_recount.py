"""Steps and what ran in them, against sums that TensorFlow's own reader and plain Python make of the same file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.split.split import Split, split_of
from tensorboard_perfplugin.timeline.timeline import CATEGORIES, INDEX, Timeline
from tests.commands import output
from tests.conftest import ROOT, SHARED_CAPTURES, slow_but
from tests.integration._programs import Programs, frameworks_python
from tests.integration.conftest import SAMPLES

COMPUTE = [INDEX[c.key] for c in CATEGORIES if c.group == "compute"]
COPIES = [INDEX[key] for key in ("copy_in", "copy_out", "copy_device")]


def recounted(files: list[Path]) -> dict[str, Any]:
    command = [str(frameworks_python()), str(ROOT / "tests" / "parity" / "recount.py"), *(str(file) for file in files)]
    found: dict[str, Any] = json.loads(output(command))
    return found


def split_of_file(file: str) -> Split:
    split = split_of(Timeline(decode.read(file), "h"))
    split.check()
    return split


def check_steps(split: Split, counted: dict[str, Any]) -> None:
    begin, end = np.array(counted["steps"]).T
    assert (np.diff(split.steps.begin_ps) == np.diff(begin)).all()
    assert (split.steps.span_ps == end - begin).all()
    assert (split.exposed_ps.sum(axis=2) == np.append(np.diff(begin), end[-1] - begin[-1])).all()


def test_what_ran_on_gpus() -> None:
    files = sorted(path for name in ("gpu_streams", "two_hosts") for path in (SAMPLES / name).rglob("*.xplane.pb"))
    synthetic = SHARED_CAPTURES / "xplane" / "synth_gpu_small"
    files += sorted(synthetic.rglob("*.xplane.pb")) if synthetic.is_dir() else []
    for file, counted in recounted(files).items():
        split = split_of_file(file)
        check_steps(split, counted)
        assert {unit.name for unit in split.units} == set(counted["devices"])
        for unit, exposed, union in zip(split.units, split.exposed_ps, split.union_ps, strict=True):
            compute, collective, copies, all_collective = np.array(counted["devices"][unit.name]).T
            np.testing.assert_array_equal(exposed[:, COMPUTE].sum(axis=1), compute)
            np.testing.assert_array_equal(exposed[:, INDEX["collective"]], collective)
            np.testing.assert_array_equal(exposed[:, COPIES].sum(axis=1), copies)
            np.testing.assert_array_equal(union[:, INDEX["collective"]], all_collective)


@pytest.mark.parametrize(
    "spec", slow_but(("keras_fit:map_sleep",), ("keras_fit:map_sleep", "keras_fit:none", "tf_loop:map_sleep"))
)
def test_waiting_for_input(spec: str, programs: Programs) -> None:
    [file] = programs[spec].folder.rglob("*.xplane.pb")
    [counted] = recounted([file]).values()
    split = split_of_file(str(file))
    check_steps(split, counted)
    np.testing.assert_array_equal(split.union_ps[0, :, INDEX["input_wait"]], counted["input"])
    np.testing.assert_array_equal(split.exposed_ps[0, :, INDEX["op_compute"]], counted["ops"])


def test_what_ops_cover_in_the_sample_of_tensorflow() -> None:
    for file, counted in recounted(sorted((SAMPLES / "keras_fit").rglob("*.xplane.pb"))).items():
        assert any(counted["ops"]), file
        assert any(counted["input"]), file
        split = split_of_file(file)
        np.testing.assert_array_equal(split.exposed_ps[0, :, INDEX["op_compute"]], counted["ops"])
        np.testing.assert_array_equal(split.union_ps[0, :, INDEX["input_wait"]], counted["input"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["custom_loop", "keras_compute_bound", "keras_input_bound", "remote_multi"])
def test_what_ops_cover_in_captures_made_elsewhere(name: str, shared_captures: Path) -> None:
    for file, counted in recounted(sorted((shared_captures / "xplane" / name).rglob("*.xplane.pb"))).items():
        split = split_of_file(file)
        check_steps(split, counted)
        np.testing.assert_array_equal(split.exposed_ps[0, :, INDEX["op_compute"]], counted["ops"])
