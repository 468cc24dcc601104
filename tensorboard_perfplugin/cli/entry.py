"""Arguments → a command, its output, and an exit code.

Exit codes: 0 success · 1 a condition of `--fail-if` holds · 2 invalid arguments, or an output that cannot be written ·
3 nothing readable · 4 a remote call failed.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import errno
import gc
import io
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Sequence

from .. import heap
from .._version import __version__
from ..errors import ArgumentError, NotFoundError, PerfpluginError, RemoteError, UnreadableError, suggestion

#: Objects more than before that are looked through; Python's own number is 700.
_GARBAGE = 200_000
_EXIT_CODES = {ArgumentError: 2, NotFoundError: 3, UnreadableError: 3, RemoteError: 4}

_USAGE = """perfplugin TOOL PATH [--run RUN] [--host HOST …] [options] [--json | --csv [--table TABLE]]
       perfplugin tools|runs|doctor PATH
       perfplugin compare A B [--fail-if CONDITION …] [--strict] [--json | --csv | --markdown | --junit]
       perfplugin check-run PATH --fail-if CONDITION …
       perfplugin export PATH [--host HOST …] [--start TIME] [--end TIME] [-o FILE.json.gz]
       perfplugin report PATH [--compare BASE] [--markdown] [-o FILE.html]
       perfplugin sql PATH … QUERY [--all-runs] [--json | --csv | -o FILE.parquet]
       perfplugin table PATH NAME [--json | --csv | -o FILE.parquet]
       perfplugin program PATH [--program PROGRAM] [--format text|dot|pb] [-o FILE]
       perfplugin capture ADDRESSES --logdir DIR [--duration TIME] [--every TIME --keep N] [options]
       perfplugin check
       perfplugin findings [CODE] [--json]
       perfplugin columns [TOOL] [--json]
       perfplugin serve PATH [--port N] [--host ADDRESS] [--no-browser]
       perfplugin completion bash|zsh|fish"""
_HELP = """commands:
  TOOL PATH       results of a tool; `perfplugin TOOL --help` lists its options
  tools PATH      the tools that have data, and why the others have none
  runs PATH       the runs, newest first; with --table their step times, changes and findings
  compare A B     what changed from run A to run B, and a gate for continuous integration
  check-run PATH  whether a run keeps limits
  export PATH     the timeline for Perfetto, speedscope, pprof or flame graphs
  report PATH     the run's pages as one HTML file that needs no server, or a short text
  sql PATH QUERY  SQL over all hosts of one run or of several; --schema lists the tables
  table PATH NAME one of these tables
  program PATH    one XLA program: its text, a graph for Graphviz, or the message
  doctor PATH     why captures are not shown, and what to do
  capture ADDRESSES --logdir DIR
                  capture running programs through their profiler servers
  check           whether profiles of programs on this machine can record its devices
  findings [CODE] all findings, or one with its examples, condition and thresholds
  columns [TOOL]  all tools with their tables, or the columns of one with unit and meaning
  serve PATH      TensorBoard on a path, its Profile tab in the browser
  completion SHELL
                  what makes bash, zsh or fish complete commands, options, runs and hosts

A name may have - for _, and the other way round.

PATH is a capture file, a session folder, a run, or a logdir.

exit codes: 0 success, 1 a condition of --fail-if holds, 2 invalid arguments or an output that cannot be written,
3 nothing readable, 4 a remote call failed"""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `perfplugin` with these arguments, the process's without; the exit code.

    Where standard output or error is closed (`>&-`) what goes there is dropped; a gate's exit code stays what it is.
    """
    given = sys.argv[1:] if argv is None else list(argv)
    if argv is None and "_ARGCOMPLETE" in os.environ:
        from .completion import command_typed

        given = command_typed(command_names(), tool_names())
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        # argparse ignores what cannot be written at once; what it leaves to `flush` below it cannot.
        sys.stdout.reconfigure(write_through=False)
    heap.keep_freed()
    # Looking for circles takes a tenth of a small answer's time, and finds next to nothing in a process that ends.
    gc.set_threshold(_GARBAGE)
    # Nor when it ends, which takes another tenth.
    atexit.register(gc.freeze)
    try:
        try:
            code = _run(given)
        except SystemExit as stop:
            # argparse's way to end: 0 after --help, 2 after a bad argument.
            code = int(stop.code or 0)
        sys.stdout.flush()
        return code
    except PerfpluginError as error:
        _complain(str(error))
        return next(code for cls, code in _EXIT_CODES.items() if isinstance(error, cls))
    except BrokenPipeError:
        # The reader, `head` say, has what it wanted.
        _let_go_of_output()
        return 0
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        # Files that we open ourselves are named in the error: this is standard output, or standard error.
        _let_go_of_output()
        _complain(f"the output cannot be written: {error.strerror}")
        return 2


def _complain(text: str) -> None:
    """On standard error, where that can be written; the exit code says it all the same."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"perfplugin: {text}\n")


def _let_go_of_output() -> None:
    """What is left in the buffer goes nowhere when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: list[str]) -> int:
    if not argv or argv[0].startswith("-"):
        parser = _top_parser()
        _, rest = parser.parse_known_args(argv[:1])
        if rest:
            raise ArgumentError(f"unrecognized arguments: {rest[0]}{suggestion(rest[0], ('--help', '--version'))}")
        raise ArgumentError("a command is missing; `perfplugin --help` lists them")
    name, rest = argv[0], argv[1:]
    command = _command(name)
    return command(rest)


def _command(name: str) -> Callable[[list[str]], int]:
    from . import commands

    fixed = commands.FIXED.get(name.replace("_", "-"))
    return fixed or commands.tool_command(name)


def _top_parser() -> argparse.ArgumentParser:
    tools = f"tools: {', '.join(tool_names())}"
    parser = argparse.ArgumentParser(
        "perfplugin",
        usage=_USAGE,
        description="Shows where a profiled program spends its time.",
        epilog=f"{tools}\n\n{_HELP}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def command_names() -> list[str]:
    """The commands beside the tools, as the help lists them: importing them would cost numpy, too."""
    return re.findall(r"^  ([a-z-]+)\b", _HELP, re.MULTILINE)


def tool_names() -> list[str]:
    """The tools by the names of their folders: importing their declarations would cost numpy."""
    folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools")
    others = {"shared", "compare"}
    return sorted(each.name for each in pkgutil.iter_modules([folder]) if each.ispkg and each.name not in others)
