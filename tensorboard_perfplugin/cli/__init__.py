# PYTHON_ARGCOMPLETE_OK
"""The command `perfplugin`: arguments → call → print. Knows nothing of how a number is computed."""

from .entry import main

__all__ = ["main"]
