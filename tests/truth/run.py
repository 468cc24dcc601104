"""Cases → their captures, run where they are not kept, and a row about each, analysed where that is not kept.

All is in `.cache/truth`: a folder a case with its capture and `truth.json`, and `rows.json`. A capture is kept as long
as the case and the programs that run it are the same, a row as long as the capture, the package and the judge are.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import msgspec

from tests.truth.declared import Case
from tests.truth.judge import Row, judged

ROOT = Path(__file__).parents[2]
GIVEN = "PERFPLUGIN_FRAMEWORKS_PYTHON"
PYTHON = Path(os.environ.get(GIVEN) or ROOT / ".venv-frameworks" / "bin" / "python").absolute()
#: Cases that one process runs: importing a framework takes longer than a case, and what they leave behind adds up.
AT_ONCE = 12
#: Seconds that they may take.
PATIENCE = 900
#: What a program is made of besides its loop.
_SHARED = ("costs.py", "loops/__main__.py")
_OF_TENSORFLOW = ("loops/tensorflow_costs.py", "../programs/_tensorflow.py")


def run(cases: Sequence[Case], out: Path, python: str = str(PYTHON)) -> dict[str, str]:
    """Run the cases whose capture is not kept; those that failed, with the last lines they printed."""
    failed: dict[str, str] = {}
    for loop in ("torch", "jax", "tf", "keras"):
        left = [case for case in cases if case.loop == loop and not is_kept(case, out)]
        while left:
            batch, left = left[:AT_ONCE], left[AT_ONCE:]
            printed = _process(batch, out, python)
            missing = [case for case in batch if not (out / case.folder / "truth.json").exists()]
            if missing:  # the first ended the process; the others may still run
                failed[missing[0].name] = printed
                left = missing[1:] + left
            for case in batch:
                if case not in missing:
                    (out / case.folder / "key").write_text(capture_key(case))
    return failed


def _process(cases: Sequence[Case], out: Path, python: str) -> str:
    for case in cases:
        (out / case.folder / "truth.json").unlink(missing_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([case.to_json() for case in cases], file)
        file.flush()
        command = [python, "-W", "ignore", "-m", "tests.truth.loops", str(out), file.name]
        try:
            done = subprocess.run(
                command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            return f"took more than {PATIENCE} s"
    print(*(line for line in done.stdout.splitlines() if line.endswith(" s") and "/" in line), sep="\n", flush=True)
    return "\n".join(done.stdout.splitlines()[-8:])


def is_kept(case: Case, out: Path) -> bool:
    key = out / case.folder / "key"
    return key.exists() and key.read_text() == capture_key(case)


def capture_key(case: Case) -> str:
    """Which codes are right is the judge's, not the program's."""
    plain = case.to_json()
    for each in (plain, *plain["plants"]):
        del each["codes"]
    of_loop = _OF_TENSORFLOW if case.loop in ("tf", "keras") else ()
    return _digest([json.dumps(plain), _sources((*_SHARED, *of_loop, f"loops/{case.loop}_loop.py"))])


@functools.cache
def _sources(names: tuple[str, ...]) -> str:
    return _digest((Path(__file__).parent / name).read_text() for name in names)


@functools.cache
def package_key() -> str:
    """What decides a row besides its capture."""
    package = sorted((ROOT / "tensorboard_perfplugin").rglob("*.py"))
    return _digest([*(path.read_text() for path in package), _sources(("judge.py", "cases.py", "declared.py"))])


def _digest(texts: Iterable[str]) -> str:
    made = hashlib.sha256()
    for text in texts:
        made.update(hashlib.sha256(text.encode()).digest())
    return made.hexdigest()[:20]


def analyse(cases: Sequence[Case], out: Path, jobs: int) -> list[Row]:
    """A row for every case that has a capture."""
    there = [case for case in cases if (out / case.folder / "truth.json").exists()]
    kept, file = {}, out / "rows.json"
    with contextlib.suppress(FileNotFoundError):
        kept = json.loads(file.read_text())
    keys = {case.name: _digest([package_key(), (out / case.folder / "truth.json").read_text()]) for case in there}
    new = [case for case in there if kept.get(case.name, {}).get("key") != keys[case.name]]
    for case, row in zip(new, _rows([(case, out / case.folder) for case in new], jobs), strict=True):
        kept[case.name] = {"key": keys[case.name], "row": dataclasses.asdict(row)}
    file.write_text(json.dumps(kept, indent=1) + "\n")
    return [msgspec.convert(kept[case.name]["row"], Row) for case in there]


def _rows(given: list[tuple[Case, Path]], jobs: int) -> Iterator[Row]:
    """In processes whose cache of answers is their own: the user's takes an edited package for the same."""
    with (
        tempfile.TemporaryDirectory() as cache,
        _environment("XDG_CACHE_HOME", cache),
        ProcessPoolExecutor(jobs, get_context("spawn")) as pool,
    ):
        yield from pool.map(judged, *zip(*given, strict=True)) if given else ()


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        os.environ.pop(name)
        if before is not None:
            os.environ[name] = before
