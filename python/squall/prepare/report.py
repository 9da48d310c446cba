"""Records what a preparation did, so that nothing is substituted silently."""

import re
from dataclasses import dataclass, field
from datetime import datetime

from rich.table import Table

from squall.prepare.sources.fields import FIELDS

_IN_WORDS = {
    "cubic": "cubic",
    "limited": "cubic, limited",
    "linear": "bilinear",
    "land": "from land",
    "sea": "from sea",
    "land and sea": "land, sea apart",
}
# Of what a field was read from, what the rest of the table or of what is told says already.
_SAID = re.compile(r" \(\w+ [\d.]+\)| at \d{4}-\d\d-\d\d \d\d:\d\d$")


@dataclass
class Report:
    """Filled while the times are worked through."""

    used: dict[str, str] = field(default_factory=dict)  # field: its levels, and where it came from
    substituted: dict[str, list[datetime]] = field(default_factory=dict)  # what: when
    notes: dict[str, None] = field(default_factory=dict)  # in the order of their coming
    warnings: dict[str, None] = field(default_factory=dict)

    def use(self, name: str, levels: str, where: str) -> None:
        # Without directories: the table is of fields.
        self.used.setdefault(name, levels + _SAID.sub("", where.rpartition("/")[2]))

    def substitute(self, what: str, time: datetime) -> None:
        times = self.substituted.setdefault(what, [])
        if time not in times:
            times.append(time)

    def note(self, what: str) -> None:
        self.notes.setdefault(what)

    def warn(self, what: str) -> None:
        self.warnings.setdefault(what)

    def fields_table(self) -> Table:
        """The fields read and their interpolation, one line each, in 80 columns."""
        table = Table(title="Fields", title_justify="left", box=None, pad_edge=False)
        for heading in ("field", "interpolated", "from"):
            table.add_column(heading, no_wrap=True, overflow="ellipsis")
        for name, where in self.used.items():
            about = FIELDS[name]
            table.add_row(f"{about.label} [dim]{about.units}[/dim]", _IN_WORDS[about.method], where)
        return table

    def substitutions(self, times: int) -> list[str]:
        """One line for each thing that was replaced; `times` is how many there are in all."""
        return [
            what if len(when) == times else f"{what} (at {len(when)} of {times} times)"
            for what, when in self.substituted.items()
        ]
