"""Numbers → text for people: three significant digits, and the unit that fits the value. Imports nothing of ours.

A cell (`value`: tables, cards, the command line) keeps zeros after the point, since figures stand below each other:
`37.0 ms`, `1.20 GB/s`, `92.0 %`. A sentence (`duration`, `seconds`, `percent`, `size`, `memory`, `rate`, `count`)
leaves them out: `37 ms`, `1.2 GB/s`, `92 %`. Both round halves away from zero, never write an exponent, and write `–`
for what is unknown. Files and transfers are counted in powers of 1000 (kB, MB, GB), memory in powers of 1024 (KiB, MiB,
GiB).

frontend/src/units.ts writes cells by the same rule; tests/units.json holds both to it.
"""

from __future__ import annotations

import datetime
import math
import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TypeAlias

from .patterns import regex

UNKNOWN = "–"
PS_PER_US, PS_PER_MS, PS_PER_S = 1e6, 1e9, 1e12
#: So much of a name goes into a sentence.
IN_WORDS = 200

_Scale: TypeAlias = tuple[tuple[float, str], ...]

_TIME: _Scale = ((1e12, "s"), (1e9, "ms"), (1e6, "µs"), (1e3, "ns"), (1.0, "ps"))
_BYTES: _Scale = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))
_MEMORY: _Scale = ((2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "B"))
_BYTE_RATE: _Scale = tuple((factor, f"{symbol}/s") for factor, symbol in _BYTES)
_FLOP_RATE: _Scale = tuple(
    (10.0**power, f"{prefix}FLOP/s") for power, prefix in ((15, "P"), (12, "T"), (9, "G"), (6, "M"), (3, "k"), (0, ""))
)

#: Unit → what one of it is in the last unit of its scale, and the scale.
_SCALED: dict[str, tuple[float, _Scale]] = {
    "ps": (1.0, _TIME),
    "ns": (1e3, _TIME),
    "us": (1e6, _TIME),
    "ms": (1e9, _TIME),
    "s": (1e12, _TIME),
    "bytes": (1.0, _BYTES),
    "memory": (1.0, _MEMORY),
    "bytes_per_s": (1.0, _BYTE_RATE),
    "gb_s": (1e9, _BYTE_RATE),
    "gflop_s": (1e9, _FLOP_RATE),
    "tflops": (1e12, _FLOP_RATE),
}
#: Units that a column's name ends in where its declaration gives none.
_IN_NAMES = ("mhz", "gb_s", "gflop_s", "tflops")
#: How units that are not scaled are written; all others as they are called.
_SYMBOLS = {"": "", "count": "", "per_s": "/s", "mhz": " MHz"}

#: Units of times as people write them. Longer numbers are longer than any capture.
_PICOSECONDS = {"ps": 1, "ns": 10**3, "us": 10**6, "µs": 10**6, "ms": 10**9, "s": 10**12}
_SIZES = {symbol.lower(): int(factor) for factor, symbol in (*_BYTES, *_MEMORY)}
_WRITTEN_SIZE = regex(r"\s*([0-9]{1,15}(?:\.[0-9]{1,15})?)\s*([kmgt]?i?b)\s*", re.IGNORECASE)
_WRITTEN = regex(r"\s*(-?[0-9]{1,20}(?:\.[0-9]{1,20})?)\s*(ps|ns|us|µs|ms|s)?\s*")

#: A time longer than three years counts from the epoch: no capture is so long.
_EPOCH_PS = 3 * 365 * 86400 * 1e12
#: From this part of the next unit on, three digits round to one of it: 999.6 µs are 1 ms.
_ROUNDS_TO_1 = 0.9995
#: Smaller numbers without a unit are written as less than that.
_LEAST = 1e-4
#: Percents nearer to 0 or to 100 than this are written as less, or more, than that.
_LEAST_PERCENT = 0.01
_THREE_DIGITS = Context(prec=3, rounding=ROUND_HALF_UP)


def duration(ps: float) -> str:
    """A time in picoseconds, for a sentence: `2.86 ms`, `640 µs`, `37 ms`, `1,234 s`."""
    if not math.isfinite(ps):
        return UNKNOWN
    return "0 ns" if ps == 0 else _scaled(float(ps), _TIME, keep_zeros=False)


def seconds(number: float) -> str:
    """A time in seconds, for a sentence: `4.8 s`, `500 ms`."""
    return duration(1e12 * number)


def size(count_bytes: float) -> str:
    """The size of a file or a transfer, for a sentence: `12 bytes`, `5.12 kB`, `143 MB`."""
    return _bytes(count_bytes, _BYTES)


def memory(count_bytes: float) -> str:
    """A size of memory, for a sentence: `12 bytes`, `5 KiB`, `16.9 MiB`."""
    return _bytes(count_bytes, _MEMORY)


def rate(bytes_per_s: float) -> str:
    """Bytes per second, for a sentence: `1.2 GB/s`."""
    return _scaled(float(bytes_per_s), _BYTE_RATE, keep_zeros=False) if math.isfinite(bytes_per_s) else UNKNOWN


def percent(share: float) -> str:
    """A share (0 to 1), for a sentence: whole percents, with the digits that keep 0.3 % from reading as nothing and
    99.6 % as all.
    """
    number = 100 * share
    if not math.isfinite(number):
        return UNKNOWN
    near_an_end = 0 < abs(number) < 1 or 99 < number < 100
    return _beyond(number) or f"{_rounded(number, 2 if near_an_end else 0)} %"


def count(number: int, one: str, many: str = "") -> str:
    """How many of what: `1 host`, `1,200 runs`, `2 branches`."""
    return f"{number:,} {one if number == 1 else many or plural(one)}"


def plural(word: str) -> str:
    """The plural of a regular noun."""
    if re.search(r"(s|x|ch|sh)$", word):
        return f"{word}es"
    return f"{word[:-1]}ies" if re.search(r"[^aeiou]y$", word) else f"{word}s"


def value(x: float | str | None, unit: str) -> str:
    """A cell: a value with its column's unit, as pages and the command line show it.

    unit: of a `Column`, or `memory` for bytes of memory, or of `unit_of`. A unit that is not scaled follows the number.
    """
    if isinstance(x, str):
        return x
    if isinstance(x, bool):
        return "yes" if x else "no"
    if x is None or not math.isfinite(x):
        return UNKNOWN
    if unit in ("share", "percent"):
        return _percent_cell(x * 100 if unit == "share" else float(x))
    if unit == "id":
        return str(x)
    if unit in _SCALED:
        one, scale = _SCALED[unit]
        return _quantity(float(x) * one, scale)
    text = f"{int(x):,}" if float(x).is_integer() else _digits(float(x))
    return text + _SYMBOLS.get(unit, f" {unit}")


def unit_of(name: str, declared: str, is_memory: bool = False) -> str:
    """The unit of a column's cells: the declared one, else the one that its name ends in: `bus_gb_s` → `gb_s`.

    `bytes` are `memory` where the name ends in `memory_bytes`. is_memory: all sizes in its table are of memory.
    """
    if declared == "bytes" and (is_memory or name.endswith("memory_bytes")):
        return "memory"
    return declared or next((unit for unit in _IN_NAMES if name == unit or name.endswith(f"_{unit}")), "")


def instant(seconds: float) -> str:
    """Seconds since the epoch as local time: `2026-11-20 10:05`."""
    utc = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return utc.astimezone().strftime("%Y-%m-%d %H:%M")


def _quantity(base: float, scale: _Scale) -> str:
    if base == 0:
        return "0"
    if scale is _TIME and base > _EPOCH_PS:
        return instant(base / 1e12)
    return _scaled(base, scale)


def _scaled(base: float, scale: _Scale, *, keep_zeros: bool = True) -> str:
    """A number of a scale's last unit, in the largest unit of which there is one."""
    if scale is _TIME and 0 < abs(base) < 1:
        return "< 1 ps" if base > 0 else "> -1 ps"
    factor, symbol = next((each for each in scale if abs(base) >= each[0] * _ROUNDS_TO_1), scale[-1])
    text = f"{int(base):,}" if factor == 1 and base.is_integer() else _digits(base / factor)
    return f"{text if keep_zeros else _without_zeros(text)} {symbol}"


def _bytes(number: float, scale: _Scale) -> str:
    if not math.isfinite(number):
        return UNKNOWN
    if abs(number) >= scale[-2][0] * _ROUNDS_TO_1:
        return _scaled(float(number), scale, keep_zeros=False)
    return count(int(_whole(number)), "byte")


def _percent_cell(number: float) -> str:
    """Three significant digits, at most two decimals."""
    if number == 0:
        return "0 %"
    size = abs(number)
    near_all = 99.95 <= size < 100
    return _beyond(number) or f"{_rounded(number, 2) if size < 9.995 or near_all else _digits(number)} %"


def _beyond(number: float) -> str:
    """Percents too near to nothing, or to all, for two decimals."""
    if 0 < abs(number) < _LEAST_PERCENT:
        return f"< {_LEAST_PERCENT} %" if number > 0 else f"> -{_LEAST_PERCENT} %"
    return f"> {100 - _LEAST_PERCENT} %" if 100 - _LEAST_PERCENT < number < 100 else ""


def _digits(number: float) -> str:
    """Three significant digits, zeros kept, no exponent: 0.00123, 1.20, 27.0, 1,230."""
    if number == 0:
        return "0"
    if abs(number) >= 999.5:
        return f"{_whole(number):,}"
    if abs(number) < _LEAST:
        return "< 0.0001" if number > 0 else "> -0.0001"
    rounded = _THREE_DIGITS.create_decimal_from_float(float(number))
    return f"{rounded:.{2 - rounded.adjusted()}f}"


def _rounded(number: float, decimals: int) -> str:
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):,}"


def _whole(number: float) -> Decimal:
    return Decimal(number).quantize(Decimal(1), ROUND_HALF_UP)


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def picoseconds(text: str) -> int | None:
    """`1.5s`, `20us`, `20` (milliseconds) → picoseconds, exactly; None for what is no time."""
    match = _WRITTEN.fullmatch(text)
    return int(Decimal(match[1]) * _PICOSECONDS[match[2] or "ms"]) if match else None


def written_bytes(text: str) -> int | None:
    """`500MB`, `2.5 GiB` → bytes, None where it is no size with a unit."""
    match = _WRITTEN_SIZE.fullmatch(text)
    return int(Decimal(match[1]) * _SIZES[match[2].lower()]) if match else None


def clipped(text: str, most: int = IN_WORDS) -> str:
    """The beginning of a long name, which ends with a whole frame of a stack, or a whole word, and `…`."""
    if len(text) <= most:
        return text
    for mark in (" ← ", " "):
        end = text.rfind(mark, most // 4, most - 1)
        if end >= 0:
            return f"{text[:end]}{mark}…"
    return f"{text[: most - 1]}…"
