"""Real captures and samples → splits that add up, compiled or not, and say what their programs were made to do."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.split import sets
from tensorboard_perfplugin.timeline.split.split import Split, split_of
from tensorboard_perfplugin.timeline.timeline import INDEX, Timeline

SAMPLES = Path(__file__).parents[2] / "samples"


def read(path: Path) -> Timeline:
    return Timeline(decode.read(str(path)), "h")


def only(folder: Path) -> Path:
    return min(folder.rglob("*.xplane.pb"))


def share(split: Split, key: str) -> float:
    """Of the wall time of all steps, over all units."""
    return float(split.exposed_ps[:, :, INDEX[key]].sum() / split.exposed_ps.sum())


@pytest.mark.parametrize("name", ["keras_fit", "jax_train", "gpu_streams", "two_hosts", "host_only_launches"])
def test_compiled_and_numpy_divide_alike(name: str) -> None:
    timeline = read(only(SAMPLES / name))
    compiled = split_of(timeline)
    compiled.check()
    with patch.object(sets.paint, "__defaults__", (False,)), patch.object(sets.merge, "__defaults__", (False,)):
        plain = split_of(Timeline(timeline.capture, "h"))
    assert len(compiled.steps)
    assert np.array_equal(compiled.exposed_ps, plain.exposed_ps)
    assert np.array_equal(compiled.union_ps, plain.union_ps)


def test_samples_say_what_they_were_made_for() -> None:
    assert share(split_of(read(only(SAMPLES / "keras_fit"))), "input_wait") > 0.8
    assert share(split_of(read(only(SAMPLES / "jax_train"))), "op_compute") > 0.9
    waits_ms = split_of(read(only(SAMPLES / "gpu_streams"))).exposed_ps[0, :, INDEX["input_wait"]] / 10**9
    assert [round(wait) for wait in waits_ms.tolist()] == [1, 1, 1, 24, 1, 1]


@pytest.mark.parametrize(
    ("name", "key", "low", "high"),
    [
        ("keras_input_bound", "input_wait", 0.8, 0.9),
        ("keras_input_bound", "op_compute", 0.05, 0.1),
        ("keras_compute_bound", "op_compute", 0.9, 1),
        ("keras_compute_bound", "input_wait", 0, 0.01),
        ("mirrored", "op_compute", 0.4, 0.6),
        ("mirrored", "collective", 0.1, 0.2),
        ("jax_cpu", "op_compute", 0.9, 1),
        ("jax_python", "python", 0.4, 0.8),
        # Its core waits for copies from and to the host's memory.
        ("xprof-tpu-inference-2", "copy_in", 0.7, 0.8),
        ("xprof-tpu-inference-2", "copy_out", 0.2, 0.25),
        # bfloat16, which for half of its kernels only the programs in the capture tell.
        ("jax-rocm-mi300-tracelens/plugins/profile/jax08_conv", "compute_other", 0, 0.001),
        ("jax-rocm-mi300-tracelens/plugins/profile/jax08_conv", "compute_16bit", 0.015, 0.03),
    ],
)
def test_shares_of_captures(shared_captures: Path, name: str, key: str, low: float, high: float) -> None:
    split = split_of(read(only(shared_captures / "xplane" / name)))
    split.check()
    assert low <= share(split, key) <= high
