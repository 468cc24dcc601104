"""`perfplugin sql` and `table`: rows in the terminal, on standard output, and as files."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from tensorboard_perfplugin.cli import main
from tests.build_capture import Space
from tests.conftest import MakeLogdir

Capsys = pytest.CaptureFixture[str]


@pytest.fixture
def logdir(make_logdir: MakeLogdir) -> Path:
    one, two = Space(), Space()
    one.plane("/host:CPU").line(1, "main").event("step", 0, 5_000_000).event("=load", 1000, 2_000_000)
    two.plane("/host:CPU").line(1, "main").event("step", 0, 7_000_000)
    files: dict[str, Space | bytes] = {"one/a.xplane.pb": one, "two/b.xplane.pb": two}
    return Path(make_logdir(files))


def run(capsys: Capsys, *args: object) -> tuple[int, str, str]:
    code = main([str(arg) for arg in args])
    out = capsys.readouterr()
    return code, out.out, out.err


QUERY = "select run, host, name, duration_ps from events order by duration_ps"


def test_a_query_over_several_runs(logdir: Path, capsys: Capsys) -> None:
    paths = (logdir / "one", logdir / "two")
    code, out, error = run(capsys, "sql", *paths, QUERY)
    assert (code, error) == (0, "")
    assert [line.split() for line in out.splitlines()][1:] == [
        ["one", "a", "=load", "2.00", "µs"],
        ["one", "a", "step", "5.00", "µs"],
        ["two", "b", "step", "7.00", "µs"],
    ]
    assert run(capsys, "sql", logdir, QUERY, "--all-runs", "--csv")[1].splitlines() == [
        "run,host,name,duration_ps",
        "one,a,'=load,2000000",
        "one,a,step,5000000",
        "two,b,step,7000000",
    ]
    assert json.loads(run(capsys, "sql", logdir / "two", QUERY, "--json")[1]) == [
        {"run": "two", "host": "b", "name": "step", "duration_ps": 7_000_000}
    ]


def test_a_table_as_a_file(logdir: Path, tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "it's.parquet"
    code, out, error = run(capsys, "table", logdir / "one", "events", "-o", file)
    assert (code, out.endswith("2 rows\n"), error) == (0, True, "")
    assert duckdb.from_parquet(str(file)).aggregate("sum(duration_ps)").fetchall() == [(7_000_000,)]
    assert run(capsys, "table", logdir / "one", "events", "--csv", "--rows", 1)[1].count("\n") == 2


def test_what_goes_wrong(logdir: Path, tmp_path: Path, capsys: Capsys) -> None:
    capture = logdir / "one" / "a.xplane.pb"
    for args, message in (
        (("sql", logdir), "give a PATH, then a QUERY"),
        (("sql", logdir, "drop table ops"), "DROP: a query only reads"),
        (("sql", logdir, "from ops", "--timeout", "soon"), "--timeout takes a time with its unit"),
        (("sql", logdir, "from ops", "--parquet"), "--parquet needs a file: -o FILE.parquet"),
        (("table", logdir / "one", "events", "-o", capture), "is one of the captures"),
        (("table", logdir / "one", "events", "-o", tmp_path / "no" / "x.csv"), "cannot be written: No such file"),
    ):
        code, out, error = run(capsys, *args)
        assert (code, out, message in error) == (2, "", True), error
    assert run(capsys, "table", logdir / "one", "nope")[0] == 3
    assert capture.stat().st_size > 0


def test_the_schema_is_made_of_the_declarations(capsys: Capsys) -> None:
    listed = json.loads(run(capsys, "sql", "x", "--schema", "--json")[1])
    assert listed["events"]["columns"][0] == {"name": "run", "dtype": "text", "unit": "", "help": "Name of the run."}
    assert "\nlaunches: A row is a kernel or a copy" in run(capsys, "sql", "x", "--schema")[1]
