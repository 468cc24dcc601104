r"""A template and its parameters → a sentence.

`{name}` stands for a parameter as it is; `{ps:duration}` 37 ms, `{share:percent}` 92 %, `{n:count step}` 3 steps
(`{n:count branch|branches}` where an s is not all), `{n:number}` 1,234 or 3.14, `{n:size}` 5.12 kB, `{n:memory}` 5 KiB,
`{n:rate}` 1.2 GB/s, `{n:flops}` 312 TFLOP/s, `{name:quoted}` the name between backquotes, its end where it is long,
`{name:clipped}` its beginning, `{name:short}` less of it, `{why:lower}` begun in lower case, `{why:capital}` in upper
case, `{fact:words}` an identifier's words.
A parameter may be a message, which its own entry renders, or several values, which commas join; `{reasons:list}` joins
them by semicolons, `{warnings:sentences}` by spaces, `{names:and}` by `and`.

What stands in square brackets is left out where one of its parameters is absent, None, or empty; `[a|b]` is `a`, or `b`
where `a` would be left out. `{flag?}` shows nothing: it holds the bracket's text back where `flag` is false, absent or
empty; `{flag!}` where it is true. `\[`, `\]`, `\{`, `\}` and `\|` stand for themselves. Parameters are never looked at
for any of this."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

import msgspec
from msgspec import structs

from ... import units
from ...messages import Message, Param, Params
from ...patterns import regex

#: Characters of a name in a sentence: quoted ones keep their end, clipped ones their beginning.
_QUOTED, _CLIPPED, _SHORT = 80, 200, 80

_TOKEN = regex(r"\\([\[\]{}|\\])|\{(\w+)(?:([?!])|:(\w+) ?([^{}]*))?\}|([\[\]|])|([^\\\[\]{}|]+)")


class Field(NamedTuple):
    """form: how the value is shown, "" as it is, `?` and `!` as conditions. words: of `count`."""

    name: str
    form: str
    words: str


class Bracket(NamedTuple):
    """Of several texts the first one that can be shown."""

    ways: tuple[tuple[Node, ...], ...]


Node: TypeAlias = str | Field | Bracket
#: Renders a part that is a message.
Say: TypeAlias = Callable[[Message], str]


def render(template: str, params: Params, say: Say | None = None) -> str:
    """The sentence. Raises KeyError for an absent parameter outside of brackets, ValueError for a wrong template."""
    return "".join(_shown(node, params, say) for node in parsed(template))


@functools.cache
def parsed(template: str) -> tuple[Node, ...]:
    """Raises ValueError where a bracket or brace is not closed. Outside of brackets a bar or a closing one is text."""
    tokens = list(_TOKEN.finditer(template))
    if "".join(token[0] for token in tokens) != template:
        raise ValueError(f"a brace without a name in it: {template!r}")
    return _ways(iter(tokens))[0][0]


def _ways(tokens: Iterator[re.Match[str]], depth: int = 0) -> tuple[tuple[tuple[Node, ...], ...], bool]:
    """The texts between bars up to the closing bracket, and whether there was one."""
    ways: list[list[Node]] = [[]]
    for token in tokens:
        escaped, name, flag, form, words, mark, text = token.groups()
        if mark == "[":
            inner, closed = _ways(tokens, depth + 1)
            if not closed:
                raise ValueError(f"a bracket is not closed: {token.string!r}")
            ways[-1].append(Bracket(inner))
        elif mark == "]" and depth:
            return tuple(map(tuple, ways)), True
        elif mark == "|" and depth:
            ways.append([])
        else:
            ways[-1].append(Field(name, flag or form or "", words or "") if name else escaped or mark or text)
    return tuple(map(tuple, ways)), False


def fields(template: str) -> set[str]:
    """The names of all parameters of a template."""

    def names(nodes: tuple[Node, ...]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, Field):
                yield node.name
            elif isinstance(node, Bracket):
                for way in node.ways:
                    yield from names(way)

    return set(names(parsed(template)))


def _shown(node: Node, params: Params, say: Say | None) -> str:
    if isinstance(node, str):
        return node
    if isinstance(node, Field):
        return "" if node.form in ("?", "!") else _value(params[node.name], node, say)
    for way in node.ways:
        if all(_is_there(each, params) for each in way):
            return "".join(_shown(each, params, say) for each in way)
    return ""


def _is_there(node: Node, params: Params) -> bool:
    if not isinstance(node, Field):
        return True
    value = params.get(node.name)
    if node.form == "!":
        return not value
    return bool(value) if node.form == "?" else value is not None and value not in ("", ())


def _value(value: Param, field: Field, say: Say | None) -> str:
    if isinstance(value, tuple):
        return _JOINED.get(field.form, ", ").join(_value(each, field, say) for each in value)
    if isinstance(value, Message):
        if say is None:
            raise ValueError(f"{field.name} is a message, and no catalogue is given")
        value = say(value)
    if field.form == "count":
        return units.count(int(_number(value, field)), *field.words.split("|"))
    return _TEXTS[field.form](str(value)) if field.form in _TEXTS else _NUMBERS[field.form](_number(value, field))


def _number(value: Param, field: Field) -> float:
    if not isinstance(value, int | float):
        raise ValueError(f"{field.name}={value!r} is no number")
    return value


def quoted(name: str) -> str:
    """A name between backquotes; of a long one its end, from a scope on where one begins there."""
    if len(name) > _QUOTED:
        end = name[-_QUOTED:]
        name = "…" + (end[end.index("/") :] if "/" in end[: _QUOTED // 2] else end)
    return name if "`" in name else f"`{name}`"


_JOINED = {"list": "; ", "sentences": " ", "and": " and "}
_TEXTS: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("", *_JOINED), lambda text: text),
    "quoted": quoted,
    "clipped": lambda text: units.clipped(text, _CLIPPED),
    "short": lambda text: text if len(text) <= _SHORT else f"{text[:_SHORT]}…",
    "lower": lambda text: text[:1].lower() + text[1:],
    "words": lambda text: text.replace("_", " "),
    "capital": lambda text: text[:1].upper() + text[1:],
}
_NUMBERS: dict[str, Callable[[float], str]] = {
    "duration": units.duration,
    "percent": units.percent,
    "size": units.size,
    "memory": units.memory,
    "rate": units.rate,
    "flops": lambda number: units.value(number / 1e12, "tflops"),
    "number": lambda number: units.value(number, ""),
}


# What one code says: templates for title, detail and action, their variants by vocabulary, and examples.

#: Vocabulary → the one whose words it takes where it has none of its own; "" are the words of TensorFlow and JAX.
#: `pytorch`: Kineto; `any`: trace events of any program; `nvtx`: databases of Nsight Systems and nvprof; `roctx`:
#: those of rocprofv3; `emit_nvtx`: NVTX, with PyTorch's operators; `tool_files`: what TensorFlow computed when it
#: captured; `tf1`: TensorFlow before its profiler had levels, in three formats.
VOCABULARIES = {
    "pytorch": "",
    "any": "",
    "nvtx": "any",
    "roctx": "nvtx",
    "emit_nvtx": "pytorch",
    "tool_files": "",
    "tf1": "",
    "trace_proto": "tf1",
    "run_metadata": "tf1",
    "tf1_timeline": "run_metadata",
}


class Variant(msgspec.Struct, frozen=True):
    """What another vocabulary says instead; None is what the entry says."""

    title: str | None = None
    detail: str | None = None
    action: str | None = None


class Text(msgspec.Struct, frozen=True):
    """title: a sentence, or a part of one. detail: why, and what else is known. action: what to do.

    when: of a finding, in one sentence what must hold for it to be given; unless: when it is not given all the same.
    examples: parameters of at least one case; together they show every bracket.
    example: a capture that gives the finding, where one is known: a folder of tests/samples, or a row of
    docs/public_captures.md.
    """

    title: str
    detail: str = ""
    action: str = ""
    variants: Mapping[str, Variant] = msgspec.field(default_factory=dict)
    when: str = ""
    unless: str = ""
    examples: tuple[Params, ...] = ({},)
    example: str = ""

    def of(self, vocabulary: str) -> tuple[str, str, str]:
        """The templates of title, detail and action."""
        parts: dict[str, str] = {}
        while vocabulary:
            if variant := self.variants.get(vocabulary):
                own = {name: text for name, text in structs.asdict(variant).items() if text is not None}
                parts = own | parts
            vocabulary = VOCABULARIES.get(vocabulary, "")
        return parts.get("title", self.title), parts.get("detail", self.detail), parts.get("action", self.action)
