"""`perfplugin capture`: its arguments, the capture once or again and again, and what came back."""

from __future__ import annotations

import argparse
import decimal
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from types import FrameType, TracebackType
from typing import Any, TextIO

from .. import api
from ..capture import (
    PHASES,
    PRESETS,
    Address,
    Captured,
    CaptureError,
    HostOutcome,
    Options,
    Progress,
    addresses,
    capture_pod,
    monitor,
    run,
)
from ..errors import ArgumentError, PerfpluginError, RemoteError, UnreadableError
from ..tables import PlaneKind, Quality
from ..tools import QualityInWords
from ..units import UNKNOWN, seconds, value
from .show import cut, printable, table

# The arguments of `perfplugin capture`, those of other capture commands included → what to capture.

_TIMES = {"ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_SIZES = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}
#: The profiler's port of a TPU's worker, where none is given.
TPU_PORT = 8466
#: Where a worker takes programs; its profiler's server is at another port of the same machine.
_PROGRAMS_PORT = 8470
#: Shorter than any capture takes, start and end included; longer than any program runs, and than threads can wait.
MIN_EVERY_MS, MAX_EVERY_MS = 1000, 365 * 86_400_000


@dataclass(frozen=True)
class Asked:
    """What the command line asks for. every_ms: 0 for once; keep: 0 for all."""

    addresses: tuple[Address, ...]
    logdir: str
    options: Options
    _: KW_ONLY
    every_ms: int = 0
    keep: int = 0
    quiet: bool = False

    @property
    def series(self) -> str:
        """What the captures of a repeated command have in common, by which the same command recognises them."""
        return f"every {','.join(sorted(map(str, self.addresses)))}" if self.every_ms else ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("addresses", nargs="?", metavar="ADDRESSES", help="host:port of each profiler's server, separated by commas")
    add("--service_addr", "--service-addr", metavar="ADDRESSES", help="same as ADDRESSES")
    workers = f"TPU workers to record instead of ADDRESSES; default port: {TPU_PORT}"
    add("--worker_list", "--workers_list", "--worker-list", metavar="HOSTS", help=workers)
    add("--tpu", "--tpu_name", "--tpu-name", metavar="NAME", help="all workers of this Cloud TPU")
    add("--tpu_zone", "--tpu-zone", metavar="ZONE", help="its zone; default: this machine's")
    add("--gcp_project", "--gcp-project", metavar="PROJECT", help="its project; default: this machine's")
    add("--logdir", "--log_dir", metavar="DIR", help="TensorBoard's log directory, into which the session is written")
    add("--session", default=None, metavar="NAME", help="name of the session; default: the time")
    _add_recording(parser)
    add("--every", metavar="TIME", help="repeat at this interval until interrupted, for example 10m")
    add("--keep", type=int, default=0, metavar="N", help="with --every: keep only its newest N sessions")
    add(
        "--monitoring_level",
        type=int,
        metavar="N",
        help="1 or 2: print a TPU's current activity; capture nothing",
    )
    add("--num_queries", type=int, metavar="N", help="with --monitoring_level: number of queries; default: 100")
    add("-q", "--quiet", action="store_true", help="print only the session's path, and errors")


def _add_recording(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    presets = " ".join(f"{each.name}: {each.help}" for each in PRESETS)
    add("--preset", choices=[each.name for each in PRESETS], help=f"options to start from. {presets}")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--duration", metavar="TIME", help="length of the recording, for example 500ms; default: 2s")
    length.add_argument("--duration_ms", "--duration-ms", type=int, metavar="MS", help="the same in milliseconds")
    wait = parser.add_mutually_exclusive_group()
    wait.add_argument("--delay", metavar="TIME", help="time to wait before recording")
    wait.add_argument("--delay_ms", "--delay-ms", type=int, metavar="MS", help="the same in milliseconds")
    add("--together", action="store_true", default=None, help="all workers start at the same time by their own clocks")
    for name, help in _LEVELS.items():
        add(f"--{name}", f"--{name.replace('_', '-')}", type=int, metavar="N", help=help)
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--retries", type=int, metavar="N", help="retries after a busy or empty answer; default: 3")
    attempts = "the same, counting the first attempt"
    again.add_argument("--num_tracing_attempts", "--num-tracing-attempts", type=int, metavar="N", help=attempts)
    add("--budget", metavar="SIZE", help="largest result accepted from a worker, for example 100MB; default: 512MiB")
    more = "additional device-profiler option, such as gpu_max_activity_api_events=1000000; repeatable"
    add("--advanced", action="append", default=[], metavar="NAME=VALUE", help=more)
    # What other commands have and everything here does anyhow.
    add("--include_dataset_ops", nargs="?", const="true", help=argparse.SUPPRESS)


_LEVELS = {
    "host_tracer_level": "host events, 0 to 3: none, steps and annotations, also ops, also small ops; default: 2",
    "device_tracer_level": "device events (kernels, copies), 0 or 1; default: 1",
    "python_tracer_level": "every Python function call, 0 or 1; slows the program; default: 0",
}


def asked(args: argparse.Namespace) -> Asked:
    """Raises ArgumentError."""
    if not args.logdir:
        raise ArgumentError("--logdir is missing: give TensorBoard's log directory")
    every_ms = time_ms("every", args.every) if args.every is not None else 0
    if args.every is not None and every_ms < MIN_EVERY_MS:
        raise ArgumentError(f"--every {args.every[:80]!r}: the shortest interval is {seconds(MIN_EVERY_MS / 1000)}")
    if every_ms > MAX_EVERY_MS:
        raise ArgumentError(f"--every {args.every[:80]!r}: the longest interval is 365d")
    if args.keep and not every_ms:
        raise ArgumentError("--keep requires --every: a single capture removes no session")
    if args.keep < 0:
        raise ArgumentError(f"--keep {args.keep}: must be a positive integer")
    return Asked(whom(args), args.logdir, options(args), every_ms=every_ms, keep=args.keep, quiet=args.quiet)


def whom(args: argparse.Namespace) -> tuple[Address, ...]:
    """Every worker that is to be asked. Raises ArgumentError, RemoteError where a TPU's name cannot be resolved."""
    given = [each for each in (args.addresses, args.service_addr) if each]
    if args.tpu:
        if given and not args.worker_list:
            raise ArgumentError("--tpu names all workers: leave out ADDRESSES")
        return addresses(_with_ports(args.worker_list)) if args.worker_list else tpu_workers(args)
    if len(given) > 1:
        raise ArgumentError("--service_addr and ADDRESSES mean the same: give only one of them")
    if args.worker_list:
        port = addresses(given[0])[0].port if given else TPU_PORT
        return addresses(_with_ports(args.worker_list, port))
    if not given:
        raise ArgumentError("ADDRESSES is missing, for example: perfplugin capture localhost:6009 --logdir DIR")
    return addresses(given[0])


def tpu_workers(args: argparse.Namespace) -> tuple[Address, ...]:
    """A Cloud TPU's name → the addresses of its workers' profilers, by whichever library is there.

    Raises ArgumentError where no library can resolve names, RemoteError where it says that it cannot.
    """
    name, zone, project = args.tpu, args.tpu_zone, args.gcp_project
    try:
        workers = _by_client(name, zone, project)
        if workers is None:
            workers = _by_tensorflow(name, zone, project)
    except Exception as error:
        # These libraries ask Google's servers, and fail in as many ways as those, the network and credentials do.
        reason = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        remedy = f"give their addresses instead: HOST:{TPU_PORT},HOST:{TPU_PORT}"
        raise RemoteError(f"the workers of TPU {name[:80]!r} cannot be resolved: {reason}; {remedy}") from error
    if workers is None:
        raise ArgumentError(
            f"--tpu {name[:80]!r}: TPU names are resolved by cloud-tpu-client or TensorFlow, and neither is installed: "
            f"run `pip install cloud-tpu-client`, or give the workers' addresses: HOST:{TPU_PORT},HOST:{TPU_PORT}"
        )
    return addresses([_profiler(each) for each in workers])


def _by_client(name: str, zone: str | None, project: str | None) -> list[str] | None:
    try:
        import cloud_tpu_client
    except ImportError:
        return None
    endpoints = cloud_tpu_client.Client(tpu=name, zone=zone, project=project).network_endpoints()
    return [with_port(each["ipAddress"], int(each.get("port", _PROGRAMS_PORT))) for each in endpoints]


def _by_tensorflow(name: str, zone: str | None, project: str | None) -> list[str] | None:
    try:
        import tensorflow
    except ImportError:
        return None
    resolver_class = tensorflow.distribute.cluster_resolver.TPUClusterResolver
    resolver = resolver_class(tpu=name, zone=zone, project=project, coordinator_name=None)
    return [str(each) for each in resolver.cluster_spec().as_dict().get("worker", [])]


def _profiler(address: str) -> str:
    return re.sub(rf":{_PROGRAMS_PORT}$", f":{TPU_PORT}", address)


def _with_ports(hosts: str, port: int = TPU_PORT) -> list[str]:
    """Hosts, of which some may have a port, each with one."""
    return [with_port(part, port) for part in re.split(r"[,\s]+", hosts) if part]


def with_port(host: str, port: int) -> str:
    if re.fullmatch(r"[0-9a-fA-F.]*:[0-9a-fA-F.:]*:[0-9a-fA-F.:]*", host):
        return f"[{host}]:{port}"
    return host if re.search(r"(^[^:]*|\]|//.*):\d+/?$", host) else f"{host}:{port}"


def options(args: argparse.Namespace) -> Options:
    """What is to be recorded, and how. Raises ArgumentError."""
    preset = next((each.options for each in PRESETS if each.name == args.preset), Options())
    attempts = args.num_tracing_attempts
    if attempts is not None and attempts < 1:
        raise ArgumentError(f"--num_tracing_attempts {attempts}: must be a positive integer")
    given = {
        "duration_ms": _ms("duration", args.duration, args.duration_ms),
        "delay_ms": _ms("delay", args.delay, args.delay_ms),
        "together": args.together,
        **{name: getattr(args, name) for name in _LEVELS},
        "retries": args.retries if attempts is None else attempts - 1,
        "budget_bytes": None if args.budget is None else size_bytes("budget", args.budget),
        "session": args.session,
        "advanced": _advanced(args.advanced) or None,
    }
    return Options.from_mapping(
        {**preset.as_dict(), **{name: value for name, value in given.items() if value is not None}}
    )


def _ms(name: str, text: str | None, number: int | None) -> int | None:
    return number if text is None else time_ms(name, text)


def time_ms(name: str, text: str) -> int:
    """`2s`, `1.5 s`, `500ms`, `10m`, `1h` → whole milliseconds. Raises ArgumentError, also without a unit."""
    return _measured(name, text, _TIMES, "ms, s, m or h, for example 2s")


def size_bytes(name: str, text: str) -> int:
    """`100MB`, `512MiB` → bytes. Raises ArgumentError."""
    return _measured(name, text, _SIZES, "MB, MiB, GB or GiB, for example 100MB")


def _measured(name: str, text: str, units: Mapping[str, int], accepted: str) -> int:
    match = re.fullmatch(r"\s*([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*([a-zA-Z]+)\s*", text)
    unit = units.get(match[2].lower()) if match else None
    if match is None or unit is None:
        raise ArgumentError(f"--{name} {text[:80]!r}: must be a number with a unit: {accepted}")
    return int(decimal.Decimal(match[1]) * unit)


def _advanced(given: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign:
            raise ArgumentError(f"--advanced {each[:80]!r}: must be NAME=VALUE")
        if value.lower() in ("true", "false"):
            values[name] = value.lower() == "true"
        else:
            values[name] = int(value) if re.fullmatch(r"-?[0-9]{1,19}", value) else value
    return values


# A capture that was made → what came back, in a few lines, as the package itself reads it.

_SUFFIX = ".xplane.pb"
_HEADERS = ("Worker", "Events", "Devices", "Steps", "Step time", "Size", "Time")


@dataclass(frozen=True)
class _Read:
    """What one worker's file holds. problem: why it cannot be read."""

    quality: Quality = field(default_factory=Quality)
    devices: int = 0
    steps: int | None = None
    step_time_ms: float | None = None
    problem: str = ""


def summary(made: Captured, width: int) -> tuple[str, int]:
    """The session's path, a line a worker, what became of the events; and how many events there are.

    Raises UnreadableError where no file is readable.
    """
    read = {host: _read(made.path, host.file) for host in made.hosts if host.file}
    if all(each.problem for each in read.values()):
        raise UnreadableError("; ".join(each.problem for each in read.values()))
    rows = [_row(host, each) for host, each in read.items()]
    text, _ = table(_HEADERS, rows, (True, *(False,) * (len(_HEADERS) - 1)), width)
    lines = [made.path, text, *map(printable, _notes(made, list(read.values())))]
    return "\n".join(lines), sum(each.quality.events_in_file for each in read.values())


def _read(path: str, file: str) -> _Read:
    """Never raises: one file that cannot be read takes no other's summary."""
    host = file.removesuffix(_SUFFIX)
    try:
        profile = api.open(path, host=host)
        capture = profile.captures[host]
        overview = profile.tool("overview").result.summary
    except PerfpluginError as error:
        return _Read(problem=str(error))
    devices = sum(PlaneKind(kind).is_device for kind in capture.planes.kind.tolist())
    steps, step_time_ms = overview.get("step_count"), overview.get("step_time_typical_ms")
    return _Read(
        capture.quality,
        devices,
        steps if isinstance(steps, int) else None,
        step_time_ms if isinstance(step_time_ms, float) else None,
    )


def _row(host: HostOutcome, read: _Read) -> tuple[str, ...]:
    return (
        printable(host.address),
        UNKNOWN if read.problem else value(read.quality.events_kept, "count"),
        UNKNOWN if read.problem else value(read.devices, "count"),
        value(read.steps, "count"),
        value(read.step_time_ms, "ms"),
        value(host.size_bytes, "bytes"),
        value(host.seconds, "s"),
    )


def _notes(made: Captured, read: list[_Read]) -> Iterator[str]:
    quality = QualityInWords.of(sum((each.quality for each in read), Quality()))
    yield f"{quality.events_kept:,} of {quality.events_in_file:,} events kept"
    for reason, count in quality.dropped.items():
        yield f"dropped: {count:,} {reason}"
    for warning in quality.warnings:
        yield f"warning: {warning}"
    for each in read:
        if each.problem:
            yield f"unreadable: {each.problem}"
    for host in made.hosts:
        if not host.file:
            yield f"{'left out' if host.kind == 'same' else 'missing'}: {host.message}"


# `perfplugin capture`: once or again and again, with progress; a signal ends it and leaves nothing behind.

#: Exit codes: a remote failed, of one worker at least; nothing readable came.
FAILED, UNREADABLE = 4, 3
#: Those that a person, a terminal that closes and a service manager send.
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
#: What a shell adds to a signal's number.
ENDED_BY = 128


def capture(asked: Asked, width: int, say: Callable[[str], None]) -> int:
    """Do what the command line asks for; the exit code. Raises PerfpluginError where nothing came of it."""
    with Signals() as signals:
        return _repeated(asked, width, say, signals) if asked.every_ms else _once(asked, width, say, signals)


def _once(asked: Asked, width: int, say: Callable[[str], None], signals: Signals) -> int:
    """One capture, and what came back."""
    # A log of a month of captures needs what came of each, not that it went on.
    line = Line(sys.stderr, asked.quiet or (bool(asked.every_ms) and not sys.stderr.isatty()), width)
    try:
        made = run(
            asked.addresses, asked.logdir, asked.options, progress=line.show, cancel=signals.stop, series=asked.series
        )
    except CaptureError as error:
        if not signals.number:
            raise
        line.clear()
        sys.stderr.write(f"perfplugin: {printable(str(error))}\n")
        return ENDED_BY + signals.number
    finally:
        line.clear()
    return _reported(made, asked.quiet, width, say)


def _reported(made: Captured, quiet: bool, width: int, say: Callable[[str], None]) -> int:
    """Print what came back, as the package itself reads it; the exit code."""
    code = 0 if all(host.file or host.kind == "same" for host in made.hosts) else FAILED
    events = 0
    if quiet:
        for host in made.hosts:
            if not host.file:
                sys.stderr.write(f"perfplugin: {printable(host.message)}\n")
        say(made.path)
        return code
    try:
        text, events = summary(made, width)
        say(text)
    except UnreadableError as error:
        say(made.path)
        sys.stderr.write(f"perfplugin: {printable(str(error))}\n")
    return code if events else UNREADABLE


def _repeated(asked: Asked, width: int, say: Callable[[str], None], signals: Signals) -> int:
    """Captures so far apart, from begin to begin, until a signal comes. One that takes longer takes the next's turn.

    A capture that fails is reported, and the next one tried: the program may have been restarted.
    """
    good, last_error, began_s = 0, None, time.monotonic()
    while not signals.stop.is_set():
        try:
            good += _once(asked, width, say, signals) in (0, FAILED)
        except ArgumentError:
            if not good and last_error is None:
                raise
        except PerfpluginError as error:
            last_error = error
            sys.stderr.write(f"perfplugin: {printable(str(error))}\n")
        _prune(asked)
        sys.stdout.flush()
        every_s = asked.every_ms / 1000
        signals.stop.wait(every_s - (time.monotonic() - began_s) % every_s)
    return 0 if good else FAILED


def _prune(asked: Asked) -> None:
    if asked.keep:
        from ..capture import prune

        for name in prune(asked.logdir, asked.series, asked.keep):
            if not asked.quiet:
                sys.stderr.write(f"perfplugin: removed {printable(name)} (--keep {asked.keep})\n")


class Signals:
    """While it is entered, the first signal that would end the process sets `stop` instead; the second ends it.

    number: of the signal that came, 0 without. Outside of the main thread, where Python takes none, it does nothing.
    """

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.number = 0
        self._before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}

    def __enter__(self) -> Signals:
        if threading.current_thread() is threading.main_thread():
            for number in (getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)):
                # One that is ignored, as by nohup, stays so.
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._came)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._restore()

    def _came(self, number: int, frame: FrameType | None) -> None:
        self.number = number
        self.stop.set()
        self._restore()

    def _restore(self) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._before = {}


class Line:
    """How far a capture is: on a terminal one line that is written over and goes at the end, else a line a phase."""

    def __init__(self, stream: TextIO, quiet: bool, width: int) -> None:
        self._stream = stream
        self._over = stream.isatty()
        self._quiet = quiet
        self._width = width
        self._last = ""

    def show(self, now: Progress) -> None:
        text = progress_text(now, countdown=self._over)
        if self._quiet or text == self._last or now.phase == "done":
            return
        self._last = text
        shown = printable(cut(text, self._width - 1))
        self._stream.write(f"\r\x1b[K{shown}" if self._over else f"perfplugin: {shown}\n")
        self._stream.flush()

    def clear(self) -> None:
        if self._over and self._last:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
        self._last = ""


def progress_text(now: Progress, countdown: bool) -> str:
    """`recording localhost:6009, 1.3 s left`; of several workers how many are at what, in a countdown."""
    left_s = now.total_s - now.elapsed_s
    timed = now.phase in ("waiting", "recording") and left_s > 0
    # A third digit would change faster than it can be read.
    rest = f", {seconds(round(left_s, 1))} left" if countdown and timed else ""
    if not countdown and len(now.hosts) > 1:
        failed = sum(host.kind not in (*PHASES, "ok", "same") for host in now.hosts)
        return f"{now.phase} {len(now.hosts)} workers{f', {failed} of them failed' * bool(failed)}"
    if len(now.hosts) == 1:
        [host] = now.hosts
        more = f" ({host.message})" if host.message else ""
        return f"{host.kind} {host.address}{more}{rest}"
    counts: dict[str, int] = {}
    for host in now.hosts:
        counts[host.kind] = counts.get(host.kind, 0) + 1
    by_kind = [f"{count} {kind}" for kind, count in counts.items()]
    why = [f" ({host.message})" for host in now.hosts if host.kind == "waiting" and host.message]
    return f"{len(now.hosts)} workers: {', '.join(by_kind)}{''.join(why[:1])}{rest}"


# What `perfplugin capture` does with servers of Cloud TPUs only: a capture into a bucket, and what they do now.

Say = Callable[[str], None]
BUCKET = "gs://"
#: As other commands have it.
QUERIES, QUERY_MS = 100, 1000


def special(args: argparse.Namespace) -> Callable[[argparse.Namespace, Say], int] | None:
    """What the arguments ask of a TPU, or None where they ask for a capture as of any server."""
    if args.monitoring_level is not None:
        return _watch
    if args.num_queries is not None:
        raise ArgumentError("--num_queries requires --monitoring_level")
    return _into_bucket if (args.logdir or "").startswith(BUCKET) and (args.worker_list or args.tpu) else None


def _into_bucket(args: argparse.Namespace, say: Say) -> int:
    """The workers write by themselves, as their master asks them; prints the session's path."""
    if args.every is not None or args.keep:
        raise ArgumentError("--every and --keep require a local --logdir: sessions in a bucket are not listed")
    master, workers = _master(args)
    with Signals() as signals:
        try:
            say(capture_pod(master, workers, args.logdir, options(args), cancel=signals.stop))
        except PerfpluginError:
            if not signals.number:
                raise
            return ENDED_BY + signals.number
    return 0


def _master(args: argparse.Namespace) -> tuple[Address, tuple[str, ...]]:
    """Whom to ask, and the workers as the master knows them, without ports."""
    given = args.addresses or args.service_addr
    everyone = whom(args)
    hosts = re.split(r"[,\s]+", args.worker_list.strip()) if args.worker_list else [each.host for each in everyone]
    return (addresses(given)[0] if given else everyone[0]), tuple(hosts)


def _watch(args: argparse.Namespace, say: Say) -> int:
    """What the devices do, again and again."""
    queries = QUERIES if args.num_queries is None else args.num_queries
    if args.monitoring_level not in (1, 2) or queries < 1:
        raise ArgumentError("--monitoring_level must be 1 or 2, --num_queries a positive integer")
    duration_ms = QUERY_MS if args.duration is None and args.duration_ms is None else options(args).duration_ms
    address = whom(args)[0]
    with Signals() as signals:
        for _ in range(queries):
            say("\n".join(map(printable, monitor(address, duration_ms, args.monitoring_level).text.splitlines())))
            if signals.stop.is_set():
                return ENDED_BY + signals.number
    return 0
