"""What is asked of a host → the bytes of what it gives, or why it gives nothing: in whatever process this is."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from ...errors import ArgumentError, NotFoundError, PerfpluginError, UnreadableError
from ...formats import Vocabulary
from ...logdir import CaptureFile
from ...tables import Options, Quality, Scalar
from ...timeline.timeline import Timeline
from ...tools import Tool, find_tool
from ...work import StoppedError
from .codec import UnkeptError, encoded

# A timeline and a tool → what the host gives to the tool's answer.


class HostPartial(NamedTuple):
    """What one host gives to an answer, in whose words its capture is described, and why it has nothing, or None."""

    partial: Any
    quality: Quality
    decoder: str
    vocabulary: Vocabulary
    nothing: str | None


def partial_of_host(tool: Tool, timeline: Timeline, part: Timeline, options: Options) -> HostPartial:
    """part: what of the timeline the answer is of. Raises what the tool raises."""
    capture = timeline.capture
    return HostPartial(
        tool.per_host(part, options),
        capture.quality,
        capture.decoder,
        capture.capabilities.vocabulary,
        tool.nothing(timeline),
    )


log = logging.getLogger("tensorboard.perfplugin")


class Failed(NamedTuple):
    """Why a host gives nothing: an error's kind and words, since errors do not travel between processes."""

    kind: str
    message: str
    is_damaged: bool = False

    @staticmethod
    def from_error(error: Exception) -> Failed:
        kind = next((name for name, cls in _KINDS.items() if isinstance(error, cls)), "unreadable")
        text = str(error) if isinstance(error, PerfpluginError) else f"{type(error).__name__} in this program: {error}"
        return Failed(kind, text, getattr(error, "is_damaged", False))

    def error(self) -> PerfpluginError:
        if self.kind == "unreadable":
            return UnreadableError(self.message, self.is_damaged)
        return _KINDS[self.kind](self.message)


_KINDS: dict[str, type[PerfpluginError]] = {
    "argument": ArgumentError,
    "not_found": NotFoundError,
    "unreadable": UnreadableError,
}


class Ask(NamedTuple):
    """A tool and all of its options."""

    tool: str
    options: tuple[tuple[str, Scalar], ...]

    @staticmethod
    def from_options(tool: Tool, options: Mapping[str, Scalar]) -> Ask:
        return Ask(tool.name, tuple(options.items()))


class Work(NamedTuple):
    """What one host is asked. One that cannot be done is asked no further: the first is what somebody waits for."""

    file: CaptureFile
    asks: tuple[Ask, ...]


class Done(NamedTuple):
    """What was made of a host: of each ask the bytes of a `Given`; empty where it was not made, or is not stored.

    failed: why the first was not made. identity: of the file that was read, None where it changed meanwhile.
    """

    parts: tuple[bytes, ...]
    failed: Failed | None
    identity: tuple[Any, ...] | None


#: What opens a file and gives what a function finds in its timeline. Raises PerfpluginError.
Use: TypeAlias = Callable[[CaptureFile, Callable[[Timeline], tuple[bytes, ...]]], tuple[bytes, ...]]


def done(work: Work, use: Use) -> Done:
    """Make what is asked of a host, in whatever process this is."""
    identity = work.file.known_identity
    try:
        parts = use(work.file, lambda timeline: _parts(work, timeline))
    except PerfpluginError as error:
        return Done((), Failed.from_error(error), identity)
    except StoppedError:
        raise
    except Exception as error:
        # One host of a thousand must not cost the answer of the others; the log has the details.
        log.exception("%s: a host's part could not be made", work.file.path)
        return Done((), Failed.from_error(error), identity)
    return Done(parts, None, identity if identity == work.file.known_identity else None)


def _parts(work: Work, timeline: Timeline) -> tuple[bytes, ...]:
    first, *others = work.asks
    parts = [encoded(partial_of_host(find_tool(first.tool), timeline, timeline, dict(first.options)))]
    for ask in others:
        parts.append(_more(ask, timeline))
    return tuple(parts)


def _more(ask: Ask, timeline: Timeline) -> bytes:
    """A part that no request waits for; empty where it fails: the request for it reports the reason."""
    try:
        return encoded(partial_of_host(find_tool(ask.tool), timeline, timeline, dict(ask.options)))
    except (PerfpluginError, UnkeptError):
        return b""
