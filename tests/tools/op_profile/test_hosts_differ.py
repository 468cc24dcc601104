"""Two hosts of which each counts ids by itself: programs of one name and id that are not the same."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import find_tool
from tensorboard_perfplugin.trace.export.program import held_programs, meant_program
from tests.build_capture import Space, StatValue, chunk
from tests.build_program import computation, instruction, packed, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered

US = 10**6


def host(size: int, us: int, *ids: int) -> Timeline:
    """A product of two square matrices in a fusion, which takes so long in each of some programs."""
    square = shape("f32", size, size)
    dot = instruction(2, "dot.2", "dot", square, (1, 1)) + chunk(30, packed(1, (1,)) + packed(2, (0,)))
    fused = computation(1, [instruction(1, "p", "parameter", square), dot])
    entry = [
        instruction(1, "x", "parameter", square),
        instruction(2, "fusion.1", "fusion", square, (1,), calls=(1,)),
    ]
    # HloModuleProto.host_program_shape.
    shapes = chunk(4, chunk(1, square) + chunk(2, square))
    message = program(fused, computation(2, entry), entry=2, more=shapes)
    space = Space()
    held, line = space.plane("/host:metadata"), space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, number in enumerate(ids or (4,)):
        held.kind(f"jit_f({number})", stats={"Hlo Proto": message})
        ran: dict[str, StatValue] = {"hlo_op": "fusion.1", "hlo_module": "jit_f", "program_id": number}
        line.event("kernel", i * us * US, us * US, ran)
    return timeline(space)


def given(tool: str, *hosts: Timeline, **options: str) -> dict[str, Any]:
    return answered(find_tool(tool), *hosts, **options).to_dict()


def notes(answer: dict[str, Any]) -> list[str]:
    return [finding["title"] for finding in answer["findings"] if finding["code"].startswith("program_")]


@pytest.mark.parametrize("tool", ["hlo_stats", "op_profile", "graph_viewer"])
def test_every_page_says_that_hosts_differ(tool: str) -> None:
    assert notes(given(tool, host(8, 1), host(16, 2))) == ["Hosts differ in what `jit_f(4)` is"]
    assert notes(given(tool, host(8, 1), host(8, 2))) == []


def test_every_page_shows_the_program_of_the_host_on_which_it_took_most_time() -> None:
    hosts = host(8, 1), host(16, 2)
    columns = given("op_profile", *hosts)["tables"]["profile"]["columns"]
    assert columns["flops"][columns["kind"].index("fused")] == 2 * 16**3
    assert "f32[16,16]" in given("hlo_stats", *hosts)["tables"]["instructions"]["columns"]["expression"][0]
    assert given("graph_viewer", *hosts)["summary"]["shape"] == "f32[16,16]{1,0}"
    meant = meant_program([held_programs(one) for one in hosts], "")
    assert meant is not None
    assert (meant.key, meant.host, meant.programs[0].differs) == ("jit_f(4)", 1, True)


def test_of_several_programs_of_a_name_the_one_that_took_most_time() -> None:
    both = host(8, 2, 4, 5, 5)
    answer = given("graph_viewer", both, program="jit_f")
    assert answer["summary"]["program"] == "jit_f(5)"
    assert notes(answer) == ["Of 2 programs of the name `jit_f`, this is `jit_f(5)`, which took most time"]
    assert notes(given("graph_viewer", both, program="jit_f(4)")) == []
    columns = given("hlo_stats", both, program="jit_f")["tables"]["instructions"]["columns"]
    assert columns["program"] == ["jit_f(5)"]
