"""Where xprof sees steps on a host's threads, ours are those. Where it differs, docs/steps_and_xprof.md tells why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.steps.model import Steps
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.conftest import ROOT, SHARED_CAPTURES
from tests.integration._programs import CASES, WORKERS, Programs
from tests.integration.conftest import SAMPLES
from tests.parity._peer import PeerSteps, peer_steps

MICROSECOND_PS = 10**6
#: Captures whose program marked its steps with a root flag, and has no loop inside of a step.
SHARED = ("custom_loop", "jax_cpu", "jax_python", "remote_capture", "remote_multi", "synth_gpu_small")


def captures_in(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.xplane.pb"))


def ours(file: Path) -> Steps:
    steps = steps_of(Timeline(decode.read(str(file)), "h"))
    steps.check()
    return steps


def check_equal(file: Path, theirs: PeerSteps) -> None:
    """The same names in order, each begin (from the first one's) and span to 1 µs, and so in its table of steps."""
    steps = ours(file)
    assert list(steps.name) == [name for name, _, _ in theirs.marks], file
    first_us = theirs.marks[0][1]
    for i, (name, begin_us, duration_us) in enumerate(theirs.marks):
        begin_ps = int(steps.begin_ps[i] - steps.begin_ps[0])
        assert abs(begin_ps - (begin_us - first_us) * 1e6) <= MICROSECOND_PS, (file, name)
        assert abs(int(steps.span_ps[i]) - duration_us * 1e6) <= MICROSECOND_PS, (file, name)
    span_ps = dict(zip(steps.name, steps.span_ps.tolist(), strict=True))
    for name, ms in theirs.rows:
        if name in span_ps and ms is not None:
            assert abs(span_ps[name] - ms * 1e9) <= MICROSECOND_PS, (file, name)


def check_all(files: list[Path]) -> None:
    found = peer_steps(files)
    assert len(found) == len(files)
    for file, theirs in found.items():
        assert theirs.marks, file
        check_equal(file, theirs)


def test_captures_with_marked_steps(shared_captures: Path) -> None:
    check_all(captures_in(*(SHARED_CAPTURES / "xplane" / folder for folder in SHARED)))


def test_the_sample_with_marked_steps() -> None:
    check_all(captures_in(SAMPLES / "jax_train"))


@pytest.mark.slow
def test_programs_that_mark_their_steps(programs: Programs) -> None:
    marked = [
        programs[spec].folder
        for spec in (*(case.spec for case in CASES), *WORKERS)
        if spec.split(":")[0] in ("tf_loop", "jax_loop", "two_workers")
        and "unmarked" not in spec
        and "while_loop" not in spec
    ]
    check_all(captures_in(*marked))


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["keras_fit:none", "tf_loop:none:unmarked", "tf_loop:while_loop", "jax_loop:several:unmarked"]
)
def test_the_peer_sees_no_steps_where_ours_are_the_stopwatch_s(spec: str, programs: Programs) -> None:
    """Without a root flag, and with a loop inside of a step, it sees none."""
    [file] = captures_in(programs[spec].folder)
    assert peer_steps([file])[file] == PeerSteps((), (), ())
    assert len(ours(file)) == len(programs[spec].stopwatch())


ROW = re.compile(
    r"^\| (?:sample )?`(?P<folder>\S+)`(?: (?P<part>\w+))? \| (?P<theirs>\d+)[^|]*"
    r"\|[^|]*\| (?P<ours>\d+), `(?P<rule>\w+)`",
    re.MULTILINE,
)


def documented() -> Iterator[tuple[Path, int, int, str]]:
    """A file, how many steps xprof's table has, how many ours, and the rule, of each row whose capture is here."""
    for row in ROW.finditer((ROOT / "docs" / "steps_and_xprof.md").read_text()):
        folder = next((f for f in (SAMPLES, SHARED_CAPTURES / "xplane") if (f / row["folder"]).is_dir()), None)
        files = captures_in(folder / row["folder"]) if folder else []
        mine = [file for file in files if not row["part"] or row["part"] in (file.parent.name, file.name.split(".")[0])]
        if mine:
            yield mine[0], int(row["theirs"]), int(row["ours"]), row["rule"]


def test_the_document_tells_what_ours_are() -> None:
    rows = list(documented())
    assert len(rows) >= 4
    for file, _, count, rule in rows:
        steps = ours(file)
        assert (len(steps), steps.rule) == (count, rule), file


def test_the_document_tells_what_theirs_are() -> None:
    rows = list(documented())
    found = peer_steps([file for file, _, _, _ in rows])
    for file, count, _, _ in rows:
        assert len(found[file].rows) == count, file
