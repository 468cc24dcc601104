"""A real Firefox on TensorBoard's page, by WebDriver BiDi: Playwright drives no Firefox but its own build."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tornado.websocket import WebSocketClientConnection, websocket_connect

from tests.integration._board import PATIENCE_S, Board, until
from tests.integration._browser import SEEN, SETTLED, WIDE, fragment

T = TypeVar("T")
FIREFOX = os.environ.get("PERFPLUGIN_FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox") or ""
#: It asks nobody by itself.
PREFERENCES = """
user_pref("app.update.enabled", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.newtabpage.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.proxy.type", 0);
user_pref("services.settings.server", "data:,");
"""


@dataclass
class Blocked:
    """A request that is not let through."""

    url: str
    request: str


@dataclass
class Firefox:
    """A window. routes: pattern → what becomes of such requests: a body that answers, "fail" or "hold"."""

    connection: WebSocketClientConnection
    loop: asyncio.AbstractEventLoop
    window: str = ""
    routes: dict[str, str | Mapping[str, Any]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _calls: int = 0

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a command; what happens meanwhile is noted, and requests that wait are decided."""
        number = self._send(method, params)
        while True:
            message = run(self.loop, self._read())
            if message.get("id") == number:
                assert message["type"] == "success", f"{method} {params}: {message}"
                return dict(message["result"])
            # A refused decision is of a request that the page gave up meanwhile.
            self._note(message.get("method", ""), message.get("params", {}))

    async def _read(self) -> dict[str, Any]:
        text = await self.connection.read_message()
        assert text is not None, "Firefox ended"
        return dict(json.loads(text))

    def _send(self, method: str, params: Mapping[str, Any]) -> int:
        self._calls += 1
        text = json.dumps({"id": self._calls, "method": method, "params": params})
        self.loop.call_soon_threadsafe(self.connection.write_message, text)
        return self._calls

    def _note(self, event: str, params: Mapping[str, Any]) -> None:
        if event == "log.entryAdded" and params["type"] == "javascript" and params["level"] == "error":
            self.errors.append(f"{params['text']} {params.get('stackTrace')}")
        if event != "network.beforeRequestSent":
            return
        url = str(params["request"]["url"])
        self.asked.append(url)
        if params.get("isBlocked"):
            self._decide(url, params["request"]["request"])

    def _decide(self, url: str, request: str) -> None:
        done = next((done for pattern, done in self.routes.items() if re.search(pattern, url)), None)
        if done is None:
            self._send("network.continueRequest", {"request": request})
        elif done == "fail":
            self._send("network.failRequest", {"request": request})
        elif not isinstance(done, str):
            headers = [{"name": "Content-Type", "value": {"type": "string", "value": "application/json"}}]
            body = {"type": "string", "value": json.dumps(done)}
            answer = {"statusCode": 200, "reasonPhrase": "OK", "headers": headers, "body": body}
            self._send("network.provideResponse", {"request": request, **answer})

    @contextmanager
    def routed(self, routes: Mapping[str, str | Mapping[str, Any]]) -> Iterator[None]:
        self.routes = dict(routes)
        intercept = self.call("network.addIntercept", phases=["beforeRequestSent"])["intercept"]
        yield
        self.routes = {}
        self.call("network.removeIntercept", intercept=intercept)

    def frame(self) -> str:
        """Our document's context."""
        [window] = self.call("browsingContext.getTree", root=self.window)["contexts"]
        frames = [each["context"] for each in window["children"] if "perfplugin" in each["url"]]
        return str(frames[0]) if frames else ""

    def ask(self, expression: str, context: str | None = None) -> Any:
        """The value of an expression in our document, or in a context; None while there is none."""
        target = {"context": context or self.frame()}
        if not target["context"]:
            return None
        wrapped = f"JSON.stringify(({expression}) ?? null)"
        found = self.call("script.evaluate", expression=wrapped, target=target, awaitPromise=True)
        # A document that is being replaced throws.
        return json.loads(found["result"]["value"]) if found["type"] == "success" else None

    def wait(self, expression: str, good: Callable[[Any], bool] = bool) -> Any:
        return until(lambda: self.ask(expression), good, expression)

    def settle(self) -> None:
        until(lambda: self.ask(f"({SETTLED})()"), bool, "the page")

    def address(self) -> str:
        return str(self.ask("decodeURIComponent(location.hash)", self.window))

    def wait_for_address(self, expression: str) -> None:
        until(self.address, lambda address: re.search(expression, address) is not None, expression)

    def reload(self) -> None:
        self.call("browsingContext.reload", context=self.window, wait="complete")

    def click(self, element: str) -> None:
        """A pointer's press on the element that an expression gives."""
        self.wait(f"Boolean({element})")
        frame = self.frame()
        shown = f"(() => {{ const e = {element}; e.scrollIntoView({{block: 'nearest'}}); return e; }})()"
        found = self.call("script.evaluate", expression=shown, target={"context": frame}, awaitPromise=False)
        origin = {"type": "element", "element": {"sharedId": found["result"]["sharedId"]}}
        moves = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": origin},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self.call("input.performActions", context=frame, actions=[{"type": "pointer", "id": "mouse", "actions": moves}])

    def type(self, text: str) -> None:
        keys = [{"type": way, "value": letter} for letter in text for way in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": keys}
        self.call("input.performActions", context=self.frame(), actions=[keyboard])

    def open(self, board: Board, **state: str) -> None:
        """Our tab in a new window, of one who was here before."""
        self.window = self.call("browsingContext.create", type="tab")["context"]
        size = {"width": WIDE[0], "height": WIDE[1]}
        self.call("browsingContext.setViewport", context=self.window, viewport=size)
        self.call("script.addPreloadScript", functionDeclaration=f"() => {{ {SEEN} }}", contexts=[self.window])
        url = f"{board.url}?darkMode=false{fragment(state)}"
        self.asked, self.errors = [], []
        self.call("browsingContext.navigate", context=self.window, url=url, wait="complete")

    def close(self, board: Board) -> None:
        """Nothing was thrown, and nobody else was asked."""
        self.call("browsingContext.close", context=self.window)
        ours = (board.url, "data:", "blob:", "about:")
        assert [url for url in self.asked if not url.startswith(ours)] == []
        assert self.errors == []


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """From its start until it is ended; what it keeps is in a folder of its own."""
    (folder / "user.js").write_text(PREFERENCES)
    log = folder / "log"
    flags = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(folder), "about:blank"]
    with log.open("wb") as output:
        home = {**os.environ, "HOME": str(folder)}
        process = subprocess.Popen([FIREFOX, *flags], stdout=output, stderr=output, env=home)
    # In a thread of its own: in that of the tests another browser's client may have one.
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        found = until(lambda: re.search(r"BiDi listening on (ws://\S+)", log.read_text()), bool, "Firefox")
        assert found is not None
        connection = run(loop, _connected(found[1]))
        window = Firefox(connection, loop)
        window.call("session.new", capabilities={})
        window.call("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"])
        yield window
        run(loop, _closed(connection))
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def run(loop: asyncio.AbstractEventLoop, task: Coroutine[Any, Any, T]) -> T:
    """What a task brings that another thread's loop runs."""
    return asyncio.run_coroutine_threadsafe(asyncio.wait_for(task, PATIENCE_S), loop).result()


async def _connected(url: str) -> WebSocketClientConnection:
    return await websocket_connect(f"{url}/session", max_message_size=1 << 26)


async def _closed(connection: WebSocketClientConnection) -> None:
    connection.close()
    while await connection.read_message() is not None:
        pass
