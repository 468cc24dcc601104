"""No page of another program's capture names means of TensorFlow's and JAX's; every replacement replaces something."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.tables import Cells
from tensorboard_perfplugin.tools import Finding, Result, in_terms, result_in_terms
from tensorboard_perfplugin.tools.terms import TERMS

_PACKAGE = Path(tensorboard_perfplugin.__file__).parent
_ROOMS = ("analysis", "advice", "trace", "tools")
_OTHERS = re.compile(
    r"tracer_level|jit_compile|jax\b|JAX|lax\.|\btf\.|TF_|XLA|TensorFlow|Keras|keras|run_eagerly|steps_per_execution|"
    r"block_until_ready|\.numpy\(\)|\bBFC\b|mixed_\w+|drop_remainder|num_parallel_calls"
)
#: What TensorFlow alone does: its input pipelines, and what is said only where its events are.
_ITS_OWN = ("tf_data", "/tpu", "input_advice_texts", "environment", "trace/groups", "steps/summary", "terms")
#: What has codes has its variants in the catalogue.
_CODED = ("advice/text",)
_SAID_OF_ITS_EVENTS = (
    "tf.data",
    "TensorFlow queues",
    "TensorFlow made one stage",
    "TensorFlow's profiler computed these sums",
    "It runs Python, which one thread",
    "A Python generator makes one element",
    "Ask less often: larger batches",
    "JAX on CPU writes none",
    "TensorFlow's plain CPU allocator writes none",
    "the allocators named BFC write them",
)


def sentences() -> Iterator[str]:
    """Every text in the tools that is no documentation of code, of columns or of options."""
    for file in sorted(file for room in _ROOMS for file in (_PACKAGE / room).rglob("*.py")):
        if not any(name in file.as_posix() for name in (*_ITS_OWN, *_CODED)) and "columns" not in file.name:
            tree = ast.parse(file.read_text())
            notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
                    yield node.value


@pytest.mark.parametrize("format", ["kineto", "trace_events"])
def test_no_sentence_is_left_that_names_anothers_means(format: str) -> None:
    said = [in_terms(text, [format]) for text in sentences() if " " in text.strip()]
    left = [text for text in said if _OTHERS.search(text) and not any(own in text for own in _SAID_OF_ITS_EVENTS)]
    # The first is said of TensorFlow's ops alone; the others are help of the declaration.
    assert left == [
        *[" of TensorFlow's "] * 2,
        "Kernels, copies and XLA ops seen on devices.",
        "Kernels, copies and XLA ops that it ran.",
    ]


def test_every_part_is_in_a_sentence() -> None:
    """A sentence that is written anew is found here, before a page says the old words."""
    texts = (_PACKAGE / name for name in ("advice/rules/input_advice_texts.py", "advice/text/memory.py"))
    rules = "a list of steps that TensorFlow computed"  # of `timeline.steps.RULES`, joined by semicolons
    everything = "\n".join((*sentences(), *(re.sub(r'"\n\s+"', "", text.read_text()) for text in texts), rules))
    # Of two sentences that a colon joins the second says it.
    every = dict.fromkeys(part for terms in TERMS.values() for part in terms)
    parts = [part.partition("): ")[2] if part.startswith("his capture") else part for part in every]
    assert [part for part in parts if part.strip("; ") not in everything] == []


def test_a_result_is_said_in_pytorchs_terms() -> None:
    result = Result(
        {"step_count": 2, "rule": "a list of steps that TensorFlow computed; names"},
        {},
        {"peak": "no TensorFlow op ran on a host thread"},
        (Finding("Kernels are short", action="Put the training step into a tf.function."),),
    )
    assert result_in_terms(result, ["kineto", "kineto"]) == Result(
        {"step_count": 2, "rule": "names"},
        {},
        {"peak": "PyTorch's profiler does not tell what ran op by op"},
        (Finding("Kernels are short", action="Compile the training step (`torch.compile`)."),),
    )
    assert result_in_terms(result, ["kineto", "xplane"]) is result


def test_results_without_a_timeline_do_not_send_to_the_trace() -> None:
    action = "Look at its executions in the trace: when they run, what they wait for, and on what shapes."
    assert in_terms(action, ["tool_files"]) == (
        "A capture with a timeline shows when it runs, what it waits for, and on what shapes."
    )
    assert in_terms(action, ["trace_proto"]) == action


def test_of_any_programs_trace_nothing_is_called_python_or_runtime() -> None:
    """A trace of threads of C++ was said to spend its steps in Python, and in a framework's runtime."""
    told = {
        "is Python before the step's first op, where a loop gets its next input": "is without a slice",
        "is Python between steps (callbacks, logging, the loop)": "is without a slice between steps",
        "is Python in which no op runs": "is without a slice",
        "is the runtime at work, and no op is recorded, most of it in `gemm`": "is in the slices that are recorded, "
        "most of it in `gemm`",
        "is the runtime's overhead between ops (3 ops)": "is spent between ops (3 ops)",
    }
    assert {text: in_terms(text, ["trace_events"]) for text in told} == told
    assert all(in_terms(text, ["kineto"]) == text for text in told)


def test_of_any_programs_trace_tables_and_sentences_name_the_categories_alike() -> None:
    """The bar and the table of such a trace were titled Python and Runtime overhead, its sentences were not."""
    split: dict[str, Cells] = {"category": ["runtime", "idle"], "title": ["Runtime overhead", "Idle, cause unknown"]}
    split["help"] = ["The framework's runtime is at work and runs no op.", "None of the above."]
    workers: dict[str, Cells] = {"worker": ["Python"], "bottleneck": ["Python"]}
    told = {
        "Step 3 took 9 s; 7 s more than usual is runtime overhead": "Step 3 took 9 s; 7 s more than usual is time in "
        "slices",
        "Not input-bound; most is python (62 %)": "Not input-bound; most is time without a slice (62 %)",
        "Steps compute; the rest is spread: Python 9 %, runtime overhead 7 %": "Steps compute; the rest is spread: "
        "time without a slice 9 %, time in slices 7 %",
        "Python makes h late: 3 ms a step more": "Time without a slice makes h late: 3 ms a step more",
        "Most of it is in `Python (x)`": "Most of it is in `Python (x)`",
    }
    result = Result({}, {"split": split, "workers": workers}, {}, tuple(map(Finding, told)))
    said = result_in_terms(result, ["trace_events"])
    assert said.tables["split"]["title"] == ["In slices", "Idle, cause unknown"]
    assert said.tables["split"]["help"] == [
        "A slice runs of which nothing tells what kind of work it is.",
        "None of the above.",
    ]
    assert said.tables["workers"] == {"worker": ["Python"], "bottleneck": ["Without a slice"]}
    assert [f.title for f in said.findings] == list(told.values())
    assert said.titles == {"python": "Without a slice", "runtime": "In slices"}
    assert result_in_terms(result, ["kineto"]).tables == result.tables


def test_a_trace_of_any_program_is_told_no_frameworks_flags() -> None:
    """Chrome's own traces were to be captured again with the host tracer level at 2."""
    none = "TensorFlow's plain CPU allocator writes none; run the program with TF_CPU_ALLOCATOR_USE_BFC=1 in its "
    memory = f"this capture holds no memory events (MemoryAllocation, MemoryDeallocation): {none}"
    memory += "environment for an allocator that does"
    assert in_terms(memory, ["trace_events"]).endswith("tells of memory in counters at most, which the trace shows")
    assert "memory_profile.json" in in_terms(memory, ["tool_files"])
    assert "RunMetadata" in in_terms(memory, ["tf1_timeline"])
    assert "before TensorFlow 2.2" in in_terms(memory, ["trace_proto"])
    assert in_terms(memory, ["xplane"]) == in_terms(memory, ["trace_events", "kineto"]) == memory
