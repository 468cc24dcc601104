"""What `memory_profile` says of a system of a file, and which files hold memory events."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.memory_profile import MEMORY_PROFILE
from tests.conftest import SHARED_CAPTURES
from tests.tools.answered import rows_of as rows
from tests.tools.memory import ask


class Told:
    """The answers about one file. is_one_start: whether its lines begin at one time."""

    def __init__(self, file: Path, is_one_start: bool = True) -> None:
        self.is_one_start = is_one_start
        self.timeline = Timeline(decode.read(str(file)), "h")

        names = [str(name) for (name,) in rows(ask(self.timeline), "systems", "memory")]
        #: As the events call them → as the answer does, which puts the kind before a number.
        self.systems = {name.removeprefix("TPU ").removeprefix("GPU "): name for name in names}

    def answer(self, system: str) -> Answer:
        """Every event of the timeline is a row of its own, in files of up to 10,000 of them."""
        return ask(self.timeline, memory=self.systems[system], pixels="10000", limit="0")


def with_events() -> list[Path]:
    """The shared captures that hold memory events, one of each two that are the same."""
    files = sorted((SHARED_CAPTURES / "xplane").rglob("*.xplane.pb"))
    found = [file for file in files if MEMORY_PROFILE.missing(Timeline(decode.read(str(file)), "h")) is None]
    return [file for file in found if "195.180" not in file.name]


def cells(answer: Answer, table: str) -> list[dict[str, Any]]:
    columns = answer.to_dict()["tables"][table]["columns"]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
