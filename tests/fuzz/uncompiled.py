"""Modules that are compiled here → the same as they run where nothing is."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import types
from pathlib import Path


def uncompiled(package: types.ModuleType, *names: str) -> types.ModuleType:
    """A package of that package's sources, by its modules of these names, each after those that it imports."""
    folder = Path(package.__file__ or "").parent
    made = types.ModuleType(f"{package.__name__}.uncompiled")
    # Imports of the package's own parents go up from there.
    made.__path__ = [str(folder)]
    sys.modules[made.__name__] = made
    for name in names:
        spec = importlib.util.spec_from_file_location(f"{package.__name__}.uncompiled_{name}", folder / f"{name}.py")
        assert spec
        module = importlib.util.module_from_spec(spec)
        module.__package__ = package.__name__
        setattr(made, name, module)
        _loaded(package, spec, module, made)
    return made


def _loaded(
    package: types.ModuleType, spec: importlib.machinery.ModuleSpec, module: types.ModuleType, made: types.ModuleType
) -> None:
    """Runs a module, whose imports find those that were loaded before it in place of what is compiled."""
    assert spec.loader
    others = {
        f"{package.__name__}.{name}": each for name, each in vars(made).items() if isinstance(each, types.ModuleType)
    }
    before = {name: sys.modules.get(name) for name in others}
    sys.modules.update(others)
    try:
        spec.loader.exec_module(module)
    finally:
        for name, each in before.items():
            if each is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = each
