"""What is said of the memory of devices and hosts."""

from .memory import MEMORY
from .snapshots import SNAPSHOTS

__all__ = ["MEMORY", "SNAPSHOTS"]
