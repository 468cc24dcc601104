"""HTTP: a route parses a request, calls, and responds. Knows nothing of how a number is computed.

Importing it is light; what needs numpy is imported by the first request that needs it.
"""

from .routes import ROUTES, Site

__all__ = ["ROUTES", "Site"]
