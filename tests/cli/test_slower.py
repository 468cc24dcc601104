"""What is not compiled is slower, and is said to be so whatever the format."""

import pytest

from tensorboard_perfplugin.cli.show import slower_note
from tensorboard_perfplugin.tables import DecoderKind


@pytest.mark.parametrize(
    ("decoders", "is_said"),
    [
        ("compiled", False),
        ("", False),
        *((str(kind), True) for kind in DecoderKind if kind != DecoderKind.COMPILED),
        # Of several hosts one is enough.
        ("compiled,plain", True),
    ],
)
def test_every_decoder_that_is_not_compiled_is_told_of(decoders: str, is_said: bool) -> None:
    assert bool(slower_note(decoders)) == is_said
