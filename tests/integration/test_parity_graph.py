"""xprof's text of XLA programs and its operands and users, and ours.

xprof's text leaves out where instructions come from (`metadata`) and the tables of stack frames, and does not know
groups of devices that are counted up (`[4,2]<=[2,4]T(1,0)`): it writes none, while the TPU's own event and we do. It
looks through some `get-tuple-element`, not those of loops, we through all of them and through `bitcast`: compared are
operands and users where none is beside.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.programs.graph import SEEN_THROUGH, ProgramGraph, operands_of, users_of
from tensorboard_perfplugin.timeline.programs.reader import programs_of
from tensorboard_perfplugin.timeline.programs.writer import module_text
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.conftest import SHARED_CAPTURES
from tests.parity._peer import peer_graphs

Programs = dict[str, tuple[str, dict[str, list[list[str]]]]]
CAPTURES = ("xprof-tpu-inference-2", "jax_cpu")
INSTRUCTION = re.compile(r"\s+(?:ROOT )?%(\S+) = ")


@cache
def theirs() -> dict[str, Programs]:
    files = [file for folder in CAPTURES for file in sorted((SHARED_CAPTURES / "xplane" / folder).rglob("*.xplane.pb"))]
    return {str(file): found for file, found in peer_graphs(files).items()}


def graphs(file: str) -> dict[str, ProgramGraph]:
    made = {key: ProgramGraph(message) for key, message in programs_of(Timeline(decode.read(file), "h")).blobs.items()}
    for graph in made.values():
        graph.begin()
    return made


def lines(text: str) -> dict[str, str]:
    """By name of the instruction, without where it comes from."""
    bare = re.sub(r", metadata=\{(?:\"(?:\\.|[^\"])*\"|[^}])*\}", "", text)
    bare = bare.replace("replica_groups=[4,2]<=[2,4]T(1,0)", "replica_groups={}")
    return {match[1]: line for line in bare.splitlines() if (match := INSTRUCTION.match(line))}


@pytest.mark.parametrize("folder", CAPTURES)
def test_texts_are_the_same(folder: str) -> None:
    compared = 0
    for file, programs in theirs().items():
        if folder in file:
            ours = graphs(file)
            for key, (text, _) in programs.items():
                wanted = lines(text)
                compared += len(wanted)
                assert lines("\n".join(module_text(ours[key].program))) == wanted
    assert compared > {"jax_cpu": 1000}.get(folder, 40)


@pytest.mark.parametrize("folder", CAPTURES)
def test_operands_and_users_are_the_same(folder: str) -> None:
    compared = 0
    for file, programs in theirs().items():
        if folder not in file:
            continue
        ours = graphs(file)
        for key, (_, near) in programs.items():
            graph = ours[key]
            for name, (operands, users) in near.items():
                number, at = graph.places[name]
                around = graph.around(number)
                before = {around[i].opcode for i in around[at].operands}
                after = {around[i].opcode for i in graph.users(number).get(at, ())}
                if (before | after | {around[at].opcode}) & set(SEEN_THROUGH):
                    continue
                compared += 1
                assert {one.one.name for one in operands_of(graph, number, at, 1000)} == set(operands), name
                assert {one.one.name for one in users_of(graph, number, at, 1000)} == set(users), name
    assert compared > {"jax_cpu": 500}.get(folder, 20)
