"""A run, some hosts and a tool → an `Answer`, as JSON, CSV or arrays too. Web, command line and Python API ask here.

Each file is decoded once; answers are remembered in memory and in the user's cache directory, bounded in bytes and
keyed by the files' identity, so a file that changed is read again. Failures are never remembered.

What writes files or tells of runs is imported when it is first asked for: no page needs it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .choice import newest
from .columns import to_columns
from .disk import Disk
from .encode import columns_to_csv, table_of, to_csv, to_json
from .library import Library, Side, chosen
from .many import Hosts, hosts_of
from .memo import Memo
from .ranges import NAMES, ranges_of_sides

if TYPE_CHECKING:
    from .partials import Progress, executor_of
    from .program_export import ProgramFile, program_file
    from .run_rows import RunRows
    from .table_of_runs import RUNS, runs_table
    from .trace_export import Export, export

_FILES = {
    "Progress": "partials",
    "executor_of": "partials",
    "ProgramFile": "program_export",
    "program_file": "program_export",
    "Export": "trace_export",
    "export": "trace_export",
    "RUNS": "table_of_runs",
    "RunRows": "run_rows",
    "runs_table": "table_of_runs",
}


def __getattr__(name: str) -> Any:
    if name in _FILES:
        return getattr(importlib.import_module(f".{_FILES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "NAMES",
    "RUNS",
    "Disk",
    "Export",
    "Hosts",
    "Library",
    "Memo",
    "ProgramFile",
    "Progress",
    "RunRows",
    "Side",
    "chosen",
    "columns_to_csv",
    "executor_of",
    "export",
    "hosts_of",
    "newest",
    "program_file",
    "ranges_of_sides",
    "runs_table",
    "table_of",
    "to_columns",
    "to_csv",
    "to_json",
]
