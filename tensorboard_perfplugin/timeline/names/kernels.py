"""A kernel's name as it is in a file → the name to show."""

from __future__ import annotations

import functools

from .demangle import demangled

_NO_NAME = "(unnamed)"


@functools.lru_cache(1 << 14)
def kernel_name(name: str) -> str:
    """Demangled where it was mangled and that is possible; `.kd`, ROCm's mark of a kernel's descriptor, goes."""
    name = name.removesuffix(".kd")
    if not name.startswith("_Z"):
        return name or _NO_NAME
    return demangled(name) or name
