"""What became of a capture's events: codes as data, words at the edge."""

from __future__ import annotations

from tensorboard_perfplugin.advice.text.catalogue import QualityInWords, quality_from
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Quality

QUALITY = Quality(10, 6, {"damaged": 3, "no_time": 1}, (message("gzip_cut", at=1234), message("no_events")))


def test_words_stand_beside_codes() -> None:
    assert QualityInWords.of(QUALITY).to_dict() == {
        "events_in_file": 10,
        "events_kept": 6,
        "dropped": {"damaged": 3, "has no time": 1},
        "warnings": [
            "The gzip data ends at byte 1234, before it is complete.",
            "The file holds no events: nothing was recorded.",
        ],
        "dropped_codes": {"damaged": 3, "no_time": 1},
        "warning_codes": [{"code": "gzip_cut", "params": {"at": 1234}}, {"code": "no_events", "params": {}}],
    }


def test_codes_come_back_from_json() -> None:
    assert quality_from(QualityInWords.of(QUALITY).to_dict()) == QUALITY


def test_equal_warnings_of_two_hosts_are_one() -> None:
    assert (QUALITY + QUALITY).warnings == QUALITY.warnings
    assert (QUALITY + QUALITY).dropped == {"damaged": 6, "no_time": 2}
