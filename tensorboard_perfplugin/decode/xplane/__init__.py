"""XPlane: one serialized `XSpace` → `Capture`, by the compiled loop or by the protobuf runtime."""

from .reader import COMPILED, read

__all__ = ["COMPILED", "read"]
