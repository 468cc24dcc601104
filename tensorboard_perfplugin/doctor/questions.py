"""The order of questions: is the path there, may it be read, are captures in it, can they be read, did they record."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from dataclasses import replace

from .. import decode
from ..errors import NotFoundError
from ..logdir import CaptureFile, Run, runs_at
from .capture_file import check_event_file, check_file
from .diagnosis import Diagnosis, counted, quoted, refused
from .nothing import missing, why_no_capture, why_none
from .ranks import apart
from .session import incomplete
from .survey import survey

#: Files are opened newest run first until so much has been decoded.
MAX_DECODED_BYTES = 1 << 30
#: Runs whose capture's own record is read, newest first.
MAX_RECORDS = 1000
#: Files of one trouble are told up to this many.
MAX_SAME = 3

_URL = re.compile(r"[a-zA-Z][0-9a-zA-Z.+-]*://")


def diagnose(path: str) -> list[Diagnosis]:
    """All that is wrong with the captures at a file or folder, of any level; one `ok` diagnosis when nothing is."""
    if _URL.match(path):
        copy = "copy the folder to this machine and give that: tensorboard --logdir COPY"
        return [Diagnosis("remote_path", path, "an address", "only local files and folders are read", copy)]
    root = os.path.abspath(os.path.expanduser(path))
    try:
        kind = os.stat(root).st_mode
    except PermissionError:
        return [refused(root)]
    except (OSError, ValueError):
        return [missing(root)]
    try:
        runs = runs_at(root)
    except NotFoundError:
        return why_none(root) if stat.S_ISDIR(kind) else [why_no_capture(root)]
    return _check(root, runs)


def _check(root: str, runs: Sequence[Run]) -> list[Diagnosis]:
    found, events, opened, budget = [], 0, 0, MAX_DECODED_BYTES
    files = [file for run in runs for file in run.files]
    for file in files:
        problem, count = check_file(file, decoded=budget > 0)
        found += [problem] if problem else []
        events, opened = events + count, opened + (budget > 0)
        budget -= file.size_bytes
    event_files = {file.path: None for file in files if file.at is not None}
    found += [each for path in event_files if (each := check_event_file(path))]
    found += [each for run in runs[:MAX_RECORDS] if (each := incomplete(run))]
    found += apart(runs[:MAX_RECORDS])
    found += [refused(folder) for folder in survey(root).refused]
    what = f"{counted(len(runs), 'run')}, {counted(len(files), 'capture')}, {counted(events, 'event')}"
    what += f" in the newest {opened}, which were opened" if opened < len(files) else ""
    what += _less([file for run in runs for file in run.left_out])
    if not decode.COMPILED:
        found.append(_not_compiled(root, what))
    return _grouped(found) or [Diagnosis("ok", root, what, "", f"tensorboard --logdir {quoted(root)}", ok=True)]


def _less(left_out: Sequence[CaptureFile]) -> str:
    """How many files beside the captures are not read, since these tell more of the same hosts."""
    if not left_out:
        return ""
    name = os.path.basename(left_out[0].path)
    if len(left_out) == 1:
        return f"; not read: {quoted(name)}, which tells less of the same"
    return f"; not read: {len(left_out):,} files that tell less of the same, such as {quoted(name)}"


def _grouped(found: Sequence[Diagnosis]) -> list[Diagnosis]:
    """The first few of each case, and how many more there are."""
    by_case: dict[str, list[Diagnosis]] = {}
    for each in found:
        by_case.setdefault(each.case, []).append(each)
    for same in by_case.values():
        if len(same) > MAX_SAME:
            last = same[MAX_SAME - 1]
            more = f"{last.found}; {len(same) - MAX_SAME:,} more are like this"
            same[MAX_SAME - 1 :] = [replace(last, found=more)]
    return [each for same in by_case.values() for each in same]


def _not_compiled(root: str, what: str) -> Diagnosis:
    return Diagnosis(
        "native_part_missing",
        root,
        f"{what}, read by the slow decoder",
        "the compiled decoder is not there: perfplugin was installed without a C compiler, or for another Python. "
        "Everything shows, but a large capture takes about ten times as long",
        "apt-get install gcc python3-dev && "
        "pip install --force-reinstall --no-deps --no-binary tensorboard-perfplugin tensorboard-perfplugin",
    )
