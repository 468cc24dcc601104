"""gRPC's library: imported once something is to be sent, its notes kept off stderr, and channels made as is right here.

A channel goes to the IP address that was checked, without TLS as profilers' servers are, takes no proxy from the
environment, nothing compressed, and nothing larger than the budget: that is refused by its length, before it comes.
"""

from __future__ import annotations

import os
import sys
import threading
from functools import cache
from typing import Any

from ..request.failure import WorkerError
from .reach import Reached

#: What a server may say in words: a reason can be long.
MAX_TEXT_BYTES = 64 << 10
VERBOSITY = "GRPC_VERBOSITY"

_lock = threading.Lock()


def library() -> Any:
    """The module `grpc`."""
    with _lock:
        return _quiet()


@cache
def _quiet() -> Any:
    """The library notes on stderr that a server went away, or that the program forked: a fault has our message, and
    the rest is nobody's business. How loud it is it reads once, when it is imported; what a person set is kept.
    """
    ours = VERBOSITY not in os.environ and "grpc" not in sys.modules
    if ours:
        os.environ[VERBOSITY] = "NONE"
    try:
        import grpc
    except ImportError as error:
        raise WorkerError(
            "failed",
            f"grpcio cannot be imported ({error}); nothing was sent. Run "
            "`pip install --force-reinstall grpcio`, and restart this program",
        ) from error
    finally:
        if ours:
            os.environ.pop(VERBOSITY, None)
    return grpc


def channel(reached: Reached, budget_bytes: int) -> Any:
    """A connection of its own, closed with the channel. Nothing is sent until it is called."""
    return library().insecure_channel(
        reached.target,
        options=[
            ("grpc.max_receive_message_length", budget_bytes),
            ("grpc.max_metadata_size", MAX_TEXT_BYTES),
            ("grpc.absolute_max_metadata_size", MAX_TEXT_BYTES),
            ("grpc.enable_http_proxy", 0),
            ("grpc.enable_retries", 0),
            ("grpc.service_config_disable_resolution", 1),
            ("grpc.default_authority", str(reached.address)),
            ("grpc.use_local_subchannel_pool", 1),
            # Identity alone: a small answer must not grow on its way.
            ("grpc.compression_enabled_algorithms_bitset", 1),
        ],
    )
