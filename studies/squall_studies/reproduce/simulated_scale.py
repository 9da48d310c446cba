"""A machine of today at 1,000 to 100,000 ranks: which limit a run comes to first."""

from __future__ import annotations

import resource
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from matplotlib.figure import Figure

from squall.errors import UserError
from squall.plot import style
from squall_studies import planning
from squall_studies.reproduce import curves
from squall_studies.reproduce.item import Context, Found, Published, Table
from squall_studies.reproduce.simulated import Run, busiest, with_an_hour

_ITEM = "today-simulated-scale"
_RANKS, _WAYS = (curves.table(_ITEM)[key] for key in ("ranks", "ways"))

_MORE = 4  # servers, one of which leaves ranks that can be planned

#: What squall-planner calls parts, where that does not say it: of engines without a codec, too.
_PARTS = {"codec": "serialising and compressing"}


@dataclass(frozen=True)
class Limit:
    """What a run can come to. use: of an answer and the machine's nodes, over what is borne: above 1 is too
    much."""

    name: str
    use: Callable[[planning.Answer, dict[str, Any]], float]


def _memory(answer: planning.Answer, nodes: dict[str, Any]) -> float:
    """A full node; a server stands on it beside the ranks."""
    ranks = min(answer["ranks"], nodes["cores"] // answer["threads"])
    server = answer["memory"]["server"] if answer["servers"] else 0.0
    return float((ranks * answer["memory"]["rank"] + server) / nodes["memory"])


def _exchange(answer: planning.Answer, nodes: dict[str, Any]) -> float:
    step = answer["step"]
    return float((step["seconds"] - step["computing"]) / (0.5 * step["seconds"]))


def _storage(answer: planning.Answer, nodes: dict[str, Any]) -> float:
    stream = answer["streams"][0]
    return float(stream["drain"] / stream["between_frames"])


def _output(answer: planning.Answer, nodes: dict[str, Any]) -> float:
    return float((answer["run"]["cost"] - 1) / 0.02)


LIMITS = (
    Limit("a node's memory", _memory),
    Limit("half of a step", _exchange),
    Limit("a frame's interval", _storage),
    Limit("2 % for output", _output),
)


def measure(context: Context, method: str | None = None) -> Found:
    """method: as `squall-planner` names it; None: SimGrid where that is built."""
    nodes = tomllib.loads(planning.machine_file(curves.run(_ITEM, ranks=1).machine).read_text())["nodes"]
    runs: list[Found] = []
    refused: list[Found] = []
    for ranks in _RANKS[:1] if context.quick else _RANKS:
        for keys in _WAYS:
            way = ", ".join(keys[key] for key in ("engine", "codec", "placement"))
            servers = keys.get("servers", 0) * -(-ranks // nodes["cores"])
            run = curves.run(_ITEM, **{**keys, "ranks": ranks, "servers": servers, "method": method})
            with context.status(f"{way}, {ranks} ranks ..."):
                try:
                    answer = _asked(run)
                except UserError as error:
                    refused.append({"way": way, "ranks": ranks, "why": str(error)})
                    continue
            runs.append({"way": way, "ranks": ranks} | _seen(answer, nodes))
    if not runs:
        raise UserError(f"No run could be simulated: {refused[0]['why']}")
    return {
        "machine": answer["machine"],
        "method": answer["method"],
        "cells": curves.table(_ITEM)["run"]["cells"],
        "runs": runs,
        "refused": refused,
        "peak": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
    }


def _asked(run: Run) -> planning.Answer:
    """With a few servers more where the ranks that are left have no factors that divide the domain, such as
    9,921. Raises UserError."""
    for more in range(_MORE if run.servers else 0):
        try:
            return planning.ask(with_an_hour(replace(run, servers=run.servers + more).question()))
        except UserError:
            continue
    return planning.ask(with_an_hour(run.question()))


def _seen(answer: planning.Answer, nodes: dict[str, Any]) -> Found:
    stream = answer["streams"][0]
    return {
        "step": answer["step"]["seconds"],
        "perceived": stream["perceived"],
        "drain": stream["drain"],
        "cost": answer["run"]["cost"],
        "busiest": busiest(answer),
        "uses": {limit.name: limit.use(answer, nodes) for limit in LIMITS},
        "wall": answer["wall"],
    }


def first(run: Found) -> str:
    """The limit that is used most, and whether it is passed; of frames, the part of the machine that is
    busiest with them, too."""
    name, use = max(run["uses"].items(), key=lambda pair: pair[1])
    part = _PARTS.get(run["busiest"], run["busiest"])
    of = f" ({part})" if name in ("a frame's interval", "2 % for output") else ""
    return f"{name}{of}" if use > 1 else f"none; nearest {name}{of}"


def tables(found: Found) -> list[Table]:
    nx, ny, nz = found["cells"]
    times = [
        [
            *(run["way"], str(run["ranks"]), f"{1e3 * run['step']:.1f}", f"{run['perceived']:.3g}"),
            *(f"{run['drain']:.3g}", f"{run['cost']:.3f}"),
        ]
        for run in found["runs"]
    ]
    times += [
        [refusal["way"], str(refusal["ranks"]), refusal["why"]] + 3 * [""] for refusal in found["refused"]
    ]
    uses = [
        [run["way"], str(run["ranks"]), *(f"{run['uses'][limit.name]:.2f}" for limit in LIMITS), first(run)]
        for run in found["runs"]
    ]
    way = "engine, codec, placement"
    return [
        Table(
            f"{found['machine']}: {nx} x {ny} x {nz} cells",
            [way, "ranks", "step, ms", "ranks lose to a frame, s", "stored after, s", "run / steps"],
            times,
        ),
        Table(
            "Of each limit is used (above 1: broken)",
            [way, "ranks", *(limit.name for limit in LIMITS), "breaks first"],
            uses,
        ),
        Table("The limits", ["limit", "what is held to it"], list(curves.table(_ITEM)["limits"].items())),
        _simulation(found),
    ]


def _simulation(found: Found) -> Table:
    longest = max(found["runs"], key=lambda run: float(run["wall"]))
    how = "SimGrid" if found["method"] == "simgrid" else "closed forms"
    title = f"What simulating took, by {how}"
    columns = ["most ranks", "the longest run, s", "memory, at most, GB"]
    most = max(run["ranks"] for run in found["runs"])
    return Table(title, columns, [[str(most), f"{longest['wall']:.0f}", f"{found['peak'] / 1e9:.2f}"]])


def draw(found: Found, published: Published | None) -> Figure:
    ways: Sequence[str] = list(dict.fromkeys(run["way"] for run in found["runs"]))
    figure = style.figure(3.2 * len(ways), 3.4)
    for axes, way in zip(figure.subplots(1, len(ways), sharey=True, squeeze=False)[0], ways, strict=True):
        style.plain(axes)
        of = [run for run in found["runs"] if run["way"] == way]
        ranks = [run["ranks"] for run in of]
        for limit in LIMITS:
            axes.plot(ranks, [run["uses"][limit.name] for run in of], "o-", label=limit.name)
        axes.axhline(1, color="k", lw=0.8, ls=":")
        axes.set(xscale="log", yscale="log", xlabel="ranks", title=way)
        axes.set_xticks(ranks, [f"{n:,}" for n in ranks])
        axes.minorticks_off()
    figure.axes[0].set_ylabel("used of a limit (dotted: all)")
    figure.axes[0].legend(fontsize=7)
    return figure


ITEMS = (curves.item(_ITEM, measure, tables, draw),)
