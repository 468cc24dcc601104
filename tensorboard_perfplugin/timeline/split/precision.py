"""The name of a kernel → the precision that it computes in, by how the libraries name their kernels.

Known are cuBLAS, cuDNN, CUTLASS, nvjet, Eigen, TensorFlow, PyTorch, flash attention, Tensile, MIOpen and CK. What the
name does not show stays unknown: a fused kernel of XLA or Triton is called after what it does, not after its types.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import NamedTuple

from ..names.kernels import kernel_name

#: Types stand at the front of a name; the longest ones, of Eigen and CUTLASS, have thousands of letters.
_HEAD = 4000

_8, _16, _TF32, _32, _64 = "compute_8bit", "compute_16bit", "compute_tf32", "compute_32bit", "compute_64bit"


class _Rule(NamedTuple):
    """The first group of a name that matches `pattern` stands for one of `letters`."""

    pattern: re.Pattern[str]
    letters: dict[str, str]


#: Letters of Tensile's problem type: the first is that of the inputs. MX: 32-bit inputs multiplied as XF32.
_TENSILE = _Rule(
    re.compile(r"Cijk_[A-Z][a-z]+_[A-Z][a-z]+_((?:S_MX|F8|B8|I8|4xi8|H|B|S|D|C|Z))"),
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
    re.compile(r"nvjet_(?:sm\d+_)?([a-z])"),
    {"q": _8, "r": _8, "o": _8, "b": _8, "h": _16, "t": _16, "s": _TF32, "d": _64, "z": _64},
)
#: AITER's kernels name the type of their result first, and that of their operands with how these are scaled.
_SCALED = _Rule(
    re.compile(r"(?:pertoken|blockscale|per1x\d+)((?:MX)?[Ff]p[48]|[Ii]nt[48])"),
    dict.fromkeys(("Fp8", "fp8", "Fp4", "fp4", "MXfp4", "Int8", "int8", "Int4", "int4"), _8),
)
#: What cuBLAS says of a matrix-vector product's operands is nearer to the truth than the type it adds up in.
_OPERAND = re.compile(r"cublasGem\w+<(\w+) const")

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
_ANY = re.compile("|".join(f"(?P<{key}>{'|'.join(words)})" for key, words in _TYPES.items()))
_WORD = re.compile(r"\w+")
#: TF32 is a way to multiply 32-bit inputs, which the name may mention first.
_IS_TF32 = re.compile(rf"tf32|tfloat32_t|(?<![a-z])s1688(?:gemm|fprop|dgrad|wgrad|cudnn)?(?!\d)|xf32{_END}")
_NARROW = re.compile(_word("f16", "fp16", "bf16", "half_t", "bfloat16_t"))
#: Integers in a template are indices as a rule. As the element of a tensor they are what is computed.
_INTEGERS = re.compile(
    r"tensor<(?:const )?(?:(?P<compute_64bit>(?:unsigned )?long)|(?P<compute_32bit>(?:unsigned )?int))\b"
)


#: In a mangled name: literals and substitutions (`S8_` is no type of 8 bits), 16-bit types, lengths of identifiers.
_MANGLED = re.compile(r"L[a-z]n?\d+E|S[0-9A-Z]*_|DF16b|DF16_|Dh|(\d{1,4})(?=[A-Za-z_])")
_TYPE_CODES = {"DF16b": "bfloat16", "DF16_": "half", "Dh": "half"}
#: Where a demangled name leaves something out.
_LEFT_OUT = "…"
#: Composable Kernel's bfloat16 is an `unsigned short`.
_CK = re.compile(r"(?<!\w)ck(?:_tile)?::")


def precision_of_kernel(name: str) -> str | None:
    """The key of the category that a kernel of this name computes in, or None where its name does not show it."""
    shown = kernel_name(name)
    if name.startswith("_Z") and (shown.startswith("_Z") or _LEFT_OUT in shown):
        shown = _spelled(name[:_HEAD])
    name = shown[:_HEAD].replace("unsigned short", "bhalf_t") if _CK.search(shown) else shown[:_HEAD]
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
_ELEMENT = re.compile(r"\b((?:b?f|s|u|c)\d+(?:e\d+m\d+\w*)?)\[")
_OPCODE = re.compile(r"(?<= )[a-z][\w-]*(?=\()")
#: What multiplies matrices, or is a fusion around that.
_MULTIPLIES = re.compile(r"\b(?:dot|convolution)|conv_|gemm|matmul")
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
    name, _, rest = text[:_HEAD].partition(" = ")
    opcode = _OPCODE.search(rest)
    if opcode is None:
        return None
    result, operands = rest[: opcode.start()], rest[opcode.end() :]
    multiplies = _MULTIPLIES.search(f"{name} {opcode[0]} {category}")
    element = (
        (_ELEMENT.search(operands) if multiplies else None) or _ELEMENT.search(result) or _ELEMENT.search(operands)
    )
    return precision_of_element(element[1]) if element else None
