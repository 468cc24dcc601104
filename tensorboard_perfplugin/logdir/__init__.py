"""Takes a path as a person gives it, gives runs, hosts and files.

Knows nothing of what is inside a file, but where a name does not show what is one run: the heads of PyTorch's profiles
(`programs.py`), where in event files run metadata stands (`event_files.py`), and the format of a `.prof` (`names.py`).
"""

from .event_files import problem_of
from .logdir import Logdir
from .model import Beside, CaptureFile, Root, Run, Snapshot, kind_of, own_name
from .names import FORMATS, UNFINISHED, is_capture, is_temporary, parse_name
from .programs import Ranks, merged, ranks_of
from .record import NAME as RECORD
from .record import Record, Worker, missing_workers, record_in, record_of
from .runs import runs_at

__all__ = [
    "FORMATS",
    "RECORD",
    "UNFINISHED",
    "Beside",
    "CaptureFile",
    "Logdir",
    "Ranks",
    "Record",
    "Root",
    "Run",
    "Snapshot",
    "Worker",
    "is_capture",
    "is_temporary",
    "kind_of",
    "merged",
    "missing_workers",
    "own_name",
    "parse_name",
    "problem_of",
    "ranks_of",
    "record_in",
    "record_of",
    "runs_at",
]
