"""What a person types as the addresses of profiler servers → `Address`es: host and port, nothing else."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...errors import ArgumentError

#: Each worker has a thread and holds its answer until it is written.
MAX_ADDRESSES = 256
#: RFC 1035: a name's length, and that of one of its labels.
MAX_NAME, MAX_LABEL = 253, 63
#: File systems take names of 255 bytes, of which the suffix of a capture and of a copy need some.
MAX_STEM = 200

_SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?", re.IGNORECASE)
_FORM = "give host:port, as in localhost:6009, 10.0.0.5:6009 or [::1]:6009"


@dataclass(frozen=True)
class Address:
    """A host, as a name in lower case or a literal IP address, and a port from 1 to 65535."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def stem(self) -> str:
        """The begin of this worker's file name, `host_port`: of no character that any file system minds."""
        host = re.sub(r"[^a-z0-9._-]", "-", self.host).replace(".tmp", "_tmp")
        if len(host) > MAX_STEM:
            host = f"{host[: MAX_STEM - 17]}-{hashlib.sha256(host.encode()).hexdigest()[:16]}"
        return f"{host}_{self.port}"


def addresses(text: str | Sequence[str]) -> tuple[Address, ...]:
    """The addresses in a text, separated by commas or spaces, or in several texts; each once, in the order given.

    Raises ArgumentError that names the part that is no address, or says that there is none or too many.
    """
    parts = [part for each in ([text] if isinstance(text, str) else text) for part in re.split(r"[,\s]+", each) if part]
    if len(parts) > MAX_ADDRESSES:
        raise ArgumentError(f"{len(parts)} addresses given; at most {MAX_ADDRESSES} are captured at once")
    distinct = tuple(dict.fromkeys(map(_address, parts)))
    if not distinct:
        raise ArgumentError(f"no address of a profiler server given: {_FORM}")
    return distinct


def _address(part: str) -> Address:
    shown = ascii(part[:200])
    scheme = _SCHEME.match(part)
    if scheme and scheme[1].lower() != "grpc":
        raise ArgumentError(f"{shown}: the scheme is {scheme[1][:20]}, but profiler servers use grpc: {_FORM}")
    rest = part[scheme.end() :] if scheme else part
    rest = rest.removesuffix("/") if scheme else rest
    host, port = _split(rest, shown)
    return Address(_host(host, shown), _port(port, shown))


def _split(rest: str, shown: str) -> tuple[str, str]:
    if rest.startswith("["):
        host, bracket, after = rest[1:].partition("]")
        if not bracket or ":" not in host:
            raise ArgumentError(f"{shown}: the brackets do not contain an IPv6 address: {_FORM}")
        if not after.startswith(":"):
            raise ArgumentError(f"{shown}: the port after the brackets is missing: {_FORM}")
        return host, after[1:]
    if rest.count(":") > 1:
        raise ArgumentError(f"{shown}: an IPv6 address must be in brackets, followed by the port: {_FORM}")
    host, colon, port = rest.partition(":")
    if not colon:
        raise ArgumentError(f"{shown}: the port of the profiler server is missing: {_FORM}")
    return host, port


def _port(text: str, shown: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise ArgumentError(f"{shown}: the port {text[:20]!a} is not a number from 1 to 65535: {_FORM}")
    return int(text)


def _host(text: str, shown: str) -> str:
    if ":" in text:
        return _literal_v6(text, shown)
    name = text.removesuffix(".").lower()
    if re.fullmatch(r"[0-9.]+", name):
        return _literal_v4(name, shown)
    # Encoding a name takes time that grows with the square of its length.
    if not name.isascii() and len(name) <= MAX_NAME:
        name = _idna(name, shown)
    problem = next(_problems(name), None)
    if problem:
        raise ArgumentError(f"{shown}: {problem}: {_FORM}")
    return name


def _problems(name: str) -> Iterator[str]:
    if not name:
        yield "the host is missing"
    if len(name) > MAX_NAME:
        yield f"the host name has {len(name)} characters; the maximum is {MAX_NAME}"
    for label in name.split("."):
        if len(label) > MAX_LABEL or not _LABEL.fullmatch(label):
            yield f"{label[:20]!a} is not a valid part of a host name"


def _idna(name: str, shown: str) -> str:
    try:
        return name.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise ArgumentError(f"{shown}: not a valid host name: {_FORM}") from None


def _literal_v4(text: str, shown: str) -> str:
    try:
        return str(ipaddress.IPv4Address(text))
    except ValueError:
        raise ArgumentError(f"{shown}: not an IPv4 address (four numbers from 0 to 255): {_FORM}") from None


def _literal_v6(text: str, shown: str) -> str:
    host, percent, zone = text.partition("%")
    try:
        literal = str(ipaddress.IPv6Address(host))
    except ValueError:
        raise ArgumentError(f"{shown}: {host[:60]!a} is not an IPv6 address: {_FORM}") from None
    if percent and not re.fullmatch(r"[a-zA-Z0-9._-]{1,15}", zone):
        raise ArgumentError(f"{shown}: {zone[:20]!a} is not a network interface: {_FORM}")
    return literal + percent + zone
