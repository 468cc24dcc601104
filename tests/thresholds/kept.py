"""What became of earlier changes, a line each: a run that was ended goes on from there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.thresholds.mutants import Mutant
from tests.thresholds.reach import digest

NOTICED, SURVIVED, UNTESTED, BROKEN = "noticed", "survived", "untested", "broken"


class Told(NamedTuple):
    """What became of a change: how many tests ran, and by which it was noticed."""

    what: str
    ran: int
    by: str = ""


class Kept:
    def __init__(self, path: Path, root: Path) -> None:
        self.path, self.root = path, root
        self.known: dict[str, Told] = {}
        self.read()

    def read(self) -> None:
        """Also what another process has kept since."""
        if self.path.is_file():
            for line in self.path.read_text().splitlines():
                key, *told = json.loads(line)
                self.known[key] = Told(*told)

    def keep(self, mutant: Mutant, tests: Iterable[str], told: Told) -> None:
        """What a test has noticed it notices again, whichever tests are the nearest then."""
        key = self._key(mutant, () if told.what == NOTICED and "::" in told.by else tests)
        if told.what == NOTICED and "::" in told.by:
            self._write(self._key(mutant, [told.by]), told)
        self._write(key, told)

    def of(self, mutant: Mutant, tests: Iterable[str]) -> Told | None:
        noticed = self.known.get(self._key(mutant, ()))
        if noticed and self.known.get(self._key(mutant, [noticed.by])) == noticed:
            return noticed
        return self.known.get(self._key(mutant, tests))

    def _write(self, key: str, told: Told) -> None:
        self.known[key] = told
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps([key, *told]) + "\n")

    def _key(self, mutant: Mutant, tests: Iterable[str]) -> str:
        """Of the change, its module and the text of its tests: the same again has the same end."""
        parts = [mutant.constant.dotted, mutant.change, digest(mutant.constant.path), *tests]
        parts += [digest(self.root / name) for name in sorted({test.split("::")[0] for test in tests})]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]
