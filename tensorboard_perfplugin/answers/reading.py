"""A capture file → its `Capture`; where it cannot be read, what another file of its host holds, which then is said."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Callable

from .. import decode
from ..errors import NotFoundError, UnreadableError
from ..logdir import CaptureFile
from ..messages import message
from ..tables import Capture


def captured(file: CaptureFile, read: Callable[[str], Capture] = decode.read) -> Capture:
    """What a file holds. Raises NotFoundError, UnreadableError."""
    try:
        return read(file.path) if file.at is None else decode.read(file.path, at=file.at)
    except UnreadableError as error:
        for other in file.others:
            with contextlib.suppress(UnreadableError, NotFoundError):
                return _instead(read(other.path), other, error)
        raise


def _instead(capture: Capture, other: CaptureFile, error: UnreadableError) -> Capture:
    """A capture that says why it was read."""
    warning = message("read_instead", name=os.path.basename(other.path), error=str(error))
    quality = dataclasses.replace(capture.quality, warnings=(warning, *capture.quality.warnings))
    return dataclasses.replace(capture, quality=quality)
