"""Whether tensor cores could do an op: by its type, by what its kernels are, and by what a file of sums says of it."""

from __future__ import annotations

from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.kernels import A100, DETAILS, ask, gpu, kernel, rows


def test_an_op_of_which_a_kernel_uses_them_is_eligible_whatever_its_type() -> None:
    """Seen: attention of a library of kernels, `te_fused_attn_forward_ffi`, 54 % of the time."""
    space = Space()
    stream = gpu(space, A100).line(7, "Stream #7(Compute)")
    kernel(stream, "cudnn_generated_fort_native_sdpa_flash_fprop", 0, 6000, tf_op="jit(f)/fused_attn_ffi:")
    kernel(stream, "populate_rng_state_kernel", 6000, 7000, tf_op="jit(f)/fused_attn_ffi:")
    kernel(stream, "loop_add_fusion", 7000, 10_000, tf_op="jit(f)/add:")
    answer = ask(timeline(space))
    assert rows(answer, "kernels", "total_us", "tensor_core_eligible", "tensor_core_used") == [
        (6.0, True, True),
        (3.0, False, False),
        (1.0, True, None),
    ]
    assert answer.result.summary["tensor_core_eligible_share"] == 0.7
    assert answer.result.summary["tensor_core_missed_ms"] == 0


def test_what_a_file_of_sums_says_of_an_op_counts_where_its_name_does_not_tell() -> None:
    space = Space()
    line = gpu(space).line(1, "Kernels as TensorFlow summed them up")
    for name, op, recorded in (("a", "model/MatMul_1", 0), ("b", "model/my_product", 1), ("c", "", 0), ("d", "", None)):
        stats: dict[str, StatValue] = {"kernel_details": DETAILS, "tf_op": op}
        if recorded is not None:
            stats["is_op_tensor_core_eligible"] = recorded
        line.event(name, duration_ps=1_000_000, occurrences=1, stats=stats)
    assert rows(ask(timeline(space)), "kernels", "name", "tensor_core_eligible") == [
        ("a", True),
        ("b", True),
        ("c", False),
        ("d", None),
    ]
