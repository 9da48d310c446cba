"""Predicts the time, memory and best number of servers of a run on a machine that a file describes.

`squall-planner` computes the prediction from the plans of the model and of its output: with SimGrid if it is
built, else from closed forms.
"""

import json
import re
import subprocess
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from squall import locate
from squall.errors import UserError

_WORTH = 0.99  # the shortest time of the run over that with the recommended servers, at least


@dataclass(frozen=True)
class Question:
    """A run on a machine. ranks_per_node None: as many as the cores allow. way: how frames are written, one
    of those that `squall-planner --help` lists; None: as the run file says. aggregators: writers per node,
    for ways that aggregate. servers_last: the last ranks are the servers, on whatever nodes they are.
    storage: values that replace keys of the machine's [storage]. step_factor: time of a cell-step relative to
    the case that the machine was calibrated with; None: from the costs of the schemes in the file `schemes`,
    or the one that comes with Squall. stations, zonal, fields: diagnostics to predict, and their number of
    fields; 0 and False: none. apart: number of nodes that are simulated individually; None: the default of
    `squall-planner`."""

    run_file: Path
    machine: Path
    ranks: int
    threads: int = 1
    settings: list[str] = field(default_factory=list)
    method: str | None = None
    ranks_per_node: int | None = None
    local: bool = False
    way: str | None = None
    aggregators: int | None = None
    servers_last: bool = False
    storage: Mapping[str, float] = field(default_factory=dict)
    stations: int = 0
    zonal: bool = False
    fields: int = 10
    apart: int | None = None
    step_factor: float | None = None
    schemes: Path | None = None


Answer = dict[str, Any]


def machine_file(name: str) -> Path:
    """A path, or the name of a machine that comes with Squall. Raises UserError."""
    path = Path(name)
    if path.is_file():
        return path
    known = {path.stem: path for path in sorted(locate.machines_folder().glob("*.toml"))}
    if name in known:
        return known[name]
    raise UserError(
        f"There is no machine file {name}. {', '.join(known)} come with Squall; `squall lab calibrate` "
        f"makes one."
    )


def ask(question: Question) -> Answer:
    """The answer of `squall-planner`. Raises UserError with its message if it fails."""
    if question.storage:
        with tempfile.TemporaryDirectory() as folder:
            machine = Path(folder) / question.machine.name
            machine.write_text(_with_storage(question.machine, question.storage))
            return ask(replace(question, machine=machine, storage={}))
    q = question
    words: list[str] = [str(q.run_file), "--machine", str(q.machine), "-n", str(q.ranks)]
    words += ["--threads", str(q.threads), *_calibration(q.machine)]
    words += [word for setting in q.settings for word in ("--set", setting)]
    words += ["--method", q.method] if q.method else []
    words += ["--ranks-per-node", str(q.ranks_per_node)] if q.ranks_per_node else []
    words += ["--local"] if q.local else []
    words += ["--aggregators", str(q.aggregators)] if q.aggregators else []
    words += ["--servers-last"] if q.servers_last else []
    words += ["--way", q.way] if q.way else []
    words += ["--stations", str(q.stations)] if q.stations else []
    words += ["--zonal"] if q.zonal else []
    words += ["--apart", str(q.apart)] if q.apart else []
    words += ["--step-factor", str(q.step_factor)] if q.step_factor else []
    words += ["--schemes", str(q.schemes or locate.machines_folder() / "schemes.json")]
    words += ["--fields", str(q.fields)] if q.stations or q.zonal else []
    done = subprocess.run([locate.planner_binary(), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError((done.stderr or done.stdout).strip().removeprefix("squall-planner: "))
    answer: Answer = json.loads(done.stdout)
    return answer


def _with_storage(machine: Path, storage: Mapping[str, float]) -> str:
    """The text of the machine file with values replaced. Raises UserError for an unknown key."""
    before, head, rest = machine.read_text().partition("[storage]")
    own, *others = re.split(r"(?=^\[)", rest, flags=re.M)
    for key, value in storage.items():
        own, found = re.subn(rf"^{key}\s*=[^#\n]*", f"{key} = {value} ", own, count=1, flags=re.M)
        if not found:
            raise UserError(f"{machine} has no key storage.{key}.")
    return "".join([before, head, own, *others])


def _calibration(machine: Path) -> list[str]:
    """For a machine file without a calibration: that of the machine that Squall's own figures come from."""
    try:
        measured = "calibration" in tomllib.loads(machine.read_text())
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{machine} cannot be read: {error}.") from None
    return [] if measured else ["--calibration", str(locate.machines_folder() / "calibration.json")]


@dataclass(frozen=True)
class Variant:
    """The prediction for a number of servers."""

    servers: int
    answer: Answer

    @property
    def seconds(self) -> float:
        return float(self.answer["run"]["seconds"])


def with_servers(
    question: Question, as_it_is: Answer, tell: Callable[[str], None] = lambda _: None
) -> list[Variant]:
    """Predictions with no servers up to two per node, or more if a node has many ranks; the run as given
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
        except UserError:  # an engine that servers cannot write, or patches that would be too small
            continue
        found.append(Variant(servers, answer))
    return found


def _numbers(ranks: int, nodes: int) -> list[int]:
    wished = {0, 1, 4, nodes // 4, nodes, 2 * nodes, ranks // 64, ranks // 16}
    return sorted(n for n in wished if n <= ranks // 4)


def recommended(variants: Sequence[Variant]) -> Variant:
    """The fewest servers with which the run is within 1 % of the shortest."""
    shortest = min(variant.seconds for variant in variants)
    return min((v for v in variants if v.seconds * _WORTH <= shortest), key=lambda v: v.servers)
