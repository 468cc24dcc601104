"""What is asked of workers and taken from them: each bound from both sides."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from concurrent import futures
from contextlib import ExitStack
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tensorboard_perfplugin.capture import (
    PRESETS,
    Address,
    CaptureError,
    HostOutcome,
    Options,
    addresses,
    capture_pod,
    capturing,
    check,
    monitor,
    run,
)
from tensorboard_perfplugin.capture.request.failure import WorkerError
from tensorboard_perfplugin.capture.server import beside, client, pod, probe, reach
from tensorboard_perfplugin.capture.server.beside import Folder
from tensorboard_perfplugin.capture.server.client import Client
from tensorboard_perfplugin.capture.server.clock import began_ns
from tensorboard_perfplugin.capture.server.greeting import is_http2
from tensorboard_perfplugin.capture.server.messages import messages
from tensorboard_perfplugin.capture.server.reach import Reached
from tensorboard_perfplugin.capture.worker import Worker, deadline_s
from tensorboard_perfplugin.errors import ArgumentError, RemoteError
from tests.capture.fake_server import NS, FakeProfiler, listening, serving
from tests.capture.test_pod import MONITOR, Tpu

SHORT = Options(duration_ms=20, retries=0)


def refusal(make: Callable[[], object]) -> str:
    """What the ArgumentError says; nothing where there is none."""
    try:
        make()
    except ArgumentError as error:
        return str(error)
    return ""


class TestRequest:
    @pytest.mark.parametrize(
        ("most", "more"),
        [
            (f"{'a' * 63}:1", f"{'a' * 64}:1"),
            (f"{'a.' * 126}a:1", f"{'a.' * 126}aa:1"),
            (" ".join(f"h:{port}" for port in range(1, 257)), " ".join(f"h:{port}" for port in range(1, 258))),
        ],
        ids=["label", "name", "addresses"],
    )
    def test_addresses(self, most: str, more: str) -> None:
        assert (refusal(lambda: addresses(most)), refusal(lambda: addresses(more)) != "") == ("", True)

    def test_a_files_name_holds_200_characters_of_a_host(self) -> None:
        hosts = ["a." * 99 + "ab", "a." * 99 + "abc"]
        first, second = (Address(host, 1).stem for host in hosts)
        assert (first, second[:184], len(second)) == (f"{hosts[0]}_1", f"{hosts[1][:183]}-", 202)

    @pytest.mark.parametrize(
        ("most", "more"),
        [
            ({"session": "s" * 128}, {"session": "s" * 129}),
            ({"advanced": {"k" * 128: 1}}, {"advanced": {"k" * 129: 1}}),
            ({"advanced": {"k": "v" * 4096}}, {"advanced": {"k": "v" * 4097}}),
            ({"advanced": {f"k{i}": 1 for i in range(64)}}, {"advanced": {f"k{i}": 1 for i in range(65)}}),
            ({"duration_ms": 3_600_000}, {"duration_ms": 3_600_001}),
            ({"duration_ms": 1}, {"duration_ms": 0}),
            ({"delay_ms": 3_600_000}, {"delay_ms": 3_600_001}),
            ({"host_tracer_level": 3}, {"host_tracer_level": 4}),
            ({"device_tracer_level": 1}, {"device_tracer_level": 2}),
            ({"python_tracer_level": 1}, {"python_tracer_level": 2}),
            ({"retries": 100}, {"retries": 101}),
            ({"budget_bytes": 1_048_576}, {"budget_bytes": 1_048_575}),
            ({"budget_bytes": 2_147_483_647}, {"budget_bytes": 2_147_483_648}),
        ],
    )
    def test_options(self, most: dict[str, Any], more: dict[str, Any]) -> None:
        assert (refusal(lambda: Options.of(most)), refusal(lambda: Options.of(more)) != "") == ("", True)

    def test_presets(self) -> None:
        """Duration, levels of host, device and Python, and MiB at most."""
        levels = attrgetter("host_tracer_level", "device_tracer_level", "python_tracer_level")
        assert {
            each.name: (each.options.duration_ms, *levels(each.options), each.options.budget_bytes >> 20)
            for each in PRESETS
        } == {
            "default": (2000, 2, 1, 0, 512),
            "small": (1000, 1, 1, 0, 64),
            "python": (1000, 2, 1, 1, 512),
            "long": (10_000, 1, 1, 0, 1024),
        }


class TestWorkers:
    def test_four_of_those_that_gave_nothing_are_named(self, tmp_path: Path) -> None:
        def said(ports: range) -> str:
            with pytest.raises(CaptureError) as raised:
                run([Address("127.0.0.1", port) for port in ports], tmp_path, SHORT)
            return str(raised.value)

        four, five = said(range(1, 5)), said(range(1, 6))
        assert (four.count("nothing listens"), five.count("nothing listens")) == (4, 4)
        assert ("more" in four, five.endswith("; and 1 more")) == (False, True)

    def test_together_all_begin_a_second_after_they_are_asked(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The clock has stood still for years, so no server waits."""
        clock = SimpleNamespace(
            time_ns=lambda: NS, monotonic=time.monotonic, strftime=time.strftime, localtime=time.localtime
        )
        monkeypatch.setattr(capturing, "time", clock)
        fakes = [FakeProfiler(), FakeProfiler()]
        with ExitStack() as stack:
            asked = [stack.enter_context(serving(fake)) for fake in fakes]
            run(asked, tmp_path, Options(duration_ms=20, together=True))
        begins = [request.opts.start_timestamp_ns for fake in fakes for request in fake.recorded]
        assert begins == [1_700_000_001_000_000_000] * 2

    def test_one_that_was_not_asked_again_was_asked_once(self) -> None:
        worker = Worker(Address("h", 1), Options(), None, threading.Event())
        assert (worker.state.attempts, HostOutcome("h:1", "ok", "").attempts) == (1, 1)

    def test_a_busy_one_is_asked_again_after_1_to_8_seconds(self) -> None:
        waited: list[float | None] = []

        class Stop(threading.Event):
            def wait(self, timeout: float | None = None) -> bool:
                waited.append(timeout)
                return False

        with serving(FakeProfiler(faults=["busy"] * 6)) as address:
            worker = Worker(address, Options(retries=6), None, Stop())
            worker.check(patient=True)
        assert (worker.outcome, waited) == (None, [1, 2, 4, 8, 8, 8])

    @pytest.mark.parametrize(
        ("options", "seconds"),
        [
            (Options(duration_ms=10_000, budget_bytes=100_000_000), 10 + 30 + 5),
            (Options(duration_ms=60_000, budget_bytes=400_000_000), 60 + 60 + 20),
        ],
    )
    def test_how_long_an_answer_may_take(self, options: Options, seconds: float) -> None:
        assert deadline_s(options) == seconds


class Calls:
    """A connection whose calls are answered at once, by nothing. timeouts_s: what each was given."""

    def __init__(self) -> None:
        self.timeouts_s: list[float] = []

    def unary_unary(self, method: str, **_: Any) -> Any:
        return self

    def future(self, request: object, timeout: float) -> Any:
        self.timeouts_s.append(timeout)
        answered: futures.Future[bytes] = futures.Future()
        answered.set_result(b"")
        return answered

    def close(self) -> None:
        pass


class TestServers:
    def test_how_long_a_tpus_answers_may_take(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """90 s longer than two recordings, and 4 s longer than what is looked at."""
        calls = Calls()
        monkeypatch.setattr(client, "channel", lambda reached, budget_bytes: calls)
        monkeypatch.setattr(pod, "reach", lambda address, allowed, timeout_s: Reached(address, "10.0.0.1"))
        capture_pod(Address("h", 1), ["10.0.0.2"], "gs://b", Options(duration_ms=2000, delay_ms=1000))
        monitor(Address("h", 1), 500)
        assert calls.timeouts_s == [95.0, 4.5]

    def test_a_check_takes_five_seconds_of_which_half_a_one_is_for_the_last_question(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given_s: list[float] = []

        def reaching(address: Address, allowed: object, timeout_s: float) -> Reached:
            given_s.append(timeout_s)
            raise WorkerError("slow", "")

        monkeypatch.setattr(probe, "reach", reaching)
        assert not check(Address("h", 1)).ok
        assert given_s == [pytest.approx(4.3)]

    @pytest.mark.parametrize(("ips", "each_s"), [(("::1", "10.0.0.1"), [2, 2]), (("10.0.0.1",), [100])])
    def test_of_several_ip_addresses_each_has_two_seconds(
        self, ips: tuple[str, ...], each_s: list[float], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        given_s: list[float] = []

        def greet(address: Address, ip: str, timeout_s: float) -> None:
            given_s.append(timeout_s)
            raise WorkerError("slow", "")

        monkeypatch.setattr(reach, "time", SimpleNamespace(monotonic=lambda: 5.0))
        monkeypatch.setattr(reach, "resolve", lambda address, timeout_s: ips)
        monkeypatch.setattr(reach, "_greet", greet)
        with pytest.raises(WorkerError):
            reach.reach(Address("h", 1), None, 100.0)
        assert given_s == each_s

    def test_what_a_server_says_in_words_is_taken_up_to_64_kib(self) -> None:
        def said(size: int) -> str:
            fake = FakeProfiler(faults=[("INTERNAL", "x" * size)])
            with serving(fake) as address, Client(Reached(address, address.host)) as asking:
                with pytest.raises(WorkerError) as raised:
                    asking.profile(SHORT, "one", 10.0)
                return raised.value.message

        assert ["xxx" in said(size) for size in (60_000, 70_000)] == [True, False]

    @pytest.mark.parametrize(("size", "problem"), [(4_100_000, ""), (4_300_000, "exceeds the budget of 4 MiB")])
    def test_what_is_no_capture_has_4_mib(self, size: int, problem: str) -> None:
        tpu, found = Tpu(MONITOR, messages()["MonitorResponse"](data=b"x" * size).SerializeToString()), ""
        with serving(tpu) as address:
            try:
                assert len(monitor(address, 20).text) == size
            except RemoteError as error:
                found = str(error)
        assert (problem in found, found == "") == (True, problem == "")

    def test_a_greeting_is_a_frame_of_whole_settings(self) -> None:
        def frame(length: int) -> bytes:
            return length.to_bytes(3, "big") + b"\x04\0\0\0\0\0"

        assert [is_http2(frame(length)) for length in (0, 6, 18, 3, 9)] == [True, True, True, False, False]
        assert not is_http2(frame(0)[:8])

    def test_a_greeting_of_a_few_bytes_is_none(self) -> None:
        with listening(lambda sock: sock.sendall(b"\0\0\0\x04\0")) as address:
            assert check(address).kind == "not_grpc"

    def test_forty_bytes_of_an_unknown_greeting_are_shown(self) -> None:
        with listening(lambda sock: sock.sendall(b"x" * 80)) as address:
            assert f"something else answers: b'{'x' * 40}'." in check(address).message

    def test_what_is_mapped_is_read_up_to_16_mib(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def known(at: int) -> bool:
            with open(tmp_path / "maps", "wb") as file:
                file.seek(at)
                file.write(b"/libtensorflow_cc.so")
            monkeypatch.setattr(probe, "listeners", lambda port: (f"..{tmp_path}",))
            return probe.runs_tensorflow_alone(6009)

        assert [known(at) for at in (16_777_000, 16_778_000)] == [True, False]


def field(number: int, data: bytes) -> bytes:
    """A field of bytes as protobuf has it."""
    length, size = b"", len(data)
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + data


NAME, BEGAN = field(2, b"Task Environment"), 77
STATS = field(5, b"\x08\x01" + field(2, field(2, b"profile_start_time"))) + field(6, b"\x08\x01\x18\x4d")
IDS = b"\x08\x07"


class TestClock:
    @pytest.mark.parametrize(
        ("xspace", "began"),
        [
            (field(1, IDS * 3 + NAME + STATS), BEGAN),
            (field(1, IDS * 4 + NAME + STATS), 0),
            (field(1, b"") * 4095 + field(1, NAME + STATS), BEGAN),
            (field(1, b"") * 4096 + field(1, NAME + STATS), 0),
            (field(4, b"") * 4095 + field(1, NAME + STATS), BEGAN),
            (field(4, b"") * 4096 + field(1, NAME + STATS), 0),
            (field(1, NAME + STATS + field(9, bytes(65_400))), BEGAN),
            (field(1, NAME + STATS + field(9, bytes(65_536))), 0),
        ],
        ids=["name 4th", "name 5th", "4096th plane", "4097th plane", "4096th", "4097th", "small plane", "large plane"],
    )
    def test_where_the_time_is_looked_for(self, xspace: bytes, began: int) -> None:
        assert began_ns(memoryview(xspace)) == began


@pytest.mark.skipif(not beside.possible(), reason="other systems have no such names of folders")
class TestFolder:
    @pytest.mark.parametrize(("drawn", "number"), [(lambda below: 0, 512), (lambda below: below - 1, 895)])
    def test_its_number_is_high_and_below_the_common_limit(
        self, drawn: Callable[[int], int], number: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(secrets, "randbelow", drawn)
        with Folder() as folder:
            assert folder.root.endswith(f"/fd/{number}")

    @pytest.mark.parametrize(("others", "found"), [(64, b"\n\0"), (65, None)])
    def test_a_capture_behind_so_many_files_is_looked_for(self, others: int, found: bytes | None) -> None:
        with Folder() as folder:
            for i in range(others):
                Path(folder.root, f"{i}.txt").touch()
            Path(folder.root, "below").mkdir()
            Path(folder.root, "below", "h.xplane.pb").write_bytes(b"\n\0")
            capture = folder.capture(1 << 20)
            assert (capture and bytes(capture)) == found
