"""Values in a message of an XLA program → XLA's text of them: attributes, shapes, shardings, quoted words."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence

from ...wire import FIXED32, FIXED64, DamagedError, Message, Part, Span, SpentError, signed, walk
from .reader import _TYPES

# A message of an XLA program → its fields by number: texts, numbers, lists, messages within.

#: Names, paths and configurations are cut after so many bytes.
LONGEST = 4000
_FIXED = (FIXED32, FIXED64)


class Parts:
    """The fields of one message, read once. What is not there, or of another kind, is empty or the default."""

    __slots__ = ("_fields", "_reader", "_span")

    def __init__(self, reader: Message, span: Span) -> None:
        self._reader, self._span = reader, span
        self._fields: dict[int, list[Part]] = {}
        for part in reader.fields(*span):
            self._fields.setdefault(part[0], []).append(part)

    def __contains__(self, number: int) -> bool:
        return number in self._fields

    def number(self, number: int, default: int = 0) -> int:
        """The last one, with its sign."""
        values = [value for _, value, high in self._fields.get(number, ()) if high < 0]
        return signed(values[-1]) if values else default

    def fixed(self, number: int) -> int:
        """The bits of a number of four or eight bytes, which a `Message` leaves out."""
        fields = walk(self._reader.data, *self._span, self._reader.budget)
        try:
            return next((field.value for field in fields if field.number == number and field.wire in _FIXED), 0)
        except (DamagedError, SpentError):
            return 0

    def numbers(self, number: int) -> list[int]:
        """Packed or one by one."""
        numbers: list[int] = []
        for _, value, high in self._fields.get(number, ()):
            numbers += [signed(value)] if high < 0 else self._reader.numbers(value, high)
        return numbers

    def raw(self, number: int, longest: int = LONGEST) -> bytes:
        spans = list(self.spans(number))
        begin, end = spans[-1] if spans else (0, 0)
        return self._reader.data[begin : min(end, begin + longest)]

    def size(self, number: int) -> int:
        """Bytes of a field, all of them."""
        return sum(end - begin for begin, end in self.spans(number))

    def text(self, number: int, longest: int = LONGEST) -> str:
        return str(self.raw(number, longest), "utf-8", "replace")

    def texts(self, number: int) -> Iterator[str]:
        return (self._reader.text(*span, LONGEST) for span in self.spans(number))

    def spans(self, number: int) -> Iterator[Span]:
        return ((begin, end) for _, begin, end in self._fields.get(number, ()) if end >= 0)

    def every(self, number: int) -> Iterator[Parts]:
        """The messages of a repeated field."""
        return (Parts(self._reader, span) for span in self.spans(number))

    def one(self, number: int) -> Parts:
        """The last message of a field; an empty one where there is none."""
        spans = list(self.spans(number))
        return Parts(self._reader, spans[-1] if spans else (0, 0))


# A ShapeProto → XLA's text of it: `f32[16,<=32]{1,0:T(8,128)S(1)}`, `(f32[], token[])`.

#: ShapeProto; LayoutProto; TileProto and SplitConfigProto.
_ELEMENT, _DIMENSIONS, _TUPLE, _LAYOUT, _DYNAMIC = 2, 3, 4, 5, 6
_ORDER, _TILES, _BITS, _SPACE, _LEVELS, _PHYSICAL = 1, 6, 7, 8, 9, 10
_INDEX, _POINTER, _PREFIX, _TAIL, _SPLITS = 11, 12, 15, 16, 17
_TILE_DIMENSIONS = _SPLIT_DIMENSION = 1
_SPLIT_INDICES = 2
_TUPLES, _BUFFER = 13, 34
#: Tuples in tuples, and shapes in layouts.
_MAX_DEPTH = 12
#: A tile's dimension that is joined with the next one, and a size that nothing bounds.
_LEAST = -(1 << 63)
_LEVEL = "DCSH"


def joined(items: Iterable[str]) -> str:
    """With a comma and, before every fifth, its index, as XLA writes operands and parts of tuples."""
    return ", ".join(f"/*index={i}*/{text}" if i and not i % 5 else text for i, text in enumerate(items))


def commas(numbers: Iterable[int]) -> str:
    return ",".join(map(str, numbers))


class Shapes:
    """Of one program; equal bytes are read once."""

    def __init__(self, reader: Message) -> None:
        self._reader = reader
        self._texts: dict[tuple[bytes, bool], str] = {}

    def text(self, span: Span, layout: bool = True) -> str:
        key = self._reader.data[span[0] : span[1]], layout
        if key not in self._texts:
            self._texts[key] = self._text(span, layout, 0)
        return self._texts[key]

    def _text(self, span: Span, layout: bool, depth: int) -> str:
        if depth > _MAX_DEPTH:
            return "..."
        parts = Parts(self._reader, span)
        element = parts.number(_ELEMENT)
        if element in (_TUPLES, _BUFFER):
            within = joined(self._text(one, layout, depth + 1) for one in parts.spans(_TUPLE))
            return f"({within})" if element == _TUPLES else f"b({within})"
        sizes = parts.numbers(_DIMENSIONS)
        dynamic = parts.numbers(_DYNAMIC)
        dimensions = ",".join(_size(size, i < len(dynamic) and bool(dynamic[i])) for i, size in enumerate(sizes))
        text = f"{_TYPES.get(element) or 'invalid'}[{dimensions}]"
        if not layout or _LAYOUT not in parts:
            return text
        written = self._layout(parts.one(_LAYOUT), depth)
        return text if not sizes and written == "{}" else text + written

    def _layout(self, parts: Parts, depth: int) -> str:
        facts = "".join(self._facts(parts, depth))
        return "{" + commas(parts.numbers(_ORDER)) + (f":{facts}" if facts else "") + "}"

    def _facts(self, parts: Parts, depth: int) -> Iterable[str]:
        if any(levels := parts.numbers(_LEVELS)):
            yield f"D({','.join(_LEVEL[level] if 0 <= level < len(_LEVEL) else '?' for level in levels)})"
        if tiles := list(parts.every(_TILES)):
            yield "T" + "".join(f"({_tile(tile)})" for tile in tiles)
        if (tail := parts.number(_TAIL, 1)) > 1:
            yield f"L({tail})"
        for number, sign in ((_INDEX, "#"), (_POINTER, "*")):
            if kind := parts.number(number):
                yield f"{sign}({_TYPES.get(kind) or kind})"
        for number, sign in ((_BITS, "E"), (_SPACE, "S")):
            if value := parts.number(number):
                yield f"{sign}({value})"
        if splits := list(parts.every(_SPLITS)):
            yield "SC" + "".join(
                f"({one.number(_SPLIT_DIMENSION)}:{commas(one.numbers(_SPLIT_INDICES))})" for one in splits
            )
        if physical := list(parts.spans(_PHYSICAL)):
            yield f"P({self._text(physical[-1], True, depth + 1)})"
        if prefix := parts.number(_PREFIX):
            yield f"M({prefix})"


def _size(size: int, dynamic: bool) -> str:
    if size == _LEAST or (dynamic and size < 0):
        return "?"
    return f"<={size}" if dynamic else str(size)


def _tile(tile: Parts) -> str:
    return ",".join("*" if size == _LEAST else str(size) for size in tile.numbers(_TILE_DIMENSIONS))


# How a program is laid out over devices → XLA's text: shardings, and the groups of a collective.

#: OpSharding.
(
    _SHARDING_TYPE,
    _DIMENSIONS_SHARDINGS,
    _DEVICES,
    _SHARDING_TUPLE,
    _ON_LAST,
    _METADATA,
    _LAST,
    _RESHAPE,
    _TRANSPOSE,
    _IN_GROUP,
    _GROUP,
    _GROUP_TYPE,
) = (
    *(1, 3, 4, 5, 6, 7, 8, 9),
    *(10, 11, 12, 13),
)
_NAMED = 14
_SHARDING_TYPES = {0: "replicated", 1: "maximal", 4: "manual", 5: "unknown", 6: "unreduced"}
_MAXIMAL, _TUPLES_SHARDINGS = 1, 2
#: Shardings in tuples, and devices, that are written.
_MOST = 4096
#: HloInstructionProto: what replaced what; the newest is written.
_GROUPS, _LIST, _IOTA, _MESH = 49, 87, 92, 93


def sharding(parts: Parts, metadata: Callable[[Parts], str]) -> str:
    if parts.number(_SHARDING_TYPE) == _TUPLES_SHARDINGS:
        within = [one for _, one in zip(range(_MOST), parts.every(_SHARDING_TUPLE), strict=False)]
        return "{" + joined(_single(one, metadata) for one in within) + "}"
    return _single(parts, metadata)


def _single(parts: Parts, metadata: Callable[[Parts], str]) -> str:
    if _NAMED in parts:
        return _named(parts.one(_NAMED))
    kind = _SHARDING_TYPES.get(parts.number(_SHARDING_TYPE))
    words = [kind] if kind else list(_tiled(parts))
    if parts.number(_SHARDING_TYPE) == _MAXIMAL:
        words = [f"maximal device={commas(parts.numbers(_DEVICES)[:1])}"]
    if parts.number(_IN_GROUP):
        words.append(f"shard_{'like' if parts.number(_GROUP_TYPE) else 'as'} {parts.number(_GROUP)}")
    notes = [text for text in map(metadata, parts.every(_METADATA)) if text]
    if notes:
        words.append("metadata={" + ("{" + "}, {".join(notes) + "}" if len(notes) > 1 else notes[0]) + "}")
    return "{" + " ".join(words) + "}"


def _tiled(parts: Parts) -> Iterator[str]:
    reshape = parts.numbers(_RESHAPE)
    order = iota(reshape, parts.numbers(_TRANSPOSE)) if reshape else listed(parts.numbers(_DEVICES))
    yield f"devices=[{commas(parts.numbers(_DIMENSIONS_SHARDINGS))}]{order}"
    if parts.number(_ON_LAST):
        yield "last_tile_dim_replicate"
    elif last := parts.numbers(_LAST):
        yield f"last_tile_dims={{{', '.join(_SHARDING_TYPES.get(one, str(one)) for one in last)}}}"


def _named(parts: Parts) -> str:
    """A mesh and, of each dimension, its axes."""
    mesh = parts.one(2)
    names = [axis.text(1) for axis in mesh.every(1)]
    dimensions = []
    for dimension in parts.every(3):
        axes = [_axis(axis, names) for axis in dimension.every(1)]
        dimensions.append("{" + ", ".join([*axes, *([] if dimension.number(2) else ["?"])]) + "}")
    more = [f"{word}={{{', '.join(_axis(axis, names) for axis in axes)}}}" for word, axes in _other_axes(parts) if axes]
    return "{" + ", ".join([f"mesh[{_mesh(mesh)}]", f"[{', '.join(dimensions)}]", *more]) + "}"


def _other_axes(parts: Parts) -> Iterator[tuple[str, list[Parts]]]:
    for word, number in (("replicated", 4), ("unreduced", 5), ("manual", 7)):
        yield word, list(parts.every(number))


def _mesh(mesh: Parts) -> str:
    axes = ",".join(f"'{axis.text(1)}'={axis.number(2)}" for axis in mesh.every(1))
    devices = mesh.numbers(2)
    return f"{axes}], device_ids=({listed(devices)}" + ")" if devices else axes


def _axis(axis: Parts, names: list[str]) -> str:
    number = axis.number(1)
    name = f"'{names[number]}'" if 0 <= number < len(names) else str(number)
    part = axis.one(2)
    return f"{name}:({part.number(1)}){part.number(2)}" if 2 in axis else name


def listed(numbers: list[int]) -> str:
    return commas(numbers) if len(numbers) <= _MOST else commas(numbers[:_MOST]) + ",..."


def iota(reshape: list[int], transpose: list[int]) -> str:
    """`<=[2,4]T(1,0)`: the devices counted up, arranged so, and turned so."""
    turned = f"T({commas(transpose)})" if transpose != sorted(transpose) else ""
    return f"<=[{commas(reshape if turned else [math.prod(reshape)] if reshape else [])}]{turned}"


def replica_groups(parts: Parts) -> str:
    """Of a collective."""
    devices = parts.one(_LIST)
    for one in (parts.one(_IOTA), devices.one(2)):
        if sizes := [one.number(1), one.number(2)] if 1 in one else []:
            return f"[{commas(sizes)}]{iota(one.numbers(3) or [math.prod(sizes)], one.numbers(4))}"
    if _MESH in parts:
        mesh = parts.one(_MESH)
        names = [axis.text(1) for axis in mesh.one(1).every(1)]
        return f"@mesh<{_mesh(mesh.one(1))}> {{{','.join(_axis(axis, names) for axis in mesh.every(2))}}}"
    return groups(one.numbers(1) for one in (devices.every(1) if 1 in devices else parts.every(_GROUPS)))


def groups(each: Iterable[list[int]]) -> str:
    """`{{0,1},{2,3}}`"""
    written = ["{" + listed(numbers) + "}" for _, numbers in zip(range(_MOST + 1), each, strict=False)]
    return "{" + ",".join(written if len(written) <= _MOST else [*written[:_MOST], "..."]) + "}"


# Texts of a program → as XLA quotes them: escaped strings, metadata, a backend's configuration.

_ESCAPES = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t", ord('"'): '\\"', ord("'"): "\\'", ord("\\"): "\\\\"}
_ESCAPES |= {code: f"\\{code:03o}" for code in (*range(32), 127) if code not in _ESCAPES}
#: OpMetadata: texts and numbers, in the order in which they are written.
_METADATA_WORDS: tuple[tuple[str, int, bool], ...] = (
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
    for name, number, is_text in _METADATA_WORDS:
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


# What an opcode needs beside its operands → XLA's text of it: `dimensions={1}`, `window={size=3x3}`, …

Texts = Iterator[str]

_PRECISIONS = ("default", "high", "highest")
_ALGORITHMS = (
    *("unset", "dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32"),
    *("dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6", "dot_tf32_tf32_f32"),
    *("dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64", "dot_bf16_bf16_f32_x9"),
)
_TRANSPOSES = ("TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")
_FFTS = ("FFT", "IFFT", "RFFT", "IRFFT")
_DISTRIBUTIONS = ("rng_invalid", "rng_uniform", "rng_normal")
_RANDOM = ("rng_default", "rng_three_fry", "rng_philox")
_SCHEDULES = ("SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST")
_VERSIONS = (
    *("API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING"),
    *("API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"),
)
_PADDINGS = ("PADDING_INVALID", "PADDING_VALID", "PADDING_SAME")


def attributes(opcode: str, parts: Parts, shapes: Shapes) -> Texts:
    """In XLA's order; those that are as usual are left out, as XLA leaves them out."""
    for write in _WRITERS.get(opcode, ()):
        yield from write(parts)
    if opcode in _ACCURATE:
        yield from result_accuracy(parts)
    for write_shapes in _WITH_SHAPES.get(opcode, ()):
        yield from write_shapes(parts, shapes)


def _of(words: Sequence[str], number: int) -> str:
    return words[number] if 0 <= number < len(words) else str(number)


def _list(name: str, number: int, always: bool = True) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        numbers = parts.numbers(number)
        if numbers or always:
            yield f"{name}={{{commas(numbers)}}}"

    return write


def _flag(name: str, number: int) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        if parts.number(number):
            yield f"{name}=true"

    return write


def _number(name: str, number: int, usual: int | None = None) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        if (value := parts.number(number)) != usual:
            yield f"{name}={value}"

    return write


def _word(name: str, number: int, words: Sequence[str], usual: int | None = None) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        if (value := parts.number(number)) != usual:
            yield f"{name}={_of(words, value)}"

    return write


def _quoted(name: str, number: int, always: bool = False) -> Callable[[Parts], Texts]:
    def write(parts: Parts) -> Texts:
        if (text := parts.text(number)) or always:
            yield f"{name}={quoted(text)}"

    return write


def _within(number: int, *writers: Callable[[Parts], Texts]) -> Callable[[Parts], Texts]:
    """Of a message in the message, where there is one."""

    def write(parts: Parts) -> Texts:
        if number in parts:
            for writer in writers:
                yield from writer(parts.one(number))

    return write


def _groups(parts: Parts) -> Texts:
    yield f"replica_groups={replica_groups(parts)}"


def _pairs(parts: Parts) -> Texts:
    yield f"source_target_pairs={groups([one.number(1), one.number(2)] for one in parts.every(52))}"


def _compare(parts: Parts) -> Texts:
    yield f"direction={parts.text(63)}"
    if (kind := parts.text(72)) == "TOTALORDER":
        yield f"type={kind}"


def _slice(parts: Parts) -> Texts:
    ends = [(one.number(1), one.number(2), one.number(3, 1)) for one in parts.every(17)]
    strided = any(stride != 1 for *_, stride in ends)
    texts = (f"[{begin}:{end}:{stride}]" if strided else f"[{begin}:{end}]" for begin, end, stride in ends)
    yield f"slice={{{', '.join(texts)}}}"


def _pad(parts: Parts) -> Texts:
    sides = [(one.number(1), one.number(2), one.number(3)) for one in parts.one(21).every(1)]
    between = any(interior for *_, interior in sides)
    yield "padding=" + "x".join("_".join(map(str, side if between else side[:2])) for side in sides)


def _window(parts: Parts) -> Texts:
    """Of each dimension: size, stride, padding, the two dilations, whether it is turned."""
    each = [tuple(one.number(i, 0 if i in (3, 4, 7) else 1) for i in range(1, 8)) for one in parts.one(15).every(1)]
    if not each:
        return

    def side(name: str, texts: list[str], usual: str) -> list[str]:
        return [f"{name}={'x'.join(texts)}"] if any(text != usual for text in texts) else []

    texts = [f"size={'x'.join(str(one[0]) for one in each)}"]
    texts += side("stride", [str(one[1]) for one in each], "1")
    texts += side("pad", [f"{one[2]}_{one[3]}" for one in each], "0_0")
    texts += side("lhs_dilate", [str(one[5]) for one in each], "1")
    texts += side("rhs_dilate", [str(one[4]) for one in each], "1")
    texts += side("rhs_reversal", [str(one[6]) for one in each], "0")
    yield f"window={{{' '.join(texts)}}}"


def _labels(parts: Parts) -> Texts:
    if 16 not in parts:
        return
    numbers = parts.one(16)

    def side(first: tuple[int, str], second: tuple[int, str], spatial: int) -> str:
        at = {numbers.number(number): letter for number, letter in (first, second)}
        at |= {place: str(i) for i, place in enumerate(numbers.numbers(spatial))}
        return "".join(letter for _, letter in sorted(at.items()))

    image, kernel, out = side((7, "b"), (8, "f"), 11), side((3, "i"), (4, "o"), 6), side((9, "b"), (10, "f"), 12)
    yield f"dim_labels={image}_{kernel}->{out}"


def _precision(parts: Parts) -> Texts:
    precision = parts.one(51)
    if any(operands := precision.numbers(1)):
        yield f"operand_precision={{{','.join(_of(_PRECISIONS, one) for one in operands)}}}"
    if algorithm := precision.number(2):
        yield f"algorithm={_of(_ALGORITHMS, algorithm)}"


def _aliases(parts: Parts) -> Texts:
    each = [(one.numbers(1), one.number(2), one.numbers(3)) for one in parts.every(74)]
    if each:
        texts = (
            f"{{{', '.join(map(str, out))}}}: ({operand}, {{{', '.join(map(str, at))}}})" for out, operand, at in each
        )
        yield f"output_to_operand_aliasing={{{', '.join(texts)}}}"


def _epsilon(parts: Parts) -> Texts:
    bits = parts.fixed(24)
    yield f"epsilon={struct.unpack('<f', struct.pack('<I', bits))[0]:.6g}"


def _replication(parts: Parts) -> Texts:
    if 61 in parts:
        yield f"parameter_replication={{{','.join('true' if one else 'false' for one in parts.one(61).numbers(1))}}}"


def _prefetch(parts: Parts) -> Texts:
    if 80 in parts:
        yield f"cross_program_prefetch_index={parts.number(80)}"


def _kind(parts: Parts) -> Texts:
    if kind := parts.text(11):
        yield f"kind={kind}"


def _outfeed(parts: Parts, shapes: Shapes) -> Texts:
    for span in parts.spans(29):
        yield f"outfeed_shape={shapes.text(span)}"
    yield from _quoted("outfeed_config", 22)(parts)


def _constraints(parts: Parts, shapes: Shapes) -> Texts:
    if parts.number(56):
        yield f"operand_layout_constraints={{{', '.join(shapes.text(span) for span in parts.spans(57))}}}"
    yield from _flag("custom_call_has_side_effect", 65)(parts)
    yield from _aliases(parts)
    yield from _word("schedule", 76, _SCHEDULES, 0)(parts)
    if parts.number(77) > 1:
        yield f"api_version={_of(_VERSIONS, parts.number(77))}"


def result_accuracy(parts: Parts) -> Texts:
    """How exact an elementwise function must be, where that is not as usual."""
    if 91 not in parts:
        return
    accuracy = parts.one(91)
    if accuracy.number(1):
        yield "result_accuracy={mode=highest}"
    elif 2 in accuracy:
        tolerance = accuracy.one(2)
        atol, rtol = (struct.unpack("<d", struct.pack("<Q", tolerance.fixed(i)))[0] for i in (1, 2))
        yield f"result_accuracy={{tolerance={{atol={atol:.6g},rtol={rtol:.6g},ulps={tolerance.number(3)}}}}}"


_DIMENSIONS_ATTRIBUTES = _list("dimensions", 14)
_CHANNEL = _number("channel_id", 26, 0)
_GLOBAL = _flag("use_global_device_ids", 71)
_CONSTRAIN = _flag("constrain_layout", 56)
_COLLECTIVE = (_CHANNEL, _groups, _CONSTRAIN)
_NORM = (_epsilon, _number("feature_index", 25))
_TRANSFER = (_CHANNEL, _flag("is_host_transfer", 47))
_GROUPED = (_number("feature_group_count", 50, 1), _number("batch_group_count", 58, 1))
_DOT = (
    _list("lhs_batch_dims", 3, always=False),
    _list("lhs_contracting_dims", 1, always=False),
    _list("rhs_batch_dims", 4, always=False),
    _list("rhs_contracting_dims", 2, always=False),
)
_GATHER = (
    _list("offset_dims", 1),
    _list("collapsed_slice_dims", 2),
    _list("start_index_map", 3),
    _list("operand_batching_dims", 5, always=False),
    _list("start_indices_batching_dims", 6, always=False),
    _number("index_vector_dim", 4),
)
_SCATTER = (
    _list("update_window_dims", 1),
    _list("inserted_window_dims", 2),
    _list("scatter_dims_to_operand_dims", 3),
    _list("input_batching_dims", 5, always=False),
    _list("scatter_indices_batching_dims", 6, always=False),
    _number("index_vector_dim", 4),
)
_WRITERS: dict[str, tuple[Callable[[Parts], Texts], ...]] = {
    "parameter": (_replication,),
    "get-tuple-element": (_number("index", 13),),
    "compare": (_compare,),
    "slice": (_slice,),
    "dynamic-slice": (_list("dynamic_slice_sizes", 20),),
    "pad": (_pad,),
    "iota": (lambda parts: iter([f"iota_dimension={commas(parts.numbers(14)[:1])}"]),),
    "sort": (_DIMENSIONS_ATTRIBUTES, _flag("is_stable", 60)),
    "reduce-precision": (_number("exponent_bits", 18), _number("mantissa_bits", 19)),
    "reduce-window": (_window,),
    "select-and-scatter": (_window,),
    "convolution": (_window, _labels, *_GROUPED, _precision),
    "dot": (_within(30, *_DOT), _precision),
    "ragged-dot": (
        _within(90, _within(1, *_DOT), _list("lhs_ragged_dims", 2), _list("rhs_group_dims", 3, always=False)),
        _precision,
    ),
    "gather": (_within(33, *_GATHER), _list("slice_sizes", 34), _flag("indices_are_sorted", 67)),
    "scatter": (_within(48, *_SCATTER), _flag("indices_are_sorted", 67), _flag("unique_indices", 69)),
    "rng": (_word("distribution", 23, _DISTRIBUTIONS),),
    "rng-bit-generator": (_word("algorithm", 70, _RANDOM),),
    "rng-get-and-update-state": (_number("delta", 66),),
    "fft": (_word("fft_type", 31, _FFTS), _list("fft_length", 32)),
    "triangular-solve": (
        _within(
            59,
            _flag("left_side", 1),
            _flag("lower", 2),
            _flag("unit_diagonal", 3),
            _word("transpose_a", 4, _TRANSPOSES, 0),
        ),
    ),
    "cholesky": (_within(62, _flag("lower", 1)),),
    "topk": (_number("k", 81), lambda parts: iter([f"largest={'true' if parts.number(85) else 'false'}"])),
    "copy-start": (_prefetch,),
    "infeed": (_quoted("infeed_config", 27),),
    "fusion": (_kind, _aliases),
    "custom-call": (
        *(_window, _labels, *_GROUPED, _precision),
        *(_word("padding_type", 75, _PADDINGS, 0), _quoted("custom_call_target", 28, always=True)),
    ),
    "collective-permute": (_CHANNEL, _pairs),
    "all-to-all": (*_COLLECTIVE, _list("dimensions", 14, always=False)),
    "all-gather": (*_COLLECTIVE, _DIMENSIONS_ATTRIBUTES, _GLOBAL),
    "all-reduce": (*_COLLECTIVE, _GLOBAL),
    "reduce-scatter": (*_COLLECTIVE, _GLOBAL, _DIMENSIONS_ATTRIBUTES),
    "collective-broadcast": _COLLECTIVE,
    "ragged-all-to-all": _COLLECTIVE,
}
_WRITERS |= {f"{name}-start": _WRITERS[name] for name in ("all-gather", "all-reduce", "collective-permute")}
_WRITERS |= dict.fromkeys(("batch-norm-training", "batch-norm-inference", "batch-norm-grad"), _NORM)
_WRITERS |= dict.fromkeys(("send", "send-done", "recv", "recv-done"), _TRANSFER)
_WRITERS |= dict.fromkeys(
    ("broadcast", "concatenate", "map", "reduce", "reverse", "transpose", "get-dimension-size", "set-dimension-size"),
    (_DIMENSIONS_ATTRIBUTES,),
)
_WITH_SHAPES = {"outfeed": (_outfeed,), "custom-call": (_constraints,)}
_ACCURATE = frozenset(
    (
        *("exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "tanh", "tan", "sine", "cosine"),
        *("sqrt", "rsqrt", "cbrt", "erf"),
    )
)
