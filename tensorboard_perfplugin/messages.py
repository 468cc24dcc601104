"""What is to be reported, as data: a code and its parameters. The words stand in `advice.text`, one entry a code."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeAlias, Union

#: Numbers carry no unit of their own: the template that shows one names its form. A message is a part of a sentence.
Param: TypeAlias = Union[int, float, str, bool, "Message", tuple["Param", ...], None]
Params: TypeAlias = Mapping[str, Param]


@dataclasses.dataclass(frozen=True)
class Message:
    """code: of an entry of the catalogue. params: by name, as that entry's template takes them; names from files are
    parameters and come out as they are."""

    code: str
    params: Params = dataclasses.field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, frozenset(self.params.items())))


def message(code: str, **params: Param) -> Message:
    return Message(code, params)


def params_to_json(params: Params) -> dict[str, Any]:
    return {name: _to_json(value) for name, value in params.items()}


def _to_json(value: Param) -> Any:
    if isinstance(value, Message):
        return {"code": value.code, "params": params_to_json(value.params)}
    return [_to_json(each) for each in value] if isinstance(value, tuple) else value


def params_from_json(params: Mapping[str, Any]) -> dict[str, Param]:
    """What `params_to_json` gave. Raises KeyError, TypeError or AttributeError for anything else."""
    return {name: _from_json(value) for name, value in params.items()}


def _from_json(value: Any) -> Param:
    if isinstance(value, dict):
        return Message(value["code"], params_from_json(value["params"]))
    result: Param = tuple(_from_json(each) for each in value) if isinstance(value, list) else value
    return result
