"""Takes the capture files found in folders, gives runs: named, unique, newest first."""

from __future__ import annotations

import bisect
import itertools
import os
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from ..errors import NotFoundError, PerfpluginError, RemoteError
from ..formats import Format
from ..patterns import regex
from ..stores import absolute, is_url
from .event_files import event_host
from .joined import group_by_rank, merge_runs, sessions
from .model import Beside, CaptureFile, Root, Run
from .names import (
    ASIDE,
    FORMATS,
    MERGED,
    OF_A_RUN,
    OF_FUNCTIONS,
    SLIM_TAG,
    ascend_worker,
    hook_step,
    natural,
    rank,
    shown,
    stamp_ns,
    window_host,
    written_ns,
)
from .programs import are_ranks, begun_together, copies, is_blank, programs
from .walk import Walk

#: Added to the name of a session, for the run of the memory profiles that lie beside it.
MEMORY = " (memory)"

#: The same for databases of GPU profilers beside captures of other profilers: of one program both would count twice.
DATABASE = " (database)"

#: The same for profiles of Python functions beside what else was recorded.
FUNCTIONS = " (Python functions)"

#: The same for the n-th of several profiles of each worker.
CYCLE = " #{}"

#: The same for each of the Timelines that a program wrote every so many steps.
STEP = " (step {})"

#: The same for each run metadata of an event file is its tag; this, where that is empty.
UNTAGGED = "run metadata"

#: Ranks end a profile together, within seconds; what is so far from the one before is of another start, or turn.
APART_NS = 120 * 10**9

#: Formats whose files are not of a session, but lie beside it; and how many runs of them a session knows.
_APART = (*ASIDE, *OF_FUNCTIONS)
MOST_BESIDE = 20

#: Host of `remote.trace.json.gz`.
REMOTE = "remote"

#: What the folders of ranks differ by, as `rank0`, `worker_12`, `3`.
_NUMBER = regex(r"\d{1,6}$")

#: Folder → its capture files.
FilesByFolder = Mapping[str, tuple[CaptureFile, ...]]


def runs_at(path: str) -> tuple[Run, ...]:
    """The runs at a file, session folder, run or logdir, newest first, looked for now.

    Raises NotFoundError that says what was looked at, what was found there, and what to do; RemoteError where a store
    does not say.
    """
    root = Root("", absolute(path))
    walk = Walk(root.path)
    folders, by_folder = 0, {}
    for visit in walk:
        folders += visit.listing is not None
        by_folder[visit.path] = visit.files
    runs = runs_of([(root, by_folder)])
    if not runs and is_url(root.path):
        raise _nothing_remote(root.path, folders, walk)
    if not runs:
        unread = [f"{walk.unread} event files were not read to their end"] if walk.unread else []
        raise NotFoundError(_nothing(root.path, folders, [*unread, *walk.notes]))
    return runs


def _nothing_remote(url: str, folders: int, walk: Walk) -> PerfpluginError:
    endings = ", ".join(f"*{kind.suffix}[.gz]" for kind in FORMATS[:2])
    if walk.notes and not folders:
        return (RemoteError if walk.failed else NotFoundError)(shown(walk.notes[0]))
    if not folders:
        return NotFoundError(f"{shown(url)}: a file, but not named like a capture ({endings})")
    notes = "; ".join(["", *map(shown, walk.notes[:3])])
    return NotFoundError(f"{shown(url)}: no captures ({endings}) in it, {folders} folders looked at{notes}")


def _nothing(path: str, folders: int, notes: list[str]) -> str:
    name = shown(path)
    endings = ", ".join(f"*{kind.suffix}[.gz]" for kind in FORMATS[:2])
    ask = f"`perfplugin doctor {name}` says why"
    if not os.path.lexists(path):
        parent = os.path.dirname(path)
        there = "its folder exists" if os.path.isdir(parent) else f"{shown(parent)} does not exist either"
        return f"{name}: no such file or folder ({there}); give the folder that was passed to the profiler"
    if os.path.isfile(path) and event_host(os.path.basename(path)):
        return f"{name}: an event file without run metadata, which FileWriter.add_run_metadata writes; {ask}"
    if os.path.isfile(path):
        return f"{name}: a file, but not named like a capture ({endings}); {ask}"
    if notes:
        ask = "; ".join([*map(shown, notes[:3]), ask])
    return f"{name}: no captures ({endings}) in it, {folders} folders looked at; {ask}"


def runs_of(visited: Iterable[tuple[Root, FilesByFolder]]) -> tuple[Run, ...]:
    """All runs of all roots, with unique names, newest first."""
    groups = [
        (*_layout(root, folder, files), folder, part, files)
        for root, folders in visited
        for folder, together in _of_one_logdir(root, folders).items()
        for part, files in _parted(together)
    ]
    # Where two would have one name, the one in the profilers' layout keeps it.
    groups.sort(key=lambda group: group[:4])
    taken: dict[str, int] = {}
    runs = [(folder, _run(_unique(name + part, taken), files)) for _, name, folder, part, files in groups]
    # Sessions of one second have one time in their names: `…_2` was written later.
    return tuple(sorted(_with_beside(runs), key=lambda run: (-run.captured_ns, -run.modified_ns, run.name)))


def _with_beside(runs: Iterable[tuple[str, Run]]) -> Iterator[Run]:
    """The runs, by their folders, those of one program as one; sessions know the first few runs of their folder that
    hold something else.
    """
    beside: dict[str, list[Beside]] = {}
    by_folder: dict[str, list[Run]] = {}
    for folder, run in runs:
        by_folder.setdefault(folder, []).append(run)
    separate = ((folder, run) for folder, each in by_folder.items() for run in merge_runs(each))
    joined = begun_together(separate)
    for folder, run in joined:
        if run.files[0].format in _APART and len(beside.setdefault(folder, [])) < MOST_BESIDE:
            beside[folder].append(Beside(run.name, run.files[0].format))
    for folder, run in joined:
        yield run if run.files[0].format in _APART else replace(run, beside=tuple(beside.get(folder, ())))


def _of_one_logdir(root: Root, folders: FilesByFolder) -> FilesByFolder:
    """The same, where workers that have a folder each are in the one above, as far as that is below the root."""
    merged: dict[str, tuple[CaptureFile, ...]] = {}
    for folder, files in folders.items():
        if process := window_host(folder):
            files = tuple(replace(file, host=process) if file.format in OF_FUNCTIONS else file for file in files)
        worker, above = ascend_worker(folder) or ("", folder)
        if worker:
            files = tuple(replace(file, host=worker) for file in files)
            folder = above if os.path.relpath(above, root.path).split(os.sep)[0] != os.pardir else folder
        merged[folder] = merged.get(folder, ()) + files
    return _of_ranks(root, merged)


def _of_ranks(root: Root, folders: FilesByFolder) -> FilesByFolder:
    """The same, where folders beside each other, of names that differ by a number, hold a rank each of one program."""
    beside: dict[tuple[str, str], list[str]] = {}
    for folder in folders:
        above, name = os.path.split(folder)
        if folder != root.path and (number := _NUMBER.search(name)):
            beside.setdefault((above, name[: number.start()]), []).append(folder)
    merged = dict(folders)
    for (above, _), each in beside.items():
        if len(each) > 1 and are_ranks([folders[folder] for folder in each]):
            files = [merged.pop(folder) for folder in each]
            hosts = [host for of_rank in files for host in {file.host for file in of_rank}]
            if len(set(hosts)) < len(hosts):
                names = map(os.path.basename, each)
                files = [tuple(replace(file, host=name) for file in of) for name, of in zip(names, files, strict=True)]
            merged[above] = merged.get(above, ()) + tuple(itertools.chain(*files))
    return merged


def _parted(files: tuple[CaptureFile, ...]) -> Iterator[tuple[str, tuple[CaptureFile, ...]]]:
    """A folder's files by what they are of, and what to add to the run's name: the session, and what lies beside it."""
    steps = {file.path: step for file in files if (step := hook_step(os.path.basename(file.path))) is not None}
    session = tuple(f for f in files if f.format not in _APART and f.path not in steps and f.tag is None)
    aside = tuple(file for file in files if file.format in ASIDE)
    databases = tuple(file for file in session if file.format == Format.NSYS)
    others = tuple(file for file in session if file.format != Format.NSYS)
    for name, parts in (("", cycles(others)), (DATABASE if others else "", sessions(databases))):
        for i, part in enumerate(parts):
            yield name + (CYCLE.format(i + 1) if len(parts) > 1 else ""), part
    tags = {file.tag for file in files if file.tag is not None}
    for step, both in itertools.groupby(sorted(steps, key=lambda path: (steps[path], path)), steps.__getitem__):
        paths = tuple(both)
        if SLIM_TAG.format(step) not in tags:
            yield STEP.format(step), tuple(file for file in files if file.path in paths)
    if aside:
        yield (MEMORY if session else ""), aside
    yield from _of_functions(tuple(file for file in files if file.format in OF_FUNCTIONS), bool(session or aside))
    for tag in sorted(tags, key=natural):
        for part in _at_once([file for file in files if file.tag == tag]):
            made = [f for f in files if f.path in steps and SLIM_TAG.format(steps[f.path]) == tag]
            yield f"/{shown(tag or UNTAGGED)}", (*part, *(replace(each, host=part[0].host) for each in made))


def _of_functions(files: tuple[CaptureFile, ...], beside: bool) -> Iterator[tuple[str, tuple[CaptureFile, ...]]]:
    """beside: whether other captures lie there, whose run has the folder's name."""
    runs = group_by_rank(files)
    for name, of_run in runs:
        yield (f"/{shown(name)}" if len(runs) > 1 else FUNCTIONS if beside else ""), of_run


def _at_once(files: list[CaptureFile]) -> list[tuple[CaptureFile, ...]]:
    """Run metadata of one tag: what hosts wrote at once belongs together; what one wrote again is another run."""
    parts: list[list[CaptureFile]] = []
    for file in sorted(files, key=lambda file: (file.modified_ns, file.path, file.at)):
        if (
            not parts
            or file.host in {f.host for f in parts[-1]}
            or file.modified_ns - parts[-1][-1].modified_ns > APART_NS
        ):
            parts.append([])
        parts[-1].append(file)
    return [tuple(part) for part in parts]


def cycles(files: tuple[CaptureFile, ...]) -> list[tuple[CaptureFile, ...]]:
    """Files of one session, where no worker has several that describe different times; else one after another.

    PyTorch's profiler writes a file a worker each time its schedule comes round: the n-th of all belong together. Its
    workers are processes: a program that is started again has others, in the same folder.
    """
    stamped = sorted((ns, file.path, file) for file in files if (ns := _stamp(file)) is not None)
    starts: list[list[CaptureFile]] = []
    before_ns = -APART_NS
    for ns, _, file in stamped:
        if ns - before_ns >= APART_NS:
            starts.append([])
        starts[-1].append(file)
        before_ns = ns
    parts = [part for program in programs(starts) for part in _without_blank(_turns(program))]
    if len(parts) < 2:
        return [files] if files else []
    rest = tuple(file for file in files if _stamp(file) is None)
    return [rest + parts[0], *parts[1:]]


def _turns(files: list[CaptureFile]) -> list[tuple[CaptureFile, ...]]:
    """The first files of all workers, the second of all, and so on.

    Where a worker has fewer than others each of its files goes to the nearest of the worker that has most.
    """
    by_host: dict[str, list[CaptureFile]] = {}
    for file in files:
        by_host.setdefault(file.host, []).append(file)
    times = max(([_stamp(file) or 0 for file in each] for each in by_host.values()), key=len)
    parts: list[list[CaptureFile]] = [[] for _ in times]
    for each in by_host.values():
        for turn, file in zip(_nearest(each, times), each, strict=True):
            parts[turn].append(file)
    return [tuple(part) for part in parts]


def _without_blank(parts: list[tuple[CaptureFile, ...]]) -> list[tuple[CaptureFile, ...]]:
    """The same, of which a last one in which nothing was recorded is no run: its files lie beside those before."""
    if len(parts) > 1 and all(map(is_blank, parts[-1])):
        return [*parts[:-2], parts[-2] + parts[-1]]
    return parts


def _nearest(files: list[CaptureFile], times: list[int]) -> list[int]:
    """For each file of a worker, in order, the nearest of some times; as many as these, or no more alone, in order."""
    if len(files) == len(times):
        return list(range(len(files)))
    middles = [(a + b) // 2 for a, b in itertools.pairwise(times)]
    nearest = [bisect.bisect(middles, _stamp(file) or 0) for file in files]
    return nearest if len(set(nearest)) == len(nearest) else list(range(len(files)))


def _stamp(file: CaptureFile) -> int | None:
    return written_ns(file.path)


def _run(name: str, files: tuple[CaptureFile, ...]) -> Run:
    modified_ns = max(file.modified_ns for file in files)
    captured_ns = stamp_ns(name.rpartition("/")[2])
    if captured_ns is None:
        captured_ns = max((_stamp(file) or 0 for file in files), default=0) or None
    kept = one_a_host(files)
    read = {file.path for file in kept}
    left_out = tuple(sorted((file for file in files if file.path not in read), key=lambda file: file.path))
    return Run(name, kept, modified_ns, modified_ns if captured_ns is None else captured_ns, left_out)


def one_a_host(files: tuple[CaptureFile, ...]) -> tuple[CaptureFile, ...]:
    """The files by host. Of several of a host only the one that contains most, or it would count twice."""
    by_host: dict[str, list[CaptureFile]] = {}
    taken: dict[str, int] = {}
    for file in sorted(files, key=lambda file: (rank(file.path), file.path.endswith(".gz"), file.path)):
        by_host.setdefault(file.host, []).append(file)
    if any(file.format == Format.XPLANE for file in files):
        # `jax.collect_profile` makes it of the capture beside it, whatever that one's host is.
        made = by_host.pop(REMOTE, [])
        if len(by_host) == 1:
            next(iter(by_host.values())).extend(made)
    if any(host.startswith("TP-") for host in by_host):
        by_host.pop(MERGED, None)
    of_run = [file for name in OF_A_RUN for file in files if os.path.basename(file.path).removesuffix(".gz") == name]
    for file in of_run[1:]:
        if file.host != of_run[0].host:
            by_host[of_run[0].host].extend(by_host.pop(file.host, []))
    for copy, first in _copies([first for first, *_ in by_host.values()]):
        by_host[first.host] += [replace(each, is_copy=True) for each in by_host.pop(copy.host)]
    kept = (replace(first, others=tuple(others)) for first, *others in by_host.values())
    ordered = sorted(kept, key=lambda file: (natural(file.host), file.path))
    return tuple(replace(file, host=_unique(shown(file.host), taken)) for file in ordered)


def _copies(files: list[CaptureFile]) -> list[tuple[CaptureFile, CaptureFile]]:
    """Files, each with that of which it is a copy."""
    found = copies(files)
    return [(file, found[file.path]) for file in files if file.path in found]


def _layout(root: Root, folder: str, files: tuple[CaptureFile, ...]) -> tuple[bool, str]:
    """Whether files lie outside the profilers' layout, and their run's name.

    The name is the root's name, the path from the root to the folder above `plugins/profile`, the session's folder;
    elsewhere the path from the root; for a file given as root its host.
    """
    above, session = os.path.split(folder)
    run, profile = os.path.split(above)
    run, plugins = os.path.split(run)
    laid_out = (plugins, profile) == ("plugins", "profile")
    if files[0].path == folder:
        parts = [files[0].host]
    elif folder == root.path:
        parts = [session]
    elif laid_out:
        parts = [*_below(root.path, run), session]
    else:
        parts = _below(root.path, folder)
    return not laid_out, shown("/".join([root.name] * bool(root.name) + [p for p in parts if p]) or "run")


def _below(root: str, folder: str) -> list[str]:
    """The parts of the path from a root down to a folder; none where the folder is not below it."""
    relative = os.path.relpath(folder, root)
    parts = relative.split(os.sep)
    return [] if parts[0] in (os.curdir, os.pardir) else parts


def _unique(name: str, taken: dict[str, int]) -> str:
    candidate, number = name, taken.get(name, 0)
    while candidate in taken:
        number += 1
        candidate = f"{name} ({number + 1})"
    taken[name] = number
    taken[candidate] = taken.get(candidate, 0)
    return candidate
