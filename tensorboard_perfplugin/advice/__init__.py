"""What the numbers mean: rules decide and give findings, the text says them."""

from tensorboard_perfplugin.advice.threshold import Declared, Threshold, declared

__all__ = ["Declared", "Threshold", "declared"]
