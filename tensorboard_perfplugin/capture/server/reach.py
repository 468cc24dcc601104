"""An address → the IP address at which something answers that speaks HTTP/2, as gRPC does; or what is there instead.

Asked with plain sockets: gRPC's own library says "failed to connect to all addresses" to all of it, and takes its
time."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from ...units import seconds
from ...wire import LENGTH, DamagedError, Field, walk
from ..request import Address, Allowed, WorkerError, one_line, resolve

# The first bytes that a server sends on a connection → whether it speaks HTTP/2, or what it is instead.

#: RFC 9113, 3.4: how a client begins, then an empty frame of settings. A server begins with its own.
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
FRAME_HEAD, SETTINGS, SETTING = 9, 4, 6
#: So much of a greeting that is not known is shown, and no more is read at a time.
SHOWN = 40
#: What closes without a word is asked whether it wants TLS, for no longer than this.
TLS_S = 0.5


def exchange(sock: socket.socket, end_s: float) -> bytes | None:
    """Greets, and gives the first bytes that come back; b"" where it closes at once, None where it says nothing.

    end_s: on the clock time.monotonic, when to wait no longer.
    """
    with contextlib.suppress(OSError):
        sock.sendall(PREFACE)
    greeting = b""
    while len(greeting) < FRAME_HEAD and (left_s := end_s - time.monotonic()) > 0:
        sock.settimeout(left_s)
        try:
            more = sock.recv(SHOWN)
        except TimeoutError:
            break
        except OSError:
            return greeting
        if not more:
            return greeting
        greeting += more
    return greeting or None


def is_http2(greeting: bytes) -> bool:
    length = int.from_bytes(greeting[:3], "big")
    return len(greeting) >= FRAME_HEAD and greeting[3] == SETTINGS and length % SETTING == 0


def instead(greeting: bytes, ip: str, port: int) -> str:
    """What it is that did not greet as HTTP/2 does, in words."""
    if not greeting:
        return _TLS if _wants_tls(ip, port) else _CLOSES
    return next((text for fits, text in _KNOWN if fits(greeting)), f"something else answers: {greeting[:SHOWN]!r}")


def _wants_tls(ip: str, port: int) -> bool:
    """Nothing is sent to it, so that whose certificate it has does not matter."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((ip, port), timeout=TLS_S) as sock,
            context.wrap_socket(sock),
        ):
            return True
    except ssl.SSLError as error:
        # An alert is an answer in TLS, too.
        return "ALERT" in str(error.reason)
    except OSError:
        return False


_CLOSES = "it closes the connection immediately, as a tunnel does when its other end is down"
_TLS = "it requires TLS, which profiler servers do not support"
_WEB = "a web server answers; TensorBoard's own port is one"
_KNOWN: tuple[tuple[Callable[[bytes], bool], str], ...] = (
    # Python's web servers leave out the line with the status where they do not know the version.
    (lambda b: b.startswith(b"HTTP/") or b[:9].lower().startswith((b"<!doctype", b"<html")), _WEB),
    (lambda b: b[0] in (0x15, 0x16) and b[1:2] == b"\x03", _TLS),
    (lambda b: b.startswith(b"SSH-"), "an SSH server answers"),
)


#: Of several IP addresses each is given this long, so that one that drops packets does not take all the time.
CONNECT_S = 2.0

_ASK_PORT = "Check the port, and that the program has started its profiler server"


@dataclass(frozen=True)
class Reached:
    """An address at which a server of HTTP/2 answered, and the IP address that did.

    sends: whether it sends its capture back; else it writes it, and it can be taken from where that is.
    """

    address: Address
    ip: str
    sends: bool = True

    @property
    def server(self) -> tuple[str, int]:
        """The same for two addresses of one server: a profiler's listens at both loopback addresses of its machine."""
        # An IPv4 address may be written as one of IPv6.
        return "127.0.0.1" if self.ip == "::1" else self.ip.removeprefix("::ffff:"), self.address.port

    @property
    def target(self) -> str:
        """As gRPC's library takes it, so that it resolves nothing itself."""
        return f"ipv6:[{self.ip}]:{self.address.port}" if ":" in self.ip else f"ipv4:{self.ip}:{self.address.port}"


def reach(address: Address, allowed: Allowed | None, timeout_s: float) -> Reached:
    """Connects, and waits for the greeting. Raises WorkerError: refused, no_host, closed, slow, not_grpc."""
    end_s = time.monotonic() + timeout_s
    ips = allowed.resolve(address, timeout_s) if allowed else resolve(address, timeout_s)
    problems: list[WorkerError] = []
    for ip in ips[:8]:
        left_s = end_s - time.monotonic()
        if problems and left_s < 0.1:
            break
        try:
            _greet(address, ip, max(0.1, min(left_s, CONNECT_S if len(ips) > 1 else left_s)))
        except WorkerError as problem:
            problems.append(problem)
        else:
            return Reached(address, ip)
    raise _most_telling(problems)


def _most_telling(problems: list[WorkerError]) -> WorkerError:
    """Of what was found at several IP addresses: something that answered, before silence, before a closed port."""
    order = ["not_grpc", "slow", "closed"]
    return min(problems, key=lambda problem: order.index(problem.kind))


def _greet(address: Address, ip: str, timeout_s: float) -> None:
    end_s = time.monotonic() + timeout_s
    try:
        with socket.create_connection((ip, address.port), timeout=timeout_s) as sock:
            greeting = exchange(sock, end_s)
    except TimeoutError:
        raise WorkerError(
            "slow", f"{_at(address, ip)}: no connection within {seconds(timeout_s)}. {_DROPPED}"
        ) from None
    except OSError as error:
        raise WorkerError("closed", f"{_at(address, ip)}: {_closed(error)}. {_ASK_PORT}") from None
    if greeting is None:
        raise WorkerError("slow", f"{address}: accepts the connection but sends nothing. {_SILENT}. {_ASK_PORT}")
    if not is_http2(greeting):
        what = instead(greeting, ip, address.port)
        raise WorkerError("not_grpc", f"{address}: not a gRPC server: {what}. {_ASK_PORT}")


_SILENT = "The program may be stopped, or the server is not gRPC"
_DROPPED = "A firewall may drop the packets, or the machine is off"


def _closed(error: OSError) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens on this port"
    return f"the connection failed ({one_line(error.strerror or str(error), 100)})"


def _at(address: Address, ip: str) -> str:
    return str(address) if ip == address.host else f"{address} ({ip})"


# Takes a capture's bytes, gives when its profiler began, by the clock of its machine; reads a few hundred bytes of
# it.
#
# The plane `Task Environment` of an XSpace has the stat `profile_start_time`, in ns since the epoch. XSpace: 1
# planes.
# XPlane: 2 name, 5 map of stat metadata {1 key, 2 {2 name}}, 6 stats {1 metadata id, 3 or 4 an integer}.

PLANE, STAT = b"Task Environment", b"profile_start_time"
#: Fields of a capture that are looked at; a plane's name is among its first; the environment has some ten stats.
MAX_FIELDS, MAX_BEFORE_NAME, MAX_PLANE_BYTES = 4096, 4, 1 << 16


def began_ns(xspace: memoryview) -> int:
    """In ns since the epoch; 0 where the capture does not hold it."""
    try:
        for plane in _inside(xspace, 1, MAX_FIELDS):
            if plane.nbytes <= MAX_PLANE_BYTES and _name(plane) == PLANE:
                return _value(plane)
    except DamagedError:
        pass
    return 0


def _fields(data: memoryview) -> Iterator[Field]:
    return walk(data, 0, len(data))


def _inside(data: memoryview, number: int, most: int | None = None) -> Iterator[memoryview]:
    """The bytes of each field of that number, among the first `most` fields."""
    for field in islice(_fields(data), most):
        if field.number == number and field.wire == LENGTH:
            yield data[field.begin : field.end]


def _name(plane: memoryview) -> bytes:
    for field in islice(_fields(plane), MAX_BEFORE_NAME):
        if field.number == 2 and field.wire == LENGTH:
            return bytes(plane[field.begin : min(field.end, field.begin + 100)])
    return b""


def _value(plane: memoryview) -> int:
    wanted = {_key(entry) for entry in _inside(plane, 5) if any(map(_is_wanted, _inside(entry, 2)))}
    for stat in _inside(plane, 6):
        numbers = {field.number: field.value for field in _fields(stat)}
        if numbers.get(1, 0) in wanted:
            value = numbers.get(3) or numbers.get(4) or 0
            return value if value < 1 << 63 else 0
    return 0


def _is_wanted(metadata: memoryview) -> bool:
    return any(bytes(name) == STAT for name in _inside(metadata, 2))


def _key(entry: memoryview) -> int:
    return next((field.value for field in _fields(entry) if field.number == 1), 0)
