"""`perfplugin capture` as a person runs it: what it prints, its exit codes, signals, repeats, other commands' flags."""

from __future__ import annotations

import argparse
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tensorboard_perfplugin.capture import Address, HostState, Options, Progress, worker
from tensorboard_perfplugin.capture.server.status import messages
from tensorboard_perfplugin.cli import capture
from tensorboard_perfplugin.cli.capture import Asked, Line, Signals, add_arguments, asked, size_bytes, time_ms
from tensorboard_perfplugin.errors import ArgumentError, PerfpluginError, RemoteError
from tensorboard_perfplugin.logdir import record_in
from tests.build_capture import Space
from tests.capture.fake_server import EMPTY, SMALL, FakeProfiler, serving
from tests.capture.test_pod import MONITOR, NEW_SESSION, Tpu
from tests.cli.test_cli import Capsys, run

FAST = ("--duration", "50ms")


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "BACK_OFF_S", 0.01)
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def fake() -> FakeProfiler:
    return FakeProfiler()


@pytest.fixture
def address(fake: FakeProfiler) -> Iterator[Address]:
    with serving(fake) as address:
        yield address


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_what_came_back(address: Address, tmp_path: Path, capsys: Capsys) -> None:
    code, out, err = run(capsys, "capture", f"grpc://{address}", "--logdir", tmp_path, "--session", "mine", *FAST)
    out = re.sub(r" +([\d.]+ m?s|Time)$", " N", out, flags=re.MULTILINE)
    assert (code, out) == (
        0,
        f"""\
{tmp_path}/plugins/profile/mine
Worker           Events  Devices  Steps  Step time   Size N
{address}       6        0      3    10.0 ms  {len(SMALL)} B N
6 of 6 events kept
""",
    )
    assert files(tmp_path) == [
        f"plugins/profile/mine/{address.stem}.xplane.pb",
        "plugins/profile/mine/capture.json",
    ]
    assert err.startswith(f"perfplugin: checking {address}\n")


def test_one_of_two_is_missing(address: Address, tmp_path: Path, capsys: Capsys) -> None:
    """What there is is shown, and the exit code says that a remote failed. It may have failed before the first line."""
    code, out, err = run(capsys, "capture", f"{address},127.0.0.1:1", "--logdir", tmp_path, *FAST)
    assert code == 4
    assert out.splitlines()[-2:] == ["6 of 6 events kept", last := out.splitlines()[-1]]
    assert last.startswith("missing: 127.0.0.1:1: nothing listens on this port")
    # Which phases are seen depends on when one looks.
    said = r"(perfplugin: (checking|waiting|recording|receiving|writing) 2 workers(, 1 of them failed)?\n)*"
    assert re.fullmatch(said, err)


def test_one_of_two_is_a_second_name(address: Address, tmp_path: Path, capsys: Capsys) -> None:
    code, out, _ = run(capsys, "capture", f"{address},localhost:{address.port}", "--logdir", tmp_path, *FAST)
    assert code == 0
    assert out.splitlines()[-1].startswith(f"left out: localhost:{address.port}: the same server as {address}")


def test_nothing_came(tmp_path: Path, capsys: Capsys) -> None:
    code, out, err = run(capsys, "capture", "127.0.0.1:1", "--logdir", tmp_path / "logs", *FAST)
    assert (code, out) == (4, "")
    assert err.splitlines()[-1].startswith("perfplugin: 127.0.0.1:1: nothing listens on this port")
    assert list(tmp_path.iterdir()) == []


def test_quiet(address: Address, tmp_path: Path, capsys: Capsys) -> None:
    command = ("capture", f"{address},127.0.0.1:1", "--logdir", tmp_path, "--session", "s", "-q", *FAST)
    code, out, err = run(capsys, *command)
    assert (code, out) == (4, f"{tmp_path}/plugins/profile/s\n")
    assert err.startswith("perfplugin: 127.0.0.1:1: nothing listens")
    assert err.count("\n") == 1


def test_a_capture_that_cannot_be_read(address: Address, fake: FakeProfiler, tmp_path: Path, capsys: Capsys) -> None:
    """It is there all the same: what another program makes of it is another matter."""
    fake.xspace = b"\n\x05\x12\xff\xff\xff\xff"
    code, out, err = run(capsys, "capture", address, "--logdir", tmp_path, "--session", "s", *FAST)
    assert (code, out) == (3, f"{tmp_path}/plugins/profile/s\n")
    assert re.search(r"^perfplugin: .*/s/.*\.xplane\.pb \(7 bytes\) is not a capture", err, re.MULTILINE)


def test_a_capture_without_an_event(address: Address, fake: FakeProfiler, tmp_path: Path, capsys: Capsys) -> None:
    """Though the server did not say so."""
    fake.xspace = EMPTY
    code, out, _ = run(capsys, "capture", address, "--logdir", tmp_path, *FAST)
    assert (code, out.splitlines()[3]) == (3, "0 of 0 events kept")


def test_a_worker_that_warns(address: Address, fake: FakeProfiler, tmp_path: Path, capsys: Capsys) -> None:
    space = Space(warnings=["the buffer\x1b[2J was full"])
    space.plane("/device:GPU:0").line(7, "Stream #7(Compute)").event("kernel", 0, 5)
    fake.xspace = space.bytes()
    _, out, _ = run(capsys, "capture", address, "--logdir", tmp_path, *FAST)
    assert re.search(r"^127\S+ +1 +1 +[–0-9]", out, re.MULTILINE)
    assert "warning: the buffer\\x1b[2J was full\n" in out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["localhost:6009"], "--logdir is missing"),
        (["--logdir", "LOGDIR"], "ADDRESSES is missing, for example: perfplugin capture localhost:6009 --logdir DIR"),
        (["localhost", "--logdir", "LOGDIR"], "'localhost': the port of the profiler server is missing"),
        (["localhost:6009", "--logdir", "gs://b/logs"], "must be a local folder"),
        (
            ["localhost:6009", "--logdir", "LOGDIR", "--duration", "2"],
            "--duration '2': must be a number with a unit: ms",
        ),
        (["localhost:6009", "--logdir", "LOGDIR", "--duration", "2h"], "duration_ms: 7200000 is not from 1 to 3600000"),
        (
            ["localhost:6009", "--logdir", "LOGDIR", "--host_tracer_level", "9"],
            "host_tracer_level: 9 is not from 0 to 3",
        ),
        (
            ["localhost:6009", "--logdir", "LOGDIR", "--budget", "5"],
            "--budget '5': must be a number with a unit: MB",
        ),
        (["localhost:6009", "--logdir", "LOGDIR", "--session", "../x"], "session: '../x' is not a valid name"),
        (["localhost:6009", "--logdir", "LOGDIR", "--keep", "2"], "--keep requires --every"),
        (
            ["localhost:6009", "--logdir", "LOGDIR", "--every", "1s", "--keep", "-2"],
            "--keep -2: must be a positive",
        ),
        (["localhost:6009", "--logdir", "LOGDIR", "--every", "5ms"], "--every '5ms': the shortest interval is 1 s"),
        (["localhost:6009", "--logdir", "LOGDIR", "--num_tracing_attempts", "0"], "--num_tracing_attempts 0: must be"),
        (
            ["localhost:6009", "--logdir", "LOGDIR", "--advanced", "x"],
            "--advanced 'x': must be NAME=VALUE",
        ),
        (["a:1", "--service_addr", "b:1", "--logdir", "LOGDIR"], "--service_addr and ADDRESSES mean the same"),
        (["a:1", "--tpu", "b", "--logdir", "LOGDIR"], "--tpu names all workers"),
        (["a:1", "--logdir", "LOGDIR", "--duration", "1s", "--duration_ms", "1"], "not allowed with argument"),
    ],
)
def test_mistakes(tmp_path: Path, capsys: Capsys, argv: list[str], message: str) -> None:
    code, out, err = run(capsys, "capture", *(each.replace("LOGDIR", str(tmp_path / "logs")) for each in argv))
    assert (code, out) == (2, "")
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_a_logdir_that_cannot_be_written_to(address: Address, tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "logs").write_text("a file")
    code, _, err = run(capsys, "capture", address, "--logdir", tmp_path / "logs", *FAST)
    assert code == 2
    assert err.startswith(f"perfplugin: {tmp_path}/logs: captures cannot be written to this logdir (Not a directory")


def parsed(line: str) -> Asked:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_arguments(parser)
    return asked(parser.parse_args(f"{line} --logdir logs".split()))


@pytest.mark.parametrize(
    ("line", "addresses", "options"),
    [
        ("a:1,[::1]:2", "a:1,[::1]:2", Options()),
        ("a:1 --preset small --retries 0", "a:1", Options(1000, host_tracer_level=1, budget_bytes=64 << 20, retries=0)),
        ("a:1 --duration 1.5s --delay 1m --together", "a:1", Options(1500, 60_000, together=True)),
        (
            "a:1 --host-tracer-level 0 --python_tracer_level=1",
            "a:1",
            Options(host_tracer_level=0, python_tracer_level=1),
        ),
        ("a:1 --budget 100MB --session x", "a:1", Options(budget_bytes=100_000_000, session="x")),
        (
            "a:1 --advanced x=true --advanced y=-7 --advanced z=a=b --advanced v=",
            "a:1",
            Options(advanced={"x": True, "y": -7, "z": "a=b", "v": ""}),
        ),
        # As capture_tpu_profile and the profiler's HTTP route have it.
        (
            "--service_addr=grpc://10.0.0.1:8466 --duration_ms=1000 --num_tracing_attempts=3 --include_dataset_ops",
            "10.0.0.1:8466",
            Options(1000, retries=2),
        ),
        ("--worker_list=10.0.0.1,10.0.0.2:7,fd00::1", "10.0.0.1:8466,10.0.0.2:7,[fd00::1]:8466", Options()),
        ("--service_addr a:9 --workers_list=b,[::1]", "b:9,[::1]:9", Options()),
        ("--tpu my-tpu --worker_list=b,c", "b:8466,c:8466", Options()),
    ],
)
def test_arguments(line: str, addresses: str, options: Options) -> None:
    got = parsed(line)
    assert (",".join(map(str, got.addresses)), got.options) == (addresses, options)


def test_times_and_sizes() -> None:
    assert [time_ms("x", text) for text in ("500ms", "2s", "1.5 S", "10m", "1h", "1d")] == [
        500,
        2000,
        1500,
        600_000,
        3_600_000,
        86_400_000,
    ]
    assert [size_bytes("x", text) for text in ("1MB", "1.5 MiB", "2GiB")] == [10**6, 3 << 19, 2 << 30]
    for text in ("", "s", "-1s", "1e3s", "nan s", "1 s s", "9" * 50 + "s", "1 parsec"):
        with pytest.raises(ArgumentError):
            time_ms("x", text)


class Client:
    """As cloud_tpu_client has it."""

    def __init__(self, tpu: str, zone: str | None, project: str | None) -> None:
        self.asked = (tpu, zone, project)

    def network_endpoints(self) -> list[dict[str, Any]]:
        if self.asked != ("my-tpu", "z", None):
            raise RuntimeError(f'TPU "{self.asked[0]}" is not yet ready')
        return [{"ipAddress": "10.0.0.1", "port": 8470}, {"ipAddress": "10.0.0.2"}]


class TestTpuNames:
    def modules(self, monkeypatch: pytest.MonkeyPatch, **there: Any) -> None:
        for name in ("cloud_tpu_client", "tensorflow"):
            module = None
            if name in there:
                module = ModuleType(name)
                vars(module).update(there[name])
            monkeypatch.setitem(sys.modules, name, module)

    def test_by_the_client(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.modules(monkeypatch, cloud_tpu_client={"Client": Client})
        assert list(map(str, parsed("--tpu my-tpu --tpu_zone z").addresses)) == ["10.0.0.1:8466", "10.0.0.2:8466"]
        with pytest.raises(
            RemoteError, match=r"workers of TPU 'x' cannot be resolved: RuntimeError: TPU \"x\" is not yet"
        ):
            parsed("--tpu x")

    def test_by_tensorflow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        class Resolver:
            def __init__(self, **given: Any) -> None:
                assert given == {"tpu": "my-tpu", "zone": None, "project": "p", "coordinator_name": None}

            def cluster_spec(self) -> Resolver:
                return self

            def as_dict(self) -> dict[str, list[str]]:
                return {"worker": ["10.0.0.1:8470", "10.0.0.2:8470"]}

        found = argparse.Namespace(cluster_resolver=argparse.Namespace(TPUClusterResolver=Resolver))
        self.modules(monkeypatch, tensorflow={"distribute": found})
        assert list(map(str, parsed("--tpu my-tpu --gcp_project p").addresses)) == ["10.0.0.1:8466", "10.0.0.2:8466"]

    def test_by_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.modules(monkeypatch)
        with pytest.raises(ArgumentError, match="neither is installed: run `pip install cloud-tpu-client`"):
            parsed("--tpu my-tpu")


class TestTpu:
    """What other commands do with the servers of Cloud TPUs."""

    def test_a_capture_into_a_bucket(self, capsys: Capsys) -> None:
        tpu = Tpu(NEW_SESSION, b"")
        with serving(tpu) as address:
            words = ["--service_addr", address, "--worker_list=10.0.0.2,10.0.0.3", "--logdir=gs://b/logs"]
            code, out, err = run(capsys, "capture", *words, "--session", "mine", *FAST)
        assert (code, out, err) == (0, "gs://b/logs/plugins/profile/mine\n", "")
        assert list(messages()["NewProfileSessionRequest"].FromString(tpu.asked[0]).hosts) == ["10.0.0.2", "10.0.0.3"]

    def test_a_server_that_cannot(self, address: Address, capsys: Capsys) -> None:
        code, out, err = run(capsys, "capture", address, "--worker_list", "b", "--logdir", "gs://b/logs", *FAST)
        assert (code, out) == (4, "")
        assert err.startswith(f"perfplugin: {address}: ")

    def test_what_it_does_now(self, capsys: Capsys) -> None:
        reply = messages()["MonitorResponse"](data=b"busy: 37 %\n\x1b[2J")
        tpu = Tpu(MONITOR, *[reply.SerializeToString()] * 3)
        with serving(tpu) as address:
            words = ["--monitoring_level=1", "--num_queries=3", "--duration_ms=20"]
            code, out, _ = run(capsys, "capture", f"--service_addr={address}", *words)
        assert (code, out) == (0, "busy: 37 %\n\\x1b[2J\n" * 3)
        assert [messages()["MonitorRequest"].FromString(each).duration_ms for each in tpu.asked] == [20, 20, 20]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ("a:1 --monitoring_level 3", "--monitoring_level must be 1 or 2"),
            ("a:1 --monitoring_level 1 --num_queries 0", "--num_queries a positive integer"),
            ("a:1 --num_queries 1 --logdir x", "--num_queries requires --monitoring_level"),
            ("a:1 --worker_list b --logdir gs://b --every 1m", "--every and --keep require a local --logdir"),
            ("a:1 --worker_list b --logdir gs://", "a TPU's workers write to a bucket"),
        ],
    )
    def test_mistakes(self, capsys: Capsys, words: str, message: str) -> None:
        code, _, err = run(capsys, "capture", *words.split())
        assert (code, message in err) == (2, True), err


class TestRepeated:
    def repeat(self, address: Address, logdir: Path, times: int, *more: str, monkeypatch: pytest.MonkeyPatch) -> int:
        """As often, and then the signal. A turn comes at once."""
        asked = parsed(f"{address} --every 1s -q --duration 20ms {' '.join(more)}")
        asked = Asked(asked.addresses, str(logdir), asked.options, every_ms=1, keep=asked.keep, quiet=True)
        once = capture._once
        left = [times]

        def counted(*given: Any) -> int:
            left[0] -= 1
            if not left[0]:
                given[-1].stop.set()
                given[-1].number = 0
            return once(*given)

        # The last is cancelled before it begins, as by a signal.
        monkeypatch.setattr(capture, "_once", counted)
        return capture.capture(asked, 120, lambda text: None)

    def test_only_the_newest_of_its_own_stay(
        self, address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        foreign = tmp_path / "plugins/profile/2000_01_01_00_00_00"
        foreign.mkdir(parents=True)
        (foreign / "a.xplane.pb").write_bytes(SMALL)
        code = self.repeat(address, tmp_path, 6, "--keep", "2", monkeypatch=monkeypatch)
        sessions = sorted(os.listdir(tmp_path / "plugins/profile"))
        assert (code, len(sessions), sessions[0]) == (0, 3, foreign.name)
        records = [record_in(str(tmp_path / "plugins/profile" / name)) for name in sessions[1:]]
        assert {record.series for record in records if record} == {f"every {address}"}

    def test_one_that_fails_does_not_end_it(
        self, address: Address, fake: FakeProfiler, tmp_path: Path, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fake.faults = [("INTERNAL", "out of order")]
        assert self.repeat(address, tmp_path, 4, monkeypatch=monkeypatch) == 0
        assert "the server failed: out of order" in capsys.readouterr().err
        assert len(os.listdir(tmp_path / "plugins/profile")) == 2

    def test_where_none_succeeds(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.repeat(Address("127.0.0.1", 1), tmp_path / "logs", 3, monkeypatch=monkeypatch) == 4
        assert list(tmp_path.iterdir()) == []

    def test_a_logdir_that_is_wrong_from_the_start(
        self, address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "logs").write_text("a file")
        with pytest.raises(PerfpluginError, match="captures cannot be written"):
            self.repeat(address, tmp_path / "logs", 3, monkeypatch=monkeypatch)


def test_a_signal_is_taken_once() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    with Signals() as signals:
        os.kill(os.getpid(), signal.SIGTERM)
        assert signals.stop.wait(5)
        assert signals.number == signal.SIGTERM
        assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_a_capture_and_leaves_nothing(
    address: Address, fake: FakeProfiler, tmp_path: Path, number: signal.Signals
) -> None:
    words = ["capture", str(address), "--logdir", str(tmp_path / "logs"), "--duration", "10m"]
    command = [sys.executable, "-m", "tensorboard_perfplugin", *words]
    # What is ignored is inherited, and a shell has its jobs in the background ignore some signals.
    before = signal.signal(number, signal.SIG_DFL)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        signal.signal(number, before)
        end_s = time.monotonic() + 60
        while not fake.recorded and process.poll() is None and time.monotonic() < end_s:
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (128 + number, "")
    assert err.splitlines()[-1] == "perfplugin: the capture was cancelled; nothing was written"
    assert list(tmp_path.iterdir()) == []
    assert fake.terminated == [each.session_id for each in fake.recorded]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def now(phase: Any, elapsed_s: float, *hosts: tuple[str, Any, str]) -> Progress:
    return Progress(phase, elapsed_s, 2.0, tuple(HostState(*each) for each in hosts))


def test_progress_on_a_terminal() -> None:
    stream = Terminal()
    line = Line(stream, quiet=False, width=50)
    line.show(now("checking", 0.1, ("a:1", "checking", "")))
    line.show(now("waiting", 0.2, ("a:1", "waiting", "busy; next attempt in 2 s")))
    line.show(now("recording", 0.7, ("a:1", "recording", "")))
    line.show(now("recording", 0.7, ("a:1", "recording", "")))
    line.show(now("recording", 1.0, ("a:1", "ok", ""), ("b:1", "recording", ""), ("c:1", "recording", "")))
    line.show(now("waiting", 1.9, ("a:1", "ok", ""), ("b:1", "waiting", "busy")))
    line.show(now("receiving", 2.5, ("a" * 80 + ":1", "receiving", "")))
    line.clear()
    assert stream.getvalue().split("\r\x1b[K") == [
        "",
        "checking a:1",
        "waiting a:1 (busy; next …empt in 2 s), 1.8 s left",
        "recording a:1, 1.3 s left",
        "3 workers: 1 ok, 2 recording, 1 s left",
        "2 workers: 1 ok, 1 waiting (busy), 100 ms left",
        "receiving aaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaa:1",
        "",
    ]


def test_progress_in_a_log() -> None:
    stream = io.StringIO()
    line = Line(stream, quiet=False, width=120)
    for elapsed_s in (0.1, 0.2, 0.3):
        line.show(now("checking", elapsed_s, ("a:1", "checking", "")))
    for elapsed_s in (0.4, 0.5):
        line.show(now("recording", elapsed_s, ("a:1", "ok", ""), ("b:1", "recording", "")))
    line.show(now("recording", 0.6, ("a:1", "closed", "nothing listens"), ("b:1", "recording", "")))
    line.show(now("done", 0.6, ("a:1", "ok", "")))
    line.clear()
    assert stream.getvalue().replace("perfplugin: ", "").splitlines() == [
        "checking a:1",
        "recording 2 workers",
        "recording 2 workers, 1 of them failed",
    ]
