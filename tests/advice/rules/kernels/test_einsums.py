"""Attention in JAX, by the equations in the names of ops: which count."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.model import attention_ops
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.kernels import A100, gpu, kernel

from .test_findings import about

FORWARD, BACKWARD = "jit(loss)/jvp(attention)", "jit(loss)/transpose(jvp(attention))"
#: As JAX 0.10 writes them.
ATTENTION = (
    f"{FORWARD}/bqhd,bkhd->bhqk/dot_general",
    f"{FORWARD}/div",
    f"{FORWARD}/exp",
    f"{FORWARD}/bhqk,bkhd->bqhd/dot_general",
    f"{BACKWARD}/bqhd,bkhd->bhqk/dot_general",
    f"{BACKWARD}/div",
    f"{BACKWARD}/bhqk,bkhd->bqhd/dot_general",
)
OWN = (
    "jit(loss)/jvp(vmap(BTNH,BSNH->BNTS))/dot_general",
    "jit(loss)/jvp(vmap())/exp",
    "jit(loss)/jvp(vmap(BNTS,BSNH->BTNH))/dot_general",
)


def counted(*names: str) -> list[bool]:
    return [bool(each) for each in attention_ops([Op(name, name.rpartition("/")[2]) for name in names])]


@pytest.mark.parametrize("names", [ATTENTION, OWN])
def test_attention_forward_and_backward(names: tuple[str, ...]) -> None:
    """A projection beside it is none of it, nor is what runs elsewhere."""
    others = (f"{FORWARD}/bld,dhk->blhk/dot_general", "jit(loss)/jvp(mlp)/div", "jit(loss)/jvp(mlp)/dot_general")
    assert counted(*names, *others) == [True] * len(names) + [False] * 3


@pytest.mark.parametrize(
    "names",
    [
        # Scores that nothing normalizes, or nothing takes, or that are taken elsewhere.
        (ATTENTION[0], ATTENTION[3]),
        (ATTENTION[0], ATTENTION[2]),
        (ATTENTION[0], ATTENTION[2], "jit(loss)/jvp(other)/bhqk,bkhd->bqhd/dot_general"),
        # A layer's product, whose result another takes.
        ("f/bld,dh->blh/dot_general", "f/exp", "f/blh,hd->bld/dot_general"),
    ],
)
def test_what_is_no_attention(names: tuple[str, ...]) -> None:
    assert counted(*names) == [False] * len(names)


def program(length: int) -> Space:
    """Two products and a softmax of so many µs each, in a program of 1 ms."""
    space, at = Space(), 0
    line = gpu(space, A100).line(7, "Stream #7(Compute)")
    for i, op in enumerate((*ATTENTION[:1], *ATTENTION[2:4], "jit(loss)/jvp(mlp)/dot_general")):
        end = 1_000_000 if i == 3 else at + length * 1000
        kernel(line, f"gemm_fusion_{i}", at, end, tf_op=f"{op}:{op.rpartition('/')[2]}")
        at = end
    return space


def test_it_is_said_of_jax_with_the_largest_kernel() -> None:
    finding = about(program(200), "attention_unfused")
    assert finding
    assert finding.params == {"total_ps": 600e6, "share": 0.6, "calls": None}
    assert finding.search.startswith("kernel_stats.kernels.total_us?name=gemm_fusion_0")
    assert "jax.nn.dot_product_attention" in finding.action
    [here] = [f for f in answered(OVERVIEW, timeline(program(200))).result.findings if f.code == "attention_unfused"]
    assert (here.params, here.severity) == (finding.params, "warning")
    assert about(program(16), "attention_unfused") is None
