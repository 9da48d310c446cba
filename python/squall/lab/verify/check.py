"""A check: one comparison of the model with a reference."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from squall.results import number


class Skipped(Exception):
    """A case that cannot run here; the text says what is missing and how to get it."""


@dataclass(frozen=True)
class Check:
    """A quantity, what it should be, what it is, and how far apart the two may lie.

    `reference`, `ours` and `tolerance` are in `unit`. How `tolerance` is meant:
    "within": |ours - reference| <= tolerance; "at most": ours <= tolerance;
    "at least": ours >= tolerance (in the last two `reference` is there to compare, or None).
    """

    case: str
    quantity: str
    reference: float | None
    ours: float
    tolerance: float
    source: str
    unit: str = ""
    rule: Literal["within", "at most", "at least"] = "within"

    @property
    def passed(self) -> bool:
        """False also when `ours` is not a number."""
        if self.rule == "at most":
            return self.ours <= self.tolerance
        if self.rule == "at least":
            return self.ours >= self.tolerance
        assert self.reference is not None, "a check 'within' needs a reference"
        return abs(self.ours - self.reference) <= self.tolerance

    def row(self) -> list[str]:
        """Cells for the table, in the order of `COLUMNS`."""
        sign = {"within": "±", "at most": "≤ ", "at least": "≥ "}[self.rule]
        verdict = "[green]pass[/]" if self.passed else "[bold red]FAIL[/]"
        quantity = f"{self.quantity} [{self.unit}]" if self.unit else self.quantity
        return [
            self.case,
            quantity.replace("[", r"\["),
            number(self.reference),
            number(self.ours),
            sign + number(self.tolerance),
            verdict,
        ]

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"passed": self.passed}


COLUMNS = ["case", "quantity", "reference", "ours", "tolerance", "verdict"]
