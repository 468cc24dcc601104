"""Protobuf's wire format and its varints, and the checksum of TFRecord files, within bounds. A leaf."""

from .checksum import masked
from .fields import (
    FIXED32,
    FIXED64,
    LENGTH,
    VARINT,
    Budget,
    DamagedError,
    Field,
    SpentError,
    signed,
    varint,
    walk,
    walk_sound,
)
from .message import NOWHERE, Message, Part, Span, short_fields
from .write import number_field, part_field, real_field, text_field, varint_bytes

__all__ = [
    "FIXED32",
    "FIXED64",
    "LENGTH",
    "NOWHERE",
    "VARINT",
    "Budget",
    "DamagedError",
    "Field",
    "Message",
    "Part",
    "Span",
    "SpentError",
    "masked",
    "number_field",
    "part_field",
    "real_field",
    "short_fields",
    "signed",
    "text_field",
    "varint",
    "varint_bytes",
    "walk",
    "walk_sound",
]
