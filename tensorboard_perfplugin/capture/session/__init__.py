"""The workers' bytes → a session folder in the logdir, whole or not at all; and the oldest of a series taken away."""

from .series import prune
from .writer import HIDDEN, STALE_S, DiskError, Session, numbered

__all__ = ["HIDDEN", "STALE_S", "DiskError", "Session", "numbered", "prune"]
