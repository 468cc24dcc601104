"""`python -m benchmarks.run`: one large capture, this package and the peer by turns on it, and a table of both.

Every figure of time or memory is of a fresh process; answers are kept nowhere from one to the next. The capture's pages
are in the system's cache for both. Ours is the whole process, from `python` to the last byte of the answer; the peer's
time is that of the call alone, without its imports, as its runner measures it.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from . import board, size
from .hosts import hosts_table
from .kineto import found_hta, kineto_table
from .process import run
from .report import MB, table, tell
from .trace import trace_rows

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "bench"
#: Ours → the peer's name for what answers the same question.
TOOLS = {
    "overview": "overview_page",
    "input_pipeline": "input_pipeline_analyzer",
    "op_stats": "framework_op_stats",
    "kernel_stats": "kernel_stats",
    "memory_profile": "memory_profile",
    "trace_viewer": "trace_viewer@",
}
#: The same of pages on XLA programs, on a capture of one; the peer's graph viewer answers nothing without a name.
XLA_TOOLS = {
    "hlo_stats": "hlo_stats",
    "op_profile": "op_profile",
    "memory_viewer": "memory_viewer",
    "graph_viewer": "",
    "roofline": "roofline_model",
}
#: What a cold page may take, in multiples of what the decode alone takes in the same run.
BUDGETS = {
    "overview": 3.0,
    "input_pipeline": 2.5,
    "op_stats": 2.0,
    "kernel_stats": 2.0,
    "memory_profile": 2.0,
    "trace_viewer": 2.0,
}
#: Of these the peer's runner has to be told of which program.
OF_A_PROGRAM = ("memory_viewer",)
#: What records a program: see record_program.py.
JAX = ROOT / ".venv-frameworks" / "bin" / "python"
FIGURES = ("figure", "measured", "at least / at most")
#: Pages that are opened one after another in one TensorBoard.
PAGES = ("op_stats", "kernel_stats", "memory_profile", "tf_data")


@dataclass
class Series:
    """Repeated measurements of one thing, each in a fresh process."""

    seconds: list[float] = field(default_factory=list)
    peak_bytes: list[int] = field(default_factory=list)

    def add(self, seconds: float, peak_bytes: int) -> None:
        self.seconds.append(seconds)
        self.peak_bytes.append(peak_bytes)

    def cells(self) -> list[str]:
        """Median, best, and largest peak."""
        if not self.seconds:
            return ["–", "–", "–"]
        return [f"{self.median:.2f} s", f"{min(self.seconds):.2f} s", f"{self.peak / MB:,.0f} MB"]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def peak(self) -> int:
        return max(self.peak_bytes)


@dataclass(frozen=True)
class Peer:
    """A Python that has the peer, and the script that runs one of its tools."""

    python: Path
    script: Path

    def measure(self, file: Path, tool: str, errors: IO[bytes]) -> tuple[float, int]:
        """Seconds of the first, cold call, and the process's peak memory in bytes."""
        script = ROOT / "benchmarks" / "peer_program.py" if tool in OF_A_PROGRAM else self.script
        done = run([str(self.python), str(script), str(file), tool], errors)
        said = json.loads(done.output.splitlines()[-1])
        if not said["bytes"]:
            raise RuntimeError(f"the peer's {tool} answers nothing")
        return float(said["cold_s"]), done.peak_bytes


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Time and memory on a large capture, beside the peer.")
    parser.add_argument("--events", type=int, default=4_500_000, help="of the capture that is made")
    parser.add_argument("--file", type=Path, help="an .xplane.pb to use instead")
    parser.add_argument("--repeats", type=int, default=3, help="of each measurement (default: %(default)s)")
    parser.add_argument("--peer-repeats", type=int, default=3, help="0 leaves the peer out (default: %(default)s)")
    parser.add_argument("--starts", type=int, default=5, help="of TensorBoard with and without (default: %(default)s)")
    parser.add_argument("--windows", type=int, default=200, help="of the trace (default: %(default)s)")
    parser.add_argument("--export", action=argparse.BooleanOptionalAction, default=True, help="the whole trace, too")
    what = "events of a second, larger capture, for the trace alone (default: none; without a number %(const)s)"
    parser.add_argument("--large", type=int, nargs="?", const=11_000_000, help=what)
    parser.add_argument("--trace-only", action="store_true", help="leave out what is not the trace")
    what = "a trace of PyTorch's profiler instead, beside HTA where PERFPLUGIN_HTA names its environment; of %(const)s"
    parser.add_argument("--kineto", type=int, nargs="?", const=1_000_000, help=f"{what} events, or so many")
    where = os.environ.get("PERFPLUGIN_PEER") or "~/.cache/peer"
    what = "runs of many hosts of 3 MB instead, so many in turn (default: %(const)s), files in a folder that is removed"
    parser.add_argument("--hosts", nargs="?", const="1,16,64,256,1000", help=what)
    parser.add_argument("--peer", type=Path, default=Path(where), help="the peer's environment (default: %(default)s)")
    script = ROOT.parent / "shared" / "peer" / "xprof_tool.py"
    parser.add_argument("--peer-tool", type=Path, default=script, help="runs one of its tools (default: %(default)s)")
    parser.add_argument("--out", type=Path, help="a file for the tables, too")
    return parser.parse_args()


def main() -> None:
    args = parsed()
    if args.kineto:
        with tempfile.TemporaryFile() as errors:
            tell_all("\n".join(kineto_table(args.kineto, args.repeats, found_hta(), errors)) + "\n", args)
        return
    peer = found_peer(args)
    if args.hosts:
        counts = [int(count) for count in args.hosts.split(",")]
        with tempfile.TemporaryFile() as errors:
            tell_all("\n".join(hosts_table(counts, peer.python if peer else None, errors)) + "\n", args)
        return
    with tempfile.TemporaryFile() as errors:
        file = args.file or made_capture(args.events, errors)
        warm(file)
        if args.trace_only:
            parts = [*trace_part(file, peer, args, errors)]
        else:
            parts = ["\n".join(heading(file, peer)), "\n".join(tool_table(file, TOOLS, peer, args, errors))]
            parts += ["\n".join(figure_table(file, args, errors)), *xla_part(peer, args, errors)]
        if args.large:
            large = made_capture(args.large, errors)
            warm(large)
            parts += trace_part(large, peer, args, errors)
    tell_all("\n\n".join(parts) + "\n", args)


def tell_all(text: str, args: argparse.Namespace) -> None:
    print(text)
    if args.out:
        args.out.write_text(text)


def found_peer(args: argparse.Namespace) -> Peer | None:
    peer = Peer(args.peer.expanduser() / "bin" / "python", args.peer_tool)
    if args.peer_repeats and not (peer.python.exists() and peer.script.exists()):
        tell(f"no peer: {peer.python} or {peer.script} is missing; only this package is measured")
        return None
    return peer if args.peer_repeats else None


def made_capture(events: int, errors: IO[bytes]) -> Path:
    logdir = CACHE / str(events)
    file = logdir / "plugins" / "profile" / "train" / "bench.xplane.pb"
    if not file.exists():
        tell(f"making a capture of {events:,} events in {logdir}")
        run([sys.executable, "-m", "benchmarks.generate", str(logdir), "--events", str(events)], errors)
    return file


def xla_part(peer: Peer | None, args: argparse.Namespace, errors: IO[bytes]) -> Iterator[str]:
    """Pages on XLA programs, on a capture of two million kernels."""
    if not JAX.exists():
        tell(f"no {JAX}: pages on XLA programs are not measured")
        return
    file = made_xla_capture(errors)
    warm(file)
    yield "\n".join(heading(file, peer))
    yield "\n".join(tool_table(file, XLA_TOOLS, peer, args, errors))


def made_xla_capture(errors: IO[bytes]) -> Path:
    logdir = CACHE / "xla"
    file = logdir / "plugins" / "profile" / "xla" / "bench.xplane.pb"
    if not file.exists():
        tell(f"recording a program, and making a capture of it in {logdir}")
        run([str(JAX), "benchmarks/record_program.py", str(logdir / "recorded")], errors, JAX_PLATFORMS="cpu")
        (recorded,) = (logdir / "recorded").rglob("*.xplane.pb")
        run([sys.executable, "-m", "benchmarks.programs", str(recorded), str(logdir)], errors)
    return file


def warm(file: Path) -> None:
    """Reads a file into the system's cache, in pieces: what this process holds would count as each child's memory."""
    with file.open("rb", buffering=0) as opened:
        while opened.read(1 << 20):
            pass


def heading(file: Path, peer: Peer | None) -> Iterator[str]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    yield f"{file.name}: {file.stat().st_size / MB:.1f} MB; Python {sys.version.split()[0]}, {cores} cores"
    yield f"peer: {peer.python if peer else 'none'}"


def tool_table(
    file: Path, tools: Iterable[str], peer: Peer | None, args: argparse.Namespace, errors: IO[bytes]
) -> Iterator[str]:
    """A row a tool: ours and the peer's by turns, and the decode of the file alone."""
    ours = {tool: Series() for tool in tools}
    theirs = {tool: Series() for tool in tools}
    decode = Series()
    for turn in range(max(args.repeats, args.peer_repeats if peer else 0)):
        if turn < args.repeats:
            decode.add(*decoded(file, errors))
        for tool in tools:
            tell(f"turn {turn + 1}: {tool}")
            if turn < args.repeats:
                ours[tool].add(*whole_process(file, tool, errors))
            if peer and turn < args.peer_repeats and (name := (TOOLS | XLA_TOOLS)[tool]):
                theirs[tool].add(*peer.measure(file, name, errors))
    head = ["tool, cold", "ours: median", "best", "peak", "÷ decode", "at most"]
    head += ["peer: median", "best", "peak", "peer ÷ ours: time", "memory"]
    yield from table(
        head,
        (
            [tool, *each.cells(), *of_decode(tool, each, decode), *theirs[tool].cells(), *ratios(each, theirs[tool])]
            for tool, each in ours.items()
        ),
    )


def of_decode(tool: str, ours: Series, decode: Series) -> list[str]:
    budget = f"{BUDGETS[tool]:.1f} ×" if tool in BUDGETS else "–"
    return [f"{ours.median / decode.median:.1f} ×" if ours.seconds else "–", budget]


def decoded(file: Path, errors: IO[bytes]) -> tuple[float, int]:
    """Seconds of the decode alone, without imports, and the process's peak memory in bytes."""
    done = run([sys.executable, "-m", "benchmarks.decode", str(file)], errors)
    return float(json.loads(done.output)["seconds"]), done.peak_bytes


def ratios(ours: Series, theirs: Series) -> list[str]:
    if not theirs.seconds:
        return ["–", "–"]
    return [f"{theirs.median / ours.median:.1f} ×", f"{theirs.peak / ours.peak:.1f} ×"]


def whole_process(file: Path, tool: str, errors: IO[bytes]) -> tuple[float, int]:
    """`perfplugin TOOL FILE --json` with nothing cached."""
    with tempfile.TemporaryDirectory() as cache:
        done = run(
            [sys.executable, "-m", "tensorboard_perfplugin", tool, str(file), "--json"], errors, XDG_CACHE_HOME=cache
        )
    answer = json.loads(done.output)
    if answer["tool"] != tool:
        raise RuntimeError(f"{tool} answers {done.output[:200]!r}")
    return done.seconds, done.peak_bytes


def figure_table(file: Path, args: argparse.Namespace, errors: IO[bytes]) -> Iterator[str]:
    """A row a figure: measured, and what it is to be."""
    rows = [*decode_rows(file, args.repeats, errors), *again_rows(file, args.repeats), *page_rows(file, args.repeats)]
    rows += [*trace_figures(file, args, errors), *scan_rows(), *start_rows(file, args.starts)]
    rows += [*first_answer_rows(args.starts, errors), *size_rows()]
    yield from table(FIGURES, rows)


def decode_rows(file: Path, repeats: int, errors: IO[bytes]) -> Iterator[list[str]]:
    tell("decode")
    series, said = Series(), {}
    for _ in range(repeats):
        done = run([sys.executable, "-m", "benchmarks.decode", str(file)], errors)
        said = json.loads(done.output)
        series.add(said["seconds"], done.peak_bytes)
    size_mb = file.stat().st_size / MB
    speeds = f"{size_mb / series.median:.0f} MB/s (best {size_mb / min(series.seconds):.0f})"
    yield [f"decode, {said['decoder']}, {said['events']:,} events", speeds, "≥ 400 MB/s"]
    peak = f"{series.peak / file.stat().st_size:.2f} × ({series.peak / MB:.0f} MB)"
    yield ["decode, peak memory of the process ÷ file", peak, "≤ 4 ×"]


def logdir_of(file: Path) -> Path:
    return file.parents[3] if file.parent.parent.name == "profile" else file.parent


def again_rows(file: Path, repeats: int) -> Iterator[list[str]]:
    tell("overview again")
    with tempfile.TemporaryDirectory() as cache:
        again = board.answer_again(logdir_of(file), "overview", repeats, Path(cache))
    yield ["overview over HTTP, first", f"{again.first_s:.2f} s", ""]
    yield ["overview again, same TensorBoard, slowest", f"{1e3 * max(again.again_s):.0f} ms", "≤ 100 ms"]
    yield [
        "overview again, a new TensorBoard that listed the tools, slowest",
        f"{1e3 * max(again.kept_s):.0f} ms",
        "≤ 100 ms",
    ]


def page_rows(file: Path, repeats: int) -> Iterator[list[str]]:
    """Of each repeat a new TensorBoard with nothing cached."""
    firsts, totals = [], []
    for turn in range(repeats):
        tell(f"pages one after another: turn {turn + 1}")
        with tempfile.TemporaryDirectory() as cache:
            seconds = board.answers_in_turn(logdir_of(file), PAGES, Path(cache))
        firsts.append(seconds[0])
        totals.append(sum(seconds))
    first, total = statistics.median(firsts), statistics.median(totals)
    words = f"{first:.2f} s, {total:.2f} s: {total / first:.2f} ×"
    yield [f"{PAGES[0]} over HTTP, then {', '.join(PAGES[1:])}, in all", words, "≤ 1.5 ×"]


def trace_figures(file: Path, args: argparse.Namespace, errors: IO[bytes]) -> Iterator[list[str]]:
    yield from trace_rows(logdir_of(file), args.windows, args.export)
    tell("size of the trace's index")
    said = json.loads(run([sys.executable, "-m", "benchmarks.index", str(file)], errors).output)
    share = f"{said['index'] / said['columns']:.2f} × ({said['index'] / MB:.0f} MB, made in {said['whole_s']:.1f} s)"
    yield ["index of the trace ÷ columns of the capture", share, "≤ 0.6 ×"]


def trace_part(file: Path, peer: Peer | None, args: argparse.Namespace, errors: IO[bytes]) -> Iterator[str]:
    """The trace alone of one capture."""
    yield "\n".join(heading(file, peer))
    yield "\n".join(tool_table(file, ["trace_viewer"], peer, args, errors))
    rows = [*decode_rows(file, args.repeats, errors), *trace_figures(file, args, errors)]
    yield "\n".join(table(FIGURES, rows))


def scan_rows() -> Iterator[list[str]]:
    tell("a tree of folders")
    with tempfile.TemporaryDirectory() as folder:
        scan = board.scan_seconds(Path(folder))
    measured = f"{scan.first_s:.2f} / {scan.complete_s:.2f} s"
    yield [f"{scan.folders:,} folders: the page's first answer / all runs known", measured, "≤ 2 s"]
    yield ["meanwhile, the listing of plugins, slowest", f"{1e3 * scan.listing_s:.0f} ms", ""]


def first_answer_rows(repeats: int, errors: IO[bytes]) -> Iterator[list[str]]:
    """Processor time of the command line on a small capture, beside what numpy alone takes, in turn."""
    tell("first answers of the command line")
    ours = [sys.executable, "-m", "tensorboard_perfplugin"]
    sample = str(ROOT / "tests" / "samples" / "jax_train")
    commands = {
        "numpy": [sys.executable, "-c", "import numpy"],
        "overview": [*ours, "overview", sample],
        "--help": [*ours, "--help"],
    }
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(2 * repeats + 1):
        for name, command in commands.items():
            with tempfile.TemporaryDirectory() as cache:
                seconds[name].append(run(command, errors, XDG_CACHE_HOME=cache).cpu_s)
    numpy, overview, usage = (statistics.median(each) for each in seconds.values())
    words = f"{overview:.2f} s: {overview / numpy:.1f} × `import numpy`"
    yield ["processor of a first `perfplugin overview` of a small capture", words, "≤ 2.3 ×"]
    yield ["processor of `perfplugin --help`", f"{usage:.2f} s: {usage / numpy:.1f} × `import numpy`", "≤ 1.2 ×"]


def start_rows(file: Path, repeats: int) -> Iterator[list[str]]:
    tell("starts of TensorBoard")
    ours, without = board.start_seconds(file.parent, repeats)
    added = statistics.median(ours) - statistics.median(without)
    yield [f"TensorBoard to ready, without, median of {repeats}", f"{statistics.median(without):.2f} s", ""]
    yield [
        f"TensorBoard to ready, with, median of {repeats}",
        f"{statistics.median(ours):.2f} s ({added:+.2f} s)",
        "≤ +0.2 s",
    ]


def size_rows() -> Iterator[list[str]]:
    tell("size when installed")
    with tempfile.TemporaryDirectory() as folder:
        ours = size.built_size_bytes(ROOT, Path(folder))
    others = size.beyond_tensorboard("tensorboard-perfplugin")
    total = ours + sum(map(size.size_bytes, others))
    yield [f"installed beyond tensorboard ({len(others)} other packages)", f"{total / MB:.1f} MB", "≤ 10 MB"]


if __name__ == "__main__":
    main()
