"""Programs that record themselves with `profile`: `python -m tests.capture.profiled OUT SCENARIO…`.

Each scenario records into `OUT/<its name>` and prints a line of JSON: its name, what the recording says of itself, and
the warnings that it gave. Those of one framework run in one process, since the import takes longer than they do.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

import tensorboard_perfplugin
from tensorboard_perfplugin.errors import RemoteError

os.environ.update(JAX_PLATFORMS="cpu", TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")
FIRST, LAST, STEPS = 3, 6, 10
profile = tensorboard_perfplugin.profile


def tensorflow() -> Callable[[], Any]:
    tf = importlib.import_module("tensorflow")
    step = tf.function(lambda given: tf.reduce_sum(tf.tanh(given @ given)))
    return lambda: step(tf.ones((200, 200)))


def jax() -> Callable[[], Any]:
    numpy = importlib.import_module("numpy")
    module = importlib.import_module("jax")
    step = module.jit(lambda given: module.numpy.tanh(given @ given))
    state = [0.01 * numpy.ones((200, 200), numpy.float32)]

    def train() -> None:
        """As training does: the next step needs what this one gives, and nobody waits for it."""
        state[0] = step(state[0])

    return train


def loop(out: str, train: Callable[[], Any], **options: Any) -> Any:
    with profile(out, steps=(FIRST, LAST), **options) as recording:
        for _ in range(STEPS):
            train()
            recording.step()
    return recording


def block(out: str, train: Callable[[], Any]) -> Any:
    with profile(out) as recording:
        for _ in range(STEPS):
            train()
    return recording


def raises(out: str, train: Callable[[], Any]) -> Any:
    """The fourth step of the window fails."""
    recording = profile(out, steps=(FIRST, LAST))
    try:
        with recording:
            for number in range(STEPS):
                train()
                if number == LAST:
                    raise ZeroDivisionError("the training's own")
                recording.step()
    except ZeroDivisionError:
        return recording
    raise AssertionError("the training's error was hidden")


def raised(call: Callable[[], Any]) -> str:
    try:
        call()
    except RemoteError as error:
        return str(error)
    raise AssertionError("strict did not raise")


def busy_tensorflow(out: str, train: Callable[[], Any]) -> Any:
    """The program profiles itself already, and goes on doing so."""
    tf = importlib.import_module("tensorflow")
    tf.profiler.experimental.start(f"{out}_own")
    recording = loop(out, train)
    assert raised(lambda: loop(out, train, strict=True)) == str(recording.error)
    tf.profiler.experimental.stop()
    return recording


def outside_tensorflow(out: str, train: Callable[[], Any]) -> Any:
    """A capture from outside has TensorFlow's profiler; when it is over another one can be made."""
    inside = importlib.import_module("tensorflow.python.profiler.internal._pywrap_profiler")
    session = inside.ProfilerSession()
    session.start(f"{out}_outside", {})
    recording = loop(out, train)
    session.export_to_tb()
    after = loop(f"{out}_after", train)
    assert after.files, after.error
    return recording


def busy_jax(out: str, train: Callable[[], Any]) -> Any:
    module = importlib.import_module("jax")
    module.profiler.start_trace(f"{out}_own")
    recording = loop(out, train)
    module.profiler.stop_trace()
    return recording


def outside_jax(out: str, train: Callable[[], Any]) -> Any:
    session = importlib.import_module("jax._src.lib")._profiler.ProfilerSession()
    recording = loop(out, train)
    session.stop()
    after = loop(f"{out}_after", train)
    assert after.files, after.error
    return recording


def empty(out: str, train: Callable[[], Any]) -> Any:
    return loop(out, train, host_tracer_level=0, device_tracer_level=0)


def both(out: str, train: Callable[[], Any]) -> Any:
    """JAX trains on what tf.data reads."""
    data = iter(importlib.import_module("tensorflow").data.Dataset.range(1000).map(lambda number: number + 1).batch(8))
    return loop(out, lambda: (next(data), train()))


def idle_jax(out: str, train: Callable[[], Any]) -> Any:
    """JAX is imported and never used: to record it would make it take the devices."""
    importlib.import_module("jax")
    recording = loop(out, train)
    assert not importlib.import_module("jax._src.xla_bridge").backends_are_initialized()
    return recording


def used_jax(out: str, train: Callable[[], Any]) -> Any:
    """JAX ran once, and does nothing while TensorFlow trains."""
    importlib.import_module("jax").numpy.ones(3).block_until_ready()
    return loop(out, train)


def model() -> Any:
    keras, numpy = importlib.import_module("keras"), importlib.import_module("numpy")
    made = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
    made.compile("sgd", "mse")
    return made, numpy.ones((160, 4)), numpy.ones((160, 1))


def keras_callback(out: str, train: Callable[[], Any]) -> Any:
    """Ten batches an epoch: the window reaches from the first into the second."""
    net, given, wanted = model()
    recording = profile(out, steps=(8, 11))
    net.fit(given, wanted, batch_size=16, epochs=3, verbose=0, callbacks=[recording.keras()])
    return recording


def keras_itself(out: str, train: Callable[[], Any]) -> Any:
    net, given, wanted = model()
    recording = profile(out)
    net.fit(given, wanted, batch_size=16, verbose=0, validation_data=(given, wanted), callbacks=[recording])
    return recording


def keras_raises(out: str, train: Callable[[], Any]) -> Any:
    """Keras does not tell its callbacks that a fit failed: whoever catches the error ends the recording."""
    keras = importlib.import_module("keras")

    def fail(batch: int, logs: Any) -> None:
        if batch == LAST:
            raise ZeroDivisionError("a callback's own")

    net, given, wanted = model()
    recording = profile(out, steps=(FIRST, 100))
    failing = keras.callbacks.LambdaCallback(on_train_batch_begin=fail)
    try:
        net.fit(given, wanted, batch_size=16, verbose=0, callbacks=[failing, recording.keras()])
    except ZeroDivisionError:
        recording.stop()
    return recording


def distributed(out: str, train: Callable[[], Any]) -> Any:
    """One of two processes; its number and the other's port are in the environment."""
    module = importlib.import_module("jax")
    number = int(os.environ["NUMBER"])
    module.distributed.initialize(os.environ["COORDINATOR"], num_processes=2, process_id=number)
    train()
    recording = loop(out, train)
    # Who coordinates must not leave before the other.
    module.distributed.shutdown()
    return recording


def unlucky(out: str, train: Callable[[], Any]) -> Any:
    """The program ends within its window, without a word to the recording, which writes what there is."""
    recording = profile(out, steps=(FIRST, 10**6)).start()
    for _ in range(STEPS):
        train()
        recording.step()
    return recording


#: Scenario → what trains, and how it is recorded.
SCENARIOS: dict[str, tuple[Callable[[], Callable[[], Any]], Callable[[str, Callable[[], Any]], Any]]] = {
    "tf_idle_jax": (tensorflow, idle_jax),
    "tf_loop": (tensorflow, loop),
    "tf_block": (tensorflow, block),
    "tf_raises": (tensorflow, raises),
    "tf_busy": (tensorflow, busy_tensorflow),
    "tf_outside": (tensorflow, outside_tensorflow),
    "keras_callback": (tensorflow, keras_callback),
    "keras_itself": (tensorflow, keras_itself),
    "keras_raises": (tensorflow, keras_raises),
    "tf_used_jax": (tensorflow, used_jax),
    "jax_loop": (jax, loop),
    "jax_block": (jax, block),
    "jax_raises": (jax, raises),
    "jax_busy": (jax, busy_jax),
    "jax_outside": (jax, outside_jax),
    "jax_empty": (jax, empty),
    "jax_both": (jax, both),
    "jax_distributed": (jax, distributed),
    "jax_unlucky": (jax, unlucky),
}


def main() -> None:
    out, *names = sys.argv[1:]
    for name in names:
        framework, scenario = SCENARIOS[name]
        train = framework()
        if name != "tf_idle_jax" and name != "jax_distributed":
            train()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            recording = scenario(os.path.join(out, name), train)
        told = {
            "files": recording.files,
            "session": recording.session,
            "frameworks": recording.frameworks,
            "notes": recording.notes,
            "error": str(recording.error or ""),
            "warnings": [str(each.message) for each in caught if each.category.__name__ == "ProfileWarning"],
        }
        print(json.dumps({"name": name, **told}), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
