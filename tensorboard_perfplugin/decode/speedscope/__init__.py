"""Files of speedscope, as py-spy, pyinstrument and austin's converter write them: call stacks over time → `Capture`."""

from .reader import read

__all__ = ["read"]
