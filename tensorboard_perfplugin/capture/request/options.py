"""What a capture is asked for, checked: `Options`, and ready-made ones, `PRESETS`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any

from ...errors import ArgumentError

Value = str | bool | int

HOUR_MS = 3_600_000
#: Field → lowest and highest value. The wire's numbers of levels; an hour is more than any profiler's buffers hold; a
#: protobuf message is never larger than 2 GiB.
RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "duration_ms": (1, HOUR_MS),
        "delay_ms": (0, HOUR_MS),
        "host_tracer_level": (0, 3),
        "device_tracer_level": (0, 1),
        "python_tracer_level": (0, 1),
        "retries": (0, 100),
        "budget_bytes": (1 << 20, (2 << 30) - 1),
    }
)
MAX_SESSION = 128
MAX_ADVANCED, MAX_KEY, MAX_TEXT = 64, 128, 4096

_SESSION = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_. -]*")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class Options:
    """What to record, and how to ask for it. Constructing one raises ArgumentError that names field, value and range.

    duration_ms: how long to record; delay_ms: how long to wait before.
    together: all workers begin at one time of their clocks.
    host_tracer_level: 0 nothing, 1 steps and what the program marks, 2 also ops, 3 also small ones.
    device_tracer_level: 0 or 1: kernels, copies, the device's programs.
    python_tracer_level: 0, or 1 for every call of a Python function, which makes the result some ten times larger.
    retries: how often to ask again after a busy or empty answer.
    budget_bytes: a worker's result that is larger is refused before it is held in memory.
    session: the name of the folder that is made; "" for the time, `YYYY_MM_DD_HH_MM_SS`.
    advanced: what the device's profiler understands beyond, as `gpu_max_activity_api_events`; sent as it is.
    """

    duration_ms: int = 2000
    delay_ms: int = 0
    together: bool = False
    host_tracer_level: int = 2
    device_tracer_level: int = 1
    python_tracer_level: int = 0
    retries: int = 3
    budget_bytes: int = 512 << 20
    session: str = ""
    advanced: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            _check_number(name, getattr(self, name), low, high)
        if not isinstance(self.together, bool):
            raise ArgumentError(f"together: {_short(self.together)} is neither true nor false")
        _check_session(self.session)
        _check_advanced(self.advanced)
        object.__setattr__(self, "advanced", MappingProxyType(dict(self.advanced)))

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Options:
        """From a mapping of some of the fields, as in a request's body. Raises ArgumentError also for another name."""
        names = [each.name for each in fields(cls)]
        for name in given:
            if name not in names:
                raise ArgumentError.with_choices(f"{_short(name)} is not a capture option", names)
        return cls(**given)

    @property
    def records(self) -> bool:
        """Whether a profiler would look at anything; what an advanced option turns on is not known here."""
        levels = (self.host_tracer_level, self.device_tracer_level, self.python_tracer_level)
        return any(levels) or bool(self.advanced)

    def as_dict(self) -> dict[str, Any]:
        """All fields as JSON takes them."""
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"advanced": dict(self.advanced)}


@dataclass(frozen=True)
class Preset:
    """Options under a name: what a dialog offers first."""

    name: str
    title: str
    help: str
    options: Options


def _check_number(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentError(f"{name}: {_short(value)} is not a whole number from {low} to {high}")
    if not low <= value <= high:
        raise ArgumentError(f"{name}: {_short(value)} is not from {low} to {high}")


def _check_session(name: Any) -> None:
    if not isinstance(name, str):
        raise ArgumentError(f"session: {_short(name)} is not a string")
    if not name:
        return
    if len(name) > MAX_SESSION:
        raise ArgumentError(f"session: the name has {len(name)} characters; the maximum is {MAX_SESSION}")
    if not _SESSION.fullmatch(name) or ".tmp" in name or name.endswith((".", " ")):
        raise ArgumentError(
            f"session: {_short(name)} is not a valid name: use letters, digits, spaces and _ - . "
            "(no . or space at either end, no .tmp inside)"
        )


def _check_advanced(given: Any) -> None:
    if not isinstance(given, Mapping) or len(given) > MAX_ADVANCED:
        raise ArgumentError(f"advanced: {_short(given)} is not a mapping of at most {MAX_ADVANCED} names to values")
    for key, value in given.items():
        if not isinstance(key, str) or len(key) > MAX_KEY or not _KEY.fullmatch(key):
            raise ArgumentError(
                f"advanced: {_short(key)} is not an option name: use letters, digits and _, at most {MAX_KEY}"
            )
        if not isinstance(value, (str, bool, int)):
            raise ArgumentError(f"advanced: {key}: {_short(value)} is not a string, a boolean or an integer")
        if isinstance(value, str) and (len(value) > MAX_TEXT or not _encodes(value)):
            raise ArgumentError(f"advanced: {key}: must be at most {MAX_TEXT} Unicode characters")
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
            raise ArgumentError(f"advanced: {key}: {_short(value)} is not a 64-bit integer")


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _short(value: Any) -> str:
    """A value in a message. Numbers of thousands of digits have no decimal form in Python, nor a use here."""
    if isinstance(value, int) and value.bit_length() > 200:
        return "a number of more than 60 digits"
    return ascii(value)[:100]


PRESETS = (
    Preset("default", "Default", "Two seconds of ops, kernels and copies: enough for most questions.", Options()),
    Preset(
        "small",
        "Small",
        "One second of steps and device events, without ops and Python: usually at most 5 MB.",
        Options(duration_ms=1000, host_tracer_level=1, budget_bytes=64 << 20),
    ),
    Preset(
        "python",
        "Python stacks",
        "One second with every Python function call. Slows the program; the result is about ten times larger.",
        Options(duration_ms=1000, python_tracer_level=1),
    ),
    Preset(
        "long",
        "Long",
        "Ten seconds of steps and device events, without ops: for infrequent events.",
        Options(duration_ms=10_000, host_tracer_level=1, budget_bytes=1 << 30),
    ),
)
