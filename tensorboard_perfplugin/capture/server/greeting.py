"""The first bytes that a server sends on a connection → whether it speaks HTTP/2, or what it is instead."""

from __future__ import annotations

import contextlib
import socket
import ssl
import time
from collections.abc import Callable

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
    """Nothing is said to it, so that whose certificate it has does not matter."""
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
