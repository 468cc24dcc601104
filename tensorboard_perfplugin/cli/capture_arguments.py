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

_TIMES = {"ms": 1, "s": 1000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}
_SIZES = {"b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30}
#: The profiler's port of a TPU's worker, where none is given.
TPU_PORT = 8466
#: Where a worker takes programs; its profiler's server is at another port of the same machine.
_PROGRAMS_PORT = 8470
#: Shorter than any capture takes, start and end included.
MIN_EVERY_MS = 1000


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
        """What the captures of a repeated command have in common, so that the same command finds its own."""
        return f"every {','.join(sorted(map(str, self.addresses)))}" if self.every_ms else ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("addresses", nargs="?", metavar="ADDRESSES", help="host:port of each profiler's server, separated by commas")
    add("--service_addr", "--service-addr", metavar="ADDRESSES", help="the same")
    workers = "TPU workers to record, of which the port may be left out; instead of ADDRESSES"
    add("--worker_list", "--workers_list", "--worker-list", metavar="HOSTS", help=workers)
    add("--tpu", "--tpu_name", "--tpu-name", metavar="NAME", help="all workers of this Cloud TPU")
    add("--tpu_zone", "--tpu-zone", metavar="ZONE", help="its zone, if it is not this machine's")
    add("--gcp_project", "--gcp-project", metavar="PROJECT", help="its project, if it is not this machine's")
    add("--logdir", "--log_dir", metavar="DIR", help="where the session goes, as TensorBoard has it")
    add("--session", default=None, metavar="NAME", help="the session's name; the time without")
    _add_recording(parser)
    add("--every", metavar="TIME", help="again and again, so far apart, until it is stopped: 10m")
    add("--keep", type=int, default=0, metavar="N", help="with --every: only its own newest N sessions stay")
    add("--monitoring_level", type=int, metavar="N", help="1 or 2: print what a TPU does now, and capture nothing")
    add("--num_queries", type=int, metavar="N", help="with --monitoring_level: how often; 100 without")
    add("-q", "--quiet", action="store_true", help="only the session's path, and what went wrong")


def _add_recording(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    presets = "; ".join(f"{each.name}: {each.help}" for each in PRESETS)
    add("--preset", choices=[each.name for each in PRESETS], help=f"where to start from. {presets}")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--duration", metavar="TIME", help="how long to record: 2s, 500ms; 2s without")
    length.add_argument("--duration_ms", "--duration-ms", type=int, metavar="MS", help="the same, in milliseconds")
    wait = parser.add_mutually_exclusive_group()
    wait.add_argument("--delay", metavar="TIME", help="how long to wait before")
    wait.add_argument("--delay_ms", "--delay-ms", type=int, metavar="MS", help="the same, in milliseconds")
    add("--together", action="store_true", default=None, help="all workers begin at one time of their clocks")
    for name, help in _LEVELS.items():
        add(f"--{name}", f"--{name.replace('_', '-')}", type=int, metavar="N", help=help)
    again = parser.add_mutually_exclusive_group()
    again.add_argument("--retries", type=int, metavar="N", help="ask again so often where busy or empty; 3 without")
    attempts = "the same, the first time included"
    again.add_argument("--num_tracing_attempts", "--num-tracing-attempts", type=int, metavar="N", help=attempts)
    add("--budget", metavar="SIZE", help="a worker's larger result is refused: 100MB; 512MiB without")
    more = "an option that the device's profiler understands beyond, as gpu_max_activity_api_events=1000000; repeatable"
    add("--advanced", action="append", default=[], metavar="NAME=VALUE", help=more)
    # What other commands have and everything here does anyhow.
    add("--include_dataset_ops", nargs="?", const="true", help=argparse.SUPPRESS)


_LEVELS = {
    "host_tracer_level": "0 to 3: what the host's events tell; 2 without",
    "device_tracer_level": "0 or 1: whether devices are recorded; 1 without",
    "python_tracer_level": "0 or 1: every call of a Python function, of which there are many; 0 without",
}


def asked(args: argparse.Namespace) -> Asked:
    """Raises ArgumentError."""
    if not args.logdir:
        raise ArgumentError("--logdir is missing: the folder that TensorBoard is given, too")
    every_ms = time_ms("every", args.every) if args.every is not None else 0
    if args.every is not None and every_ms < MIN_EVERY_MS:
        raise ArgumentError(f"--every {args.every[:80]!r}: a second is the shortest: 10m")
    if args.keep and not every_ms:
        raise ArgumentError("--keep goes with --every: a single capture removes no other")
    if args.keep < 0:
        raise ArgumentError(f"--keep {args.keep}: accepted are whole numbers from 1")
    return Asked(whom(args), args.logdir, options(args), every_ms=every_ms, keep=args.keep, quiet=args.quiet)


def whom(args: argparse.Namespace) -> tuple[Address, ...]:
    """Every worker that is to be asked. Raises ArgumentError, RemoteError where a TPU's name cannot be resolved."""
    given = [each for each in (args.addresses, args.service_addr) if each]
    if args.tpu:
        if given and not args.worker_list:
            raise ArgumentError("--tpu names all workers: ADDRESSES go without it")
        return addresses(_with_ports(args.worker_list)) if args.worker_list else tpu_workers(args)
    if len(given) > 1:
        raise ArgumentError("--service_addr and ADDRESSES are the same: give one of them")
    if args.worker_list:
        port = addresses(given[0])[0].port if given else TPU_PORT
        return addresses(_with_ports(args.worker_list, port))
    if not given:
        raise ArgumentError("whom to capture is missing: perfplugin capture localhost:6009 --logdir DIR")
    return addresses(given[0])


def tpu_workers(args: argparse.Namespace) -> tuple[Address, ...]:
    """A Cloud TPU's name → the addresses of its workers' profilers, by whichever library is there.

    Raises ArgumentError where no library can resolve names, RemoteError where it says that it cannot.
    """
    name, zone, project = args.tpu, args.tpu_zone, args.gcp_project
    try:
        found = _by_client(name, zone, project)
        if found is None:
            found = _by_tensorflow(name, zone, project)
    except Exception as error:
        # These libraries ask Google's servers, and fail in as many ways as those, the network and credentials do.
        told = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
        helps = f"give their addresses instead: HOST:{TPU_PORT},HOST:{TPU_PORT}"
        raise RemoteError(f"the workers of TPU {name[:80]!r} cannot be found: {told}; {helps}") from error
    if found is None:
        raise ArgumentError(
            f"--tpu {name[:80]!r}: names of TPUs are resolved by cloud-tpu-client or TensorFlow, and neither is "
            f"installed: pip install cloud-tpu-client, or give the workers' addresses: HOST:{TPU_PORT},HOST:{TPU_PORT}"
        )
    return addresses([_profiler(each) for each in found])


def _by_client(name: str, zone: str | None, project: str | None) -> list[str] | None:
    try:
        import cloud_tpu_client
    except ImportError:
        return None
    found = cloud_tpu_client.Client(tpu=name, zone=zone, project=project).network_endpoints()
    return [with_port(each["ipAddress"], int(each.get("port", _PROGRAMS_PORT))) for each in found]


def _by_tensorflow(name: str, zone: str | None, project: str | None) -> list[str] | None:
    try:
        import tensorflow
    except ImportError:
        return None
    found = tensorflow.distribute.cluster_resolver.TPUClusterResolver
    resolver = found(tpu=name, zone=zone, project=project, coordinator_name=None)
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
        raise ArgumentError(f"--num_tracing_attempts {attempts}: accepted are whole numbers from 1")
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
    return _measured(name, text, _TIMES, "ms, s, m or h: 2s")


def size_bytes(name: str, text: str) -> int:
    """`100MB`, `512MiB` → bytes. Raises ArgumentError."""
    return _measured(name, text, _SIZES, "MB, MiB, GB or GiB: 100MB")


def _measured(name: str, text: str, units: Mapping[str, int], accepted: str) -> int:
    found = re.fullmatch(r"\s*([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*([a-zA-Z]+)\s*", text)
    unit = units.get(found[2].lower()) if found else None
    if found is None or unit is None:
        raise ArgumentError(f"--{name} {text[:80]!r}: accepted are a number and a unit, {accepted}")
    return int(decimal.Decimal(found[1]) * unit)


def _advanced(given: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign:
            raise ArgumentError(f"--advanced {each[:80]!r}: accepted are a name and a value: NAME=VALUE")
        if value.lower() in ("true", "false"):
            found[name] = value.lower() == "true"
        else:
            found[name] = int(value) if re.fullmatch(r"-?[0-9]{1,19}", value) else value
    return found
