"""A path, or bytes → the bytes of a capture: mapped, or unpacked where they are gzip."""

from __future__ import annotations

import dataclasses
import mmap
import os
import stat
import zlib

from ..errors import NotFoundError, UnreadableError
from ._sniff import AGAIN, HEAD_BYTES, kind_of

GZIP = b"\x1f\x8b"
#: Unpacked data is held in memory. Captures pack to a fifth or a tenth; more than a hundredth is no capture.
MAX_RATIO, MIN_LIMIT_BYTES, MAX_LIMIT_BYTES = 100, 64 << 20, 8 << 30
#: Unpacks to 66 MB at the most.
CHUNK_BYTES = 1 << 16


@dataclasses.dataclass(frozen=True)
class Source:
    """data: what there is to decode. size_bytes: of the file. warnings: what went wrong while it was unpacked."""

    path: str
    data: memoryview
    size_bytes: int
    warnings: tuple[str, ...] = ()
    unpacked: bool = False

    @property
    def name(self) -> str:
        return os.path.basename(self.path).removesuffix(".gz")

    @property
    def head(self) -> bytes:
        return bytes(self.data[:HEAD_BYTES])

    def unreadable(self) -> UnreadableError:
        """The error that says what the file is, instead of a capture."""
        phrase, advice = ("gzip data that is damaged", AGAIN) if self.warnings else kind_of(self.head, self.name)
        inside = "gzip data that holds " if self.unpacked and not self.warnings else ""
        found = f"it looks like {inside}{phrase}"
        lost = "".join(" " + w for w in self.warnings)
        return UnreadableError(
            f"{self.path or 'The data'} ({self.size_bytes} bytes) is no capture: {found}.{lost} {advice}"
        )


def open_source(path: str) -> Source:
    """Map a file. It must not be cut shorter while it is read: that ends the process, as with every mapping.

    Raises NotFoundError where there is no such file, UnreadableError where it is a folder or may not be read.
    """
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableError(f"{path} is a folder. Give one of the .xplane.pb files in it.")
        if not stat.S_ISREG(mode):
            raise UnreadableError(f"{path} is a pipe or a device, not a file. Copy what it gives to a file first.")
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
    except (FileNotFoundError, NotADirectoryError):
        raise NotFoundError(f"There is no file {path}. Check the path.") from None
    except PermissionError:
        raise UnreadableError(
            f"{path} may not be read by this user. Change its permissions: chmod a+r {path}"
        ) from None
    except OSError as error:
        raise UnreadableError(
            f"{path} cannot be read: {error.strerror}. Check the disk or the network it is on."
        ) from None
    return source_of(path, memoryview(data))


def source_of(path: str, data: memoryview) -> Source:
    if data[:2] != GZIP:
        return Source(path, data, len(data))
    plain, warnings = unpack(path, data)
    return Source(path, memoryview(plain), len(data), warnings, unpacked=True)


def unpack(path: str, data: memoryview) -> tuple[bytearray, tuple[str, ...]]:
    """All gzip members, as far as can be unpacked, and what stopped it. Raises UnreadableError past the limit."""
    limit = min(max(MAX_RATIO * len(data), MIN_LIMIT_BYTES), MAX_LIMIT_BYTES)
    plain, at, size = bytearray(), 0, CHUNK_BYTES
    member = zlib.decompressobj(wbits=31)
    while at < len(data):
        before = member.copy()
        piece = data[at : at + size]
        try:
            plain += member.decompress(piece)
        except zlib.error:
            if size == 1:
                return plain, (f"The gzip data is damaged at byte {at}.",)
            member, size = before, size // 2
            continue
        if len(plain) > limit:
            raise UnreadableError(f"{path} ({len(data)} bytes) unpacks to more than {limit} bytes. Unpack it first.")
        at += len(piece) - len(member.unused_data)
        if member.eof:
            if data[at : at + 2] != GZIP:
                return plain, ()
            member = zlib.decompressobj(wbits=31)
    return plain, (f"The gzip data ends at byte {len(data)}, before it is complete.",)
