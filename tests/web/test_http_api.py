"""`http_api.md` tells the truth: every route and parameter is there, and every sample is what a browser gets."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode, tools
from tensorboard_perfplugin.web import POSTED, ROUTES
from tests.build_capture import Space
from tests.columns import read_columns
from tests.web.conftest import Browser

DOCUMENT = Path(tools.__file__).parents[1] / "web" / "http_api.md"
#: A request, then what comes back: `GET path`, or `POST path` with `body`; a blank line, a fenced block.
SAMPLE = re.compile(
    r"^`(?:GET|POST) (\S+)`(?: with `([^`]+)`)? → (\d+)\n\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
#: In a sample: more keys, or more items, which are not shown.
MORE = "…"
MARCH_S = 1_772_366_400


def sample_logdir(folder: Path) -> Path:
    """The logdir of the samples: one host that launches two kernels, and one whose file holds a page of HTML."""
    space = Space(hostnames=["trainer"])
    cpu = space.plane("/host:CPU").line(1, "python")
    cpu.event("train/MatMul:MatMul", 0, 5_000_000).event("train/Relu:Relu", 5_000_000, 2_000_000)
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    stream.event("gemm", 1_000_000, 6_000_000, {"tf_op": "train/MatMul:MatMul"})
    stream.event("relu", 8_000_000, 2_000_000, {"tf_op": "train/Relu:Relu"})
    for run, content in (("good", space.bytes()), ("broken", b"<!DOCTYPE html><html></html>")):
        path = folder / "logs" / run / "trainer.xplane.pb"
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        os.utime(path, (MARCH_S + (run == "good"), MARCH_S + (run == "good")))
    return folder / "logs"


def samples() -> list[Any]:
    found = [
        pytest.param(*match.groups(), id=match[1] + (match[2] or "")) for match in SAMPLE.finditer(DOCUMENT.read_text())
    ]
    assert len(found) >= 8
    return found


def difference(shown: Any, got: Any, where: str = "") -> str:
    """Where a body is not as its sample shows it; empty when it is."""
    if isinstance(shown, dict) and isinstance(got, dict):
        whole = MORE not in shown
        if (list(shown) != list(got)) if whole else not set(shown) - {MORE} <= set(got):
            return f"{where}: keys {list(got)}"
        return next(filter(None, (difference(shown[k], got[k], f"{where}.{k}") for k in shown if k != MORE)), "")
    if isinstance(shown, list) and isinstance(got, list):
        items = shown[:-1] if MORE in shown[-1:] else shown
        if len(items) > len(got) or (items is shown and len(items) != len(got)):
            return f"{where}: {len(got)} items"
        pairs = enumerate(zip(items, got, strict=False))
        return next(filter(None, (difference(a, b, f"{where}[{i}]") for i, (a, b) in pairs)), "")
    return "" if shown == got else f"{where}: {got!r}"


@pytest.fixture(scope="module")
def logdir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_logdir(tmp_path_factory.mktemp("http_api"))


@pytest.mark.parametrize(("address", "sent", "status", "form", "body"), samples())
def test_samples(
    logdir: Path, address: str, sent: str | None, status: str, form: str, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # `doctor` has one more to say where there is no compiled decoder.
    monkeypatch.setattr(decode, "COMPILED", True)
    browser = Browser(str(logdir))
    response = browser.get(address) if sent is None else browser.post(address, sent.encode())
    text = response.data.decode(errors="replace").replace(str(logdir), "/logs")
    assert response.status_code == int(status), text
    if form == "json":
        assert response.mimetype == "application/json"
        assert difference(json.loads(body), json.loads(text)) == "", text
    elif form == "columns":
        assert response.mimetype == "application/octet-stream"
        assert difference(json.loads(body), read_columns(response.data)) == ""
    else:
        assert text.replace("\r\n", "\n") == body


def test_every_route_is_documented_with_a_sample() -> None:
    document = DOCUMENT.read_text()
    told = re.findall(r"^## `(GET|POST) (\S+)`", document, re.MULTILINE)
    assert told == [("POST" if route in POSTED else "GET", route.removeprefix("/")) for route in ROUTES]
    sampled = {re.split(r"[?]|/[^/]*[.]", match[1])[0] for match in SAMPLE.finditer(document)}
    assert sampled == {route.strip("/*") for route in ROUTES}


def test_tools_that_are_sampled_are_there() -> None:
    sampled = set(re.findall(r"tool=(\w+)", DOCUMENT.read_text()))
    assert sampled - {tool.name for tool in tools.listed()} == {"nope"}


@pytest.mark.parametrize(
    ("shown", "got", "where"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, ": keys ['a', 'b']"),
        ({"a": 1, "…": 0}, {"a": 1, "b": 2}, ""),
        ({"a": 1, "…": 0}, {"a": 2, "b": 2}, ".a: 2"),
        ({"c": 1, "…": 0}, {"a": 2}, ": keys ['a']"),
        ([1, "…"], [1, 2], ""),
        ([1], [1, 2], ": 2 items"),
        ([1, "…"], [], ": 0 items"),
        ({"a": [{"b": None}]}, {"a": [{"b": 0}]}, ".a[0].b: 0"),
    ],
)
def test_the_comparison_sees_differences(shown: Any, got: Any, where: str) -> None:
    assert difference(shown, got) == where
