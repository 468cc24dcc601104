"""The package's version, apart so that nothing needs the package root."""

__version__ = "1.0.0"
