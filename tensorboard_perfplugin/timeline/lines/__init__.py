"""Lines of a device that its collector did not draw: steps, phases, modules, scopes, ops, programs, source.

They are made of the device's kernels and repeat their time: nothing that counts time uses them.
"""

from .lines import KEYS, TITLES, lines_of
from .model import Line

__all__ = ["KEYS", "TITLES", "Line", "lines_of"]
