"""A kernel's name → a short one."""

from __future__ import annotations

import re

#: So much of a name is looked at; the longest real ones have some ten thousand letters.
_HEAD = 20_000
_SHORT = 120
#: Functions of libraries that run whatever class their first template argument is …
_RUNS_ANY = ("device_kernel", "kentry", "Kernel", "Kernel2", "kernel_entry")
#: … which may be wrapped by what allows it on some devices only.
_FIRST_ARGUMENT = re.compile(r"<\s*(?:[\w:]*enable_\w+\s*<\s*)?(?:\d+,\s*|true,\s*|false,\s*)*(?:\w+::)*([A-Za-z_]\w+)")
#: Libraries that put the operation into a template argument or a parameter's name.
_CUTLASS = re.compile(r"(?:cutlass\w*|cute|device_kernel)\b[^<]*<\s*(?:[\w:]*::)?(cutlass\w*?_\w+)")
_TENSILE = re.compile(r"(Cijk_\w+?_MT\d+x\d+x\d+)")
_NAMELESS = re.compile(r"\(anonymous namespace\)|\(anonymous\)")
_LAMBDA = re.compile(r"\{lambda[^{}]*\}")


def short(name: str) -> str:
    """The function's own name, of a name as `kernel_name` gives it: `void at::f<int>(int*)` → `f`."""
    head = name[:_HEAD]
    if match := _TENSILE.search(head) or _CUTLASS.search(head):
        return match[1][:_SHORT]
    if head.isidentifier():
        return head[:_SHORT]
    plain = _flat(_LAMBDA.sub("lambda", _NAMELESS.sub("", head)).replace("operator()", "operator"))
    last = plain.strip().rpartition(" ")[2].rpartition("::")
    base = last[2] or last[0].rpartition("::")[2]
    if base in ("kernel", "Kernel", "operator", "type", "run") and "::" in last[0] + last[1]:
        base = f"{last[0].rpartition('::')[2]}::{base}".removeprefix("::")
    if base in _RUNS_ANY and (match := _FIRST_ARGUMENT.search(head)):
        base = match[1]
    return base[:_SHORT] or head[:_SHORT]


def _flat(name: str) -> str:
    """Without what stands in angle brackets, and from the first parameter on."""
    out: list[str] = []
    depth = 0
    for part in re.split(r"([<>(])", name):
        if part == "<":
            depth += 1
        elif part == ">":
            depth = max(depth - 1, 0)
        elif part == "(" and not depth:
            if "".join(out).strip():
                break
        elif not depth:
            out.append(part)
    return "".join(out)
