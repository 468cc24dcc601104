"""Names of functions as PyTorch's tracer of Python writes them → as those of TensorFlow and JAX do.

`/src/train.py(12): step` → `$train.py:12 step`, `<built-in method acquire of _thread.lock object at 0x7f>` →
`$_thread acquire`, `nn.Module: Linear_0` → `$nn.Module Linear_0`.
"""

from __future__ import annotations

import re

from ...tables import kept_by_text

_OF_A_FILE = re.compile(r"(?:.*[/\\])?([^/\\]+)\((\d{1,9})\): (.+)", re.DOTALL)
_BUILT_IN = re.compile(r"<built-in (?:method|function) (\S*)(?: of (\S+) .*)?>", re.DOTALL)
_LOCK = re.compile(r"\.R?[lL]ock$")
_MODULE = "nn.Module: "
#: Of a name only so much is looked at.
_HEAD = 1000


@kept_by_text
def python_name(name: str) -> str:
    """The empty text where a name is no function's of Python."""
    if name.startswith(_MODULE):
        return "$" + name.replace(": ", " ", 1)
    head = name[:_HEAD]
    if match := _OF_A_FILE.fullmatch(head):
        return f"${match[1]}:{match[2]} {match[3]}"
    if match := _BUILT_IN.fullmatch(head):
        return f"${_LOCK.sub('', match[2] or 'builtins')} {match[1]}"
    return ""
