"""Programs with a clock in their loop and one planted cost: steps agree with the clock, and the cost is named."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline import CATEGORIES, Timeline
from tests.integration._programs import KEPT, Ran, folder_of, run_programs

#: Ours against the clock in the loop.
NEAR = 0.02
#: What the parts of a step may differ from it, in ms.
MICROSECOND = 1e-3


class Case(NamedTuple):
    """says: what the overview's first finding must match. stage: what the input pipeline's bottleneck must be."""

    spec: str
    says: str
    stage: str = ""


COMPUTE, INPUT, BETWEEN = "comput", "input", "Python|between steps|callback"
SMALL = "small|short|tiny|overhead|runtime|op by op|one by one"
CASES = (
    Case("keras_fit:none", COMPUTE),
    Case("keras_fit:map_sleep", INPUT, "Map|PyFunc"),
    Case("keras_fit:generator_sleep", INPUT, "Generator|PyFunc"),
    Case("keras_fit:interleave_sleep", INPUT, "Interleave"),
    Case("keras_fit:read_slow", INPUT, "TFRecord"),
    Case("keras_fit:batch", INPUT, "Batch"),
    Case("keras_fit:shuffle_fill", INPUT, "Shuffle"),
    Case("keras_fit:callback_sleep", BETWEEN),
    Case("keras_fit:validation", ""),
    Case("keras_fit:convolution", "(?i)conv"),
    Case("keras_fit:eager", "(?i)eager"),
    Case("keras_fit:tiny_ops", SMALL),
    Case("keras_fit:retrace", "trac|compil"),
    Case("keras_fit:recompile", "compil"),
    Case("tf_loop:none", COMPUTE),
    Case("tf_loop:map_sleep", INPUT, "Map|PyFunc"),
    Case("tf_loop:retrace", "trac|compil"),
    Case("tf_loop:tiny_ops", SMALL),
    Case("tf_loop:eager", f"(?i)eager|{COMPUTE}"),
    Case("tf_loop:while_loop", f"{COMPUTE}|matmul"),
    Case("tf_loop:print_sleep", BETWEEN),
    Case("tf_loop:none:unmarked", COMPUTE),
    Case("tf_loop:map_sleep:unmarked", INPUT, "Map|PyFunc"),
    Case("tf_loop:retrace:unmarked", "trac|compil"),
    Case("tf_loop:eager:unmarked", f"(?i)eager|{COMPUTE}"),
    Case("tf_loop:while_loop:unmarked", f"{COMPUTE}|matmul"),
    Case("jax_loop:none", COMPUTE),
    Case("jax_loop:generator_sleep", f"{INPUT}|{BETWEEN}"),
    Case("jax_loop:recompile", "compil"),
    Case("jax_loop:convolution", "(?i)conv"),
    Case("jax_loop:tiny_ops", f"{SMALL}|jit|launch|Python"),
    Case("jax_loop:print_sleep", BETWEEN),
    Case("jax_loop:host_callback", "(?i)callback"),
    Case("jax_loop:several", COMPUTE),
    Case("jax_loop:none:unmarked", COMPUTE),
    Case("jax_loop:generator_sleep:unmarked", f"{INPUT}|{BETWEEN}"),
    Case("jax_loop:several:unmarked", COMPUTE),
    Case("jax_loop:recompile:unmarked", "compil"),
    Case("jax_loop:tiny_ops:unmarked", f"{SMALL}|jit|launch|Python"),
    Case("jax_loop:none:python", COMPUTE),
    Case("jax_loop:generator_sleep:python", "sleep|batches|generator"),
    Case("jax_loop:generator_sleep:unmarked:python", "sleep|batches|generator"),
    Case("jax_loop:print_sleep:python", "sleep|log"),
)
WORKERS = ("two_workers:none", "two_workers:straggler")
BY_SPEC = pytest.mark.parametrize("case", CASES, ids=[case.spec for case in CASES])


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Every program, run."""
    out = Path(os.environ.get(KEPT) or tmp_path_factory.mktemp("programs"))
    specs = [*(case.spec for case in CASES), *WORKERS]
    run_programs(out, specs)
    return {spec: Ran(folder_of(out, spec)) for spec in specs}


@BY_SPEC
def test_steps_are_those_of_the_stopwatch(case: Case, programs: dict[str, Ran]) -> None:
    ran = programs[case.spec]
    begins = np.array(list(ran.begins_ns().values()))
    found = ran.overview.result.summary
    assert found["step_count"] == len(begins), found["step_rule"]
    assert found["step_time_ms"] == pytest.approx(np.diff(begins).mean() / 1e6, rel=NEAR), found["step_rule"]


@BY_SPEC
def test_the_first_finding_names_the_cause(case: Case, programs: dict[str, Ran]) -> None:
    first = programs[case.spec].overview.result.findings[0]
    assert re.search(case.says, first.title), first


@pytest.mark.parametrize("case", [case for case in CASES if case.stage], ids=lambda case: case.spec)
def test_the_slow_stage_is_named(case: Case, programs: dict[str, Ran]) -> None:
    found = programs[case.spec].answer("input_pipeline").result.summary
    assert found["verdict"] == "input-bound"
    assert re.search(case.stage, str(found["bottleneck_op"]))


@BY_SPEC
def test_a_step_s_parts_add_up_to_it(case: Case, programs: dict[str, Ran]) -> None:
    steps = json.loads(json.dumps(programs[case.spec].overview.to_dict()))["tables"]["steps"]["columns"]
    parts = sum(np.array(steps[f"{category.key}_ms"]) for category in CATEGORIES)
    assert len(steps["duration_ms"])
    np.testing.assert_allclose(parts, steps["duration_ms"], atol=MICROSECOND, rtol=0)


@pytest.mark.parametrize("spec", WORKERS)
def test_steps_of_two_workers_are_those_of_their_stopwatches(spec: str, programs: dict[str, Ran]) -> None:
    """Their captures begin and end in the middle of steps."""
    ran = programs[spec]
    assert len(ran.profile.hosts) == 2
    for host in ran.profile.hosts:
        capture, begins = ran.profile.captures[host], ran.begins_ns(f"stopwatch.{host.split('_')[-1]}.json")
        steps = Timeline(capture, host).steps()
        steps.check()
        numbers = steps.number[steps.whole]
        wall_ns = [begins[n + 1] - begins[n] for n in numbers.tolist()]
        assert np.diff(numbers).tolist() == [1] * (len(numbers) - 1)
        assert_inside(capture, begins, numbers.tolist())
        assert steps.wall_ps[steps.whole].mean() / 1e3 == pytest.approx(np.mean(wall_ns), rel=NEAR)


def assert_inside(capture: Capture, begins: dict[int, int], numbers: list[int]) -> None:
    """The numbers are those of all steps that ran wholly in the capture; 5 ms at its ends may go either way."""
    assert capture.start_ns is not None
    end_ns = capture.start_ns + int((capture.events.start_ps + capture.events.duration_ps).max()) // 1000
    least, most = (
        {n for n in begins if capture.start_ns + edge <= begins[n] and begins.get(n + 1, end_ns + 1) <= end_ns - edge}
        for edge in (5_000_000, -5_000_000)
    )
    assert least <= set(numbers) <= most


def test_the_slower_worker_is_named(programs: dict[str, Ran]) -> None:
    ran = programs["two_workers:straggler"]
    slower = max(ran.profile.hosts, key=lambda host: step_ns(ran, host))
    assert slower in ran.answer("pod_viewer").result.findings[0].title


def step_ns(ran: Ran, host: str) -> float:
    begins = ran.begins_ns(f"stopwatch.{host.split('_')[-1]}.json")
    return float(np.diff(list(begins.values())).mean())
