"""The package's version, apart so that nothing needs the package root."""

__version__ = "0.1.0"
