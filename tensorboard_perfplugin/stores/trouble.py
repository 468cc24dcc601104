"""What a store's library raised → an OSError whose text is one sentence that says what to do.

The libraries are optional, so their errors are known by their names and modules. Programming errors pass.
"""

from __future__ import annotations

import errno
from types import TracebackType

from .address import SCHEMES, bucket_of, scheme_of

MOST_TEXT = 200
#: Of one question, tried again or not. A range of a file is 8 MB at most, which a line of 1 Mbit/s brings in that time.
TIMEOUT_S = 90.0
#: Mistakes in code, and what ends a process: not the network.
_PASS = (AssertionError, AttributeError, MemoryError, NameError, RecursionError, TypeError)

_EXPIRED = ("ExpiredToken", "RequestExpired", "TokenRefreshRequired", "token has expired", "token is expired")
_NO_CREDENTIALS = (
    "NoCredentials",
    "PartialCredentials",
    "ProfileNotFound",
    "CredentialRetrievalError",
    "TokenRetrievalError",
    "DefaultCredentialsError",
    "RefreshError",
    "LocalTokenNotFound",
    "ClientAuthenticationError",
    "Unable to locate credentials",
    "Could not automatically determine credentials",
    "Anonymous caller",
    "Must provide either a connection_string",
)
_DENIED = ("AccessDenied", "Forbidden", "GatedRepo", "Unauthorized", "AuthorizationFailure", "AuthenticationFailed")
_NO_BUCKET = ("NoSuchBucket", "bucket does not exist", "ContainerNotFound", "RepositoryNotFound")
_UNREACHABLE = ("EndpointConnectionError", "ClientConnector", "ConnectError", "ServiceRequestError", "NewConnection")


class StoreError(OSError):
    """passes: the same may succeed when it is tried again."""

    def __init__(self, number: int, sentence: str, passes: bool = False) -> None:
        super().__init__(number, sentence)
        self.passes = passes


class StoreMissingError(StoreError, FileNotFoundError):
    """There is no such file, folder or bucket."""


class StoreRefusedError(StoreError, PermissionError):
    """No credentials, or none with the right."""


class Watched:
    """A context in which a store's library is asked; what it raises ends there, and is kept as `error`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.error = StoreError(errno.EIO, "")

    def __enter__(self) -> Watched:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception) or isinstance(error, _PASS):
            return False
        self.error = error if isinstance(error, StoreError) else store_error(self.url, error)
        return True


def store_error(url: str, error: Exception) -> StoreError:
    """The sentence for what a library raised."""
    chain = _chain(error)
    names = {kind.__name__ for each in chain for kind in type(each).__mro__}
    text = " ".join([*(type(each).__name__ for each in chain), *map(str, chain), *map(_code, chain)])
    if isinstance(error, ImportError):
        return StoreError(errno.ENOPKG if hasattr(errno, "ENOPKG") else errno.EIO, to_install(url))
    if _any(_EXPIRED, text) or "400" in map(_code, chain):
        # S3 says no more than "Bad Request" where only a file's head is asked for.
        return StoreRefusedError(errno.EACCES, "the credentials have expired or are malformed; renew them")
    if _any(_NO_CREDENTIALS, text):
        how = "set them up as its own tools expect them (docs/remote.md)"
        return StoreRefusedError(errno.EACCES, f"{_library(url)} finds no usable credentials; {how}")
    if _any(_NO_BUCKET, text):
        return StoreMissingError(errno.ENOENT, f"there is no bucket {bucket_of(url)[:80]!r}; check its name and region")
    if isinstance(error, PermissionError) or _any(_DENIED, text):
        return StoreRefusedError(errno.EACCES, "these credentials may not read it; ask for the rights to list and read")
    if isinstance(error, FileNotFoundError):
        return StoreMissingError(errno.ENOENT, "no such file, folder or bucket")
    if any("Timeout" in name for name in names):
        remedy = "check the network, or copy the file to this machine"
        slow = f"the store does not answer in time ({TIMEOUT_S:g} s with all tries); {remedy}"
        return StoreError(errno.ETIMEDOUT, slow, True)
    if _any(_UNREACHABLE, text):
        return StoreError(errno.EHOSTUNREACH, f"the store cannot be reached: {_first_line(chain)}", True)
    return StoreError(errno.EIO, f"the store failed: {_first_line(chain)}", not isinstance(error, ValueError))


def to_install(url: str) -> str:
    """The sentence for a package that is missing."""
    package = SCHEMES[scheme_of(url)]
    names = f"fsspec and {package} read it" if package else "fsspec reads it"
    return f"{names}: pip install 'tensorboard-perfplugin[remote]'{f' {package}' if package else ''}"


def not_known(url: str) -> StoreError:
    known = ", ".join(f"{scheme}://" for scheme in SCHEMES)
    return StoreError(errno.EINVAL, f"{scheme_of(url)[:20]}:// is not read; use a path of this machine, or {known}")


def _chain(error: BaseException) -> list[BaseException]:
    """An error and its causes, the first ones."""
    chain = [error]
    while (cause := chain[-1].__cause__) and len(chain) < 5:
        chain.append(cause)
    return chain


def _code(error: BaseException) -> str:
    """What a response says as its own code, as botocore keeps it."""
    response = getattr(error, "response", None)
    found = response.get("Error") if isinstance(response, dict) else None
    return str(found.get("Code", "")) if isinstance(found, dict) else ""


def _any(words: tuple[str, ...], text: str) -> bool:
    return any(word in text for word in words)


def _library(url: str) -> str:
    return SCHEMES[scheme_of(url)] or "fsspec"


def _first_line(chain: list[BaseException]) -> str:
    text = next((line for each in chain for line in str(each).splitlines() if line.strip()), type(chain[0]).__name__)
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"
