"""Which cause of a step's time is the answer, what follows it, and the thresholds that decide."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.rules.steps.verdict import CAUSES
from tensorboard_perfplugin.analysis.steps.contents import Spent
from tensorboard_perfplugin.analysis.steps.summary import StepSummary, merged
from tensorboard_perfplugin.messages import Message
from tests.advice.rules.steps.cases import MATMUL, MS, N, findings, first, judged, means, specific, spent


@pytest.mark.parametrize(
    ("parts", "summary", "computes"),
    [
        pytest.param({"op_compute": 60, "python": 40}, StepSummary(between_ps=N * 30 * MS), False, id="one stretch"),
        pytest.param({"op_compute": 60, "python": 40}, StepSummary(between_ps=N * 10 * MS), True, id="strewn"),
        pytest.param({"op_compute": 6, "runtime": 4}, StepSummary(all_work=spent(2000, 2)), False, id="tiny ops"),
        pytest.param({"op_compute": 6, "runtime": 4}, StepSummary(all_work=spent(50, 6)), True, id="few ops"),
        pytest.param({"op_compute": 60, "waiting": 40}, StepSummary(), True, id="waiting"),
        pytest.param({"op_compute": 80, "input_wait": 20}, StepSummary(), False, id="input"),
        pytest.param({"op_compute": 81, "input_wait": 19}, StepSummary(), True, id="a little input"),
    ],
)
def test_when_compute_is_the_answer(parts: dict[str, float], summary: StepSummary, computes: bool) -> None:
    """What a program can do without comes first even where compute takes more."""
    assert first(parts, summary).code.startswith("computes") is computes


def test_a_step_that_computes_is_no_warning() -> None:
    assert first({"op_compute": 9, "python": 1}, MATMUL).severity == "info"


def test_other_causes_follow_by_their_share() -> None:
    parts: dict[str, float] = {
        "compute_32bit": 50,
        "input_wait": 22,
        "copy_in": 12,
        "idle": 8,
        "launch": 5,
        "output": 3,
    }
    assert [(f.code, f.severity, f.share) for f in findings(parts, StepSummary(), "gpu")] == [
        ("input_bound", "warning", 0.22),
        ("copies_exposed.to_device", "note", 0.12),
        ("idle_unexplained", "note", 0.08),
        ("launch_bound", "note", 0.05),
    ]


def test_the_answer_begins_with_the_step_and_other_causes_do_not() -> None:
    parts: dict[str, float] = {"compute_16bit": 66, "input_wait": 22, "copy_in": 12}
    assert [(f.params.get("opening"), f.title) for f in findings(parts, StepSummary(), "gpu")] == [
        (
            Message("step_time", {"step_ps": 100 * MS, "left_out": None, "rule": None}),
            "Steps take 100 ms; 22 ms (22 %) of that waits for input",
        ),
        (
            None,
            "12 ms (12 %) of a step is copies not overlapped with compute, most of it from the host to the device",
        ),
    ]


@pytest.mark.parametrize("cause", CAUSES, ids=[cause.name for cause in CAUSES])
def test_from_its_bound_on_a_cause_is_a_warning(cause: object) -> None:
    """And, where it is actionable, the answer; just below it is a note, or nothing where any step has some. Beside a
    step that computes, what is not actionable is a note."""
    assert isinstance(cause, type(CAUSES[0]))
    # One stretch of Python, and many tiny ops, which make either actionable.
    summary = StepSummary(between_ps=N * 100 * MS, all_work=spent(2000, 1))
    from_bound = "note" if cause.name in ("python", "waiting", "idle") else "warning"
    for more, severities in ((1, [from_bound]), (-1, ["note", None])):
        share = cause.bound.value * 1000 + more
        parts = {cause.keys[0]: share, "compute_other": 1000 - share}
        shown = {f.share: f.severity for f in findings(parts, summary, "gpu") if f.code.split(".")[0] != "computes"}
        assert shown.get(share / 1000) in severities, more


@pytest.mark.parametrize("name", ["python", "waiting", "idle"])
def test_what_is_not_actionable_is_the_answer_from_its_bound_on_where_it_takes_more_than_compute(name: str) -> None:
    [cause] = [cause for cause in CAUSES if cause.name == name]
    for more, answers in ((1, False), (-1, True)):
        share = cause.bound.value * 1000 + more
        parts = {cause.keys[0]: share, "compute_other": 240, "launch": 190, "host_compute": 190}
        parts["runtime"] = 1000 - sum(parts.values())
        assert (findings(parts, StepSummary(), "gpu")[0].code == "idle_spread") is answers


@pytest.mark.parametrize(
    ("share", "codes"),
    [(0.051, ["computes.no_op", "copies_exposed.to_device"]), (0.049, ["computes.no_op"])],
)
def test_from_5_percent_on_a_cause_has_a_line(share: float, codes: list[str]) -> None:
    parts = {"copy_in": share, "compute_16bit": 1 - share}
    assert [f.code for f in findings(parts, StepSummary(), "gpu")] == codes


@pytest.mark.parametrize(("share", "listed"), [(0.31, True), (0.29, False)])
def test_what_any_step_has_some_of_is_listed_only_where_it_counts(share: float, listed: bool) -> None:
    """Waiting, less than compute: below its bound it has no line, as copies of that share have."""
    parts = {"waiting": share, "compute_16bit": 1 - share}
    assert ("waiting" in [f.code for f in findings(parts, StepSummary(), "gpu")]) is listed


@pytest.mark.parametrize(("input_ms", "code"), [(21.0, "input_bound"), (19.5, "waiting")])
def test_an_actionable_cause_is_the_answer_unless_another_takes_twice_as_long(input_ms: float, code: str) -> None:
    parts = {"input_wait": input_ms, "waiting": 40.0, "compute_16bit": 60 - input_ms}
    # 20 % of the step is the bound of input: of a shorter step it is the same part.
    parts["compute_16bit"] = 96 - 40 - input_ms
    assert first(parts, StepSummary(), "gpu").code == code


@pytest.mark.parametrize(
    ("part", "summary", "code", "otherwise"),
    [
        pytest.param(
            {"runtime": 21, "op_compute": 79},
            {"eager": [spent(30, 5), spent(11, 5)]},
            "eager_steps",
            "computes.no_op",
            id="twelve ops one by one",
        ),
        pytest.param(
            {"runtime": 21, "op_compute": 79},
            {"all_calls": [spent(22, 21), spent(20, 21)]},
            "small_calls",
            "computes.no_op",
            id="1 ms a call",
        ),
        pytest.param(
            {"runtime": 40, "python": 10, "op_compute": 50},
            {"all_calls": [spent(90, 15), spent(90, 14.9)]},
            "small_calls",
            "computes.no_op",
            id="calls and Python that take half of what is lost",
        ),
        pytest.param(
            {"op_compute": 60, "python": 40},
            {"between_ps": [N * 25 * MS, N * 23 * MS]},
            "python_bound",
            "computes.no_op",
            id="60 % in one stretch",
        ),
        pytest.param(
            {"op_compute": 60, "runtime": 40},
            {"all_work": [spent(201, 1), spent(199, 1)]},
            "runtime_bound",
            "computes.no_op",
            id="200 ops",
        ),
        pytest.param(
            {"op_compute": 60, "runtime": 40},
            {"all_work": [spent(2000, 39), spent(2000, 41)]},
            "runtime_bound",
            "computes.no_op",
            id="ops of 20 µs",
        ),
        pytest.param(
            {"op_compute": 2, "runtime": 8},
            {"all_work": [spent(49, 0.1), spent(51, 0.1)]},
            "runtime_bound.few_ops",
            "runtime_bound",
            id="50 ops",
        ),
        pytest.param(
            {"op_compute": 10, "python": 90},
            {"outside_ps": [N * 301 * MS, N * 299 * MS]},
            "runs_ahead",
            "python_bound",
            id="three times as long outside of steps",
        ),
        pytest.param(
            {"op_compute": 50, "output": 50},
            {"outside_ps": [N * 299 * MS, N * 301 * MS]},
            "output_bound",
            "output_bound",
            id="not where output is the answer",
        ),
        pytest.param(
            {"op_compute": 79, "python": 21},
            {"work": [{"a.PyFunc": spent(1, 24)}, {"a.PyFunc": spent(1, 23)}]},
            "calls_back",
            "computes",
            id="30 % of ops is a callback",
        ),
    ],
)
def test_both_sides_of_what_decides(
    part: dict[str, float], summary: dict[str, list[Any]], code: str, otherwise: str
) -> None:
    """What ran in the steps is as much as is needed, then just not."""
    answers = [first(part, StepSummary(**{name: values[i] for name, values in summary.items()})).code for i in (0, 1)]
    assert answers == [code, otherwise]


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"op_compute": 21, "python": 24, "idle": 55}, "idle_unexplained"),
        ({"op_compute": 21, "waiting": 20, "python": 20, "launch": 19, "host_compute": 19}, "calls_back"),
        ({"op_compute": 19, "waiting": 21, "python": 21, "launch": 19, "host_compute": 19}, "computes"),
    ],
)
def test_from_20_percent_on_a_callback_is_the_answer(parts: dict[str, float], code: str) -> None:
    assert first(parts, StepSummary(work={"PyFunc": spent(1, 20)})).code == code


@pytest.mark.parametrize(("between_ms", "code"), [(31, "between_steps"), (29, "eager_steps")])
def test_from_30_percent_on_what_lies_between_steps_is_the_answer(between_ms: int, code: str) -> None:
    summary = StepSummary(eager=spent(90, 9), eager_between=spent(12, 8), between_ps=N * between_ms * MS)
    assert first({"op_compute": 60, "python": 40}, summary).code == code


def test_what_a_step_that_only_issues_work_consists_of_is_no_cause() -> None:
    """Runtime and Python of such a step were warnings beside the sentence that its time says nothing."""
    parts: dict[str, float] = {"runtime": 60, "python": 40}
    assert [f.code for f in findings(parts, StepSummary())] == ["runtime_bound.no_op", "python_bound"]
    assert [f.code for f in findings(parts, StepSummary(outside_ps=N * 301 * MS))] == ["runs_ahead"]


@pytest.mark.parametrize(("ops", "code"), [(12, "between_steps"), (11, "python_bound")])
def test_twelve_ops_between_steps_are_the_answer(ops: int, code: str) -> None:
    summary = StepSummary(eager_between=spent(ops, 8), between_ps=N * 40 * MS)
    assert first({"op_compute": 60, "python": 40}, summary).code == code


@pytest.mark.parametrize(
    ("called_ms", "ops_ms", "computes_ms", "op", "named", "is_answer"),
    [
        (20, 0, 60, "a", None, True),
        (0, 20, 60, "a", "a", True),
        (0, 20, 60, "jit(evaluate)/dot", "jit(evaluate)/dot", True),
        (0, 20, 60, "jit(step)/dot", None, False),
        (19, 19, 60, "a", None, False),
        (20, 20, 20, "a", "a", True),
        (20, 20, 19, "a", None, False),
    ],
)
def test_functions_called_between_steps_are_the_answer(
    called_ms: float, ops_ms: float, computes_ms: float, op: str, named: str | None, is_answer: bool
) -> None:
    """An evaluation by a compiled function after every step was a step that computes, as it should."""
    called, ops = {"evaluate": spent(3, called_ms)}, {op: spent(9, ops_ms)}
    summary = StepSummary(calls_between=called, only_between=ops, between_ps=N * 40 * MS)
    found = first({"op_compute": computes_ms, "idle": 24}, summary)
    assert (found.code == "between_steps.computes", found.params.get("op") if is_answer else None) == (is_answer, named)


@pytest.mark.parametrize(
    ("parts", "kind", "is_answer"),
    [
        ({"op_compute": 60, "idle": 15}, "cpu", True),
        ({"op_compute": 60, "idle": 16}, "cpu", False),
        ({"compute_32bit": 60, "idle": 15}, "gpu", False),
    ],
)
def test_from_30_percent_on_an_evaluation_between_steps_is_the_answer(
    parts: dict[str, float], kind: Literal["cpu", "gpu"], is_answer: bool
) -> None:
    """22.5 of 75 ms."""
    summary = StepSummary(calls_between={"evaluate": spent(1, 22.5)}, between_ps=round(N * 22.5 * MS))
    assert (first(parts, summary, kind).code == "between_steps.computes") is is_answer


@pytest.mark.parametrize(("lost_ms", "code"), [(21, "eager_steps"), (19, "computes.no_op")])
def test_from_20_percent_on_what_is_lost_between_ops_is_the_answer(lost_ms: int, code: str) -> None:
    assert first({"op_compute": 100 - lost_ms, "python": lost_ms}, StepSummary(eager=spent(100, 9))).code == code


@pytest.mark.parametrize(("each_us", "code"), [(51, "kernels_start_late"), (49, "launch_bound")])
def test_from_50_µs_on_a_kernel_begins_late(each_us: int, code: str) -> None:
    parts = {"compute_16bit": 100 - each_us / 2, "launch": each_us / 2}
    assert first(parts, StepSummary(all_work=spent(500, 5), stalled_ps=MS), "gpu").code == code


@pytest.mark.parametrize(("type_ms", "kind"), [(31, "Conv2D"), (29, None)])
def test_a_type_is_named_where_its_ops_take_half_as_long_again_as_the_largest(type_ms: int, kind: str | None) -> None:
    summary = StepSummary(work={"a": spent(1, 20)}, types={"Conv2D": spent(3, type_ms)}, all_work=spent(9, 50))
    assert first({"op_compute": 99, "python": 1}, summary).params.get("type") == kind


@pytest.mark.parametrize(("self_ms", "code"), [(13, "python_bound.function"), (11, "python_bound")])
def test_a_function_is_named_from_30_percent_of_its_cause_on(self_ms: int, code: str) -> None:
    parts: dict[str, float] = {"op_compute": 10, "python": 40}
    assert first(parts, StepSummary(python={"`f` (a.py:1)": spent(1, self_ms)})).code == code


def test_a_step_among_others_that_take_no_time_is_no_multiple_of_them() -> None:
    found = judged(means([[{"python": 0.0}] * 4 + [{"python": 5.0}] * 2]), StepSummary(steps=5))
    assert [f.code for f in found if "slow" in f.code] == []


def test_a_guess_and_a_single_step_say_so() -> None:
    compute = {"op_compute": 10.0}
    assert first(compute, MATMUL, confidence="guess").title.startswith("Steps (a guess, by ")
    [one] = judged(means([[compute]]), StepSummary(steps=1))
    assert one.title == "The only step in the capture takes 10 ms; 10 ms (100 %) of that computes"


@pytest.mark.parametrize(("slow_ms", "codes"), [(8.25, ["uneven_devices"]), (8.0, [])])
def test_one_device_that_computes_15_percent_longer_is_named(slow_ms: float, codes: list[str]) -> None:
    fast, slow = ({"compute_16bit": ms, "collective": 10 - ms} for ms in (6.0, slow_ms))
    found = judged(means([[fast] * 3, [slow] * 3], "gpu"), StepSummary(steps=2))
    uneven = [f for f in found if f.code == "uneven_devices"]
    assert [f.code for f in uneven] == codes
    for one in uneven:
        mean = (6 + slow_ms) / 2
        assert specific(one) == {
            "device": "gpu1",
            "host": "h",
            "more": pytest.approx(slow_ms / mean - 1),
            "devices": 2,
        }


@pytest.mark.parametrize(
    ("parts", "params"),
    [
        ({"compute_32bit": 90, "compute_16bit": 5, "idle": 5}, [{"wide": 0.9, "narrow": 0.05}]),
        ({"compute_32bit": 51, "idle": 49}, [{"wide": 0.51, "narrow": 0.0}]),
        ({"compute_32bit": 49, "idle": 51}, []),
        ({"compute_32bit": 91, "compute_16bit": 9}, [{"wide": 0.91, "narrow": 0.09}]),
        ({"compute_32bit": 89, "compute_16bit": 11}, []),
        ({"compute_other": 95, "compute_32bit": 5}, []),
    ],
)
def test_wide_numbers_count_only_where_they_take_the_time(
    parts: dict[str, float], params: list[dict[str, float]]
) -> None:
    found = findings(parts, StepSummary(), "gpu")
    assert [f.params for f in found if f.code == "wide_precision"] == params


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        (StepSummary(bfloat16=2), "(mixed precision: bfloat16)"),
        (StepSummary(float16=1), "(mixed precision: float16, for the device has no bfloat16)"),
        (StepSummary(float16=1, bfloat16=1), "(mixed precision: float16, or bfloat16 where the device has it)"),
        (StepSummary(), "(mixed precision: float16, or bfloat16 where the device has it)"),
        (StepSummary(wide_only=1), None),
    ],
)
def test_what_to_compute_in_is_what_the_devices_have(summary: StepSummary, words: str | None) -> None:
    """Of a V100 bfloat16 was advised, and of a GP100 what it has no units for."""
    found = [f for f in findings({"compute_32bit": 9, "idle": 1}, summary, "gpu") if f.code == "wide_precision"]
    assert [words in f.action for f in found if words] == [True] * len(found)
    assert bool(found) is (words is not None)


def test_what_one_has_to_know_of_the_steps() -> None:
    others = {"loop iterations in steps": 50, "calls before the first step": 1}
    found = findings({"compute_16bit": 10}, StepSummary(), "gpu", on_device=True, others=others)
    event = Message("repeats_not_steps.event", {"name": "loop iterations in steps", "times": 50})
    assert [(f.code, f.params) for f in found[1:]] == [
        ("steps_on_device", {}),
        ("repeats_not_steps", {"events": (event,)}),
    ]


def test_summaries_of_hosts_are_summed() -> None:
    a = StepSummary(steps=2, work={"x": Spent(1, 5)})
    b = StepSummary(steps=3, work={"x": Spent(1, 1), "y": Spent(1, 9)})
    assert merged([a, b]) == StepSummary(steps=5, work={"y": Spent(1, 9), "x": Spent(2, 6)})


def test_names_come_out_as_they_are() -> None:
    """A slice's name was read for words that stand for another framework's."""
    name = "loop in which no op runs: what is Python here"
    answer = first({"runtime": 9, "op_compute": 1}, StepSummary(events={name: spent(1, 9)})).in_words_of("any")
    assert (
        answer.title
        == f"Steps take 10 ms; 9 ms (90 %) of that is in the slices that are recorded, most of it in `{name}`"
    )


@pytest.mark.parametrize(("callback_ms", "listed"), [(5, True), (4.9, False)])
def test_from_5_percent_on_a_callback_is_listed(callback_ms: float, listed: bool) -> None:
    ops = {"jit(f)/debug_print": spent(40, callback_ms), "dot": spent(1, 90 - callback_ms)}
    found = findings({"op_compute": 90, "python": 10}, StepSummary(work=ops))
    notes = [(f.severity, specific(f)) for f in found[1:] if f.code == "calls_back.prints"]
    assert notes == ([("note", {"op": "jit(f)/debug_print", "times": 40})] if listed else [])


def test_the_share_of_ops_that_print_is_their_own_by_name_or_type() -> None:
    names = {"StringFormat_3": spent(1, 30), "PrintV2": spent(1, 5)}
    summary = StepSummary(work=names, types={"StringFormat": spent(1, 30), "PrintV2": spent(20, 20)})
    found = first({"op_compute": 90, "python": 10}, summary)
    assert (found.code, found.share, specific(found)) == ("calls_back.prints", 0.5, {"op": "StringFormat_3"})


@pytest.mark.parametrize(("ms", "input_ms", "code"), [(10, 9, "anomaly_mode"), (9.9, 9, "computes"), (30, 31, "input")])
def test_from_10_percent_on_a_mode_for_debugging_is_the_answer(ms: float, input_ms: float, code: str) -> None:
    parts = {"op_compute": 100 - input_ms, "input_wait": input_ms}
    found = findings(parts, StepSummary(anomaly=spent(90, ms)))
    assert found[0].code.startswith(code)
    assert "anomaly_mode" in [f.code for f in found]


@pytest.mark.parametrize(("python_ms", "code"), [(39, "short_ops"), (41, "python_bound")])
def test_short_ops_are_the_answer_unless_other_python_takes_more(python_ms: float, code: str) -> None:
    """They take 30 ms, and 10 ms of Python between them."""
    calls = {"aten::add": spent(2000, 20)}
    summary = StepSummary(short_calls=calls, all_short_calls=spent(2000, 20), short_gaps_ps=N * 10 * MS)
    parts = {"op_compute": 100 - python_ms, "python": python_ms}
    assert first(parts, structs.replace(summary, between_ps=N * 40 * MS)).code == code


@pytest.mark.parametrize(
    ("ms", "between_ms", "code"), [(0.9, 0, "computes.no_op"), (1, 0, "python_bound"), (0.9, 0.8, "python_bound")]
)
def test_a_little_python_strewn_between_the_calls_of_a_small_step_is_their_price(
    ms: float, between_ms: float, code: str
) -> None:
    """A step of three small layers was told to be bound by Python; in one place even a little is worth a word."""
    summary = StepSummary(between_ps=round(N * between_ms * MS))
    found = findings({"op_compute": 0.5, "python": ms}, summary)
    assert found[0].code == code
    assert [f.severity for f in found if f.code == "python_bound"] == ["note" if code != "python_bound" else "warning"]


@pytest.mark.parametrize(("ms", "code"), [(21, "short_ops"), (19, "computes.no_op")])
def test_from_20_percent_on_short_ops_are_the_answer(ms: int, code: str) -> None:
    summary = StepSummary(short_calls={"aten::add": spent(900, ms)}, all_short_calls=spent(900, ms))
    assert first({"op_compute": 95, "python": 5}, summary).code == code


@pytest.mark.parametrize(("seldom_ms", "code"), [(50, "short_ops"), (52, "computes.no_op")])
def test_short_ops_are_judged_without_what_others_had_of_the_processor(seldom_ms: int, code: str) -> None:
    """Of 60 ms of short ops 50 or 52 were others': 10 of the 50 ms left are a fifth of the step, 8 of 48 less."""
    summary = StepSummary(short_calls={"aten::add": spent(900, 60)}, all_short_calls=spent(900, 60))
    summary = structs.replace(summary, short_over_ps=N * seldom_ms * MS)
    assert first({"op_compute": 95, "python": 5}, summary).code == code


@pytest.mark.parametrize(("ms", "named"), [(3, True), (2.9, False)])
def test_the_first_three_functions_are_named_from_3_percent_of_python_on(ms: float, named: bool) -> None:
    python = {"`a`": spent(1, 20), "`b`": spent(1, 10), "`c`": spent(1, ms), "`d`": spent(1, 2.8)}
    found = first({"python": 100, "op_compute": 1}, StepSummary(python=python, between_ps=N * 100 * MS))
    assert (found.code, "`c` 3 %" in found.detail) == ("python_bound", named)
    assert found.detail.startswith("Functions by self time: `a` 20 %, `b` 10 %")
    assert "`d`" not in found.detail


def test_three_functions_are_named() -> None:
    python = {f"`{name}`": spent(1, 10) for name in "abcd"}
    found = first({"python": 100, "op_compute": 1}, StepSummary(python=python, between_ps=N * 100 * MS))
    assert ("`c` 10 %" in found.detail, "`d`" in found.detail) == (True, False)


@pytest.mark.parametrize(("ms", "where"), [(30, ("metrics", "python_kind.printing")), (29, (None, None))])
def test_annotations_and_kinds_are_named_from_30_percent_of_python_on(ms: int, where: tuple[Any, Any]) -> None:
    summary = StepSummary(regions={"metrics": spent(1, ms)}, kinds={"printing": spent(9, ms)}, between_ps=N * 99 * MS)
    found = first({"python": 100, "op_compute": 1}, summary)
    kind = found.params.get("kind")
    assert (found.params.get("region"), kind.code if isinstance(kind, Message) else None) == where


@pytest.mark.parametrize(("ms", "code"), [(60, "python_bound"), (59, "computes.no_op")])
def test_python_in_one_annotation_of_one_kind_or_in_long_stretches_is_one_stretch(ms: int, code: str) -> None:
    for summary in (
        StepSummary(regions={"metrics": spent(1, ms)}),
        StepSummary(kinds={"logging": spent(1, ms)}),
        StepSummary(stretches_ps=N * ms * MS),
    ):
        assert first({"python": 100, "op_compute": 101}, summary).code == code


@pytest.mark.parametrize(("calls", "listed"), [(20_000, True), (19_900, False)])
def test_the_tracers_own_time_is_told_from_5_percent_on(calls: int, listed: bool) -> None:
    """A quarter of a µs a call, of a step of 100 ms."""
    found = findings({"op_compute": 90, "python": 10}, StepSummary(traced_calls=N * calls))
    notes = [(f.severity, f.params["calls"]) for f in found if f.code == "python_tracer_costs"]
    assert notes == ([("note", calls)] if listed else [])


def test_the_tracer_takes_no_longer_than_a_step() -> None:
    """Functions that do next to nothing are traced faster than most."""
    found = findings({"op_compute": 90, "python": 10}, StepSummary(traced_calls=N * 10**6))
    [note] = [f for f in found if f.code == "python_tracer_costs"]
    assert (note.share, note.params["ps"]) == (1, 100 * MS)
