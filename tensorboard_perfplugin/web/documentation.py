"""Where the package's metadata says that its documentation lies: for a person to open, no page asks for it itself."""

from __future__ import annotations

import re
from functools import cache
from importlib import metadata

_DISTRIBUTION = "tensorboard-perfplugin"


def columns_of(tool: str) -> str:
    """The place of a tool's columns; `.TABLE.COLUMN` or `.COLUMN` after it is that of one. Empty where unknown."""
    return _page("columns", tool)


def finding(code: str) -> str:
    """The place of a finding, as headings are spelt in addresses. Empty where unknown."""
    return _page("findings", re.sub(r"[^\w-]", "", code))


def _page(name: str, part: str) -> str:
    return f"{folder()}/{name}.md#{part}" if folder() else ""


@cache
def folder() -> str:
    """The `Documentation` of the package's metadata: a folder that holds the pages of docs/."""
    try:
        urls = metadata.metadata(_DISTRIBUTION).get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    known = dict(url.split(", ", 1) for url in urls if ", " in url)
    address = known.get("Documentation", "").rstrip("/")
    return address if address.startswith("https://") else ""
