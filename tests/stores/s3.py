"""An S3 server on loopback, as much of it as a client that reads needs, with faults on demand."""

from __future__ import annotations

import contextlib
import email.utils
import functools
import hashlib
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape

#: What a request is to meet, by its method, bucket, key and whether it is of a range: an error's code, `cut` in the
#: middle of the body, `reset` before the answer, or seconds to wait.
Fault = Callable[[str, str, str], "str | float | None"]
_STATUS = {"AccessDenied": 403, "ExpiredToken": 400, "InternalError": 500, "SlowDown": 503, "NoSuchBucket": 404}
_STATUS |= {"NoSuchKey": 404}

#: With the server's address as AWS_ENDPOINT_URL, what a client finds of its user.
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "key",
    "AWS_SECRET_ACCESS_KEY": "secret",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_CONFIG_FILE": "/nowhere",
    "AWS_SHARED_CREDENTIALS_FILE": "/nowhere",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@dataclass
class Object:
    data: bytes
    modified_s: float = field(default_factory=time.time)

    @functools.cached_property
    def etag(self) -> str:
        return f'"{hashlib.md5(self.data, usedforsecurity=False).hexdigest()}"'


class S3(ThreadingHTTPServer):
    """buckets: name → key → object. asked: each request's method, path and query. fault: what befalls a request."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.buckets: dict[str, dict[str, Object]] = {}
        self.asked: list[tuple[str, str]] = []
        self.fault: Fault = lambda method, bucket, key: None
        self.page = 1000

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def put(self, bucket: str, key: str, data: bytes) -> str:
        self.buckets.setdefault(bucket, {})[key] = Object(data)
        return f"s3://{bucket}/{key}"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is what some tests want."""


@contextlib.contextmanager
def served() -> Iterator[S3]:
    with S3() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: S3

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        split = urllib.parse.urlsplit(self.path)
        bucket, _, key = urllib.parse.unquote(split.path).lstrip("/").partition("/")
        query = dict(urllib.parse.parse_qsl(split.query, keep_blank_values=True))
        self.server.asked.append((self.command, self.path))
        fault = self.server.fault(self.command, bucket, key or query.get("prefix", ""))
        if fault == "reset":
            self.close_connection = True
            return
        if isinstance(fault, (int, float)):
            time.sleep(fault)
        elif fault and fault != "cut":
            self._error(fault)
            return
        if bucket not in self.server.buckets:
            self._error("NoSuchBucket", "The specified bucket does not exist")
        elif not key:
            self._list(bucket, query)
        elif key not in self.server.buckets[bucket]:
            self._error("NoSuchKey", "The specified key does not exist.")
        else:
            self._object(self.server.buckets[bucket][key], fault == "cut")

    def _object(self, found: Object, cut: bool) -> None:
        data, status = found.data, 200
        headers = {"ETag": found.etag, "Last-Modified": email.utils.formatdate(found.modified_s, usegmt=True)}
        if given := self.headers.get("Range"):
            first, _, last = given.removeprefix("bytes=").partition("-")
            begin, end = int(first), min(int(last or len(data) - 1), len(data) - 1) + 1
            if begin >= len(data):
                self._error("InvalidRange", status=416)
                return
            headers["Content-Range"] = f"bytes {begin}-{end - 1}/{len(data)}"
            data, status = data[begin:end], 206
        self._send(status, data, headers, len(data) // 2 if cut else len(data))

    def _list(self, bucket: str, query: dict[str, str]) -> None:
        if "list-type" not in query:
            self._send(200, b"", {}, 0)
            return
        prefix, delimiter = query.get("prefix", ""), query.get("delimiter", "")
        most = min(int(query.get("max-keys", 1000)), self.server.page)
        objects = self.server.buckets[bucket]
        names: dict[str, Object | None] = {}
        for key in sorted(objects):
            if not key.startswith(prefix):
                continue
            part, found, _ = key[len(prefix) :].partition(delimiter) if delimiter else (key[len(prefix) :], "", "")
            names.setdefault(prefix + part + found, None if found else objects[key])
        left = [name for name in names if name > query.get("continuation-token", "")]
        page = left[:most]
        rows = [_row(name, names[name]) for name in page]
        more = len(left) > len(page)
        token = f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>" if more else ""
        body = (
            '<?xml version="1.0"?><ListBucketResult>'
            f"<Name>{bucket}</Name><Prefix>{escape(prefix)}</Prefix><KeyCount>{len(rows)}</KeyCount>"
            f"<IsTruncated>{str(more).lower()}</IsTruncated>{token}{''.join(rows)}</ListBucketResult>"
        ).encode()
        self._send(200, body, {"Content-Type": "application/xml"}, len(body))

    def _error(self, code: str, text: str = "", status: int = 0) -> None:
        body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{text or code}</Message></Error>".encode()
        self._send(status or _STATUS.get(code, 500), body, {"Content-Type": "application/xml"}, len(body))

    def _send(self, status: int, body: bytes, headers: dict[str, str], sent: int) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[:sent])
        if sent < len(body):
            self.close_connection = True


def _row(name: str, found: Object | None) -> str:
    if found is None:
        return f"<CommonPrefixes><Prefix>{escape(name)}</Prefix></CommonPrefixes>"
    modified = time.strftime("%Y-%m-%dT%H:%M:%S.123Z", time.gmtime(found.modified_s))
    return (
        f"<Contents><Key>{escape(name)}</Key><LastModified>{modified}</LastModified><ETag>{escape(found.etag)}</ETag>"
        f"<Size>{len(found.data)}</Size><StorageClass>STANDARD</StorageClass></Contents>"
    )
