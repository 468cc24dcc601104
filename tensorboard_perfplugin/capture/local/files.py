"""Takes what profilers wrote in this process, gives a session in the logdir. Knows only names, folders and the disk.

A profiler writes below `<logdir>/plugins/.perfplugin-<random>/`, which no reader enters; what is worth keeping is then
renamed into `<logdir>/plugins/profile/<session>/`. The processes of one program share a session without a message: the
first that begins to record notes the session's name in a hidden file of the logdir, `plugins/.perfplugin-job-<job>`,
and the others read it there. Where the logdir is not shared, each machine has a session of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import socket
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field

from ...errors import ArgumentError
from ...patterns import regex
from ..session import HIDDEN, STALE_S, DiskError, numbered
from .frameworks import Rank

#: A name that was noted so long before this process began is of an earlier start of the program. Processes of one start
#: begin within seconds of each other.
APART_S = 30.0
#: The one that notes the name writes some 50 bytes; a reader that comes between waits for them.
NOTE_WAIT_S = 2.0
MAX_NOTE = 4096

_URL = regex(r"[a-zA-Z][0-9a-zA-Z.+-]*://")
_SCRATCH = regex(re.escape(HIDDEN) + "[0-9a-f]{16}")
_NOTE = regex(re.escape(HIDDEN) + r"job-[0-9a-f]{16}\.\d+(-\d+)?")


@dataclass
class Place:
    """Where one recording goes.

    session: the name of its folder. stem: what the file's name begins with: the host, with the rank before it where
    there are several processes. scratch: where profilers write. note: the file in which other processes read the name.
    made: the files kept. made_folders: those that were not there before, the innermost first.
    """

    logdir: str
    stem: str
    rank: Rank | None = None
    _: KW_ONLY
    session: str = ""
    scratch: str = ""
    note: str = ""
    made: list[str] = field(default_factory=list)
    made_folders: list[str] = field(default_factory=list)

    @property
    def profile(self) -> str:
        return os.path.join(self.logdir, "plugins", "profile")

    @property
    def folder(self) -> str:
        return os.path.join(self.profile, self.session)

    def make_scratch(self, name: str) -> str:
        """A folder of its own for each profiler."""
        folder = os.path.join(self.scratch, name)
        os.makedirs(folder)
        return folder

    def keep(self, path: str, framework: str, end: str) -> str:
        """Rename a file that is whole into the session; its path there.

        It is called `<stem><end>`, and `<stem>_<framework><end>` beside another framework's: they are two captures.
        """
        if self.rank is None and not self.made:
            self.session = _unused_folder(self.profile, self.session)
        os.makedirs(self.folder, exist_ok=True)
        _sync(path)
        stem = os.path.join(self.folder, self.stem)
        names = (*[stem] * (not self.made), *numbered(f"{stem}_{framework}"))
        target = _first_free(names, lambda name: os.path.lexists(name + end), self.folder)
        os.replace(path, target + end)
        self.made.append(target + end)
        return target + end

    def close(self) -> None:
        """Take away what was not kept; also the note, once every process has its file in the session."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        if self.note and self.rank and _ranks_in(self.folder) >= self.rank.count:
            with contextlib.suppress(OSError):
                os.remove(self.note)
        if not self.made:
            _remove_empty(self.made_folders)


def check_logdir(logdir: str) -> str:
    """The folder as an absolute path. Raises ArgumentError for what is no local folder."""
    if not logdir or _URL.match(logdir):
        raise ArgumentError(f"logdir {logdir[:200]!r}: must be a local folder; copy the profiles from there")
    return os.path.abspath(os.path.expanduser(logdir))


def take_place(logdir: str, wanted: str, rank: Rank | None, began_s: float, number: int = 1) -> Place:
    """A place for one recording; began_s: when this process began, in seconds since the epoch. number: which of
    its recordings this is: a process that is slow finds the first one's name when others are at their second.

    Raises DiskError where the logdir cannot be written to.
    """
    stem = safe_stem(socket.gethostname())
    place = Place(logdir, f"{rank.label}_{stem}" if rank else stem, rank)
    plugins = os.path.join(logdir, "plugins")
    place.scratch = os.path.join(plugins, HIDDEN + secrets.token_hex(8))
    try:
        place.made_folders = [each for each in (place.profile, plugins, logdir) if not os.path.lexists(each)]
        os.makedirs(place.scratch)
        _remove_stale(plugins)
        place.session = wanted or time.strftime("%Y_%m_%d_%H_%M_%S")
        if rank is not None:
            _agree(place, wanted, began_s, number)
    except OSError as error:
        place.close()
        raise DiskError("read_only", f"{logdir}: this logdir is not writable ({error.strerror})") from None
    except DiskError:
        place.close()
        raise
    return place


def safe_stem(host: str) -> str:
    """A host's name as it can stand in a file's name."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", host).strip(".")[:64] or "host"


def _agree(place: Place, wanted: str, began_s: float, number: int) -> None:
    """Set the session to what all processes of the program have, a new one for each recording of this process."""
    assert place.rank is not None
    if wanted:
        place.session = _first_free(numbered(wanted), lambda name: _has(place, name), place.profile)
        return
    plugins = os.path.join(place.logdir, "plugins")
    for note in numbered(os.path.join(plugins, f"{HIDDEN}job-{place.rank.job}.{number}"), "-"):
        proposed = _first_free(
            numbered(place.session), lambda n: os.path.lexists(os.path.join(place.profile, n)), place.profile
        )
        name, at_s = _noted(note, proposed)
        if at_s >= began_s - APART_S and not _has(place, name):
            place.session, place.note = name, note
            return


def _first_free(names: Iterable[str], is_taken: Callable[[str], bool], folder: str) -> str:
    """Raises DiskError where none is."""
    tried = ""
    for name in names:
        if not is_taken(name):
            return name
        tried = tried or os.path.basename(name)
    raise DiskError(
        "read_only",
        f"{folder}: {tried} and all names with a number after it are taken; delete some, or give another name",
    )


def _has(place: Place, session: str) -> bool:
    """Whether this process wrote to that session before."""
    try:
        return any(name.startswith(place.stem + ".") for name in os.listdir(os.path.join(place.profile, session)))
    except OSError:
        return False


def _noted(note: str, proposed: str) -> tuple[str, float]:
    """The session's name in the note, and when that was made; makes the note, with the proposed name, where none is."""
    try:
        with open(note, "x") as file:
            now = time.time()
            file.write(json.dumps({"session": proposed, "time_s": now}))
            return proposed, now
    except FileExistsError:
        pass
    end = time.monotonic() + NOTE_WAIT_S
    while time.monotonic() < end:
        try:
            with open(note) as file:
                content = json.loads(file.read(MAX_NOTE))
            name, at_s = str(content["session"]), float(content["time_s"])
            return (name, at_s) if re.fullmatch(r"[A-Za-z0-9_-]{1,128}", name) else (proposed, 0.0)
        except FileNotFoundError:
            return _noted(note, proposed)
        except (ValueError, TypeError, KeyError):
            time.sleep(0.02)
    return proposed, 0.0


def _ranks_in(folder: str) -> int:
    """How many processes have a file there. Several frameworks of one process count once."""
    with contextlib.suppress(OSError):
        return len({match[0] for name in os.listdir(folder) if (match := re.match(r"[a-z]+\d+_", name))})
    return 0


def _unused_folder(profile: str, wanted: str) -> str:
    """A folder of that name, made now, `_2` and so on where there is one."""
    os.makedirs(profile, exist_ok=True)
    for name in numbered(wanted):
        with contextlib.suppress(FileExistsError):
            os.mkdir(os.path.join(profile, name))
            return name
    raise DiskError("read_only", f"{profile}: all names for the session {wanted} are taken; give another name")


def _remove_stale(plugins: str) -> None:
    """What processes left that were killed, or never came to write their part: notes, and folders."""
    with contextlib.suppress(OSError), os.scandir(plugins) as entries:
        for entry in entries:
            if time.time() - entry.stat(follow_symlinks=False).st_mtime < STALE_S:
                continue
            if _NOTE.fullmatch(entry.name):
                os.remove(entry.path)
            elif _SCRATCH.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)


def _remove_empty(folders: Sequence[str]) -> None:
    for folder in folders:
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _sync(path: str) -> None:
    with contextlib.suppress(OSError), open(path, "rb+") as file:
        os.fsync(file.fileno())
