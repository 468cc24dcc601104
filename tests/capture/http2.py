"""Just enough of HTTP/2 (RFC 9113) to answer one gRPC call with any bytes at all, also with what no library would send.

`wait_for_call` takes the client's call; `send` waits for the windows that the client grants, as a real server does.
"""

from __future__ import annotations

import socket
import struct

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4
MAX_FRAME = 16384


class ClosedError(Exception):
    """The client has ended the call, or the connection."""


def header(name: str, value: str) -> bytes:
    """HPACK (RFC 7541, 6.2.2): a literal that is not indexed, without Huffman's code."""
    return bytes([0, len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def prefixed(message: bytes, length: int | None = None, compressed: bool = False) -> bytes:
    """A gRPC message: its flag, its length, or another one, and its bytes."""
    return struct.pack(">BI", compressed, len(message) if length is None else length) + message


class Stream:
    """One call on one connection. number: its stream's; sent: how many bytes of DATA the client took."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.number = 0
        self._windows = {0: 65535}
        self._initial = 65535
        self._ended = False
        self._body = b""
        self.sent = 0

    @property
    def request(self) -> bytes:
        """The call's message, without the 5 bytes of its flag and length."""
        return self._body[5:]

    def greet(self) -> None:
        self.frame(SETTINGS, 0, 0, b"")
        _read(self.sock, len(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))

    def frame(self, kind: int, flags: int, number: int, body: bytes) -> None:
        head = len(body).to_bytes(3, "big") + bytes([kind, flags]) + number.to_bytes(4, "big")
        self.sock.sendall(head + body)

    def wait_for_call(self) -> None:
        """Until a whole call has come. Raises ClosedError where the client only greets."""
        while not self._ended:
            self._take()

    def send_headers(self, *headers: tuple[str, str], end: bool = False) -> None:
        block = b"".join(header(name, value) for name, value in headers)
        self.frame(HEADERS, END_HEADERS | (END_STREAM if end else 0), self.number, block)

    def answer(self, message: bytes) -> None:
        """As a gRPC server does that has nothing to hide."""
        self.begin()
        self.send(prefixed(message))
        self.end()

    def begin(self) -> None:
        self.send_headers((":status", "200"), ("content-type", "application/grpc"))

    def end(self, status: int = 0, text: str = "") -> None:
        self.send_headers(("grpc-status", str(status)), ("grpc-message", text), end=True)

    def send(self, data: bytes) -> None:
        """DATA, as the client's windows allow. Raises ClosedError where the client wants no more."""
        for at in range(0, len(data), MAX_FRAME):
            part = data[at : at + MAX_FRAME]
            while min(self._windows[0], self._windows[self.number]) < len(part):
                self._take()
            self._windows[0] -= len(part)
            self._windows[self.number] -= len(part)
            self.frame(DATA, 0, self.number, part)
            self.sent += len(part)

    def wait_for_end(self) -> None:
        """Until the client ends the call or the connection."""
        while True:
            self._take()

    def _take(self) -> None:
        head = _read(self.sock, 9)
        length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
        number = int.from_bytes(head[5:], "big")
        body = _read(self.sock, length)
        if kind == SETTINGS and not flags & ACK:
            self._set(body)
        elif kind == PING and not flags & ACK:
            self.frame(PING, ACK, 0, body)
        elif kind == WINDOW_UPDATE:
            self._windows[number] = self._windows.get(number, self._initial) + int.from_bytes(body, "big")
        elif kind == HEADERS:
            self.number = number
            self._windows.setdefault(number, self._initial)
        elif kind in (RST_STREAM, GOAWAY):
            raise ClosedError
        elif kind == DATA:
            self._body += body
        self._ended |= kind in (HEADERS, DATA) and bool(flags & END_STREAM)

    def _set(self, body: bytes) -> None:
        for name, value in struct.iter_unpack(">HI", body):
            if name == 4:
                self._initial = value
        self.frame(SETTINGS, ACK, 0, b"")


def _read(sock: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        try:
            more = sock.recv(count - len(data))
        except OSError:
            raise ClosedError from None
        if not more:
            raise ClosedError
        data += more
    return data
