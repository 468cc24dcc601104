"""One worker, asked over a real connection: what it is told, and how a recording is ended."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tensorboard_perfplugin.capture import Options, check
from tensorboard_perfplugin.capture.request import WorkerError
from tensorboard_perfplugin.capture.server.client import Client, unused_id
from tensorboard_perfplugin.capture.server.reach import Reached
from tensorboard_perfplugin.capture.server.status import messages

from .fake_server import SMALL, FakeProfiler, serving

SHORT, LONG = Options(duration_ms=20), Options(duration_ms=60_000)


@contextmanager
def asking(profiler: FakeProfiler, budget_bytes: int = 64 << 20) -> Iterator[Client]:
    with serving(profiler) as address, Client(Reached(address, address.host), budget_bytes) as client:
        yield client


def test_a_recording_gives_the_capture() -> None:
    profiler = FakeProfiler()
    with asking(profiler) as client:
        assert bytes(client.profile(SHORT, "one", 10.0)) == SMALL
    (request,) = profiler.recorded
    assert (request.session_id, request.host_name, request.repository_root) == ("one", str(client.address), "")
    assert (request.emit_xspace, profiler.terminated) == (True, [])


def test_a_result_as_large_as_the_budget_comes_and_a_larger_one_does_not() -> None:
    """Larger than 4 MiB, which is the most that gRPC takes where it is told nothing."""
    profiler = FakeProfiler(b"\x0a\x80\x80\x80\x03" + bytes(6 << 20))
    answer = messages()["ProfileResponse"](xspace=profiler.xspace).ByteSize()
    with asking(profiler, answer) as client:
        assert client.profile(SHORT, unused_id(), 10.0).nbytes == (6 << 20) + 5
    with asking(profiler, answer - 1) as client, pytest.raises(WorkerError) as caught:
        client.profile(SHORT, unused_id(), 10.0)
    assert caught.value.kind == "too_large"
    assert "the result (6 MiB) exceeds the budget of 6 MiB" in caught.value.message


@pytest.mark.parametrize("start_s", [0, 3600])
def test_a_cancel_ends_the_recording_there(start_s: int) -> None:
    """Also one that has not begun. The server is free at once, and was told by the id of this recording alone."""
    profiler, cancel = FakeProfiler(), threading.Event()
    start_ns = time.time_ns() + start_s * 10**9 if start_s else 0
    with asking(profiler) as client:
        threading.Thread(target=set_once, args=(lambda: profiler.recorded, cancel)).start()
        with pytest.raises(WorkerError) as caught:
            client.profile(LONG, "mine", 7200.0, start_ns=start_ns, cancel=cancel)
        set_once(lambda: check(client.address).ok, threading.Event())
    assert (caught.value.kind, profiler.terminated) == ("cancelled", ["mine"])


def set_once(happened: Callable[[], Any], event: threading.Event) -> None:
    """A server's thread that records ends a moment after it was told."""
    while not happened():
        time.sleep(0.005)
    event.set()


def test_an_interrupt_ends_the_recording_there(monkeypatch: pytest.MonkeyPatch) -> None:
    profiler = FakeProfiler()

    class Interrupting(threading.Event):
        def is_set(self) -> bool:
            if profiler.recorded:
                raise KeyboardInterrupt
            return False

    with asking(profiler) as client:
        with pytest.raises(KeyboardInterrupt):
            client.profile(LONG, "mine", 90.0, cancel=Interrupting())
        set_once(lambda: check(client.address).ok, threading.Event())
    assert profiler.terminated == ["mine"]


def test_a_deadline_frees_the_server() -> None:
    profiler = FakeProfiler()
    with asking(profiler) as client:
        with pytest.raises(WorkerError) as caught:
            client.profile(LONG, "mine", 0.2)
        set_once(lambda: check(client.address).ok, threading.Event())
    assert caught.value.kind == "deadline"
    assert re.search(r"no result within [\d.]+ m?s\. The program may be stopped", caught.value.message)


def test_an_id_is_never_used_again() -> None:
    """A server remembers what was terminated: the next recording of that id would end at once."""
    assert len({unused_id() for _ in range(1000)}) == 1000
