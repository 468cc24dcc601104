"""Call stacks as samplers write them: collapsed stacks, `perf script`, austin, pyinstrument → `Capture`.

Each becomes the slices that speedscope's files become.
"""

from .reader import read

__all__ = ["read"]
