"""Many streams and threads of few events, which the split goes through together."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import INDEX, split_of
from tensorboard_perfplugin.timeline.split import device, sets
from tests.build_capture import Space
from tests.timeline.timelines import timeline


@pytest.mark.parametrize("together", [1, 5, 1 << 12])
def test_short_and_long_ones(together: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams 0 to 9 overlap: kernels [10 i, 10 i + 15) and, on each third, a collective [200, 205)."""
    monkeypatch.setattr(device, "_TOGETHER", together)
    monkeypatch.setattr(sets, "_TOGETHER", together)
    space = Space()
    space.plane("/host:CPU").line(1, "python").event("train", 0, 300, {"step_num": 0, "_r": 1})
    gpu = space.plane("/device:GPU:0")
    for i in range(10):
        stream = gpu.line(i, f"Stream #{i}")
        for part in range(3):
            stream.event("kernel", 10 * i + 5 * part, 5)
        if i % 3 == 0:
            stream.event("ncclKernel_AllReduce", 200, 5)
    gpu.line(20, "XLA Ops").event("derived", 0, 300)
    found = split_of(timeline(space))
    found.check()
    both = [INDEX["compute_other"], INDEX["collective"]]
    assert found.union_ps[0, 0, both].tolist() == [105, 5]
    assert found.exposed_ps[0, 0, both].tolist() == [105, 5]
