"""Which programs took how long, and what a person's word for one of them means."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.programs import (
    ProgramTime,
    chosen_program,
    merged_programs,
    program_times,
    runs_on_devices,
)
from tensorboard_perfplugin.errors import ArgumentError
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline

BODY = [instruction(1, "x", "parameter", shape("f32", 8)), instruction(2, "add.1", "add", shape("f32", 8), (1, 1))]


def ran(name: str, number: int) -> dict[str, StatValue]:
    return {"hlo_op": name, "hlo_module": "jit_f", "program_id": number}


def programs(*keys: str) -> tuple[ProgramTime, ...]:
    return tuple(ProgramTime(key, 1, 1, 1.0, 1) for key in keys)


@pytest.mark.parametrize("host", [False, True], ids=["devices alone", "and the host"])
def test_times_of_programs_are_those_of_their_instructions(host: bool) -> None:
    """Where a host's event names an instruction, too, all ops are named; the devices' programs take as long."""
    space = Space()
    held = space.plane("/host:metadata")
    for key in ("jit_f(5)", "jit_f(6)", "jit_never(7)"):
        held.kind(key, stats={"Hlo Proto": program(computation(1, BODY), entry=1)})
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, (number, ps) in enumerate(((5, 100), (6, 300), (5, 100), (9, 50))):
        line.event("k", 1000 * i, ps, ran("add.1", number))
    line.event("copy", 9000, 10)
    if host:
        space.plane("/host:CPU").line(1, "XLA").event("add.1", 0, 20, ran("add.1", 8))
    size, of = len(program(computation(1, BODY), entry=1)), timeline(space)
    assert program_times(of) == (
        ProgramTime("jit_f(6)", 1, 1, 300.0, size),
        ProgramTime("jit_f(5)", 1, 2, 200.0, size),
        ProgramTime("jit_f(9)", 1, 1, 50.0, 0),
        *((ProgramTime("jit_f(8)", 1, 1, 20.0, 0),) if host else ()),
        ProgramTime("jit_never(7)", 0, 0, 0.0, size),
    )
    assert [runs_on_devices(of, key) for key in ("jit_f(6)", "jit_f(8)", "jit_never(7)")] == [True, not host, True]


def test_hosts_are_summed() -> None:
    one, two = ProgramTime("f(1)", 2, 3, 10.0, 7), ProgramTime("g(1)", 1, 1, 15.0, 5)
    assert merged_programs([[one, two], [one]]) == (ProgramTime("f(1)", 2, 6, 20.0, 7), two)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("", "jit_f(10)"), ("jit_f(1)", "jit_f(1)"), ("1", "jit_f(1)"), ("jit_g", "jit_g(2)"), ("bare", "bare")],
)
def test_a_program_is_meant_exactly(asked: str, meant: str) -> None:
    assert chosen_program(programs("jit_f(10)", "jit_f(1)", "jit_g(2)", "bare"), asked) == meant


@pytest.mark.parametrize("asked", ["jit_f", "0", "jit_", "jit_h(1)", "()"])
def test_what_is_no_program_names_those_that_are(asked: str) -> None:
    with pytest.raises(ArgumentError, match=r"jit_f\(10\)"):
        chosen_program(programs("jit_f(10)", "jit_f(1)"), asked)


def test_without_programs_none_is_meant() -> None:
    with pytest.raises(ArgumentError):
        chosen_program((), "")
