"""perfplugin: the Profile tab of TensorBoard, the command `perfplugin`, and `open` for Python.

    import tensorboard_perfplugin
    profile = tensorboard_perfplugin.open("logs")
    profile.op_stats().result.tables
    profile.events.to_pandas()

How data flows: logdir → decode → tables → timeline → tools → web, command line, Python.
"""

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from .api import Profile, open

__all__ = ["Profile", "__version__", "open"]


def __getattr__(name: str) -> Any:
    """Brings in `open` and `Profile` on first use, so that importing the package costs nothing."""
    if name not in ("Profile", "open"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import api

    return getattr(api, name)
