"""`python -m tests.programs OUT PROGRAM[:CAUSE][:unmarked][:python] …`: run them, each into `OUT/<all that, by _>`.

One process runs several, since the import of a framework takes longer than a program.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tests.programs import jax_loop, keras_fit, keras_memory, tf1_session, tf_data, tf_loop, two_workers, xla_buffers

PROGRAMS: dict[str, Any] = {
    "keras_fit": keras_fit,
    "keras_memory": keras_memory,
    "tf1_session": tf1_session,
    "tf_loop": tf_loop,
    "tf_data": tf_data,
    "jax_loop": jax_loop,
    "two_workers": two_workers,
    "xla_buffers": xla_buffers,
}


def run(out: Path, spec: str) -> None:
    name, *words = spec.split(":")
    program, flags = PROGRAMS[name], {}
    if "unmarked" in words:
        flags["marked"] = False
    if "python" in words:
        flags["python"] = True
    [cause] = [word for word in words if word not in ("unmarked", "python")] or ["none"]
    if cause not in program.CAUSES:
        raise SystemExit(f"{name} has no cause {cause!r}: {', '.join(program.CAUSES)}")
    program.main(out / spec.replace(":", "_"), cause, **flags)


def main() -> None:
    out, *specs = sys.argv[1:]
    for spec in specs:
        run(Path(out).resolve(), spec)


if __name__ == "__main__":
    main()
