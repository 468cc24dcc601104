"""Texts of XLA programs beside this file → the same as messages (HloProto), by XLA's own parser.

    .venv-frameworks/bin/python -m tests.timeline.programs.text.make_programs

What XLA then writes of each must be the text: a text is both what a test reads and what it expects.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
NAMES = ("opcodes", "types")


def main() -> int:
    from jaxlib import _hlo  # type: ignore[import-not-found]

    for name in NAMES:
        text = (HERE / f"{name}.txt").read_text()
        module = _hlo.hlo_module_from_text(text)
        if module.to_string(_hlo.HloPrintOptions()).strip() != text.strip():
            sys.exit(f"{name}.txt is not as XLA writes it")
        message = module.as_serialized_hlo_module_proto()
        (HERE / f"{name}.pb").write_bytes(b"\x0a" + _varint(len(message)) + message)
    return 0


def _varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _varint(value >> 7)


if __name__ == "__main__":
    sys.exit(main())
