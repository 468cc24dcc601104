"""Names of functions of Python, and of annotations → what kind of work they are, where that is no model's."""

from __future__ import annotations

import re

#: What follows on reading the state of a model, and runs no op.
CHECKPOINT = "checkpoint"
#: By kind the functions, as the tracers of TensorFlow and JAX write them, and annotations that do all of it.
_KINDS = {
    "garbage": r"\$(?:gc|builtins) collect|(?:gc|garbage)[ _.]?collect(?:ion|or)?|gc",
    "logging": (
        r"\$__init__\.py:\d+ (?:_log|callHandlers)|\$_logger\.py:\d+ _log|"
        r"\$(?:tf_logging|absl_logging|wandb\w*|mlflow\w*|tensorboard_?\w*|summary\w*|event_file_writer\w*)\.py:\d+ "
        r"\w+|"
        r"(?:\w+[ _.])?log(?:s|ger|ging)?(?:[ _.]\w+)?"
    ),
    "printing": (
        r"\$builtins print|\$std\.py:\d+ (?:update|refresh|display|set_postfix\w*)|\$progbar\.py:\d+ \w+|"
        r"print\w*|progress[ _.]?bar"
    ),
    "tokenizing": (
        r"\$\S*tokeniz\S*\.py:\d+ .*|\$\S+ \w*(?:[tT]okeniz(?:e|er|ation)|_encode_plus|batch_encode)\w*|"
        r"(?:\w+[ _.])?tokeniz\w*"
    ),
    "importing": (
        r"\$<frozen importlib\S* .*|\$\S* _find_and_load\w*|\$builtins __import__|\$\S* import_module|imports?"
    ),
    "serializing": (
        r"\$(?:json|encoder|pickle|_pickle|csv|yaml)\S* \w*(?:dump|encode|write)\w*|"
        r"\$builtins (?:dumps?)|\$__init__\.py:\d+ dumps?|serializ\w*"
    ),
    "anomaly": r"\$anomaly_mode\.py:\d+ .*|\$traceback\.py:\d+ (?:format_stack|extract_stack|format_list)",
}
_PATTERNS = {kind: re.compile(pattern, re.DOTALL) for kind, pattern in _KINDS.items()}


def kind_of_python(name: str) -> str:
    """The empty text where the name does not tell."""
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.fullmatch(name[:300])), "")
