"""`profile`: records the program that it is called in, a window of its steps or a block → a session in the logdir."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import logging
import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Any, ClassVar

from ...errors import ArgumentError, PerfpluginError, RemoteError
from ...units import count
from ..request import Options, one_line
from . import keras
from .files import Place, check_logdir, take_place
from .frameworks import chosen, device_owner, process_began_s, rank_of, recorders
from .recorders import Recorder

#: The environment's way to name the session, for launchers.
SESSION = "PERFPLUGIN_SESSION"
#: Recordings of this process, counted.
_RECORDINGS = itertools.count(1)
_LOG = logging.getLogger("tensorboard_perfplugin")
#: How frameworks say that a profiler runs already.
_BUSY = ("another profil", "already been started", "already running", "already active", "another session")


class ProfileWarning(UserWarning):
    """The program went on, and there is no profile of it, or not all of it."""


def profile(
    logdir: str | os.PathLike[str] | None = None,
    steps: tuple[int, int] | None = None,
    *,
    session: str = "",
    frameworks: Sequence[str] | None = None,
    host_tracer_level: int = 2,
    device_tracer_level: int = 1,
    python_tracer_level: int = 0,
    advanced: dict[str, str | bool | int] | None = None,
    strict: bool = False,
) -> Profiling:
    """Record this program into `logdir`: steps first to last, both included, counted from 0, or a whole block.

        with profile("logs", steps=(10, 20)) as p:
            for batch in data:
                train(batch)
                p.step()

        model.fit(data, callbacks=[profile("logs", steps=(10, 20)).keras()])

        with profile() as p:  # without a logdir the files go with `p` and its result
            train(batch)
        p.result.overview()

    What is recorded: TensorFlow, JAX and PyTorch, those that are imported and run when the window begins, each into a
    file of its own; Python's calls, by cProfile, where none of them is imported. None is imported by this. JAX counts
    as running once it has taken its devices (before, its profiler would take them), TensorFlow once it ran an operation
    (a program of JAX that reads its data with tf.data is recorded in both), PyTorch when it is imported. Of several,
    one records the GPUs, since CUPTI takes one profiler of a process: the first that uses one, of JAX, PyTorch and
    TensorFlow. `frameworks` names others: some of "tensorflow", "jax", "pytorch", "python".

    host_tracer_level (0-3), device_tracer_level (0-1), python_tracer_level (0-1), advanced: as of `capture`. PyTorch
    has no host levels; advanced ones are JAX's alone.

    Each step is marked for the profilers (`train 10`), from one step() to the next, so that its input is part of it; in
    Keras from the beginning of a batch to its end.
    TensorFlow and JAX give `<host>.xplane.pb`, PyTorch `<host>.<time>.pt.trace.json.gz`, a second framework beside
    another's file `<host>_<framework>…`, cProfile `<host>.prof`. With several processes (torchrun, Open MPI, MPICH,
    Slurm, jax.distributed, TF_CONFIG) each gives `rank3_<host>…`, and all go into one session: the first that begins
    notes its name, the time, in a hidden file of the logdir for the others. Where machines do not share the logdir,
    give all the same `session`, or set PERFPLUGIN_SESSION.

    Nothing here stops the program: what fails is a ProfileWarning and in `error`, or raised with `strict`. Raises
    ArgumentError for invalid arguments.
    """
    if not isinstance(frameworks, (type(None), list, tuple)):
        raise ArgumentError(f"frameworks: {frameworks!r} is not a list of names")
    options = Options(
        session=session or os.environ.get(SESSION, ""),
        host_tracer_level=host_tracer_level,
        device_tracer_level=device_tracer_level,
        python_tracer_level=python_tracer_level,
        advanced=advanced or {},
    )
    folder = tempfile.mkdtemp(prefix="perfplugin-") if logdir is None else check_logdir(os.fspath(logdir))
    made = Profiling(folder, _checked(steps), options, frameworks, strict)
    if logdir is None:
        weakref.finalize(made, shutil.rmtree, folder, ignore_errors=True)
    return made


class Profiling(keras.Duck):
    """A recording of this program: a context manager, and a callback of Keras. Made by `profile`.

    session, files: the session's name and the paths written, once it is done. notes: what there is to say of them.
    error: why there is no profile, or None. frameworks: what was recorded.
    """

    #: Opens a session's folder: the package's root names it, since what reads captures is above this room.
    opened: ClassVar[Callable[..., Any] | None] = None

    def __init__(
        self,
        logdir: str,
        steps: tuple[int, int] | None,
        options: Options,
        frameworks: Sequence[str] | None,
        strict: bool,
    ) -> None:
        self.logdir, self.steps, self.strict = logdir, steps, strict
        self.session = ""
        self.files: tuple[str, ...] = ()
        self.notes: tuple[str, ...] = ()
        self.frameworks: tuple[str, ...] = ()
        self.error: PerfpluginError | None = None
        self._options, self._wanted = options, frameworks
        self._running: list[Recorder] = []
        self._place: Place | None = None
        self._marks = contextlib.ExitStack()
        self._done = self._marked = 0
        self._state = "new"

    @property
    def profiling(self) -> Profiling:  # type: ignore[override]
        """Itself: what Keras's calls drive."""
        return self

    def __enter__(self) -> Profiling:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stop(quiet=error is not None)

    def __repr__(self) -> str:
        return f"<Profiling {self._state}: {self.error or ', '.join(self.files) or self.logdir}>"

    @property
    def result(self) -> Any:
        """What was recorded, opened. Raises RemoteError, which says why, where nothing was."""
        if not self.files or self.opened is None:
            raise self.error or RemoteError(f"nothing was recorded: the profile is {self._state}")
        return self.opened(os.path.dirname(self.files[0]), keeps=self)

    def keras(self) -> Any:
        """A callback for `model.fit` of Keras 3. Raises ArgumentError where Keras is not imported."""
        return keras.callback(self)

    def start(self) -> Profiling:
        """Begin to count steps; to record, where the window begins at step 0 or is the whole block."""
        self.arm()
        if self.steps is None:
            # No mark before the first step(): a block without any would be one step, and hide those of its own.
            self._begin()
        else:
            self.step_begins(0)
        return self

    def step(self) -> None:
        """A step has ended, and the next begins."""
        if self._state == "new":
            self.start()
        self.step_ended(self._done + 1)
        self.step_begins(self._done)

    def arm(self) -> None:
        """Count steps from 0, of which the first has not begun."""
        if self._state == "recording":
            raise ArgumentError("this profile is already recording: create another with profile(…)")
        self.session, self.files, self.notes, self.frameworks, self.error = "", (), (), (), None
        self._done, self._marked, self._state, self._place = 0, 0, "waiting", None

    def step_begins(self, number: int) -> None:
        """Step `number`, counted from 0, begins: the window as well, if it is its first."""
        if self._state == "waiting" and number >= (self.steps[0] if self.steps else 0):
            self._begin()
        if self._state == "recording":
            self._mark(number)

    def step_ended(self, number: int) -> None:
        """So many steps have ended since the start: the window as well, if that was its last."""
        self._done = number
        if self._state == "recording":
            self._unmark()
            if self.steps is not None and number > self.steps[1]:
                self._finish(quiet=False)

    def stop(self) -> None:
        """End the recording, and write what there is."""
        self._stop(quiet=False)

    def _stop(self, quiet: bool) -> None:
        if self._state == "recording":
            self._finish(quiet)
        elif self._state == "waiting" and self.steps is not None:
            self._state = "failed"
            first, last = self.steps
            self._fail(
                f"nothing was recorded: the program ended after {count(self._done, 'step')}, before the end of steps "
                f"{first} to {last}; choose earlier steps, and call step() after each",
                quiet,
            )
        self._state = "new" if self._state == "waiting" else self._state

    def _begin(self) -> None:
        self._state = "failed"
        problems: list[str] = []
        with reported("this program cannot be recorded") as problem:
            names = chosen(self._wanted)
            owner = device_owner(names)
            self._place = self._taken_place()
            problems = [text for each in recorders(names) if (text := self._started(each, each.name == owner))]
        if not self._running:
            if self._place is not None:
                self._place.close()
            self._fail(problem.text or "; ".join(problems), quiet=False)
            return
        self.notes, self._state = (*self.notes, *problems), "recording"
        atexit.register(self._stop, quiet=True)

    def _taken_place(self) -> Place:
        rank = rank_of(os.environ)
        return take_place(self.logdir, self._options.session, rank, process_began_s(), next(_RECORDINGS))

    def _started(self, recorder: Recorder, device: bool) -> str:
        """Start one; what went wrong, or nothing."""
        assert self._place is not None
        with reported(f"the profiler of {recorder.name} did not start") as problem:
            note = recorder.start(self._place.make_scratch(recorder.name), self._options, device)
            self._running.append(recorder)
            self.notes += (note,) if note else ()
        return problem.text

    def _mark(self, number: int) -> None:
        self._marked += 1
        with reported(f"step {number} is not marked") as problem:
            for recorder in self._running:
                mark = recorder.mark(number)
                if mark is not None:
                    self._marks.enter_context(mark)
        self.notes += (problem.text,) if problem.text else ()

    def _unmark(self) -> None:
        with reported("a step is not marked") as problem:
            self._marks.close()
        self.notes += (problem.text,) if problem.text else ()

    def _finish(self, quiet: bool) -> None:
        atexit.unregister(self._stop)
        self._state = "done"
        assert self._place is not None
        written: list[tuple[Recorder, str, int]] = []
        problems: list[str] = []
        for recorder in self._running:
            # After an exception other processes may never send what this one would wait for.
            self.notes += () if quiet else self._settled(recorder)
            with reported(f"the profiler of {recorder.name} wrote no file") as problem:
                written += [(recorder, path, events) for path, events in recorder.stop().items()]
            problems += [problem.text] if problem.text else []
        # A step that did not end is none: what marks it ends after the profilers, and so is in no file.
        self._unmark()
        self._running = []
        problems += self._kept(written)
        self._place.close()
        self.session = self._place.session if self.files else ""
        self.notes += tuple(problems) if self.files else ()
        if self.files:
            _LOG.info("profile written: %s", ", ".join(self.files))
        if problems or not self.files:
            self._fail("; ".join(problems) or _why_empty(self._options), quiet)

    def _kept(self, written: Sequence[tuple[Recorder, str, int]]) -> list[str]:
        """Put what holds events into the session; what went wrong.

        Beside a file that holds more, one that holds the marks of steps alone is of a framework that did nothing.
        """
        assert self._place is not None
        least = self._marked if any(events > self._marked for _, _, events in written) else 0
        problems = []
        for recorder, path, events in written:
            if events <= least:
                continue
            with reported(f"the recording of {recorder.name} is lost") as problem:
                self.files += (self._place.keep(path, recorder.name, recorder.end),)
                self.frameworks += (recorder.name,)
            problems += [problem.text] if problem.text else []
        return problems

    def _settled(self, recorder: Recorder) -> tuple[str, ...]:
        with reported(f"the last steps may lack work launched by {recorder.name}") as problem:
            recorder.settle()
        return (problem.text,) if problem.text else ()

    def _fail(self, text: str, quiet: bool) -> None:
        """quiet: an exception is on its way already, which this must not hide."""
        self.error = RemoteError(f"profile({self.logdir!r}): {text}")
        if self.strict and not quiet:
            raise self.error
        warnings.warn(str(self.error), ProfileWarning, stacklevel=5)


def _checked(steps: Any) -> tuple[int, int] | None:
    if steps is None:
        return None
    whole = isinstance(steps, (tuple, list)) and len(steps) == 2
    if not whole or not all(isinstance(each, int) and not isinstance(each, bool) for each in steps):
        raise ArgumentError(f"steps: {steps!r} is not the first and last step to record, such as (10, 20)")
    first, last = steps
    if not 0 <= first <= last:
        raise ArgumentError(f"steps: {first} to {last} is not a range of steps, counted from 0")
    return first, last


class Problem:
    """text: what went wrong, "" while nothing did."""

    text = ""


@contextlib.contextmanager
def reported(what: str) -> Iterator[Problem]:
    """Whatever a framework raises becomes a text: recording a program must never end it."""
    problem = Problem()
    try:
        yield problem
    except Exception as error:  # noqa: BLE001
        if isinstance(error, PerfpluginError):
            problem.text = str(error)
            return
        text = one_line(f"{type(error).__name__}: {error}").rstrip(".")
        problem.text = f"{what}: {text}{_fix(text)}"


def _fix(text: str) -> str:
    if _is_disabled():
        return "; TF_DISABLE_PROFILING is set in this program's environment: unset it"
    if any(word in text.lower() for word in _BUSY):
        return "; a process can have only one active profiler: stop the other (a callback, an external capture) first"
    return ""


def _is_disabled() -> bool:
    return os.environ.get("TF_DISABLE_PROFILING", "0").lower() not in ("", "0", "false")


def _why_empty(options: Options) -> str:
    """Why a recording may be without any event."""
    if not options.host_tracer_level and not options.device_tracer_level and not options.python_tracer_level:
        return "nothing was recorded: all tracer levels are 0"
    if _is_disabled():
        return "nothing was recorded: TF_DISABLE_PROFILING is set in this program's environment; unset it"
    return (
        "nothing was recorded: no framework ran in that time, or its profiler could not trace; record steps that "
        "compute, and run `perfplugin check` to test the devices"
    )
