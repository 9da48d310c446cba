"""The schema of run files, as the model describes it, and the values of keys by that schema."""

import functools
import json
import subprocess
from dataclasses import dataclass, field
from typing import Any

from squall import forms, locate
from squall.errors import UserError
from squall.quantity import Kind, quantity

_KINDS: dict[str, Kind] = {"m": "length", "Pa": "pressure", "degrees": "angle", "s": "time"}

STREAM = "output.<stream>"
TRACER = "tracer.<name>"
IGNITION = "ignition.<name>"
NEST = "nest.<name>"


@dataclass(frozen=True)
class Key:
    """A key of a table. `default` is TOML; it is None if the key has no default, or one that only
    `default_text` can describe."""

    name: str
    takes: str
    meaning: str
    required: str  # "always", "with a case" or "no"
    unit: str  # of a quantity
    choices: list[str]
    default: str | None = None
    default_text: str = ""

    def read(self, given: object) -> Any:
        """The value of a run file in SI units, a list as a tuple. Raises ValueError, with the accepted form,
        if it is not of the key's kind. The model checks ranges."""
        if self.unit in _KINDS:
            return quantity(given, _KINDS[self.unit])
        if self.takes.startswith("a list of strings"):
            listed = [given] if isinstance(given, str) else given
            if isinstance(listed, list) and all(isinstance(item, str) for item in listed):
                return tuple(listed)
        elif self.takes.startswith("a list of numbers"):
            if isinstance(given, list) and all(_is_number(item) for item in given):
                return tuple(float(item) for item in given)
        elif self.choices:
            if given in self.choices:
                return given
            raise ValueError(f'"{given}" is not one of {self.takes}')
        elif self._fits(given):
            return given
        raise ValueError(f"{given!r} is not {self.takes}")

    def _fits(self, given: object) -> bool:
        if self.takes.startswith(("a whole", "an even", "an odd")):
            return isinstance(given, int) and not isinstance(given, bool)
        if self.takes.startswith("a number"):
            return _is_number(given)
        return isinstance(given, bool if self.takes == "true or false" else str)


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool)


@dataclass(frozen=True)
class Table:
    """A table: its keys by name."""

    name: str
    meaning: str
    keys: dict[str, Key]


@dataclass(frozen=True)
class Case:
    """A built-in case: its parameters are keys of [initial]."""

    title: str
    keys: dict[str, Key]


@dataclass(frozen=True)
class Schema:
    """All tables, by name, in the order of the reference page; [output.<stream>], [tracer.<name>],
    [ignition.<name>] and [nest.<name>] stand under STREAM, TRACER, IGNITION and NEST."""

    tables: dict[str, Table] = field(default_factory=dict)
    cases: dict[str, Case] = field(default_factory=dict)
    fuels: list[dict[str, Any]] = field(default_factory=list)  #: of [fire], from category 1 on

    def table(self, name: str) -> Table:
        """The table of a name in a run file: `output.history` is that of a stream."""
        if name.startswith("output."):
            return self.tables[STREAM]
        if name.startswith("nest."):
            return self.tables[NEST]
        if name.startswith("ignition."):
            return self.tables[IGNITION]
        return self.tables[TRACER] if name.startswith("tracer.") else self.tables[name]


@functools.cache
def load() -> Schema:
    """Asks the model for its schema. Raises UserError if the model is not built, or too old to answer."""
    program = locate.model_binary()
    said = subprocess.run([program, "--schema"], capture_output=True, text=True, check=False)
    if said.returncode != 0:
        forms.require(program)
        raise UserError(f"{program} cannot list its keys: it is older than this command. Build it again.")
    return read(json.loads(said.stdout))


def read(told: dict[str, Any]) -> Schema:
    """The schema from the model's JSON."""

    def keys(of: dict[str, Any]) -> dict[str, Key]:
        return {key["name"]: Key(**key) for key in of["keys"]}

    return Schema(
        {table["name"]: Table(table["name"], table["meaning"], keys(table)) for table in told["tables"]},
        {case["name"]: Case(case["title"], keys(case)) for case in told["cases"]},
        told["fuels"],
    )
