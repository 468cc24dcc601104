"""What is said of captures: what they lack, and what their profilers reported."""

from ...messages import Message, message
from .entry import Text

CAPTURES = {
    "events_not_shown": Text(
        title="{dropped:number} of {in_file:number} events in the files are not shown",
        detail="{reasons:list}",
        when="A file holds events that no table holds.",
        examples=({"dropped": 1200, "in_file": 14132, "reasons": (Message("cut_at_end"), Message("no_time"))},),
    ),
    "profiler_reported": Text(
        title="The profiler of {host} reported: {message}",
        when="The capture holds an error of the profiler that took it.",
        examples=({"host": "worker-0", "message": "CUPTI could not be loaded"},),
    ),
    "file_damaged": Text(
        title="The file of {host} is damaged: how much it lacks cannot be known",
        detail="[{warnings:sentences}]",
        action="Copy or take the capture again.",
        when="A file ends, or breaks off, within an event.",
        examples=({"host": "worker-0", "warnings": (message("wire_damaged", at=1234), message("no_events"))},),
    ),
}
