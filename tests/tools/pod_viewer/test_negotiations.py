"""pod_viewer's collectives of Horovod timelines, written by hand as HOROVOD_TIMELINE writes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.collectives.negotiations import negotiations
from tensorboard_perfplugin.tables.columns import row_key
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.trace.proof import Marked, prove
from tests.tools.pod_viewer.test_collectives import ask, rows

DENSE, CONV = "grad/dense", "grad/conv"


def negotiated(pid: int, ready_ms: dict[int, float], end_ms: float, kind: str = "ALLREDUCE") -> list[dict[str, Any]]:
    """ready_ms: by rank. The collective follows for 2 ms."""
    begin = min(ready_ms.values(), default=end_ms - 1)
    ticks = [
        {"ph": "X", "name": str(rank), "ts": at * 1000, "dur": 0, "pid": pid}
        for rank, at in sorted(ready_ms.items(), key=lambda item: item[1])
    ]
    return [
        {"ph": "B", "name": f"NEGOTIATE_{kind}", "ts": begin * 1000, "pid": pid},
        *ticks,
        {"ph": "E", "ts": end_ms * 1000, "pid": pid},
        {"ph": "B", "name": kind, "ts": end_ms * 1000, "pid": pid},
        {"ph": "B", "name": "NCCL_ALLREDUCE", "ts": end_ms * 1000 + 100, "pid": pid},
        {"ph": "E", "ts": end_ms * 1000 + 1900, "pid": pid},
        {"ph": "E", "ts": end_ms * 1000 + 2000, "pid": pid, "args": {"dtype": "float32", "shape": "[256, 10]"}},
    ]


def horovod(*events: dict[str, Any]) -> Timeline:
    said = [
        {"name": "process_name", "ph": "M", "pid": i, "args": {"name": name}} for i, name in enumerate((DENSE, CONV))
    ]
    cycle = {"ph": "i", "name": "CYCLE_START", "ts": 0, "s": "g"}
    return Timeline(decode.read_bytes(json.dumps([cycle, *said, *events]).encode(), "horovod.json"), "node")


#: Rank 2 comes 30 and 50 ms after the others for the one tensor, and 20 ms for the other; its last tick is the end.
LATE = (
    *negotiated(0, {0: 10, 1: 12, 2: 41}, 42),
    *negotiated(0, {1: 100, 0: 104, 2: 152}, 152),
    *negotiated(1, {0: 10, 1: 20, 2: 35}, 36, "BROADCAST"),
)


def test_each_tensor_is_a_row_and_its_last_rank_is_named() -> None:
    """Of grad/dense: 31 and 52 ms from first to last; ranks waited 31 + 29 and 52 + 48 ms."""
    answer = ask(horovod(*LATE))
    dense, conv = rows(answer, "collectives")
    assert dense == {
        "kind": "all-reduce",
        "tensor": DENSE,
        "group": None,
        "ranks": None,
        "group_size": None,
        "workers": 3,
        "count": 2,
        "bytes": 2 * 256 * 10 * 4,
        "mean_us": 2000.0,
        "total_ms": 4.0,
        "expected_ms": None,
        "algorithm_gb_s": None,
        "bus_gb_s": None,
        "exposed_share": None,
        "overlapped_share": None,
        "collective_count": 2,
        "skew_us": 41500.0,
        "max_skew_us": 52000.0,
        "peer_wait_ms": 160.0,
        "last_worker": "rank 2",
        "last_share": 1.0,
        "lag_us": 40000.0,
        "why_unknown": "tensors that Horovod fuses share their time: no bandwidth; "
        "a Horovod timeline shows no compute: what is overlapped is unknown",
    }
    assert (conv["kind"], conv["tensor"], conv["skew_us"], conv["lag_us"]) == ("broadcast", CONV, 25000.0, 20000.0)
    first, second = answer["findings"]
    assert first["title"] == (
        "Rank 2 is the straggler: it comes last to 3 of 3 collectives, 33.3 ms later than the others' median"
    )
    longest = {"host": "node", "start_ps": 10**11, "end_ps": 152 * 10**9, "track": 1, "tracks": ""}
    assert (first["tool"], first["evidence"]) == ("trace_viewer", (longest,))
    assert (first["code"], second["code"]) == ("late_rank", "no_steps_to_compare")


def test_a_cell_leads_to_the_tensors_collectives() -> None:
    cell = row_key("pod_viewer.collectives.total_ms?kind=all-reduce&tensor=grad%2Fdense")
    timeline = horovod(*LATE)
    found = prove(timeline, cell)
    assert isinstance(found, Marked)
    assert [timeline.capture.event_name(row) for row in found.rows.tolist()] == ["ALLREDUCE", "ALLREDUCE"]
    assert found.ps.sum() == 4 * 10**9


def test_ranks_that_one_cycle_hears_of_are_not_late() -> None:
    """The coordinator writes them one after the other, a few µs apart, always in the same order."""
    answer = ask(horovod(*negotiated(0, {0: 10, 1: 10.01, 2: 10.02}, 10.1)))
    row = rows(answer, "collectives", "skew_us", "last_worker", "why_unknown")[0]
    assert (row["skew_us"], row["last_worker"]) == (20.0, None)
    assert (answer["findings"][0]["code"], answer["findings"][0]["params"]["skew"]) == ("ranks_ready_together", 2e7)


def test_a_cached_answer_names_no_ranks() -> None:
    """Its negotiation still lasts from the first rank to the last one."""
    answer = ask(horovod(*negotiated(0, {}, 30)))
    row = rows(answer, "collectives", "workers", "skew_us", "peer_wait_ms", "last_worker", "why_unknown")[0]
    assert tuple(row.values())[:4] == (None, 1000.0, None, None)
    assert row["why_unknown"].endswith("no ranks are named, as where Horovod has cached the answer: nobody is last")


def test_a_timeline_that_is_cut_in_a_negotiation_has_no_collective_of_it() -> None:
    answer = ask(horovod(*negotiated(0, {0: 10, 1: 15}, 16)[:4]))
    row = rows(answer, "collectives", "count", "total_ms", "skew_us", "why_unknown")[0]
    assert tuple(row.values()) == (0, None, 5000.0, "no collective follows in the timeline")


def test_a_negotiation_that_does_not_end_names_nobody() -> None:
    """Rank 2 has not come when the file is cut: that rank 1 is the last one so far says nothing."""
    cut = negotiated(0, {0: 100, 1: 140, 2: 150}, 151)[:3]
    found = rows(ask(horovod(*negotiated(0, {0: 10, 1: 12, 2: 41}, 42), *cut)), "collectives", "count", "max_skew_us")
    assert [tuple(row.values()) for row in found] == [(1, 31000.0)]
    assert ask(horovod(*cut))["findings"][0]["code"] == "no_steps_to_compare"


def test_two_files_of_one_run_are_one_table() -> None:
    rest = horovod(*negotiated(0, {2: 7, 0: 9, 1: 10}, 11))
    found = rows(ask(horovod(*LATE), rest), "collectives", "tensor", "count", "skew_us", "last_share")
    assert [tuple(row.values()) for row in found] == [
        (DENSE, 3, pytest.approx(86000 / 3), pytest.approx(2 / 3)),
        (CONV, 1, 25000.0, 1.0),
    ]


def test_names_that_are_no_ranks_are_none() -> None:
    """Instants outside of negotiations, longer numbers, and numbers that last."""
    odd = [
        {"ph": "X", "name": "1", "ts": 5000, "dur": 0, "pid": 0},
        {"ph": "X", "name": "100000", "ts": 12000, "dur": 0, "pid": 0},
        {"ph": "X", "name": "3", "ts": 12000, "dur": 100, "pid": 0},
    ]
    found = negotiations(horovod(*odd, *negotiated(0, {0: 10, 99_999: 14}, 15)))
    assert found.arrivals.rank.tolist() == [0, 99_999]


def test_the_overview_says_so_too() -> None:
    """It said that the capture holds no op."""
    chosen = OVERVIEW.parse({})
    first = OVERVIEW.combine([OVERVIEW.per_host(horovod(*LATE), chosen)], chosen).findings[0]
    assert (first.code, first.params["rank"], first.tool, first.evidence) == ("late_rank", 2, "pod_viewer", ())
