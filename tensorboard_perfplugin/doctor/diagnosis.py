"""What every part of the doctor says, and the words for it."""

from __future__ import annotations

import os
import shlex
import stat
import time
from dataclasses import dataclass

#: A file that changed so recently may still be growing.
FRESH_S = 30.0

_AGES = (("days", 86_400), ("hours", 3_600), ("minutes", 60))

PROFILE = (
    "record one: tf.keras.callbacks.TensorBoard(logdir, profile_batch=(10, 20)), jax.profiler.trace(logdir) or "
    "torch.profiler.tensorboard_trace_handler(logdir)"
)


@dataclass(frozen=True)
class Diagnosis:
    """One thing that keeps captures from showing, or, with `ok`, that nothing does.

    case: a fixed word for the kind of trouble. path: what was looked at. found: what is there. cause: why it does not
    show. fix: one command or action.
    """

    case: str
    path: str
    found: str
    cause: str
    fix: str
    ok: bool = False


def refused(path: str) -> Diagnosis:
    """For what this process may not read; names the nearest thing above that it may look at."""
    at = path
    while (now := looked_at(at)) is None and at != os.path.dirname(at):
        at = os.path.dirname(at)
    me = getattr(os, "geteuid", lambda: -1)()
    mode, owner = (stat.filemode(now.st_mode), now.st_uid) if now else ("?", -1)
    command = "chmod -R u+rX" if owner == me else "sudo chmod -R a+rX"
    return Diagnosis(
        "no_permission",
        path,
        f"{quoted(at)}: {mode}, owner {owner}; this process is user {me}",
        "the user that this runs as may not read it",
        f"{command} {quoted(at)}",
    )


def being_written(path: str, found: str) -> Diagnosis:
    return Diagnosis(
        "still_being_written",
        path,
        found,
        "the profiler has not finished this file",
        "wait until the profiler has stopped, then reload; if the file stays like this, its program was killed",
    )


def unknown_format(path: str, found: str) -> Diagnosis:
    return Diagnosis(
        "unknown_format",
        path,
        found,
        "no captures: the profilers of TensorFlow and JAX write *.xplane.pb, that of PyTorch *.pt.trace.json",
        f"give the folder that holds such files, or {PROFILE}",
    )


def looked_at(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None


def age_s(path: str) -> float:
    """Seconds since the file changed; infinite when it is gone."""
    now = looked_at(path)
    return max(0.0, time.time() - now.st_mtime) if now else float("inf")


def ago(path: str) -> str:
    seconds = age_s(path)
    unit, length_s = next((each for each in _AGES if seconds >= 2 * each[1]), ("s", 1))
    return f"{seconds / length_s:,.0f} {unit} ago"


def is_fresh(path: str) -> bool:
    return age_s(path) < FRESH_S


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def sized(count_bytes: int) -> str:
    return counted(count_bytes, "byte") if count_bytes < 10_000 else f"{count_bytes / 1e6:,.2f} MB"


def quoted(path: str) -> str:
    return shlex.quote(path)
