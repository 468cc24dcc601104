"""What one host gives to a tool's answer: made here, in other processes or on a cluster, as bytes that travel and are
kept in the user's cache directory, and back."""

from .choice import executor_of
from .cluster import Cluster
from .codec import Shared, UnkeptError, decoded, encoded
from .gather import Executor, Gather, Gathered, Progress, Watch
from .processes import Processes
from .serial import Serial
from .store import Store
from .work import Ask, Done, Failed, Work, done

__all__ = [
    "Ask",
    "Cluster",
    "Done",
    "Executor",
    "Failed",
    "Gather",
    "Gathered",
    "Processes",
    "Progress",
    "Serial",
    "Shared",
    "Store",
    "UnkeptError",
    "Watch",
    "Work",
    "decoded",
    "done",
    "encoded",
    "executor_of",
]
