"""A URL → a file to read: exact ranges where it is asked for parts, blocks ahead where it is read from its begin."""

from __future__ import annotations

import errno
import io
import os
from collections import deque
from typing import TYPE_CHECKING, Any

from .remote import asked, status
from .trouble import StoreError

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

#: Asked for at once.
BLOCK_BYTES = 8 << 20
#: Ranges that are under way at a time: one connection of a store gives some 50 to 100 MB a second.
AT_A_TIME = 6


def open_remote(url: str, ahead: bool = False) -> RemoteFile:
    """A file, unbuffered. ahead: it will be read from its begin to its end, and is what the store has now.

    Raises StoreError.
    """
    return RemoteFile(url, status(url, fresh=ahead), ahead)


class RemoteFile(io.RawIOBase):
    """One content of a URL: reading fails where the store has another by then. All methods raise StoreError."""

    def __init__(self, url: str, now: os.stat_result, ahead: bool) -> None:
        super().__init__()
        self.url, self.now, self.size = url, now, now.st_size
        self._at = 0
        self._ahead = ahead
        self._blocks: deque[tuple[int, Future[bytes]]] = deque()
        self._pool: ThreadPoolExecutor | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self.size}[whence]
        return self._at

    def readinto(self, into: object) -> int:
        view = memoryview(into).cast("B")  # type: ignore[arg-type]
        wanted = min(len(view), self.size - self._at)
        if wanted <= 0:
            return 0
        data = self._block(wanted) if self._ahead else self.range(self._at, self._at + wanted)
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _block(self, wanted: int) -> bytes | memoryview:
        """What there is from here on in the block that was asked for before; begins anew where it was left."""
        begin = self._at - self._at % BLOCK_BYTES
        while self._blocks and self._blocks[0][0] != begin:
            self._blocks.popleft()[1].cancel()
        ahead = range(begin, min(begin + AT_A_TIME // 2 * BLOCK_BYTES, self.size), BLOCK_BYTES)
        # Of a file that is read for its head alone no more than that is fetched.
        if not self._blocks and self._at == 0 and wanted < BLOCK_BYTES // 8:
            return self.range(0, wanted)
        for at in ahead[len(self._blocks) :]:
            self._blocks.append((at, self._fetch(at)))
        data = self._blocks[0][1].result()
        return memoryview(data)[self._at - begin :][:wanted]

    def _fetch(self, begin: int) -> Future[bytes]:
        self._pool = self._pool or _threads(AT_A_TIME // 2)
        return self._pool.submit(self.range, begin, min(begin + BLOCK_BYTES, self.size))

    def range(self, begin: int, end: int) -> bytes:
        """Exactly these bytes."""

        def ask(store: Any, path: str) -> bytes:
            data: bytes = store.ask("cat_file", path, start=begin, end=end)
            if len(data) != end - begin:
                self.check()
                raise StoreError(errno.EIO, f"the store gave {len(data):,} of {end - begin:,} bytes", True)
            return data

        try:
            return asked(self.url, ask)
        except StoreError:
            self.check()
            raise

    def fill(self, data: memoryview) -> None:
        """Reads the first bytes, as many as there is room for, several ranges at a time."""

        def one(begin: int) -> None:
            end = min(begin + BLOCK_BYTES, len(data))
            data[begin:end] = self.range(begin, end)

        begins = range(0, len(data), BLOCK_BYTES)
        with _threads(min(AT_A_TIME, max(len(begins), 1))) as pool:
            for _ in pool.map(one, begins):
                pass

    def check(self) -> None:
        """Raises where the store no longer has what was opened."""
        now = status(self.url, fresh=True)
        if (now.st_ino, now.st_size, now.st_mtime_ns) != (self.now.st_ino, self.now.st_size, self.now.st_mtime_ns):
            raise StoreError(errno.ESTALE, "the file was replaced while it was read; open it again")

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
        super().close()


def _threads(count: int) -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(count, "perfplugin-read")
