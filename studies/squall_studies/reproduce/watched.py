"""Runs whose time and messages are looked at: what several items measure."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from squall.lab.workspace import Layout
from squall.profile import messages, profiling, ranks
from squall.profile.messages import Messages
from squall.profile.ranks import Rank
from squall_studies.reproduce.item import Context


@dataclass(frozen=True)
class Watched:
    """What the ranks of a run have left."""

    ranks: list[Rank]
    messages: Messages

    @property
    def steps(self) -> int:
        return max(1, self.ranks[0].steps)

    @property
    def seconds(self) -> float:
        """Of a step."""
        return max(rank.seconds for rank in self.ranks) / self.steps

    def kind(self, name: str) -> float:
        """Seconds of a step that a rank spends so, on average."""
        return sum(rank.by_kind[name] for rank in self.ranks) / len(self.ranks) / self.steps


def run(context: Context, run_file: Path, layout: Layout, settings: Mapping[str, str]) -> Watched:
    """The quickest of the repeats."""
    found = []
    for _ in range(context.repeats):
        folder = context.workspace.directory / "profile"
        shutil.rmtree(folder, ignore_errors=True)
        context.workspace.run("watched", run_file, settings, layout, watch=profiling.watching(folder))
        found.append(Watched(ranks.read(folder), messages.read(folder / "messages.json")))
    return min(found, key=lambda watched: watched.seconds)
