"""The environments that the wheel is put into. A requirement that is not ours is explained beside it."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Cell:
    """One environment: a Python, what is installed beside us, and what is taken away.

    refused: a module whose import fails whenever it is ours, as a broken binary of it would make it fail. TensorBoard
    needs the same modules, so it is only for us that they can be missing in a TensorBoard that runs.
    """

    name: str
    python: str
    requirements: tuple[str, ...] = ()
    compiler: bool = True
    refused: str = ""

    @property
    def decoder(self) -> str:
        return "compiled" if self.compiler else "protobuf"


#: TensorBoard up to 2.20 imports pkg_resources, which setuptools dropped with 81.
PKG_RESOURCES = "setuptools<81"
#: TensorBoard 2.16 uses names that numpy 2 dropped.
OLDEST = ("tensorboard==2.16.*", "numpy<2", PKG_RESOURCES)
#: The oldest that TensorBoard or we admit of the rest.
REST = ("msgspec==0.19.*", "protobuf==4.25.*")


def before_2_21(version: str, *more: str) -> tuple[str, ...]:
    return (f"tensorboard=={version}.*", PKG_RESOURCES, *more)


CELLS = (
    # Newest of everything that a Python admits.
    Cell("newest, Python 3.10", "3.10"),
    Cell("newest, Python 3.11", "3.11"),
    Cell("newest, Python 3.12", "3.12"),
    Cell("newest, Python 3.13", "3.13"),
    Cell("newest, Python 3.14", "3.14"),
    # Oldest of everything. For Python 3.13 numpy has wheels from 2.1 on, and TensorBoard 2.20 is the first that starts.
    # TensorBoard wants gRPC from 1.48.2 on; each Python has wheels from some later release on.
    Cell("oldest, Python 3.10", "3.10", (*OLDEST, *REST, "numpy==1.26.*", "grpcio==1.48.2")),
    Cell("oldest, Python 3.11", "3.11", (*OLDEST, *REST, "numpy==1.26.*", "grpcio==1.50.*")),
    Cell("oldest, Python 3.12", "3.12", (*OLDEST, *REST, "numpy==1.26.*", "grpcio==1.59.*")),
    Cell("oldest, Python 3.13", "3.13", before_2_21("2.20", *REST, "numpy==2.1.*", "grpcio==1.66.2")),
    # Each protobuf. TensorBoard 2.21 admits 6.31 and later.
    Cell("protobuf 4.25", "3.11", before_2_21("2.20", "protobuf==4.25.*")),
    Cell("protobuf 5", "3.11", before_2_21("2.20", "protobuf==5.*")),
    Cell("protobuf 6.31", "3.11", ("protobuf==6.31.1",)),
    Cell("protobuf 7", "3.11", ("protobuf==7.*",)),
    Cell("protobuf 7, oldest TensorBoard", "3.11", (*OLDEST, "protobuf==7.*")),
    # Each numpy.
    Cell("numpy 1.26, newest TensorBoard", "3.11", ("numpy==1.26.*",)),
    Cell("numpy 2.0, newest TensorBoard", "3.12", ("numpy==2.0.*",)),
    # The oldest of what reads JSON and asks servers, beside the newest of the rest.
    Cell("msgspec 0.19", "3.13", ("msgspec==0.19.*",)),
    Cell("gRPC 1.50", "3.11", ("grpcio==1.50.*",)),
    # Each TensorBoard between.
    Cell("TensorBoard 2.17", "3.11", before_2_21("2.17")),
    Cell("TensorBoard 2.18", "3.12", before_2_21("2.18")),
    Cell("TensorBoard 2.19", "3.12", before_2_21("2.19")),
    Cell("TensorBoard 2.20", "3.13", before_2_21("2.20")),
    # Where nothing compiles.
    Cell("no compiler, newest", "3.13", compiler=False),
    Cell("no compiler, oldest", "3.10", (*OLDEST, *REST, "numpy==1.26.*", "grpcio==1.48.2"), compiler=False),
    # Beside what is profiled, and beside the other profiler.
    Cell("beside TensorFlow 2.16", "3.11", ("tensorflow-cpu==2.16.*", PKG_RESOURCES)),
    Cell("beside newest TensorFlow", "3.12", ("tensorflow-cpu", "tensorboard", PKG_RESOURCES)),
    Cell("beside newest JAX", "3.12", ("jax",)),
    Cell("beside newest xprof", "3.12", ("xprof",)),
    # TensorBoard starts, and our tab names what is broken.
    Cell("broken numpy", "3.11", refused="numpy"),
    Cell("broken protobuf, no compiler", "3.11", compiler=False, refused="google.protobuf"),
    Cell("broken msgspec", "3.11", refused="msgspec"),
    Cell("broken gRPC", "3.11", refused="grpc"),
)
