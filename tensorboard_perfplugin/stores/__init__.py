"""A URL of an object store → its status, what lies below it, its bytes, through fsspec; which is loaded on first use.

Paths of this machine never come here: `is_url` is what callers ask first. What goes wrong is a `StoreError`, an OSError
whose `strerror` is one sentence. Credentials are only found by the libraries themselves.
"""

from .address import absolute, is_url
from .remote import entries, list_ahead, seen, status
from .remote_file import RemoteFile, open_remote
from .trouble import StoreError

__all__ = [
    "RemoteFile",
    "StoreError",
    "absolute",
    "entries",
    "is_url",
    "list_ahead",
    "open_remote",
    "seen",
    "status",
]
