"""What has a rate, what of it is believed, and what bounds: one rule of all pages."""

from __future__ import annotations

import math

import pytest

from tensorboard_perfplugin.analysis.devices import (
    ABOVE,
    BELIEVED,
    at_most_1,
    bound_by,
    giga_per_s,
    is_above,
    largest,
    ratio,
    starts,
    waits,
)


@pytest.mark.parametrize(
    ("category", "begins", "ends"),
    [
        ("copy-start", True, False),
        ("copy-done", False, True),
        ("infeed", False, True),
        ("send-done", False, True),
        ("host recv", False, True),
        ("recv", False, True),
        ("convolution fusion", False, False),
        ("dynamic-slice", False, False),
    ],
)
def test_what_goes_on_beside_other_ops_has_no_rate(category: str, begins: bool, ends: bool) -> None:
    assert (starts(category), waits(category)) == (begins, ends)


def test_a_ratio_is_of_what_is_known() -> None:
    assert ratio(1.0, 4.0) == 0.25
    assert [ratio(*pair) for pair in ((None, 1.0), (1.0, None), (1.0, 0.0), (1.0, math.inf), (1e300, 1e-300))] == [
        None
    ] * 5
    assert (at_most_1(1.0), at_most_1(1.01), at_most_1(None)) == (1.0, None, None)
    assert (largest((None, 0.5, 0.25)), largest((None,))) == (0.5, None)


def test_more_than_the_peak_rate_bounds_nothing() -> None:
    assert (is_above(ABOVE.value - 0.01), is_above(ABOVE.value), is_above(None)) == (False, True, False)
    assert (bound_by((ABOVE.value - 0.01, 0.5)), bound_by((ABOVE.value, 0.5))) == ("Compute", "")


def test_a_memory_bounds_up_to_a_rate_that_is_believed() -> None:
    assert (bound_by((0.5, BELIEVED.value)), bound_by((0.5, BELIEVED.value + 0.01))) == ("HBM", "")
    assert bound_by((0.5, 0.25, 0.75), ("Compute", "HBM", "VMEM read")) == "VMEM read"
    assert [bound_by(shares) for shares in ((None, 0.5), (0.5, None), (0.0, 0.0), (0.5, 0.5))] == [
        "",
        "",
        "",
        "Compute",
    ]


def test_a_rate_is_given_up_to_so_many_times_the_peak() -> None:
    assert giga_per_s(2e9, 1e12) == 2.0
    assert (giga_per_s(2e9, 1e12, 10.0, 10.0), giga_per_s(2e9, 1e12, 10.01, 10.0)) == (2.0, None)
    assert (giga_per_s(None, 1e12), giga_per_s(1.0, 0.0)) == (None, None)
