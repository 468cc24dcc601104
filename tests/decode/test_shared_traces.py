"""Every trace that people gave us opens, or is refused for the reason that holds; large ones are read by others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import UnreadableError
from tests.conftest import SHARED_CAPTURES

#: Larger files, all of PyTorch, take seconds each.
MOST_BYTES = 130_000
FOLDERS = ("chrome", "kineto", "legacy", "tf1")
FILES = sorted(path for folder in FOLDERS for path in (SHARED_CAPTURES / folder).glob("**/*") if path.is_file())
SMALL = [path for path in FILES if path.stat().st_size <= MOST_BYTES]

#: How a file's name ends → what the refusal says. Everything else opens.
REFUSED = {
    ".metadata": "an empty file",
    ".profile-empty": "a TensorBoard event file",
    "LEMON.kernel_stats.pb": "an empty file",
    "amazon.com.kernel_stats.pb": "an empty file",
    ".tensorflow_stats.pb": "results of TensorFlow's profiler for one page. Give the *.overview_page.pb",
    ".pod_viewer.json": "results of TensorFlow's profiler for one page. Give the *.overview_page.pb",
    "_et.json.gz": "gzip data that holds an execution trace of PyTorch",
    "memory_timeline.raw.gz": "gzip data that holds a memory timeline of PyTorch",
    "invalid/incomplete-trace.json": "a file of speedscope without a profile of time",
    "invalid/out-of-order-events.json": "a file of speedscope without a profile of time",
    ".pbtxt": "TensorFlow's RunMetadata as text",
}


def test_there_are_files(shared_captures: Path) -> None:
    assert len(SMALL) > 100, shared_captures
    assert len(FILES) - len(SMALL) < 40


@pytest.mark.parametrize("path", SMALL, ids=lambda path: str(path.relative_to(SHARED_CAPTURES)))
def test_a_file_opens_or_says_why_not(path: Path) -> None:
    why = next((says for end, says in REFUSED.items() if str(path).endswith(end)), None)
    if why is not None:
        with pytest.raises(UnreadableError) as refused:
            decode.read(str(path))
        assert why in str(refused.value)
        return
    capture = decode.read(str(path))
    capture.check()
    quality = capture.quality
    assert len(capture.events) + len(capture.aggregates) == quality.events_kept
    assert quality.events_in_file == quality.events_kept + sum(quality.dropped.values())
