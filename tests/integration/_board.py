"""A real TensorBoard: flags → a process that answers, and the answers as a client gets them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

PLUGIN = "data/plugin/perfplugin/"
#: How long anything may take before it counts as never: the machine may be small and busy.
PATIENCE_S = 60.0

T = TypeVar("T")
#: Never through a proxy that the environment names.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Board:
    """A TensorBoard. url: where its page is, with path prefix and a slash at the end. log: what it printed."""

    url: str
    log: Path

    def get(self, path: str, **headers: str) -> Reply:
        """What is at a path relative to TensorBoard's page; errors are replies too."""
        return self._reply(urllib.request.Request(self.url + path, headers=headers))

    def post(self, route: str, body: object) -> Any:
        """What a route of the plugin that acts answers, asked as our page asks; it must answer 200."""
        parts = urlsplit(self.url)
        headers = {
            "X-Perfplugin": "1",
            "Content-Type": "application/json",
            "Origin": f"{parts.scheme}://{parts.netloc}",
        }
        reply = self._reply(urllib.request.Request(self.url + PLUGIN + route, json.dumps(body).encode(), headers))
        assert reply.status == 200, f"{route} {body}: {reply.status} {reply.body[:500]!r}"
        return reply.json()

    def _reply(self, request: urllib.request.Request) -> Reply:
        try:
            with _opener.open(request, timeout=PATIENCE_S) as reply:
                return Reply(reply.status, dict(reply.headers), reply.read())
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, dict(error.headers), error.read())

    def ask(self, route: str, **query: str | list[str]) -> Any:
        """The JSON of one of the plugin's routes, which must answer 200."""
        reply = self.get(f"{PLUGIN}{route}?{urlencode(query, doseq=True)}")
        assert reply.status == 200, f"{route} {query}: {reply.status} {reply.body[:500]!r}"
        return reply.json()

    def runs(self, at_least: int = 1) -> list[dict[str, Any]]:
        """The runs, once the first scan has ended and there are that many."""
        body = until(
            lambda: self.ask("runs"), lambda body: not body["scanning"] and len(body["runs"]) >= at_least, "runs"
        )
        return list(body["runs"])


def until(ask: Callable[[], T], good: Callable[[T], bool], what: str) -> T:
    """The first good answer. Fails when PATIENCE_S brings none."""
    end_s = time.monotonic() + PATIENCE_S
    answer = ask()
    while not good(answer):
        assert time.monotonic() < end_s, f"waited {PATIENCE_S} s for {what}, had {str(answer)[:1000]}"
        time.sleep(0.1)
        answer = ask()
    return answer


@contextlib.contextmanager
def tensorboard(
    log: Path, *flags: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator[Board]:
    """A TensorBoard on a free port of 127.0.0.1, from ready to stopped. It prints to `log`."""
    command = [sys.executable, "-m", "tensorboard.main", "--host", "127.0.0.1", "--port", "0", *flags]
    # Answers that an earlier version left in the user's cache must not pass these tests.
    environment = {**os.environ, "XDG_CACHE_HOME": str(log.parent / "cache"), **(env or {})}
    with log.open("wb") as output:
        process = subprocess.Popen(command, stderr=output, stdout=output, env=environment, cwd=cwd)
    try:
        yield Board(_address(process, log), log)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    def started() -> re.Match[str] | None:
        assert process.poll() is None, f"TensorBoard ended:\n{log.read_text()}"
        return re.search(r"TensorBoard \S+ at (http://\S+)", log.read_text())

    found = until(started, lambda match: match is not None, "TensorBoard's address")
    assert found is not None
    return found[1].rstrip("/") + "/"


@contextlib.contextmanager
def stripping_proxy(board: Board, prefix: str) -> Iterator[Board]:
    """The board behind a proxy that shows it below `prefix` and does not tell it so, as notebooks' proxies do."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            inside = self.path.startswith(prefix)
            reply = board.get(self.path.removeprefix(prefix)) if inside else Reply(404, {}, b"outside the prefix")
            self.send_response(reply.status)
            for name in ("Content-Type", "Content-Security-Policy"):
                if name in reply.headers:
                    self.send_header(name, reply.headers[name])
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield Board(f"http://127.0.0.1:{server.server_port}{prefix}", board.log)
        server.shutdown()
        thread.join()
