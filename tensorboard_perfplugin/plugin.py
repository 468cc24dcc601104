"""TensorBoard's contract and nothing else: name, tab, flags, routes. Importing and loading it is light."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from tensorboard.plugins import base_plugin

from . import heap, units
from .errors import ArgumentError
from .logdir import Logdir
from .web import ALLOW_FLAG, HOSTS_FLAG, LOOPBACK, ORIGINS_FLAG, SQL_FLAG, CaptureRules, Site, names_of, rules_of

CLUSTER_FLAG = "--perfplugin_cluster"
MEMORY_FLAG = "--perfplugin_memory"
LINKS_FLAG = "--perfplugin_follow_links"
#: Less holds no capture of an hour, more no machine has.
LEAST_MEMORY, MOST_MEMORY = 64 << 20, 1 << 50


class PerfPlugin(base_plugin.TBPlugin):  # type: ignore[misc]
    """The Profile tab."""

    plugin_name = "perfplugin"

    def __init__(self, context: base_plugin.TBContext) -> None:
        flags = context.flags
        spec = getattr(flags, "logdir_spec", "") if flags else ""
        logdir, cluster = context.logdir or "", getattr(flags, "perfplugin_cluster", "") if flags else ""
        self._site = Site(
            Logdir.from_flags(logdir, spec or "", getattr(flags, "perfplugin_follow_links", "yes") != "no"),
            rules=_rules(flags),
            cluster=cluster or "",
            max_bytes=_memory(flags),
            hosts=_hosts(flags),
            sql=bool(getattr(flags, "perfplugin_sql", False)),
        )

    def get_plugin_apps(self) -> dict[str, Callable[..., Any]]:
        return self._site.apps()

    def is_active(self) -> bool:
        """Always: inactive tabs are hidden in a drop-down, and where nothing shows the page is what says why."""
        return True

    def frontend_metadata(self) -> base_plugin.FrontendMetadata:
        return base_plugin.FrontendMetadata(es_module_path="/static/index.js", tab_name="Profile")


class PerfPluginLoader(base_plugin.TBLoader):  # type: ignore[misc]
    """What TensorBoard finds through the entry point."""

    def define_flags(self, parser: argparse.ArgumentParser) -> None:
        group = parser.add_argument_group("perfplugin: the Profile tab")
        group.add_argument(
            ALLOW_FLAG,
            metavar="ADDRESSES",
            default=LOOPBACK,
            help="Whose profiles may be captured from the page: a list of loopback (the default), IP addresses, "
            "networks (10.0.0.0/8) and names (trainer, *.corp), each with :PORT or without; * for all; empty for none.",
        )
        group.add_argument(
            ORIGINS_FLAG,
            metavar="NAMES",
            default="",
            help="What TensorBoard is called by browsers behind a proxy or under a name of its own, as tb.example or "
            "https://tb.example: a list. Capturing is refused to pages of other names.",
        )
        group.add_argument(
            HOSTS_FLAG,
            metavar="NAMES",
            default="",
            help="Host names under which the Profile tab answers, beside localhost, IP addresses and this machine's "
            "own name: a list, as tb.example,tb.corp. By default any, as TensorBoard itself: see docs/security.md.",
        )
        group.add_argument(
            LINKS_FLAG,
            choices=("yes", "no"),
            default="yes",
            help="Whether symbolic links in the logdir that lead to other folders are followed, to runs and captures "
            "that lie elsewhere. Default: yes.",
        )
        group.add_argument(
            CLUSTER_FLAG,
            metavar="ADDRESS",
            default="",
            help="What reads the captures of many hosts: the address of a Dask scheduler, tcp://host:8786, whose "
            "workers see the same paths (pip install 'tensorboard-perfplugin[cluster]'). Default: processes of this "
            "machine.",
        )
        group.add_argument(
            MEMORY_FLAG,
            metavar="SIZE",
            default="",
            help="How much memory captures that were opened may take, as 500MB or 8GiB, by default 2GiB: beyond it "
            "those go that were not looked at for longest. The one that is looked at stays however large it is.",
        )

        group.add_argument(
            SQL_FLAG,
            action="store_true",
            help="Answer queries in SQL over the runs, of all that reach the page (pip install "
            "'tensorboard-perfplugin[sql]'). They read captures alone, within limits of time and memory.",
        )

    def fix_flags(self, flags: argparse.Namespace) -> None:
        """Raises FlagsError for a value that says nothing, when TensorBoard starts and not when someone captures."""
        for flag, read in ((ALLOW_FLAG, _rules), (HOSTS_FLAG, _hosts), (MEMORY_FLAG, _memory)):
            try:
                read(flags)
            except ArgumentError as error:
                raise base_plugin.FlagsError(f"{flag}: {error}") from error

    def load(self, context: base_plugin.TBContext) -> PerfPlugin:
        heap.return_large()
        return PerfPlugin(context)


def _memory(flags: argparse.Namespace | None) -> int | None:
    """Bytes, None for the default. Raises ArgumentError."""
    text = getattr(flags, "perfplugin_memory", "") or ""
    if not text:
        return None
    found = units.written_bytes(text)
    if found is None or not LEAST_MEMORY <= found <= MOST_MEMORY:
        least = units.memory(LEAST_MEMORY)
        raise ArgumentError(f"{text[:80]!r}: must be a size with a unit, {least} or more: 500MB, 8GiB")
    return found


def _hosts(flags: argparse.Namespace | None) -> tuple[str, ...]:
    """Raises ArgumentError."""
    return names_of(getattr(flags, "perfplugin_hosts", "") or "")


def _rules(flags: argparse.Namespace | None) -> CaptureRules:
    """What the flags say; where TensorBoard is embedded without ours, the defaults."""
    allow = getattr(flags, "perfplugin_capture_allow", None)
    origins, host = (getattr(flags, flag, None) or "" for flag in ("perfplugin_capture_origins", "host"))
    return rules_of(LOOPBACK if allow is None else allow, origins, host)
