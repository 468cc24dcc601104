"""Calls of the pipeline that costs most → that some of them are slow."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.host import SLOW
from ....analysis.tf_data.partial import Run
from ....messages import Param
from ...finding import Finding


def slow_calls(run: Run) -> Iterator[Finding]:
    """How many, and how long calls take."""
    latency = run.main.latency if run.main is not None else None
    if run.main is None or latency is None or not latency.slow:
        return
    params: dict[str, Param] = {
        "slow": latency.slow,
        "calls": latency.calls,
        "pipeline": run.main.name,
        "limit": SLOW.value,
        "median": latency.p50,
        "longest": latency.max,
    }
    evidence = run.main.longest[: latency.slow]
    yield Finding(code="tf_data_calls_slow", params=params, tool="trace_viewer", evidence=evidence)
