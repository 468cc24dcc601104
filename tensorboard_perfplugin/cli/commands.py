"""The commands. A command's docstring is its help; it takes the arguments after its name and gives the exit code."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import ArgumentError, NotFoundError, suggestion
from ..units import instant, value, written_bytes
from .show import ProgressLine, Style, printable, table

if TYPE_CHECKING:
    from ..answers.partials.gather import Progress
    from ..api import Profile
    from ..tools import Tool

#: Without a terminal to ask.
WIDTH = 120
#: Set by a shell in which a line is typed and Tab was pressed.
COMPLETES = "_ARGCOMPLETE"


def tool_command(name: str) -> Callable[[list[str]], int]:
    """The command of a tool, by name or alias. Raises ArgumentError when there is no such tool."""
    from .. import tools

    try:
        tool = tools.find_tool(name)
    except NotFoundError:
        names = [each.name for each in tools.TOOLS]
        known = [*FIXED, *names, *tools.ASKED, *(alias for each in tools.TOOLS for alias in each.aliases)]
        others = suggestion(name, known) or f"; commands: {', '.join(FIXED)}; tools: {', '.join(names)}"
        raise ArgumentError(f"unknown command {name[:80]!r}{others}") from None
    return lambda argv: _tool(tool, argv)


def _tool(tool: Tool, argv: list[str]) -> int:
    from ..answers.encode import to_csv, to_json
    from .show import answer_text, screen_text

    args = _tool_parser(tool).parse_args(argv)
    if args.json and args.table:
        raise ArgumentError("--table selects a table for --csv; --json contains all tables")
    line = _progress(args)
    profile = _opened(args, tool.name, args.cluster, line.show)
    given = {option.name: getattr(args, option.name) for option in tool.options} | _range_of(args)
    with line.watched():
        answer = profile.tool(tool.name, **given)
    if args.json:
        _say(to_json(answer.to_dict()))
    elif args.csv or args.table:
        _write(to_csv(answer, args.table, line_end="\n"))
    elif tool.brief and not args.all:
        _say(screen_text(answer, tool.brief, _width(), Style.of(sys.stdout)))
    else:
        _say(answer_text(answer, _width(), Style.of(sys.stdout)))
    return 0


def _tool_parser(tool: Tool) -> argparse.ArgumentParser:
    from . import show

    parser = _parser(tool.name, f"{tool.question} {tool.help}")
    _add_selection(parser)
    _add_range(parser)
    for option in tool.options:
        names = dict.fromkeys(f"--{name}" for name in (option.name.replace("_", "-"), option.name))
        action: Any = argparse.BooleanOptionalAction if option.kind == "flag" else "store"
        help = option.help + (f" One of {', '.join(option.choices)}." if option.choices else "")
        more: dict[str, Any] = {} if option.kind == "flag" else {"metavar": option.kind.upper()}
        parser.add_argument(*names, action=action, dest=option.name, default=None, help=help.replace("%", "%%"), **more)
    show.add_hosts_arguments(parser)
    whole = "all findings, figures and tables, which without it are shown as far as one screen goes"
    parser.add_argument("--all", action="store_true", help=whole if tool.brief else "all that there is: the default")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="the whole answer as JSON")
    form.add_argument("--csv", action="store_true", help="one table as CSV, all rows and columns")
    there = ", ".join(spec.name for spec in tool.tables)
    parser.add_argument("--table", default="", metavar="TABLE", help=f"table for CSV: {there}; default: the first")
    return parser


def tools(argv: list[str]) -> int:
    """The tools that have data for a run, and why the others have none."""
    parser = _parser("tools", tools.__doc__)
    _add_selection(parser)
    args = parser.parse_args(argv)
    profile = _opened(args)
    from ..tools import TOOLS

    with _progress(args).watched():
        missing = profile.missing()
    rows = [
        (tool.name, "no" if missing[tool.name] else "yes", printable(missing[tool.name] or tool.question))
        for tool in TOOLS
    ]
    _say(table(("Tool", "Data", "Question, or why there is no data"), rows, (True, True, True), sys.maxsize)[0])
    return 0


def runs(argv: list[str]) -> int:
    """The runs at a path, newest first; with --table their step times, changes, first findings, memory and devices."""
    from . import show

    parser = _parser("runs", runs.__doc__)
    _add_path(parser)
    show.add_runs_arguments(parser)
    _add_quiet(parser)
    args = parser.parse_args(argv)
    if show.wants_table(args):
        with _progress(args).watched():
            text = show.table_text(args, _width())
        _write(text)
        return 0
    from ..logdir import runs_at

    rows = [
        (r.name, instant(r.modified_ns / 1e9), value(r.size_bytes, "bytes"), str(len(r.hosts)), ", ".join(r.hosts))
        for r in runs_at(args.path)
    ]
    # Names of runs are to be copied: nothing is cut, however narrow the terminal.
    _say(table(("Run", "Modified", "Size", "Hosts", "Names"), rows, (True, True, False, False, True), sys.maxsize)[0])
    return 0


def doctor(argv: list[str]) -> int:
    """Why captures are not shown: what was checked, what is there, the likely cause, and a remedy.

    Exit code 3 if there is a problem.
    """
    parser = _parser("doctor", doctor.__doc__)
    _add_path(parser)
    from ..doctor import diagnose

    diagnoses = diagnose(parser.parse_args(argv).path)
    for each in diagnoses:
        _say(f"{'ok  ' if each.ok else 'FAIL'}  {printable(each.path)}\n      found: {printable(each.found)}")
        for name, text in (("cause", each.cause), ("fix", each.fix)):
            if text:
                _say(f"      {(name + ':').ljust(6)} {printable(text)}")
    return 0 if any(each.ok for each in diagnoses) else 3


def check(argv: list[str]) -> int:
    """Whether profiles of programs on this machine can record its devices, and what to do if not.

    Each line is ok, FAIL or unknown. Run it with the Python interpreter and in the shell, container or job of the
    training program. Exit code 3 if any line is FAIL.
    """
    _parser("check", check.__doc__).parse_args(argv)
    from ..doctor import check_machine

    checks = check_machine()
    for each in checks:
        _say(f"{each.state.ljust(7)}  {each.subject}: {printable(each.found)}")
        if each.fix and each.state != "ok":
            _say(f"         fix: {printable(each.fix)}")
    return 3 if any(each.state == "FAIL" for each in checks) else 0


def findings(argv: list[str]) -> int:
    """All findings by subject, or one: examples, condition, the thresholds of its rules, variants by framework."""
    from . import reference

    parser = _parser("findings", findings.__doc__)
    parser.add_argument("code", nargs="?", metavar="CODE", help="`code` of a finding; default: list all codes")
    parser.add_argument("--json", action="store_true", help="as JSON")
    args = parser.parse_args(argv)
    _say(_json(reference.findings_json(args.code)) if args.json else reference.findings_text(args.code, _width()))
    return 0


def columns(argv: list[str]) -> int:
    """The tools and their tables, or the columns of one: name in JSON and CSV, unit, title in text, meaning."""
    from . import reference

    parser = _parser("columns", columns.__doc__)
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="a tool, or `runs`; default: list all tables")
    parser.add_argument("--json", action="store_true", help="as JSON")
    args = parser.parse_args(argv)
    _say(_json(reference.columns_json(args.tool)) if args.json else reference.columns_text(args.tool))
    return 0


def compare(argv: list[str]) -> int:
    """What changed from run A to run B: how much a step, whether that is more than noise, and what accounts for it.

    A and B are capture files, session folders or runs; all runs of a folder are repeats of one program. Exit code 1 if
    a condition of --fail-if holds.
    """
    from . import gate

    parser = _parser("compare", compare.__doc__)
    parser.add_argument("base", metavar="A", help="what is compared with")
    parser.add_argument("new", metavar="B", help="what is compared")
    parser.add_argument("--steps-from", dest="steps_from", default=None, metavar="TEXT", help="how steps are found")
    _add_range(parser)
    _add_range(parser, "base")
    gate.add_arguments(parser, "`step_time > +3 %%`, `memory_peak > +200 MiB`", "ops")
    _add_quiet(parser)
    args = parser.parse_args(argv)
    return _reported(args, lambda write: gate.compare(args, _width(), write))


def check_run(argv: list[str]) -> int:
    """Whether a run keeps limits: exit code 1 if a condition of --fail-if holds."""
    from . import gate

    parser = _parser("check-run", check_run.__doc__)
    _add_selection(parser)
    _add_range(parser)
    gate.add_arguments(parser, "`step_time > 180 ms`, `memory_peak > 10 GiB`", "the first of the overview")
    args = parser.parse_args(argv)
    profile = _opened(args)
    return _reported(args, lambda write: gate.check_run(args, profile, _width(), write))


def export(argv: list[str]) -> int:
    """Export the timeline for Perfetto, speedscope, pprof or flame graphs: all of it, a time window, or some tracks."""
    from . import export_file

    parser = _parser("export", export.__doc__)
    _add_selection(parser)
    _add_range(parser)
    export_file.add_arguments(parser)
    args = parser.parse_args(argv)
    start, end = export_file.time_ps("start", args.start), export_file.time_ps("end", args.end)
    profile = _opened(args)
    form = export_file.format_of(args.format, args.output)
    made = profile.export(start_ps=start, end_ps=end, tracks=args.tracks, format=form, **_range_of(args))
    export_file.write(made, args.output, args.path, profile.files)
    return 0


def report(argv: list[str]) -> int:
    """A run as one HTML file that needs no server: its pages, findings and trace, or a short text as Markdown."""
    from . import report as report_file

    parser = _parser("report", report.__doc__)
    _add_selection(parser)
    _add_range(parser)
    report_file.add_arguments(parser)
    args = parser.parse_args(argv)
    report_file.write(_opened(args), args, _range_of(args))
    return 0


def program(argv: list[str]) -> int:
    """One XLA program of a capture: its text in XLA's syntax, a graph for Graphviz, or the message itself."""
    from . import export_file

    parser = _parser("program", program.__doc__)
    _add_selection(parser)
    export_file.add_program_arguments(parser)
    args = parser.parse_args(argv)
    profile = _opened(args)
    with _progress(args).watched():
        made = profile.program(program=args.program, format=args.format)
    export_file.write_text(made, made.is_text, args.output, args.path, profile.files)
    return 0


def sql(argv: list[str]) -> int:
    """What a query in SQL gives, over all hosts of one run or of several (needs the extra `[sql]`).

    --schema lists the tables. A query reads, and nothing else: no file, no network, no setting.
    """
    from . import query

    parser = _parser("sql", sql.__doc__)
    query.add_sql_arguments(parser)
    _add_hosts(parser)
    _add_range(parser)
    args = parser.parse_args(argv)
    if args.schema:
        for line in query.schema(args.form == "json"):
            _say(line)
        return 0
    paths, text = query.split_query(args)
    return query.sql(args, [each for path in paths for each in _runs_of(args, path)], text, _width(), _write)


def table_of(argv: list[str]) -> int:
    """One table of a run, host after host, as CSV, JSON, Parquet or Arrow; `perfplugin sql --schema` lists them."""
    from . import query

    parser = _parser("table", table_of.__doc__)
    _add_selection(parser)
    query.add_table_arguments(parser)
    _add_range(parser)
    args = parser.parse_args(argv)
    return query.table_of(args, _opened(args).range(**_range_of(args)), _width(), _write)


def _runs_of(args: argparse.Namespace, path: str) -> list[Profile]:
    """The run at a path, or all of them."""
    args.path = path
    names = _opened(args).runs if args.all_runs else [args.run]
    return [_opened(argparse.Namespace(**{**vars(args), "run": name})).range(**_range_of(args)) for name in names]


def capture(argv: list[str]) -> int:
    """Capture running programs through their profiler servers, all at once, into one session of a logdir.

    Prints the session's folder and a line per worker. Exit code 4 if a worker returned no profile (the files of the
    others are kept), 3 if no result can be read or none holds an event. Ctrl-C cancels the capture and leaves no files.
    """
    from . import capture as capture_arguments
    from . import capture as capture_run
    from . import capture as capture_tpu

    parser = _parser("capture", capture.__doc__)
    capture_arguments.add_arguments(parser)
    args = parser.parse_args(argv)
    if special := capture_tpu.special(args):
        return special(args, _say)
    return capture_run.capture(capture_arguments.asked(args), _width(), _say)


def serve(argv: list[str]) -> int:
    """Show captures in TensorBoard: start it on exactly this path, and open its Profile tab in the browser.

    Ctrl-C ends it.
    """
    from . import serve as server

    parser = _parser("serve", serve.__doc__)
    _add_path(parser)
    server.add_arguments(parser)
    return server.serve(parser.parse_args(argv), _say)


def completion(argv: list[str]) -> int:
    """Print what makes a shell complete commands, options, runs and hosts: eval "$(perfplugin completion bash)".

    For zsh the same, for fish `perfplugin completion fish | source`. Needs the extra `[completion]`.
    """
    from .completion import SHELLS, script

    parser = _parser("completion", completion.__doc__)
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))
    _say(script(parser.parse_args(argv).shell))
    return 0


FIXED: dict[str, Callable[[list[str]], int]] = {
    "tools": tools,
    "runs": runs,
    "compare": compare,
    "check-run": check_run,
    "export": export,
    "program": program,
    "report": report,
    "sql": sql,
    "table": table_of,
    "capture": capture,
    "doctor": doctor,
    "check": check,
    "findings": findings,
    "columns": columns,
    "serve": serve,
    "completion": completion,
}


class _Parser(argparse.ArgumentParser):
    """Complains in one line, with what an unknown option may stand for. Where a shell asks it completes the line."""

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        if COMPLETES in os.environ:
            from .completion import complete

            complete(self)
        parsed, rest = self.parse_known_args(args, namespace)
        if rest:
            options = [text for action in self._actions for text in action.option_strings]
            alike = (suggestion(text.partition("=")[0], options) for text in rest if text.startswith("-"))
            self.error(f"unrecognized arguments: {' '.join(rest)}{next(filter(None, alike), '')}")
        return parsed

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"perfplugin: {printable(message)} (`{self.prog} --help` lists what it takes)\n")


def _parser(name: str, help: str | None) -> argparse.ArgumentParser:
    program = f"perfplugin {name}".strip()
    # A tool's own option goes before a second name of a common one.
    return _Parser(
        program, description=help and help.replace("%", "%%"), allow_abbrev=False, conflict_handler="resolve"
    )


def _add_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a capture file, a session folder, a run, or a logdir")


def _add_selection(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    _add_hosts(parser)


def _add_hosts(parser: argparse.ArgumentParser) -> None:
    run = parser.add_argument("--run", metavar="RUN", help="one of `perfplugin runs PATH`; default: the newest")
    help = "only this host, or those whose names match, as 'rank0*'; repeatable; default: all"
    host = parser.add_argument("--host", metavar="HOST", action="append", help=help)
    help = "the run and all others at PATH that are of other hosts, as one run"
    parser.add_argument("--merge", action="store_true", help=help)
    help = "how much memory a capture may need, as 4GB: a larger one is refused; default: what this machine has"
    parser.add_argument("--memory-limit", "--memory", metavar="SIZE", default="", help=help)
    _add_quiet(parser)
    if COMPLETES in os.environ:
        from ..logdir import runs_at
        from .completion import offer

        offer(run, lambda args: [each.name for each in runs_at(args.path)])
        offer(host, lambda args: [name for each in runs_at(args.path) for name in each.hosts])


def _add_quiet(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress and no notes on the error stream")


def _add_range(parser: argparse.ArgumentParser, side: str = "") -> None:
    """side: of a comparison, the one that is chosen of apart from the other."""
    prefix = f"{side}-" if side else ""
    alone = f" of {'A' if side else 'B'}, default as of the other" if side else ""
    steps = f"only these steps{alone}: 3-7; 3-7,9; 12-; typical; slow; all"
    time = f"only what ran in this time{alone}, from the start of the capture: 1.2s-1.4s, or 1200-1400 in ms"
    parser.add_argument(f"--{prefix}steps", dest=f"{side}_steps".strip("_"), metavar="STEPS", help=steps)
    parser.add_argument(f"--{prefix}time", dest=f"{side}_time".strip("_"), metavar="TIME", help=time)


def _range_of(args: argparse.Namespace) -> dict[str, Any]:
    """What `add_range` added, by name."""
    return {name: getattr(args, name) for name in ("steps", "time")}


def _opened(
    args: argparse.Namespace,
    tool: str = "",
    executor: str | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Profile:
    from ..api import open

    if args.memory_limit:
        if written_bytes(args.memory_limit) is None:
            raise ArgumentError(f"--memory-limit {args.memory_limit[:80]!r}: must be a size with a unit: 500MB, 4GiB")
        # Also for the processes that read many hosts.
        os.environ["PERFPLUGIN_MEMORY"] = args.memory_limit
    with _progress(args).watched():
        profile = open(
            args.path, args.run, args.host, tool=tool or None, merge=args.merge, executor=executor, progress=progress
        )
    if args.run is None and not args.merge and len(profile.runs) > 1 and not args.quiet:
        newest = "the newest" if profile.run == profile.runs[0] else f"the newest with {tool or 'a timeline'}"
        note = f"showing {profile.run}, {newest} of {len(profile.runs)} runs; select another with --run"
        sys.stderr.write(f"perfplugin: {printable(note)}\n")
    return profile


def _progress(args: argparse.Namespace) -> ProgressLine:
    return ProgressLine(sys.stderr, _width(), args.quiet)


def _reported(args: argparse.Namespace, report: Callable[[Callable[[str], None]], int]) -> int:
    """A report and its exit code: what it writes is printed when it is complete, and the progress is gone."""
    texts: list[str] = []
    with _progress(args).watched():
        code = report(texts.append)
    _write("".join(texts))
    return code


def _width() -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns


def _json(data: Any) -> str:
    from ..answers.encode import to_json

    return to_json(data)


def _say(text: str) -> None:
    _write(text + "\n")


def _write(text: str) -> None:
    """What the terminal's encoding lacks becomes a question mark."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
