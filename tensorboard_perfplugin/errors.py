"""The four errors that people see. Web and command line translate them at their edge.

Each message says what was looked at, what was found there, and what to do.
"""


class PerfpluginError(Exception):
    """What was asked for cannot be done, for a reason a person can act on."""


class UnreadableError(PerfpluginError):
    """A file was found and cannot be read as a capture. is_damaged: whether it may be one with damage."""

    def __init__(self, message: str, is_damaged: bool = False) -> None:
        super().__init__(message)
        self.is_damaged = is_damaged


class NotFoundError(PerfpluginError):
    """No such path, run, host, tool or event."""


class ArgumentError(PerfpluginError):
    """A value that a person or a client gave is not one that is accepted."""


class RemoteError(PerfpluginError):
    """Another machine or process did not do what it was asked."""
