"""What became of a capture's events, in words, beside the codes."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from ...messages import Message, params_from_json, params_to_json
from ...tables import Quality
from .catalogue import sentence


@dataclasses.dataclass(frozen=True)
class QualityInWords:
    """dropped: number of events by why, in words. warnings: sentences. *_codes: the same as codes."""

    events_in_file: int
    events_kept: int
    dropped: dict[str, int]
    warnings: tuple[str, ...]
    dropped_codes: dict[str, int]
    warning_codes: tuple[Message, ...]

    @classmethod
    def of(cls, quality: Quality) -> QualityInWords:
        return cls(
            quality.events_in_file,
            quality.events_kept,
            {sentence(Message(code)): count for code, count in quality.dropped.items()},
            tuple(map(sentence, quality.warnings)),
            quality.dropped,
            quality.warnings,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; `quality_from` reads it."""
        codes = [{"code": each.code, "params": params_to_json(each.params)} for each in self.warning_codes]
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {**plain, "warnings": list(self.warnings), "warning_codes": codes}


def quality_from(data: Mapping[str, Any]) -> Quality:
    """What `to_dict` was made of. Raises KeyError, TypeError or AttributeError for anything else."""
    warnings = tuple(Message(each["code"], params_from_json(each["params"])) for each in data["warning_codes"])
    return Quality(data["events_in_file"], data["events_kept"], dict(data["dropped_codes"]), warnings)
