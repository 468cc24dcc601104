"""What a person says of where hosts are to be read → an `Executor`."""

from __future__ import annotations

from typing import Any

from ...errors import ArgumentError
from .cluster import Cluster
from .gather import Executor
from .processes import Processes
from .serial import Serial
from .worker import read_here

#: In this process, one after another; in others of this machine.
SERIAL, PROCESSES = "serial", "processes"


def executor_of(given: Any) -> Executor | None:
    """None for the default; `serial`, `processes`; the address of a Dask scheduler, `tcp://host:8786`; a
    `distributed.Client`; or an executor. Raises ArgumentError."""
    if given is None or given == "":
        return None
    if given == PROCESSES:
        return Processes()
    if given == SERIAL:
        return Serial(read_here)
    if isinstance(given, str):
        if "://" not in given:
            wanted = f"give the address of a Dask scheduler, as tcp://host:8786, {SERIAL} or {PROCESSES}"
            raise ArgumentError(f"{given[:80]!r} is no cluster: {wanted}")
        return Cluster(given)
    if hasattr(given, "scheduler_info"):
        return Cluster(given)
    if hasattr(given, "map") and hasattr(given, "name"):
        executor: Executor = given
        return executor
    raise ArgumentError(
        f"a {type(given).__name__} is no executor: give a distributed.Client, or its scheduler's address"
    )
