"""How far an answer is, and the end of one that nobody waits for."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from werkzeug.serving import ThreadedWSGIServer

from tensorboard_perfplugin import decode, work
from tensorboard_perfplugin.web.progress import has_ended
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.web.conftest import PREFIX, Browser

NAME = "page-1"


def program() -> Space:
    space = Space(hostnames=["h"])
    space.plane("/host:CPU").line(1, "python").event("train", 0, 5_000_000)
    return space


class Held:
    """A decoder that waits in the middle of a file."""

    def __init__(self) -> None:
        self.began, self.may_end = threading.Semaphore(0), threading.Semaphore(0)
        self._read = decode.read

    def __call__(self, *given: Any, **more: Any) -> Any:
        self.began.release()
        self.may_end.acquire()
        return self._read(*given, **more)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    held = Held()
    monkeypatch.setattr(decode, "read", held)
    return held


@contextmanager
def asked(browser: Browser, name: str = NAME) -> Iterator[list[Any]]:
    """A question that is asked within; its answer is there afterwards."""
    answers: list[Any] = []

    def ask() -> None:
        headers = {"X-Perfplugin-Work": name}
        answers.append(browser.get("data", {"run": "r", "tool": "overview"}, headers=headers))

    thread = threading.Thread(target=ask)
    thread.start()
    yield answers
    thread.join()


@pytest.fixture
def browser(make_logdir: MakeLogdir, tmp_path: Path) -> Browser:
    (tmp_path / "logs").mkdir()
    return Browser(str(make_logdir({"r/a.xplane.pb": program(), "r/b.xplane.pb": program()})))


def test_a_page_sees_how_far_its_answer_is(browser: Browser, held: Held) -> None:
    with asked(browser) as answers:
        held.began.acquire()
        first = browser.json("progress", {"work": NAME})
        held.may_end.release()
        held.began.acquire()
        second = browser.json("progress", {"work": NAME})
        assert browser.json("progress", {"work": "other"}) == {"schema": 1, "stage": None}
        held.may_end.release()
    assert answers[0].status_code == 200
    assert (first["stage"], first["host"], first["hosts"], first["hosts_done"], first["done_bytes"]) == (
        "reading",
        "a",
        2,
        0,
        0,
    )
    assert (second["stage"], second["host"], second["hosts_done"]) == ("reading", "b", 1)
    assert second["done_bytes"] * 2 == second["size_bytes"] == first["size_bytes"]
    assert second["elapsed_s"] >= first["elapsed_s"] >= 0
    assert browser.json("progress", {"work": NAME}) == {"schema": 1, "stage": None}


def test_work_that_nobody_waits_for_ends_and_the_same_question_is_answered_anew(browser: Browser, held: Held) -> None:
    with asked(browser) as answers:
        held.began.acquire()
        assert (browser.post("progress/cancel", {"work": NAME}).json or {})["stage"] == "reading"
        held.may_end.release()
    assert (answers[0].status_code, answers[0].json["error"]["kind"]) == (409, "cancelled")
    # The second host was not begun.
    assert not held.began.acquire(blocking=False)
    held.may_end.release(2)
    with asked(browser) as again:
        pass
    assert again[0].status_code == 200


def test_a_question_without_a_name_is_answered_and_not_followed(browser: Browser) -> None:
    for name in ("", "a b", "x" * 65):
        with asked(browser, name) as answers:
            pass
        assert answers[0].status_code == 200


def test_only_our_page_calls_a_question_off(browser: Browser) -> None:
    assert browser.post("progress/cancel", {"work": NAME}, {"X-Perfplugin": None}).status_code == 403
    assert browser.post("progress/cancel", {"work": 1}).status_code == 400
    assert browser.post("progress/cancel", {"other": NAME}).status_code == 400
    assert browser.get("progress/cancel").status_code == 405
    assert browser.get("progress").status_code == 400


@contextmanager
def served(browser: Browser) -> Iterator[tuple[str, int]]:
    """The site as TensorBoard serves it, by werkzeug's server: its address."""
    server = ThreadedWSGIServer("127.0.0.1", 0, browser.client.application)
    # So that its end waits for the requests that it answers.
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.host, server.port
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_client_that_has_gone_ends_the_work(browser: Browser, held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    """All hosts were read for a page that had been closed."""
    monkeypatch.setattr(work, "LOOK_S", 0)
    with served(browser) as address:
        with socket.create_connection(address) as client:
            client.sendall(f"GET {PREFIX}data?run=r&tool=overview HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            held.began.acquire()
        held.may_end.release(2)
    # The second host was not begun.
    assert not held.began.acquire(blocking=False)


def test_connections_that_have_ended_and_that_have_not() -> None:
    ours, theirs = socket.socketpair()
    assert not has_ended(ours)
    theirs.send(b"the next request")
    assert not has_ended(ours)
    assert ours.recv(99) == b"the next request"
    theirs.close()
    assert has_ended(ours)
    ours.close()
    assert has_ended(ours)
