"""Texts about two runs."""

from __future__ import annotations

from ...messages import Message, Param
from .template import Text

# Texts about two runs: how a step changed, and what accounts for it.

_BETWEEN = "[ (99 % interval: {low_ps:duration} to {high_ps:duration})]"
_STEP: dict[str, Param] = {
    "base_ps": 1.7e11,
    "new_ps": 1.8e11,
    "change_ps": 1e10,
    "share": 0.0588,
    "low_ps": 8e9,
    "high_ps": 1.2e10,
}
_CHANGED = {key: _STEP[key] for key in ("base_ps", "new_ps", "change_ps", "share")}
_SLOW: dict[str, Param] = {"side": "B", "ps": 4e11, "more_ps": 3.6e11, "category": Message("time_in.python")}
_TYPICAL: dict[str, Param] = {
    "base_ps": 3.1e10,
    "new_ps": 3.1e10,
    "slow": (Message("compare.slow.every", {**_SLOW, "every": 4}),),
}
_UNEVEN = Message("compare.typical.same", _TYPICAL)
_NOISE = {key: _STEP[key] for key in ("base_ps", "new_ps", "low_ps", "high_ps")}
_OP: dict[str, Param] = {
    "name": "dense/MatMul",
    "type": None,
    "ps": 7e9,
    "more": True,
    "category": Message("time_in.op_compute"),
}
_CATEGORY: dict[str, Param] = {"ps": 2e9, "more": True, "category": Message("time_in.python")}
_STAGE: dict[str, Param] = {
    "name": "Iterator::Root::Prefetch::Map",
    "ps": 7e9,
    "work_ps": 8e9,
    "more": True,
    "category": Message("time_in.input_wait"),
}
_PARTS = (
    Message("compare.part.op", {**_OP, "new": True}),
    Message("compare.part.category", _CATEGORY),
)
_CONDITION = Message("compare.condition", {"fact": "jax_version", "base": "0.4.30", "new": "0.5.0"})

#: How a row was found on both sides, as the tables of a comparison have it.
_FOUND_AS = {
    "same": "same name",
    "renamed": "name differs in numbers or scopes only",
    "fingerprint": "other name, same XLA instructions",
    "shape": "other name, same opcode and shape",
    "split": "one fusion in A, several ops in B",
    "merged": "several ops in A, one fusion in B",
    "new": "only in B",
    "gone": "only in A",
    "rest": "time that no event shows",
    "more": "smaller changes, together",
}
COMPARE = {f"found_as.{match}": Text(title=title) for match, title in _FOUND_AS.items()} | {
    "compare.slower": Text(
        title="A step takes {new_ps:duration} instead of {base_ps:duration}: {change_ps:duration} more "
        f"({{share:percent}}){_BETWEEN}[; {{uneven}}][; {{parts:list}}]",
        action="Begin with the first row of the table of ops: rows add up to the change.",
        when="The interval of resampled differences of the mean step, slow steps included, lies above 0, or that of "
        "typical steps where slow ones leave the mean unsure; and, with one capture a side, the change is larger "
        "than what runs of one program differ by.",
        examples=({**_STEP, "parts": _PARTS}, {**_CHANGED, "uneven": _UNEVEN}),
    ),
    "compare.faster": Text(
        title="A step takes {new_ps:duration} instead of {base_ps:duration}: {change_ps:duration} less "
        f"({{share:percent}}){_BETWEEN}[; {{uneven}}][; {{parts:list}}]",
        when="The same interval lies below 0.",
        examples=({**_STEP, "new_ps": 1.6e11, "parts": _PARTS, "uneven": _UNEVEN},),
    ),
    "compare.noise": Text(
        title="No change beyond noise: a step takes {new_ps:duration}, before {base_ps:duration}"
        f"{_BETWEEN}[; {{uneven}}][; with one capture a side, runs of one program may differ by {{least:percent}}]",
        detail="Differences of single rows are noise, too.",
        action="To see smaller changes, give several captures a side.",
        when="The interval holds 0, or, with one capture a side, the change is smaller than what runs of one program "
        "differ by.",
        examples=(_NOISE, {**_NOISE, "least": 0.03, "uneven": _UNEVEN}),
    ),
    "compare.typical.same": Text(
        title="typical steps take as long, within noise ({new_ps:duration}, before {base_ps:duration})"
        "[, but {slow:list}]",
        examples=(_TYPICAL,),
    ),
    "compare.typical.slower": Text(
        title="typical steps take {new_ps:duration} instead of {base_ps:duration} ({share:percent} more)"
        "[, and {slow:list}]",
        examples=({**_TYPICAL, "share": 0.2},),
    ),
    "compare.typical.faster": Text(
        title="typical steps take {new_ps:duration} instead of {base_ps:duration} ({share:percent} less)"
        "[, but {slow:list}]",
        examples=({**_TYPICAL, "share": 0.2},),
    ),
    "compare.slow.every": Text(
        title="of {side} one step in {every:number} takes {ps:duration} ({category} {more_ps:duration} more)",
        examples=({**_SLOW, "every": 4},),
    ),
    "compare.slow.some": Text(
        title="of {side} {steps:number} of {of:number} steps take {ps:duration} ({category} {more_ps:duration} more)",
        examples=({**_SLOW, "steps": 3, "of": 20},),
    ),
    "compare.unlike_steps": Text(
        title="A step of B is not what a step of A is ({new_ps:duration}, {base_ps:duration}), so that their times are "
        "not compared: {reasons:list}",
        action="Compare runs of one loop, or name an event that begins a step of both as `steps_from`.",
        when="Steps of one side run a backward pass and those of the other do not; or they are marked, or detected, "
        "otherwise, and run several times as many ops or kernels, or ops with next to no time in common.",
        examples=(
            {"base_ps": 2.5e10, "new_ps": 1.7e9, "reasons": (Message("compare.unlike_steps.backward", {"side": "A"}),)},
        ),
    ),
    "compare.unlike_steps.backward": Text(
        title="only a step of {side} runs a backward pass", examples=({"side": "A"},)
    ),
    "compare.unlike_steps.ops": Text(
        title="a step runs {base:number} ops in A, {new:number} in B", examples=({"base": 420.0, "new": 3.0},)
    ),
    "compare.unlike_steps.kernels": Text(
        title="a step runs {base:number} kernels of a device in A, {new:number} in B",
        examples=({"base": 420.0, "new": 3.0},),
    ),
    "compare.unlike_steps.common": Text(
        title="{share:percent} of the time of their ops is in ops that both run", examples=({"share": 0.04},)
    ),
    "compare.unlike_steps.rule": Text(
        title="steps are found by {base:words} in A, by {new:words} in B",
        examples=({"base": "markers", "new": "device_steps"},),
    ),
    "compare.unlike_steps.loop": Text(
        title="steps are marked by {base:quoted} in A, by {new:quoted} in B",
        examples=({"base": "train", "new": "evaluate"},),
    ),
    "compare.warm_up": Text(
        title="{sides:list} counted in no mean: no later step takes nearly as long",
        detail="What a program does once, as compiling, is not paid for in each step. Slow steps that come later "
        "count in the mean, and not in typical steps.",
        when="The first steps are slow, and no later step takes half as much more than the usual one.",
        examples=({"sides": (Message("compare.warm_up.side", {"side": "A", "steps": 1, "ps": 2.1e12}),)},),
    ),
    "compare.warm_up.side": Text(
        title="{steps:count first step} of {side} ({ps:duration})",
        examples=({"side": "A", "steps": 1, "ps": 2.1e12}, {"side": "B", "steps": 2, "ps": 1e12}),
    ),
    "compare.one_step": Text(
        title="A step takes {new_ps:duration}, before {base_ps:duration}; one step a side does not show how much steps "
        "vary",
        action="Capture ten steps or more, without the first.",
        when="A side has fewer than two steps.",
        examples=({key: _STEP[key] for key in ("base_ps", "new_ps")},),
    ),
    "compare.no_steps": Text(
        title="There is nothing to compare: on one of the sides no steps were found",
        action="Mark steps, or name an event that begins one as `steps_from`.",
        when="A side has no steps.",
    ),
    "compare.unlike": Text(
        title="The sides differ in {facts:list}[ and {more:count more fact}]",
        detail="What differs in how the two were recorded may account for a change.",
        when="A fact that both sides state is not the same.",
        examples=({"facts": (_CONDITION,)}, {"facts": (_CONDITION,), "more": 2}),
    ),
    "compare.one_capture": Text(
        title="One capture a side shows how steps vary within a run, not how runs differ",
        detail="Changes up to {least:percent} are taken for noise.",
        action="Give folders of several captures of the same program to be sure of small changes.",
        when="A change is told by one capture a side.",
        examples=({"least": 0.03},),
    ),
    "compare.part.op": Text(
        title="{name:quoted}[ ({type})] {ps:duration} [{more?}more|less][{new?} (new)][{gone?} (gone)]"
        "[ ({new_times:number} times a step instead of {base_times:number})]",
        examples=(
            {**_OP, "new": True},
            {**_OP, "type": "MatMul", "more": False, "gone": True},
            {**_OP, "base_times": 1, "new_times": 2},
        ),
    ),
    "compare.part.category": Text(
        title="{category} {ps:duration} [{more?}more|less], which no event shows",
        examples=(_CATEGORY, {**_CATEGORY, "more": False}),
    ),
    "compare.part.stage": Text(
        title="{category} {ps:duration} [{more?}more|less], for which {name:quoted} works {work_ps:duration} "
        "[{more?}more|less] a step",
        examples=(_STAGE, {**_STAGE, "more": False}),
    ),
    "compare.condition": Text(title="{fact:words} ({base}, now {new})", examples=(_CONDITION.params,)),
}
