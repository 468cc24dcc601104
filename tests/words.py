"""`python -m tests.words`: words that read oddly where no person is meant, each with file, line and plainer words.

Reads Python sources, the documents and the sources of the front end, identifiers included: `_told`, `SAID`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
#: Word → what to write instead.
PLAINER = {
    "told": "reported, distinguished, given; of text: rendered",
    "untold": "unattributed, not reported",
    "said": "reported, stated; of text: rendered",
    "whoever": "the caller, any user, the one that",
    "nobody": "no one, none, nothing, unused",
    "who": "which, the one that, the caller",
}
READ = ("tensorboard_perfplugin/**.py", "docs/*.md", "README.md", "CONTRIBUTING.md", "frontend/src/**.ts*")
#: File → phrases that stay.
KEPT: dict[str, tuple[str, ...]] = {
    # A person is meant.
    "docs/security.md": (
        "Who is trusted",
        "| who |",
        "user who starts",
        "operator who sets",
        "whoever can",
    ),
    "tensorboard_perfplugin/web/capture.py": ("the user who runs TensorBoard",),
    # Sentences of findings, about processes and ranks.
    "tensorboard_perfplugin/advice/text/compare.py": ("A change is told by",),
    "tensorboard_perfplugin/advice/text/functions.py": ("show who asks for it", "is who the others wait for"),
    "tensorboard_perfplugin/advice/text/hosts.py": (
        "nobody to compare arrival with",
        "show who came late",
        "nobody is last",
        "without waiting for who ",
    ),
    "tensorboard_perfplugin/advice/text/input.py": ("What is said of the other steps",),
    "tensorboard_perfplugin/advice/text/memory.py": ("who allocated is not known",),
    "tensorboard_perfplugin/advice/text/step_causes.py": ("Said where more forward passes",),
    "tensorboard_perfplugin/advice/text/steps.py": ("the one that is told.",),
    "tensorboard_perfplugin/advice/text/trace.py": ("Nobody: all",),
    # A key in JSON.
    "tensorboard_perfplugin/cli/gate.py": ('"said": o.detail',),
}
_WORD = re.compile(rf"(?<![a-zA-Z])({'|'.join(PLAINER)})(?![a-zA-Z])", re.IGNORECASE)


def odd_words(text: str, allowed: Iterable[str] = ()) -> Iterator[tuple[int, str]]:
    """Number of line and word. allowed: phrases that stay, as they stand within a line."""
    for number, line in enumerate(text.splitlines(), 1):
        for phrase in allowed:
            line = line.replace(phrase, "")
        yield from ((number, match[0]) for match in _WORD.finditer(line))


def unused(kept: Mapping[str, Iterable[str]], texts: Mapping[str, str]) -> Iterator[str]:
    """Phrases that are kept and stand in no line any more."""
    yield from (f"{file}: no {phrase!r}" for file in kept for phrase in kept[file] if phrase not in texts.get(file, ""))


def main() -> int:
    listed = subprocess.run(["git", "ls-files", *READ], cwd=ROOT, capture_output=True, text=True, check=True)
    texts = {name: (ROOT / name).read_text() for name in listed.stdout.split("\n") if name and (ROOT / name).exists()}
    problems = [
        f"{name}:{number}: {word}: {PLAINER[word.lower()]}"
        for name, text in texts.items()
        for number, word in odd_words(text, KEPT.get(name, ()))
    ]
    problems += unused(KEPT, texts)
    sys.stdout.write("".join(f"{problem}\n" for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
