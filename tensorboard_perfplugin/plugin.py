"""TensorBoard's contract and nothing else: name, tab, routes. Importing and loading it pulls in nothing heavy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorboard.plugins import base_plugin

from .logdir import Logdir
from .web import Site


class PerfPlugin(base_plugin.TBPlugin):  # type: ignore[misc]
    """The Profile tab."""

    plugin_name = "perfplugin"

    def __init__(self, context: base_plugin.TBContext) -> None:
        flags = context.flags
        spec = getattr(flags, "logdir_spec", "") if flags else ""
        self._site = Site(Logdir.from_flags(context.logdir or "", spec or ""))

    def get_plugin_apps(self) -> dict[str, Callable[..., Any]]:
        return self._site.apps()

    def is_active(self) -> bool:
        """Always: inactive tabs are hidden in a drop-down, and where nothing shows the page is what says why."""
        return True

    def frontend_metadata(self) -> base_plugin.FrontendMetadata:
        return base_plugin.FrontendMetadata(es_module_path="/static/index.js", tab_name="Profile")


class PerfPluginLoader(base_plugin.TBLoader):  # type: ignore[misc]
    """What TensorBoard finds through the entry point."""

    def load(self, context: base_plugin.TBContext) -> PerfPlugin:
        return PerfPlugin(context)
