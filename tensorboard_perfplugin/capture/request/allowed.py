"""Which addresses may be connected to, and what a name stands for: names are resolved once, here, and what was
checked is what is connected to, so that a name cannot mean one machine when it is checked and another afterwards.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from dataclasses import dataclass
from typing import Any

from ...errors import ArgumentError
from ...units import seconds
from .address import Address
from .failure import WorkerError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
EVERY = "*"

_NAME = re.compile(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*")


@dataclass(frozen=True)
class Rule:
    """One entry of the list: networks or a name, `*.corp` being every name that ends so; and a port, 0 for all."""

    text: str
    networks: tuple[Network, ...] = ()
    name: str = ""
    port: int = 0

    def takes_name(self, address: Address) -> bool:
        if self.port not in (0, address.port) or not self.name:
            return False
        if self.name == EVERY:
            return True
        return address.host.endswith(self.name[1:]) if self.name.startswith("*.") else address.host == self.name

    def takes_ip(self, ip: str, port: int) -> bool:
        plain = _plain(ip)
        return self.port in (0, port) and any(plain in net for net in self.networks if net.version == plain.version)


@dataclass(frozen=True)
class Allowed:
    """The list of what may be connected to. An operator's name allows whatever it resolves to; a network allows a
    name only where everything that it resolves to is inside some network of the list.
    """

    rules: tuple[Rule, ...]

    @classmethod
    def parse(cls, text: str) -> Allowed:
        """From `loopback,10.0.0.0/8,*.corp:6009,trainer,[fd00::]/8,*`; "" allows nothing. Raises ArgumentError."""
        return cls(tuple(_rule(part) for part in re.split(r"[,\s]+", text) if part))

    def resolve(self, address: Address, timeout_s: float) -> tuple[str, ...]:
        """The IP addresses that may be connected to. Raises WorkerError of kind `refused`, or as `resolve`.

        What no rule could allow is refused without being looked up: no name server learns of it.
        """
        if any(rule.takes_name(address) for rule in self.rules):
            return resolve(address, timeout_s)
        if not any(rule.networks and rule.port in (0, address.port) for rule in self.rules):
            raise self._refused(address, "")
        ips = resolve(address, timeout_s)
        for ip in ips:
            if not any(rule.takes_ip(ip, address.port) for rule in self.rules):
                raise self._refused(address, "" if ip == address.host else f", which is {ip}")
        return ips

    def _refused(self, address: Address, what: str) -> WorkerError:
        listed = ", ".join(rule.text for rule in self.rules) or "none"
        message = (
            f"{address}{what}: not among the allowed addresses ({listed}). "
            f"The operator of TensorBoard can allow it: --perfplugin_capture_allow={_suggested(self, address)}"
        )
        return WorkerError("refused", message)


def resolve(address: Address, timeout_s: float) -> tuple[str, ...]:
    """The IP addresses of a host, in the order to be tried in. Raises WorkerError `no_host` or `slow`."""
    outcome: list[tuple[str, ...] | OSError | UnicodeError] = []

    def look_up() -> None:
        try:
            rows = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            outcome.append(error)
        else:
            outcome.append(tuple(dict.fromkeys(_ip(row[4]) for row in rows)))

    # The system's resolver cannot be told how long it may take, and asks servers that are not there for half a minute:
    # a thread that is late is left to itself.
    thread = threading.Thread(target=look_up, name="perfplugin-resolve", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if not outcome:
        raise WorkerError("slow", f"{address}: the name {address.host} was not resolved within {seconds(timeout_s)}")
    if isinstance(outcome[0], Exception) or not outcome[0]:
        raise WorkerError("no_host", _no_host(address))
    return outcome[0]


def _ip(place: tuple[Any, ...]) -> str:
    """The IP address of what a socket connects to: of one that is valid on its link alone, with the link's number."""
    ip = str(place[0])
    return f"{ip}%{place[3]}" if len(place) == 4 and place[3] and "%" not in ip else ip


def _no_host(address: Address) -> str:
    return (
        f"{address}: no host is named {address.host}. "
        "Give the name or IP address, as known on this machine, of the machine that runs the program"
    )


def _rule(text: str) -> Rule:
    lower = text.lower().removesuffix(".")
    network = _network(lower)
    if network is not None:
        return Rule(text, (network,))
    host, port = _split_port(lower, text)
    network = _network(host)
    if host == "loopback" or network is not None:
        return Rule(text, LOOPBACK if network is None else (network,), port=port)
    if host != EVERY and (not _NAME.fullmatch(host) or re.fullmatch(r"[0-9.]+", host)):
        raise ArgumentError(
            f"{text[:100]!a} cannot be allowed: give loopback, an IP address, a network such as "
            "10.0.0.0/8, a name such as trainer or *.corp, or * for all; a :port may follow"
        )
    return Rule(text, name=host, port=port)


def _split_port(lower: str, text: str) -> tuple[str, int]:
    host, colon, port = lower.rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,5}", port):
        return lower, 0
    if not 1 <= int(port) <= 65535:
        raise ArgumentError(f"{text[:100]!a}: the port is not a number from 1 to 65535")
    return host, int(port)


def _network(text: str) -> Network | None:
    """A network or one IP address, in brackets or without."""
    try:
        return ipaddress.ip_network(re.sub(r"^\[([^\[\]]*)\](?=/|$)", r"\1", text), strict=False)
    except ValueError:
        return None


def _plain(ip: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """An IP address without its network interface; of an IPv4 address written as IPv6 the IPv4 address."""
    plain = ipaddress.ip_address(ip.partition("%")[0])
    return plain.ipv4_mapped or plain if isinstance(plain, ipaddress.IPv6Address) else plain


def _suggested(allowed: Allowed, address: Address) -> str:
    return ",".join([*(rule.text for rule in allowed.rules), str(address)])
