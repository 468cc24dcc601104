"""XPlane: one serialized `XSpace` → `Capture`, by the compiled loop or by the protobuf runtime."""

from __future__ import annotations

import dataclasses

from ...errors import ArgumentError
from ...formats import is_mangled
from ...tables import Capture
from ..common.source import Source
from .assemble import Assembly
from .parts import Decoder, Fields

# XPlane: one serialized `XSpace` (xplane.proto), as the profilers of TensorFlow, JAX and XLA write it → `Capture`.
#
# Read are planes, lines, events, their metadata and all stats, `errors`, `warnings` and the first of `hostnames`. Not
# read are ids and descriptions inside metadata (the map's key counts), nested kinds (`child_id`) and a line's
# duration.

try:
    from .fast import CompiledDecoder

    COMPILED = True
except ImportError:
    COMPILED = False


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where nothing can be taken for a plane, ArgumentError for no such decoder."""
    engine = decoder_of(decoder, source.data)
    space = engine.fields(0, len(source.data), (1,), False)
    capture = Assembly(engine, source.unpacked).capture(space)
    if (engine.damages.count and is_mangled(source.head)) or not is_recognised(space, engine, capture):
        raise source.unreadable()
    if source.warnings:
        quality = dataclasses.replace(capture.quality, warnings=source.warnings + capture.quality.warnings)
        capture = dataclasses.replace(capture, quality=quality)
    return capture


def decoder_of(name: str | None, data: memoryview) -> Decoder:
    if name not in (None, "compiled", "protobuf"):
        raise ArgumentError.with_choices(f"decoder {name!r}", ("compiled", "protobuf"))
    if name == "compiled" and not COMPILED:
        raise ArgumentError(
            "The compiled decoder is not part of this installation. Reinstall with a C compiler available."
        )
    if COMPILED and name != "protobuf":
        return CompiledDecoder(data)
    # Here, since it needs the protobuf runtime, which the compiled one does not.
    from .slow import ProtobufDecoder

    return ProtobufDecoder(data)


def is_recognised(space: Fields, engine: Decoder, capture: Capture) -> bool:
    """Whether this is an XSpace: some plane has a name of printable text, or all there is, is known and sound.

    Any bytes may happen to parse; a short text can even give a host's name.
    """
    names = capture.strings.texts(capture.planes.name)
    if any(name and name.isprintable() and "\ufffd" not in name for name in names):
        return True
    known = {1, 2, 3, 4}.issuperset(space.rows[:, 0].tolist())
    return bool(len(space.rows)) and known and not space.others and not engine.damages.count and not any(names)
