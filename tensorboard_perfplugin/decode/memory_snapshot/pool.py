"""Texts by id, each once."""

from __future__ import annotations


class Pool:
    def __init__(self) -> None:
        self._ids: dict[str, int] = {"": 0}

    def add(self, text: str) -> int:
        return self._ids.setdefault(text, len(self._ids))

    @property
    def texts(self) -> list[str]:
        return list(self._ids)
