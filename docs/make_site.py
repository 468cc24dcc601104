"""What `mkdocs build` asks beside mkdocs.yml: pages from outside of docs/ or generated, links as GitHub reads them."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

from tensorboard_perfplugin.reference import columns, findings

ROOT = Path(__file__).parents[1]
#: Page of the site → its file in the repository, for those that are not of docs/.
OUTSIDE = {
    "index.md": "README.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "http_api.md": "tensorboard_perfplugin/web/http_api.md",
}
#: Page of the site → what makes it. In docs/ a link to it leads to `reference.md`, with the command that prints its
#: part as the link's title: `[…](reference.md#columns "perfplugin columns op_stats")`.
GENERATED = {"columns.md": columns.page, "findings.md": findings.page}
LINK = re.compile(r'(?P<mark>!?\[[^]]*\])\((?P<target>[^)#\s]+)(?P<part>#[^)\s]*)?(?P<title> "[^"]*")?\)')
PRINTED = re.compile(r' "perfplugin (columns|findings)( \S+)?"')


def on_config(config: Any, **_: Any) -> Any:
    config.mdx_configs["toc"] = {"slugify": slug, "permalink": False}
    return config


def on_files(files: Any, config: Any, **_: Any) -> Any:
    for page, path in OUTSIDE.items():
        files.append(File.generated(config, page, content=(ROOT / path).read_text("utf-8")))
    for page, made in GENERATED.items():
        files.append(File.generated(config, page, content=made()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    return as_python_markdown(led(markdown, page.file.src_uri, source()))


def led(markdown: str, page: str, source: str) -> str:
    """Links to files of the repository → to the site's page of that file, or else to the repository."""
    folder = posixpath.dirname(OUTSIDE.get(page, f"docs/{page}"))
    pages = {path: name for name, path in OUTSIDE.items()}

    def other(link: re.Match[str]) -> str:
        if re.match(r"\w+:", link["target"]):
            return link[0]
        path = posixpath.normpath(posixpath.join(folder, link["target"]))
        if printed := PRINTED.fullmatch(link["title"] or ""):
            return f"{link['mark']}({printed[1]}.md{'#' + slug(printed[2]) if printed[2] else ''})"
        there = pages.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else f"{source}/{path}")
        return f"{link['mark']}({there}{link['part'] or ''}{link['title'] or ''})"

    return LINK.sub(other, markdown)


def as_python_markdown(markdown: str) -> str:
    """Breaks of a line, which it ends in two spaces, outside of code."""
    parts = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        part if part.startswith("```") else re.sub(r" \\$", "  ", part, flags=re.MULTILINE) for part in parts
    )


def slug(heading: str, separator: str = "-") -> str:
    """As GitHub spells a heading in an address."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", separator)


def source() -> str:
    """Where files of the repository are read."""
    (found,) = re.findall(r'^Source = "(.*)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    return f"{found}/blob/main"
