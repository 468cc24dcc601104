"""`perfplugin serve PATH`: the installed TensorBoard on a path, its Profile tab in the browser, until Ctrl-C."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable

from ..errors import ArgumentError, NotFoundError
from ..stores import absolute, is_url
from .show import printable

#: The plugin's name is the address of its tab.
_TAB = "#perfplugin"
#: How often it is looked whether to end; without, Windows would not hear of Ctrl-C.
_POLL_S = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    port = "default: 6006, or the next that is free; 0 is any that is free"
    parser.add_argument("--port", type=int, metavar="N", help=port)
    parser.add_argument("--host", metavar="ADDRESS", help="where it listens; default: for this machine alone")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="open no browser")


def serve(args: argparse.Namespace, say: Callable[[str], None]) -> int:
    """Show the address, open it, and wait. Raises NotFoundError; ArgumentError where TensorBoard cannot listen."""
    path = absolute(args.path)
    if not is_url(path) and not os.path.exists(path):
        raise NotFoundError(f"{printable(path)}: no such file or folder; give a capture, or the folder of captures")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    address = _started(path, args.port, args.host) + _TAB
    say(f"{address}  (Ctrl-C ends it)")
    sys.stdout.flush()
    if args.browser:
        import webbrowser

        # Some browsers are started in the terminal, and return when they are closed.
        threading.Thread(target=webbrowser.open, args=(address,), name="browser", daemon=True).start()
    while not stop.wait(_POLL_S):
        pass
    return 0


def _except_of_reloading(args: threading.ExceptHookArgs) -> None:
    """Where the logdir is a file, TensorBoard's own tabs have nothing to read, and the thread that does so fails."""
    if args.thread is None or args.thread.name != "Reloader":
        threading.__excepthook__(args)


def _started(path: str, port: int | None, host: str | None) -> str:
    """Starts TensorBoard in a thread of this process, which ends with it; the address of its page."""
    try:
        from tensorboard import default, program
    except ImportError as error:
        raise NotFoundError(f"TensorBoard cannot be imported: {error}; `pip install tensorboard`") from None
    if os.path.isfile(path):
        threading.excepthook = _except_of_reloading
    board = program.TensorBoard(default.get_plugins())
    listen = [f"--port={port}"] * (port is not None) + [f"--host={host}"] * (host is not None)
    board.configure(["tensorboard", f"--logdir={path}", *listen])
    try:
        address: str = board.launch()
    except program.TensorBoardServerException as error:
        raise ArgumentError(f"TensorBoard cannot listen there: {error.msg}") from None
    except SystemExit:
        # So ends its server for an address that is none, after a line that says why.
        raise ArgumentError(f"TensorBoard cannot listen at {host or 'localhost'}") from None
    return address
