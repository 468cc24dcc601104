"""Compression, ETag, HEAD, headers, files: what every response goes through."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from werkzeug.datastructures import Headers
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request

from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.web.respond import contained, respond, respond_csv, respond_file

LONG = b"abc" * 1000


def request(method: str = "GET", **headers: str) -> Request:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Request(EnvironBuilder(method=method, headers=Headers(named)).get_environ())


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("gzip, br", True),
        ("*", True),
        ("br", False),
        ("", False),
        ("gzip;q=0", False),
        ("*;q=0", False),
    ],
)
def test_gzip_only_when_accepted(accepted: str, packed: bool) -> None:
    response = respond(request(Accept_Encoding=accepted), LONG, "text/plain")
    assert response.headers.get("Content-Encoding") == ("gzip" if packed else None)
    assert (gzip.decompress(response.data) if packed else response.data) == LONG
    assert response.headers["Vary"] == "Accept-Encoding"


def test_gzip_of_equal_bodies_is_equal() -> None:
    """The header's time is 0."""
    assert respond(request(Accept_Encoding="gzip"), LONG, "text/plain").data[4:8] == b"\0\0\0\0"


@pytest.mark.parametrize(
    ("body", "content_type"), [(b"short", "text/plain"), (LONG, "image/png"), (LONG, "font/woff2")]
)
def test_what_is_short_or_packed_already_stays_as_it_is(body: bytes, content_type: str) -> None:
    assert respond(request(Accept_Encoding="gzip"), body, content_type).data == body


def test_not_modified() -> None:
    tag = respond(request(), LONG, "text/plain").headers["ETag"]
    assert tag.startswith('W/"')
    assert respond(request(Accept_Encoding="gzip"), LONG, "text/plain").headers["ETag"] == tag
    for given in (tag, tag[2:], f'"other", {tag}', "*"):
        response = respond(request(If_None_Match=given), LONG, "text/plain")
        assert (response.status_code, response.data) == (304, b"")
        assert response.headers["ETag"] == tag
    assert respond(request(If_None_Match='"other"'), LONG, "text/plain").data == LONG
    assert respond(request(If_None_Match=tag), LONG + b".", "text/plain").status_code == 200


def test_an_error_is_never_not_modified() -> None:
    assert respond(request(If_None_Match="*"), LONG, "text/plain", 404).status_code == 404


def test_head_has_the_headers_and_no_body() -> None:
    head = request("HEAD")
    response = respond(head, LONG, "text/plain")
    assert list(response.get_app_iter(head.environ)) == []
    assert response.headers["Content-Length"] == "3000"


def test_headers() -> None:
    headers = respond(request(), b"x", "application/json").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cache-Control"] == "private, no-cache"


def test_a_csv_is_named_for_what_it_holds() -> None:
    response = respond_csv(request(), "a\r\n\ud800", ("count", "names", 'train/2026"\r\nX: y/é'))
    assert response.headers["Content-Disposition"] == 'attachment; filename="count_names_train_2026_X_y_.csv"'
    assert response.data == b"a\r\n?"


@pytest.mark.parametrize(
    ("name", "content_type"),
    [
        ("index.js", "text/javascript; charset=utf-8"),
        ("style.css", "text/css; charset=utf-8"),
        ("a/b.svg", "image/svg+xml"),
        ("page.html", "application/octet-stream"),
    ],
)
def test_files_and_their_types(tmp_path: Path, name: str, content_type: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"content")
    response = respond_file(request(), str(tmp_path), name)
    assert (response.data, response.headers["Content-Type"]) == (b"content", content_type)


def test_files_are_packed_once_and_tight(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_bytes(LONG)
    first, again = (respond_file(request(Accept_Encoding="gzip"), str(tmp_path), "a.js") for _ in range(2))
    assert first.data == again.data == gzip.compress(LONG, 9, mtime=0)
    (tmp_path / "a.js").write_bytes(LONG + b"other")
    assert gzip.decompress(respond_file(request(Accept_Encoding="gzip"), str(tmp_path), "a.js").data) == LONG + b"other"


def test_only_files_inside_the_folder(tmp_path: Path) -> None:
    static = tmp_path / "static"
    (static / "sub").mkdir(parents=True)
    (tmp_path / "static-secret").write_text("outside, though its path begins like the folder's")
    (tmp_path / "secret.js").write_text("outside")
    (static / "link.js").symlink_to(tmp_path / "secret.js")
    (static / "inner.js").write_text("inside")
    (static / "inside.js").symlink_to("inner.js")
    assert contained(str(static), "sub/../inside.js") == str((static / "inner.js").resolve())
    for name in (
        "",
        ".",
        "sub",
        "../secret.js",
        "../static-secret",
        "link.js",
        str(tmp_path / "secret.js"),
        "\0",
        "a" * 5000,
    ):
        with pytest.raises(NotFoundError):
            contained(str(static), name)
