"""What servers of Cloud TPUs do beyond others."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent import futures
from contextlib import nullcontext
from typing import Any

import grpc
import pytest

from tensorboard_perfplugin.capture import Address, Allowed, Options
from tensorboard_perfplugin.capture.server import client, pod
from tensorboard_perfplugin.capture.server.pod import capture_pod, monitor
from tensorboard_perfplugin.capture.server.reach import Reached
from tensorboard_perfplugin.capture.server.status import messages
from tensorboard_perfplugin.errors import ArgumentError, RemoteError

from .fake_server import FakeProfiler, serving

MONITOR, NEW_SESSION = "/tensorflow.ProfilerService/Monitor", "/tensorflow.ProfileAnalysis/NewSession"
SHORT = Options(duration_ms=20)


class Tpu:
    """Answers one call, with each of the answers in turn. asked: the requests."""

    def __init__(self, method: str, *answers: bytes) -> None:
        self.method, self.answers = method, list(answers)
        self.asked: list[bytes] = []

    def service(self, details: Any) -> Any:
        def answer(request: bytes, context: Any) -> bytes:
            self.asked.append(request)
            return self.answers.pop(0)

        return grpc.unary_unary_rpc_method_handler(answer) if details.method == self.method else None


def test_monitor_gives_text_and_numbers() -> None:
    result = messages()["MonitorResult"](matrix_unit_utilization_percent=37.5)
    reply = messages()["MonitorResponse"](data=b"Utilization: 37.5%\xff", monitor_result=result)
    tpu = Tpu(MONITOR, reply.SerializeToString())
    with serving(tpu) as address:
        monitored = monitor(address, 500, 2)
    assert monitored.text == "Utilization: 37.5%\N{REPLACEMENT CHARACTER}"
    assert monitored.numbers == {"matrix_unit_utilization_percent": 37.5}
    assert str(messages()["MonitorRequest"].FromString(tpu.asked[0])) == (
        "duration_ms: 500\nmonitoring_level: 2\ntimestamp: true\n"
    )


def test_a_profiler_that_does_not_monitor_says_so() -> None:
    with serving(FakeProfiler()) as address, pytest.raises(RemoteError) as caught:
        monitor(address)
    assert str(caught.value) == (
        f"{address}: does not report device activity; only Cloud TPU servers do. Take a capture instead"
    )


def test_workers_of_a_tpu_are_recorded_by_its_master() -> None:
    tpu, before_ns = Tpu(NEW_SESSION, b""), time.time_ns()
    options = Options(duration_ms=20, delay_ms=5000, session="mine")
    with serving(tpu) as address:
        path = capture_pod(address, ("10.0.0.2", "10.0.0.3"), "gs://bucket/logs/", options)
    assert path == "gs://bucket/logs/plugins/profile/mine"
    asked = messages()["NewProfileSessionRequest"].FromString(tpu.asked[0])
    for request in (asked, asked.request):
        assert (request.repository_root, request.session_id) == ("gs://bucket/logs/plugins/profile", "mine")
    assert list(asked.hosts) == ["10.0.0.2", "10.0.0.3"]
    assert (asked.request.emit_xspace, asked.request.opts.duration_ms) == (False, 20)
    assert before_ns <= asked.request.opts.start_timestamp_ns - 5 * 10**9 <= time.time_ns()


EMPTY = b"\x10\x01"


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ([b"\x0a\x0dbucket\nis bad"], "the TPU's workers could not be recorded: bucket is bad"),
        ([EMPTY, EMPTY], "the TPU's workers recorded nothing. Record while the program computes"),
        ([EMPTY, b"\xff" * 9], "the answer is not a profiler's: 9 bytes that are not a NewProfileSessionResponse"),
    ],
)
def test_what_a_master_could_not_do(answers: Sequence[bytes], problem: str) -> None:
    tpu = Tpu(NEW_SESSION, *answers)
    with serving(tpu) as address, pytest.raises(RemoteError) as caught:
        capture_pod(address, (), "gs://bucket", Options(duration_ms=20, retries=1))
    assert str(caught.value) == f"{address}: {problem}"
    assert tpu.answers == []


def test_what_is_asked_again_may_come() -> None:
    with serving(Tpu(NEW_SESSION, EMPTY, b"")) as address:
        assert capture_pod(address, (), "gs://b", Options(retries=1, session="s")) == "gs://b/plugins/profile/s"


@pytest.mark.parametrize("logdir", ["/tmp/logs", "gs://", "gs:///", "", "s3://b"])
def test_workers_of_a_tpu_write_to_a_bucket(logdir: str) -> None:
    with serving(FakeProfiler()) as address, pytest.raises(ArgumentError, match="write to a bucket"):
        capture_pod(address, (), logdir, SHORT)


def test_only_what_is_allowed_is_asked() -> None:
    tpu = Tpu(NEW_SESSION, b"")
    with serving(tpu) as address:
        for ask in (
            lambda: capture_pod(address, (), "gs://b", SHORT, allowed=Allowed.parse("10.0.0.0/8")),
            lambda: monitor(address, allowed=Allowed.parse("10.0.0.0/8")),
        ):
            with pytest.raises(RemoteError, match="not among the allowed addresses"):
                ask()
    assert tpu.asked == []


def test_a_master_that_is_none() -> None:
    with (
        serving(FakeProfiler()) as address,
        pytest.raises(RemoteError, match="cannot record other workers"),
    ):
        capture_pod(address, (), "gs://b", SHORT)


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


def test_how_long_a_tpus_answers_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """90 s longer than two recordings, and 4 s longer than what is looked at."""
    calls = Calls()
    monkeypatch.setattr(client, "channel", lambda reached, budget_bytes: calls)
    monkeypatch.setattr(pod, "reach", lambda address, allowed, timeout_s: Reached(address, "10.0.0.1"))
    capture_pod(Address("h", 1), ["10.0.0.2"], "gs://b", Options(duration_ms=2000, delay_ms=1000))
    monitor(Address("h", 1), 500)
    assert calls.timeouts_s == [95.0, 4.5]


@pytest.mark.parametrize(("size", "problem"), [(4_100_000, None), (4_300_000, "exceeds the budget of 4 MiB")])
def test_a_text_of_4_mib_is_taken(size: int, problem: str | None) -> None:
    tpu = Tpu(MONITOR, messages()["MonitorResponse"](data=b"x" * size).SerializeToString())
    with serving(tpu) as address, pytest.raises(RemoteError, match=problem) if problem else nullcontext():
        assert len(monitor(address, 20).text) == size
