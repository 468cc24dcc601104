"""A function of a text is asked once for a text, unless that is long."""

from __future__ import annotations

from tensorboard_perfplugin.tables import kept_by_text


def test_a_text_is_looked_at_once() -> None:
    asked: list[str] = []

    @kept_by_text
    def upper(text: str) -> str:
        asked.append(text)
        return text.upper()

    assert [upper("a"), upper("b"), upper("a")] == ["A", "B", "A"]
    assert asked == ["a", "b"]


def test_long_texts_are_not_kept() -> None:
    asked: list[int] = []

    @kept_by_text
    def length(text: str) -> int:
        asked.append(len(text))
        return len(text)

    assert [length("x" * n) for n in (300, 300, 301, 301)] == [300, 300, 301, 301]
    assert asked == [300, 301, 301]
