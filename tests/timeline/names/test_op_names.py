"""Which names are ops, and what their name and type is."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline import Op, device_op, is_tensorflow
from tensorboard_perfplugin.timeline.names.op_names import host_op, xla_op


@pytest.mark.parametrize(
    ("event", "name", "type"),
    [
        ("model/dense_1/MatMul:MatMul", "model/dense_1/MatMul", "MatMul"),
        ("a/b_3:_FusedMatMul", "a/b_3", "_FusedMatMul"),
        (".hidden>x-y:Add", ".hidden>x-y", "Add"),
        ("Iterator::Root::Prefetch::ParallelMapV2[3]", None, "Dataset::ParallelMapV2"),
        ("MEMCPYHtoD", None, "MemcpyHToD"),
        ("MemcpyD2H", None, "MemcpyDToH"),
        ("MemcpyP2P", None, "MemcpyPToP"),
        ("CopyDeviceToDevice", None, "MemcpyDToD"),
        ("MemcpyOther", None, "Memcpy"),
        ("__amd_rocclr_copyBuffer.kd", None, "Memcpy"),
        ("Memset", None, "Memset"),
    ],
)
def test_host_events_that_are_ops(event: str, name: str | None, type: str) -> None:
    assert host_op(event) == Op(name or event, type)


@pytest.mark.parametrize(
    "event",
    [
        "$threading.py:637 wait",
        # A range that a program marks: `torch.cuda.nvtx.range("Forward")` was an op of type Forward.
        "NVTX:Forward",
        "$builtins len",
        "train.py:Epoch",
        "2:30 pm",
        "foo:bar",
        "train 7",
        "EagerLocalExecute: MatMul",
        "ThreadpoolListener::Record",
        "end: dot.3",
        "PjitFunction(f)",
        "name:",
        ":Type",
        "",
        "my scope:MatMul",
        "cuMemcpyHtoDAsync_v2",
        "MEMCPY_IN_FUSION_BUFFER",
    ],
)
def test_host_events_that_are_none(event: str) -> None:
    assert host_op(event) is None


@pytest.mark.parametrize(
    ("text", "name", "type"),
    [
        ("model/MatMul:MatMul", "model/MatMul", "MatMul"),
        ("foo/Bar_2:", "foo/Bar_2", "Bar"),
        ("XlaModule:", "XlaModule", "XlaModule"),
        ("jit(f)/transpose(jvp(g))/dot_general", "jit(f)/transpose(jvp(g))/dot_general", "dot_general"),
        ("jit(f)/while(a/b)", "jit(f)/while(a/b)", "while(a/b)"),
        ("jit(f)/add:add[shape=(2:3)]", "jit(f)/add", "add"),
        ("all-reduce:all-reduce", "all-reduce:all-reduce", "Unknown"),
        ("/", "/", "Unknown"),
    ],
)
def test_what_a_device_event_says_it_belongs_to(text: str, name: str, type: str) -> None:
    assert device_op(text) == Op(name, type)


def test_xla_instructions_lose_the_number_that_makes_them_unique() -> None:
    assert xla_op("loop::%fusion.12.1", "jit_f") == Op("fusion.12.1", "fusion", "jit_f")
    assert xla_op("copy", "") == Op("copy", "copy", "")


def test_xla_instructions_go_by_the_frameworks_name_where_the_event_tells() -> None:
    assert xla_op("custom-call.1", "jit_dot", "jit(dot)/dot_general") == Op(
        "jit(dot)/dot_general", "dot_general", "jit_dot"
    )
    assert xla_op("loop_fusion", "jit_f", "kernel") == Op("loop_fusion", "loop_fusion", "jit_f")


def test_tensorflow_is_who_knows_eager_mode() -> None:
    ops = [Op("a", "MatMul"), Op("a", "dot"), Op("a", "MatMul", "jit_f"), Op("a", "Dataset::Map"), Op("k", "Memset")]
    assert [is_tensorflow(op) for op in ops] == [True, False, False, False, False]
