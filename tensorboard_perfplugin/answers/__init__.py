"""A run, some hosts and a tool → an `Answer`, as JSON, CSV or arrays too. Web, command line and Python API ask here.

Each file is decoded once; answers are remembered in memory and in the user's cache directory, bounded in bytes and
keyed by the files' identity, so a file that changed is read again. Failures are never remembered.

What writes files or tells of runs is imported when it is first asked for: no page needs it.
"""
