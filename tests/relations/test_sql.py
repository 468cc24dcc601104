"""SQL over runs: what it gives, and what it cannot be made to do."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.api import Profile, relations_of
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.relations import VIEWS, Limits, answered, names, shape_of
from tensorboard_perfplugin.work import StoppedError, Work, at
from tests.build_capture import Space
from tests.conftest import MakeLogdir


@pytest.fixture
def profile(make_logdir: MakeLogdir) -> Profile:
    """A kernel that a call on the other host's clock launched, and an event with stats."""
    a, b = Space(), Space()
    a.plane("/host:CPU").line(1, "main").event("launch", 0, 50, {"correlation_id": 7, "device_id": 0})
    a.plane("/device:GPU:0").line(7, "Stream 7").event("gemm", 100, 300, {"correlation_id": 7})
    b.plane("/host:CPU").line(1, "main").event("load", 1000, 2000, [("size", 7), ("of", "x")])
    return tensorboard_perfplugin.open(make_logdir({"a.xplane.pb": a, "b.xplane.pb": b}))


def test_joins_over_hosts_and_runs(profile: Profile) -> None:
    query = (
        "select launches.host, launches.name, call.name as call, latency_ps, coalesce(grid_x, 0) as grid "
        "from launches join events call on call.event = launches.call and call.host = launches.host"
    )
    assert list(profile.sql(query)) == [{"host": "a", "name": "gemm", "call": "launch", "latency_ps": 100, "grid": 0}]
    # Two runs of one name are told apart by what opened them; here it is one, twice.
    both = answered(
        relations_of([profile, profile]), "select host, count(*) n from Events group by all order by 1", Limits()
    )
    assert list(both.rows) == [{"host": "a", "n": 4}, {"host": "b", "n": 2}]
    using = "select Launches.name, latency_ps from launches join kernels using (run, host, name)"
    assert list(profile.sql(using)) == [{"name": "gemm", "latency_ps": 100}]
    kinds = profile.sql("select kind, cause, event from flows").to_dicts()
    assert kinds == [{"kind": "launch", "cause": 0, "event": 1}]


def test_views_and_tables_that_are_not_named(profile: Profile) -> None:
    stats = profile.sql("from event_stats select event, key, coalesce(text, cast(number as text)) v where host = 'b'")
    assert list(stats) == [{"event": 0, "key": "size", "v": "7.0"}, {"event": 0, "key": "of", "v": "x"}]
    assert profile.sql("select name from device_events")["name"] == ["gemm"]
    assert profile.sql("select name from host_events order by host")["name"] == ["launch", "load"]
    shown = set(profile.sql("select table_name from information_schema.tables")["table_name"])
    assert {name.rpartition(".")[2] for name in names()} | {view.name for view in VIEWS} <= shown
    described = profile.sql("describe memory_profile.peak")["column_name"]
    assert described == [column.name for column in shape_of("memory_profile.peak").columns]
    for view in VIEWS:
        assert profile.sql(f"describe {view.name}")["column_name"] == [column.name for column in view.columns()]


def test_types_of_results(profile: Profile) -> None:
    rows = profile.sql("select 1 as a, 1 as a, 2.5::decimal(5,2) as b, [1, 2] as c, 'nan'::double as e_ms")
    assert [(c.name, c.dtype, c.unit) for c in rows.columns] == [
        ("a", "int64", ""),
        ("a_2", "int64", ""),
        ("b", "float64", ""),
        ("c", "text", ""),
        ("e_ms", "float64", "ms"),
    ]
    assert list(rows) == [{"a": 1, "a_2": 1, "b": 2.5, "c": "[1, 2]", "e_ms": None}]
    (big,) = profile.sql("select 9223372036854775807::hugeint * 4 as n")
    assert big == {"n": float((1 << 63) - 1) * 4}
    assert profile.sql("select 1 where false").to_dicts() == []


#: What would read or write a file, reach another machine or database, change a setting, or make something.
FORBIDDEN = (
    *(f"select * from {function}('{{secret}}')" for function in (
        "read_text", "read_blob", "read_csv", "read_csv_auto", "read_json", "read_json_auto", "read_json_objects",
        "read_ndjson", "read_parquet", "parquet_scan", "parquet_metadata", "parquet_schema", "sniff_csv", "glob",
        "sqlite_scan", "arrow_scan", "pandas_scan", "iceberg_scan", "delta_scan", "st_read", "read_xlsx",
    )),
    "select * from '{secret}'",
    'select * from "{secret}"',
    "select * from 'file://{secret}'",
    "select * from 'https://host.example/x.parquet'",
    "select * from 's3://bucket/x.parquet'",
    "select * from read_csv('https://host.example/x.csv')",
    "select * from read_text(['{secret}'])",
    "select * from query('select * from read_text(''{secret}'')')",
    "select * from query_table('{secret}')",
    "with a as (select * from read_text('{secret}')) select * from a",
    "select (select content from read_text('{secret}'))",
    "explain analyze select * from read_text('{secret}')",
    "summarize '{secret}'",
    "describe '{secret}'",
    "copy (select 1) to '{made}'",
    "copy events to '{made}' (format parquet)",
    "copy events from '{secret}'",
    "export database '{made}'",
    "import database '{made}'",
    "attach '{made}' as other",
    "attach ':memory:' as other",
    "attach 'postgres:host=localhost' as other",
    "detach memory",
    "use memory",
    "install httpfs",
    "load httpfs",
    "load '{secret}'",
    "force install httpfs from community",
    "set enable_external_access = true",
    "set lock_configuration = false",
    "set memory_limit = '100GB'",
    "reset memory_limit",
    "pragma enable_external_access",
    "call pragma_version()",
    "create table t (a int)",
    "create view v as select 1",
    "create macro f() as 1",
    "create secret s (type s3)",
    "create type t as enum ('a')",
    "insert into ops values (1)",
    "update ops set name = ''",
    "delete from ops",
    "truncate ops",
    "drop view events",
    "alter table ops add column x int",
    "checkpoint",
    "vacuum",
    "begin",
    "prepare p as select 1",
    "execute p",
    "select 1; copy (select 1) to '{made}'",
    "select 1; select 2",
    "",
    "pivot events on name using count(*)",
    "select getenv('HOME')",
    "select * from profile",
    "select * from sys",
    "select * from duckdb_extensions()",
)  # fmt: skip


def test_nothing_but_the_run_is_reached(profile: Profile, tmp_path: Path) -> None:
    secret, made = tmp_path / "secret.csv", tmp_path / "made"
    secret.write_text("a,b\nsecret,1\n")
    through = []
    for text in FORBIDDEN:
        query = text.format(secret=secret, made=made)
        try:
            found = answered(relations_of([profile]), query, Limits(seconds=20))
        except ArgumentError:
            continue
        through.append((query, found.rows.to_dicts()))
    assert len(FORBIDDEN) >= 60
    assert through == []
    assert sorted(os.listdir(tmp_path)) == ["secret.csv"] or not made.exists()


def test_limits(profile: Profile) -> None:
    relations = relations_of([profile])
    few = answered(relations, "from range(10)", Limits(rows=3))
    assert (len(few.rows), few.is_cut) == (3, True)
    assert not answered(relations, "from range(3)", Limits(rows=3)).is_cut
    with pytest.raises(ArgumentError, match=r"took longer than 0\.2 s"):
        answered(relations, "select count(*) from range(1000000000) a, range(1000000000) b", Limits(seconds=0.2))
    with pytest.raises(ArgumentError, match=r"needs more memory than the 20 MiB allowed"):
        answered(relations, "select list(range) from range(100000000)", Limits(memory_bytes=20 << 20))
    with pytest.raises(ArgumentError, match="the query has 200,001 characters; the most is 100,000"):
        answered(relations, "x" * 200_001, Limits())


def test_a_wrong_query_says_where(profile: Profile) -> None:
    with pytest.raises(ArgumentError, match=r"nope does not exist!(?s:.*)LINE 1: select \* from nope"):
        profile.sql("select * from nope")
    with pytest.raises(ArgumentError, match=r"(?s)syntax error.*LINE 1"):
        profile.sql("selec 1")


def test_without_duckdb_one_sentence_says_what_is_missing(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(
        ArgumentError, match=r"SQL needs DuckDB: pip install 'tensorboard-perfplugin\[sql\]', or duckdb"
    ):
        profile.sql("select 1")


def test_a_query_ends_when_its_client_has_gone(profile: Profile) -> None:
    with at(Work(has_left=lambda: True)), pytest.raises(StoppedError):
        profile.sql("select count(*) from range(1000000) a, range(1000000) b where a.range + b.range < 0")
