"""The commands. A command's docstring is its help; it takes the arguments after its name and gives the exit code."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, NotFoundError
from .text import date, printable, shown, table

if TYPE_CHECKING:
    from ..api import Profile
    from ..tools import Tool

#: Without a terminal to ask.
WIDTH = 120


def tool_command(name: str) -> Callable[[list[str]], int]:
    """The command of a tool, by name or alias. Ends the program like a bad argument when there is no such tool."""
    from .. import tools

    try:
        tool = tools.find_tool(name)
    except NotFoundError:
        names = ", ".join(each.name for each in tools.TOOLS)
        _parser("", None).error(f"no command {name[:80]!r}: commands are {', '.join(FIXED)} and the tools {names}")
    return lambda argv: _tool(tool, argv)


def _tool(tool: Tool, argv: list[str]) -> int:
    from ..answers import to_csv, to_json
    from .show import answer_text

    args = _tool_parser(tool).parse_args(argv)
    if args.json and args.table:
        raise ArgumentError("--json gives all tables: --table goes with --csv")
    profile = _opened(args)
    given = {option.name: getattr(args, option.name) for option in tool.options}
    answer = profile.tool(tool.name, **given)
    if args.json:
        _say(to_json(answer.to_dict()))
    elif args.csv or args.table:
        _write(to_csv(answer, args.table, line_end="\n"))
    else:
        _say(answer_text(answer, _width()))
    return 0


def _tool_parser(tool: Tool) -> argparse.ArgumentParser:
    parser = _parser(tool.name, f"{tool.question} {tool.help}")
    _add_selection(parser)
    for option in tool.options:
        names = dict.fromkeys(f"--{name}" for name in (option.name.replace("_", "-"), option.name))
        action: Any = argparse.BooleanOptionalAction if option.kind == "flag" else "store"
        help = option.help + (f" One of {', '.join(option.choices)}." if option.choices else "")
        more: dict[str, Any] = {} if option.kind == "flag" else {"metavar": option.kind.upper()}
        parser.add_argument(*names, action=action, dest=option.name, default=None, help=help.replace("%", "%%"), **more)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the whole answer as JSON")
    form.add_argument("--csv", action="store_true", help="one table as CSV, all rows and columns")
    there = ", ".join(spec.name for spec in tool.tables)
    parser.add_argument("--table", default="", metavar="TABLE", help=f"which table as CSV: {there}; the first without")
    return parser


def tools(argv: list[str]) -> int:
    """Which tools have data for a run, and why not."""
    parser = _parser("tools", tools.__doc__)
    _add_selection(parser)
    profile = _opened(parser.parse_args(argv))
    from ..tools import TOOLS

    missing = profile.missing()
    rows = [
        (tool.name, "no data" if missing[tool.name] else "data", printable(missing[tool.name] or tool.question))
        for tool in TOOLS
    ]
    _say(table(("tool", "has", "what it answers, or why not"), rows, (True, True, True), sys.maxsize)[0])
    return 0


def runs(argv: list[str]) -> int:
    """The runs at a path, newest first."""
    parser = _parser("runs", runs.__doc__)
    _add_path(parser)
    from ..logdir import runs_at

    found = runs_at(parser.parse_args(argv).path)
    rows = [
        (r.name, date(r.modified_ns // 10**9), shown(r.size_bytes, "bytes"), str(len(r.hosts)), ", ".join(r.hosts))
        for r in found
    ]
    # Names of runs are to be copied: nothing is cut, however narrow the terminal.
    _say(table(("run", "modified", "size", "hosts", "names"), rows, (True, True, False, False, True), sys.maxsize)[0])
    return 0


def doctor(argv: list[str]) -> int:
    """Why nothing shows: what was looked at, what was found there, the likely cause, and one thing that helps.

    Exits with 3 when anything is wrong.
    """
    parser = _parser("doctor", doctor.__doc__)
    _add_path(parser)
    from ..doctor import diagnose

    found = diagnose(parser.parse_args(argv).path)
    for each in found:
        _say(f"{'ok  ' if each.ok else 'FAIL'}  {printable(each.path)}\n      found: {printable(each.found)}")
        for name, text in (("cause", each.cause), ("fix", each.fix)):
            if text:
                _say(f"      {(name + ':').ljust(6)} {printable(text)}")
    return 0 if any(each.ok for each in found) else 3


def check(argv: list[str]) -> int:
    """Will a profile of a program that trains on this machine hold its devices, and what to do where not.

    Each line is ok, FAIL or unknown. Run it with the Python and in the shell, container or job of the training. Exits
    with 3 when any line is FAIL.
    """
    _parser("check", check.__doc__).parse_args(argv)
    from ..doctor import check_machine

    found = check_machine()
    for each in found:
        _say(f"{each.state.ljust(7)}  {each.subject}: {printable(each.found)}")
        if each.fix and each.state != "ok":
            _say(f"         fix: {printable(each.fix)}")
    return 3 if any(each.state == "FAIL" for each in found) else 0


def columns(argv: list[str]) -> int:
    """The columns of every tool, or one: name, unit, meaning."""
    parser = _parser("columns", columns.__doc__)
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="all tools without")
    name = parser.parse_args(argv).tool
    from .. import tools

    for tool in [tools.find_tool(name)] if name else tools.TOOLS:
        for title, declared in [("summary", tool.summary), *((spec.name, spec.columns) for spec in tool.tables)]:
            _say(f"{tool.name}: {title}")
            for each in declared:
                _say(f"  {each.name} ({each.unit or each.dtype}): {each.help}")
    return 0


def export(argv: list[str]) -> int:
    """The timeline as Chrome trace-event JSON, which Perfetto opens: all of it, or a window, or some tracks."""
    from . import export_file

    parser = _parser("export", export.__doc__)
    _add_selection(parser)
    export_file.add_arguments(parser)
    args = parser.parse_args(argv)
    start, end = export_file.time_ps("start", args.start), export_file.time_ps("end", args.end)
    profile = _opened(args)
    made = profile.export(start_ps=start, end_ps=end, tracks=args.tracks)
    export_file.write(made, args.output, args.path, profile.files)
    return 0


def capture(argv: list[str]) -> int:
    """Ask running programs' profiler servers for a profile, of all of them at once, and bring it into a logdir.

    Prints the session's folder and what each worker gave. Exits with 4 when a worker gave nothing, also one of several,
    whose files are kept then; with 3 when what came cannot be read or holds no event. Ctrl-C leaves nothing behind.
    """
    from . import capture_arguments, capture_run, capture_tpu

    parser = _parser("capture", capture.__doc__)
    capture_arguments.add_arguments(parser)
    args = parser.parse_args(argv)
    if special := capture_tpu.special(args):
        return special(args, _say)
    return capture_run.capture(capture_arguments.asked(args), _width(), _say)


FIXED: dict[str, Callable[[list[str]], int]] = {
    "tools": tools,
    "runs": runs,
    "export": export,
    "capture": capture,
    "doctor": doctor,
    "check": check,
    "columns": columns,
}


def _parser(name: str, help: str | None) -> argparse.ArgumentParser:
    program = f"perfplugin {name}".strip()
    return argparse.ArgumentParser(program, description=help and help.replace("%", "%%"), allow_abbrev=False)


def _add_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a capture file, a session folder, a run, or a logdir")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    parser.add_argument("--run", metavar="RUN", help="one of `perfplugin runs PATH`; default: the newest")
    parser.add_argument("--host", metavar="HOST", action="append", help="one host, several if repeated; default: all")


def _opened(args: argparse.Namespace) -> Profile:
    from ..api import open

    profile = open(args.path, args.run, args.host)
    if args.run is None and len(profile.runs) > 1:
        note = f"the newest of {len(profile.runs)} runs is {profile.run}; --run picks another"
        sys.stderr.write(f"perfplugin: {printable(note)}\n")
    return profile


def _width() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns


def _say(text: str) -> None:
    _write(text + "\n")


def _write(text: str) -> None:
    """What the terminal's encoding lacks becomes a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
