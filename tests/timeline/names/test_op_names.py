"""Which names are ops, and what their name and type is."""

from __future__ import annotations

import contextlib
import itertools
import re
import time
from types import SimpleNamespace

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.names import ops as pattern
from tensorboard_perfplugin.timeline.names.ops import Op, device_op, host_op, is_tensorflow, name_matcher, xla_op


def test_host_events_that_are_ops() -> None:
    ops = {
        "model/dense_1/MatMul:MatMul": ("model/dense_1/MatMul", "MatMul"),
        "a/b_3:_FusedMatMul": ("a/b_3", "_FusedMatMul"),
        ".hidden>x-y:Add": (".hidden>x-y", "Add"),
        "Iterator::Root::Prefetch::ParallelMapV2[3]": (None, "Dataset::ParallelMapV2"),
        "MEMCPYHtoD": (None, "MemcpyHToD"),
        "MemcpyD2H": (None, "MemcpyDToH"),
        "MemcpyP2P": (None, "MemcpyPToP"),
        "CopyDeviceToDevice": (None, "MemcpyDToD"),
        "MemcpyOther": (None, "Memcpy"),
        "__amd_rocclr_copyBuffer.kd": (None, "Memcpy"),
        "Memset": (None, "Memset"),
    }
    assert {event: host_op(event) for event in ops} == {event: Op(name or event, t) for event, (name, t) in ops.items()}


def test_host_events_that_are_none() -> None:
    """A range that a program marks is none: `torch.cuda.nvtx.range("Forward")` was an op of type Forward."""
    names = [
        "NVTX:Forward",
        "$threading.py:637 wait",
        "$builtins len",
        "train.py:Epoch",
        "2:30 pm",
        "foo:bar",
        "train 7",
    ]
    names += [
        "EagerLocalExecute: MatMul",
        "ThreadpoolListener::Record",
        "end: dot.3",
        "PjitFunction(f)",
        "name:",
        ":Type",
    ]
    names += ["", "my scope:MatMul", "cuMemcpyHtoDAsync_v2", "MEMCPY_IN_FUSION_BUFFER"]
    assert [name for name in names if host_op(name) is not None] == []


def test_what_a_device_event_says_it_belongs_to() -> None:
    ops = {
        "model/MatMul:MatMul": ("model/MatMul", "MatMul"),
        "foo/Bar_2:": ("foo/Bar_2", "Bar"),
        "XlaModule:": ("XlaModule", "XlaModule"),
        "jit(f)/transpose(jvp(g))/dot_general": ("jit(f)/transpose(jvp(g))/dot_general", "dot_general"),
        "jit(f)/while(a/b)": ("jit(f)/while(a/b)", "while(a/b)"),
        "jit(f)/add:add[shape=(2:3)]": ("jit(f)/add", "add"),
        "all-reduce:all-reduce": ("all-reduce:all-reduce", "Unknown"),
        "/": ("/", "Unknown"),
    }
    assert {text: device_op(text) for text in ops} == {text: Op(*named) for text, named in ops.items()}


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


def test_expressions_of_a_person_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """By length and repetitions; each name is looked at up to 200 characters, and all of them for a second."""
    for within, beyond, says in (
        ("a" * 200, "a" * 201, "an expression of 201 characters; the maximum is 200"),
        ("a*b*c*", "a*b*c*d*", "more than 3 repetitions"),
    ):
        assert name_matcher(within, "o")("a" * 200)
        with pytest.raises(ArgumentError, match=says):
            name_matcher(beyond, "o")
    matches = name_matcher("z", "o")
    assert (matches("z".rjust(200)), matches("z".rjust(201))) == (True, False)
    times = itertools.chain((0.0, 0.9, 1.1))
    monkeypatch.setattr(pattern, "time", SimpleNamespace(monotonic=lambda: next(times)))
    matches = name_matcher("z", "o")
    assert matches("z")
    with pytest.raises(ArgumentError, match="longer than 1 s"):
        matches("z")


@pytest.mark.parametrize("expression", ["a*a*a*b", "(a|a)a*a*b", ".*.*.*b", r"a*\w*.*\Z\b$b", "a+a+a+$b"])
def test_an_expression_takes_a_second_on_one_name_too(expression: str) -> None:
    """The time of the processor: 1.3 s were spent before the bound was looked at."""
    matches, began = name_matcher(expression, "o"), time.process_time()
    with contextlib.suppress(ArgumentError):
        matches("a" * 200)
    assert time.process_time() - began < 1.05


def test_places_of_a_long_name_are_tried_as_a_search_does() -> None:
    long = "a" * 90 + " cutlass_gemm_f16 " + "b" * 90
    for expression in (
        "cut.*g.*f.*",
        "^a.*b.*b*$",
        r"\bcut.*_f\d+.*",
        "(?<= )c.*f.*b*",
        "x.*g.*f.*",
        "^c.*g.*f.*",
        "a*b*$",
    ):
        expected = re.search(expression, long, re.IGNORECASE) is not None
        assert name_matcher(expression, "o")(long) == expected, expression
