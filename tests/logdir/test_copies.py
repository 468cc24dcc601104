"""One recording that lies there twice, as JSON and as packets or compressed, is one host; ranks are not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import api
from tensorboard_perfplugin.logdir import missing_workers, runs_at
from tests.decode.perfetto_traces import converted, loaded

BASE = 1_700_000_000_000_000_000


def trace(first: int = 0, events: int = 8, **members: Any) -> str:
    """Events that begin every 10.5 µs, from one on."""
    made = [
        {"ph": "X", "pid": 1, "tid": 1, "ts": 100 + 10.5 * i, "dur": 2, "name": f"aten::{i}", "cat": "cpu_op"}
        for i in range(first, first + events)
    ]
    return json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": BASE, **members, "traceEvents": made})


def packets(text: str) -> bytes:
    return converted(loaded(text))


def write(folder: Path, **files: bytes | str) -> None:
    for name, data in files.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(data.encode() if isinstance(data, str) else data)


def hosts(folder: Path) -> list[str]:
    (run,) = runs_at(str(folder))
    return list(run.hosts)


def test_as_json_and_as_packets_it_is_one(tmp_path: Path) -> None:
    write(tmp_path, vm__pt__trace__json=trace(), export__pftrace=packets(trace()))
    (run,) = runs_at(str(tmp_path))
    assert (run.hosts, [file.name for file in run.left_out]) == (("vm",), ["export.pftrace"])
    (said,) = missing_workers(run)
    assert (said.code, said.params["name"], said.params["instead"]) == (
        "recording_twice",
        "export.pftrace",
        "vm.pt.trace.json",
    )
    answer = api.open(tmp_path).overview()
    assert [each.code for each in answer.quality.warnings if each.code == "recording_twice"]


def test_where_the_first_cannot_be_read_the_copy_is(tmp_path: Path) -> None:
    write(tmp_path, vm__pt__trace__json=trace(), export__pftrace=packets(trace()))
    (run,) = runs_at(str(tmp_path))
    assert [other.name for other in run.files[0].others] == ["export.pftrace"]


def test_compressed_under_another_name_it_is_one(tmp_path: Path) -> None:
    write(tmp_path, vm__pt__trace__json=trace(), old__pt__trace__json__gz=gzip.compress(trace().encode()))
    assert hosts(tmp_path) == ["vm"]
    write(tmp_path, more__pt__trace__json__gz=gzip.compress(trace(events=9).encode()))
    assert hosts(tmp_path) == ["more", "vm"]


def test_a_copy_is_one(tmp_path: Path) -> None:
    write(tmp_path, a__pt__trace__json=trace(), b__pt__trace__json=trace(), c__pt__trace__json=trace(first=1))
    assert hosts(tmp_path) == ["a", "c"]


@pytest.mark.parametrize(("common", "expected"), [(4, ["vm"]), (3, ["other", "vm"])])
def test_half_of_the_begins_are_enough(common: int, expected: list[str], tmp_path: Path) -> None:
    write(tmp_path, vm__pt__trace__json=trace(), other__pftrace=packets(trace(first=8 - common)))
    assert hosts(tmp_path) == expected


@pytest.mark.parametrize(("events", "expected"), [(3, ["vm"]), (2, ["other", "vm"])])
def test_of_very_few_nothing_is_said(events: int, expected: list[str], tmp_path: Path) -> None:
    write(tmp_path, vm__pt__trace__json=trace(events=events), other__pftrace=packets(trace(events=events)))
    assert hosts(tmp_path) == expected


def test_ranks_are_no_copies(tmp_path: Path) -> None:
    write(tmp_path, rank0__pt__trace__json=trace(), rank1__pftrace=packets(trace()), rank2__pt__trace__json=trace())
    assert hosts(tmp_path) == ["rank0", "rank1", "rank2"]


def test_a_damaged_file_is_no_copy(tmp_path: Path) -> None:
    write(
        tmp_path, vm__pt__trace__json=trace(), a__pftrace=packets(trace())[:40], b__pt__trace__json__gz=b"\x1f\x8b\x08"
    )
    assert hosts(tmp_path) == ["a", "b", "vm"]
