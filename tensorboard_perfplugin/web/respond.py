"""A body → a response: gzip where accepted, ETag, content type; errors as JSON. Nothing else makes responses."""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import os
import re
from collections.abc import Callable, Collection, Iterable
from functools import cache
from http import HTTPStatus
from importlib import metadata
from typing import Any, Protocol

from werkzeug.datastructures import Headers
from werkzeug.wrappers import Request, Response

from ..errors import ArgumentError, NotFoundError, PerfpluginError, RemoteError, UnreadableError
from ..units import count

#: A 5.6 MB body: level 1 takes 21 ms and leaves 15 %, level 9 takes 222 ms and leaves 10 %.
GZIP_LEVEL = 1
#: Of the page's own files, which are the same for everybody: packed once, 12 % smaller.
STATIC_GZIP_LEVEL = 9
#: Below this a packet is saved at most.
GZIP_FROM_BYTES = 1000

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_COMPRESSED = ("image/png", "font/woff2")

_KINDS: tuple[tuple[type[PerfpluginError], str, int], ...] = (
    (NotFoundError, "not_found", HTTPStatus.NOT_FOUND),
    (ArgumentError, "bad_argument", HTTPStatus.BAD_REQUEST),
    (UnreadableError, "unreadable", HTTPStatus.UNPROCESSABLE_ENTITY),
    (RemoteError, "remote", HTTPStatus.BAD_GATEWAY),
)


class _NotModified(Response):
    """A 304 that keeps its Content-Type: TensorBoard warns of every response without one, and werkzeug drops it."""

    def get_wsgi_headers(self, environ: Any) -> Headers:
        headers = super().get_wsgi_headers(environ)
        headers["Content-Type"] = self.headers["Content-Type"]
        return headers


def _packed(body: bytes) -> bytes:
    return gzip.compress(body, GZIP_LEVEL, mtime=0)


@functools.lru_cache(maxsize=64)
def _packed_once(body: bytes) -> bytes:
    return gzip.compress(body, STATIC_GZIP_LEVEL, mtime=0)


def respond(request: Request, body: bytes, content_type: str, status: int = 200, **headers: str) -> Response:
    """The one way out. The ETag is weak: it stands for the body before compression. Clients ask again each time."""
    return _respond(request, body, content_type, status, headers, _packed)


def _respond(
    request: Request,
    body: bytes,
    content_type: str,
    status: int,
    headers: dict[str, str],
    pack: Callable[[bytes], bytes],
) -> Response:
    tag = f'W/"{hashlib.blake2b(body, digest_size=16).hexdigest()}"'
    more = Headers(
        {
            "Cache-Control": "private, no-cache",
            "ETag": tag,
            "Vary": "Accept-Encoding",
            "X-Content-Type-Options": "nosniff",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
    )
    if status == HTTPStatus.OK and request.if_none_match.contains_weak(tag[3:-1]):
        return _NotModified(status=HTTPStatus.NOT_MODIFIED, headers=more, content_type=content_type)
    if len(body) >= GZIP_FROM_BYTES and content_type not in _COMPRESSED and request.accept_encodings["gzip"] > 0:
        more["Content-Encoding"] = "gzip"
        body = pack(body)
    return Response(body, status=status, headers=more, content_type=content_type)


def respond_json(request: Request, text: str, status: int = 200, **headers: str) -> Response:
    return respond(request, text.encode("ascii"), "application/json", status, **headers)


def respond_csv(request: Request, text: str, name_parts: Iterable[str]) -> Response:
    """A download. The file's name keeps letters, digits, dot, dash and underscore of its parts."""
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", "_".join(name_parts))[:100]
    disposition = f'attachment; filename="{name}.csv"'
    return respond(request, text.encode("utf-8", "replace"), "text/csv; charset=utf-8", Content_Disposition=disposition)


def respond_gzip(chunks: Iterable[bytes], name: str, close: Callable[[], object] = bool) -> Response:
    """A download of a gzip file as it is made, of unknown length, without ETag; `close` is called when it ends."""
    headers = {
        "Cache-Control": "private, no-store",
        "Content-Disposition": f'attachment; filename="{name}"',
        "X-Content-Type-Options": "nosniff",
    }
    response = Response(chunks, headers=headers, content_type="application/gzip")
    response.call_on_close(close)
    return response


class Download(Protocol):
    """What is made as it is sent. name: of the file, of letters, digits, dots, dashes and underscores."""

    @property
    def name(self) -> str: ...

    @property
    def content_type(self) -> str: ...

    def chunks(self) -> Iterable[bytes]: ...

    def gzipped(self) -> Iterable[bytes]: ...


def respond_download(request: Request, made: Download, close: Callable[[], object]) -> Response:
    """A download of unknown length as it is made, without ETag; `close` is called when it ends."""
    headers = {
        "Cache-Control": "private, no-store",
        "Content-Disposition": f'attachment; filename="{made.name}"',
        "Vary": "Accept-Encoding",
        "X-Content-Type-Options": "nosniff",
    }
    zipped = request.accept_encodings["gzip"] > 0
    if zipped:
        headers["Content-Encoding"] = "gzip"
    chunks = () if request.method == "HEAD" else made.gzipped() if zipped else made.chunks()
    response = Response(chunks, headers=headers, content_type=made.content_type)
    response.call_on_close(close)
    return response


def respond_error(request: Request, kind: str, message: str, status: int, **headers: str) -> Response:
    return respond_json(request, json.dumps({"error": {"kind": kind, "message": message}}), status, **headers)


def respond_problem(request: Request, error: PerfpluginError) -> Response:
    kind, status = problem_of(error)
    return respond_error(request, kind, str(error), status)


def problem_of(error: PerfpluginError) -> tuple[str, int]:
    """What an error is called in a body, and the status of its response."""
    return next((kind, status) for cls, kind, status in _KINDS if isinstance(error, cls))


def respond_file(request: Request, folder: str, name: str) -> Response:
    """A file inside a folder, by real path. Raises NotFoundError for everything that is not one."""
    path = contained(folder, name)
    content_type = TYPES.get(os.path.splitext(path)[1], "application/octet-stream")
    with open(path, "rb") as file:
        return _respond(request, file.read(), content_type, HTTPStatus.OK, {}, _packed_once)


def contained(folder: str, name: str) -> str:
    """The real path of a file in a folder. Raises NotFoundError, whether it is absent, outside, or not a file."""
    root = os.path.realpath(folder)
    try:
        path = os.path.realpath(os.path.join(root, name))
        if os.path.commonpath((root, path)) == root and os.path.isfile(path):
            return path
    except (OSError, ValueError):
        # A null byte, a name too long, or another drive.
        pass
    raise NotFoundError(f"the page has no file {name[:80]!r}")


# A request's parameters, bounded and read once: an unknown one is an error, not silence.

#: A thousand hosts of 60 characters.
MAX_QUERY_BYTES = 64 << 10
MAX_VALUE_CHARS = 4096


class Query:
    """Parameters by name. Raises ArgumentError for a query or a value that is too long."""

    def __init__(self, request: Request) -> None:
        if len(request.query_string) > MAX_QUERY_BYTES:
            raise ArgumentError(
                f"the query has {count(len(request.query_string), 'byte')}; the maximum is {MAX_QUERY_BYTES:,}"
            )
        self._values = {name: request.args.getlist(name) for name in request.args}
        for name, values in self._values.items():
            if max(map(len, values)) > MAX_VALUE_CHARS:
                raise ArgumentError(f"{name[:80]} has a value of more than {MAX_VALUE_CHARS} characters")

    def many(self, name: str) -> list[str]:
        """All values given for a name, in their order."""
        return self._values.pop(name, [])

    def single(self, name: str, default: str | None = None) -> str:
        """The only value. Raises ArgumentError where it is given twice, or not at all and has no default."""
        values = self.many(name)
        if len(values) > 1:
            raise ArgumentError(f"{name[:80]} is given {len(values)} times; give one value")
        if not values and default is None:
            raise ArgumentError(f"{name} is missing")
        return values[0] if values else str(default)

    def rest(self) -> dict[str, str]:
        """Everything not taken yet, each once. Raises ArgumentError."""
        return {name: self.single(name) for name in list(self._values)}

    def end(self, accepted: Collection[str]) -> None:
        """Raises ArgumentError when a parameter was given that is not read."""
        for name in self._values:
            raise ArgumentError.with_choices(f"unknown parameter {name[:80]!r}", accepted)


# Where the package's metadata says that its documentation lies: for a person to open, no page asks for it itself.

_DISTRIBUTION = "tensorboard-perfplugin"


def columns_of(tool: str) -> str:
    """The address of a tool's columns; `.TABLE.COLUMN` or `.COLUMN` after it is that of one. Empty where unknown."""
    return _reference(tool)


def finding(code: str) -> str:
    """The address of a finding, its code as headings are spelt there. Empty where unknown."""
    return _reference(re.sub(r"[^\w-]", "", code))


def _reference(part: str) -> str:
    return f"{folder()}/reference.md#{part}" if folder() else ""


@cache
def folder() -> str:
    """The `Documentation` of the package's metadata: a folder that holds the pages of docs/."""
    try:
        urls = metadata.metadata(_DISTRIBUTION).get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    known = dict(url.split(", ", 1) for url in urls if ", " in url)
    address = known.get("Documentation", "").rstrip("/")
    return address if address.startswith("https://") else ""
