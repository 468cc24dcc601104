"""Puts the wheel into every environment of `cells`, opens an XPlane and a trace in each, and captures; prints a table.

    python -m tests.matrix.run [WORD …]     only cells whose name holds one of the words

Exits with 1 where a cell failed. A Python that this machine lacks is reported as not available, never as passed.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.matrix.cells import CELLS, Cell

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "tests" / "samples"
WIDTHS = (32, 8, 12, 8, 9, 8, 8, 9, 5)
HEAD = ("environment", "python", "tensorboard", "numpy", "protobuf", "msgspec", "grpcio", "decoder", "s", "result")

#: Written into an environment: refuses a module to us alone.
REFUSAL = """\
import builtins
real = builtins.__import__
def refuse(name, globals=None, locals=None, fromlist=(), level=0):
    asks = (globals or {{}}).get("__name__") or ""
    if asks.startswith("tensorboard_perfplugin") and (name + ".").startswith("{module}."):
        raise ImportError("{module}: its binary does not load")
    return real(name, globals, locals, fromlist, level)
builtins.__import__ = refuse
"""


@dataclasses.dataclass(frozen=True)
class Outcome:
    cell: Cell
    result: str
    seconds: float = 0.0
    report: dict[str, str] = dataclasses.field(default_factory=dict)

    def row(self) -> tuple[str, ...]:
        known = [self.report.get(key, "") for key in HEAD[1:8]]
        known[0] = known[0] or self.cell.python
        return (self.cell.name, *known, f"{self.seconds:.0f}", self.result)


@cache
def interpreter(version: str) -> str | None:
    """A Python of that version that runs and makes environments: from PATH, or among pyenv's."""
    pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    for candidate in (f"python{version}", *map(str, pyenv)):
        if (
            shutil.which(candidate)
            and not subprocess.run([candidate, "-c", "import ensurepip"], capture_output=True).returncode
        ):
            return candidate
    return None


def run(command: Sequence[str | Path], **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **env}, check=False)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if "ERROR" in line), lines[-1] if lines else "no word on stderr")


@cache
def wheel(python: str, compiler: bool, store: Path) -> Path:
    """Our wheel for that Python, built from the source archive."""
    target = store / f"{python}-{compiler}"
    env = {} if compiler else {"CC": "/bin/false"}
    archive = next(store.glob("*.tar.gz"))
    done = run([interpreter(python) or "", "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", target, archive], **env)
    if done.returncode:
        sys.exit(f"the wheel for Python {python} does not build:\n{done.stderr}")
    return next(target.glob("*.whl"))


def open_in(cell: Cell, folder: Path, store: Path) -> Outcome:
    """Make the cell's environment in `folder`, install, probe."""
    base = interpreter(cell.python)
    if base is None:
        return Outcome(cell, f"not available: no Python {cell.python} here")
    run([base, "-m", "venv", folder])
    python = folder / "bin" / "python"
    wanted = [str(wheel(cell.python, cell.compiler, store)), *cell.requirements]
    installed = run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted])
    if installed.returncode:
        return Outcome(cell, f"FAILED to install: {last_line(installed)}")
    if cell.refused:
        packages = next(folder.glob("lib/*/site-packages"))
        (packages / "sitecustomize.py").write_text(REFUSAL.format(module=cell.refused))
    return judge(
        cell, run([python, Path(__file__).with_name("probe.py"), SAMPLES / "gpu_streams", SAMPLES / "torch_train"])
    )


def judge(cell: Cell, probed: subprocess.CompletedProcess[str]) -> Outcome:
    """What the probe's answer means for this cell."""
    if cell.refused:
        said = last_line(probed)
        named = probed.returncode and cell.refused in said and "TensorBoard ended" not in said
        return Outcome(cell, f"named: {said}" if named else f"FAILED to name {cell.refused}: {said}")
    if probed.returncode:
        return Outcome(cell, f"FAILED: {last_line(probed)}")
    report = json.loads(probed.stdout)
    if report["decoder"] != cell.decoder:
        return Outcome(cell, f"FAILED: decoder is {report['decoder']}, not {cell.decoder}", report=report)
    return Outcome(cell, f"opens beside {report['beside']}" if report["beside"] else "opens", report=report)


def line(cells: Sequence[str]) -> str:
    return "  ".join([*(text.ljust(width) for text, width in zip(cells, WIDTHS, strict=False)), cells[-1]])


def main(words: Sequence[str]) -> int:
    print(line(HEAD), flush=True)
    outcomes = []
    with tempfile.TemporaryDirectory() as store:
        made = run([sys.executable, "-m", "build", "--sdist", "--outdir", store, ROOT])
        if made.returncode:
            sys.exit(f"the source archive does not build:\n{made.stderr}")
        for cell in CELLS:
            if words and not any(word in cell.name for word in words):
                continue
            with tempfile.TemporaryDirectory() as folder:
                begin = time.monotonic()
                outcome = open_in(cell, Path(folder), Path(store))
            outcomes.append(dataclasses.replace(outcome, seconds=time.monotonic() - begin))
            print(line(outcomes[-1].row()), flush=True)
    failed, absent = (sum(o.result.startswith(word) for o in outcomes) for word in ("FAILED", "not available"))
    print(f"{len(outcomes) - failed - absent} as they should be, {failed} failed, {absent} not available")
    return int(failed > 0 or failed + absent == len(outcomes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
