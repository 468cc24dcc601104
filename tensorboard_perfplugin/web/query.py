"""A request's parameters, bounded and read once: what nobody asked for is an error, not silence."""

from __future__ import annotations

from collections.abc import Collection

from werkzeug.wrappers import Request

from ..errors import ArgumentError
from ..units import count

#: A thousand hosts of 60 characters.
MAX_QUERY_BYTES = 64 << 10
MAX_VALUE_CHARS = 4096


class Query:
    """Parameters by name. Raises ArgumentError for a query or a value that is too long."""

    def __init__(self, request: Request) -> None:
        if len(request.query_string) > MAX_QUERY_BYTES:
            raise ArgumentError(
                f"the query has {count(len(request.query_string), 'byte')}; the maximum is {MAX_QUERY_BYTES:,}"
            )
        self._values = {name: request.args.getlist(name) for name in request.args}
        for name, values in self._values.items():
            if max(map(len, values)) > MAX_VALUE_CHARS:
                raise ArgumentError(f"{name[:80]} has a value of more than {MAX_VALUE_CHARS} characters")

    def many(self, name: str) -> list[str]:
        """All values given for a name, in their order."""
        return self._values.pop(name, [])

    def one(self, name: str, default: str | None = None) -> str:
        """The only value. Raises ArgumentError where it is given twice, or not at all and has no default."""
        values = self.many(name)
        if len(values) > 1:
            raise ArgumentError(f"{name[:80]} is given {len(values)} times; give one value")
        if not values and default is None:
            raise ArgumentError(f"{name} is missing")
        return values[0] if values else str(default)

    def rest(self) -> dict[str, str]:
        """Everything not taken yet, each once. Raises ArgumentError."""
        return {name: self.one(name) for name in list(self._values)}

    def end(self, accepted: Collection[str]) -> None:
        """Raises ArgumentError when something was given that nobody took."""
        for name in self._values:
            raise ArgumentError.with_choices(f"unknown parameter {name[:80]!r}", accepted)
