"""What pyproject.toml cannot say: how loops are compiled here, where links lead, and archives that are the same twice.

`PERFPLUGIN_LOOPS=none` makes the wheel for every platform, without compiled loops; `all` takes it as an error where one
does not compile. `SOURCE_DATE_EPOCH` dates the archives.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
import sysconfig
import tarfile
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
PACKAGE = ROOT / "tensorboard_perfplugin"
VERSION = r'^__version__ = "([^"]+)"$'
#: What a module that is compiled begins with.
COMPILED = "# cython:"
#: From this version on the interface that stays the same knows buffers, of which all loops are made.
STABLE = (3, 11)


def loops() -> list[Extension]:
    """Compiled where a C compiler is; without one the install goes on and the slow path is used."""
    if os.environ.get("PERFPLUGIN_LOOPS") == "none":
        return []
    files = sorted(path for path in PACKAGE.rglob("*.py") if path.read_text("utf-8").startswith(COMPILED))
    return [loop(path.relative_to(ROOT)) for path in files]


def loop(path: Path) -> Extension:
    return Extension(
        ".".join(path.with_suffix("").parts),
        [path.as_posix()],
        optional=os.environ.get("PERFPLUGIN_LOOPS") != "all",
        # Only GNU's linker and those that take its options leave out symbols by this one.
        extra_link_args=["-Wl,-s"] if sys.platform == "linux" else [],
        define_macros=[("Py_LIMITED_API", f"0x{STABLE[0]:02X}{STABLE[1]:02X}0000")] if stable() else [],
        py_limited_api=stable(),
    )


def stable() -> bool:
    """Whether what is compiled serves later versions of Python, too. A Python without a global lock has no such ABI."""
    known = sys.implementation.name == "cpython" and sys.version_info >= STABLE
    return known and not sysconfig.get_config_var("Py_GIL_DISABLED")


class Build(build_ext):
    """Optimizes in the words of the compiler that is there. Loops are translated, then compiled, on all processors."""

    def build_extensions(self) -> None:
        from Cython.Build import cythonize

        # Compilers are run from threads, and Cython is not made for them: it finds its part done.
        cythonize([extension.sources[0] for extension in self.extensions], nthreads=os.cpu_count() or 1, quiet=True)
        self.parallel = self.parallel or True
        msvc = self.compiler.compiler_type == "msvc"
        for extension in self.extensions:
            extension.extra_compile_args = ["/O2"] if msvc else ["-O3", "-g0"]
        super().build_extensions()


class Archive(sdist):
    """Of the same files the same bytes: no account, no time of the build, one order."""

    def make_archive(self, base_name: Any, format: str, root_dir: Any = None, base_dir: Any = None, **_: Any) -> str:
        if format != "gztar":
            raise SystemExit(f"the source archive is a gztar, not a {format}")
        path = f"{base_name}.tar.gz"
        with (
            open(path, "wb") as file,
            gzip.GzipFile("", "wb", 9, file, mtime=0) as packed,
            tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as archive,
        ):
            for member in sorted(Path(base_dir).rglob("*")):
                archive.add(member, member.as_posix(), recursive=False, filter=plain)
        return path


class Wheel(bdist_wheel):
    """Holds a bill of materials where such files are looked for: `sboms` beside the metadata."""

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        super().egg2dist(egginfo_path, distinfo_path)
        folder = Path(distinfo_path) / "sboms"
        folder.mkdir(exist_ok=True)
        (folder / "perfplugin.cdx.json").write_text(json.dumps(materials(), indent=1) + "\n")

    def write_wheelfile(self, wheelfile_base: str, *given: Any, **named: Any) -> None:
        """The last before all is packed: modes are no matter of who builds."""
        super().write_wheelfile(wheelfile_base, *given, **named)
        for path in Path(wheelfile_base).parent.rglob("*"):
            path.chmod(mode_of(path.stat().st_mode, path.is_dir()))


def materials() -> dict[str, Any]:
    """What of others is in the wheel, in the terms of CycloneDX: the libraries in the pages. Nothing else is."""
    notices = (PACKAGE / "static" / "licences.md").read_text("utf-8")
    libraries = re.findall(r"^## (\S+) (\S+) \((\S+)\)$", notices, re.MULTILINE)
    version = found(VERSION, PACKAGE / "_version.py")
    component = {"type": "library", "name": "tensorboard-perfplugin", "version": version}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**component, **identified("pypi", "tensorboard-perfplugin", version, "Apache-2.0")}},
        "components": [
            {"type": "library", "name": name, "version": of, **identified("npm", name, of, licence)}
            for name, of, licence in libraries
        ],
    }


def identified(kind: str, name: str, version: str, licence: str) -> dict[str, Any]:
    purl = f"pkg:{kind}/{name.replace('@', '%40')}@{version}"
    return {"bom-ref": purl, "purl": purl, "licenses": [{"license": {"id": licence}}]}


def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    member.mtime = int(os.environ.get("SOURCE_DATE_EPOCH", member.mtime))
    member.mode = mode_of(member.mode, member.isdir())
    return member


def mode_of(mode: int, folder: bool) -> int:
    return 0o755 if folder or mode & 0o100 else 0o644


def description() -> str:
    """The README as it is read elsewhere: its links and pictures lead to this version's files in the repository."""
    source = found(r'^Source = "([^"]+)"$', ROOT / "pyproject.toml")
    version = found(VERSION, PACKAGE / "_version.py")
    return elsewhere((ROOT / "README.md").read_text("utf-8"), source, f"v{version}")


def elsewhere(text: str, source: str, tag: str) -> str:
    def absolute(link: re.Match[str]) -> str:
        mark, target = link["mark"], link["target"]
        if re.match(r"\w+:|#", target):
            return link[0]
        return f"{mark}({source}/{'raw' if mark.startswith('!') else 'blob'}/{tag}/{target})"

    return re.sub(r"(?P<mark>!?\[[^]]*\])\((?P<target>[^)\s]+)\)", absolute, text)


def found(pattern: str, path: Path) -> str:
    match = re.search(pattern, path.read_text("utf-8"), re.MULTILINE)
    if match is None:
        raise SystemExit(f"{path.name} has no line like {pattern}")
    return match[1]


if __name__ == "__main__":
    setup(
        cmdclass={"build_ext": Build, "sdist": Archive, "bdist_wheel": Wheel},
        ext_modules=loops(),
        long_description=description(),
        long_description_content_type="text/markdown",
        options={"bdist_wheel": {"py_limited_api": f"cp{STABLE[0]}{STABLE[1]}"}} if stable() and loops() else {},
    )
