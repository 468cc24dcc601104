"""When threads of the pipeline are said to delay launches: on both sides of each threshold."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.rules.tf_data import RULES, threads_contend
from tensorboard_perfplugin.analysis.tf_data.partial import Contention
from tests.advice.rules.tf_data.test_rules import MS, pipeline, run_of

#: Ten steps of 10 ms, of half of which the cores are full; a fifth of that a launch is late, and a tenth of the rest.
HALF = Contention(8, 8, 10, 100 * 10**9, 50 * 10**9, 10 * 10**9, 5 * 10**9, False)


def said(**changes: Any) -> list[Finding]:
    of = run_of(pipeline("images", 5.0))
    [host] = of.hosts
    run = structs.replace(of, hosts=(structs.replace(host, contention=HALF._replace(**changes)),))
    return [finding for rule in RULES if rule.gives("tf_data_contends") for finding in rule.findings(run)]


def test_what_is_said() -> None:
    [finding] = said()
    assert (finding.code, finding.severity, finding.share) == ("tf_data_contends", "note", 0.1)
    assert finding.params == {
        "late": MS,
        "share": 0.1,
        "cores": 8,
        "threads": 8,
        "times": 2.0,
        "private": False,
        "pool": 6,
        "host": None,
    }


@pytest.mark.parametrize(
    ("changes", "given"),
    [
        ({"late_ps": 5 * 10**9, "rest_late_ps": 0}, True),
        ({"late_ps": 5 * 10**9 - 1, "rest_late_ps": 0}, False),
        ({"rest_late_ps": 5 * 10**9 + 1}, False),
        # Nine tenths of the steps: the rest can still be compared. More: only where cores are known.
        ({"full_ps": 90 * 10**9, "rest_late_ps": 10**9}, False),
        ({"full_ps": 90 * 10**9 + 10**6, "rest_late_ps": 10**9}, True),
        ({"full_ps": 90 * 10**9 + 10**6, "rest_late_ps": 10**9, "cores": 0}, False),
        ({"cores": 0, "threads": 4}, True),
        ({"cores": 0, "threads": 3}, False),
        ({"cores": 2, "threads": 2}, True),
    ],
)
def test_both_sides_of_each_threshold(changes: dict[str, Any], given: bool) -> None:
    assert [finding.code for finding in said(**changes)] == (["tf_data_contends"] if given else [])


def test_a_host_whose_cores_are_unknown_has_a_hint() -> None:
    [finding] = said(cores=0)
    assert (finding.severity, finding.params["cores"], finding.params["pool"]) == ("info", None, None)


def test_one_core_is_left_to_the_pipeline() -> None:
    [finding] = said(cores=2)
    assert finding.params["pool"] == 1


def test_hosts_without_gpus_are_silent() -> None:
    assert list(threads_contend(run_of(pipeline("images", 5.0)))) == []
