from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensorboard_perfplugin.stores import remote

from .s3 import ENVIRONMENT, S3, served


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3]:
    """An S3 server that the environment names, asked anew each time, without pauses between tries."""
    monkeypatch.setattr(remote, "_stores", {})
    monkeypatch.setattr(remote, "KNOWN_S", 0.0)
    monkeypatch.setattr(remote, "WAITS_S", (0.0, 0.0))
    with served() as server:
        for name, value in {**ENVIRONMENT, "AWS_ENDPOINT_URL": server.url}.items():
            monkeypatch.setenv(name, value)
        yield server


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """fsspec's file system in memory, empty before and after."""
    import fsspec

    monkeypatch.setattr(remote, "_stores", {})
    monkeypatch.setattr(remote, "KNOWN_S", 0.0)
    system = fsspec.filesystem("memory")
    system.store.clear()
    yield system
    system.store.clear()
