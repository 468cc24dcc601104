"""The checksum of TFRecord files, CRC-32C (Castagnoli, RFC 3720)."""

from __future__ import annotations

from functools import lru_cache

POLYNOMIAL = 0x82F63B78
#: Below that the plain loop is as fast as many bytes at once, for which numpy is loaded.
LEAST_BYTES = 1 << 12
_ALL = 0xFFFFFFFF


def masked(data: bytes | memoryview) -> int:
    """The checksum of bytes as TFRecord files hold it: turned by 15 bits, plus a constant."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & _ALL


def crc32c(data: bytes | memoryview) -> int:
    state, done = _ALL, 0
    if len(data) >= LEAST_BYTES:
        from .lanes import side_by_side

        state, done = side_by_side(memoryview(data), table())
    one = table()
    for byte in data[done:]:
        state = one[(state ^ byte) & 255] ^ (state >> 8)
    return state ^ _ALL


@lru_cache(1)
def table() -> list[int]:
    """What one byte does to a state."""
    one = list(range(256))
    for _ in range(8):
        one = [value >> 1 ^ (POLYNOMIAL if value & 1 else 0) for value in one]
    return one
