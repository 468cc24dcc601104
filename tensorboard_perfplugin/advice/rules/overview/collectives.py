"""Collectives that take much of the steps → that they are many small ones, do not use their links, or
carry more bits than needed."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.collectives.efficiency import slow_links, small_calls, unbucketed, wide_sums
from ....analysis.collectives.matching import together
from ....analysis.hosts.workers import pod
from ...finding import Finding
from ..hosts.buckets import small_buckets
from ..hosts.links import slow_link
from ..hosts.small import small_collectives
from ..hosts.wide import gradients_wide
from .facts import Facts


def collectives(facts: Facts) -> Iterator[Finding]:
    """As on the pod viewer's page, where the table of collectives is."""
    if facts.case is None or not any(len(host.calls) for host in facts.hosts):
        return
    run = pod([host.steps for host in facts.hosts], facts.case.step.means)
    by_steps = {id(host.steps): host for host in facts.hosts}
    hosts = [by_steps[id(part)] for part in (*run.parts, *run.others)]
    all_ = together(run, [host.calls for host in hosts])
    links = {i: hosts[w.host].links[w.unit] for i, w in enumerate(run.everyone)}
    for finding in (
        *small_collectives(run, small_calls(run, all_)),
        *slow_link(run, all_, slow_links(run, all_, links)),
        *small_buckets(run, all_, unbucketed(run, all_)),
        *gradients_wide(run, all_, wide_sums(run, all_)),
    ):
        yield finding.changed(tool="pod_viewer")
