"""What a request may be, and what is compressed: each bound from both sides."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.conftest import Browser


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    return Browser(str(tmp_path / "logs"))


@pytest.mark.parametrize(("size", "status"), [(65_536, 200), (65_537, 413)])
def test_a_body_of_64_kib_is_read(size: int, status: int, browser: Browser) -> None:
    assert browser.post("capture/check", b'{"addresses": ""}'.ljust(size)).status_code == status


@pytest.mark.parametrize(("lists", "status"), [(7, 200), (8, 400)])
def test_a_body_is_eight_levels_deep(lists: int, status: int, browser: Browser) -> None:
    """One is the object."""
    body = f'{{"addresses": {"[" * lists}{"]" * lists}}}'
    assert browser.post("capture/check", body.encode()).status_code == status


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("&".join(["a=" + "x" * 1021] * 64) + "x", "unknown parameter 'a'"),
        ("&".join(["a=" + "x" * 1021] * 64) + "xx", "the query has 65,537 bytes; the maximum is 65,536"),
        ("a=" + "x" * 4096, "unknown parameter 'a'"),
        ("a=" + "x" * 4097, "a has a value of more than 4096 characters"),
    ],
    ids=["query", "longer query", "value", "longer value"],
)
def test_a_query_has_64_kib_and_a_value_4096_characters(query: str, message: str, browser: Browser) -> None:
    assert message in browser.error("runs", query, 400)[1]
