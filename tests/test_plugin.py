"""TensorBoard's contract: a tab that is always there, loaded at no cost, whatever is broken."""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace
from importlib.metadata import entry_points

import pytest
from tensorboard.plugins.base_plugin import TBContext

from tensorboard_perfplugin.plugin import PerfPlugin, PerfPluginLoader
from tensorboard_perfplugin.web import ROUTES


def test_tensorboard_finds_the_loader() -> None:
    (ours,) = [point for point in entry_points(group="tensorboard_plugins") if point.name == "perfplugin"]
    assert ours.load() is PerfPluginLoader


def test_the_tab() -> None:
    plugin = PerfPluginLoader().load(TBContext(logdir="/logs", flags=Namespace(logdir_spec="")))
    metadata = plugin.frontend_metadata()
    assert plugin.plugin_name == "perfplugin"
    assert (metadata.tab_name, metadata.es_module_path) == ("Profile", "/static/index.js")
    assert set(plugin.get_plugin_apps()) == set(ROUTES)


@pytest.mark.parametrize(
    "context",
    [
        TBContext(),
        TBContext(logdir="/no/such/folder", flags=Namespace(logdir_spec="")),
        TBContext(logdir="", flags=Namespace(logdir_spec="a:/x,b:/y")),
        TBContext(logdir="", flags=Namespace(logdir_spec=":::,,a:")),
        TBContext(logdir="gs://bucket/logs", flags=Namespace()),
        TBContext(logdir="~nobody-of-that-name/x\n", flags=None),
    ],
)
def test_the_tab_is_active_whatever_the_flags_say(context: TBContext) -> None:
    plugin = PerfPlugin(context)
    assert plugin.is_active()
    assert plugin.get_plugin_apps()


def test_loading_imports_nothing_heavy() -> None:
    """With numpy and protobuf broken, everything that TensorBoard calls before a page is asked for still works."""
    code = """
import sys
for name in ("numpy", "google", "google.protobuf", "pandas", "tensorboard_perfplugin.decode"):
    sys.modules[name] = None
from argparse import Namespace
from tensorboard.plugins.base_plugin import TBContext
from tensorboard_perfplugin.plugin import PerfPluginLoader
plugin = PerfPluginLoader().load(TBContext(logdir=sys.argv[1], flags=Namespace(logdir_spec="")))
print(plugin.is_active(), len(plugin.get_plugin_apps()), plugin.frontend_metadata().tab_name)
print([name for name in sys.modules if name.startswith("tensorboard_perfplugin.") and name.count(".") == 1])
"""
    done = subprocess.run([sys.executable, "-c", code, "."], capture_output=True, text=True, check=True)
    rooms = ["decode", "_version", "errors", "formats", "heap", "logdir", "messages", "patterns", "plugin", "stores"]
    rooms += ["threshold", "units", "web", "wire", "work"]
    assert done.stdout.splitlines()[0] == f"True {len(ROUTES)} Profile"
    assert set(eval(done.stdout.splitlines()[1])) == {f"tensorboard_perfplugin.{room}" for room in rooms}
