"""xprof's table and tree of XLA instructions and ours, row by row, to 0.1 %.

Where they differ, docs/hlo_stats.md and docs/op_profile.md say why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tensorboard_perfplugin.tools.op_profile import OP_PROFILE
from tests.conftest import SHARED_CAPTURES
from tests.parity._peer import peer_instructions
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of
from tests.tools.hlo_stats.test_on_chip import space

Row = dict[str, Any]
#: Its rates in bytes are of 2³⁰, ours of 10⁹, a second.
GIB = (1 << 30) / 1e9
TPU = "xprof-tpu-inference-2"
ROCM = "jax-rocm-mi300-tracelens"
#: Convolutions that are two kernels each.
MIOPEN = {"cudnn-conv.1", "cudnn-conv.1.0"}


@cache
def asked() -> dict[str, tuple[list[Row], Row]]:
    folders = (TPU, ROCM)
    files = [file for folder in folders for file in sorted((SHARED_CAPTURES / "xplane" / folder).rglob("*.xplane.pb"))]
    found = peer_instructions(files)
    return {str(file.relative_to(SHARED_CAPTURES / "xplane")): both for file, both in found.items()}


def theirs() -> dict[str, list[Row]]:
    return {name: rows for name, (rows, _) in asked().items()}


@cache
def capture(name: str) -> Timeline:
    return Timeline(decode.read(str(SHARED_CAPTURES / "xplane" / name)), "h")


@cache
def ours(name: str) -> dict[tuple[str, str], Row]:
    """By instruction and id of its program."""
    answer = answered(HLO_STATS, capture(name), side="device")
    columns = [column.name for column in HLO_STATS.tables[0].columns]
    rows = [dict(zip(columns, cells, strict=True)) for cells in rows_of(answer, "instructions")]
    return {(row["instruction"], row["program"].rpartition("(")[2][:-1]): row for row in rows}


def pairs() -> list[tuple[str, Row, Row]]:
    """Each of their rows of a program, with ours."""
    return [
        (name, row, ours(name)[row["hlo_op_name"], str(row["program_id"])])
        for name, rows in theirs().items()
        for row in rows
        if str(row["program_id"]) != "0"
    ]


def near(a: float, b: float | None) -> bool:
    return b is not None and a == pytest.approx(b, rel=1e-3, abs=1e-9)


def differing(is_same: Callable[[Row, Row], bool], within: str = "") -> set[str]:
    return {
        their["hlo_op_name"] for name, their, mine in pairs() if name.startswith(within) and not is_same(their, mine)
    }


def test_each_instruction_has_its_row_and_no_other() -> None:
    assert len(pairs()) > 60
    for name, rows in theirs().items():
        assert len(ours(name)) == len([row for row in rows if str(row["program_id"]) != "0"]), name


@pytest.mark.parametrize(("their", "mine"), [("total_time", "total_us"), ("total_self_time", "self_us")])
def test_times_are_equal(their: str, mine: str) -> None:
    assert differing(lambda a, b: near(float(a[their]), b[mine])) == set()


def test_executions_are_equal_but_of_several_kernels() -> None:
    """It counts kernels of a GPU; a convolution of MIOpen is two."""
    assert differing(lambda a, b: float(a["occurrences"]) == b["occurrences"], TPU) == set()
    assert differing(lambda a, b: float(a["occurrences"]) == b["kernels"]) == set()
    assert differing(lambda a, b: float(a["occurrences"]) == b["occurrences"]) == MIOPEN


def test_categories_are_equal() -> None:
    assert differing(lambda a, b: a["category"] == b["category"]) == set()


def test_names_of_the_frameworks_ops_are_equal() -> None:
    """It ends a name without a type with a colon. Names of arguments, which it gives of some fusions, are no ops; where
    it names none, the program may, by what a fusion runs.
    """
    arguments = ("x", "kernel", "a")
    assert differing(lambda a, b: a["tf_op_name"].partition(":")[0] in ("", *arguments, b["op_name"])) == set()


def test_rates_of_a_tpu_are_equal_but_those_of_what_only_starts_a_copy() -> None:
    """What `copy-start` begins is moved after it, and after a `copy-done` of a microsecond before it."""
    starts = {their["hlo_op_name"] for _, their, _ in pairs() if their["category"] == "copy-start"}
    waits = {"copy-done.1", "copy-done.3"}
    assert differing(lambda a, b: near(float(a["measured_memory_bw"]) * GIB, b["gb_s"]), TPU) == starts | waits
    assert differing(lambda a, b: near(float(a["model_flop_rate"]), b["model_gflop_s"]), TPU) <= starts | waits
    assert differing(lambda a, b: near(float(a["operational_intensity"]), b["intensity"]), TPU) == set()


def test_rates_of_a_gpu_are_equal_where_it_counts_one_kernel_an_execution() -> None:
    """Of a library's products it knows nothing; it counts the bytes of an instruction once for each of its kernels."""

    def is_same(their: Row, mine: Row) -> bool:
        unknown = float(their["measured_memory_bw"]) == 0
        return unknown or near(float(their["measured_memory_bw"]) * GIB, mine["gb_s"])

    assert differing(is_same, ROCM) == MIOPEN


def test_texts_of_instructions_are_equal() -> None:
    assert differing(lambda a, b: a["hlo_op_expression"] == b["expression"]) == set()


def test_what_xla_repeats_or_tunes_is_marked() -> None:
    assert differing(lambda a, b: (a["hlo_rematerialization"] == "Yes") == b["rematerialized"]) == set()
    assert differing(lambda a, b: (a["outside_compilation"] == "Yes") == b["outside"]) == set()
    assert differing(lambda a, b: a["autotuned"] != "Yes" or bool(b["autotuned"])) == set()


def leaves(node: Row, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Row]]:
    """Of their tree: names of what an instruction lies in, without groups of like ones, and its node."""
    if "xla" in node and not node["name"].endswith("duplicate(s)"):
        yield (*above[1:3], node["name"]), node
    else:
        for inner in node.get("children", ()):
            yield from leaves(inner, (*above, node["name"]))


@pytest.mark.parametrize("folder", [TPU, ROCM])
def test_instructions_lie_in_the_same_programs_and_categories_of_the_tree(folder: str) -> None:
    for name, (_, tree) in asked().items():
        if not name.startswith(folder):
            continue
        columns = ("path", "instruction", "self_us", "occurrences", "flop_share")
        rows = rows_of(answered(OP_PROFILE, capture(name)), "profile", *columns)
        mine = {(*path.split(" › ")[:2], leaf): rest for path, leaf, *rest in rows if leaf and rest[0] is not None}
        found = {path: node["metrics"] for path, node in leaves(tree["byProgramExcludeIdle"])}
        assert found
        assert set(found) == set(mine), name
        for path, metrics in found.items():
            assert near(metrics["rawTime"] / 1e6, mine[path][0]), path


def test_programs_and_categories_of_the_tree_have_the_same_time() -> None:
    for name, (_, tree) in asked().items():
        rows = rows_of(answered(OP_PROFILE, capture(name)), "profile", "path", "self_us")
        mine = dict(rows)
        for one in tree["byProgramExcludeIdle"]["children"]:
            assert near(one["metrics"]["rawTime"] / 1e6, mine[one["name"]]), (name, one["name"])
            for inner in one["children"]:
                path = f"{one['name']} › {inner['name']}"
                assert near(inner["metrics"]["rawTime"] / 1e6, mine[path]), (name, path)


def test_memories_of_a_tpu_have_the_same_numbers_and_bound_the_same(tmp_path: Path) -> None:
    """On a capture in a few lines: no shared one has bytes of memories on the chip."""
    file = tmp_path / "h.xplane.pb"
    file.write_bytes(space().bytes())
    columns = ("instruction", "bound_by", "total_us", "gb_s", "hbm_bytes", "cmem_bytes")
    mine = {row[0]: row[1:] for row in rows_of(answered(HLO_STATS, timeline(space())), "instructions", *columns)}
    rows, _ = peer_instructions([file])[file]
    assert len(rows) == len(mine)
    for row in rows:
        bound, total_us, gb_s, hbm, cmem = mine[row["hlo_op_name"]]
        assert row["bound_by"].lower() == bound.lower()
        assert near(row["measured_memory_bw"] * GIB, gb_s)
        assert near(row["hbm_bw"] * GIB, hbm / total_us / 1e3)
        assert near((row["cmem_read_bw"] + row["cmem_write_bw"]) * GIB, cmem / total_us / 1e3)
