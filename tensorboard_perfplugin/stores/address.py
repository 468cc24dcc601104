"""A path as a person gives it → whether it is a URL, and of which store."""

from __future__ import annotations

import os

from ..patterns import regex

#: Scheme → the package that reads it for fsspec; empty where fsspec does.
SCHEMES = {
    "s3": "s3fs",
    "s3a": "s3fs",
    "gs": "gcsfs",
    "gcs": "gcsfs",
    "az": "adlfs",
    "abfs": "adlfs",
    "abfss": "adlfs",
    "hf": "huggingface_hub",
    "memory": "",
}

_URL = regex(r"[a-zA-Z][0-9a-zA-Z.+-]*://")


def is_url(path: str) -> bool:
    return "://" in path and bool(_URL.match(path))


def scheme_of(url: str) -> str:
    return url.partition("://")[0].lower()


def bucket_of(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


def absolute(path: str) -> str:
    """A path that does not move with the working directory; a URL without slashes at its end."""
    if is_url(path):
        scheme, _, rest = path.partition("://")
        return f"{scheme}://{rest.rstrip('/')}"
    return os.path.abspath(os.path.expanduser(path))


def below(folder: str, name: str) -> str:
    return folder + name if folder.endswith("/") else f"{folder}/{name}"
