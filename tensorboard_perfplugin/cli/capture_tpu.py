"""What `perfplugin capture` does with servers of Cloud TPUs only: a capture into a bucket, and what they do now."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable

from ..capture import Address, addresses, capture_pod, monitor
from ..errors import ArgumentError, PerfpluginError
from .capture_arguments import options, whom
from .capture_run import ENDED_BY, Signals
from .text import printable

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
