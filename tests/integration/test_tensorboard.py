"""The plugin inside a real TensorBoard, asked over HTTP."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.tools import OF_TWO, listed
from tests.build_capture import Space
from tests.conftest import slow_but
from tests.integration._board import PLUGIN, Board, tensorboard, until
from tests.integration.conftest import PREFIX

SESSION = "plugins/profile/2026_11_20_09_00_00"
GPU_RUN = "gpu_streams/2026_11_20_09_00_00"


def small_capture(host: str = "h") -> Space:
    space = Space(hostnames=[host])
    space.plane("/host:CPU").line(1, "python").event("work", start_ps=1_000, duration_ps=5_000_000)
    return space


def put(path: Path, data: bytes | Space | None = None) -> Path:
    """Write a capture, whole at once as the profilers do: under another name, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".tmp")
    data = small_capture(path.name.partition(".")[0]) if data is None else data
    unfinished.write_bytes(data if isinstance(data, bytes) else data.bytes())
    unfinished.rename(path)
    return path


def names(board: Board, at_least: int = 1) -> set[str]:
    return {run["name"] for run in board.runs(at_least)}


def events(board: Board, run: str, tool: str = "overview") -> int:
    return int(board.ask("data", run=run, tool=tool)["quality"]["events_in_file"])


# The tab


def test_the_tab_is_named_profile_and_active(samples_board: Board) -> None:
    def listed() -> dict[str, Any]:
        return dict(samples_board.get("data/plugins_listing").json()["perfplugin"])

    entry = until(listed, lambda entry: bool(entry["enabled"]), "the tab to become active")
    assert entry["tab_name"] == "Profile"
    assert entry["loading_mechanism"]["type"] == "IFRAME"
    assert entry["disable_reload"] is False


def test_the_tab_is_there_without_any_capture(tmp_path: Path, log: Path) -> None:
    with tensorboard(log, "--logdir", str(tmp_path)) as board:
        listing = board.get("data/plugins_listing").json()
        assert listing["perfplugin"]["tab_name"] == "Profile"
        body = until(lambda: board.ask("runs"), lambda body: not body["scanning"], "the scan")
    assert body["runs"] == []
    assert str(tmp_path) in body["diagnosis"][0]["path"]
    assert body["diagnosis"][0]["fix"]


def test_the_entry_page_and_what_it_loads(samples_board: Board) -> None:
    page = samples_board.get("data/plugin_entry.html?name=perfplugin").body.decode()
    module = samples_board.get("data/plugins_listing").json()["perfplugin"]["loading_mechanism"]["module_path"]
    assert '<base href="plugin/perfplugin/"' in page
    script = samples_board.get(module.lstrip("/"))
    assert script.status == 200
    assert "javascript" in script.headers["Content-Type"]
    assert b"render" in script.body


def test_tensorboard_says_nothing_bad_about_us(samples_board: Board) -> None:
    samples_board.ask("runs")
    samples_board.get(PLUGIN + "static/index.js")
    said = [line for line in samples_board.log.read_text().splitlines() if "perfplugin" in line]
    assert said == []


# The routes


@pytest.fixture(params=["root", "prefix", "experiment"])
def any_board(request: pytest.FixtureRequest, samples_board: Board, prefixed_board: Board) -> Board:
    """The sample captures at the address as it is, under a prefix, and as an experiment of that name."""
    if request.param == "prefix":
        return prefixed_board
    return samples_board if request.param == "root" else Board(samples_board.url + "experiment/x/", samples_board.log)


def test_every_route_answers(any_board: Board) -> None:
    runs = any_board.runs(at_least=6)
    run = next(run for run in runs if run["name"] == GPU_RUN)
    assert [host["name"] for host in run["hosts"]] == ["trainer"]
    tools = any_board.ask("tools", run=GPU_RUN)["tools"]
    names = [tool["name"] for tool in tools]
    assert names == [tool.name for tool in listed()]
    for tool in (tool for tool in tools if tool["name"] not in OF_TWO):
        answer = any_board.ask("data", run=GPU_RUN, tool=tool["name"])
        assert (answer["tool"], answer["run"], answer["hosts"]) == (tool["name"], GPU_RUN, ["trainer"])
        assert answer["quality"]["events_in_file"] == 14046
    assert any_board.ask("doctor")["diagnosis"]
    assert any_board.get(PLUGIN + "static/index.js").status == 200
    assert any_board.get(PLUGIN + "static/style.css").status == 200


def test_nothing_is_outside_the_prefix(prefixed_board: Board) -> None:
    assert prefixed_board.url.endswith(PREFIX + "/")
    bare = Board(prefixed_board.url.removesuffix(PREFIX.lstrip("/") + "/"), prefixed_board.log)
    assert bare.get(PLUGIN + "runs").status == 404


@pytest.mark.parametrize(
    ("query", "status", "kind"),
    [
        ("run=no_such&tool=overview", 404, "not_found"),
        (f"run={GPU_RUN}&tool=no_such", 404, "not_found"),
        (f"run={GPU_RUN}&tool=overview&host=no_such", 404, "not_found"),
        (f"run={GPU_RUN}&tool=overview&no_such=1", 400, "bad_argument"),
        ("tool=overview", 400, "bad_argument"),
        ("run=../../../../etc&tool=overview", 404, "not_found"),
        ("run=%2Fetc%2Fpasswd&tool=overview", 404, "not_found"),
    ],
)
def test_a_bad_request_is_told_what_was_wrong(samples_board: Board, query: str, status: int, kind: str) -> None:
    samples_board.runs()
    reply = samples_board.get(f"{PLUGIN}data?{query}")
    assert (reply.status, reply.json()["error"]["kind"]) == (status, kind)
    assert reply.json()["error"]["message"]


@pytest.mark.parametrize(
    "path", ["static/../plugin.py", "static/..%2fplugin.py", "static/%2e%2e/%2e%2e/setup.cfg", "static//etc/passwd"]
)
def test_static_files_are_contained(samples_board: Board, path: str) -> None:
    assert samples_board.get(PLUGIN + path).status == 404


def test_answers_are_compressed_and_not_sent_twice(samples_board: Board) -> None:
    samples_board.runs()
    path = f"{PLUGIN}data?run={GPU_RUN}&tool=op_stats"
    plain = samples_board.get(path)
    packed = samples_board.get(path, **{"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    again = samples_board.get(path, **{"If-None-Match": plain.headers["ETag"]})
    assert (again.status, again.body) == (304, b"")


def test_tables_come_as_csv(samples_board: Board) -> None:
    samples_board.runs()
    for tool in samples_board.ask("tools")["tools"]:
        table = tool["tables"][0]
        base = f"&base={GPU_RUN}" if tool["name"] in OF_TWO else ""
        asked = f"run={GPU_RUN}&tool={tool['name']}&format=csv&table={table['name']}{base}"
        reply = samples_board.get(f"{PLUGIN}data?{asked}")
        assert reply.headers["Content-Type"].startswith("text/csv")
        header = reply.body.decode().splitlines()[0]
        assert header.split(",") == [column["name"] for column in table["columns"]]


# What --logdir may be


def layouts() -> list[tuple[str, str, set[str]]]:
    """What is given to --logdir inside the logdir of the test, and the runs that must be there."""
    return [
        (".", "the logdir", {"a/train/s1", "a/s2", "b/s3"}),
        ("a", "a run with a run inside", {"train/s1", "s2"}),
        ("a/train", "a run", {"s1"}),
        ("a/train/plugins", "plugins", {"s1"}),
        ("a/train/plugins/profile", "plugins/profile", {"s1"}),
        ("a/train/plugins/profile/s1", "a session", {"s1"}),
    ]


@pytest.mark.parametrize(
    ("given", "what", "runs"),
    slow_but((".", "a/train/plugins"), layouts()),
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_any_level_of_a_logdir_opens(tmp_path: Path, log: Path, given: str, what: str, runs: set[str]) -> None:
    logdir = tmp_path / "logs"
    put(logdir / "a/train/plugins/profile/s1/h.xplane.pb")
    put(logdir / "a/plugins/profile/s2/h.xplane.pb.gz", gzip.compress(small_capture().bytes()))
    put(logdir / "b/plugins/profile/s3/h.xplane.pb")
    with tensorboard(log, "--logdir", str(logdir / given)) as board:
        assert {name.rpartition("/")[2] for name in names(board)} == {name.rpartition("/")[2] for name in runs}, what
        for name in names(board):
            assert events(board, name) == 1


def test_a_folder_with_one_file_opens(tmp_path: Path, log: Path) -> None:
    put(tmp_path / "downloads" / "worker7.xplane.pb")
    with tensorboard(log, "--logdir", str(tmp_path / "downloads")) as board:
        [run] = board.runs()
    assert [host["name"] for host in run["hosts"]] == ["worker7"]


@pytest.mark.slow
def test_one_file_opens(tmp_path: Path, log: Path) -> None:
    path = put(tmp_path / "downloads" / "worker7.xplane.pb")
    with tensorboard(log, "--logdir", str(path)) as board:
        [run] = board.runs()
        assert events(board, run["name"]) == 1


def test_logdir_spec_gives_several_named_roots(tmp_path: Path, log: Path) -> None:
    put(tmp_path / "first" / SESSION / "h.xplane.pb")
    put(tmp_path / "second" / SESSION / "h.xplane.pb")
    with tensorboard(log, "--logdir_spec", f"a:{tmp_path / 'first'},b:{tmp_path / 'second'}") as board:
        runs = names(board, at_least=2)
        assert {root["name"] for root in board.ask("runs")["roots"]} == {"a", "b"}
    assert {name.split("/")[0] for name in runs} == {"a", "b"}


def test_a_tilde_is_the_home_folder(tmp_path: Path, log: Path) -> None:
    put(tmp_path / "logs" / SESSION / "h.xplane.pb")
    with tensorboard(log, "--logdir", "~/logs", env={"HOME": str(tmp_path)}) as board:
        assert len(board.runs()) == 1


def test_a_relative_logdir_is_where_tensorboard_started(tmp_path: Path, log: Path) -> None:
    put(tmp_path / "logs" / SESSION / "h.xplane.pb")
    with tensorboard(log, "--logdir", "logs", cwd=tmp_path) as board:
        assert len(board.runs()) == 1


def test_the_slow_loading_path_of_tensorboard(tmp_path: Path, log: Path) -> None:
    put(tmp_path / SESSION / "h.xplane.pb")
    with tensorboard(log, "--logdir", str(tmp_path), "--load_fast", "false") as board:
        assert len(board.runs()) == 1


# What changes while it runs


def test_a_new_capture_appears_and_a_changed_one_is_read_again(tmp_path: Path, log: Path) -> None:
    put(tmp_path / "plugins/profile/s1/h.xplane.pb")
    with tensorboard(log, "--logdir", str(tmp_path)) as board:
        assert len(board.runs()) == 1
        put(tmp_path / "plugins/profile/s2/h.xplane.pb")
        [second] = [name for name in names(board, at_least=2) if name.endswith("s2")]
        assert events(board, second) == 1

        more = small_capture()
        more.planes[0].lines[0].event("more", start_ps=9_000_000, duration_ps=1_000)
        put(tmp_path / "plugins/profile/s2/h.xplane.pb", more)
        until(lambda: events(board, second), lambda count: count == 2, "the new file to be read")


@pytest.mark.slow
def test_a_capture_that_goes_away(tmp_path: Path, log: Path) -> None:
    put(tmp_path / "plugins/profile/s1/h.xplane.pb")
    put(tmp_path / "plugins/profile/s2/h.xplane.pb")
    with tensorboard(log, "--logdir", str(tmp_path)) as board:
        gone = next(name for name in names(board, at_least=2) if name.endswith("s1"))
        shutil.rmtree(tmp_path / "plugins/profile/s1")
        reply = board.get(f"{PLUGIN}data?run={gone}&tool=overview")
        assert (reply.status, reply.json()["error"]["kind"]) == (404, "not_found")
        until(lambda: names(board), lambda runs: len(runs) == 1, "the run to go")


@pytest.mark.parametrize(
    ("what", "data"),
    slow_but(
        ("cut",),
        [
            ("empty", b""),
            ("text", b"<html>404</html>"),
            ("cut", small_capture().bytes()[:9]),
            ("noise", bytes(range(255))),
        ],
    ),
)
def test_a_bad_file_harms_nobody_else(tmp_path: Path, log: Path, what: str, data: bytes) -> None:
    put(tmp_path / "bad/plugins/profile/s1/h.xplane.pb", data)
    put(tmp_path / "good/plugins/profile/s2/h.xplane.pb")
    with tensorboard(log, "--logdir", str(tmp_path)) as board:
        runs = names(board, at_least=2)
        bad, good = (next(name for name in runs if name.endswith(end)) for end in ("s1", "s2"))
        for tool in ("overview", "op_stats", "trace_viewer"):
            reply = board.get(f"{PLUGIN}data?run={bad}&tool={tool}")
            assert reply.status in ((200, 422) if what == "cut" else (422,)), reply.body
            assert events(board, good, tool) == 1
        assert "Traceback" not in board.log.read_text()


@pytest.mark.slow
def test_ten_thousand_folders_delay_nobody(tmp_path: Path, log: Path) -> None:
    for folder in range(10_000):
        (tmp_path / f"{folder // 100:03}" / f"{folder % 100:03}").mkdir(parents=True)
    put(tmp_path / "099/099" / SESSION / "h.xplane.pb")
    with tensorboard(log, "--logdir", str(tmp_path)) as board:
        # While the scan runs, everything answers; what is not found yet is not an error.
        assert board.ask("runs")["roots"] == [{"name": "", "path": str(tmp_path)}]
        assert "perfplugin" in board.get("data/plugins_listing").json()
        assert board.get("data/plugin/scalars/tags").status == 200
        assert board.get("data/plugin_entry.html?name=perfplugin").status == 200
        assert len(board.runs()) == 1
        assert board.ask("runs")["folders"] > 10_000


# Start-up


def test_tensorboard_imports_nothing_heavy_of_ours() -> None:
    """Heavy imports happen on first use: `is_active` and the listing wait for none of them."""
    code = (
        "import sys, tensorboard_perfplugin.plugin\n"
        "heavy = 'numpy', 'google', 'pandas', 'tensorboard_perfplugin.decode', 'tensorboard_perfplugin.tools'\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    env = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["numpy", "google.protobuf", "tensorboard_perfplugin.decode"])
def test_a_broken_dependency_does_not_stop_tensorboard(tmp_path: Path, module: str) -> None:
    """The import fails; loading the plugin does not, and its routes are there to say so."""
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from tensorboard.plugins.base_plugin import TBContext\n"
        "from tensorboard_perfplugin.plugin import PerfPluginLoader\n"
        "import argparse\n"
        f"context = TBContext(logdir={str(tmp_path)!r}, flags=argparse.Namespace(logdir_spec=''))\n"
        "plugin = PerfPluginLoader().load(context)\n"
        "print(sorted(plugin.get_plugin_apps()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "/runs" in done.stdout
    assert "/data" in done.stdout
