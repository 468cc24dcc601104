"""The largest kernel → what makes its op cheaper: as the page of ops says it, by the name of the kernel at last."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.advice.text.catalogue import sentence
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.kernels import A100, MI300, ask, gpu, kernel
from tests.tools.op_answers import ask as ask_ops


def remedy(name: str, stats: dict[str, StatValue] = A100, ns: int = 10_000, **more: StatValue) -> Message:
    """Of one that runs once, for so long."""
    space = Space()
    kernel(gpu(space, stats).line(7, "Stream #7(Compute)"), name, 0, ns, **more)
    found = [Timeline(decode.read_bytes(space.bytes()), "h") for _ in range(2)]
    messages = [
        finding.params["remedy"]
        for findings in (ask(found[0]).result.findings, ask_ops(found[1]).result.findings)
        for finding in findings
        if finding.code.startswith(("kernel_takes_most", "op_takes_most"))
    ]
    assert len(messages) == 2
    assert messages[0] == messages[1]
    assert isinstance(messages[0], Message)
    return messages[0]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "op_remedy.exchange"),
        ("pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128>>", "fused_attention"),
        ("softmax_warp_forward", "softmax"),
        ("loop_convert_fusion_3", "conversion"),
        ("input_transpose_fusion", "rearrangement"),
        ("loop_add_fusion", "fusion"),
        ("void Eigen::internal::EigenMetaKernel<float>", "elementwise"),
        ("ampere_h16816gemm_256x128", "on_tensor_cores"),
        ("volta_sgemm_128x64_nn", "op_remedy.look"),
    ],
)
def test_what_makes_a_kernel_cheaper(name: str, code: str) -> None:
    assert remedy(name).code == (code if "." in code else f"kernel_remedy.{code}")


@pytest.mark.parametrize(
    ("name", "ns", "op", "code"),
    [
        # Short ones are fused, whatever they are; but what exchanges data is not.
        ("softmax_warp_forward", 9999, "", "op_remedy.fuse"),
        ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 9999, "", "op_remedy.exchange"),
        # What the op is decides before its kernel.
        ("loop_add_fusion", 10_000, "a/HorovodAllreduce:HorovodAllreduce", "op_remedy.exchange"),
        ("loop_add_fusion", 10_000, "a/Add:Add", "kernel_remedy.fusion"),
    ],
)
def test_what_its_op_is_decides_first(name: str, ns: int, op: str, code: str) -> None:
    found = remedy(name, ns=ns, tf_op=op) if op else remedy(name, ns=ns)
    assert found.code == code


def test_of_an_op_s_kernels_the_largest_counts() -> None:
    """The conversion is the largest kernel by name, of another op; the product is most of its own."""
    space = Space()
    line = gpu(space, A100).line(7, "Stream #7(Compute)")
    for i in range(3):
        kernel(line, "loop_convert_fusion_3", 100_000 * i, 100_000 * i + 20_000, tf_op=f"op{i % 2}:Cast")
    kernel(line, "ampere_h16816gemm_256x128", 400_000, 430_000, tf_op="op1:Cast")
    [first] = [f for f in ask(timeline(space)).result.findings if f.code == "kernel_takes_most"]
    assert (first.params["kernel"], first.params["op"]) == ("loop_convert_fusion_3", "op0")
    assert first.params["remedy"] == Message("kernel_remedy.conversion")
    [largest] = [f for f in ask_ops(timeline(space)).result.findings if f.code == "op_takes_most"]
    assert (largest.params["op"], largest.params["remedy"]) == (
        "op1",
        Message("kernel_remedy.on_tensor_cores", {"units": Message("tensor_cores")}),
    )


def test_what_a_vendor_calls_the_units_that_multiply_matrices() -> None:
    names = {"ampere_h16816gemm_256x128": A100, "Cijk_Ailk_Bljk_BBS_BH_MT256x128x32_MI16x16x16x1_SN": MI300}
    texts = [sentence(remedy(name, stats)) for name, stats in names.items()]
    assert [text.partition(" already")[0] for text in texts] == ["It runs on tensor cores", "It runs on matrix cores"]
