"""Lines of a device that its collector did not draw: steps, phases, modules, scopes, ops, programs, source.

They are made of the device's kernels and repeat their time: nothing that counts time uses them.
"""

from .lines import KEYS, TITLES, device_lines, lines_of
from .model import Line

__all__ = ["KEYS", "TITLES", "Line", "device_lines", "lines_of"]
