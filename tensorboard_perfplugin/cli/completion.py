"""What a shell offers where Tab is pressed, by argcomplete: the command's parser, and no other one, is made for it."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..errors import NotFoundError, PerfpluginError

SHELLS = ("bash", "zsh", "fish")
#: Set by argcomplete's shell scripts: how many words of the line go before the arguments.
WORDS_BEFORE = "_ARGCOMPLETE"


def script(shell: str) -> str:
    """What the shell evaluates. Raises NotFoundError without argcomplete."""
    try:
        from argcomplete.shell_integration import shellcode
    except ImportError:
        ask = "pip install 'tensorboard-perfplugin[completion]'"
        raise NotFoundError(f"completion needs argcomplete, which is not installed: {ask}") from None
    text: str = shellcode(["perfplugin"], True, shell)
    return text


def command_typed(commands: Sequence[str], tools: Sequence[str]) -> list[str]:
    """The command of the line that is typed; what it takes its parser will complete.

    Where that is not yet there, one of the names is completed, and the process ends; and where it is a tool's path,
    since the parser of a tool takes half a second to import.
    """
    from argcomplete.lexers import split_line

    line = os.environ["COMP_LINE"].encode()[: int(os.environ["COMP_POINT"])].decode(errors="ignore")
    before = int(os.environ[WORDS_BEFORE])
    _, typed, _, every_word, _ = split_line(line, len(line))
    words: list[str] = every_word[before:]
    parser = argparse.ArgumentParser()
    if not words:
        parser.add_argument("command", choices=[*commands, *tools])
        parser.add_argument("--version", action="store_true")
        complete(parser)
    elif words[0].replace("-", "_") in tools and not typed.startswith("-") and not words[-1].startswith("-"):
        parser.add_argument("path", nargs="*")
        complete(parser)
    # For argcomplete the command is the program.
    os.environ[WORDS_BEFORE] = str(before + 1)
    return words[:1]


def complete(parser: argparse.ArgumentParser) -> None:
    """Write what may follow on the line, options where they are begun, and end the process."""
    from argcomplete import autocomplete

    autocomplete(parser, always_complete_options=False)


def offer(action: argparse.Action, names: Callable[[argparse.Namespace], Iterable[str]]) -> None:
    """Complete an option's value by names, which may depend on what stands on the line."""

    def offered(parsed_args: argparse.Namespace, **_: Any) -> list[str]:
        try:
            return list(names(parsed_args))
        except PerfpluginError:
            return []

    action.completer = offered  # type: ignore[attr-defined]
