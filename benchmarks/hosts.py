"""Takes numbers of hosts, gives a table: CPU-seconds, time and memory of the overview of so many, beside the peer.

Each host is a capture of its own of 3 MB, 81,000 events. Each figure is of a fresh process with an empty cache, but the
second look, which finds what hosts gave before and not the answer. Memory is of the process that answers alone.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from tests.build_capture import text

from .generate import gpu_plane, host_plane, play
from .process import Ran, run
from .report import MB, table, tell

#: Of 4,505 events each.
STEPS = 18
#: Beside the peer for these: its time grows with the hosts, too.
PEER_AT = (64, 256)
EXECUTORS = ("serial", "processes")
HEAD = ("hosts", "how", "CPU", "CPU a host", "time", "peak memory")
PEER_SCRIPT = Path(__file__).with_name("peer_hosts.py")


def host_capture(number: int, steps: int = STEPS) -> bytes:
    """The bytes of an XSpace of one host of a run."""
    times = play(steps, seed=number + 7)
    return gpu_plane(times) + host_plane(times) + text(4, f"host{number:05}")


def write_hosts(logdir: Path, first: int, behind: int) -> None:
    folder = logdir / "plugins" / "profile" / "train"
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, behind):
        (folder / f"host{number:05}.xplane.pb").write_bytes(host_capture(number))


def hosts_table(counts: Iterable[int], peer: Path | None, errors: IO[bytes]) -> Iterator[str]:
    """peer: its Python."""
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        logdir, made = Path(folder) / "logdir", 0
        for count in sorted(counts):
            tell(f"{count} hosts")
            write_hosts(logdir, made, count)
            made = count
            for how in EXECUTORS:
                rows += measured(logdir, count, how, Path(folder), errors)
            if peer and count in PEER_AT:
                files = sorted(map(str, logdir.rglob("*.xplane.pb")))
                rows.append(cells(count, "peer", run([str(peer), str(PEER_SCRIPT), *files], errors)))
    yield from table(HEAD, rows)


def measured(logdir: Path, count: int, how: str, folder: Path, errors: IO[bytes]) -> Iterator[list[str]]:
    """A first look, and a second one that finds hosts' parts and no answer."""
    with tempfile.TemporaryDirectory(dir=folder) as cache:
        yield cells(count, how, overview(logdir, how, Path(cache), errors))
        for answer in Path(cache).glob("perfplugin/*.json"):
            os.unlink(answer)
        yield cells(count, f"{how}, second look", overview(logdir, how, Path(cache), errors))


def overview(logdir: Path, how: str, cache: Path, errors: IO[bytes]) -> Ran:
    command = [sys.executable, "-m", "tensorboard_perfplugin", "overview", str(logdir), "--json", "--cluster", how]
    return run(command, errors, XDG_CACHE_HOME=str(cache))


def cells(count: int, how: str, ran: Ran) -> list[str]:
    each = f"{1e3 * ran.cpu_s / count:.0f} ms"
    return [f"{count:,}", how, f"{ran.cpu_s:.1f} s", each, f"{ran.seconds:.1f} s", f"{ran.peak_bytes / MB:,.0f} MB"]


def main(argv: Sequence[str]) -> None:
    """`python -m benchmarks.hosts LOGDIR COUNT`: only the captures."""
    write_hosts(Path(argv[0]), 0, int(argv[1]))


if __name__ == "__main__":
    main(sys.argv[1:])
