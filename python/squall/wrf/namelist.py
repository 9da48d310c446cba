"""Reads namelists as WRF does: upper and lower case alike, one column for each domain."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from squall.errors import UserError

Value = int | float | bool | str


@dataclass(frozen=True)
class Namelist:
    """The groups of a namelist; `groups["dynamics"]["epssm"]` lists the columns, d01 first."""

    groups: dict[str, dict[str, list[Value]]]

    def column(self, name: str, domain: int = 1) -> Value | None:
        """The value of "group.key" for a domain (1-based); None: absent, or not given for it."""
        group, key = name.split(".")
        columns = self.groups.get(group, {}).get(key, [])
        return columns[domain - 1] if domain <= len(columns) else None

    def numbers(self, name: str) -> list[float] | None:
        """All values of a "group.key" that is a list of numbers, not one for each domain; None: absent."""
        group, key = name.split(".")
        columns = self.groups.get(group, {}).get(key)
        return None if columns is None else [float(x) for x in columns if isinstance(x, int | float)]

    @property
    def names(self) -> list[str]:
        """All "group.key" that are there, in order."""
        return [f"{group}.{key}" for group, keys in self.groups.items() for key in keys]


def read(path: Path) -> Namelist:
    """Raises UserError for what is no namelist, or not one of WRF."""
    import f90nml  # here, so that `squall new` does without

    try:
        parsed = f90nml.read(str(path))
    except FileNotFoundError:
        raise UserError(f"There is no namelist {path}.") from None
    except Exception as error:  # the parser has no exception of its own
        raise UserError(f"{path} cannot be read as a Fortran namelist: {error}") from error
    groups = {group: columns_of(keys) for group, keys in parsed.items()}
    if "domains" not in groups or "time_control" not in groups:
        raise UserError(
            f"{path} is not WRF's namelist.input: it has no group &time_control or &domains, only "
            f"{', '.join(f'&{group}' for group in groups) or 'none'}."
        )
    return Namelist(groups)


def columns_of(keys: Any) -> dict[str, list[Value]]:
    """A group with every value as a list of columns."""
    if not isinstance(keys, dict):
        raise UserError("A group is there twice; WRF would read the first: remove the other.")
    return {key.lower(): value if isinstance(value, list) else [value] for key, value in keys.items()}
