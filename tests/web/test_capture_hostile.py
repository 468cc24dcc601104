"""Who may make this machine capture: our own page, asked for by a name of this machine; and from where."""

from __future__ import annotations

import logging
import socket
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import capture
from tensorboard_perfplugin.capture import Checked
from tests.capture.test_allowed import refusal
from tests.web.conftest import Browser

ADDRESS = "localhost:6009"
ACTING = ("check", "start", "cancel")
#: Bodies that would be taken, were they sent by our page.
GOOD: dict[str, Any] = {"check": {"addresses": ADDRESS}, "start": {"addresses": ADDRESS}, "cancel": {"job": "x"}}
Headers = dict[str, "str | None"]


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that were connected to: none, where a request is refused."""
    seen: list[str] = []

    def check(address: Any, timeout_s: float = 5.0, allowed: Any = None) -> Checked:
        if why := refusal(allowed, address):
            return Checked(str(address), "refused", why, False)
        seen.append(str(address))
        return Checked(str(address), "ok", "", True)

    monkeypatch.setattr(capture, "check", check)
    monkeypatch.setattr(capture, "run", lambda addresses, *_, **__: seen.extend(map(str, addresses)))
    return seen


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    return Browser(str(tmp_path / "logs"))


def refused(browser: Browser, body: Any, headers: Headers, status: int, message: str, route: str = "check") -> None:
    reply = browser.post(f"capture/{route}", body, headers)
    assert (reply.status_code, reply.mimetype) == (status, "application/json"), reply.text
    assert message in reply.json["error"]["message"], reply.text  # type: ignore[index]
    assert "Access-Control-Allow-Origin" not in reply.headers


@pytest.mark.parametrize("route", ACTING)
@pytest.mark.parametrize(
    ("headers", "status", "message"),
    [
        ({"X-Perfplugin": None}, 403, "the header X-Perfplugin: 1 is missing"),
        ({"X-Perfplugin": "0"}, 403, "the header X-Perfplugin: 1 is missing"),
        ({"Sec-Fetch-Site": "cross-site"}, 403, "a page of another origin (Sec-Fetch-Site: cross-site)"),
        ({"Sec-Fetch-Site": "same-site"}, 403, "a page of another origin (Sec-Fetch-Site: same-site)"),
        ({"Sec-Fetch-Site": "none"}, 403, "a page of another origin (Sec-Fetch-Site: none)"),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"}, 403, "a page of another origin"),
        ({"Sec-Fetch-Site": None}, 403, "the request comes from an unknown origin and is addressed to"),
        (
            {"Sec-Fetch-Site": None, "Origin": "http://evil.example"},
            403,
            "the request comes from http://evil.example",
        ),
        (
            {"Sec-Fetch-Site": None, "Origin": "http://localhost:8000"},
            403,
            "the request comes from http://localhost:",
        ),
        (
            {"Sec-Fetch-Site": None, "Origin": "http://localhost.evil.example"},
            403,
            "the request comes from http://localhost.evil.example",
        ),
        ({"Sec-Fetch-Site": None, "Origin": "null"}, 403, "the request comes from null"),
        ({"Sec-Fetch-Site": None, "Origin": "file://localhost"}, 403, "the request comes from file://localhost"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415, "'application/x-www-form-urlencoded'; it must be"),
        (
            {"Content-Type": "multipart/form-data; boundary=x"},
            415,
            "'multipart/form-data'; it must be application/json",
        ),
        ({"Content-Type": "text/plain"}, 415, "the content type is 'text/plain'; it must be application/json"),
        ({"Content-Type": "text/plain; a=application/json"}, 415, "'text/plain'; it must be application/json"),
        ({"Content-Type": None}, 415, "the content type is ''; it must be application/json"),
    ],
)
def test_pages_of_others_are_refused(
    browser: Browser, asked: list[str], route: str, headers: Headers, status: int, message: str
) -> None:
    refused(browser, GOOD[route], headers, status, message, route)
    assert asked == []


@pytest.mark.parametrize("route", ["check", "start", "cancel", "options", "state"])
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:6006",
        "localhost.evil.example:6006",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.example",
        f"{socket.gethostname()}.evil.example",
        "evil.local",
    ],
)
def test_names_that_others_let_resolve_to_this_machine(browser: Browser, route: str, host: str) -> None:
    """DNS rebinding: the browser takes the page for one of ours, so header, type and origin are right."""
    headers: Headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": None}
    if route in ACTING:
        refused(browser, GOOD[route], headers, 403, "not a known name of TensorBoard", route)
    else:
        reply = browser.get(f"capture/{route}", {"job": "x"} if route == "state" else None, headers={"Host": host})
        assert (reply.status_code, reply.json["error"]["kind"]) == (403, "forbidden")  # type: ignore[index]


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:6006",
        "LOCALHOST.:6006",
        "tb.localhost",
        "127.0.0.1:6006",
        "192.168.1.7:6006",
        "[::1]:6006",
        "[fe80::1]",
        "gpubox:6006",
        socket.gethostname(),
    ],
)
def test_names_of_this_machine(browser: Browser, asked: list[str], host: str) -> None:
    reply = browser.post(
        "capture/check", GOOD["check"], {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": None}
    )
    assert (reply.status_code, asked) == (200, [ADDRESS]), reply.text


@pytest.mark.parametrize("host", ["", ":6006", "a b", "localhost@evil.example", "[::1", "[x]:1", "a..b", "<b>", "a,b"])
def test_hosts_that_are_none(browser: Browser, asked: list[str], host: str) -> None:
    refused(browser, GOOD["check"], {"Host": host}, 400, "the request's Host header contains no valid host name")
    assert asked == []


@pytest.mark.parametrize(
    ("named", "headers", "status"),
    [
        # A proxy that keeps the name: the Host is its own.
        ("tb.corp.example", {"Host": "tb.corp.example", "Sec-Fetch-Site": "same-origin"}, 200),
        ("https://tb.corp.example", {"Host": "tb.corp.example", "Origin": "https://tb.corp.example"}, 200),
        # One that asks us by our own, where the browser does not say what kind of page asks.
        ("https://tb.corp.example", {"Origin": "https://tb.corp.example", "Sec-Fetch-Site": None}, 200),
        ("https://tb.corp.example/", {"Origin": "https://TB.corp.example", "Sec-Fetch-Site": None}, 200),
        ("a.example, tb.corp.example", {"Origin": "http://tb.corp.example:8080", "Sec-Fetch-Site": None}, 200),
        # What was named is no other scheme, port or name.
        ("https://tb.corp.example", {"Origin": "http://tb.corp.example", "Sec-Fetch-Site": None}, 403),
        ("https://tb.corp.example", {"Origin": "https://tb.corp.example:1", "Sec-Fetch-Site": None}, 403),
        ("corp.example", {"Host": "tb.corp.example", "Sec-Fetch-Site": "same-origin"}, 403),
        ("tb.corp.example", {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, 403),
        ("", {"Origin": "", "Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_what_the_operator_named(tmp_path: Path, named: str, headers: Headers, status: int) -> None:
    browser = Browser(str(tmp_path), perfplugin_capture_origins=named)
    assert browser.post("capture/check", GOOD["check"], headers).status_code == status


def test_the_name_that_tensorboard_listens_as(tmp_path: Path) -> None:
    browser = Browser(str(tmp_path), host="tb.corp.example")
    assert browser.post("capture/check", GOOD["check"], {"Host": "tb.corp.example:6006"}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://127.0.0.1:9999", "Sec-Fetch-Site": None}, 403),
        ({"Origin": "https://127.0.0.1:9999", "Sec-Fetch-Site": None}, 403),
        ({"Origin": "http://127.0.0.1:6006", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://127.0.0.1:6006", "Sec-Fetch-Site": None}, 200),
        ({"Origin": "http://127.0.0.1:6006", "Sec-Fetch-Site": "same-origin"}, 200),
    ],
)
def test_other_ports_of_what_it_listens_as_are_other_origins(tmp_path: Path, headers: Headers, status: int) -> None:
    """With `--host` any port of it was taken for our own page."""
    browser = Browser(str(tmp_path), host="127.0.0.1")
    reply = browser.post("capture/check", GOOD["check"], {"Host": "127.0.0.1:6006", **headers})
    assert reply.status_code == status


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"])
@pytest.mark.parametrize("route", ACTING)
def test_nothing_happens_but_by_post(browser: Browser, asked: list[str], method: str, route: str) -> None:
    """A picture's address, a link, or a preflight: the last must not be told that it may."""
    headers = {"X-Perfplugin": "1", "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
    path = f"/data/plugin/perfplugin/capture/{route}"
    reply = browser.client.open(path, method=method, query_string="addresses=localhost:6009", headers=headers)
    assert (reply.status_code, reply.headers["Allow"]) == (405, "POST")
    assert not any(name.startswith("Access-Control") for name, _ in reply.headers)
    assert asked == []


def test_head_of_what_is_read(browser: Browser) -> None:
    reply = browser.client.head("/data/plugin/perfplugin/capture/options")
    assert (reply.status_code, reply.data) == (200, b"")


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 411, "the request has no Content-Length"),
        (b"addresses=localhost:6009", 400, "the body is not valid JSON"),
        (b'{"addresses": "localhost:6009"', 400, "the body is not valid JSON"),
        (b'{"addresses": "localhost:6009"} x', 400, "the body is not valid JSON"),
        (b'\xff\xfe{"addresses": 1}', 400, "the body is not valid JSON"),
        ('{"addresses": "localhost:6009"}'.encode("utf-16"), 400, "the body is not valid JSON"),
        (b"[]", 400, "the body must be a JSON object"),
        (b"null", 400, "the body must be a JSON object"),
        (b'"localhost:6009"', 400, "the body must be a JSON object"),
        (b'{"addresses": NaN}', 400, "the body contains NaN, which is not a JSON number"),
        (b'{"addresses": ' + b"9" * 5000 + b"}", 400, "the body is not valid JSON"),
        (b'{"addresses": "a:1", "addresses": "b:1"}', 400, "the body contains a field twice"),
        (b"[" * 60_000, 400, "the body is nested more than 8 levels deep"),
        (b'{"a":' * 10_000 + b"1" + b"}" * 10_000, 400, "the body is nested more than 8 levels deep"),
        (b'{"addresses": "' + b"a" * 65_536 + b'"}', 413, "the body has 65,553 bytes; the maximum is 65,536"),
        (b'{"addresses": "[[[[[[[[[[{{{{ \\"[[["}', 400, "the brackets do not contain an IPv6 address"),
        (b'"' + b'\\"' * 30_000, 400, "the body is not valid JSON"),
        (b'{"addresses": "a:1", "__proto__": {}}', 400, "unknown field '__proto__': use one of addresses"),
        (b'{"addresses": "' + b"a:1," * 10_000 + b'"}', 400, "10000 addresses given; at most 256 are captured at once"),
        (b'{"addresses": "\\ud800:1"}', 400, "not a valid host name"),
        (b'{"addresses": "a\\u0000b:1"}', 400, "is not a valid part of a host name"),
        (b'{"addresses": "localhost:1\\r\\nX-Injected: 1"}', 400, "is no"),
    ],
)
def test_bodies(browser: Browser, asked: list[str], body: bytes, status: int, message: str) -> None:
    refused(browser, body, {}, status, message, "start")
    assert asked == []


def test_a_body_of_unknown_length(browser: Browser) -> None:
    reply = browser.client.open(
        "/data/plugin/perfplugin/capture/check",
        method="POST",
        headers={"X-Perfplugin": "1", "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"},
        environ_overrides={"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True},
    )
    assert reply.status_code == 411


NOT_ALLOWED = [
    "10.0.0.5:6009",
    "169.254.169.254:80",
    "0.0.0.0:6009",
    "[::]:6009",
    "[::ffff:10.0.0.5]:6009",
    "[::ffff:a00:5]:6009",
    "[fe80::1]:6009",
    "[64:ff9b::7f00:1]:6009",
    "128.0.0.1:6009",
    # What a resolver reads as 10.0.0.5, and what becomes it when letters are made plain.
    "0x0a000005:6009",
    "①0.0.0.5:6009",
]


@pytest.mark.parametrize("address", NOT_ALLOWED)
def test_addresses_elsewhere_are_not_connected_to(browser: Browser, asked: list[str], address: str) -> None:
    (host,) = browser.post("capture/check", {"addresses": address}).json["hosts"]  # type: ignore[index]
    assert (host["kind"], host["ok"], asked) == ("refused", False, [])
    assert "--perfplugin_capture_allow=" in host["message"]


@pytest.mark.parametrize(
    "address",
    [
        "2130706433:6009",
        "0177.0.0.1:6009",
        "127.1:6009",
        "0:6009",
        "127.0.0.1",
        "127.0.0.1:0",
        "127.0.0.1:65536",
        "127.0.0.1:-1",
        "user@localhost:6009",
        "localhost:6009/path",
        "localhost:6009?x",
        "http://localhost:6009",
        "unix:///run/docker.sock",
        "unix:/run/docker.sock",
        "dns:///localhost:6009",
        "ipv4:127.0.0.1:6009",
        "::1:6009",
        "[::1%25lo]:6009x",
    ],
)
def test_other_ways_to_write_an_address(browser: Browser, asked: list[str], address: str) -> None:
    """Decimal, octal and short forms, which resolvers read as they like; and addresses of kinds that gRPC knows."""
    reply = browser.post("capture/check", {"addresses": address})
    assert reply.json
    assert (reply.status_code, asked, reply.json["hosts"]) == (200, [], [])
    assert "give host:port, as in localhost:6009" in reply.json["problem"]


@pytest.mark.parametrize(
    ("name", "ips"),
    [
        ("trainer", ["10.0.0.5"]),
        ("trainer", ["127.0.0.1", "10.0.0.5"]),
        ("localhost.evil.example", ["169.254.169.254"]),
    ],
)
def test_names_that_resolve_elsewhere(
    browser: Browser, asked: list[str], monkeypatch: pytest.MonkeyPatch, name: str, ips: list[str]
) -> None:
    def resolve(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ips]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    (host,) = browser.post("capture/check", {"addresses": f"{name}:6009"}).json["hosts"]  # type: ignore[index]
    assert (host["kind"], asked) == ("refused", [])


def test_tensorboard_has_nothing_to_say(browser: Browser, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for headers in ({}, {"X-Perfplugin": None}, {"Content-Type": "text/plain"}):
            browser.post("capture/check", GOOD["check"], headers)
        browser.get("capture/options")
        browser.get("capture/state", {"job": "<script>"})
    assert caplog.text == ""
