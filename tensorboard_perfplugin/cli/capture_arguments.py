"""The arguments of `perfplugin capture`, those of other capture commands included → what to capture."""

from __future__ import annotations

import argparse
import decimal
import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

from ..capture import PRESETS, Address, Options, addresses
from ..errors import ArgumentError, RemoteError
from ..units import seconds

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
    return Options.of({**preset.as_dict(), **{name: value for name, value in given.items() if value is not None}})


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
