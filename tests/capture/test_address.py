"""What is typed as addresses → hosts and ports, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.capture import Address, Allowed, addresses
from tensorboard_perfplugin.errors import ArgumentError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("localhost:6009", ["localhost:6009"]),
        ("grpc://a:6009,[::1]:6010", ["a:6009", "[::1]:6010"]),
        (" GRPC://Trainer-0.Corp.:6009/ \n b:1,,b:1 ", ["trainer-0.corp:6009", "b:1"]),
        ("10.0.0.5:6009", ["10.0.0.5:6009"]),
        ("[2001:DB8:0::1]:65535", ["[2001:db8::1]:65535"]),
        ("[fe80::1%eth0]:6009", ["[fe80::1%eth0]:6009"]),
        ("bücher.example:6009", ["xn--bcher-kva.example:6009"]),
        ("my_pod:6009", ["my_pod:6009"]),
    ],
)
def test_an_address_is_a_host_and_a_port(text: str, expected: list[str]) -> None:
    assert [str(address) for address in addresses(text)] == expected


def test_several_texts_are_one_list() -> None:
    assert addresses(["a:1", "b:2,c:3"]) == (Address("a", 1), Address("b", 2), Address("c", 3))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no address of a profiler server given: give host:port"),
        ("localhost", "'localhost': the port of the profiler server is missing"),
        ("localhost:", "'localhost:': the port '' is not a number from 1 to 65535"),
        ("a:0", "the port '0' is not a number from 1 to 65535"),
        ("a:65536", "the port '65536' is not"),
        ("a:６００９", r"the port '\uff16\uff10\uff10\uff19' is not"),
        ("a:" + "9" * 5000, "the port '99999999999999999999' is not"),
        (":6009", "':6009': the host is missing"),
        ("::1:6009", "an IPv6 address must be in brackets"),
        ("[::1]", "the port after the brackets is missing"),
        ("[localhost]:6009", "the brackets do not contain an IPv6 address"),
        ("[::g]:6009", "'::g' is not an IPv6 address"),
        ("[fe80::1%../x]:6009", "'../x' is not a network interface"),
        ("http://a:6009", "the scheme is http, but profiler servers use grpc"),
        ("unix:///tmp/x:1", "the scheme is unix"),
        ("user@host:6009", "'user@host' is not a valid part of a host name"),
        ("a/b:6009", "'a/b' is not a valid part of a host name"),
        ("grpc://a:6009/path", "the port '6009/path' is not"),
        ("a..b:6009", "'' is not a valid part of a host name"),
        ("-a:6009", "'-a' is not a valid part of a host name"),
        ("1.2.3:6009", "not an IPv4 address"),
        ("256.1.1.1:6009", "not an IPv4 address"),
        ("x" * 64 + ":1", "is not a valid part of a host name"),
        (".".join(["abc"] * 70) + ":1", "the host name has 279 characters"),
        ("a\x00b:1", r"'a\x00b' is not a valid part of a host name"),
        ("\udcff:1", "not a valid host name"),
        ("é" * 60_000 + ":1", "the host name has 60000 characters; the maximum is 253"),
    ],
)
def test_what_is_no_address_is_named(text: str, problem: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        addresses(text)
    assert problem in str(caught.value)
    assert str(caught.value).isprintable()


def test_too_many_addresses_are_refused() -> None:
    with pytest.raises(ArgumentError, match="257 addresses given; at most 256"):
        addresses([f"a:{i + 1}" for i in range(257)])


@pytest.mark.parametrize(
    ("address", "stem"),
    [
        (Address("trainer.corp", 6009), "trainer.corp_6009"),
        (Address("::1", 6009), "--1_6009"),
        (Address("fe80::1%eth0", 1), "fe80--1-eth0_1"),
        # A name with `.tmp` in it would be taken for a file that is still written.
        (Address("pod.tmp.corp", 6009), "pod_tmp.corp_6009"),
    ],
)
def test_a_file_name_is_safe(address: Address, stem: str) -> None:
    assert address.stem == stem


def test_a_long_name_fits_a_file_system() -> None:
    one, other = (Address(".".join(["a" * 60] * 4 + [end]), 65535).stem for end in "xy")
    assert one != other
    assert len(one + ".xplane.pb") <= 255


PIECES = st.sampled_from(["localhost", "10.0.0.1", "::1", "[", "]", ":", "6009", ",", "grpc://", "/", "%", "*", "é"])
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=8).map("".join)


def told(parse: Callable[[str], object], text: str) -> object:
    """What is parsed, or the words in which it is refused."""
    try:
        return parse(text)
    except ArgumentError as error:
        return str(error)


@given(TEXTS)
def test_any_text_is_addresses_or_refused(text: str) -> None:
    """What is taken means the same when it is written out and read again."""
    found = told(addresses, text)
    assert found.isprintable() if isinstance(found, str) else addresses([*map(str, addresses(text))]) == found


@given(TEXTS)
def test_any_text_is_a_list_of_what_is_allowed_or_refused(text: str) -> None:
    found = told(Allowed.parse, text)
    assert found.isprintable() if isinstance(found, str) else isinstance(found, Allowed)
