"""What of a host's pipelines was not analysed as it was recorded → findings."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.partial import Run
from ....messages import Param
from ...finding import Finding


def left_out(run: Run) -> Iterator[Finding]:
    """Iterators that feed themselves, and more pipelines than are looked into, by host."""
    for host in run.hosts:
        if host.cycles:
            yield Finding(code="tf_data_iterators_in_circles", params={"iterators": host.cycles}, severity="note")
        if len(host.pipelines) > host.looked_into:
            params: dict[str, Param] = {
                "pipelines": len(host.pipelines),
                "host": host.host,
                "analysed": host.looked_into,
            }
            yield Finding(code="tf_data_pipelines_left_out", params=params, severity="note")
