"""On captures of JAX, what xprof derives in its trace begins and ends where ours does. docs/trace_viewer.md tells why
ours are more: each run of a program, and each step, is by itself.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.conftest import SHARED_CAPTURES
from tests.parity._peer import peer_lines
from tests.timeline.lines.drawn import lines as lines_by_key
from tests.timeline.lines.drawn import rows

#: Nested events are shorter by 1 ns each in xprof's answer, and times have six digits after the point of a µs.
NS = 2000
KEYS = {
    "Framework Name Scope": "scopes",
    "Framework Ops": "ops",
    "XLA Modules": "programs",
    "XLA Ops": "instructions",
    "Source code": "sources",
}
#: Some of its kernels have no stat that names their op: ours have what the program says, and last longer.
NAMELESS = "jax08_attention"
SHARED = ("jax-rocm-mi300-tracelens", "xprof-tpu-inference-2")


def test_each_begins_and_ends_where_ours_do(shared_captures: Path) -> None:
    files = sorted(f for folder in SHARED for f in (SHARED_CAPTURES / "xplane" / folder).rglob("*.xplane.pb"))
    compared: dict[str, int] = defaultdict(int)
    for file, theirs in peer_lines(files).items():
        timeline = Timeline(decode.read(str(file)), "h")
        names = timeline.capture.strings.texts(timeline.capture.planes.name)
        ours: dict[tuple[str, str, str], list[tuple[int, int]]] = defaultdict(list)
        for plane, device in enumerate(names):
            for key, line in lines_by_key(timeline, plane).items():
                for _, begin, end, name in rows(line):
                    ours[device, key, name].append((begin, end))
        for device, track, begin, end, name in theirs:
            key = KEYS[track]
            same = ours.get((device, key, name.rpartition("/")[2] if key == "sources" else name), [])
            # `:` is what it calls an op without a name; arguments of a program are no ops.
            if not same:
                continue
            compared[key] += 1
            assert any(abs(one - begin) <= NS for one, _ in same), (file, key, begin, name)
            ends = any(abs(one - end) <= NS for _, one in same)
            assert ends or (NAMELESS in str(file) and key not in ("programs", "instructions")), (file, key, end, name)
    assert set(compared) == set(KEYS.values())
    assert min(compared.values()) > 150
