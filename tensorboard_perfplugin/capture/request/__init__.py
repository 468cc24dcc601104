"""What is asked of whom: addresses, which may be connected to, the options, and how asking a worker can fail."""

from .address import Address, addresses
from .allowed import Allowed, resolve
from .failure import Kind, WorkerError, one_line
from .options import PRESETS, RANGES, Options, Preset, Value

__all__ = [
    "PRESETS",
    "RANGES",
    "Address",
    "Allowed",
    "Kind",
    "Options",
    "Preset",
    "Value",
    "WorkerError",
    "addresses",
    "one_line",
    "resolve",
]
