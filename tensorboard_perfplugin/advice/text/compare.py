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
_NOISE = {key: _STEP[key] for key in ("base_ps", "new_ps", "low_ps", "high_ps")}
_OP: dict[str, Param] = {
    "name": "dense/MatMul",
    "type": None,
    "ps": 7e9,
    "more": True,
    "category": Message("time_in.op_compute"),
}
_CATEGORY: dict[str, Param] = {"ps": 2e9, "more": True, "category": Message("time_in.python")}
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
        f"({{share:percent}}){_BETWEEN}[; {{parts:list}}]",
        action="Begin with the first row of the table of ops: rows add up to the change.",
        when="The interval of resampled differences lies above 0, and, with one capture a side, the change is larger "
        "than what runs of one program differ by.",
        examples=({**_STEP, "parts": _PARTS}, {key: _STEP[key] for key in ("base_ps", "new_ps", "change_ps", "share")}),
    ),
    "compare.faster": Text(
        title="A step takes {new_ps:duration} instead of {base_ps:duration}: {change_ps:duration} less "
        f"({{share:percent}}){_BETWEEN}[; {{parts:list}}]",
        when="The same interval lies below 0.",
        examples=({**_STEP, "new_ps": 1.6e11, "parts": _PARTS},),
    ),
    "compare.noise": Text(
        title="No change beyond noise: a step takes {new_ps:duration}, before {base_ps:duration}"
        f"{_BETWEEN}[; with one capture a side, runs of one program may differ by {{least:percent}}]",
        detail="Differences of single rows are noise, too.",
        action="To see smaller changes, give several captures a side.",
        when="The interval holds 0, or, with one capture a side, the change is smaller than what runs of one program "
        "differ by.",
        examples=(_NOISE, {**_NOISE, "least": 0.03}),
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
    "compare.condition": Text(title="{fact:words} ({base}, now {new})", examples=(_CONDITION.params,)),
}
