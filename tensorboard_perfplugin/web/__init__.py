"""HTTP: a route parses a request, calls, and responds. Knows nothing of how a number is computed.

Importing it is light; what needs numpy is imported by the first request that needs it.
"""

from .capture import ALLOW_FLAG, LOOPBACK, CaptureRules, rules_of
from .guard import HOSTS_FLAG, ORIGINS_FLAG, names_of
from .queries import SQL_FLAG
from .report import Cell, Report, Subject
from .routes import POSTED, ROUTES, Site, reported

__all__ = [
    "ALLOW_FLAG",
    "HOSTS_FLAG",
    "LOOPBACK",
    "ORIGINS_FLAG",
    "POSTED",
    "ROUTES",
    "SQL_FLAG",
    "CaptureRules",
    "Cell",
    "Report",
    "Site",
    "Subject",
    "names_of",
    "reported",
    "rules_of",
]
