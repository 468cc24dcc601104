"""Words to avoid are seen in names and sentences, and an exception is of one phrase."""

from __future__ import annotations

from tests.words import odd_words, unused


def test_names_comments_and_sentences() -> None:
    text = "def _told(x):\n    # Whoever asks.\n    UNTOLD = 1\nwholly = soldier = tolda = 'whose'\n"
    assert list(odd_words(text)) == [(1, "told"), (2, "Whoever"), (3, "UNTOLD")]


def test_a_kept_phrase_keeps_no_other_one_of_its_line() -> None:
    assert list(odd_words("the user who starts it, who is told\n", ("user who starts",))) == [(1, "who"), (1, "told")]


def test_an_exception_that_is_not_needed_any_more_is_named() -> None:
    kept = {"a.md": ("user who", "nobody else"), "b.md": ("said so",)}
    texts = {"a.md": "the user who asks", "b.md": "he said so"}
    assert list(unused(kept, texts)) == ["a.md: no 'nobody else'"]
