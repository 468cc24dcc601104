"""A running program's profiler server, asked over gRPC for a profile → a session folder in a logdir.

Needs neither TensorFlow nor JAX here. Nothing is imported that is heavy until something is asked for.
"""

from __future__ import annotations

import sys

from .call import CallableRoom, capture
from .capturing import run
from .local.recording import ProfileWarning, Profiling, profile
from .progress import PHASES, Captured, CaptureError, HostOutcome, HostState, Progress
from .request import PRESETS, RANGES, Address, Allowed, Kind, Options, Preset, addresses
from .server.client import Checked, check
from .server.pod import capture_pod, monitor
from .session import prune

__all__ = [
    "PHASES",
    "PRESETS",
    "RANGES",
    "Address",
    "Allowed",
    "CallableRoom",
    "CaptureError",
    "Captured",
    "Checked",
    "HostOutcome",
    "HostState",
    "Kind",
    "Options",
    "Preset",
    "ProfileWarning",
    "Profiling",
    "Progress",
    "addresses",
    "capture",
    "capture_pod",
    "check",
    "monitor",
    "profile",
    "prune",
    "run",
]

# The room is also the function: `tensorboard_perfplugin.capture(...)`.
sys.modules[__name__].__class__ = CallableRoom
