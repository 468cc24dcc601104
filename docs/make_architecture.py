"""`python docs/make_architecture.py`: the package's imports → docs/architecture.svg, its rooms in layers with arrows.

A room is a folder or a module at the top of the package. It stands one layer above the highest room that it imports;
rooms that import none are the bar at the bottom. An arrow is drawn where no chain of other arrows says the same; the
other imports are listed in the box. The comment at the end of the file holds all of it as JSON.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "tensorboard_perfplugin"
PICTURE = DOCS / "architecture.svg"
#: Files of the package's root that belong to no room.
_NO_ROOM = ("__init__", "__main__", "_version")
_MARGIN, _GAP, _LINE, _ROW = 20, 22, 15, 62
_STYLE = """
svg { font: 12px system-ui, sans-serif; }
.paper { fill: #ffffff; } .room { fill: #f3f6fa; stroke: #8496ab; } .leaf { fill: #eef0ee; stroke: #93a093; }
text { fill: #1c2733; text-anchor: middle; }
.name { font-weight: 600; font-size: 14px; } .more { fill: #51606f; font-size: 11px; }
path { fill: none; stroke: #6c7d90; stroke-width: 1.3; } marker path { fill: #6c7d90; stroke: none; }
@media (prefers-color-scheme: dark) {
.paper { fill: #12171d; } .room { fill: #1e2833; stroke: #66788c; } .leaf { fill: #222a25; stroke: #6a7a6a; }
text { fill: #e4eaf0; } .more { fill: #a9b6c3; } path { stroke: #8b9caf; } marker path { fill: #8b9caf; }
}
"""
_HEAD = (
    '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0,0 8,4 0,8z"/></marker>'
)


class Box(NamedTuple):
    """Where a room is drawn, and the lines of its text after the name."""

    x: float
    y: float
    width: float
    height: float
    lines: list[str]


class Rooms(NamedTuple):
    """modules: room → how many; folders: room → its folders; imports: (importer, imported) → how many modules do so."""

    modules: dict[str, int]
    folders: dict[str, list[str]]
    imports: dict[tuple[str, str], int]

    def layers(self) -> list[list[str]]:
        """Rooms by height; the first layer imports nothing."""
        heights: dict[str, int] = {}
        while len(heights) < len(self.modules):
            ready = [r for r in self.modules if r not in heights and self.imported(r) <= heights.keys()]
            if not ready:
                raise ValueError(f"rooms import each other in a circle: {sorted(self.modules.keys() - heights.keys())}")
            heights |= {r: 1 + max((heights[d] for d in self.imported(r)), default=-1) for r in ready}
        return [sorted(r for r in heights if heights[r] == level) for level in range(max(heights.values()) + 1)]

    def imported(self, room: str) -> set[str]:
        return {target for source, target in self.imports if source == room}

    def reached(self, room: str) -> set[str]:
        """What a room imports, and what these import."""
        direct = self.imported(room)
        return direct.union(*map(self.reached, direct)) if direct else direct

    def arrows(self) -> list[tuple[str, str]]:
        """Imports that no chain of others implies, but for those of the lowest layer."""
        leaves = self.layers()[0]
        return [
            (source, target)
            for source, target in sorted(self.imports)
            if target not in leaves and not any(target in self.reached(d) for d in self.imported(source))
        ]


def main() -> None:
    PICTURE.write_text(picture(rooms_of(PACKAGE)))


def facts_in(svg: str) -> dict[str, list[str]]:
    """The rooms and arrows in the comment of a picture, without counts, which change with every import."""
    data = json.loads(svg.rpartition("<!--")[2].partition("-->")[0])
    return {"rooms": sorted(data["rooms"]), "imports": sorted(data["imports"])}


def rooms_of(package: Path) -> Rooms:
    paths = [path for path in sorted(package.rglob("*.py")) if room_of(path, package) not in _NO_ROOM]
    modules = Counter(room_of(path, package) for path in paths)
    inner = {path.relative_to(package).parts[:2] for path in paths if len(path.relative_to(package).parts) > 2}
    folders = {room: sorted(parts[1] for parts in inner if parts[0] == room) for room in modules}
    imports: Counter[tuple[str, str]] = Counter()
    for path in paths:
        source = room_of(path, package)
        imports.update((source, target) for target in imported_by(path, package) & modules.keys() - {source})
    return Rooms(dict(modules), folders, dict(imports))


def room_of(path: Path, package: Path) -> str:
    return path.relative_to(package).parts[0].removesuffix(".py")


def imported_by(path: Path, package: Path) -> set[str]:
    """Names directly below the package that a file imports from, type-only imports included."""
    folder = [package.name, *path.relative_to(package).parts[:-1]]
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = folder[: len(folder) - node.level + 1] if node.level else []
            names += [".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names]
    return {parts[1] for parts in (name.split(".") for name in names) if parts[0] == package.name and len(parts) > 1}


def picture(rooms: Rooms) -> str:
    layers = rooms.layers()
    ways = ways_of(rooms, layers)
    boxes = placed(rooms, layers, ways)
    left = min(box.x for box in boxes.values()) - _MARGIN
    width = max(box.x + box.width for box in boxes.values()) + _MARGIN - left
    height = max(box.y + box.height for box in boxes.values()) + _MARGIN
    facts = {"rooms": rooms.modules, "imports": {f"{a} > {b}": n for (a, b), n in sorted(rooms.imports.items())}}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} 0 {width:.0f} {height:.0f}" role="img">',
        "<title>Rooms of the package and the imports between them</title>",
        f"<style>{_STYLE}</style>",
        f"<defs>{_HEAD}</defs>",
        rectangle("paper", left, 0, width, height),
        *(line for way in ways for line in drawn_arrow(way, ways, boxes, rooms)),
        *(line for room in rooms.modules for line in drawn_box(room, boxes[room], rooms, room in layers[0])),
        f"<!-- {json.dumps(facts)} -->",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def ways_of(rooms: Rooms, layers: list[list[str]]) -> list[list[str]]:
    """The arrows, each as the names on its way: its two rooms, and a gap in every layer that it passes between them."""
    height = {room: level for level, layer in enumerate(layers) for room in layer}
    return [
        [a, *(f"{a} > {b} in {level}" for level in range(height[a] - 1, height[b], -1)), b] for a, b in rooms.arrows()
    ]


def placed(rooms: Rooms, layers: list[list[str]], ways: list[list[str]]) -> dict[str, Box]:
    """A box for every room and gap: layers from the top, centred at x = 0, in the order of what leads there."""
    boxes: dict[str, Box] = {}
    top = float(_MARGIN)
    for level, layer in reversed(list(enumerate(layers))):
        texts = {room: text_of(room, rooms, leaf=level == 0) for room in layer}
        widths = {room: max(96.0, *(6.2 * len(line) + 18 for line in [room + " 000", *texts[room]])) for room in layer}
        widths |= {name: 1.0 for way in ways for name in way[1:-1] if name.endswith(f" in {level}")}
        left = -(sum(widths.values()) + _GAP * (len(widths) - 1)) / 2
        height = 28 + _LINE * max(map(len, texts.values()))
        for name in sorted(widths, key=lambda name: (middle_above(name, ways, boxes), name)):
            boxes[name] = Box(left, top, widths[name], height, texts.get(name, []))
            left += widths[name] + _GAP
        top += height + _ROW
    return boxes


def middle_above(name: str, ways: list[list[str]], boxes: dict[str, Box]) -> float:
    above = [boxes[way[way.index(name) - 1]] for way in ways if name in way[1:]]
    return sum(box.x + box.width / 2 for box in above) / len(above) if above else 0.0


def text_of(room: str, rooms: Rooms, leaf: bool) -> list[str]:
    """The lines below a room's name: its folders, and the imports without an arrow."""
    if leaf:
        return [f"imported by {sum(target == room for _, target in rooms.imports)} rooms"]
    arrows = rooms.arrows()
    others = [f"{b} {n}" for (a, b), n in sorted(rooms.imports.items()) if a == room and (a, b) not in arrows]
    return [*wrapped(rooms.folders[room], ""), *wrapped(others, "also imports ")]


def wrapped(words: list[str], before: str, width: int = 30) -> Iterator[str]:
    line = before
    for i, word in enumerate(words):
        piece = word + (", " if i + 1 < len(words) else "")
        if len(line) + len(piece) > width and line != before:
            yield line.rstrip()
            line = ""
        line += piece
    if words:
        yield line


def drawn_arrow(way: list[str], ways: list[list[str]], boxes: dict[str, Box], rooms: Rooms) -> Iterator[str]:
    """A curve from the lower edge of an importer through gaps to the upper edge of what it imports, and its count."""
    first, last = boxes[way[0]], boxes[way[-1]]
    # The ends at a room are in the order of the boxes that they lead to, so that they do not cross there.
    out = sorted((w for w in ways if w[0] == way[0]), key=lambda w: boxes[w[1]].x)
    into = sorted((w for w in ways if w[-1] == way[-1]), key=lambda w: boxes[w[-2]].x)
    x = first.x + first.width * (out.index(way) + 1) / (len(out) + 1)
    y = first.y + first.height
    yield text(x + 6 + 3 * len(count := str(rooms.imports[way[0], way[-1]])), y + 13, count, "more")
    path = f"M{x:.0f},{y:.0f}"
    for gap in [boxes[name] for name in way[1:-1]]:
        path += curve(x, y, gap.x, gap.y) + f" V{gap.y + gap.height:.0f}"
        x, y = gap.x, gap.y + gap.height
    path += curve(x, y, last.x + last.width * (into.index(way) + 1) / (len(into) + 1), last.y - 1)
    yield f'<path marker-end="url(#head)" d="{path}"/>'


def curve(x0: float, y0: float, x1: float, y1: float) -> str:
    middle = (y0 + y1) / 2
    return f" C{x0:.0f},{middle:.0f} {x1:.0f},{middle:.0f} {x1:.0f},{y1:.0f}"


def drawn_box(room: str, box: Box, rooms: Rooms, leaf: bool) -> Iterator[str]:
    yield rectangle("leaf" if leaf else "room", box.x, box.y, box.width, box.height)
    middle = box.x + box.width / 2
    yield text(middle, box.y + 19, f"{room} · {rooms.modules[room]}" if rooms.modules[room] > 1 else room, "name")
    for i, line in enumerate(box.lines):
        yield text(middle, box.y + 19 + _LINE * (i + 1), line, "more")


def rectangle(kind: str, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{kind}" x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="5"/>'


def text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.0f}" y="{y:.0f}">{escape(words)}</text>'


if __name__ == "__main__":
    main()
