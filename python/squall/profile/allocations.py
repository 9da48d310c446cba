"""Memory that a program's processes allocate and clear, counted by a preloaded library."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from squall import locate
from squall.errors import UserError


@dataclass(frozen=True)
class Memory:
    """Calls of malloc and its kin: number and bytes; of memset with zeros: bytes, and seconds (of calls of
    4 KiB and more); pages that the system gave on first touch."""

    allocations: float
    allocated: float
    cleared: float
    clearing: float
    pages: float

    def less(self, other: "Memory", parts: float) -> "Memory":
        """A part of what is more than `other`, of so many."""
        ours, theirs = vars(self), vars(other)
        return Memory(**{key: (ours[key] - theirs[key]) / parts for key in ours})


def environment(folder: Path) -> dict[str, str]:
    """With which processes leave their counts in `folder`. Raises UserError where there is no library."""
    before = os.environ.get("LD_PRELOAD", "")
    library = str(locate.allocations_library())
    return {
        "LD_PRELOAD": f"{library}:{before}" if before else library,
        "SQUALL_ALLOCATIONS": str(folder),
    }


def read(folder: Path, program: str, least: int = 0) -> list[Memory]:
    """Of each process of `program` that has left its counts there: calls of at least so many bytes (a power
    of two). Raises UserError where there is none."""
    found = [json.loads(file.read_text()) for file in sorted(folder.glob("allocations-*.json"))]
    ours = [_memory(one, least) for one in found if one["program"] == program]
    if not ours:
        raise UserError(
            f"{folder} has no counts of {program}: it must be linked dynamically and end normally."
        )
    return ours


def _memory(content: dict[str, Any], least: int) -> Memory:
    def summed(what: str, key: str) -> float:
        calls = (call for call in content["calls"] if call["what"] == what and call["below"] > least)
        return float(sum(call[key] for call in calls))

    return Memory(
        allocations=summed("allocated", "calls"),
        allocated=summed("allocated", "bytes"),
        cleared=summed("cleared", "bytes"),
        clearing=summed("cleared", "seconds"),
        pages=float(content["pages"]),
    )
