"""The command `perfplugin`: arguments → call → print. Knows nothing of how a number is computed."""

from ._main import main

__all__ = ["main"]
