"""Imports a module as soon as another one has been imported, by whomever.

xarray is slow to import, so `squall` does not import it only to register `dataset.squall`."""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType


def also(name: str, follower: str) -> None:
    """Imports `follower` once `name` is imported; at once if it is already."""
    if name in sys.modules:
        importlib.import_module(follower)
    else:
        sys.meta_path.insert(0, _Finder(name, follower))


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module as all others would, once."""

    def __init__(self, name: str, follower: str) -> None:
        self._name, self._follower = name, follower

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._follower)
        return spec


class _Loader(importlib.abc.Loader):
    def __init__(self, loader: importlib.abc.Loader, follower: str) -> None:
        self._loader, self._follower = loader, follower

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        importlib.import_module(self._follower)
