"""The relations of every sample: the same rows as dataframes, files and SQL, with the sums of the pages."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet
import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.api import Profile
from tensorboard_perfplugin.errors import ArgumentError, NotFoundError, UnreadableError
from tensorboard_perfplugin.relations import Relation, names, text_of, write
from tensorboard_perfplugin.tools import Answer
from tests.build_capture import Space
from tests.conftest import MakeLogdir

SAMPLES = Path(__file__).parents[1] / "samples"
RUNS = tensorboard_perfplugin.open(SAMPLES).runs
#: Of each kind one, and one whose rows are made of several hosts'.
TABLES = ("events", "stats", "launches", "ops", "kernels", "steps", "findings", "allocations", "memory_profile.peak")


@pytest.fixture(scope="module", params=RUNS)
def profile(request: pytest.FixtureRequest) -> Profile:
    return tensorboard_perfplugin.open(SAMPLES, run=request.param)


def page_sum(answer: Answer, table: str, column: str) -> float:
    cells: Any = answer.result.tables.get(table, {column: []})[column]
    return math.fsum(cells)


def test_every_way_out_gives_the_same_rows(profile: Profile, tmp_path: Path) -> None:
    for name in TABLES:
        relation = profile.table(name)
        rows = relation.to_dicts()
        table = pyarrow.table(relation)
        table.validate(full=True)
        assert table.to_pylist() == rows, name
        assert relation.to_polars().to_dicts() == rows, name
        write(relation, str(tmp_path / "t.parquet"), "parquet")
        assert pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pylist() == rows, name
        write(relation, str(tmp_path / "t.arrow"), "arrow")
        assert pyarrow.ipc.open_file(str(tmp_path / "t.arrow")).read_all().to_pylist() == rows, name
        assert json.loads("".join(text_of(relation, "json"))) == rows, name
        read = list(csv.DictReader(io.StringIO("".join(text_of(relation, "csv")), newline="")))
        assert [sum(cell != "" for cell in row.values()) for row in read] == [
            sum(cell not in (None, "") for cell in row.values()) for row in rows
        ], name
        frame = relation.to_pandas()
        assert len(frame) == len(rows), name
        for column in relation.columns:
            if column.dtype in ("int64", "float64") and rows:
                expected = math.fsum(float(row[column.name] or 0) for row in rows)
                assert frame[column.name].sum() == pytest.approx(expected, rel=1e-9), (name, column.name)


def test_sql_sums_what_the_pages_sum(profile: Profile) -> None:
    ops = page_sum(profile.op_stats(), "ops", "self_us")
    kernels = page_sum(profile.kernel_stats(), "kernels", "total_us")
    given = profile.sql(
        "select (select coalesce(sum(self_us), 0) from ops) ops, "
        "(select coalesce(sum(total_us), 0) from kernels) kernels, "
        "(select count(*) from events) events, (select coalesce(sum(self_ps), 0) from events) own"
    ).to_dicts()
    own = math.fsum(profile.events["self_ps"].tolist())
    expected = {"ops": ops, "kernels": kernels, "events": len(profile.events), "own": own}
    assert [pytest.approx(expected)] == given


def test_all_names_are_relations(profile: Profile) -> None:
    for name in names():
        relation = profile.table(name)
        assert duckdb.from_arrow(relation).columns == [column.name for column in relation.columns], name


def of_two(make_logdir: MakeLogdir) -> Profile:
    """Two hosts, of which one's launch is recorded."""
    a, b = Space(), Space()
    a.plane("/host:CPU").line(1, "main").event("step", 0, 5000).event("load", 1000, 2000, [("size", 7), ("of", "x")])
    b.plane("/device:GPU:0").line(7, "Stream 7").event("kernel", 0, 300)
    return tensorboard_perfplugin.open(make_logdir({"a.xplane.pb": a, "b.xplane.pb": b}))


def test_rows_of_all_hosts(make_logdir: MakeLogdir) -> None:
    profile = of_two(make_logdir)
    own = [("a", "step", 3000, None), ("a", "load", 2000, 0), ("b", "kernel", 300, None)]
    columns = ("host", "name", "self_ps", "parent")
    assert [tuple(row[name] for name in columns) for row in profile.table("events")] == own
    stats = [{**row, "host": row["host"]} for row in profile.stats if row["owner"] == "event"]
    assert [(row["owner_id"], row["key"], row["text"], row["number"]) for row in stats] == [
        (1, "size", None, 7.0),
        (1, "of", "x", None),
    ]
    assert repr(profile.planes) == "<planes: 2 rows × 6 columns (host, plane_id, plane, kind, vendor, ordinal)>"
    assert (profile.planes.plane, profile.planes[1:]["kind"]) == (["/host:CPU", "/device:GPU:0"], ["gpu"])
    assert "event_count" in dir(profile.tracks)
    with pytest.raises(ArgumentError, match="planes has no column 'nope'"):
        profile.planes["nope"]
    with pytest.raises(
        NotFoundError, match=r"no table 'nope': the tables are hosts, planes, .* findings, and TOOL\.TABLE"
    ):
        profile.table("nope")


def test_a_host_that_cannot_be_read_is_left_out(make_logdir: MakeLogdir) -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("f", 0, 1)
    logdir = make_logdir({"a.xplane.pb": space, "b.xplane.pb": b"\xff\xff"})
    profile = tensorboard_perfplugin.open(logdir)
    assert profile.hosts == ("a", "b")
    assert profile.table("events")["host"] == ["a"]
    with pytest.raises(UnreadableError):
        len(tensorboard_perfplugin.open(logdir, host="b").table("events"))


def test_of_a_range_only_its_events_count() -> None:
    profile = tensorboard_perfplugin.open(SAMPLES, run=next(run for run in RUNS if "gpu_streams" in run))
    some = profile.range(steps="1-2")
    assert [row["step"] for row in some.steps] == [1, 2]
    assert 0 < len(some.events) < len(profile.events)
    assert some.op_stats().to_dict() == profile.op_stats(steps="1-2").to_dict()
    assert math.fsum(some.ops.self_us) == pytest.approx(page_sum(profile.op_stats(steps="1-2"), "ops", "self_us"))
    assert repr(some).startswith(f"<Profile {profile.run}, steps 1-2: ")
    with pytest.raises(ArgumentError, match="steps='x'"):
        profile.range(steps="x")


def test_bytes_and_several_files_are_one_run(make_logdir: MakeLogdir) -> None:
    logdir = Path(str(make_logdir({"x/rank0.xplane.pb": Space(), "y/rank1.xplane.pb": Space()})))
    files = sorted(logdir.rglob("*.xplane.pb"))
    assert tensorboard_perfplugin.open(files).hosts == ("rank0", "rank1")
    sample = next((SAMPLES / "gpu_streams").rglob("*.xplane.pb"))
    profile = tensorboard_perfplugin.open(sample.read_bytes())
    assert len(profile.events) == len(tensorboard_perfplugin.open(sample).events)
    with pytest.raises(UnreadableError):
        tensorboard_perfplugin.open(b"nothing of the kind")


def test_what_a_notebook_shows_is_escaped(make_logdir: MakeLogdir) -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "<b>").event("<script>", 0, 1)
    profile = tensorboard_perfplugin.open(make_logdir({"a.xplane.pb": space}))
    for html in (profile.table("events")._repr_html_(), profile._repr_html_()):
        assert "<script>" not in html
        assert "<b>&" not in html
    assert "&lt;script&gt;" in profile.table("events")._repr_html_()
    assert isinstance(profile.ops, Relation)
