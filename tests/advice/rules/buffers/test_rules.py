"""Findings on a program's buffers, each number from both sides."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.buffers import buffer_findings
from tensorboard_perfplugin.analysis.buffers.host import PADDING, Saving, Shown, host_buffers
from tensorboard_perfplugin.analysis.buffers.memory import DONATE, RECOMPUTE
from tensorboard_perfplugin.messages import Message
from tests.tools.memory_viewer.step import capture, step

MIB, GIB = 1 << 20, 1 << 30


def shown(**changes: Any) -> Shown:
    """The program of eleven instructions; with `peak` and `reserved` of other sizes."""
    found = host_buffers(capture(("jit_f(5)", step())), "", None, 100, None).shown
    assert found is not None
    space = {"peak_bytes": changes.pop("peak", None), "allocated_bytes": changes.pop("reserved", None)}
    known = {name: value for name, value in space.items() if value is not None}
    return found._replace(space=found.space._replace(**known), **{"savings": (), **changes})


def found(of: Shown, code: str) -> list[Finding]:
    return [finding for finding in buffer_findings(of) if finding.code == code]


def messages(finding: Finding, name: str) -> list[Message]:
    given = finding.params[name]
    assert isinstance(given, tuple)
    return [one for one in given if isinstance(one, Message)]


def codes(finding: Finding, name: str) -> list[str]:
    return [message.code for message in messages(finding, name)]


def saving(what: str, size: int, of: Shown | None = None) -> Saving:
    return Saving(what, size, 2, (of or shown()).rows[0])


def test_the_peak_leads_to_its_instruction_in_the_trace() -> None:
    [finding] = found(shown(), "program_peak")
    assert (finding.params["program"], finding.params["instruction"]) == ("jit_f", "dot.2")
    assert (finding.tool, finding.search, finding.match) == ("trace_viewer", "dot.2", "exact")
    assert (finding.severity, finding.share) == ("info", None)
    assert codes(finding, "parts") == [
        "buffer_part.temporary",
        "buffer_part.parameter",
        "buffer_part.output",
    ]


def test_an_instruction_that_no_event_has_is_not_searched_for() -> None:
    of = host_buffers(capture(("jit_f(5)", step()), ran=False), "", None, 100, None).shown
    assert of is not None
    [finding] = found(of, "program_peak")
    assert (finding.tool, finding.search) == ("", "")


def test_the_share_of_the_device_is_said() -> None:
    [finding] = found(shown(peak=4 * GIB, reserved=5 * GIB, capacity_bytes=16 * GIB), "program_peak")
    assert (finding.share, finding.params["gaps"]) == (0.25, GIB)


def test_a_device_that_is_too_small_is_full_not_fuller() -> None:
    findings = buffer_findings(shown(peak=2 * GIB, reserved=2 * GIB, capacity_bytes=GIB))
    assert [(finding.code, finding.share) for finding in findings[:2]] == [
        ("program_nearly_full", 1.0),
        ("program_peak", 1.0),
    ]


@pytest.mark.parametrize(("reserved", "said"), [(899, False), (900, True)])
def test_nine_tenths_of_the_device_are_nearly_all(reserved: int, said: bool) -> None:
    findings = buffer_findings(shown(peak=MIB * 899, reserved=MIB * reserved, capacity_bytes=1000 * MIB))
    assert (findings[0].code == "program_nearly_full") == said
    if said:
        assert (findings[0].severity, findings[0].share, findings[0].search) == ("warning", 0.9, "dot.2")


def test_without_a_known_device_nothing_is_near() -> None:
    assert found(shown(peak=GIB, reserved=GIB, capacity_bytes=None), "program_nearly_full") == []


@pytest.mark.parametrize(("size", "named"), [(9, []), (10, ["buffer_saving.recompute"])])
def test_what_saves_a_hundredth_is_named_first(size: int, named: list[str]) -> None:
    savings = (saving(RECOMPUTE, size * MIB),)
    of = shown(peak=1000 * MIB, reserved=1000 * MIB, capacity_bytes=1000 * MIB, savings=savings)
    [finding] = found(of, "program_nearly_full")
    assert codes(finding, "first") == named


@pytest.mark.parametrize(
    ("size", "peak", "said"), [(199, 1000, False), (200, 1000, True), (63, 64, False), (64, 64, True)]
)
def test_padding_is_said_from_a_fifth_and_64_mib_on(size: int, peak: int, said: bool) -> None:
    of = shown(peak=peak * MIB, savings=(saving(PADDING, size * MIB),))
    findings = found(of, "program_padding")
    assert bool(findings) == said
    if said:
        assert (findings[0].severity, findings[0].params["share"]) == ("note", size / peak)


@pytest.mark.parametrize(
    ("size", "peak", "said"), [(99, 1000, False), (100, 1000, True), (15, 16, False), (16, 16, True)]
)
def test_donation_is_said_from_a_tenth_and_16_mib_on(size: int, peak: int, said: bool) -> None:
    of = shown(peak=peak * MIB, savings=(saving(DONATE, size * MIB),))
    findings = found(of, "program_donation")
    assert bool(findings) == said
    if said:
        assert (findings[0].params["bytes"], findings[0].params["arguments"]) == (size * MIB, 2)
        [largest] = messages(findings[0], "largest")
        assert largest.params["instruction"] == "state"


def test_the_three_largest_arguments_are_named() -> None:
    of = shown(peak=64 * MIB, savings=(saving(DONATE, 64 * MIB),))
    row = of.rows[0]
    rows = [row._replace(held=row.held._replace(saves=DONATE, saved_bytes=size)) for size in (9, 8, 7, 6)]
    [finding] = found(of._replace(rows=tuple(rows)), "program_donation")
    assert [message.params["bytes"] for message in messages(finding, "largest")] == [9, 8, 7]


@pytest.mark.parametrize(("size", "parts"), [(1000, 1), (1001, 2)])
def test_a_part_of_a_thousandth_of_the_peak_is_not_named(size: int, parts: int) -> None:
    [finding] = found(shown(peak=1_000_000, at_peak={"temporary": 900_000, "parameter": size}), "program_peak")
    assert len(codes(finding, "parts")) == parts


def test_what_is_not_a_finding_is_silent() -> None:
    assert [finding.code for finding in buffer_findings(shown(savings=(saving(RECOMPUTE, GIB),)))] == ["program_peak"]
