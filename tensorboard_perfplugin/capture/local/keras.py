"""A recording as a callback of Keras: its batches are the steps, numbered through all epochs of a `fit` from 0."""

from __future__ import annotations

import sys
from typing import Any, Protocol

from ...errors import ArgumentError


class Steps(Protocol):
    """What a callback drives."""

    def arm(self) -> None: ...

    def step_begins(self, number: int) -> None: ...

    def step_ended(self, number: int) -> None: ...

    def stop(self) -> None: ...


def _ignored(*given: Any, **more: Any) -> None:
    pass


# Keras leaves out calls that are marked so; with others it would wait for each batch.
_ignored._is_default = True  # type: ignore[attr-defined]


class Calls:
    """What Keras calls, driving `profiling`. Of `fit` alone: not of `evaluate` and `predict`."""

    profiling: Steps
    #: Batches of the epochs before, and of this one.
    before = 0
    batches = 0

    def on_train_begin(self, logs: Any = None) -> None:
        self.before = self.batches = 0
        self.profiling.arm()

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.before, self.batches = self.before + self.batches, 0

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        self.profiling.step_begins(self.before + int(batch))

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        # With steps_per_execution only the last batch of several is reported.
        self.batches = int(batch) + 1
        self.profiling.step_ended(self.before + self.batches)

    def on_train_end(self, logs: Any = None) -> None:
        self.profiling.stop()

    on_epoch_end = on_batch_begin = on_batch_end = _ignored
    on_test_begin = on_test_end = on_test_batch_begin = on_test_batch_end = _ignored
    on_predict_begin = on_predict_end = on_predict_batch_begin = on_predict_batch_end = _ignored


class Duck(Calls):
    """For a recording that is given to Keras as it is: Keras asks for no class, only for these methods."""

    params: Any = None
    model: Any = None

    def set_params(self, params: Any) -> None:
        self.params = params

    def set_model(self, model: Any) -> None:
        self.model = model


def callback(profiling: Steps) -> Any:
    """A `keras.callbacks.Callback`. Raises ArgumentError where Keras is not imported."""
    keras: Any = sys.modules.get("keras") or sys.modules.get("tf_keras")
    if keras is None:
        raise ArgumentError("keras(): Keras is not imported in this program; import it first")
    made = type("ProfileCallback", (Calls, keras.callbacks.Callback), {"__doc__": callback.__doc__})()
    made.profiling = profiling
    return made
