"""Several pipelines → which of them matters."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.partial import Pipeline, Run
from ....messages import Message, Param
from ...finding import Finding
from ..listed import OTHERS


def several_pipelines(run: Run) -> Iterator[Finding]:
    """How long a step waits for each."""
    main = run.main
    rest = [p for p in run.pipelines if p is not main and not (p.device and p.fed_by) and p.wait_ps is not None]
    if not rest or main is None or main.wait_ps is None:
        return
    params: dict[str, Param] = {
        "pipeline": main.name,
        "host": _host(run, main),
        "pipelines": len(rest) + 1,
        "wait": main.wait_ps,
        "others": tuple(_other(run, p) for p in rest[:OTHERS]),
        "more": len(rest) - OTHERS if len(rest) > OTHERS else None,
    }
    yield Finding(code="tf_data_pipelines", params=params)


def _other(run: Run, p: Pipeline) -> Message:
    return Message("tf_data_pipelines.other", {"wait": p.wait_ps, "pipeline": p.name, "host": _host(run, p)})


def _host(run: Run, p: Pipeline) -> str:
    return p.host if len(run.hosts) > 1 else ""
