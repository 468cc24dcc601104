"""A URL → its status and what lies below it; answers of a moment ago are used again, since each costs a round trip.

A status is an `os.stat_result`: `st_ino` is made of the store's own mark of a content (ETag, generation), so that a
file that was replaced is another one, whatever its size and time.
"""

from __future__ import annotations

import contextlib
import datetime
import errno
import functools
import hashlib
import importlib
import os
import stat
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .address import SCHEMES, below, scheme_of
from .trouble import TIMEOUT_S, StoreMissingError, Watched, not_known

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

T = TypeVar("T")

#: A status this old is asked for anew.
KNOWN_S = 3.0
#: After a failure that may pass; libraries wait and try again by themselves, too.
WAITS_S = (0.2, 1.0)
#: Of S3's and Google's libraries, each time; five and six of their own would make a dead store a matter of minutes.
THEIR_TRIES = 2
#: To connect, and between two pieces of an answer; the libraries' own are a minute and five tries.
CONNECT_S, READ_S = 10, 30
#: Of a folder more are not looked at: at 1,000 a page this many take 10 s.
MOST_ENTRIES = 100_000
#: Statuses that are remembered.
MOST_KNOWN = 100_000
#: A file's status is taken from a listing of its folder, where that is no longer than a page.
PAGE = 1000
#: Folders that are listed at a time.
LISTED_AHEAD = 8

#: By what stores mark a content, the surest first.
_MARKS = ("ETag", "etag", "generation", "md5Hash", "blob_id", "oid")
_TIMES = ("LastModified", "last_modified", "updated", "mtime", "created")


class Entry(NamedTuple):
    """What a folder holds by a name."""

    name: str
    is_folder: bool


class _Store:
    """One file system of fsspec's, and what is known of its files. All threads share it, as they share connections."""

    def __init__(self, system: Any) -> None:
        self.system = system
        self.lock = threading.Lock()
        self.refreshing = threading.Lock()
        #: URL → when it was asked, and its status. Folder that was listed → how many it held.
        self.known: dict[str, tuple[float, os.stat_result]] = {}
        self.folders: dict[str, int] = {}
        self.pending: dict[str, tuple[float, Future[list[Entry]]]] = {}

    def ask(self, method: str, *args: Any, **named: Any) -> Any:
        """What a method of the file system gives, in the time that `asked` leaves where it can be asked so."""
        if not self.system.async_impl:
            return getattr(self.system, method)(*args, **named)
        asyn = importlib.import_module("fsspec.asyn")
        return asyn.sync(self.system.loop, getattr(self.system, f"_{method}"), *args, timeout=_left_s(), **named)

    def remember(self, url: str, now: os.stat_result) -> os.stat_result:
        with self.lock:
            while len(self.known) >= MOST_KNOWN:
                self.known.pop(next(iter(self.known)))
            self.known.pop(url, None)
            self.known[url] = (time.monotonic(), now)
        return now

    def recall(self, url: str) -> os.stat_result | None:
        at_s, now = self.known.get(url, (float("-inf"), None))
        return now if time.monotonic() - at_s < KNOWN_S else None


_stores: dict[tuple[int, str, str], _Store] = {}
_stores_lock = threading.Lock()


#: When the question of a thread is given up.
_ends = threading.local()


def _left_s() -> float:
    return max(0.001, float(_ends.at_s) - time.monotonic())


def asked(url: str, ask: Callable[[_Store, str], T]) -> T:
    """What a function of the store and of the path in it gives, tried some times in TIMEOUT_S. Raises StoreError."""
    waits_s = iter(WAITS_S)
    _ends.at_s = time.monotonic() + TIMEOUT_S
    while True:
        with (watched := Watched(url)):
            return ask(*_store(url))
        wait_s = next(waits_s, None)
        if not watched.error.passes or wait_s is None or _left_s() <= wait_s:
            raise watched.error
        # Requests that failed together should not be repeated together.
        time.sleep(wait_s * (0.5 + time.monotonic_ns() % 1000 / 1000))


def _store(url: str) -> tuple[_Store, str]:
    """Raises ImportError, and what the library raises that has no credentials."""
    scheme = scheme_of(url)
    cls = _class(url, scheme)
    options = dict(cls._get_kwargs_from_urls(url), use_listings_cache=False, skip_instance_cache=True)
    key = (os.getpid(), scheme, repr(sorted(options.items())))
    with _stores_lock:
        if key not in _stores:
            _stores[key] = _Store(cls(**_patience(scheme), **options))
            if hasattr(cls, "retries"):
                _stores[key].system.retries = THEIR_TRIES
        return _stores[key], cls._strip_protocol(url)


def _class(url: str, scheme: str) -> Any:
    if scheme not in SCHEMES:
        raise not_known(url)
    registry = importlib.import_module("fsspec.registry")
    return registry.get_filesystem_class(scheme)


def _patience(scheme: str) -> dict[str, Any]:
    """Options of S3's library, where the user has set none of the kind in fsspec's own configuration."""
    if scheme not in ("s3", "s3a"):
        return {}
    conf = importlib.import_module("fsspec.config").conf
    given = {**conf.get("s3", {}), **conf.get(scheme, {})}
    limits = {"connect_timeout": CONNECT_S, "read_timeout": READ_S, "retries": {"max_attempts": 2}}
    return {} if "config_kwargs" in given else {"config_kwargs": limits}


def status(url: str, fresh: bool = False) -> os.stat_result:
    """Of a file or folder; `fresh` asks the store in any case. Raises StoreError."""
    return asked(url, lambda store, path: _status(store, url, path, fresh))


def _status(store: _Store, url: str, path: str, fresh: bool) -> os.stat_result:
    if not fresh and (found := store.recall(url)):
        return found
    folder, _, name = url.rpartition("/")
    if fresh or not 0 < store.folders.get(folder, 0) <= PAGE:
        return store.remember(url, _result(url, store.ask("info", path)))
    with store.refreshing:
        found = store.recall(url) or _statuses(store, folder, path.rpartition("/")[0]).get(name)
    if found is None:
        raise StoreMissingError(errno.ENOENT, "no such file, folder or bucket")
    return found


def seen(url: str) -> os.stat_result:
    """The status of a folder that a listing named, without asking for it."""
    return _result(url, {"type": "directory"})


def entries(url: str) -> list[Entry]:
    """What lies in a folder, sorted by name; the statuses of its files are known then. Raises StoreError."""
    at_s, pending = _pending(url)
    if pending and time.monotonic() - at_s < KNOWN_S:
        return pending.result()
    return _listed(url)


def _pending(url: str) -> tuple[float, Future[list[Entry]] | None]:
    with _stores_lock:
        stores = list(_stores.values())
    for store in stores:
        if found := store.pending.pop(url, None):
            return found
    return 0.0, None


@functools.cache
def _pool() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(LISTED_AHEAD, "perfplugin-store")


def list_ahead(urls: Iterable[str]) -> None:
    """Begin to list folders of one store that are asked for soon."""
    for url in urls:
        with Watched(url):
            store, _ = _store(url)
            with store.lock:
                if url not in store.pending and len(store.pending) < 2 * LISTED_AHEAD:
                    store.pending[url] = time.monotonic(), _pool().submit(_listed, url)


def _listed(url: str) -> list[Entry]:
    found = asked(url, lambda store, path: _statuses(store, url, path))
    return [Entry(name, stat.S_ISDIR(found[name].st_mode)) for name in sorted(found)]


def _statuses(store: _Store, url: str, path: str) -> dict[str, os.stat_result]:
    """What lies in a folder, by name."""
    with contextlib.suppress(NotImplementedError):
        store.system.invalidate_cache(path)
    infos = store.ask("ls", path, detail=True)
    found = {}
    for info in infos[:MOST_ENTRIES]:
        name = str(info["name"]).rstrip("/").rpartition("/")[2]
        # Stores list a folder's own mark, too, an object without content.
        if name and str(info["name"]).strip("/") != path.strip("/"):
            there = below(url, name)
            found[name] = store.remember(there, _result(there, info))
    with store.lock:
        store.folders[url] = len(infos)
    return found


def _result(url: str, info: Mapping[str, Any]) -> os.stat_result:
    is_folder = info["type"] == "directory"
    size = 0 if is_folder else int(info.get("size") or 0)
    modified_ns = 0 if is_folder else next((ns for name in _TIMES if (ns := _ns(info.get(name)))), 0)
    mark = url if is_folder else next((str(info[name]).strip('"') for name in _MARKS if info.get(name)), "")
    if mark:
        # Some stores say in listings more than seconds, and of the file itself not.
        modified_ns -= modified_ns % 10**9
    digest = hashlib.blake2b(repr((mark or modified_ns, size)).encode("utf-8", "surrogatepass"), digest_size=7).digest()
    mode = stat.S_IFDIR | 0o555 if is_folder else stat.S_IFREG | 0o444
    seconds = modified_ns // 10**9
    return os.stat_result(
        (mode, int.from_bytes(digest, "big"), 0, 1, 0, 0, size, seconds, seconds, seconds),
        {"st_mtime_ns": modified_ns, "st_mtime": modified_ns / 1e9},
    )


def _ns(value: Any) -> int:
    """A store's time as ns since the epoch; 0 where it is none."""
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if isinstance(value, datetime.datetime):
        value = (value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)).timestamp()
    return max(int(value * 1_000_000), 0) * 1000 if isinstance(value, (int, float)) and value < 1e11 else 0
