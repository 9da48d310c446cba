"""Questions to `squall-planner` that `squall plan` does not ask: other programs' ways to write, other
storage, diagnostics, numbers of servers. What it says was compared with published curves, or with nothing."""

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from squall import planning
from squall.errors import UserError
from squall.planning import Answer, machine_file

__all__ = ["Answer", "Question", "Variant", "ask", "machine_file", "recommended", "with_servers"]

_WORTH = 0.99  # of the run's time, that servers must save to be recommended


@dataclass(frozen=True)
class Question(planning.Question):
    """local: frames go to the disks of the nodes. way: how other programs write frames, of those that
    `squall-planner --help` names; None: as the run file says. aggregators: writers on each node, of those
    that aggregate. servers_last: the last ranks serve, whatever nodes they are on. storage: keys of the
    machine's [storage] with values other than the file's. stations, zonal, fields: diagnostics to tell of, of
    so many fields; 0 and False: none. apart: nodes that are simulated one by one; None: as `squall-planner`
    has it."""

    local: bool = False
    way: str | None = None
    aggregators: int | None = None
    servers_last: bool = False
    storage: Mapping[str, float] = field(default_factory=dict)
    stations: int = 0
    zonal: bool = False
    fields: int = 10
    apart: int | None = None


def ask(question: Question) -> Answer:
    """What `squall-planner` says. Raises UserError with its words where it refuses."""
    q = question
    if q.storage:
        with tempfile.TemporaryDirectory() as folder:
            machine = Path(folder) / q.machine.name
            machine.write_text(with_storage(q.machine, q.storage))
            return ask(replace(q, machine=machine, storage={}))
    words = list(q.words)
    words += ["--local"] if q.local else []
    words += ["--aggregators", str(q.aggregators)] if q.aggregators else []
    words += ["--servers-last"] if q.servers_last else []
    words += ["--way", q.way] if q.way else []
    words += ["--stations", str(q.stations)] if q.stations else []
    words += ["--zonal"] if q.zonal else []
    words += ["--apart", str(q.apart)] if q.apart else []
    words += ["--fields", str(q.fields)] if q.stations or q.zonal else []
    return planning.ask(replace(q, words=words))


def with_storage(machine: Path, storage: Mapping[str, float]) -> str:
    """The machine's file with other values. Raises UserError for a key that it has not."""
    before, head, rest = machine.read_text().partition("[storage]")
    own, *others = re.split(r"(?=^\[)", rest, flags=re.M)
    for key, value in storage.items():
        own, found = re.subn(rf"^{key}\s*=[^#\n]*", f"{key} = {value} ", own, count=1, flags=re.M)
        if not found:
            raise UserError(f"{machine} has no key storage.{key}.")
    return "".join([before, head, own, *others])


@dataclass(frozen=True)
class Variant:
    """So many ranks to write, of those that there are."""

    servers: int
    answer: Answer

    @property
    def seconds(self) -> float:
        return float(self.answer["run"]["seconds"])


def with_servers(
    question: Question, as_it_is: Answer, tell: Callable[[str], None] = lambda _: None
) -> list[Variant]:
    """The run with no servers to two on each node, or more where a node has many ranks; the run as it is
    comes first."""
    found = [Variant(as_it_is["servers"], as_it_is)]
    streams = [stream["name"] for stream in as_it_is["streams"]]
    if not streams:
        return found
    for servers in _numbers(question.ranks, as_it_is["nodes"]):
        if servers == as_it_is["servers"]:
            continue
        placement = "servers" if servers else "thread"
        settings = [f"output.servers={servers}", "output.servers_per_node=0"]
        settings += [f'output.{name}.placement="{placement}"' for name in streams]
        tell(f"{servers} servers")
        try:
            answer = ask(replace(question, settings=[*question.settings, *settings]))
        except UserError:  # an engine that servers cannot write, patches that would be too small
            continue
        found.append(Variant(servers, answer))
    return found


def _numbers(ranks: int, nodes: int) -> list[int]:
    wished = {0, 1, 4, nodes // 4, nodes, 2 * nodes, ranks // 64, ranks // 16}
    return sorted(n for n in wished if n <= ranks // 4)


def recommended(variants: Sequence[Variant]) -> Variant:
    """The fewest servers within a hundredth of the shortest run."""
    shortest = min(variant.seconds for variant in variants)
    return min((v for v in variants if v.seconds * _WORTH <= shortest), key=lambda v: v.servers)
