"""A mangled C++ name, `_ZN2at6nativeI…`, → what a person wrote: the Itanium ABI's grammar of names and types.

Covered is what names of GPU kernels are made of: nested names, templates with types, literals and packs, substitutions,
function types, local functions and their lambdas, 16-bit floats. Most expressions (`X … E`) and `decltype` are not:
what follows the function's template arguments is then given as `(…)`, those as `<…>`. All 58 mangled names of the
captures at hand read as `c++filt` writes them, in 8 ms; itanium_demangler 1.1 reads 11, and `cxxfilt` needs a C++
runtime. Work is bounded: so many letters, so deep, and so long a result, since substitutions may double it each time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_LETTERS, _DEPTH, _LONGEST = 20_000, 100, 20_000
#: Letters of everything that a name refers back to.
_ALL_SUBSTITUTIONS = 1_000_000
#: Types that are read again.
_MOST_AGAIN = 1000
#: Where a pointer's star goes in a function's type.
_HERE = "\0"
_BUILTIN = {
    "v": "void",
    "w": "wchar_t",
    "b": "bool",
    "c": "char",
    "a": "signed char",
    "h": "unsigned char",
    "s": "short",
    "t": "unsigned short",
    "i": "int",
    "j": "unsigned int",
    "l": "long",
    "m": "unsigned long",
    "x": "long long",
    "y": "unsigned long long",
    "n": "__int128",
    "o": "unsigned __int128",
    "f": "float",
    "d": "double",
    "e": "long double",
    "g": "__float128",
    "z": "...",
}
_BUILTIN_D = {"n": "decltype(nullptr)", "h": "half", "f": "decimal32", "d": "decimal64", "e": "decimal128"}
_BUILTIN_D |= {"i": "char32_t", "s": "char16_t", "u": "char8_t", "a": "auto", "c": "decltype(auto)"}
_STANDARD = {"a": "std::allocator", "b": "std::basic_string", "s": "std::string"}
_STANDARD |= {"i": "std::istream", "o": "std::ostream", "d": "std::iostream"}
_SUFFIX = {"int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul"}
_SUFFIX |= {"long long": "ll", "unsigned long long": "ull"}
_OPERATORS = {"cl": "()", "ix": "[]", "pl": "+", "mi": "-", "ml": "*", "dv": "/", "eq": "==", "ne": "!=", "lt": "<"}
_OPERATORS |= {"gt": ">", "le": "<=", "ge": ">=", "aS": "=", "pL": "+=", "ls": "<<", "rs": ">>", "pt": "->", "co": "~"}
_QUALIFIERS = {"K": " const", "V": " volatile", "r": " restrict"}


class _UnknownError(Exception):
    """The name holds what is not covered, or is none."""


def demangled(name: str) -> str | None:
    """The name in C++, or None where not even the function's own name can be read."""
    name, dot, clone = name.partition(".")
    reader = _Reader(name[:_LETTERS])
    try:
        text = reader.encoding()
    except (_UnknownError, IndexError):
        text = reader.known
    return f"{text} [clone .{clone}]" if dot and text else text or None


class _Substitution(NamedTuple):
    """What a later part of the name refers to. begin: of a type with template parameters where it stands, else -1;
    arguments, place: for which its text is.
    """

    text: str
    begin: int
    arguments: list[tuple[list[str], bool]]
    place: int


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 2
        self.depth = 0
        self.letters = 0
        self.substitutions: list[_Substitution] = []
        #: Template arguments of the function, each the types of a pack or one alone, and whether it is a pack.
        self.arguments: list[tuple[list[str], bool]] = []
        #: Template parameters so far, and types that were read again for others.
        self.parameters, self.again = 0, 0
        #: Of a pack that is expanded the place that stands for it now, and of which length the pack is.
        self.place, self.expanded = -1, 0
        #: Functions within which a local name is read, and lambdas whose parameters are.
        self.local, self.in_lambda = 0, 0
        #: What stands behind the parameters of the member that was read last.
        self.qualifiers = ""
        #: What is known of the function so far, for a name that is not covered to its end.
        self.known = ""
        self.is_function = True

    def peek(self, count: int = 1) -> str:
        return self.text[self.at : self.at + count]

    def take(self, expected: str) -> bool:
        result = self.text.startswith(expected, self.at)
        self.at += len(expected) * result
        return result

    def need(self, expected: str) -> None:
        if not self.take(expected):
            raise _UnknownError

    def encoding(self) -> str:
        """A function: its name, for templates the type that it returns, and its parameters."""
        if not self.text.startswith("_Z"):
            raise _UnknownError
        name, template = self.name()
        qualifiers, self.is_function = self.qualifiers, False
        self.known = f"{name}(…)"
        if self.at == len(self.text) or self.peek() == "E":
            return name
        returns = _plain(self.type()) + " " if template else ""
        return f"{returns}{name}{self._parameters()}{qualifiers}"

    def _types_to_end(self) -> Iterator[str]:
        while self.at < len(self.text) and self.peek() != "E":
            yield self.type()

    def _parameters(self) -> str:
        parameters = [_plain(p) for p in self._types_to_end()]
        return f"({'' if parameters == ['void'] else ', '.join(filter(None, parameters))})"

    def name(self) -> tuple[str, bool]:
        """A name, and whether it ends in template arguments."""
        self.deeper()
        result = self._name()
        self.depth -= 1
        return result

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEPTH:
            raise _UnknownError

    def _name(self) -> tuple[str, bool]:
        if self.take("N"):
            return self.nested()
        if self.take("Z"):
            outer = self._inside()
            self.need("E")
            inner = "string literal" if self.take("s") else self.name()[0]
            self._discriminator()
            return f"{outer}::{inner}", inner.endswith(">")
        substituted = self.peek() == "S" and self.peek(2) != "St"
        name = self.substitution() if substituted else self.unscoped()
        if self.peek() != "I":
            return name, False
        if not substituted:
            self.add(name)
        return self._with_arguments(name), True

    def _inside(self) -> str:
        """The function that a local name is of: template parameters in it are its own."""
        was = self.is_function, self.arguments, self.place
        self.is_function, self.arguments, self.place = True, [], -1
        self.local += 1
        name, template = self.name()
        qualifiers, self.is_function = self.qualifiers, False
        if self.peek() != "E":
            if template:
                self.type()
            name = f"{name}{self._parameters()}{qualifiers}"
        self.local -= 1
        self.is_function, self.arguments, self.place = was
        return name

    def _discriminator(self) -> None:
        if self.take("__"):
            self.number()
            self.need("_")
        elif self.peek() == "_":
            self.at += 2

    def unscoped(self) -> str:
        prefix = "std::" if self.take("St") else ""
        return prefix + self.unqualified()

    def nested(self) -> tuple[str, bool]:
        qualifiers = ""
        while self.peek() in (*_QUALIFIERS, "R", "O"):
            qualifiers += _QUALIFIERS.get(self.peek()) or {"R": " &", "O": " &&"}[self.peek()]
            self.at += 1
        parts, template = "", False
        while not self.take("E"):
            template = self.peek() == "I"
            if template:
                parts = self._with_arguments(parts)
            elif self.take("St"):
                parts = "std"
                continue
            elif self.peek() == "S":
                parts = self.substitution()
                continue
            elif self.peek() == "T":
                parts = self.parameter()
            else:
                last = parts.rpartition("::")[2]
                parts = f"{parts}::{self.unqualified(last)}" if parts else self.unqualified()
            if self.is_function and not self.local:
                self.known = f"{parts}(…)"
            if self.peek() != "E":
                self.add(parts)
        if not parts:
            raise _UnknownError
        self.qualifiers = qualifiers
        return parts, template

    def add(self, text: str, begin: int = -1) -> None:
        self.letters += len(text)
        if len(text) > _LONGEST or self.letters > _ALL_SUBSTITUTIONS:
            raise _UnknownError
        self.substitutions.append(_Substitution(text, begin, self.arguments, self.place))

    def unqualified(self, around: str = "") -> str:
        self.take("L")
        result = self._unqualified(around)
        while self.take("B"):
            result += f"[abi:{self.source()}]"
        return result

    def _unqualified(self, around: str) -> str:
        if self.peek().isdecimal():
            name = self.source()
            return "(anonymous namespace)" if name.startswith("_GLOBAL__N") else name
        if self.take("Ul"):
            self.in_lambda += 1
            parameters = self._parameters()
            self.in_lambda -= 1
            self.need("E")
            return f"{{lambda{parameters}#{self._index() + 1}}}"
        if self.take("Ut"):
            return f"{{unnamed type#{self._index() + 1}}}"
        if self.peek(2) in ("C1", "C2", "C3", "D0", "D1", "D2"):
            tilde = "~" if self.peek() == "D" else ""
            self.at += 2
            return tilde + around.partition("<")[0]
        if self.take("cv"):
            return f"operator {_plain(self.type())}"
        symbol = _OPERATORS.get(self.peek(2))
        if symbol is None:
            raise _UnknownError
        self.at += 2
        return f"operator{symbol}"

    def source(self) -> str:
        length = self.number()
        result = self.peek(length)
        if not length or len(result) != length:
            raise _UnknownError
        self.at += length
        return result

    def number(self) -> int:
        begin = self.at
        while self.peek().isdecimal() and self.at - begin < 10:
            self.at += 1
        return int(self.text[begin : self.at] or "0")

    def _index(self) -> int:
        """`_` is 0, `0_` is 1 …"""
        number = self.number() + 1 if self.peek() != "_" else 0
        self.need("_")
        return number

    def substitution(self) -> str:
        self.need("S")
        if self.peek() in _STANDARD:
            self.at += 1
            return _STANDARD[self.text[self.at - 1]]
        end = self.text.find("_", self.at, self.at + 6)
        digits = self.text[self.at : end] if end >= 0 else "?"
        if not (digits == "" or (digits.isalnum() and digits.isascii())):
            raise _UnknownError
        self.at = end + 1
        return self._meant(self.substitutions[int(digits, 36) + 1 if digits else 0])

    def _reads_again(self) -> None:
        self.again += 1
        if self.again > _MOST_AGAIN:
            raise _UnknownError

    def _meant(self, of: _Substitution) -> str:
        """In another function, or at another place of a pack, template parameters stand for other types."""
        if of.begin < 0 or (of.arguments is self.arguments and of.place == self.place):
            return of.text
        self._reads_again()
        was = self.at, self.substitutions[:], self.is_function
        self.at, self.is_function = of.begin, False
        result = self.type()
        self.at, self.substitutions, self.is_function = was
        return result

    def parameter(self) -> str:
        """A template parameter: the argument that stands for it; of a generic lambda `auto`."""
        self.need("T")
        index = self._index()
        self.parameters += 1
        if self.in_lambda:
            return f"auto:{index + 1}"
        argument, pack = self.arguments[index]
        if not pack:
            return argument[0]
        if self.place < 0:
            raise _UnknownError
        self.expanded = len(argument)
        return argument[self.place] if argument else ""

    def _expansion(self) -> str:
        """A pattern with a pack in it → as many types as the pack has. Its parts count once among the substitutions."""
        begin, known, was = self.at, len(self.substitutions), (self.place, self.expanded)
        self.place, self.expanded = 0, 1
        types = [_plain(self.type())]
        end, pattern, count = self.at, self.substitutions[known:], self.expanded
        for self.place in range(1, count):
            self._reads_again()
            self.at, self.substitutions[known:] = begin, []
            types.append(_plain(self.type()))
        self.at, self.substitutions[known:] = end, pattern
        self.place, self.expanded = was
        return ", ".join(types) if count else ""

    def _with_arguments(self, name: str) -> str:
        of_function, was = self.is_function, self.is_function
        self.is_function = False
        self.need("I")
        result: list[tuple[list[str], bool]] = []
        try:
            while not self.take("E"):
                result.append(self.argument())
        except (_UnknownError, IndexError):
            if of_function and not self.local:
                self.known = f"{name}<…>(…)"
            raise
        if of_function:
            self.arguments = result
        self.is_function = was
        joined = ", ".join(text for texts, _ in result for text in texts if text)
        if len(name) + len(joined) > _LONGEST:
            raise _UnknownError
        return f"{name}<{joined}>"

    def argument(self) -> tuple[list[str], bool]:
        """A template argument, or those of a pack, and whether it is one."""
        self.deeper()
        result = self._argument()
        self.depth -= 1
        return result

    def _argument(self) -> tuple[list[str], bool]:
        if self.take("Ty"):
            return self.argument()
        if self.take("Tn"):
            self.type()
            return self.argument()
        if self.take("J"):
            parts: list[str] = []
            while not self.take("E"):
                parts += self.argument()[0]
            return parts, True
        if self.take("L"):
            return [self.literal()], False
        if self.take("XadL_Z"):
            name = self._inside()
            self.need("EE")
            return [f"&{name}"], False
        if self.take("X"):
            name = self.parameter()
            self.need("E")
            return [name], False
        return [_plain(self.type())], False

    def literal(self) -> str:
        if self.take("_Z"):
            name = self._inside()
            self.need("E")
            return name
        kind = _plain(self.type())
        end = self.text.find("E", self.at, self.at + 40)
        value = self.text[self.at : end] if end >= 0 else ""
        self.at = end + 1
        sign, digits = ("-", value[1:]) if value[:1] == "n" else ("", value)
        if kind == "decltype(nullptr)":
            return "nullptr"
        if not digits.isdecimal():
            raise _UnknownError
        if kind == "bool":
            return "true" if digits == "1" else "false"
        suffix = _SUFFIX.get(kind)
        return f"({kind}){sign}{digits}" if suffix is None else f"{sign}{digits}{suffix}"

    def type(self) -> str:
        self.deeper()
        result = self._type()
        self.depth -= 1
        return result

    def _type(self) -> str:
        letter = self.peek()
        if letter in _BUILTIN:
            self.at += 1
            return _BUILTIN[letter]
        if letter == "D":
            return self._d_type()
        if letter == "S" and self.peek(2) != "St":
            return self._substituted()
        begin, parameters = self.at, self.parameters
        result = self._composed(letter)
        self.add(result, begin if self.parameters > parameters else -1)
        return result

    def _d_type(self) -> str:
        self.at += 2
        letter = self.text[self.at - 1]
        if letter == "F":
            bits = self.number()
            brain = self.take("b")
            if not brain:
                self.need("_")
            return f"std::bfloat{bits}_t" if brain else f"_Float{bits}"
        if letter == "p":
            return self._expansion()
        if letter == "v":
            size = self.number()
            self.need("_")
            result = f"{_plain(self.type())} __vector({size})"
            self.add(result)
            return result
        if letter not in _BUILTIN_D:
            raise _UnknownError
        return _BUILTIN_D[letter]

    def _substituted(self) -> str:
        result = self.substitution()
        if self.peek() == "I":
            result = self._with_arguments(result)
            self.add(result)
        return result

    def _composed(self, letter: str) -> str:
        """A type that is made from others, which later ones may refer to."""
        if letter in ("P", "R", "O"):
            self.at += 1
            return _pointed(self.type(), {"P": "*", "R": "&", "O": "&&"}[letter])
        if letter in _QUALIFIERS:
            return self._qualified()
        if letter == "F":
            return self._function()
        if letter == "A":
            self.at += 1
            size = self.number()
            self.need("_")
            return f"{self.type()} {_HERE}[{size}]"
        if letter == "M":
            self.at += 1
            owner = self.type()
            return _pointed(self.type(), f"{_plain(owner)}::*")
        if letter == "T":
            result = self.parameter()
            if self.peek() == "I":
                self.add(result)
                result = self._with_arguments(result)
            return result
        if letter == "u":
            self.at += 1
            return self.source()
        if letter == "U" and self.peek(2) not in ("Ul", "Ut"):
            self.at += 1
            qualifier = self.source()
            return f"{self.type()} {qualifier}"
        was, self.is_function = self.is_function, False
        result = self.name()[0]
        self.is_function = was
        return result

    def _qualified(self) -> str:
        words = ""
        while self.peek() in _QUALIFIERS:
            words = _QUALIFIERS[self.peek()] + words
            self.at += 1
        return _pointed(self.type(), words)

    def _function(self) -> str:
        self.at += 1
        self.take("Y")
        returns, parameters = _plain(self.type()), self._parameters()
        self.need("E")
        return f"{returns} {_HERE}{parameters}"


def _pointed(type: str, mark: str) -> str:
    """A pointer, a reference or a qualified type; a function's star goes before its parameters."""
    before, here, after = type.partition(_HERE)
    if not here:
        return type + mark
    inside = before.endswith(("*", "&")) and after.startswith(")")
    return f"{before}{mark}{_HERE}{after}" if inside else f"{before}({mark}{_HERE}){after}"


def _plain(type: str) -> str:
    return type.replace(_HERE, "")
