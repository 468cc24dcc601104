"""The files of a run's hosts → how they are read: which timelines stay in memory, and where the others are read."""

from __future__ import annotations

import contextlib
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from .. import tools
from ..errors import PerfpluginError
from ..logdir import CaptureFile
from ..tables import Scalar, usable_cores
from ..timeline.timeline import Timeline
from ..tools import Tool
from .partials.work import HostPartial

if TYPE_CHECKING:
    from ..timeline.timeline import Timeline
    from .partials.gather import Executor, Progress
    from .partials.store import Store
    from .partials.work import Ask

#: Of more hosts none stays: the next page needs of each what one host gives to it, not the host again.
KEPT_HOSTS = 16
#: What a file's columns take, and what a page derives of them: 13 MB of one of 3.2 MB, 0.6 GB of one of 143 MB.
GROWS = 4
#: Processes take 0.5 s each to start. As long as a core takes for so many bytes.
MIN_BYTES = 32 << 20


def fit_in_memory(files: Sequence[CaptureFile], max_bytes: int) -> bool:
    """Whether the timelines of all hosts fit in the memory for them: where they do not, each would push out another."""
    if len(files) == 1:
        return True
    return len(files) <= KEPT_HOSTS and GROWS * sum(file.size_bytes for file in files) <= max_bytes


def sample_hosts(files: Sequence[CaptureFile]) -> Sequence[CaptureFile]:
    """Files that stand for all: KEPT_HOSTS of them at most, the first one included, evenly spread."""
    step = -(-len(files) // KEPT_HOSTS) or 1
    return files[::step]


class Hosts(msgspec.Struct, frozen=True):
    """How many hosts are read.

    executor: where they are read; None for processes of this machine where that is faster. store: where their parts
    are kept. watch: receives the progress. ahead: whether parts for other pages are made, too, while a host is open: a
    page costs a host's decoding and its own numbers then, and all pages little more than that.
    """

    executor: Executor | None = None
    store: Callable[[], Store | None] = lambda: None
    watch: Callable[[Progress], None] | None = None
    ahead: bool = False

    def gathered(
        self,
        tool: Tool,
        options: Mapping[str, Scalar],
        files: Sequence[CaptureFile],
        use: Callable[[CaptureFile, Callable[[Timeline], tuple[bytes, ...]]], tuple[bytes, ...]],
        stop: threading.Event | None = None,
    ) -> dict[str, HostPartial | PerfpluginError]:
        """By host what it gives, or why it gives nothing. Raises RemoteError, ArgumentError of a cluster."""
        from .partials.gather import Gather

        gather = Gather(self.store(), self.watch, stop)
        cached = gather.cached(tool, options, files)
        rest = [file for file in files if file.label not in cached]
        if not rest:
            return dict(cached)
        executor = self.executor or _executor(tool, rest, use)
        return {**cached, **gather.computed(executor, self._asks(tool, options), rest, len(cached))}

    def _asks(self, tool: Tool, options: Mapping[str, Scalar]) -> tuple[Ask, ...]:
        from .partials.work import Ask

        more = [each for each in tools.TOOLS if each is not tool and each.ahead is None] if self.ahead else []
        return Ask.from_options(tool, options), *(Ask.from_options(each, each.parse({})) for each in more)


def hosts_of(executor: Any = None, watch: Callable[[Progress], None] | None = None, ahead: bool = False) -> Hosts:
    """Kept in the user's cache directory. executor: as `executor_of` takes it. Raises ArgumentError."""
    return Hosts(_given_executor(executor) if executor else None, _store, watch, ahead)


def _store() -> Store:
    from .partials.store import Store

    return Store()


def _given_executor(given: Any) -> Executor | None:
    from .partials.gather import executor_of

    return executor_of(given)


def is_known(tool: Tool) -> bool:
    """Whether another process finds the tool by its name; no other tool is imported for it."""
    return tool.name in (*tools.NAMES, *tools.OF_TWO, *tools.ASKED) and tools.find_tool(tool.name) is tool


def _executor(
    tool: Tool,
    files: Sequence[CaptureFile],
    use: Callable[[CaptureFile, Callable[[Timeline], tuple[bytes, ...]]], tuple[bytes, ...]],
) -> Executor:
    """Processes where there are cores for them and enough to do, else this process."""
    from .partials.gather import Serial
    from .partials.processes import Processes

    if len(files) > 2 and usable_cores() > 1 and sum(file.size_bytes for file in files) >= MIN_BYTES:
        return Processes()
    return Serial(use)


# A timeline of which one answer was made → what the next ones will need of it, computed while no request waits.

#: Pages of a tool that has something of its own to prepare come before other tools': those wait for such a pause.
AHEAD_QUIET_S = 2.0
#: Where none comes they are left for the next answer to begin with.
PATIENCE_S = 60.0


def split_of(timeline: Timeline) -> None:
    """As the timeline's; imported here, since a process that answers once has nothing ahead."""
    from ..timeline.split import split

    split.split_of(timeline)


class Prefetcher:
    """Prepares the timelines of one answer at a time, in a thread of its own; answers meanwhile are left out.

    First what the tool that was asked wants, then what most pages need: the steps, and how each divides. `after` is
    called with a timeline of which something was prepared, since that takes memory.
    """

    def __init__(
        self, quiet_s: float = AHEAD_QUIET_S, after: Callable[[Timeline], None] = lambda timeline: None
    ) -> None:
        self._busy = threading.Lock()
        self._quiet_s, self._after = quiet_s, after
        self._asked = 0.0
        self._done: weakref.WeakKeyDictionary[Timeline, set[str]] = weakref.WeakKeyDictionary()

    def prepare(self, tool: Tool, timelines: Sequence[Timeline | Callable[[], Timeline] | None]) -> None:
        """Begin, unless there is nothing to prepare or others are being prepared. Returns at once.

        timelines: those that are there, or what makes them; None is left out.
        """
        self._asked = time.monotonic()
        wanted = [t for t in timelines if t is not None and not self._has(tool, t)]
        if wanted and self._busy.acquire(blocking=False):
            threading.Thread(target=self._run, args=(tool, wanted), name="ahead", daemon=True).start()

    def _has(self, tool: Tool, timeline: Timeline | Callable[[], Timeline]) -> bool:
        return isinstance(timeline, Timeline) and tool.name in self._done.get(timeline, ())

    def _run(self, tool: Tool, wanted: list[Timeline | Callable[[], Timeline]]) -> None:
        try:
            made = [self._prepared(tool, wanted.pop(0)) for _ in range(len(wanted))]
            if tool.ahead is None or self._quiet():
                for timeline in made:
                    self._split(tool, timeline())
        finally:
            self._busy.release()

    def _prepared(self, tool: Tool, timeline: Timeline | Callable[[], Timeline]) -> Callable[[], Timeline | None]:
        """Prepares what the tool wants. The timeline may be dropped meanwhile."""
        # A request for what cannot be read or computed gets the reason.
        with contextlib.suppress(PerfpluginError):
            there = timeline if isinstance(timeline, Timeline) else timeline()
            if tool.ahead:
                tool.ahead(there)
                self._after(there)
            return weakref.ref(there)
        return lambda: None

    def _split(self, tool: Tool, timeline: Timeline | None) -> None:
        if timeline is not None:
            self._done.setdefault(timeline, set()).add(tool.name)
            with contextlib.suppress(PerfpluginError):
                split_of(timeline)
                self._after(timeline)

    def _quiet(self) -> bool:
        """Wait until nothing was asked for a while; whether that came."""
        until = time.monotonic() + PATIENCE_S
        while (left := self._asked + self._quiet_s - time.monotonic()) > 0 and time.monotonic() < until:
            time.sleep(left)
        return left <= 0


# Requests → a call when there was none for a while: the time to let memory go.

#: Pages that are looked at one after another are asked for sooner, so what they share is made once.
RESTING_S = 15.0


class IdleTimer:
    """Calls `rest` in a thread of its own, once for each time in which nothing is asked for so long."""

    def __init__(self, rest: Callable[[], None], quiet_s: float = RESTING_S) -> None:
        self._rest, self._quiet_s = rest, quiet_s
        self._lock = threading.Lock()
        self._active, self._last, self._waits = 0, 0.0, False

    @contextlib.contextmanager
    def asked(self) -> Iterator[None]:
        """Around what is computed for a request."""
        with self._lock:
            self._active += 1
        try:
            yield
        finally:
            with self._lock:
                self._active, self._last = self._active - 1, time.monotonic()
                begins, self._waits = not self._waits, True
            if begins:
                threading.Thread(target=self._wait, name="resting", daemon=True).start()

    def _wait(self) -> None:
        while (left := self._left()) > 0:
            time.sleep(left)
        self._rest()

    def _left(self) -> float:
        """The least seconds until then; after 0 the next caller waits anew."""
        with self._lock:
            left = self._quiet_s if self._active else self._last + self._quiet_s - time.monotonic()
            self._waits = left > 0
            return left
