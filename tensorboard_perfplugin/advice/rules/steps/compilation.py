"""Tracing and compiling functions → which, and how often."""

from __future__ import annotations

from ....messages import Param
from ....threshold import Threshold
from .case import Answer, Case, Cause, bare, largest

FIRST = Threshold("compilation_first", 0.1, "share", "compilation, of which a program that is warm needs nothing")


def _compiles(case: Case, ps: float) -> Answer:
    name, spent = largest(case.summary.compiled)
    if spent.times == 1:
        return Answer("compiles_once", {"function": name}, search=bare(name))
    params: dict[str, Param] = {"function": name, "times": spent.times, "steps": case.summary.steps}
    return Answer("compiles_again", params if name else {}, search=bare(name))


COMPILATION = Cause("compilation", ("compilation",), FIRST, _compiles)
