"""perfplugin: the Profile tab of TensorBoard, the command `perfplugin`, and for Python `open`, `capture` and `profile`.

    import tensorboard_perfplugin
    profile = tensorboard_perfplugin.open("logs")
    profile.op_stats().result.tables
    profile.events.to_pandas()
    tensorboard_perfplugin.compare("logs/before", "logs/after").result.summary

    tensorboard_perfplugin.capture("grpc://localhost:6009", "logs")    # a program that runs elsewhere
    with tensorboard_perfplugin.profile("logs", steps=(10, 20)) as p:  # this one
        ...

How data flows: logdir → decode → tables → timeline → tools → web, command line, Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .api import Profile, compare, open, runs
    from .capture import CallableRoom, profile

    capture: CallableRoom

__all__ = ["Profile", "__version__", "capture", "compare", "open", "profile", "runs"]


def _opened(folder: str, keeps: object) -> Profile:
    from .api import open

    return open(folder, keeps=keeps)


def __getattr__(name: str) -> Any:
    """Brings in what is public on first use, so that importing the package costs nothing."""
    if name in ("capture", "profile"):
        from importlib import import_module

        # The room `capture` is the function as well.
        room = import_module(".capture", __name__)
        room.Profiling.opened = staticmethod(_opened)
        return room if name == "capture" else room.profile
    if name not in ("Profile", "compare", "open", "runs"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import api

    return getattr(api, name)
