"""A request that makes something happen → its JSON body, once it is sure that our own page sent it.

TensorBoard has no login. Any page in the same browser can send requests here: as a form, as `text/plain`, or under a
name of its own that it lets resolve to this machine (DNS rebinding). So a request that acts has a header that no other
page may set, is JSON, comes from the page's own origin, and is addressed to a name that no other site can own.
"""

from __future__ import annotations

import functools
import ipaddress
import json
import socket
from collections.abc import Collection
from http import HTTPStatus
from typing import Any

from werkzeug.wrappers import Request

from ..errors import ArgumentError
from ..patterns import regex
from ..units import count

#: Two hundred addresses of 60 characters and all options are 14 kB.
MAX_BODY_BYTES = 64 << 10
MAX_DEPTH = 8
HEADER = "X-Perfplugin"
ORIGINS_FLAG = "--perfplugin_capture_origins"
HOSTS_FLAG = "--perfplugin_hosts"

_PORT = regex(r":\d{1,5}$")
_LABEL = regex(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?")


class RefusedError(ArgumentError):
    """A request that is not answered for what it is, before anything is done. Its HTTP status is part of it."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.FORBIDDEN) -> None:
        super().__init__(message)
        self.status = status


class Guard:
    """Which requests are allowed. origins: what the operator named, as hosts or as origins (`https://tb.example`).

    host: what TensorBoard listens as, a name of ours whose other ports are other origins.
    """

    def __init__(self, origins: Collection[str] = (), host: str = "") -> None:
        self._origins = {origin.strip().lower().rstrip("/") for origin in origins if origin.strip()}
        self._names = {_host(_authority(origin) or origin) for origin in self._origins} | {_host(host)}
        self._names -= {""}

    def addressed(self, request: Request, flag: str = ORIGINS_FLAG) -> None:
        """Raises RefusedError where the request's Host is a name that somebody else may let resolve to this machine.

        flag: which names another.
        """
        host = _host(request.headers.get("Host", ""))
        if not host:
            raise RefusedError("the request's Host header contains no valid host name", HTTPStatus.BAD_REQUEST)
        if not (_is_nobodys(host) or host in self._names or host in _machine_names()):
            raise RefusedError(
                f"the request is addressed to {host[:80]!r}, which is not a known name of TensorBoard: open it as "
                f"localhost or by IP address, or start it with {flag}={host[:80]}"
            )

    def from_page(self, request: Request) -> None:
        """Raises RefusedError where another page than ours may have sent the request."""
        self.addressed(request)
        if request.headers.get(HEADER) != "1":
            raise RefusedError(f"the header {HEADER}: 1 is missing; only TensorBoard's page can send it")
        site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin", "").lower()
        if origin in self._origins or _authority(origin) in self._origins or _host(_authority(origin)) in self._origins:
            return
        if site is not None:
            if site != "same-origin":
                raise RefusedError(f"the request comes from a page of another origin (Sec-Fetch-Site: {site[:40]})")
        elif _authority(origin) != request.headers["Host"].lower():
            raise RefusedError(
                f"the request comes from {origin[:80] or 'an unknown origin'} and is addressed to "
                f"{request.headers['Host'][:80]!r}: behind a proxy, start TensorBoard with "
                f"{ORIGINS_FLAG}={origin[:80] or 'https://proxy.example'}"
            )

    def body(self, request: Request, fields: Collection[str]) -> dict[str, Any]:
        """The object that our own page sent. Raises RefusedError, and ArgumentError for a field that is not known."""
        self.from_page(request)
        given = _object(_read(request))
        for name in given:
            if name not in fields:
                raise ArgumentError.with_choices(f"unknown field {name[:80]!r}", fields)
        return given


def names_of(text: str) -> tuple[str, ...]:
    """Host names in a list with commas. Raises ArgumentError."""
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in names:
        if not _host(name):
            raise ArgumentError(f"{name[:80]!r} is not a valid host name: give names, as in tb.example,tb.corp")
    return names


def _read(request: Request) -> bytes:
    if request.mimetype != "application/json":
        status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        raise RefusedError(f"the content type is {request.mimetype[:80]!r}; it must be application/json", status)
    length = request.content_length
    if length is None:
        raise RefusedError("the request has no Content-Length", HTTPStatus.LENGTH_REQUIRED)
    if length > MAX_BODY_BYTES:
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        raise RefusedError(f"the body has {count(length, 'byte')}; the maximum is {MAX_BODY_BYTES:,}", status)
    return request.stream.read(length)


def _object(body: bytes) -> dict[str, Any]:
    try:
        text = body.decode("utf-8")
        if _depth(text) > MAX_DEPTH:
            raise ArgumentError(f"the body is nested more than {MAX_DEPTH} levels deep")
        given = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except ArgumentError:
        raise
    except ValueError as error:
        # Not UTF-8, not JSON, or a number of thousands of digits.
        raise ArgumentError(f"the body is not valid JSON: {str(error)[:200]}") from None
    if not isinstance(given, dict):
        raise ArgumentError("the body must be a JSON object")
    return given


def _depth(text: str) -> int:
    """How deep lists and objects lie in each other, at most: Python's parser takes as many as its stack holds."""
    deepest = depth = 0
    in_text = escaped = False
    for char in text:
        if in_text:
            in_text, escaped = escaped or char != '"', char == "\\" and not escaped
        elif char == '"':
            in_text = True
        elif char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ArgumentError("the body contains a field twice")
    return fields


def _no_constant(name: str) -> None:
    raise ArgumentError(f"the body contains {name}, which is not a JSON number")


def _host(authority: str) -> str:
    """The host of `host:port`, lower case, without brackets and the root's dot; empty where it is none."""
    name = _PORT.sub("", authority.strip().lower())
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1] if _is_ip(name[1:-1]) else ""
    name = name.removesuffix(".")
    return name if all(_LABEL.fullmatch(label) for label in name.split(".")) else ""


def _authority(origin: str) -> str:
    """`host:port` of an origin, as a Host header has it; empty where it is none, such as `null`."""
    scheme, separator, authority = origin.partition("://")
    return authority if separator and scheme in ("http", "https") else ""


def _is_ip(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_nobodys(host: str) -> bool:
    """Addresses are not looked up; names below localhost, and of one label, are no domain that anyone can register."""
    return _is_ip(host) or host.rpartition(".")[2] == "localhost" or "." not in host


@functools.cache
def _machine_names() -> frozenset[str]:
    """What this machine calls itself. The full name may take a look-up: it is made when another name was asked."""
    name = socket.gethostname().lower()
    return frozenset({name, f"{name}.local", socket.getfqdn().lower()} - {""})
