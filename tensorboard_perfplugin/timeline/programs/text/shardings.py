"""How a program is laid out over devices → XLA's text: shardings, and the groups of a collective."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from .parts import Parts
from .shapes import commas, joined

#: OpSharding.
(
    _TYPE,
    _DIMENSIONS,
    _DEVICES,
    _TUPLE,
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
_TYPES = {0: "replicated", 1: "maximal", 4: "manual", 5: "unknown", 6: "unreduced"}
_MAXIMAL, _TUPLES = 1, 2
#: Shardings in tuples, and devices, that are written.
_MOST = 4096
#: HloInstructionProto: what replaced what; the newest is written.
_GROUPS, _LIST, _IOTA, _MESH = 49, 87, 92, 93


def sharding(parts: Parts, metadata: Callable[[Parts], str]) -> str:
    if parts.number(_TYPE) == _TUPLES:
        within = [one for _, one in zip(range(_MOST), parts.every(_TUPLE), strict=False)]
        return "{" + joined(_single(one, metadata) for one in within) + "}"
    return _single(parts, metadata)


def _single(parts: Parts, metadata: Callable[[Parts], str]) -> str:
    if _NAMED in parts:
        return _named(parts.one(_NAMED))
    kind = _TYPES.get(parts.number(_TYPE))
    words = [kind] if kind else list(_tiled(parts))
    if parts.number(_TYPE) == _MAXIMAL:
        words = [f"maximal device={commas(parts.numbers(_DEVICES)[:1])}"]
    if parts.number(_IN_GROUP):
        words.append(f"shard_{'like' if parts.number(_GROUP_TYPE) else 'as'} {parts.number(_GROUP)}")
    said = [text for text in map(metadata, parts.every(_METADATA)) if text]
    if said:
        words.append("metadata={" + ("{" + "}, {".join(said) + "}" if len(said) > 1 else said[0]) + "}")
    return "{" + " ".join(words) + "}"


def _tiled(parts: Parts) -> Iterator[str]:
    reshape = parts.numbers(_RESHAPE)
    order = iota(reshape, parts.numbers(_TRANSPOSE)) if reshape else listed(parts.numbers(_DEVICES))
    yield f"devices=[{commas(parts.numbers(_DIMENSIONS))}]{order}"
    if parts.number(_ON_LAST):
        yield "last_tile_dim_replicate"
    elif last := parts.numbers(_LAST):
        yield f"last_tile_dims={{{', '.join(_TYPES.get(one, str(one)) for one in last)}}}"


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
