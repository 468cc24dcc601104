"""Names of functions of Python, and of annotations: the kinds of work that is no model's."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.steps.python_kinds import kind_of_python


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("$gc collect", "garbage"),
        ("$builtins collect", "garbage"),
        ("$collections.py:3 collect", ""),
        ("$__init__.py:1610 _log", "logging"),
        ("$wandb_run.py:1700 log", "logging"),
        ("log_metrics", "logging"),
        ("logits", ""),
        ("$builtins print", "printing"),
        ("$std.py:1230 update", "printing"),
        ("$tokenization_utils_fast.py:500 _batch_encode_plus", "tokenizing"),
        ("$data.py:5 tokenize_batch", "tokenizing"),
        ("$<frozen importlib._bootstrap> _find_and_load", "importing"),
        ("$json dumps", "serializing"),
        ("$encoder.py:204 iterencode", "serializing"),
        ("$anomaly_mode.py:90 __enter__", "anomaly"),
        ("$train.py:12 forward", ""),
        ("forward", ""),
    ],
)
def test_a_name_tells_the_kind(name: str, kind: str) -> None:
    assert kind_of_python(name) == kind
