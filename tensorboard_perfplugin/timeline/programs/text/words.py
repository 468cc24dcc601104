"""Texts of a program → as XLA quotes them: escaped strings, metadata, a backend's configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from .parts import Parts

_ESCAPES = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord('"'): '\\"', ord("'"): "\\'", ord("\\"): "\\\\"}
_ESCAPES |= {code: f"\\{code:03o}" for code in (*range(32), 127) if code not in _ESCAPES}
#: OpMetadata: texts and numbers, in the order in which they are written.
_METADATA: tuple[tuple[str, int, bool], ...] = (
    ("op_type", 1, True),
    ("op_name", 2, True),
    ("source_file", 3, True),
    ("source_line", 4, False),
    ("source_end_line", 17, False),
    ("source_column", 18, False),
    ("source_end_column", 19, False),
    ("deduplicated_name", 12, True),
    ("scheduling_name", 16, True),
    ("stack_frame_id", 15, False),
)
_FILE, _FRAME = 3, 15
#: Of a configuration; kernels of accelerators are within some.
_MAX_CONFIG = 1 << 14


def quoted(text: str) -> str:
    """As C does, but for letters beyond ASCII, which stay."""
    return f'"{text.translate(_ESCAPES)}"'


def metadata(parts: Parts, source: Callable[[int], tuple[str, int]]) -> str:
    """source: file and line of a stack frame, for metadata that name this only."""
    return " ".join(_metadata(parts, source))


def _metadata(parts: Parts, source: Callable[[int], tuple[str, int]]) -> Iterator[str]:
    frame = parts.number(_FRAME)
    file, line = source(frame) if frame and _FILE not in parts else ("", 0)
    for name, number, is_text in _METADATA:
        if is_text and (text := parts.text(number) or (file if number == _FILE else "")):
            yield f"{name}={quoted(text)}"
        elif not is_text and (value := parts.number(number) or (line if name == "source_line" else 0)):
            yield f"{name}={value}"


def frontend_attributes(parts: Parts) -> str:
    """FrontendAttributes, by name."""
    pairs = sorted((one.text(1), one.text(2)) for one in parts.every(1))
    return "{" + ",".join(f"{key}={value if is_object(value) else quoted(value)}" for key, value in pairs) + "}"


def config(parts: Parts, number: int) -> str:
    """A configuration: as it is where it is an object of JSON, else quoted; `...` where it is cut."""
    text = parts.text(number, _MAX_CONFIG)
    if parts.size(number) > _MAX_CONFIG:
        return quoted(text + "...")
    return text if is_object(text) else quoted(text)


def is_object(text: str) -> bool:
    """Whether braces outside of strings open at its begin and close at its end."""
    if not text.startswith("{") or not text.endswith("}"):
        return False
    depth, within, escaped = 0, False, False
    for i, letter in enumerate(text):
        if within:
            within = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            within = True
        elif letter in "{}":
            depth += 1 if letter == "{" else -1
            if not depth:
                return i == len(text) - 1
    return False
