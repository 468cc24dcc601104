"""Where constants are used: the lines of functions that read one, directly or through another constant."""

from __future__ import annotations

import ast
import dataclasses
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.thresholds.constants import Constant

#: In these places a number is a code that is equal to another or is not; it has no size.
_EQUAL = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift, ast.Invert)


@dataclasses.dataclass
class Use:
    """What is known of a constant's uses."""

    #: Lines that read it while the program runs.
    lines: set[tuple[str, int]] = dataclasses.field(default_factory=set)
    #: Files that read it when they are imported, other than into another constant.
    on_import: set[str] = dataclasses.field(default_factory=set)
    #: `code`, `bits`, `example` or `size`, one for each place.
    kinds: set[str] = dataclasses.field(default_factory=set)


@dataclasses.dataclass
class Source:
    """One module, parsed: what its names stand for in others, and which statement holds a node."""

    name: str
    path: Path
    tree: ast.Module
    imports: dict[str, tuple[str, str]]
    parents: dict[ast.AST, ast.AST]


def modules(root: Path, package: str) -> dict[str, Path]:
    """Name and file of every module of a package below `root`."""
    found = {}
    for path in sorted((root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


class Uses:
    def __init__(self, files: dict[str, Path]) -> None:
        self.sources = {name: _source(name, path) for name, path in files.items()}
        # Of a package `p` with a submodule `m`, `p.m` is the module.
        self.reads: dict[tuple[str, str], list[tuple[Source, ast.AST]]] = {}
        for source in self.sources.values():
            for node in source.parents:
                for key in self._meant(source, node) if isinstance(node, ast.Name | ast.Attribute) else ():
                    self.reads.setdefault(key, []).append((source, node))

    def of(self, constant: Constant) -> Use:
        use = Use()
        self._follow((constant.module, constant.top), use, set())
        if constant.owner:
            # A class's: also what reads it as an attribute, wherever the class is known by another name.
            for source, node in self.reads.get(("", constant.name.rsplit(".", 1)[-1].split("[")[0]), ()):
                if source.name == constant.module:
                    self._place(source, node, use, set())
        if not use.lines:
            # Handed to what is declared: a tool's options, a column's bounds.
            use.on_import.add(str(constant.path))
        return use

    def _follow(self, key: tuple[str, str], use: Use, seen: set[tuple[str, str]]) -> None:
        if key in seen:
            return
        seen.add(key)
        for source, node in self.reads.get(key, ()):
            self._place(source, node, use, seen)

    def _place(self, source: Source, node: ast.AST, use: Use, seen: set[tuple[str, str]]) -> None:
        """Book one reading of a constant where it takes effect."""
        statement, function = around(node, source.parents)
        if function is None and _is_example(node, source.parents):
            use.kinds.add("example")
        elif function is not None:
            use.kinds.add(_kind(node, source.parents))
            use.lines.update((str(source.path), line) for line in _extent(statement, node))
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and _owner(statement, source.parents) is None:
            further = Use()
            for name in _bound(statement):
                self._follow((source.name, name), further, seen)
            use.kinds.add("example" if further.kinds == {"example"} else "size")
            use.lines |= further.lines
            use.on_import |= further.on_import
        else:
            use.kinds.add("size")
            owner = statement if isinstance(statement, ast.ClassDef) else _owner(statement, source.parents)
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                use.lines.update((str(source.path), part.lineno) for part in statement.body)
            elif owner is not None:
                self._follow((source.name, owner.name), use, seen)
            else:
                use.on_import.add(str(source.path))

    def _meant(self, source: Source, node: ast.AST) -> Iterator[tuple[str, str]]:
        """What a node reads: a name of this module, one of another, or an attribute of an unknown object."""
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield self.home(*source.imports.get(node.id, (source.name, node.id)))
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield "", node.attr
            dotted = _dotted(node.value)
            module, name = source.imports.get(dotted, (dotted, ""))
            inner = f"{module}.{name}" if name else module
            if inner in self.sources:
                yield self.home(inner, node.attr)

    def home(self, module: str, name: str) -> tuple[str, str]:
        """Where a name that a module hands on is declared."""
        for _ in range(8):
            source = self.sources.get(module)
            if source is None or name not in source.imports:
                break
            module, name = source.imports[name]
        return module, name


def _dotted(node: ast.expr) -> str:
    """`a.b.c` as text; empty for what is called or looked up."""
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return before and f"{before}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


@functools.cache
def _source(name: str, path: Path) -> Source:
    tree = ast.parse(path.read_text())
    parents = _parents(tree)
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    imports: dict[str, tuple[str, str]] = {}
    for node in parents:
        if isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*up, *([node.module] if node.module else [])])
            imports.update({alias.asname or alias.name: (base, alias.name) for alias in node.names})
        elif isinstance(node, ast.Import):
            imports.update({alias.asname: (alias.name, "") for alias in node.names if alias.asname})
    return Source(name, path, tree, imports, parents)


def _parents(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    """What holds each node but the module, in the order in which `ast.walk` comes to them."""
    parents: dict[ast.AST, ast.AST] = {}
    level: list[ast.AST] = [tree]
    while level:
        pairs = [(child, node) for node in level for child in ast.iter_child_nodes(node)]
        parents.update(pairs)
        level = [child for child, _ in pairs]
    return parents


def around(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> tuple[ast.stmt, ast.AST | None]:
    """The statement that holds a node, and the function in whose body that runs, if it does in one."""
    here = node
    while not isinstance(here, ast.stmt):
        if isinstance(here, ast.Lambda):
            return _statement(here, parents), here
        here = parents[here]
    statement, function, below = here, None, here
    above: ast.AST | None = parents.get(here)
    while above is not None:
        if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef) and below in above.body:
            function = above
            break
        below, above = above if isinstance(above, ast.stmt) else below, parents.get(above)
    return statement, function


def _statement(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.stmt:
    while not isinstance(node, ast.stmt):
        node = parents[node]
    return node


def _is_example(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether it stands in what is given as `examples=`, of what is said."""
    above: ast.AST | None = node
    while above is not None and not isinstance(above, ast.stmt):
        if isinstance(above, ast.keyword) and above.arg == "examples":
            return True
        above = parents.get(above)
    return False


def _extent(statement: ast.stmt, node: ast.AST) -> Iterable[int]:
    """The lines of a statement; of one with a body, those of the expression in its head."""
    if hasattr(statement, "body") or isinstance(statement, ast.Match):
        heads = [part for part in ast.iter_child_nodes(statement) if isinstance(part, ast.expr | ast.withitem)]
        for head in heads:
            if node in set(ast.walk(head)):
                lines = [part.lineno for part in ast.walk(head) if isinstance(part, ast.expr)]
                return range(min(lines), max(lines) + 1)
        return range(getattr(node, "lineno", statement.lineno), getattr(node, "end_lineno", statement.lineno) + 1)
    return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)


def _owner(statement: ast.AST, parents: dict[ast.AST, ast.AST]) -> ast.ClassDef | None:
    above: ast.AST | None = parents.get(statement)
    while above is not None and not isinstance(above, ast.ClassDef):
        above = parents.get(above)
    return above


def _bound(statement: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
        yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _kind(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    """`code` where it is compared for being equal, taken as a key or matched; `bits` under bit operators."""
    above = parents[node]
    if isinstance(above, ast.Compare) and all(isinstance(one, _EQUAL) for one in above.ops):
        return "code"
    if isinstance(above, ast.BinOp | ast.UnaryOp) and isinstance(above.op, _BITS):
        return "bits"
    if isinstance(above, ast.Dict) and node in above.keys:
        return "code"
    if isinstance(above, ast.MatchValue) or (isinstance(above, ast.Subscript) and above.slice is node):
        return "code"
    return "size"
