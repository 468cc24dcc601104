"""The overview of a memory snapshot: what fills the memory, nothing of what its steps' time went to."""

from __future__ import annotations

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.snapshots import Device, pickled, train


def test_steps_of_a_snapshot_are_not_judged() -> None:
    device = Device()
    notes = train(device)
    timeline = Timeline(decode.read_bytes(pickled([device], notes), "snapshot.pickle"), "h")
    options = {option.name: option.default for option in OVERVIEW.options}
    result = OVERVIEW.combine([OVERVIEW.per_host(timeline, options)], options)
    assert [finding.code for finding in result.findings][:1] == ["memory_peak"]
    assert {finding.tool for finding in result.findings} == {"memory_profile"}
    assert (result.summary["step_count"], result.summary["device_type"]) == (None, None)
    assert not any(len(cells) for cells in result.tables["split"].values())
