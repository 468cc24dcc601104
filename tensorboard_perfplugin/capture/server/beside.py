"""Takes nothing, gives a folder into which a server that sends no capture back can write it, if it is on this machine.

Its name, `/proc/<our process>/fd/<its number>`, is one that only processes of this machine know, and of this user. For
a server elsewhere, or in a container of its own, there is no such path, and none that it could make: it says so, and
nothing is left on its side.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
import tempfile
from types import TracebackType

from ..request import WorkerError
from .status import larger

SUFFIX = ".xplane.pb"
#: Numbers of open files that other programs hardly have, below the limit of 1,024 that is common.
LOWEST, NUMBERS = 512, 384
#: A server writes one.
MAX_FILES = 64


def possible() -> bool:
    """Whether this system has such names."""
    return sys.platform == "linux" and os.path.isdir("/proc/self/fd")


class Folder:
    """A context: the folder is gone when it ends, and its name means nothing any more. Raises WorkerError."""

    def __init__(self) -> None:
        try:
            self._kept = tempfile.TemporaryDirectory(prefix="perfplugin-", ignore_cleanup_errors=True)
            self._number = _opened(self._kept.name)
        except OSError as error:
            raise _unusable(error) from None

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # First the name: a server that is late makes nothing below a folder that is being removed.
        os.close(self._number)
        self._kept.cleanup()

    @property
    def root(self) -> str:
        """The folder as the server gets it."""
        return f"/proc/{os.getpid()}/fd/{self._number}"

    def capture(self, budget_bytes: int) -> memoryview | None:
        """What was written, or None. Raises WorkerError, too_large before a byte is read."""
        try:
            path = next((each for each in self._paths() if each.endswith(SUFFIX)), None)
            if path is None:
                return None
            size = os.path.getsize(path)
            if size > budget_bytes:
                raise WorkerError("too_large", larger(size, budget_bytes))
            with open(path, "rb") as file:
                return memoryview(file.read(budget_bytes))
        except OSError as error:
            raise _unusable(error) from None

    def _paths(self) -> list[str]:
        """The files in it, links and the like left out."""
        paths = []
        for folder, _, names in os.walk(self._kept.name):
            paths += [os.path.join(folder, name) for name in names]
            if len(paths) > MAX_FILES:
                break
        return sorted(path for path in paths if stat.S_ISREG(os.lstat(path).st_mode))


def _unusable(error: OSError) -> WorkerError:
    return WorkerError(
        "read_only",
        f"this server writes its capture to a folder, and none can be used in {tempfile.gettempdir()} "
        f"({error.strerror or error}). Free space there, or set TMPDIR to another folder",
    )


def _opened(folder: str) -> int:
    """The folder, open under a high number. Raises OSError where as many files are open as may be."""
    import fcntl

    plain = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return fcntl.fcntl(plain, fcntl.F_DUPFD_CLOEXEC, LOWEST + secrets.randbelow(NUMBERS))
    finally:
        os.close(plain)
