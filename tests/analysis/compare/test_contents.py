"""What stays the same between captures: instructions by what they are, and what programs mark around events."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.compare import side as module
from tensorboard_perfplugin.analysis.compare.quantities import scopes_of
from tensorboard_perfplugin.analysis.compare.side import contents
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.decode.databases import Nsys
from tests.decode.test_nsys import KERNEL, opened
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.compare.sides import compared

US = 1_000_000
WIDE, NARROW = shape("f32", 8, 16), shape("f32", 8, 4)
#: Name of a fusion → its opcodes, of the result's shape.
Fusions = Mapping[str, tuple[Sequence[str], bytes]]


def built(fusions: Fusions, name: str = "jit_step", number: int = 5) -> bytes:
    """Each fusion is of a computation of its own, whose instructions are in a row."""
    entry, bodies = [instruction(1, "x", "parameter", WIDE)], []
    for i, (fusion, (opcodes, of)) in enumerate(fusions.items()):
        first = 100 * (i + 1)
        entry.append(instruction(2 + i, fusion, "fusion", of, (1,), calls=(10 + i,)))
        body = [instruction(first, f"p.{first}", "parameter", WIDE)]
        body += [
            instruction(first + j, f"{opcode}.{first + j}", opcode, of, (first + j - 1,))
            for j, opcode in enumerate(opcodes, 1)
        ]
        bodies.append(computation(10 + i, body))
    return program(computation(1, entry), *bodies, entry=1)


def ran(fusions: Fusions, us: Mapping[str, int], name: str = "jit_step", number: int = 5) -> Timeline:
    """Four steps, each of these fusions one after the other on a device."""
    space = Space()
    space.plane("/host:metadata").kind(f"{name}({number})", stats={"Hlo Proto": built(fusions)})
    python = space.plane("/host:CPU").line(1, "python")
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    at = 0
    for step in range(5):
        python.event("train", at, (sum(us.values()) + 5) * US, {"step_num": step, "_r": 1})
        begin = at
        for fusion, takes in us.items():
            stats: dict[str, StatValue] = {"hlo_op": fusion, "hlo_module": name, "program_id": number}
            stream.event(f"kernel_{fusion}", begin, takes * US, stats)
            begin += takes * US
        at += (sum(us.values()) + 10) * US
    return timeline(space)


def matches(a: Timeline, b: Timeline) -> set[tuple[str, str, str]]:
    """Name on A, name on B, how they were found, of what XLA ran. Together they are the whole step."""
    answer = compared([a], [b])
    assert sum(ms for (ms,) in rows_of(answer, "ops", "change_ms")) == pytest.approx(
        answer.result.summary["step_time_change_ms"], abs=1e-6
    )
    rows = rows_of(answer, "ops", "was", "name", "match", "type")
    found = {(was or name, name, match) for was, name, match, type_ in rows if type_}
    nodes = {match for op, match in rows_of(answer, "tree", "op", "match") if "fusion" in op}
    assert nodes == {match for *_, match in found}
    return found


ADD_TANH, EXP, LONG = ("add", "tanh"), ("exponential",), ("add", "tanh", "exponential", "multiply")


def test_fusions_with_other_numbers_are_found_by_what_they_are() -> None:
    """By numbers and times fusion.1 would stay, and by times alone each would be the other."""
    before = {"fusion.1": (ADD_TANH, WIDE), "fusion.2": (EXP, WIDE)}
    after = {"fusion.1": (EXP, WIDE), "fusion.2": (ADD_TANH, WIDE)}
    found = matches(ran(before, {"fusion.1": 30, "fusion.2": 10}), ran(after, {"fusion.1": 40, "fusion.2": 20}))
    assert found == {("fusion.1", "fusion.2", "fingerprint"), ("fusion.2", "fusion.1", "fingerprint")}


def test_the_program_may_have_another_number_and_name() -> None:
    fusions = {"fusion.1": (ADD_TANH, WIDE), "fusion.2": (EXP, NARROW)}
    us = {"fusion.1": 30, "fusion.2": 10}
    assert matches(ran(fusions, us), ran(fusions, us, number=9)) == {
        ("fusion.1", "fusion.1", "same"),
        ("fusion.2", "fusion.2", "same"),
    }
    renumbered = {"fusion.7": (ADD_TANH, WIDE), "fusion.1": (EXP, NARROW)}
    found = matches(ran(fusions, us), ran(renumbered, {"fusion.7": 5, "fusion.1": 50}, "jit_step_1", 9))
    assert found == {("fusion.1", "fusion.7", "fingerprint"), ("fusion.2", "fusion.1", "fingerprint")}


def test_one_that_holds_something_else_is_found_by_its_shape() -> None:
    """fusion.12 is longer than fusion.13, and fusion.15 than fusion.14: by times they would be mixed up."""
    before = {"fusion.12": (ADD_TANH, WIDE), "fusion.13": (EXP, NARROW)}
    after = {"fusion.14": (("add", "sine"), WIDE), "fusion.15": (("log",), NARROW)}
    found = matches(ran(before, {"fusion.12": 30, "fusion.13": 10}), ran(after, {"fusion.14": 10, "fusion.15": 30}))
    assert found == {("fusion.12", "fusion.14", "shape"), ("fusion.13", "fusion.15", "shape")}


def test_a_fusion_that_is_split_or_merged() -> None:
    """Its 40 µs are shared by what its parts take, 30 and 10 µs."""
    whole, parts = {"fusion.1": (LONG, WIDE)}, {"fusion.2": (LONG[:2], WIDE), "fusion.3": (LONG[2:], WIDE)}
    one, two = ran(whole, {"fusion.1": 40}), ran(parts, {"fusion.2": 30, "fusion.3": 10})
    assert matches(one, two) == {("fusion.1", "fusion.2", "split"), ("fusion.1", "fusion.3", "split")}
    assert matches(two, one) == {("fusion.2", "fusion.1", "merged"), ("fusion.3", "fusion.1", "merged")}
    rows = rows_of(compared([one], [two]), "ops", "name", "base_ms", "new_ms", "match", digits=6)
    assert {row for row in rows if row[-1] == "split"} == {
        ("fusion.2", 0.03, 0.03, "split"),
        ("fusion.3", 0.01, 0.01, "split"),
    }


@pytest.mark.parametrize(("kept", "match"), [(3, "split"), (2, "shape")])
def test_three_quarters_of_a_fusion_are_enough(kept: int, match: str) -> None:
    parts = {"fusion.2": (LONG[:1], WIDE), "fusion.3": (LONG[1:kept], WIDE)}
    found = matches(ran({"fusion.1": (LONG, WIDE)}, {"fusion.1": 40}), ran(parts, {"fusion.2": 30, "fusion.3": 10}))
    assert {how for *_, how in found} == ({match} if match == "split" else {match, "new"})


def test_of_two_that_are_the_same_the_longer_is_the_longer() -> None:
    before = {"fusion.1": (EXP, WIDE), "fusion.2": (EXP, WIDE)}
    after = {"fusion.8": (EXP, WIDE), "fusion.9": (EXP, WIDE)}
    found = matches(ran(before, {"fusion.1": 30, "fusion.2": 10}), ran(after, {"fusion.8": 10, "fusion.9": 30}))
    assert found == {("fusion.1", "fusion.9", "fingerprint"), ("fusion.2", "fusion.8", "fingerprint")}


def known(of: Timeline) -> dict[str, module.Content]:
    return {op.name: content for op, content in contents(of, set(ops_of(of).ops)).items()}


def test_what_an_op_is() -> None:
    of = ran({"fusion.1": (ADD_TANH, WIDE), "fusion.2": (ADD_TANH, NARROW)}, {"fusion.1": 3, "fusion.2": 1})
    found = known(of)
    assert found["fusion.1"].shape == "fusion f32[8,16]"
    assert found["fusion.1"].inside == (("add f32[8,16]", 1), ("tanh f32[8,16]", 1))
    assert found["fusion.1"].fingerprint != found["fusion.2"].fingerprint
    assert contents(of, set()) == {}


def test_without_programs_nothing_is_known() -> None:
    space = Space()
    space.plane("/host:CPU").line(2, "tf_Compute/1").event("b/Add:Add", 200, 300)
    assert contents(timeline(space), {Op("b/Add", "Add")}) == {}


@pytest.mark.parametrize(("held", "match"), [(2, {"shape", "new"}), (3, {"split"})])
def test_a_fusion_of_three_instructions_may_be_split(held: int, match: set[str]) -> None:
    """One of two is rather another that holds less."""
    parts = {"fusion.2": (LONG[:1], WIDE), "fusion.3": (LONG[1:held], WIDE)}
    whole = ran({"fusion.1": (LONG[:held], WIDE)}, {"fusion.1": 40})
    assert {how for *_, how in matches(whole, ran(parts, {"fusion.2": 30, "fusion.3": 10}))} == match


def marked(of: Timeline) -> dict[str, set[str]]:
    """By name of an event the paths of marks around those of that name."""
    scopes = scopes_of(of, steps_of(of))
    found: dict[str, set[str]] = {}
    for i, name in enumerate(of.capture.strings.texts(of.capture.events.name)):
        found.setdefault(name, set()).add("/".join(scopes.paths[int(scopes.of[i])]))
    return found


def torch(*events: tuple[str, str, float, float, dict[str, Any]]) -> Timeline:
    """Name, category, begin and duration in µs; arguments, with the thread. Kernels lie on stream 7."""
    written = []
    for name, category, begin, duration, more in events:
        thread = more.pop("tid", 1)
        at = {"pid": 0, "tid": 7} if category == "kernel" else {"pid": 1, "tid": thread}
        written.append({"name": name, "cat": category, "ph": "X", "ts": begin, "dur": duration, "args": more, **at})
    text = json.dumps({"schemaVersion": 1, "traceEvents": written})
    return Timeline(decode.read_bytes(text.encode(), "t.pt.trace.json"), "h")


def test_marks_of_pytorch_hold_what_is_launched_in_them_and_what_autograd_does_meanwhile() -> None:
    of = torch(
        *((f"ProfilerStep#{i}", "user_annotation", 1000 * i, 900, {}) for i in range(2)),
        ("encoder.layer.3", "user_annotation", 100, 300, {}),
        ("attention", "user_annotation", 150, 100, {}),
        ("aten::mm", "cpu_op", 160, 50, {"External id": 1}),
        ("cudaLaunchKernel", "cuda_runtime", 170, 10, {"correlation": 1, "External id": 1}),
        ("gemm", "kernel", 500, 50, {"correlation": 1, "External id": 1, "device": 0, "stream": 7}),
        ("aten::relu", "cpu_op", 300, 50, {}),
        ("aten::add", "cpu_op", 450, 20, {}),
        ("backward", "user_annotation", 500, 300, {}),
        ("MulBackward0", "cpu_op", 550, 50, {"tid": 2}),
        ("LateBackward0", "cpu_op", 850, 20, {"tid": 2}),
    )
    found = marked(of)
    assert found["aten::mm"] == found["gemm"] == {"encoder.layer.3/attention"}
    assert found["aten::relu"] == {"encoder.layer.3"}
    assert found["MulBackward0"] == {"backward"}
    assert found["aten::add"] == found["LateBackward0"] == {""}
    assert found["ProfilerStep#0"] == {""}


def test_modules_are_marks_as_they_are_nested_with_annotations() -> None:
    of = torch(
        ("ProfilerStep#0", "user_annotation", 0, 900, {}),
        ("nn.Module: Net_0", "python_function", 100, 300, {}),
        ("encoder", "user_annotation", 110, 200, {}),
        ("nn.Module: Linear_1", "python_function", 120, 100, {}),
        ("aten::mm", "cpu_op", 130, 50, {}),
        ("aten::relu", "cpu_op", 320, 20, {}),
    )
    found = marked(of)
    assert found["aten::mm"] == {"nn.Module: Net_0/encoder/nn.Module: Linear_1"}
    assert found["aten::relu"] == {"nn.Module: Net_0"}


def test_what_is_numbered_on_is_one_mark_and_what_repeats_is_not() -> None:
    """`batch 0` and `batch 1` are each in one step, `layer.0` and `layer.1` in both."""
    events: list[tuple[str, str, float, float, dict[str, Any]]] = []
    for step in range(3):
        at = 1000 * step
        events += [
            (f"ProfilerStep#{step}", "user_annotation", at, 900, {}),
            (f"batch {step}", "user_annotation", at + 10, 500, {}),
            ("layer.0", "user_annotation", at + 20, 100, {}),
            ("aten::mm", "cpu_op", at + 30, 50, {}),
            ("layer.1", "user_annotation", at + 200, 100, {}),
            ("aten::relu", "cpu_op", at + 230, 50, {}),
        ]
    found = marked(torch(*events))
    assert found["aten::mm"] == {"batch */layer.0"}
    assert found["aten::relu"] == {"batch */layer.1"}


def test_marks_of_jax_are_what_its_own_thread_names_itself() -> None:
    """What a context leads to on another thread is in it; what a runtime or Python writes is no mark."""
    space = Space()
    plane = space.plane("/host:CPU")
    python, pool = plane.line(1, "python"), plane.line(2, "tf_XLAEigen/1")
    for step in range(2):
        at = 1000 * US * step
        python.event("train", at, 900 * US, {"step_num": step, "_r": 1})
        python.event("encoder", at + 100 * US, 300 * US)
        python.event("$model.py:3 call", at + 110 * US, 200 * US)
        python.event("PjitFunction(f)", at + 120 * US, 100 * US, {"_pt": 1, "_p": step + 5})
        caused: dict[str, StatValue] = {"_ct": 1, "_c": step + 5, "hlo_op": "dot.1"}
        pool.event("dot.1", at + 450 * US, 100 * US, caused)
        pool.event("loose.2", at + 600 * US, 100 * US, {"hlo_op": "loose.2"})
    found = marked(timeline(space))
    assert found["dot.1"] == found["PjitFunction(f)"] == {"encoder"}
    assert found["train"] == found["loose.2"] == {""}


def test_ranges_of_nvtx_hold_what_is_launched_in_them() -> None:
    """A kernel that runs later is in the range of its launch; a library's ranges, of a domain, are no marks."""
    made = Nsys(2025)
    made.range("lib", -9, None, eventType=75, domainId=2)
    for step in range(2):
        at = 2_000_000 * step
        made.range(f"iteration {step}", at, at + 1_500_000)
        made.range("encoder", at + 1000, at + 100_000)
        made.range("inside", at + 2000, at + 90_000, domainId=2)
        made.call("cudaLaunchKernel_v7000", at + 10_000, at + 16_000, 100 + step)
        made.kernel(KERNEL, at + 200_000, at + 600_000, 100 + step)
    found = marked(Timeline(opened(made), "h"))
    kernels = {name: paths for name, paths in found.items() if name.startswith(KERNEL.partition("(")[0])}
    assert list(kernels.values()) == [{"encoder"}]
    assert found["iteration 0"] == {""}


def test_without_marks_nothing_is_in_one() -> None:
    of = torch(("ProfilerStep#0", "user_annotation", 0, 900, {}), ("aten::mm", "cpu_op", 160, 50, {}))
    assert set.union(*marked(of).values()) == {""}
