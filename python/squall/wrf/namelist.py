"""Reads namelists as WRF does: upper and lower case alike, one column for each domain."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.wrf import fortran
from squall.wrf.fortran_values import Refused, Value

__all__ = ["Namelist", "Value", "columns_of", "read"]

#: What WRF reads, of its Registry and by its servers; the rest of a file may be other programs'.
GROUPS = frozenset({
    "afwa", "bdy_control", "chem", "dfi_control", "diags", "domains", "dynamics", "fdda", "fire", "grib2",
    "ideal", "namelist_adios2", "namelist_quilt", "noah_mp", "perturbation", "physics", "pio_control", "scm",
    "stoch", "tc", "time_control", "wrf_cmaq",
})  # fmt: skip


@dataclass(frozen=True)
class Namelist:
    """The groups of a namelist; `groups["dynamics"]["epssm"]` lists the columns, d01 first, with None where
    one is not given. `unread`: what of its text counts for nothing, a sentence each. `lines`: where each
    "group.key" stands in `path`."""

    groups: Mapping[str, Mapping[str, list[Value | None]]]
    unread: list[str] = field(default_factory=list)
    path: Path = Path("namelist.input")
    lines: Mapping[str, int] = field(default_factory=dict)

    def column(self, name: str, domain: int = 1) -> Value | None:
        """The value of "group.key" for a domain (1-based); None: absent, or not given for it."""
        columns = self.columns(name)
        return columns[domain - 1] if domain <= len(columns) else None

    def columns(self, name: str) -> list[Value | None]:
        """All values of a "group.key", d01 first."""
        group, key = name.split(".")
        return self.groups.get(group, {}).get(key, [])

    def numbers(self, name: str) -> list[float] | None:
        """All values of a "group.key" that is a list of numbers, not one for each domain; None: absent.
        Raises UserError for a list with gaps."""
        columns = self.columns(name)
        if not columns:
            return None
        if None in columns:
            raise UserError(f"{self.where(name)} has no value {columns.index(None) + 1}.")
        return [float(x) for x in columns if isinstance(x, int | float)]

    def file(self, key: str, default: str, domain: int) -> str:
        """The name that a key of &time_control gives to a file of a domain, else `default`."""
        name = self.column(f"time_control.{key}") or default
        return str(name).replace("<domain>", f"{domain:02d}")

    def where(self, name: str) -> str:
        """How messages name a key: file, line, group and key."""
        group, key = name.split(".")
        line = f":{self.lines[name]}" if name in self.lines else ""
        return f"{self.path}{line}: &{group} {key}"

    @property
    def names(self) -> list[str]:
        """All "group.key" that are there, in order."""
        return [f"{group}.{key}" for group, keys in self.groups.items() for key in keys]


def read(path: Path) -> Namelist:
    """Raises UserError for what is no namelist, or not one of WRF."""
    try:
        text = fortran.read(fortran.text_of(path), GROUPS)
    except Refused as error:
        raise UserError(f"{path}:{error.line}: {error}.") from error
    if "domains" not in text.groups or "time_control" not in text.groups:
        raise UserError(
            f"{path} is not a WRF namelist.input: it has no group &time_control or &domains, only "
            f"{', '.join(f'&{group}' for group in text.groups) or 'none'}"
            f"{'; ' + text.unread[0] if text.unread else ''}."
        )
    return Namelist(
        {name: group.values for name, group in text.groups.items()},
        text.unread,
        path,
        {f"{name}.{key}": line for name, group in text.groups.items() for key, line in group.lines.items()},
    )


def columns_of(keys: Mapping[str, Any]) -> dict[str, list[Value | None]]:
    """A group with every value as a list of columns."""
    return {key.lower(): value if isinstance(value, list) else [value] for key, value in keys.items()}
