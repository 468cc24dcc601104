"""A capture of which most is the start of a device's driver."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.advice.rules.overview.without_steps import without_steps
from tensorboard_perfplugin.analysis.hosts import DriverStart
from tests.advice.rules.overview.hosts import MS, facts, one, op, row


@pytest.mark.parametrize(
    ("ms", "said"), [(500, [("driver_starts", "warning"), ("host_op_time", "note")]), (499, [("host_op_time", "note")])]
)
def test_from_half_of_the_capture_on_it_is_the_answer(ms: int, said: list[tuple[str, str]]) -> None:
    start = DriverStart(ms * MS, 1000 * MS, "cudaFree", 400 * MS, 2, (100 * MS, 500 * MS, 0))
    host = one(driver_start=start, ops={"host_op_ps": 900 * MS, "window_ps": 1000 * MS})
    found = list(without_steps(facts([host], op("dot", "host", row(900)))))
    assert [(f.code, f.severity) for f in found if f.code != "no_steps"] == said
    if ms == 500:
        assert found[0].params == {
            "share": 0.5,
            "ps": 500 * MS,
            "of_ps": 1000 * MS,
            "call": "cudaFree",
            "call_ps": 400 * MS,
        }
        assert [(e.start_ps, e.end_ps, e.track) for e in found[0].evidence] == [(100 * MS, 500 * MS, 0)]
