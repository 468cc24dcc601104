"""Every capture format, declared once: names, first bytes, reader, capabilities, words. A leaf but for `wire`."""

from .capabilities import Capabilities, Vocabulary
from .declared import READ, STACK_FORMS, Format, Shown
from .kinds import AGAIN, DAMAGED_XPLANE, PICKLE, REPORTS, is_mangled, kind_of, report_of, sniff
from .recognise import HEAD_BYTES, SHARED_BYTES, UTF16

__all__ = [
    "AGAIN",
    "DAMAGED_XPLANE",
    "HEAD_BYTES",
    "PICKLE",
    "READ",
    "REPORTS",
    "SHARED_BYTES",
    "STACK_FORMS",
    "UTF16",
    "Capabilities",
    "Format",
    "Shown",
    "Vocabulary",
    "is_mangled",
    "kind_of",
    "report_of",
    "sniff",
]
