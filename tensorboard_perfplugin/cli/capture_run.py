"""`perfplugin capture`: once or again and again, with progress; a signal ends it and leaves nothing behind."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import TextIO

from ..capture import PHASES, Captured, CaptureError, Progress, run
from ..errors import ArgumentError, PerfpluginError, UnreadableError
from ..units import seconds
from .capture_arguments import Asked
from .capture_summary import summary
from .text import cut, printable

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
