"""A device's events → what it does at each instant, by category."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from ...patterns import regex
from ...tables import I32, I64, U8, Capture, PlaneKind, StatKind, at_once, intervals
from ..causes import launches_of
from ..devices import OwnClock, clocked
from ..loops.loops import mark, nest
from ..names.kernels import kernel_name
from ..names.ops import copy_op
from ..nesting import nesting_of
from ..programs.reader import PRODUCTS, Instruction, Named, Program, instructions_of, programs_of
from ..timeline import CATEGORIES, INDEX, Timeline, derived, derived_by_plane
from ..tracks import at_work, device_tracks, rows_of
from .sets import Collected, Pieces, Sets, paint, paint_rows, union

# The name of a kernel → the precision that it computes in, by how the libraries name their kernels.
#
# Known are cuBLAS, cuDNN, CUTLASS, nvjet, Eigen, TensorFlow, PyTorch, flash attention, Tensile, MIOpen and CK. What
# the
# name does not show stays unknown: a fused kernel of XLA or Triton is called after what it does, not after its types.

#: Types stand at the front of a name; the longest ones, of Eigen and CUTLASS, have thousands of letters.
_MAX_NAME = 4000

_8, _16, _TF32, _32, _64 = "compute_8bit", "compute_16bit", "compute_tf32", "compute_32bit", "compute_64bit"


class _Rule(NamedTuple):
    """The first group of a name that matches `pattern` stands for one of `letters`."""

    pattern: re.Pattern[str]
    letters: dict[str, str]


#: Letters of Tensile's problem type: the first is that of the inputs. MX: 32-bit inputs multiplied as XF32.
_TENSILE = _Rule(
    regex(r"Cijk_[A-Z][a-z]+_[A-Z][a-z]+_((?:S_MX|F8|B8|I8|4xi8|H|B|S|D|C|Z))"),
    {
        "S_MX": _TF32,
        "F8": _8,
        "B8": _8,
        "I8": _8,
        "4xi8": _8,
        "H": _16,
        "B": _16,
        "S": _32,
        "C": _32,
        "D": _64,
        "Z": _64,
    },
)
#: Letters of nvjet: q is e4m3, r is e5m2, h half, t bfloat16, s float, which its tensor cores multiply as TF32.
_NVJET = _Rule(
    regex(r"nvjet_(?:sm\d+_)?([a-z])"),
    {"q": _8, "r": _8, "o": _8, "b": _8, "h": _16, "t": _16, "s": _TF32, "d": _64, "z": _64},
)
#: AITER's kernels name the type of their result first, and that of their operands with how these are scaled.
_SCALED = _Rule(
    regex(r"(?:pertoken|blockscale|per1x\d+)((?:MX)?[Ff]p[48]|[Ii]nt[48])"),
    dict.fromkeys(("Fp8", "fp8", "Fp4", "fp4", "MXfp4", "Int8", "int8", "Int4", "int4"), _8),
)
#: What cuBLAS says of a matrix-vector product's operands is nearer to the truth than the type it adds up in.
_OPERAND = regex(r"cublasGem\w+<(\w+) const")

#: Where a type may begin and end: names are joined by underscores and brackets, but `float2half` names no type.
_BEGIN, _END = r"(?<![a-z0-9])", r"(?![a-z0-9])"
#: Two or three type names run together: `f16f32`, `tf32f32`, `e4m3bf16`, `bf16xbf16xmxfp4`. The first one counts.
_TAIL = r"(?:(?:x?(?:bf16|tf32|f16|f32|f64|e4m3|e5m2|i8|i32|f8|fp8|mxfp[48]|fp4))*)"


def _word(*words: str) -> str:
    return rf"{_BEGIN}(?:{'|'.join(words)}){_TAIL}{_END}"


#: Types as libraries write them, in lower case. The one that comes first in the name counts.
_TYPES = {
    _8: [
        _word("e4m3", "e5m2", "f8", "fp8", "int8", "s8", "i8", "fp4", "nvfp4", "mxfp8", "e2m1", "ue8m0"),
        _word("mxe\\dm\\d", "e3m2", "e2m3"),
        # Block-scaled operands: the scales' type, and theirs.
        rf"{_BEGIN}ue[48]m[03]x",
        _word("float8_?e4m3(?:fn|fnuz)?", "float8_?e5m2(?:fnuz)?", "float_?e[45]m[23]_?t", "float_?e2m1_?t"),
        _word(
            "__nv_fp8_?e4m3", "__nv_fp8_?e5m2", "__nv_fp8x\\d_e\\dm\\d", "fp8_?t", "bf8_?t", "bf8", "fp8e4m3", "fp8e5m2"
        ),
        _word("int8_t", "dt_int8", "dt_qint8", "dt_float8_e4m3fn", "dt_float8_e5m2"),
        r"imma(?!g)|dp4a|qgmma",
        r"(?<![a-z])i(?:8816|16832|161616|832)(?!\d)",
    ],
    _16: [
        _word("f16", "fp16", "bf16", "half", "__half2?", "half2", "half_t", "_float16", "float16", "bfloat16", "bhalf"),
        _word(
            "bfloat16_t", "float16_t", "__nv_bfloat162?", "nv_bfloat162?", "bhalf_t", "__hip_bfloat16", "hip_bfloat16"
        ),
        _word("dt_half", "dt_bfloat16", "fp16_t", "bf16_t", "bf16_1k", "tensor_op_bf16", "__bf16"),
        r"halfgemm|bf16gemm|hgemm|hmma",
        r"(?<![a-z])h(?:884|1688|16816|161616|\d+x\d+x\d+gemm)(?!\d)",
        r"(?<![a-z])s(?:884|16816|161616)(?!\d)",
    ],
    _32: [
        _word("f32", "fp32", "float", "float[234]", "float32", "dt_float", "dt_int32", "dt_uint32", "dt_complex64"),
        r"(?<![a-z])(?:s|c|gc)(?:gemm|gemv|trsm|cudnn|symm|syrk|dot|axpy)|ffma",
    ],
    _64: [
        _word("f64", "fp64", "double", "double[234]", "float64", "dt_double", "dt_int64", "dt_uint64", "dt_complex128"),
        r"(?<![a-z])(?:d|z|gz)(?:gemm|gemv|trsm|cudnn|symm|syrk|dot|axpy)|(?<![a-z])[dz](?:884|16816|1688)(?!\d)|dmma",
    ],
}
_ANY = regex("|".join(f"(?P<{key}>{'|'.join(words)})" for key, words in _TYPES.items()))
_WORD = regex(r"\w+")
#: TF32 is a way to multiply 32-bit inputs, which the name may mention first.
_IS_TF32 = regex(rf"tf32|tfloat32_t|(?<![a-z])s1688(?:gemm|fprop|dgrad|wgrad|cudnn)?(?!\d)|xf32{_END}")
_NARROW = regex(_word("f16", "fp16", "bf16", "half_t", "bfloat16_t"))
#: Integers in a template are indices as a rule. As the element of a tensor they are what is computed.
_INTEGERS = regex(r"tensor<(?:const )?(?:(?P<compute_64bit>(?:unsigned )?long)|(?P<compute_32bit>(?:unsigned )?int))\b")


#: In a mangled name: literals and substitutions (`S8_` is no type of 8 bits), 16-bit types, lengths of identifiers.
_MANGLED = regex(r"L[a-z]n?\d+E|S[0-9A-Z]*_|DF16b|DF16_|Dh|(\d{1,4})(?=[A-Za-z_])")
_TYPE_CODES = {"DF16b": "bfloat16", "DF16_": "half", "Dh": "half"}
#: Where a demangled name leaves something out.
_LEFT_OUT = "…"
#: Composable Kernel's bfloat16 is an `unsigned short`.
_CK = regex(r"(?<!\w)ck(?:_tile)?::")


def precision_of_kernel(name: str) -> str | None:
    """The key of the category that a kernel of this name computes in, or None where its name does not show it."""
    shown = kernel_name(name)
    if name.startswith("_Z") and (shown.startswith("_Z") or _LEFT_OUT in shown):
        shown = _spelled(name[:_MAX_NAME])
    name = shown[:_MAX_NAME].replace("unsigned short", "bhalf_t") if _CK.search(shown) else shown[:_MAX_NAME]
    return next((key for way in _WAYS for key in [way(name)] if key), None)


def _spelled(name: str) -> str:
    """The identifiers and 16-bit types of a mangled name, as words: of one that is not demangled as a whole."""
    words, at = [], 0
    while match := _MANGLED.search(name, at):
        at = match.end() + int(match[1] or 0)
        words.append(name[match.end() : at] if match[1] else _TYPE_CODES.get(match[0], ""))
    return " ".join(words)


def _by_letters(name: str) -> str | None:
    for rule in (_TENSILE, _NVJET, _SCALED):
        if match := rule.pattern.search(name):
            return rule.letters.get(match[1])
    return None


def _by_operand(name: str) -> str | None:
    match = _OPERAND.search(name)
    return _first(match[1].lower()) if match else None


def _by_types(name: str) -> str | None:
    name = name.lower().replace("unsigned char", "uchar").replace("signed char", "int8_t")
    return _TF32 if _is_tf32(name) else _first(name)


def _is_tf32(name: str) -> bool:
    if "f32" not in name and "1688" not in name and "tfloat32" not in name:
        return False
    return bool(_IS_TF32.search(name)) and not ("1688" in name and _NARROW.search(name))


def _first(text: str) -> str | None:
    """The class of the first word that has one. The same words come again and again."""
    return next((key for match in _WORD.finditer(text) for key in [_of_word(match[0])] if key), None)


@functools.lru_cache(1 << 12)
def _of_word(word: str) -> str | None:
    match = _ANY.search(word)
    return match.lastgroup if match else None


def _by_integers(name: str) -> str | None:
    match = _INTEGERS.search(name.lower())
    return match.lastgroup if match else None


_WAYS: tuple[Callable[[str], str | None], ...] = (_by_letters, _by_operand, _by_types, _by_integers)

#: XLA's element types with their shapes, as instructions write them: `bf16[8,128]`.
_ELEMENT = regex(r"\b((?:b?f|s|u|c)\d+(?:e\d+m\d+\w*)?)\[")
_OPCODE = regex(r"(?<= )[a-z][\w-]*(?=\()")
#: What multiplies matrices, or is a fusion around that.
_MULTIPLIES = regex(r"\b(?:dot|convolution)|conv_|gemm|matmul")
_WIDTHS = ((8, _8), (16, _16), (32, _32), (64, _64))


def precision_of_element(type_name: str) -> str | None:
    """The category of XLA's element type `bf16`, `f8e4m3fn`, `s32` …; None for `pred`, `token` and what is unknown."""
    match = re.fullmatch(r"(?:b?f|s|u|c)(\d{1,3})(?:e\d+m\d+\w*)?", type_name)
    if match is None:
        return None
    bits = int(match[1]) // 2 if type_name[0] == "c" else int(match[1])
    return next((key for width, key in _WIDTHS if bits <= width), None)


def precision_of_instruction(text: str, category: str = "") -> str | None:
    """The category of an XLA instruction given in full, `%fusion.1 = bf16[8,128]{1,0} fusion(…)`, by what it computes.

    What multiplies matrices by the type of its first operand, all else by that of its result, of a tuple the first.
    """
    name, _, rest = text[:_MAX_NAME].partition(" = ")
    opcode = _OPCODE.search(rest)
    if opcode is None:
        return None
    result, operands = rest[: opcode.start()], rest[opcode.end() :]
    multiplies = _MULTIPLIES.search(f"{name} {opcode[0]} {category}")
    element = (
        (_ELEMENT.search(operands) if multiplies else None) or _ELEMENT.search(result) or _ELEMENT.search(operands)
    )
    return precision_of_element(element[1]) if element else None


# Kernels of XLA instructions → the precision that they compute in, by the program that a capture holds.

_MULTIPLYING_CALLS = ("gemm", "conv", "matmul", "fmha", "dot")


def refine(timeline: Timeline, rows: I64) -> U8:
    """The categories of kernels of which the name gives no precision, by the XLA instruction that they belong to."""
    unknown = np.full(len(rows), INDEX["compute_other"], np.uint8)
    if not len(rows) or not programs_of(timeline).blobs:
        return unknown
    which = instructions_of(timeline).named_index(rows)
    known = which >= 0
    table = np.full(len(instructions_of(timeline).named), INDEX["compute_other"], np.uint8)
    for i in np.unique(which[known]).tolist():
        table[i] = INDEX[precision(timeline, instructions_of(timeline).named[i]) or "compute_other"]
    unknown[known] = table[which[known]]
    return unknown


def precision(timeline: Timeline, one: Named) -> str | None:
    """The key of an instruction's category; None where no program gives it."""
    return precision_of_element(element_of(timeline, one))


def element_of(timeline: Timeline, one: Named) -> str:
    """The type that an instruction computes in; empty where no program gives it."""
    program = programs_of(timeline).program(one.module, one.program)
    instruction = program.find(one.instruction) if program else None
    return _computes_in(program, instruction, one.instruction) if program and instruction else ""


def _computes_in(program: Program, one: Instruction, name: str) -> str:
    """The element type that it computes in: what multiplies, in its first operand's; all else in its result's."""
    if one.opcode in PRODUCTS or any(word in one.target for word in _MULTIPLYING_CALLS):
        return _operand(program, one, program.around(name)) or _element(program, one)
    return next((e for number in one.called for e in [_multiplied(program, number)] if e), _element(program, one))


def _multiplied(program: Program, number: int) -> str:
    """The element type of what a computation multiplies, empty where it does not."""
    computation = program.computations.get(number)
    if computation is None or not computation.products:
        return ""
    return _operand(program, computation.products[0], computation.instructions)


def _operand(program: Program, one: Instruction, around: dict[int, Instruction]) -> str:
    first = around.get(one.operands[0]) if one.operands else None
    return _element(program, first) if first else ""


def _element(program: Program, one: Instruction) -> str:
    """Of a tuple that of its first part."""
    shape = program.shape(one)
    return shape.parts[0].element if shape.parts else shape.element


# Kinds of a TPU's events → which of them exchange data between slices, over the data centre's network (DCN).
#
# XLA hands the buffers to Megascale's runtime on the host: of one exchange a `send`, a `send-done`, a `recv` and a
# `recv-done`, transfers to and from the host whose attributes name the runtime, the exchange (their rendezvous), what
# it
# is, and between whom: `{1,2}x{0:3}` are the devices 0 to 3 of the slices 1 and 2. What ends a transfer may have but
# its
# channel. The names are those that XProf looks for (`xspace_to_dcn_slack_analysis.cc`), and that programs of Cloud
# TPU's
# v7x have. The runtime's own events, on the plane `/device:CUSTOM:Megascale Trace`, are not looked at.

#: Of an instruction's text so much is looked at.
_MOST = 1 << 14
_PROGRAM = "program_id"
_RUNTIME = ("xla_megascale_runtime", "_xla_megascale_")
_OPCODE_SLICES = regex(r" ((?:send|recv)(?:-done)?)\(")
_CHANNEL = regex(r"\bchannel_id=(\d{1,18})\b")
_TYPE, _TARGET = "_xla_megascale_transfer_type", "_xla_megascale_target"
_RENDEZVOUS = "_xla_host_transfer_rendezvous"
_ATTRIBUTE = regex(rf'\b({_TYPE}|{_TARGET}|{_RENDEZVOUS})="([^"]*)"')
_SLICES = regex(r"\{([0-9, ]{1,4000})\}x")
#: What XLA calls the collectives elsewhere.
_KINDS = {
    "ALL_REDUCE": "all-reduce",
    "ALL_GATHER": "all-gather",
    "ALL_TO_ALL": "all-to-all",
    "REDUCE_SCATTER": "reduce-scatter",
    "ONE_TO_ONE": "collective-permute",
}


class SliceTransfer(NamedTuple):
    """opcode: `send`, `send-done`, `recv` or `recv-done`. kind: the collective, empty where it is not named. target:
    slices and devices that exchange, as XLA writes it; slices: how many, 0 where that is not written. exchange: equal
    for what belongs together: of one program one rendezvous, or one channel. text: the instruction's.
    """

    opcode: str
    kind: str
    target: str
    slices: int
    exchange: tuple[object, str]
    text: str


@derived
def slice_transfers_of(timeline: Timeline) -> dict[int, SliceTransfer]:
    """By kind."""
    capture = timeline.capture
    is_tpu = (capture.planes.kind == PlaneKind.TPU)[capture.kinds.plane]
    texts = {
        kind: text
        for kind in is_tpu.nonzero()[0].tolist()
        if "is_host_transfer=true" in (text := capture.strings[int(capture.kinds.name[kind])][:_MOST])
    }
    if not any(any(name in text for name in _RUNTIME) for text in texts.values()):
        return {}
    programs = {kind: _program(capture, kind) for kind in texts}
    found: dict[int, SliceTransfer] = {}
    by_channel: dict[tuple[object, str], SliceTransfer] = {}
    for kind, text in texts.items():
        if any(name in text for name in _RUNTIME) and (one := _described(text, programs[kind])):
            found[kind] = by_channel[programs[kind], _channel(text)] = one
    for kind, text in texts.items():
        opcode, begun = _OPCODE_SLICES.search(text), by_channel.get((programs[kind], _channel(text)))
        if kind not in found and opcode and begun:
            found[kind] = begun._replace(opcode=opcode[1], text=text)
    return found


def _described(text: str, program: object) -> SliceTransfer | None:
    opcode = _OPCODE_SLICES.search(text)
    if opcode is None:
        return None
    named = dict(_ATTRIBUTE.findall(text))
    target = named.get(_TARGET, "")
    slices = _SLICES.match(target)
    return SliceTransfer(
        opcode[1],
        _KINDS.get(named.get(_TYPE, ""), ""),
        target,
        len([one for one in slices[1].split(",") if one.strip()]) if slices else 0,
        (program, named.get(_RENDEZVOUS) or _channel(text)),
        text,
    )


def _channel(text: str) -> str:
    found = _CHANNEL.search(text)
    return f"channel {found[1]}" if found else ""


def _program(capture: Capture, kind: int) -> object:
    begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
    return dict(reversed(capture.values(begin, end))).get(_PROGRAM)


_COMPUTE = INDEX["compute_other"]
_HEAD = 400
#: Libraries of collectives, the kernels that frameworks write for them, and XLA's instructions.
_COLLECTIVE = regex(
    r"(?:void )?(?:\w+::)*(?:nccl|rccl|msccl|oneccl|nvshmem|sccl|rocshmem)\w*|"
    r".*?(?:(?<![a-z])|(?<=_))(?:all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|cross_device_reduce|"
    r"userbuffers|multimem_|(?:one|two)_?shot|p2p_?(?:send|recv)|send_?recv)|"
    r"%?(?:ragged-)?(?:all-reduce|all-gather|reduce-scatter|all-to-all|collective-)|"
    r".*(?:allreduce|allgather|reducescatter|alltoall|sendrecv)|"
    # Tokens that go to their experts and come back: DeepEP and its forks, pplx, Mori, FlashInfer.
    r"(?:void )?(?:\w+::)*(?:deep_?ep|hybrid_?ep|internode\w*|intranode|pplx|uccl\w*|mori|nixl_?ep)::(?:\w+::)*"
    r"(?:cached_)?(?:dispatch|combine|notify|barrier|clean_low_latency)\w*|"
    r".*?(?:(?<![a-z])|(?<=_))(?:(?:moe_?)?a2a_?(?:dispatch|combine|send|recv)|ep_?(?:dispatch|combine)|"
    r"(?:hybrid_ep|low_latency)_(?:dispatch|combine))",
    re.DOTALL,
)
#: One of these is in the name of each of them, which is found out sooner.
_PARTS = (
    *("ccl", "shmem", "reduce", "gather", "all_to", "allto", "all-to", "userbuf", "multimem", "shot", "p2p"),
    *("collective-", "sendrecv", "send_recv", "dispatch", "combine", "a2a", "notify", "barrier", "low_latency"),
)
#: Types of copies, as `copy_op` gives them.
_COPIES = {"MemcpyHToD": "copy_in", "MemcpyDToH": "copy_out"}
#: Short streams are gone through so many events at a time.
_TOGETHER = 1 << 12
#: A copy of which the name does not show where it goes.
_UNKNOWN = len(CATEGORIES)
_DETAILS = regex(r"kind_src:(\w+)\s+kind_dst:(\w+)")
_CALL = regex(r"\w*?[Mm]emcpy ?([HD])to([HD])")
_ON_HOST = ("pageable", "pinned", "host", "H")


def category_of_kernel(name: str) -> int:
    """The category of a GPU's event of this name, or `_UNKNOWN`; `compute_other` where the name does not show it."""
    copy = copy_op(name)
    if copy is not None:
        return _copy(name, copy.type)
    head = name[:_HEAD].lower()
    if any(part in head for part in _PARTS) and _COLLECTIVE.match(head):
        return INDEX["collective"]
    return INDEX[precision_of_kernel(name) or "compute_other"]


def _copy(name: str, kind: str) -> int:
    if kind in _COPIES:
        return INDEX[_COPIES[kind]]
    ends = _CALL.match(name)
    return _UNKNOWN if kind == "Memcpy" and ends is None else _between(ends)


def device_sets(timeline: Timeline, plane: int, clock: OwnClock | None = None) -> Sets:
    """When each category holds on a device. clock: a TPU's own, to give times by that, not as the trace shows them."""
    if clock is not None:
        return _sets(timeline, plane, clock)
    return _shown_sets(timeline, plane)


@derived_by_plane
def _shown_sets(timeline: Timeline, plane: int) -> Sets:
    return _sets(timeline, plane, None)


def _sets(timeline: Timeline, plane: int, clock: OwnClock | None) -> Sets:
    collected = Collected()
    tracks = timeline.capture.tracks
    is_tpu = timeline.capture.planes.kind[plane] == PlaneKind.TPU
    classes = _tpu_classes(timeline, plane) if is_tpu else _gpu_classes(timeline, plane)
    of_device = device_tracks(timeline.capture, plane)
    if not is_tpu:
        for rows in _streams(timeline.capture, of_device):
            collected.add(*_gpu_streams(timeline, at_work(timeline, plane, rows), classes))
        return collected.sets()
    for track in of_device.tolist():
        at = slice(int(tracks.events_begin[track]), int(tracks.events_end[track]))
        if at.start < at.stop:
            collected.add(*(_tpu_line(timeline, at, classes) if clock is None else _by(clock, timeline, at, classes)))
    return collected.sets()


def device_runs(timeline: Timeline, plane: int, categories: Iterable[str]) -> intervals.Intervals:
    """When any of some categories, by key, holds on a device."""
    sets = device_sets(timeline, plane)
    return union(sets[i] for i in map(INDEX.__getitem__, categories) if i in sets)


def device_categories_of(timeline: Timeline, plane: int) -> dict[int, list[tuple[int, intervals.Intervals]]]:
    """By category the streams or op lines of a device on which it holds at some time, and when."""
    found: dict[int, list[tuple[int, intervals.Intervals]]] = {}
    for track, (begin, end, what, _) in _pieces(timeline, plane):
        for category in np.unique(what).tolist():
            holds = what == category
            when = intervals.union(begin[holds], end[holds])
            if len(when.begin):
                found.setdefault(category, []).append((track, when))
    return found


def device_pieces(timeline: Timeline, plane: int) -> Iterator[Pieces]:
    """The time of each stream or op line of a device in pieces."""
    return (pieces for _, pieces in _pieces(timeline, plane))


def _pieces(timeline: Timeline, plane: int) -> Iterator[tuple[int, Pieces]]:
    """The time of each stream or op line of a device in pieces."""
    tracks = timeline.capture.tracks
    is_tpu = timeline.capture.planes.kind[plane] == PlaneKind.TPU
    classes = _tpu_classes(timeline, plane) if is_tpu else _gpu_classes(timeline, plane)
    for track in device_tracks(timeline.capture, plane).tolist():
        at = slice(int(tracks.events_begin[track]), int(tracks.events_end[track]))
        if at.start == at.stop:
            continue
        if is_tpu:
            begin, end, what, row = paint_rows(*_op_line(timeline, at, classes))
            yield track, Pieces(begin, end, what - np.uint8(1), row)
            continue
        rows = at_work(timeline, plane, np.arange(at.start, at.stop))
        begin, end, what = _gpu_streams(timeline, rows, classes)
        real = end > begin
        yield track, Pieces(begin[real], end[real], what[real], rows[real])


def _streams(capture: Capture, tracks: I64) -> Iterator[I64]:
    """The event rows of each stream, those of short ones together."""
    begin, end = capture.tracks.events_begin[tracks], capture.tracks.events_end[tracks]
    after = np.cumsum(end - begin)
    lot = after // _TOGETHER + (after - (end - begin)) // _TOGETHER
    for some in np.split(tracks, np.flatnonzero(np.diff(lot)) + 1):
        rows = rows_of(capture, some)
        if len(rows):
            yield rows


def _gpu_streams(timeline: Timeline, rows: I64, classes: U8) -> tuple[I64, I64, U8]:
    """Begin, end and category of what ran on some streams."""
    events = timeline.capture.events
    at = at_once(rows)
    begin, what = events.start_ps[at], classes[events.name[at]]
    unknown = np.flatnonzero(what == _UNKNOWN)
    if len(unknown):
        what[unknown] = _direction(timeline, rows[unknown])
    unknown = np.flatnonzero(what == _COMPUTE)
    what[unknown] = refine(timeline, rows[unknown])
    return begin, begin + events.duration_ps[at], what


def _tpu_line(timeline: Timeline, at: slice, classes: U8) -> tuple[I64, I64, U8]:
    begin, end, what = paint(*_op_line(timeline, at, classes))
    return begin, end, what - np.uint8(1)


def _op_line(timeline: Timeline, at: slice, classes: U8) -> tuple[I64, I64, I32, int, U8, U8, U8]:
    """What a line of a TPU's ops is painted from."""
    events, parent = timeline.capture.events, nesting_of(timeline).parent[at]
    return events.start_ps[at], events.duration_ps[at], parent, int(at.start), classes[events.kind[at]], _WITHIN, _SHOWN


def _by(clock: OwnClock, timeline: Timeline, at: slice, classes: U8) -> tuple[I64, I64, U8]:
    """As `_tpu_line`, by the core's own clock, by which ops may nest that do not in the trace."""
    events, rows = timeline.capture.events, np.arange(at.start, at.stop)
    begin, duration, known = clocked(timeline, int(timeline.capture.tracks.plane[events.track[at.start]]), rows)
    if not known:
        begin, end = clock.begins_at(begin), clock.ends_at(begin + duration)
        duration = np.maximum(end - begin, 0)
    order = np.lexsort((-duration, begin))
    begin, duration = begin[order], duration[order]
    parent = nest(np.zeros(len(order), np.int32), begin, duration).parent
    begin, end, what = paint(begin, duration, parent, 0, classes[events.kind[rows[order]]], _WITHIN, _SHOWN)
    return begin, end, what - np.uint8(1)


def _direction(timeline: Timeline, rows: I64) -> U8:
    """The categories of copies: by their details, else by the call that launched them."""
    text, kind = timeline.stat_of("memcpy_details", rows)
    launch = launches_of(timeline).rows[rows]
    call = np.where(launch >= 0, timeline.capture.events.name[launch], 0)
    text = np.where(kind == StatKind.TEXT, text, call)
    ids, which = np.unique(text, return_inverse=True)
    direction = [_between(_DETAILS.search(name) or _CALL.match(name)) for name in timeline.capture.strings.texts(ids)]
    return np.array(direction, np.uint8)[which]


def _between(ends: re.Match[str] | None) -> int:
    from_host, to_host = (end in _ON_HOST for end in ends.groups()) if ends else (False, False)
    if from_host == to_host:
        return INDEX["copy_device"]
    return INDEX["copy_in" if from_host else "copy_out"]


#: On a TPU's op lines the innermost op counts; classes are categories + 1.
_WITHIN = np.tile(np.arange(len(CATEGORIES) + 1, dtype=np.uint8), (len(CATEGORIES) + 1, 1))
_SHOWN = np.arange(len(CATEGORIES) + 1, dtype=np.uint8)


@derived_by_plane
def _gpu_classes(timeline: Timeline, plane: int) -> U8:
    """By string id: the category of events of that name."""
    capture, tracks = timeline.capture, device_tracks(timeline.capture, plane)
    used = np.zeros(len(capture.strings), bool)
    for begin, end in zip(capture.tracks.events_begin[tracks], capture.tracks.events_end[tracks], strict=True):
        mark(capture.events.name[begin:end], used)
    table = np.zeros(len(capture.strings), np.uint8)
    for i in np.flatnonzero(used).tolist():
        table[i] = category_of_kernel(capture.strings[i])
    return table


def _tpu_classes(timeline: Timeline, plane: int) -> U8:
    """By kind: its category + 1."""
    capture, between_slices = timeline.capture, slice_transfers_of(timeline)
    table = np.full(len(capture.kinds) + 1, _COMPUTE + 1, np.uint8)
    for kind in np.flatnonzero(capture.kinds.plane == plane).tolist():
        found = "collective" if kind in between_slices else category_of_instruction(*instruction_of_kind(capture, kind))
        table[kind] = INDEX[found] + 1
    return table


def instruction_of_kind(capture: Capture, kind: int) -> tuple[str, str]:
    """The text of an instruction and its category, as far as the capture shows them."""
    facts = dict(reversed(capture.values(int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind]))))
    category = facts.get("hlo_category")
    name = capture.strings[int(capture.kinds.name[kind])]
    return name, category if isinstance(category, str) else ""


_LAYOUT = regex(r"\]\{([^}]*)\}")
_XLA = (
    ("input_wait", regex(r"infeed")),
    ("output", regex(r"outfeed|host[ _-]?(?:send|recv)")),
    (
        "collective",
        regex(r"(?:ragged-)?all-(?:reduce|gather|to-all)|reduce-scatter|collective-|(?:send|recv)(?:-done)?$|barrier"),
    ),
    (
        "copy_device",
        regex(r"(?:async-)?(?:copy|slice|dynamic-slice|dynamic-update-slice)-(?:start|done)|async-(?:start|done)"),
    ),
    ("copy_device", regex(r"copy$|data formatting|memset")),
)
_NAME = regex(r"%?([\w-]+?)(?:\.\d+)*(?: =|$)")
#: What starts a collective and what waits for its end, by name: on a TPU both may be fusions, of XLA's kind `custom
#: fusion`, or be wrapped in `async-start` and `async-done`.
_IN_TWO = regex(
    r"%?(?:async-collective|(?:ragged-)?all-(?:reduce|gather|to-all)|reduce-scatter|collective-[a-z-]+?)"
    r"-(?:start|done)(?:\.\d+)*(?: =|$)"
)


def category_of_instruction(text: str, category: str = "") -> str:
    """The key of the category of an XLA instruction on a TPU, by its text and what XLA calls its kind."""
    opcode = _OPCODE.search(text.partition(" = ")[2])
    name = _NAME.match(text)
    kinds = [category, opcode[0] if opcode else "", name[1] if name and not opcode and not category else ""]
    if "is_host_transfer=true" in text:
        return "output"
    if _IN_TWO.match(text):
        return "collective"
    for key, pattern in _XLA:
        if any(pattern.match(one) for one in kinds if one):
            return _copied(text) if key == "copy_device" else key
    return precision_of_instruction(text, category) or "compute_other"


def _copied(text: str) -> str:
    """`dst copy-done((dst, src, context))`, `(dst, src, context) copy-start(src)`. Memory space 5 is the host's."""
    rest = text.partition(" = ")[2]
    on_host = ["S(5)" in layout for layout in _LAYOUT.findall(rest)] + [False] * 3
    to_host, from_host = on_host[1:3] if "-done(" in rest else on_host[:2]
    if to_host == from_host:
        return "copy_device"
    return "copy_out" if to_host else "copy_in"
