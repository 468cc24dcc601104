"""A run, some hosts and a tool → an `Answer`, as JSON, CSV or arrays too. Web, command line and Python API ask here.

Each file is decoded once; answers are remembered in memory and in the user's cache directory, bounded in bytes and
keyed by the files' identity, so a file that changed is read again. Failures are never remembered.
"""

from ._columns import to_columns
from ._disk import Disk
from ._encode import table_of, to_csv, to_json
from ._export import Export, export
from ._library import Library, chosen
from ._memo import Memo

__all__ = ["Disk", "Export", "Library", "Memo", "chosen", "export", "table_of", "to_columns", "to_csv", "to_json"]
