"""An address → the IP address at which something answers that speaks HTTP/2, as gRPC does; or what is there instead.

Asked with plain sockets: gRPC's own library says "failed to connect to all addresses" to all of it, and takes its time.
"""

from __future__ import annotations

import socket
import time
from dataclasses import dataclass

from ...units import seconds
from ..request.address import Address
from ..request.allowed import Allowed, resolve
from ..request.failure import WorkerError, one_line
from .greeting import exchange, instead, is_http2

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
