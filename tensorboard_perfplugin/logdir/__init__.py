"""Takes a path as a person gives it, gives runs, hosts and files. Knows nothing of what is inside a file."""

from ._logdir import Logdir
from ._model import CaptureFile, Root, Run, Snapshot
from ._names import ASIDE, FORMATS, Format, is_temporary, parse_name
from ._runs import runs_at

__all__ = [
    "ASIDE",
    "FORMATS",
    "CaptureFile",
    "Format",
    "Logdir",
    "Root",
    "Run",
    "Snapshot",
    "is_temporary",
    "parse_name",
    "runs_at",
]
