"""Which addresses may be connected to."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from tensorboard_perfplugin.capture import Address, Allowed, addresses, check
from tensorboard_perfplugin.capture.request import WorkerError
from tensorboard_perfplugin.capture.server.reach import Reached
from tensorboard_perfplugin.errors import ArgumentError

from .fake_server import FakeProfiler, serving

#: What names stand for here.
NAMES = {
    "localhost": ["127.0.0.1", "::1"],
    "trainer": ["10.1.2.3"],
    "two": ["10.1.2.3", "192.168.0.1"],
    "evil": ["127.0.0.1", "203.0.113.9"],
    "a.corp": ["203.0.113.9"],
    "mapped": ["::ffff:127.0.0.1"],
    "metadata": ["169.254.169.254"],
}


def refusal(allowed: Allowed, address: Address) -> str | None:
    """Why the address may not be connected to, or None."""
    try:
        allowed.resolve(address, 4.0)
    except WorkerError as error:
        return error.message if error.kind == "refused" else None
    return None


@pytest.fixture(autouse=True)
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were looked up."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *hints: int, **options: Any) -> list[Any]:
        asked.append(host)
        ips = NAMES.get(host, [host] if host[0].isdigit() or ":" in host else [])
        if not ips:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET6 if ":" in ip else socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in ips]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


@pytest.mark.parametrize(
    ("rules", "taken", "refused"),
    [
        (
            "loopback",
            "localhost:1 127.0.0.9:1 [::1]:2 mapped:1",
            "trainer:1 evil:1 10.0.0.1:1 metadata:80 0.0.0.0:1 [::]:1",
        ),
        ("loopback:6009", "localhost:6009", "localhost:6010"),
        ("10.0.0.0/8", "trainer:1 10.9.9.9:7", "two:1 localhost:1 11.0.0.1:1"),
        ("10.0.0.0/8,192.168.0.1", "two:1", "[::1]:1"),
        ("10.0.0.0/8:6009", "trainer:6009", "trainer:6010"),
        ("[fd00::]/8,fe80::/10", "[fd00::5]:1 [fe80::1%eth0]:1", "[fc00::1]:1"),
        ("[::1]:6009", "[::1]:6009", "[::1]:6010 127.0.0.1:6009"),
        ("trainer", "trainer:1", "two:1 10.1.2.3:1"),
        ("*.corp:6009", "a.corp:6009", "a.corp:6010 corp:6009 acorp:6009"),
        ("*", "evil:1 10.0.0.1:1 [fd00::1]:1", ""),
        ("*:6009", "evil:6009", "evil:6010"),
        ("", "", "localhost:1"),
    ],
)
def test_rules_take_or_refuse(rules: str, taken: str, refused: str) -> None:
    allowed = Allowed.parse(rules)
    refusals = {text: refusal(allowed, addresses(text)[0]) for text in f"{taken} {refused}".split()}
    assert {text for text, why in refusals.items() if why is None} == set(taken.split())


def test_a_refusal_says_what_is_allowed_and_who_can_allow_more() -> None:
    assert refusal(Allowed.parse("loopback,10.0.0.0/8"), addresses("evil:6009")[0]) == (
        "evil:6009, which is 203.0.113.9: not among the allowed addresses (loopback, 10.0.0.0/8). "
        "The operator of TensorBoard can allow it: --perfplugin_capture_allow=loopback,10.0.0.0/8,evil:6009"
    )


def test_what_no_rule_can_allow_is_not_looked_up(looked_up: list[str]) -> None:
    assert refusal(Allowed.parse("*.corp,loopback:6009"), addresses("secret:6010")[0]) is not None
    assert looked_up == []


def test_what_was_checked_is_what_is_connected_to(looked_up: list[str]) -> None:
    """A name that means loopback when it is checked, and another machine when it is looked up again."""
    with serving(FakeProfiler()) as server:
        address = addresses(f"localhost:{server.port}")[0]
        assert check(address, allowed=Allowed.parse("loopback")).ok
    assert looked_up.count("localhost") == 1


def test_a_name_that_nobody_knows_is_not_refused() -> None:
    allowed = Allowed.parse("loopback")
    address = addresses("nowhere:6009")[0]
    assert refusal(allowed, address) is None
    with pytest.raises(WorkerError, match="no host is named nowhere"):
        allowed.resolve(address, 4.0)


def test_an_address_of_one_link_keeps_its_link(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system gives it apart: without it nothing can be connected to."""
    row = (socket.AF_INET6, socket.SOCK_STREAM, 6, "", ("fe80::1", 6009, 0, 2))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *asked, **hints: [row])
    address = addresses("[fe80::1%eth0]:6009")[0]
    (ip,) = Allowed.parse("fe80::/10").resolve(address, 4.0)
    assert (ip, Reached(address, ip).target) == ("fe80::1%2", "ipv6:[fe80::1%2]:6009")


@pytest.mark.parametrize("text", ["10.0.0.0/33", "a b!", "*corp", "trainer:0", "http://x", "1.2.3", "[::1"])
def test_what_cannot_be_allowed_is_named(text: str) -> None:
    with pytest.raises(ArgumentError):
        Allowed.parse(text)
