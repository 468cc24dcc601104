"""What `capture.json` beside captures tells, and that a file which is something else does no harm."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.advice.text.catalogue import sentence
from tensorboard_perfplugin.logdir import RECORD, Record, Worker, missing_workers, record_in, runs_at
from tensorboard_perfplugin.messages import message
from tests.logdir.test_runs import touch

A = Worker("a:6009", "ok", file="a_6009.xplane.pb", size_bytes=10, attempts=1, seconds=2.25, started_ns=5, ended_ns=9)
B = Worker("b:6009", "closed", "nothing listens on this port", attempts=1)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    options = {"duration_ms": 2000, "advanced": {"x": True}}
    written = Record("run", (A, B), "a:6009,b:6009", 1, 2, options, {"perfplugin": "1"})
    (tmp_path / RECORD).write_text(written.to_json())
    assert record_in(str(tmp_path)) == written
    assert written.missing == (B,)


def test_who_is_missing(tmp_path: Path) -> None:
    touch(
        tmp_path,
        "plugins/profile/s/a_6009.xplane.pb",
        "plugins/profile/s/memory.prof",
        "plugins/profile/s/later.memory.prof",
    )
    (tmp_path / "plugins/profile/s" / RECORD).write_text(Record("s", (A, B)).to_json())
    session, memory = sorted(runs_at(str(tmp_path)), key=lambda run: run.name)
    assert missing_workers(session) == (
        message("worker_missing", address="b:6009", message="nothing listens on this port"),
    )
    assert (memory.name, missing_workers(memory)) == ("s (memory)", ())


def test_a_second_name_of_a_worker_is_not_missing() -> None:
    assert Record("s", (A, Worker("localhost:6009", "same", "the same server as a:6009"))).warnings() == ()


def test_of_many_missing_the_first_are_told() -> None:
    told = Record("s", tuple(Worker(f"h{i}:1", "slow") for i in range(300))).warnings()
    assert len(told) == 17
    assert told[0] == message("worker_missing", address="h0:1", message="slow")
    assert told[-1] == message(
        "workers_missing", n=284, names="h16:1, h17:1, h18:1, h19:1, h20:1, h21:1, h22:1, h23:1 and 276 more"
    )


def test_texts_are_bounded_and_printable() -> None:
    (told,) = Record("s", (Worker("b\x1b[2J", "cut", "x" * 5000),)).warnings()
    assert told == message("worker_missing", address="b\\x1b[2J", message="x" * 400 + "…")


GOOD: dict[str, Any] = json.loads(Record("s", (A, B)).to_json())


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "7",
        "[" * 100_000,
        "\ufeff{}",
        json.dumps({**GOOD, "schema": 2}),
        json.dumps({**GOOD, "session": 1}),
        json.dumps({**GOOD, "workers": {}}),
        json.dumps({**GOOD, "workers": [1]}),
        json.dumps({**GOOD, "workers": [{"address": "a:1"}]}),
        json.dumps({**GOOD, "workers": [{**GOOD["workers"][0], "file": None}]}),
        json.dumps({**GOOD, "workers": [{**GOOD["workers"][0], "size_bytes": True}]}),
        json.dumps({**GOOD, "workers": [{**GOOD["workers"][0], "size_bytes": -1}]}),
        json.dumps({**GOOD, "workers": [{**GOOD["workers"][0], "seconds": float("nan")}]}),
        json.dumps({**GOOD, "started_ns": 2**64}),
        json.dumps({**GOOD, "options": []}),
        json.dumps({**GOOD, "versions": "x" * (1 << 20)}),
        '{"schema": 1, "session": "s", "workers": [], "started_ns": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_no_record(tmp_path: Path, body: str) -> None:
    (tmp_path / RECORD).write_text(body)
    assert record_in(str(tmp_path)) is None


def test_a_record_of_a_newer_version_with_more_in_it(tmp_path: Path) -> None:
    worker = {**GOOD["workers"][0], "colour": "red"}
    (tmp_path / RECORD).write_text(json.dumps({**GOOD, "workers": [worker], "mood": []}))
    assert record_in(str(tmp_path)) == Record("s", (A,))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda each: st.lists(each, max_size=3),
    max_leaves=3,
)


@pytest.mark.slow
@given(
    top=st.dictionaries(st.sampled_from(sorted(GOOD)), VALUES, max_size=2),
    worker=st.dictionaries(st.sampled_from(sorted(GOOD["workers"][0])), VALUES, max_size=3),
)
def test_any_values_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, top: dict[str, Any], worker: dict[str, Any]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    (folder / RECORD).write_text(json.dumps({**GOOD, "workers": [{**GOOD["workers"][0], **worker}], **top}))
    record = record_in(str(folder))
    if record is not None:
        assert all(sentence(each).isprintable() and len(sentence(each)) < 2000 for each in record.warnings())
        assert json.loads(record.to_json())["workers"] == [asdict(each) for each in record.workers]


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """A pipe would be waited for."""
    assert record_in(str(tmp_path)) is None
    os.mkfifo(tmp_path / RECORD)
    assert record_in(str(tmp_path)) is None
    (tmp_path / "folder" / RECORD).mkdir(parents=True)
    assert record_in(str(tmp_path / "folder")) is None


def test_it_is_no_capture(tmp_path: Path) -> None:
    touch(tmp_path, f"plugins/profile/s/{RECORD}", "plugins/profile/s/a.xplane.pb")
    assert [run.hosts for run in runs_at(str(tmp_path))] == [("a",)]
