"""What is at an address, told before anything is recorded there."""

from __future__ import annotations

import http.server
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import SimpleNamespace

import pytest

from tensorboard_perfplugin.capture import Address, Allowed, Options, addresses, check
from tensorboard_perfplugin.capture.request import WorkerError
from tensorboard_perfplugin.capture.server import client as probe
from tensorboard_perfplugin.capture.server import reach
from tensorboard_perfplugin.capture.server.client import Client, checked, unused_id
from tensorboard_perfplugin.capture.server.reach import Reached, is_http2

from .fake_server import FakeProfiler, NoProfiler, Script, listening, serving, silent
from .http2 import Stream

ASK_PORT = ". Check the port, and that the program has started its profiler server"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_free_profiler_is_ready(host: str) -> None:
    profiler = FakeProfiler()
    with serving(profiler, host) as address:
        found = check(address)
    assert (found.kind, found.message, found.ok) == ("ok", f"{address}: profiler server ready", True)
    assert (profiler.recorded, profiler.terminated) == ([], [])


def test_a_recording_profiler_is_busy() -> None:
    """Also while it waits for its time; and once the recording has ended, it is free again."""
    profiler = FakeProfiler()
    with serving(profiler) as address:
        cancel = threading.Event()
        with Client(checked(address)) as client:
            ask = partial(client.profile, Options(duration_ms=60_000), unused_id(), 90.0, cancel=cancel)
            thread = threading.Thread(target=cancelled, args=(ask,))
            thread.start()
            while not profiler.recorded:
                time.sleep(0.005)
            busy = check(address)
            cancel.set()
            thread.join()
        while (now := check(address)).kind == "busy":  # the server hears of it a little later
            time.sleep(0.005)
        assert now.ok
    assert (busy.kind, busy.ok) == ("busy", False)
    assert busy.message == (
        f"{address}: another profile is being recorded there, by someone else or by the program itself. "
        "Try again when it has ended"
    )


def cancelled(ask: Callable[[], object]) -> None:
    with suppress(WorkerError):
        ask()


def test_a_name_that_nobody_knows() -> None:
    found = check(Address("no-such-host.invalid", 6009))
    assert found.kind in ("no_host", "slow")
    assert found.message.startswith("no-such-host.invalid:6009: no ")


def test_a_port_where_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = Address("127.0.0.1", taken.getsockname()[1])
    found = check(address)
    assert (found.kind, found.message) == ("closed", f"{address}: nothing listens on this port{ASK_PORT}")


def test_what_is_not_allowed_is_not_connected_to() -> None:
    came: list[socket.socket] = []
    with listening(came.append) as address:
        found = check(address, allowed=Allowed.parse("10.0.0.0/8"))
    assert (found.kind, came) == ("refused", [])


class OldWeb(http.server.BaseHTTPRequestHandler):
    """Python's web server, which TensorBoard's is made of."""

    def log_message(self, format: str, *args: object) -> None:
        """Nothing to stderr."""


def old_web(sock: socket.socket) -> None:
    OldWeb(sock, ("127.0.0.1", 1), None)  # type: ignore[arg-type]


def tls(sock: socket.socket) -> None:
    """A server of TLS without a certificate: it answers with an alert, in TLS."""
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).wrap_socket(sock, server_side=True)


def web_of_http2(sock: socket.socket) -> None:
    stream = Stream(sock)
    stream.greet()
    stream.wait_for_call()
    stream.send_headers((":status", "404"), ("content-type", "text/html"), end=True)
    stream.wait_for_end()


def ends_calls(sock: socket.socket) -> None:
    stream = Stream(sock)
    stream.greet()
    stream.wait_for_call()


@pytest.mark.parametrize(
    ("script", "kind", "problem"),
    [
        (
            old_web,
            "not_grpc",
            "a web server answers; TensorBoard's own port is one",
        ),
        (lambda sock: sock.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "not_grpc", "a web server answers"),
        (lambda sock: sock.sendall(b"\x15\x03\x01\x00\x02\x02\x46"), "not_grpc", "it requires TLS"),
        (tls, "not_grpc", "not a gRPC server: it requires TLS, which profiler servers do not support"),
        (lambda sock: sock.sendall(b"SSH-2.0-x\r\n"), "not_grpc", "not a gRPC server: an SSH server answers"),
        (lambda sock: None, "not_grpc", "it closes the connection immediately, as a tunnel does"),
        (lambda sock: sock.sendall(b"\x1b[2J\nhello\n"), "not_grpc", r"something else answers: b'\x1b[2J\nhello\n'"),
        (lambda sock: sock.sendall(b"\0\0\0\x04\0"), "not_grpc", "something else answers: b'"),
        # A frame of settings whose length cannot be one's.
        (lambda sock: sock.sendall(b"\x00\x00\x05\x04\x00\x00\x00\x00\x00"), "not_grpc", "something else answers"),
        (web_of_http2, "not_grpc", "a web server answers, not gRPC (Received http2 header with status: 404)"),
        (ends_calls, "cut", "the connection was lost after"),
    ],
)
def test_what_is_no_profiler_is_named(script: Script, kind: str, problem: str) -> None:
    with listening(script) as address:
        found = check(address)
    assert (found.kind, found.ok) == (kind, False)
    assert problem in found.message
    assert found.message.isprintable()


def test_grpc_without_a_profiler() -> None:
    with serving(NoProfiler()) as address:
        found = check(address)
    assert found.kind == "no_profiler"
    assert found.message == (
        f"{address}: a gRPC server without a profiler answers. Check the port: it must be the one of the profiler's "
        "start_server"
    )


def test_a_server_that_only_writes_on_its_own_side() -> None:
    """Found out before anything is recorded; and it is not made to write anywhere."""
    profiler = FakeProfiler(old="elsewhere")
    with serving(profiler) as address:
        found = check(address)
    assert (found.kind, profiler.recorded) == ("old_server", [])
    assert "too old to send a capture back" in found.message


def greets(sock: socket.socket) -> None:
    Stream(sock).greet()
    silent(sock)


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        (silent, "accepts the connection but sends nothing"),
        (greets, "accepts calls but does not answer"),
    ],
)
def test_silence_is_not_waited_for_longer_than_asked(script: Script, problem: str) -> None:
    with listening(script) as address:
        found = check(address, timeout_s=0.6)
    assert found.kind == "slow"
    assert problem in found.message


def test_a_check_takes_five_seconds_of_which_half_a_one_is_for_the_last_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given_s: list[float] = []

    def reaching(address: Address, allowed: object, timeout_s: float) -> Reached:
        given_s.append(timeout_s)
        raise WorkerError("slow", "")

    monkeypatch.setattr(probe, "reach", reaching)
    assert not check(Address("h", 1)).ok
    assert given_s == [pytest.approx(4.3)]


def test_a_greeting_is_a_frame_of_whole_settings() -> None:
    def frame(length: int) -> bytes:
        return length.to_bytes(3, "big") + b"\x04\0\0\0\0\0"

    assert [is_http2(frame(length)) for length in (0, 6, 18, 3, 9)] == [True, True, True, False, False]
    assert not is_http2(frame(0)[:8])


def test_a_greeting_that_drips_is_not_waited_for() -> None:
    ended = threading.Event()

    def drip(sock: socket.socket) -> None:
        while not ended.wait(0.05):
            sock.sendall(b"\0")

    with listening(drip) as address:
        found = check(address, timeout_s=0.6)
        ended.set()
    assert found.kind in ("slow", "not_grpc")


def test_of_several_ip_addresses_the_one_that_answers_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """`localhost` often means `::1` first, and servers that listen at `127.0.0.1` only."""
    monkeypatch.setattr(reach, "resolve", lambda address, timeout_s: ("::1", "127.0.0.2", "127.0.0.1"))
    with serving(FakeProfiler()) as server:
        reached = checked(Address("localhost", server.port))
    assert (reached.ip, reached.target) == ("127.0.0.1", f"ipv4:127.0.0.1:{server.port}")


@pytest.mark.parametrize(("ips", "each_s"), [(("::1", "10.0.0.1"), [2, 2]), (("10.0.0.1",), [100])])
def test_of_several_ip_addresses_each_has_two_seconds(
    ips: tuple[str, ...], each_s: list[float], monkeypatch: pytest.MonkeyPatch
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


def test_two_names_of_one_server_are_known_to_be_one() -> None:
    reached = [Reached(Address(host, port), ip) for host, ip, port in NAMED]
    assert len({each.server for each in reached[:3]}) == 1
    assert [each.server for each in reached[2:]] == [("127.0.0.1", 1), ("127.0.0.1", 2), ("127.0.0.2", 1)]


NAMED = [
    ("localhost", "::1", 1),
    ("::ffff:7f00:1", "::ffff:127.0.0.1", 1),
    ("127.0.0.1", "127.0.0.1", 1),
    ("localhost", "::1", 2),
    ("b", "127.0.0.2", 1),
]


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[socket.socket] = []
    with listening(asked.append) as proxy, serving(FakeProfiler()) as address:
        for name in ("http_proxy", "https_proxy", "grpc_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://{proxy}")
        assert check(address).ok
    assert asked == []


def test_nothing_is_written_to_stderr() -> None:
    """gRPC's library notes there that the program forked while it was at work, and that a server went away."""
    code = """
import os, sys, threading, time
from tensorboard_perfplugin.capture import addresses, check
(address,) = addresses(sys.argv[1])
print(os.environ.get("GRPC_VERBOSITY"))
checking = threading.Thread(target=lambda: print(check(address).kind))
checking.start()
while checking.is_alive():
    if os.fork() == 0:
        os._exit(0)
    os.wait()
    time.sleep(0.01)
print(os.environ.get("GRPC_VERBOSITY"))
"""

    def goes_away(sock: socket.socket) -> None:
        stream = Stream(sock)
        stream.greet()
        stream.wait_for_call()
        time.sleep(0.1)
        sock.sendall(bytes([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11]))
        stream.wait_for_end()

    environment = {name: value for name, value in os.environ.items() if not name.startswith("GRPC_")}
    with listening(goes_away) as address:
        command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code, str(address)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=60)
    assert (done.stdout, done.stderr) == ("None\ncut\nNone\n", "")


def test_a_child_that_was_forked_can_check_too() -> None:
    """As a loader of data does, after the program has asked its own profiler."""
    code = """
import os
from tests.capture.fake_server import FakeProfiler, serving
from tensorboard_perfplugin.capture import addresses, check
import sys
(address,) = addresses(sys.argv[1])
print(check(address).kind, flush=True)
child = os.fork()
if child == 0:
    print(check(address).kind, flush=True)
    os._exit(0)
os.waitpid(child, 0)
print(check(address).kind)
"""
    with serving(FakeProfiler()) as address:
        command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", code, str(address)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("ok\nok\nok\n", "")


def test_a_name_in_capitals_and_with_a_scheme_is_reached() -> None:
    with serving(FakeProfiler()) as address:
        assert check(addresses(f"GRPC://LocalHost:{address.port}")[0]).ok
