"""What is asked of whom: addresses, which may be connected to, the options, and how asking a worker can fail."""

from __future__ import annotations

import hashlib
import ipaddress
import re
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal

from ..errors import ArgumentError
from ..patterns import regex
from ..units import seconds

# What a person types as the addresses of profiler servers → `Address`es: host and port, nothing else.

#: Each worker has a thread and holds its answer until it is written.
MAX_ADDRESSES = 256
#: RFC 1035: a name's length, and that of one of its labels.
MAX_NAME, MAX_LABEL = 253, 63
#: File systems take names of 255 bytes, of which the suffix of a capture and of a copy need some.
MAX_STEM = 200

_SCHEME = regex(r"^([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_LABEL = regex(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?", re.IGNORECASE)
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


# What can go wrong with one worker: the kinds, and the exception that carries one from where it is found.

#: Every way that asking one worker can end.
Kind = Literal[
    "ok",
    "refused",  # by the list of what may be connected to
    "no_host",
    "closed",
    "slow",  # no answer in the time that an answer takes
    "not_grpc",
    "no_profiler",
    "busy",
    "same",  # another address of a server that is captured already
    "old_server",  # cannot send a result back
    "empty",
    "too_large",
    "deadline",
    "cut",
    "wrong_answer",
    "failed",  # the server says that it could not, and why
    "cancelled",
    "disk_full",
    "read_only",
]


class WorkerError(Exception):
    """Why one worker's profile did not come. message: what was looked at, what was found, what to do."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message


def one_line(text: str, most: int = 300) -> str:
    """What another machine says, as it can stand in a message: on one line, printable, short."""
    line = " ".join(text[: most * 4].split())
    line = "".join(c if c.isprintable() else "?" for c in line)
    return line if len(line) <= most else line[: most - 1] + "…"


# Which addresses may be connected to, and what a name stands for: names are resolved once, here, and what was
# checked is what is connected to, so that a name cannot mean one machine when it is checked and another afterwards.

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
EVERY = "*"

_NAME = regex(r"(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*")


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

    # The system's resolver takes no time limit, and asks servers that are not there for half a minute:
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


# What a capture is asked for, checked: `Options`, and ready-made ones, `PRESETS`.

Value = str | bool | int

HOUR_MS = 3_600_000
#: Field → lowest and highest value. The wire's numbers of levels; an hour is more than any profiler's buffers hold; a
#: protobuf message is never larger than 2 GiB.
RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "duration_ms": (1, HOUR_MS),
        "delay_ms": (0, HOUR_MS),
        "host_tracer_level": (0, 3),
        "device_tracer_level": (0, 1),
        "python_tracer_level": (0, 1),
        "retries": (0, 100),
        "budget_bytes": (1 << 20, (2 << 30) - 1),
    }
)
MAX_SESSION = 128
MAX_ADVANCED, MAX_KEY, MAX_TEXT = 64, 128, 4096

_SESSION = regex(r"[A-Za-z0-9_-][A-Za-z0-9_. -]*")
_KEY = regex(r"[A-Za-z_][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class Options:
    """What to record, and how to ask for it. Constructing one raises ArgumentError that names field, value and range.

    duration_ms: how long to record; delay_ms: how long to wait before.
    together: all workers begin at one time of their clocks.
    host_tracer_level: 0 nothing, 1 steps and what the program marks, 2 also ops, 3 also small ones.
    device_tracer_level: 0 or 1: kernels, copies, the device's programs.
    python_tracer_level: 0, or 1 for every call of a Python function, which makes the result some ten times larger.
    retries: how often to ask again after a busy or empty answer.
    budget_bytes: a worker's result that is larger is refused before it is held in memory.
    session: the name of the folder that is made; "" for the time, `YYYY_MM_DD_HH_MM_SS`.
    advanced: what the device's profiler understands beyond, as `gpu_max_activity_api_events`; sent as it is.
    """

    duration_ms: int = 2000
    delay_ms: int = 0
    together: bool = False
    host_tracer_level: int = 2
    device_tracer_level: int = 1
    python_tracer_level: int = 0
    retries: int = 3
    budget_bytes: int = 512 << 20
    session: str = ""
    advanced: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            _check_number(name, getattr(self, name), low, high)
        if not isinstance(self.together, bool):
            raise ArgumentError(f"together: {_short(self.together)} is neither true nor false")
        _check_session(self.session)
        _check_advanced(self.advanced)
        object.__setattr__(self, "advanced", MappingProxyType(dict(self.advanced)))

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any]) -> Options:
        """From a mapping of some of the fields, as in a request's body. Raises ArgumentError also for another name."""
        names = [each.name for each in fields(cls)]
        for name in given:
            if name not in names:
                raise ArgumentError.with_choices(f"{_short(name)} is not a capture option", names)
        return cls(**given)

    @property
    def records(self) -> bool:
        """Whether a profiler would look at anything; what an advanced option turns on is not known here."""
        levels = (self.host_tracer_level, self.device_tracer_level, self.python_tracer_level)
        return any(levels) or bool(self.advanced)

    def as_dict(self) -> dict[str, Any]:
        """All fields as JSON takes them."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"advanced": dict(self.advanced)}


@dataclass(frozen=True)
class Preset:
    """Options under a name: what a dialog offers first."""

    name: str
    title: str
    help: str
    options: Options


def _check_number(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentError(f"{name}: {_short(value)} is not a whole number from {low} to {high}")
    if not low <= value <= high:
        raise ArgumentError(f"{name}: {_short(value)} is not from {low} to {high}")


def _check_session(name: Any) -> None:
    if not isinstance(name, str):
        raise ArgumentError(f"session: {_short(name)} is not a string")
    if not name:
        return
    if len(name) > MAX_SESSION:
        raise ArgumentError(f"session: the name has {len(name)} characters; the maximum is {MAX_SESSION}")
    if not _SESSION.fullmatch(name) or ".tmp" in name or name.endswith((".", " ")):
        raise ArgumentError(
            f"session: {_short(name)} is not a valid name: use letters, digits, spaces and _ - . "
            "(no . or space at either end, no .tmp inside)"
        )


def _check_advanced(given: Any) -> None:
    if not isinstance(given, Mapping) or len(given) > MAX_ADVANCED:
        raise ArgumentError(f"advanced: {_short(given)} is not a mapping of at most {MAX_ADVANCED} names to values")
    for key, value in given.items():
        if not isinstance(key, str) or len(key) > MAX_KEY or not _KEY.fullmatch(key):
            raise ArgumentError(
                f"advanced: {_short(key)} is not an option name: use letters, digits and _, at most {MAX_KEY}"
            )
        if not isinstance(value, (str, bool, int)):
            raise ArgumentError(f"advanced: {key}: {_short(value)} is not a string, a boolean or an integer")
        if isinstance(value, str) and (len(value) > MAX_TEXT or not _encodes(value)):
            raise ArgumentError(f"advanced: {key}: must be at most {MAX_TEXT} Unicode characters")
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise ArgumentError(f"advanced: {key}: {_short(value)} is not a 64-bit integer")


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _short(value: Any) -> str:
    """A value in a message. Numbers of thousands of digits have no decimal form in Python, nor a use here."""
    if isinstance(value, int) and value.bit_length() > 200:
        return "a number of more than 60 digits"
    return ascii(value)[:100]


PRESETS = (
    Preset("default", "Default", "Two seconds of ops, kernels and copies: enough for most questions.", Options()),
    Preset(
        "small",
        "Small",
        "One second of steps and device events, without ops and Python: usually at most 5 MB.",
        Options(duration_ms=1000, host_tracer_level=1, budget_bytes=64 << 20),
    ),
    Preset(
        "python",
        "Python stacks",
        "One second with every Python function call. Slows the program; the result is about ten times larger.",
        Options(duration_ms=1000, python_tracer_level=1),
    ),
    Preset(
        "long",
        "Long",
        "Ten seconds of steps and device events, without ops: for infrequent events.",
        Options(duration_ms=10_000, host_tracer_level=1, budget_bytes=1 << 30),
    ),
)
