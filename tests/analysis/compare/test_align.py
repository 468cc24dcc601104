"""Names of two sides: the same, renamed, new, gone."""

from __future__ import annotations

from collections.abc import Mapping

from tensorboard_perfplugin.analysis.compare.align import BY, KERNELS_BY, Pair, aligned
from tensorboard_perfplugin.timeline import Op


def op(name: str, type: str = "MatMul", module: str = "") -> Op:
    return Op(name, type, module)


def pairs(a: Mapping[Op, float], b: Mapping[Op, float]) -> set[tuple[str | None, str | None, str]]:
    found = aligned(a, b, BY)
    assert len(found) == len({*a, *b}) - sum(pair.match == "renamed" for pair in found)
    return {(p.a and p.a.name, p.b and p.b.name, p.match) for p in found}


def test_the_same_name() -> None:
    assert pairs({op("a"): 1}, {op("a"): 2}) == {("a", "a", "same")}


def test_another_type_is_another_op() -> None:
    assert pairs({op("a", "MatMul"): 1}, {op("a", "Add"): 2}) == {("a", None, "gone"), (None, "a", "new")}


def test_scopes_that_are_counted() -> None:
    """Each op finds its own, whichever takes longer."""
    before = {op("model/adam/Mul_3", "Mul"): 9, op("model/adam/Mul_9", "Mul"): 1}
    after = {op("model_1/adam_6/Mul_3", "Mul"): 2, op("model_1/adam_6/Mul_9", "Mul"): 5}
    assert pairs(before, after) == {
        ("model/adam/Mul_3", "model_1/adam_6/Mul_3", "renamed"),
        ("model/adam/Mul_9", "model_1/adam_6/Mul_9", "renamed"),
    }


def test_instructions_that_are_counted_go_by_size() -> None:
    before = {op("fusion.12", "fusion", "jit_step"): 9, op("fusion.13", "fusion", "jit_step"): 1}
    after = {op("fusion.20", "fusion", "jit_step"): 2, op("fusion.21", "fusion", "jit_step"): 8}
    assert pairs(before, after) == {("fusion.12", "fusion.21", "renamed"), ("fusion.13", "fusion.20", "renamed")}


def test_another_scope() -> None:
    assert pairs({op("net/dense/MatMul"): 1}, {op("model/head/MatMul"): 1}) == {
        ("net/dense/MatMul", "model/head/MatMul", "renamed")
    }


def test_without_a_type_another_scope_is_another_event() -> None:
    assert pairs({op("net/wait", ""): 1}, {op("model/wait", ""): 1}) == {
        ("net/wait", None, "gone"),
        (None, "model/wait", "new"),
    }


def test_what_is_left_is_new_or_gone() -> None:
    assert pairs({op("fusion.1", "fusion"): 3}, {op("fusion.2", "fusion"): 3, op("fusion.3", "fusion"): 1}) == {
        ("fusion.1", "fusion.2", "renamed"),
        (None, "fusion.3", "new"),
    }


def test_kernels_by_their_function() -> None:
    before = {"void gemm<float, 128>(Params)": 2.0, "ampere_sgemm_128x64_tn": 1.0}
    after = {"void gemm<half, 256>(Params)": 1.0, "ampere_sgemm_64x64_tn": 1.0}
    assert set(aligned(before, after, KERNELS_BY)) == {
        Pair("void gemm<float, 128>(Params)", "void gemm<half, 256>(Params)", "renamed"),
        Pair("ampere_sgemm_128x64_tn", "ampere_sgemm_64x64_tn", "renamed"),
    }
