"""The doctor on memory snapshots of PyTorch."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from tensorboard_perfplugin.doctor import diagnose
from tests.snapshots import Device, pickled, train


def _train(history: int | None = None) -> bytes:
    device = Device(history=history)
    return pickled([device], train(device, 2))


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        (_train(), ["ok"]),
        (_train(history=0), ["ok"]),
        (_train()[:-800], ["truncated_file"]),
        (pickle.dumps({"segments": [print]}), ["pickle_of_something_else"]),
    ],
)
def test_what_is_said_of_one(tmp_path: Path, data: bytes, wanted: list[str]) -> None:
    path = tmp_path / "snapshot.pickle"
    path.write_bytes(data)
    found = [each.code.replace("incomplete_and_fresh", "truncated_file") for each in diagnose(str(tmp_path))]
    assert found == wanted
