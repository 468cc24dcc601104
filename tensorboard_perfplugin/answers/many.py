"""The files of a run's hosts → how they are gone through: which timelines stay, and who reads those that do not."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import tools
from ..errors import PerfpluginError
from ..logdir import CaptureFile
from ..tables import Scalar, usable_cores
from ..tools import Tool
from .given import Given

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


def stay(files: Sequence[CaptureFile], max_bytes: int) -> bool:
    """Whether the timelines of all hosts fit in the memory for them: where they do not, each would push out another."""
    if len(files) == 1:
        return True
    return len(files) <= KEPT_HOSTS and GROWS * sum(file.size_bytes for file in files) <= max_bytes


def some_of(files: Sequence[CaptureFile]) -> Sequence[CaptureFile]:
    """Files that stand for all: KEPT_HOSTS of them at most, the first one included, evenly spread."""
    step = -(-len(files) // KEPT_HOSTS) or 1
    return files[::step]


@dataclasses.dataclass(frozen=True)
class Hosts:
    """How many hosts are gone through.

    executor: who reads them; None for processes of this machine where that is faster. store: where their parts are
    kept. watch: is told how far they are. ahead: whether parts for other pages are made, too, while a host is open: a
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
    ) -> dict[str, Given | PerfpluginError]:
        """By host what it gives, or why it gives nothing. Raises RemoteError, ArgumentError of a cluster."""
        from .partials.gather import Gather

        gather = Gather(self.store(), self.watch, stop)
        cached = gather.cached(tool, options, files)
        rest = [file for file in files if file.label not in cached]
        if not rest:
            return dict(cached)
        executor = self.executor or _executor(tool, rest, use)
        return {**cached, **gather.made(executor, self._asks(tool, options), rest, len(cached))}

    def _asks(self, tool: Tool, options: Mapping[str, Scalar]) -> tuple[Ask, ...]:
        from .partials.work import Ask

        more = [each for each in tools.TOOLS if each is not tool and each.ahead is None] if self.ahead else []
        return Ask.of(tool, options), *(Ask.of(each, each.parse({})) for each in more)


def hosts_of(executor: Any = None, watch: Callable[[Progress], None] | None = None, ahead: bool = False) -> Hosts:
    """Kept in the user's cache directory. executor: as `executor_of` takes it. Raises ArgumentError."""
    return Hosts(_given_executor(executor) if executor else None, _store, watch, ahead)


def _store() -> Store:
    from .partials.store import Store

    return Store()


def _given_executor(given: Any) -> Executor | None:
    from .partials.choice import executor_of

    return executor_of(given)


def is_known(tool: Tool) -> bool:
    """Whether another process finds the tool by its name; no other tool is imported for it."""
    return tool.name in (*tools.NAMES, *tools.OF_TWO) and tools.find_tool(tool.name) is tool


def _executor(
    tool: Tool,
    files: Sequence[CaptureFile],
    use: Callable[[CaptureFile, Callable[[Timeline], tuple[bytes, ...]]], tuple[bytes, ...]],
) -> Executor:
    """Processes where there are cores for them and enough to do, else this process."""
    from .partials.processes import Processes
    from .partials.serial import Serial

    if len(files) > 2 and usable_cores() > 1 and sum(file.size_bytes for file in files) >= MIN_BYTES:
        return Processes()
    return Serial(use)
