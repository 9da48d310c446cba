"""What Squall needs, from needs.toml: for `squall doctor`, messages on what is missing, and the recipes."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

LIST = Path(__file__).parent / "needs.toml"

# What people install. The other extras are for who changes Squall.
OF_USERS = ("squall", "analysis", "prepare", "watch")

Sections = Mapping[str, str | list[str]]


@dataclass(frozen=True)
class System:
    """A program or a library; the keys are explained in needs.toml."""

    what: str
    set_ups: tuple[str, ...]
    use: str = ""
    min: str = ""
    least: Mapping[str, str] = field(default_factory=dict)
    program: str = ""
    variable: str = ""
    modules: tuple[str, ...] = ()
    check: str = ""
    debian: tuple[str, ...] = ()
    conda: Sections = field(default_factory=dict)
    spack: tuple[str, ...] = ()
    easybuild: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Package:
    """A package of PyPI; the keys are explained in needs.toml."""

    name: str
    of: tuple[str, ...]
    min: str = ""
    below: str = ""
    exact: str = ""
    extra: str = ""
    why: str = ""
    use: str = ""
    modules: tuple[str, ...] = ()
    conda: Sections = field(default_factory=dict)
    easybuild: Mapping[str, str] = field(default_factory=dict)

    @property
    def versions(self) -> str:
        """As packaging reads them: ">=2.37,<2.39"."""
        bounds = ((">=", self.min), ("<", self.below), ("==", self.exact))
        return ",".join(sign + version for sign, version in bounds if version)

    @property
    def requirement(self) -> str:
        """As pip reads it."""
        return self.name + (f"[{self.extra}]" if self.extra else "") + self.versions

    @property
    def of_users(self) -> bool:
        """Whether the package itself, or an extra that is not for developers, brings it."""
        return any(extra in OF_USERS for extra in self.of)


@cache
def _list() -> dict[str, Any]:
    return tomllib.loads(LIST.read_text())


def _frozen(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}


@cache
def systems() -> dict[str, System]:
    """Programs and libraries by their keys. Raises TypeError for a key that no need has."""
    return {key: System(**_frozen(entry)) for key, entry in _list()["system"].items()}


@cache
def packages() -> dict[str, Package]:
    """Python packages by name. Raises TypeError for a key that no need has."""
    return {
        name: Package(name=name, **{"modules": (name,)} | _frozen(entry))
        for name, entry in _list()["python"].items()
    }


def extras() -> dict[str, list[str]]:
    """The extras of pyproject.toml, and which others each takes along."""
    return dict(_list()["extras"])
