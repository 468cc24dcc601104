"""What is read of a message as if so many fields had been read before: a limit of millions from both sides."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tensorboard_perfplugin.wire import Budget


def spend(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, limit: int, left: int, read: Callable[[], object]
) -> None:
    """Make the budget of a module, which is to be of `limit` fields, such that `left` are left after one reading."""
    ample = 1 << 40
    made: list[Budget] = []

    def kept(fields: int) -> Budget:
        made.append(Budget(ample))
        return made[-1]

    with monkeypatch.context() as patch:
        patch.setattr(module, "Budget", kept)
        read()
    used = ample - made[-1].left
    monkeypatch.setattr(module, "Budget", lambda fields: Budget(fields - limit + used + left))
