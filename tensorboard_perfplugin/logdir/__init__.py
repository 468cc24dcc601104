"""Takes a path as a person gives it, gives runs, hosts and files.

Knows nothing of what is inside a file, but where a name does not tell what is one run: the heads of PyTorch's profiles
(`_programs.py`), and where in event files run metadata stands (`_event_files.py`).
"""

from ._event_files import problem_of
from ._logdir import Logdir
from ._model import CaptureFile, Root, Run, Snapshot
from ._names import ASIDE, FORMATS, UNFINISHED, Format, is_temporary, parse_name
from ._programs import Ranks, ranks_of
from ._record import NAME as RECORD
from ._record import Record, Worker, missing_workers, record_in, record_of
from ._runs import runs_at

__all__ = [
    "ASIDE",
    "FORMATS",
    "RECORD",
    "UNFINISHED",
    "CaptureFile",
    "Format",
    "Logdir",
    "Ranks",
    "Record",
    "Root",
    "Run",
    "Snapshot",
    "Worker",
    "is_temporary",
    "missing_workers",
    "parse_name",
    "problem_of",
    "ranks_of",
    "record_in",
    "record_of",
    "runs_at",
]
