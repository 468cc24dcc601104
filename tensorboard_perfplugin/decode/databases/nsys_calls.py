"""Calls of CUDA, of libraries, of MPI and of the OS runtime in an Nsight Systems database → events of threads."""

from __future__ import annotations

import numpy as np

from .database import Database
from .hosts import Hosts, Ran, Role
from .nsys_facts import Facts, process_of, thread_of
from .ranges import of_calls
from .sheet import Mask, Stat
from .words import renamed

_CUDA = "CUPTI_ACTIVITY_KIND_RUNTIME"
#: Class of calls of the driver, which are in the table of the runtime's.
_DRIVER = 1
#: Tables of other calls: the column of the name, and what they are.
_OTHERS = {
    "CUDNN_EVENTS": ("nameId", Role.CALLS),
    "CUBLAS_EVENTS": ("nameId", Role.CALLS),
    "MPI_COLLECTIVES_EVENTS": ("textId", Role.CALLS),
    "MPI_P2P_EVENTS": ("textId", Role.CALLS),
    "MPI_START_WAIT_EVENTS": ("textId", Role.CALLS),
    "MPI_OTHER_EVENTS": ("textId", Role.CALLS),
    "OSRT_API": ("nameId", Role.SYSTEM),
    "PROFILER_OVERHEAD": ("nameId", Role.OVERHEAD),
}


def calls(database: Database, facts: Facts, hosts: Hosts, is_torch: bool) -> None:
    columns = ("start", "end", "globalTid", "correlationId", "nameId", "returnValue", "eventClass")
    read = database.numbers(_CUDA, *columns)
    process = process_of(read["globalTid"])
    facts.pids = np.unique(process).tolist()
    correlation = facts.correlation(read["correlationId"], process)
    stats = [
        Stat("correlation_id", correlation, correlation > 0),
        Stat("return_value", read["returnValue"], read["returnValue"] > 0),
        *of_calls(database.texts, read["eventClass"] == _DRIVER, is_torch),
    ]
    name = renamed(database.texts, facts.texts(read["nameId"]))
    hosts.add(Ran(Role.CALLS, process, thread_of(read["globalTid"]), name, read["start"], read["end"], stats))
    for table, (named, role) in _OTHERS.items():
        _others(database, facts, hosts, table, named, role)


def _others(database: Database, facts: Facts, hosts: Hosts, table: str, named: str, role: Role) -> None:
    if table not in database.tables:
        return
    read = database.numbers(table, "start", "end", "globalTid", named, "size")
    known: Mask = read["size"] >= 0
    stats = [Stat("size", read["size"], known)] if known.any() else []
    end = np.where(read["end"] < 0, read["start"], read["end"])
    process, thread = process_of(read["globalTid"]), thread_of(read["globalTid"])
    hosts.add(Ran(role, process, thread, facts.texts(read[named]), read["start"], end, stats))
