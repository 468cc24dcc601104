"""A browser's view: the plugin inside TensorBoard's own WSGI application, without a server."""

from __future__ import annotations

import json
import warnings
from argparse import Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from tensorboard.plugins.base_plugin import TBContext
from werkzeug.test import Client, TestResponse

from tensorboard_perfplugin import tools
from tensorboard_perfplugin.plugin import PerfPluginLoader
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT

with warnings.catch_warnings():
    # TensorBoard's own dependencies warn while they are imported.
    warnings.simplefilter("ignore")
    from tensorboard.backend.application import TensorBoardWSGI

PREFIX = "/data/plugin/perfplugin/"


class Browser:
    """Asks the plugin's routes, by paths relative to them."""

    def __init__(self, logdir: str, logdir_spec: str = "", path_prefix: str = "", **flags: str | bool) -> None:
        plugin = PerfPluginLoader().load(TBContext(logdir=logdir, flags=Namespace(logdir_spec=logdir_spec, **flags)))
        self._base = path_prefix + PREFIX
        self.client = Client(TensorBoardWSGI([plugin], path_prefix=path_prefix))

    def get(self, route: str, query: Any = None, base: str = "", **more: Any) -> TestResponse:
        return self.client.get((base or self._base) + route, query_string=query, **more)

    def post(self, route: str, body: Any, headers: Mapping[str, str | None] | None = None) -> TestResponse:
        """As our page sends it, but for some headers; one that is None is left out. Bytes are sent as they are."""
        own = {"X-Perfplugin": "1", "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        sent = {name: value for name, value in {**own, **(headers or {})}.items() if value is not None}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(self._base + route, data=data, headers=sent)

    def json(self, route: str, query: Any = None, status: int = 200) -> Any:
        response = self.get(route, query)
        assert (response.status_code, response.mimetype) == (status, "application/json"), response.text
        return response.json

    def error(self, route: str, query: Any, status: int) -> tuple[str, str]:
        """Kind and message."""
        error = self.json(route, query, status)["error"]
        return error["kind"], error["message"]


OpenBrowser: TypeAlias = Callable[[dict[str, "Space | bytes"]], Browser]


@pytest.fixture
def small_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    """The only tool there is counts events."""
    monkeypatch.setattr(tools, "TOOLS", (COUNT,))
    monkeypatch.setattr(tools, "OF_TWO", ())


@pytest.fixture
def open_browser(make_logdir: MakeLogdir, tmp_path: Path) -> OpenBrowser:
    """`open_browser({"r1/h.xplane.pb": space})`: a browser on a logdir of these files."""

    def opened(files: dict[str, Space | bytes]) -> Browser:
        (tmp_path / "logs").mkdir(exist_ok=True)
        return Browser(str(make_logdir(files)))

    return opened
