"""The command as a person runs it: what it prints, and its exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tensorboard_perfplugin import decode, tools
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.cli.commands import FIXED
from tensorboard_perfplugin.cli.entry import command_names, tool_names
from tensorboard_perfplugin.errors import RemoteError
from tests.build_capture import Space
from tests.conftest import MakeLogdir, slow_but
from tests.small_tool import COUNT
from tests.tools.kineto import on_host, saved
from tests.tools.memory import memory

RESERVED = {"run", "host", "tool", "json", "csv", "table", "format", "path", "help", "all", "quiet"}
LONG = "model/dense_1/kernel/Regularizer/L2Loss/gradients/Square"
CSV_OF_ONE = f"name,event_count,mean_us\nload,2,0.0006\n{LONG},1,2.5\n"
CSV_OF_TWO = f"name,event_count,mean_us\nload,4,0.0006\n{LONG},2,2.5\n"
Capsys: TypeAlias = pytest.CaptureFixture[str]
DECODER = "compiled" if decode.COMPILED else "protobuf"
SLOWER = "" if decode.COMPILED else " (slower: perfplugin was installed without a C compiler)"


@pytest.fixture
def logdir(make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A newer run of two hosts and an older one of one; the only tool counts events."""
    monkeypatch.setattr(tools, "TOOLS", (COUNT,))
    monkeypatch.setenv("COLUMNS", "60")
    space = Space(warnings=["the buffer was full"])
    line = space.plane("/host:CPU").line(1, "main")
    line.event("model/dense_1/kernel/Regularizer/L2Loss/gradients/Square", 0, 2_500_000).event("load", 3_000_000, 400)
    line.event("load", 3_500_000, 800)
    files: dict[str, Space | bytes] = {
        "plugins/profile/2026_02_02_00_00_00/a.xplane.pb": space,
        "plugins/profile/2026_02_02_00_00_00/b.xplane.pb": space,
        "plugins/profile/2026_01_01_00_00_00/a.xplane.pb": space,
    }
    return make_logdir(files)


def run(capsys: Capsys, *argv: object) -> tuple[int, str, str]:
    """Exit code, stdout, stderr."""
    code = main([str(each) for each in argv])
    out, err = capsys.readouterr()
    return code, out, err


def test_an_answer_for_people(logdir: Path, capsys: Capsys) -> None:
    assert run(capsys, "count", logdir, "--host", "a") == (
        0,
        f"""\
Counts · 2026_02_02_00_00_00 · a

Events  3
– Idle %: events are only counted

By name
Name                                         Events     Mean
load                                              2   600 ps
model/dense_1/kernel/…Loss/gradients/Square       1  2.50 µs

3 of 3 events kept, read by the {DECODER} decoder{SLOWER}
warning: the buffer was full
""",
        "perfplugin: showing 2026_02_02_00_00_00, the newest of 2 runs; select another with --run\n",
    )


def test_an_answer_as_json_is_the_answer_of_python(logdir: Path, capsys: Capsys) -> None:
    import tensorboard_perfplugin

    code, out, err = run(capsys, "count", logdir, "--run", "2026_01_01_00_00_00", "--backwards", "--json")
    profile = tensorboard_perfplugin.open(logdir, run="2026_01_01_00_00_00")
    assert (code, err) == (0, "")
    assert json.loads(out) == json.loads(json.dumps(profile.tool("count", backwards=True).to_dict()))
    assert json.loads(out)["tables"]["names"]["columns"]["name"][0].startswith("model/")


@pytest.mark.parametrize("how", [["--csv"], ["--csv", "--table", "names"], ["--table", "names"]])
def test_an_answer_as_csv(logdir: Path, capsys: Capsys, how: list[str]) -> None:
    code, out, _ = run(capsys, "event_counts", logdir, "--name", "load", "--host", "a", "--host", "b", *how)
    assert (code, out) == (0, "name,event_count,mean_us\nload,4,0.0006\n")


def test_more_rows_than_a_screen(make_logdir: MakeLogdir, logdir: Path, capsys: Capsys) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "main")
    for i in range(25):
        line.event(f"e{i:02}", i, 1)
    code, out, _ = run(capsys, "count", make_logdir({"many/h.xplane.pb": space}) / "many")
    assert code == 0
    assert "By name: 20 of 25 rows (--csv for all)\n" in out
    assert re.findall(r"^e\d\d", out, re.MULTILINE) == [f"e{i:02}" for i in range(20)]


def test_times_that_are_zero_in_every_row_take_no_room(make_logdir: MakeLogdir, capsys: Capsys) -> None:
    """The parts of a step hid behind six kinds of device compute that a CPU does not have."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "main")
    for i in range(3):
        line.event("train", i * 10**9, 8 * 10**8, stats={"step_num": i, "_r": 1})
        line.event("a/MatMul:MatMul", i * 10**9, 4 * 10**8)
    code, out, _ = run(capsys, "overview", "--all", make_logdir({"r/h.xplane.pb": space}) / "r")
    heading = next(line for line in out.splitlines() if line.startswith("Steps: "))
    assert (code, heading) == (0, "Steps: +18 columns of zeros (--csv for all)")
    assert re.search(r"^Step +Name +Start +Duration +Span +Cut +Op compute +Python$", out, re.MULTILINE)


def test_columns_that_do_not_fit(logdir: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    _, out, _ = run(capsys, "count", logdir)
    assert "By name: hidden: Mean (--csv for all)\n" in out
    assert max(len(line) for line in out.splitlines() if line.startswith(("Name", "model", "load"))) <= 40


def test_a_text_that_no_row_has_takes_no_room(make_logdir: MakeLogdir, logdir: Path, capsys: Capsys) -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("", 0, 1_000_000)
    _, out, _ = run(capsys, "count", make_logdir({"unnamed/h.xplane.pb": space}) / "unnamed")
    assert "By name\nEvents     Mean\n     1  1.00 µs\n" in out


def test_bytes_of_memory_are_shown_in_powers_of_two(make_logdir: MakeLogdir, capsys: Capsys) -> None:
    space, gpu = memory(64 << 20, limit=256 << 20)
    gpu.allocate(1, 0x1000, 64 << 20, "op")
    _, out, _ = run(capsys, "memory_profile", make_logdir({"r/h.xplane.pb": space}) / "r")
    assert re.search(r"^Peak +128 MiB$", out, re.MULTILINE)
    assert re.search(r"^GPU_0_bfc .* 128 MiB ", out, re.MULTILINE)


def test_input_shapes_are_seen_and_what_they_repeat_stands_last(
    tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were cut in their middle, beside a type that was the name once more, and no time was seen."""
    monkeypatch.setenv("COLUMNS", "60")
    shapes = {"Input Dims": [[16, 32, 16, 16], [32, 16, 3, 3]]}
    path = saved(tmp_path, on_host("aten::conv2d", 0, 10, "cpu_op", **shapes))
    _, out, _ = run(capsys, "op_stats", path, "--by", "shape")
    assert re.search(r"^Side  Rank  Name +Occurrences +Total$", out, re.MULTILINE)
    line = r"^host     1  aten::conv2d \[\[16, 32, 16, +1  10.0 µs\n {14}16\], \[32, 16, 3, 3\]\]$"
    assert re.search(line, out, re.MULTILINE)


def test_a_trace_of_any_program_names_no_python(tmp_path: Path, capsys: Capsys) -> None:
    """Of 10 ms a slice runs for 3."""
    events = [
        {"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": 10_000 * i, "dur": length}
        for i in range(3)
        for name, length in ((f"step {i}", 10_000), ("gemm", 3000))
    ]
    path = tmp_path / "any.json"
    path.write_text(json.dumps({"traceEvents": events}))
    _, out, _ = run(capsys, "overview", "--all", path)
    assert "Steps take 10 ms; 7 ms (70 %) of that is without a slice" in out
    assert not re.search("Python|Runtime", out)
    assert re.search(r"^Step  Name .* In slices  Without a slice$", out, re.M)
    assert re.search(r"^ +1  step 1  10.0 ms   10.0 ms  10.0 ms +3.00 ms +7.00 ms$", out, re.M)


def test_runs(logdir: Path, capsys: Capsys) -> None:
    for path in logdir.rglob("*.pb"):
        os.utime(path, (1_772_366_400, 1_772_366_400))
    code, out, _ = run(capsys, "runs", logdir)
    size = next(logdir.rglob("*.pb")).stat().st_size
    rows = [re.split(" {2,}", line) for line in out.splitlines()]
    assert code == 0
    assert [[row[0], *row[2:]] for row in rows] == [
        ["Run", "Size", "Hosts", "Names"],
        ["2026_02_02_00_00_00", f"{2 * size} B", "2", "a, b"],
        ["2026_01_01_00_00_00", f"{size} B", "1", "a"],
    ]
    assert rows[1][1].startswith("2026-03-01 ")


def test_runs_of_other_hosts_are_merged(make_logdir: MakeLogdir, logdir: Path, capsys: Capsys) -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("x", 0, 1000)
    logs = make_logdir({"apart/r1/a.xplane.pb": space, "apart/r2/b.xplane.pb": space}) / "apart"
    code, out, err = run(capsys, "count", logs, "--json", "--merge", "--run", "r1")
    answer = json.loads(out)
    assert (code, err) == (0, "")
    assert (answer["run"], answer["hosts"]) == ("r1 (2 sessions)", ["a", "b"])
    code, _, err = run(capsys, "count", logs / "r1", "--merge")
    assert (code, "nothing to merge with r1: no other run is of other hosts" in err) == (2, True)


def test_tools(logdir: Path, make_logdir: MakeLogdir, capsys: Capsys) -> None:
    code, out, _ = run(capsys, "tools", logdir)
    assert (code, out) == (0, "Tool   Data  Question, or why there is no data\ncount  yes   What is there?\n")
    empty = make_logdir({"empty/h.xplane.pb": Space()}) / "empty"
    assert run(capsys, "tools", empty)[1].splitlines()[1] == "count  no    the capture has no events"


def test_doctor(logdir: Path, tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "COMPILED", True)
    code, out, _ = run(capsys, "doctor", logdir)
    assert (code, out.split()[:2]) == (0, ["ok", str(logdir)])
    code, out, _ = run(capsys, "doctor", tmp_path / "missing")
    assert (code, out.split()[0]) == (3, "FAIL")
    assert re.findall(r"^      (\w+):", out, re.MULTILINE) == ["found", "cause", "fix"]


def test_columns(logdir: Path, capsys: Capsys) -> None:
    text = """\
count: summary
  event_count (count), Events: Events of all hosts.
  idle_share (share), Idle %: Never known.
count: names
  name (text), Name: Name of the event.
  event_count (count), Events: Events of that name.
  mean_us (us), Mean: Their mean length.
"""
    code, listed, _ = run(capsys, "columns")
    assert code == 0
    assert [line.split() for line in listed.splitlines()[1:4]] == [
        ["count", "summary", "2", "Summary"],
        ["count", "names", "3", "By", "name"],
        ["compare", "summary", *listed.splitlines()[3].split()[2:]],
    ]
    assert run(capsys, "columns", "event_counts") == (0, text, "")


def test_version_and_help(capsys: Capsys) -> None:
    from tensorboard_perfplugin import __version__

    assert run(capsys, "--version") == (0, __version__ + "\n", "")
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for word in ("op_stats", "runs", "doctor PATH", "exit codes"):
        assert word in out


def test_help_of_a_tool_has_its_options(logdir: Path, capsys: Capsys) -> None:
    code, out, _ = run(capsys, "count", "--help")
    assert code == 0
    for word in ("What is there? Counts events by name.", "--name TEXT", "Only this event.", "--backwards"):
        assert word in out


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        ([], 2, "a command is missing"),
        (["--nope"], 2, "unrecognized arguments: --nope"),
        (["--versoin"], 2, "unrecognized arguments: --versoin; did you mean --version?"),
        (["ocunt"], 2, "unknown command 'ocunt'; did you mean count?"),
        (["Check_Runs"], 2, "unknown command 'Check_Runs'; did you mean check-run?"),
        (
            ["nope"],
            2,
            "findings, columns, serve, completion; tools: count",
        ),
        (["count"], 2, "the following arguments are required: PATH"),
        (["count", "LOGDIR", "--nam", "x"], 2, "unrecognized arguments: --nam x; did you mean --name?"),
        (["count", "LOGDIR", "--back-wards=1"], 2, "; did you mean --backwards"),
        (["count", "LOGDIR", "--json", "--csv"], 2, "not allowed with argument"),
        (
            ["count", "LOGDIR", "--json", "--table", "names"],
            2,
            "--json contains all tables",
        ),
        (["count", "LOGDIR", "--table", "x"], 3, "count has no table 'x': its tables are names\n"),
        (["count", "LOGDIR", "--table", "name"], 3, "; did you mean names?"),
        (["count", "LOGDIR", "--run", "x"], 3, "no run 'x': the runs are 2026_02_02_00_00_00, 2026_01_01_00_00_00"),
        (["count", "LOGDIR", "--run", "2026-02-02"], 3, "; did you mean 2026_02_02_00_00_00"),
        (["count", "LOGDIR", "--host", "x"], 3, "has no host 'x': its hosts are a, b"),
        (["count", "LOGDIR", "--host", "x*"], 3, "has no host 'x*': its hosts are a, b"),
        (["count", "LOGDIR", "--name", "x"], 3, "no event x"),
        (["count", "LOGDIR/nothing"], 3, "no such file or folder"),
        (["columns", "x"], 3, "no tool 'x': the tools are count"),
        (["columns", "event_count"], 3, "did you mean event_counts"),
        (["findings", "memory_nearly_ful"], 3, "did you mean memory_nearly_full"),
    ],
)
def test_mistakes(logdir: Path, capsys: Capsys, argv: list[str], code: int, message: str) -> None:
    given = [each.replace("LOGDIR", str(logdir)) for each in argv]
    assert (got := run(capsys, *given))[:2] == (code, "")
    assert message in got[2]
    assert len([line for line in got[2].splitlines() if not line.startswith("perfplugin: showing ")]) == 1


def test_words_may_be_joined_either_way(logdir: Path, capsys: Capsys) -> None:
    for ways, more in ((("event-counts", "event_counts"), (logdir, "-q")), (("check-run", "check_run"), ("--help",))):
        outputs = [run(capsys, name, *more) for name in ways]
        assert outputs[0] == outputs[1]
        assert outputs[0][0] == 0


def test_hosts_by_pattern_and_no_notes(logdir: Path, capsys: Capsys) -> None:
    import tensorboard_perfplugin

    assert tensorboard_perfplugin.open(logdir, host=["[b]", "b"]).hosts == ("b",)
    assert [run(capsys, "count", logdir, "--host", host, "--csv", "-q") for host in ("[b]", "b", "?")] == [
        (0, out, "") for out in 2 * [CSV_OF_ONE] + [CSV_OF_TWO]
    ]


def test_an_unreadable_file_ends_with_3(make_logdir: MakeLogdir, logdir: Path, capsys: Capsys) -> None:
    code, out, err = run(capsys, "count", make_logdir({"bad/h.xplane.pb": b"<!doctype html>"}) / "bad")
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert "h.xplane.pb" in err


def test_a_remote_that_fails_ends_with_4(logdir: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise RemoteError("gpu7:6009 did not answer")

    monkeypatch.setattr("tensorboard_perfplugin.api.open", failing)
    assert run(capsys, "count", logdir) == (4, "", "perfplugin: gpu7:6009 did not answer\n")


def test_names_cannot_drive_the_terminal(make_logdir: MakeLogdir, logdir: Path, capsys: Capsys) -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("\x1b]0;owned\x07\x1b[2J\r", 0, 1)
    _, out, _ = run(capsys, "count", make_logdir({"esc/h.xplane.pb": space}) / "esc")
    assert "\x1b" not in out
    assert "\\x1b]0;owned\\x07" in out


def test_the_help_lists_all_commands() -> None:
    """Shells complete them by it."""
    assert sorted(command_names()) == sorted(FIXED)


def test_the_commands_are_the_tools() -> None:
    """Help lists the tools by their files, so that it need not import them."""
    assert set(tool_names()) == {*(tool.name for tool in tools.TOOLS), *tools.ASKED}


def test_no_option_has_a_name_that_is_taken() -> None:
    assert not [option.name for tool in tools.TOOLS for option in tool.options if option.name in RESERVED]


class TestProcess:
    """What only a process of its own shows."""

    def python(self, *argv: str, **more: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, *argv], capture_output=True, text=True, timeout=60, **more)

    def test_python_m_is_the_same(self) -> None:
        done = self.python("-m", "tensorboard_perfplugin", "--version")
        assert (done.returncode, done.stdout) == (0, tools_version())

    @pytest.mark.parametrize("argument", ["--help", "--version"])
    def test_help_imports_nothing_heavy(self, argument: str) -> None:
        code = f"""
import sys
from tensorboard_perfplugin.cli import main
assert main(["{argument}"]) == 0
heavy = ("numpy", "google.protobuf", "tensorboard", "tensorboard_perfplugin.tools")
print([name for name in heavy if name in sys.modules])
"""
        assert self.python("-c", code, check=True).stdout.splitlines()[-1] == "[]"

    def test_an_answer_needs_no_tensorboard(self, make_logdir: MakeLogdir) -> None:
        space = Space()
        space.plane("/host:CPU").line(1).event("x", 0, 1)
        code = """
import sys
for name in ("tensorboard", "werkzeug", "tensorflow", "pandas"):
    sys.modules[name] = None
from tensorboard_perfplugin.cli import main
sys.exit(main(["op_stats", sys.argv[1]]))
"""
        assert self.python("-c", code, str(make_logdir({"h.xplane.pb": space}))).returncode == 0

    def test_a_reader_that_has_enough(self, make_logdir: MakeLogdir) -> None:
        """A pipe closed by `head` is no error, and says nothing."""
        space = Space()
        line = space.plane("/host:CPU").line(1)
        for i in range(20_000):
            line.event(f"a rather long name of an event, number {i}", i, 1)
        logdir = make_logdir({"h.xplane.pb": space})
        command = [sys.executable, "-m", "tensorboard_perfplugin", "trace_viewer", str(logdir), "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout
        assert process.stderr
        process.stdout.read(10)
        process.stdout.close()
        assert (process.stderr.read(), process.wait(60)) == (b"", 0)
        process.stderr.close()

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
    @pytest.mark.parametrize(
        "arguments",
        slow_but(
            (("overview",), ("export", "-o", "-"), ("doctor",)),
            [
                *((("overview", *form),) for form in ((), ("--json",), ("--csv",))),
                *((("export", "-o", given),) for given in ("-", "/dev/full")),
                (("tools",),),
                (("runs",),),
                (("runs", "--table"),),
                (("doctor",),),
            ],
        ),
        ids=" ".join,
    )
    def test_a_full_disk(self, arguments: tuple[str, ...], make_logdir: MakeLogdir) -> None:
        """One sentence and an exit code, whatever was to be written."""
        space = Space()
        space.plane("/host:CPU").line(1).event("x", 0, 1)
        name, *options = arguments
        command = [sys.executable, "-m", "tensorboard_perfplugin", name, str(make_logdir({"h.xplane.pb": space}))]
        with open("/dev/full", "wb") as full:
            done = subprocess.run([*command, *options], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            unheard = subprocess.run([*command, *options], stdout=full, stderr=full, check=False)
        *before, last = done.stderr.splitlines()
        assert last.startswith("perfplugin: ")
        assert last.endswith(" cannot be written: No space left on device")
        assert all(line.startswith("perfplugin: ") for line in before)
        assert (done.returncode, unheard.returncode) == (2, 2)

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
    @pytest.mark.parametrize("arguments", ["--help", "--version", "overview --help"])
    @pytest.mark.parametrize("unbuffered", ["", "1"])
    def test_help_on_a_full_disk(self, arguments: str, unbuffered: str) -> None:
        """Written at once it was an error that argparse ignores."""
        command = [sys.executable, "-m", "tensorboard_perfplugin", *arguments.split()]
        environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
        with open("/dev/full", "wb") as full:
            assert subprocess.run(command, stdout=full, env=environment, check=False).returncode == 2

    @pytest.mark.skipif(os.name != "posix", reason="`>&-` is of a POSIX shell")
    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            ("overview PATH >&-", 0),
            ("export PATH -o - >&-", 0),
            ("check-run PATH --fail-if 'host_count > 5' >&-", 0),
            ("check-run PATH --fail-if 'host_count > 0' >&- 2>&-", 1),
            ("overview PATH/none >&- 2>&-", 3),
        ],
    )
    def test_a_closed_output(self, arguments: str, code: int, make_logdir: MakeLogdir) -> None:
        """It ended in a traceback and 1, which is the code of a condition that holds."""
        space = Space()
        space.plane("/host:CPU").line(1).event("x", 0, 1)
        path = shlex.quote(str(make_logdir({"h.xplane.pb": space})))
        command = f"{shlex.quote(sys.executable)} -m tensorboard_perfplugin {arguments.replace('PATH', path)}"
        done = subprocess.run(command, shell=True, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr

    def test_a_terminal_without_unicode(self, make_logdir: MakeLogdir) -> None:
        space = Space()
        space.plane("/host:CPU").line(1).event("µ日本", 0, 1)
        environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
        logdir = str(make_logdir({"h.xplane.pb": space}))
        done = self.python("-m", "tensorboard_perfplugin", "overview", logdir, env=environment)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.isascii()


def tools_version() -> str:
    from tensorboard_perfplugin import __version__

    return __version__ + "\n"


def test_memory_that_is_allowed(logdir: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERFPLUGIN_MEMORY", "")
    one = (logdir, "--run", "2026_01_01_00_00_00", "--memory")
    wrong = "perfplugin: --memory-limit 'lots': must be a size with a unit: 500MB, 4GiB\n"
    assert run(capsys, "count", *one, "lots")[::2] == (2, wrong)
    code, _, error = run(capsys, "count", *one, "100B")
    assert (code, "half of what PERFPLUGIN_MEMORY allows (100B)" in error) == (3, True)
    assert run(capsys, "count", *one, "1GB")[0] == 0
