"""Steps of PyTorch captures without `ProfilerStep#`: batches of servers are, a model's layers are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.kineto import Event, ask, launched, on_device, on_host, rows, saved

BATCH = "execute_context_9(8155)_generation_37(37)"
LAYER = ("norm", "qkv_gemm", "attention", "out_gemm", "moe_gemm")


def layers(begin: int, models: int = 1, frames: bool = False) -> list[Event]:
    """Eight layers of five kernels, launched within 20 µs each and run for 100, by so many calls of the model."""
    events = []
    for model in range(models):
        at = 10 + model * 1000
        events.append(on_host("nn.Module: Decoder_0", at, 160, "python_function"))
        for layer in range(8):
            if frames:
                events.append(on_host("model.py(40): attend", at + 20 * layer, 19, "python_function"))
            for i, kernel in enumerate(LAYER):
                number = 1 + i + 5 * (layer + 8 * model)
                where = begin + 1000 * model + 100 * layer + 19 * i
                events += launched(kernel, at + 20 * layer + 3 * i + 1, where, 18, number)
    return events


def found(path: Path) -> tuple[object, object]:
    summary = ask(path, "overview").result.summary
    return summary["step_rule"], summary["step_count"]


@pytest.mark.parametrize("frames", [False, True], ids=["kernels", "frames of Python"])
def test_what_repeats_in_one_call_of_a_model_is_no_step(tmp_path: Path, frames: bool) -> None:
    """Of a vLLM prefill the 24 layers were taken for steps."""
    assert found(saved(tmp_path, *layers(300, frames=frames))) == (None, None)


def test_calls_of_a_model_are_steps_of_all_their_layers(tmp_path: Path) -> None:
    answer = ask(saved(tmp_path, *layers(300, models=4)), "overview")
    assert rows(answer, "steps", "start_ms", "span_ms") == [(round(0.29 + i, 6), 0.794) for i in range(4)]
    assert answer.result.summary["step_evidence"] == (
        "a sequence of about 5 kernels, begun by `norm`, comes 32 times on `Stream #7`, 8 times in each call of a model"
    )


def test_what_repeats_in_one_graph_is_no_step(tmp_path: Path) -> None:
    """A decoder's layers, replayed by one launch."""
    graph = [on_host("cudaGraphLaunch", 10, 5, "cuda_runtime", correlation=1)]
    for layer in range(8):
        graph += [on_device(k, 100 + 100 * layer + 19 * i, 18, correlation=1) for i, k in enumerate(LAYER)]
    assert found(saved(tmp_path, *graph)) == (None, None)


def test_a_batch_that_devices_begin_after_the_server_has_left_it_is_timed_by_their_work(tmp_path: Path) -> None:
    """160 µs on the host, 800 on the device: the step was 91 % "waiting for kernels to be launched"."""
    answer = ask(saved(tmp_path, on_host(BATCH, 0, 180, "user_annotation"), *layers(300)), "overview")
    assert rows(answer, "steps", "name", "start_ms", "duration_ms", "cut") == [(BATCH, 0.3, 0.794, "")]
    assert answer.result.summary["step_evidence"] == (
        f"one event on thread `thread 100` is named as a step, `{BATCH}`; devices begin a step's work after the host "
        "has ended it: steps are timed by that work"
    )
    assert answer.result.findings[0].title.startswith("The only step in the capture takes 794 µs; 7")


def test_a_step_whose_late_work_is_short_lasts_from_the_mark_to_its_end(tmp_path: Path) -> None:
    """The device idles meanwhile: it is the host that takes most of the time."""
    late = [on_host(BATCH, 0, 180, "user_annotation"), *launched("copy", 100, 300, 20, 1)]
    assert rows(ask(saved(tmp_path, *late), "overview"), "steps", "start_ms", "duration_ms") == [(0.0, 0.32)]
