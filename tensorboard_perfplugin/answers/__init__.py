"""A run, some hosts and a tool → an `Answer`, as JSON, CSV or arrays too. Web, command line and Python API ask here.

Each file is decoded once; answers are remembered in memory and in the user's cache directory, bounded in bytes and
keyed by the files' identity, so a file that changed is read again. Failures are never remembered.
"""

from .columns import to_columns
from .disk import Disk
from .encode import columns_to_csv, table_of, to_csv, to_json
from .library import Library, Side, chosen
from .memo import Memo
from .program_file import ProgramFile, program_file
from .runs_table import RUNS, runs_table
from .trace_export import Export, export

__all__ = [
    "RUNS",
    "Disk",
    "Export",
    "Library",
    "Memo",
    "ProgramFile",
    "Side",
    "chosen",
    "columns_to_csv",
    "export",
    "program_file",
    "runs_table",
    "table_of",
    "to_columns",
    "to_csv",
    "to_json",
]
