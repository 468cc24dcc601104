"""Damaged captures through all tools: an answer that holds, or one of the project's errors."""

from __future__ import annotations

import json
import random

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.answers.encode import to_json
from tensorboard_perfplugin.errors import PerfpluginError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import TOOLS, Answer, Tool
from tests.build_capture import varint
from tests.decode.test_damage import sound

#: Numbers at which sums, shifts and casts go wrong.
EXTREMES = (0, 1, -1, 1 << 31, 1 << 61, 1 << 62, (1 << 63) - 1, -(1 << 63), 10**18)


def broken(rng: random.Random) -> bytes:
    data = bytearray(sound())
    for _ in range(rng.choice((1, 2, 6))):
        at = rng.randrange(len(data))
        if rng.random() < 0.5:
            data[at] = rng.randrange(256)
        else:
            data[at : at + 1] = varint(rng.choice(EXTREMES))
    return bytes(data)


def asked(tool: Tool, rng: random.Random) -> dict[str, str]:
    if tool.name != "trace_viewer":
        return {}
    names = rng.sample(("start_ps", "end_ps", "origin_ns"), rng.randrange(4))
    return {name: str(max(-(1 << 62), min(rng.choice(EXTREMES), 1 << 62))) for name in names}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_all_tools_answer(seed: int) -> None:
    rng, answered = random.Random(seed), 0
    for _ in range(60):
        try:
            timeline = Timeline(decode.read_bytes(broken(rng), "h.xplane.pb"), "h")
        except PerfpluginError:
            continue
        timeline.capture.check()
        for tool in TOOLS:
            try:
                options = tool.parse(asked(tool, rng))
                result = tool.combine([tool.per_host(timeline, options)], options)
            except PerfpluginError:
                continue
            answer = Answer(tool, "r", ("h",), result, timeline.capture.quality, timeline.capture.decoder)
            answer.check()
            json.loads(to_json(answer.to_dict()))
            answered += 1
    assert answered > 100
