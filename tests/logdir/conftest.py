"""Scans that end with the test that began them."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

#: Far more than any scan here takes.
WAIT_S = 60.0


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    yield
    for thread in threading.enumerate():
        if thread.name == "perfplugin-logdir":
            thread.join(WAIT_S)
            assert not thread.is_alive()
