"""The messages of a step, sent under SMPI, SimGrid's own MPI, against those that the planner counts."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from matplotlib.figure import Figure

from squall import locate, planning
from squall.errors import UserError
from squall.lab.reproduce import charts
from squall.lab.reproduce.item import Context, Found, Item, Published, Table
from squall.lab.reproduce.simulated import Run

#: Of the model: its decomposition and its halos, beside a program that makes them exchange.
_SOURCES = (
    "sim/skeleton/step.cpp", "model/src/parallel/halo.cpp", "model/src/parallel/decomposition.cpp",
    "model/src/parallel/edge_lines.cpp", "model/src/core/profile.cpp", "model/src/core/array.cpp",
)  # fmt: skip
_CELLS = (160, 120, 20)
_RANKS = (4, 16, 64)
_PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node" suffix="" radical="0-{last}" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
"""


def measure(context: Context) -> Found:
    """A program of the model's own decomposition and halos, built with SMPI, exchanges what a step of the
    supercell exchanges. Every send is in SMPI's trace."""
    program = _build(context.workspace.directory)
    rows = []
    for ranks in _RANKS[:1] if context.quick else _RANKS:
        with context.status(f"{ranks} simulated ranks ..."):
            answer = planning.ask(Run("today", _CELLS, ranks).question())
            messages, sent = _sent(context.workspace.directory, program, answer)
        planned = answer["step"]
        rows.append(
            {
                "ranks": ranks,
                "planned": planned["messages"],
                "planned_bytes": planned["bytes"],
                "messages": messages,
                "bytes": sent,
            }
        )
    return {"cells": list(_CELLS), "rows": rows}


def _build(folder: Path) -> Path:
    """Raises UserError without SimGrid's compiler, or without the sources."""
    compiler = shutil.which("smpicxx")
    if compiler is None or shutil.which("smpirun") is None:
        raise UserError("SMPI is not here: smpicxx and smpirun come with SimGrid (Debian: libsimgrid-dev)")
    sources = [locate.CHECKOUT / source for source in _SOURCES]
    if not all(source.is_file() for source in sources):
        raise UserError("the sources of the model are not here: this item needs a checkout")
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "step_messages"
    words = [
        compiler,
        "-std=c++20",
        "-O1",
        "-fopenmp",
        "-I",
        locate.CHECKOUT / "model" / "src",
        "-o",
        program,
    ]
    _run([*map(str, words), *map(str, sources), "-lfmt"], folder, "building with SMPI")
    return program


def _sent(folder: Path, program: Path, answer: planning.Answer) -> tuple[int, int]:
    """Messages and bytes that all simulated ranks send in a step."""
    exchanges, platform, trace = folder / "exchanges.txt", folder / "platform.xml", folder / "trace.txt"
    exchanges.write_text("".join(map(_line, answer["exchanges"]["kinds"])))
    platform.write_text(_PLATFORM.format(last=answer["ranks"] - 1))
    shutil.rmtree(folder / "trace.txt_files", ignore_errors=True)
    cells, periodic = answer["exchanges"]["cells"], answer["exchanges"]["periodic"]
    words = ["smpirun", "-np", answer["ranks"], "-platform", platform, "-trace-ti"]
    words += [f"--cfg=tracing/filename:{trace}", program, *cells, *map(int, periodic)]
    words += [*answer["process_grid"], exchanges]
    _run([*map(str, words)], folder, "simulated ranks")
    traces = sorted((folder / "trace.txt_files").iterdir())
    return counted(line for file in traces for line in file.read_text().splitlines())


def counted(lines: Iterable[str]) -> tuple[int, int]:
    """Of a time-independent trace: sends, each "RANK isend TO TAG SIZE TYPE", and their bytes."""
    sizes = [int(words[4]) for words in map(str.split, lines) if words[1:2] in (["isend"], ["send"])]
    return len(sizes), sum(sizes)


def _line(kind: Found) -> str:
    parts = " ".join(f"{levels} {stagger}" for levels, stagger in kind["fields"])
    return f"{kind['times']} {kind['width']} {int(kind['corners'])} {parts}\n"


def _run(words: list[str], folder: Path, what: str) -> None:
    environment = {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        words, cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        said = "\n".join((done.stderr or done.stdout).splitlines()[-8:])
        raise UserError(f"{what}: {words[0]} ended with code {done.returncode}: {said}", 1)


def tables(found: Found) -> list[Table]:
    rows = [
        [
            *(str(row[key]) for key in ("ranks", "planned", "messages", "planned_bytes", "bytes")),
            "yes" if (row["planned"], row["planned_bytes"]) == (row["messages"], row["bytes"]) else "no",
        ]
        for row in found["rows"]
    ]
    nx, ny, nz = found["cells"]
    columns = ["ranks", "messages, planned", "sent", "bytes, planned", "sent", "the same"]
    return [Table(f"A step of {nx} x {ny} x {nz} cells", columns, rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, _, axes = charts.beside(None)
    groups = [f"{row['ranks']} ranks" for row in found["rows"]]
    series = {
        "planned": [row["planned_bytes"] / 1e6 for row in found["rows"]],
        "sent under SMPI": [row["bytes"] / 1e6 for row in found["rows"]],
    }
    charts.bars(axes, groups, series)
    axes.set_ylabel("MB a step")
    return figure


ITEMS = (
    Item(
        "today-simulated-messages", "today", "Messages of a step under SMPI, and as planned",
        "The model's own decomposition and halos, built with SimGrid's MPI, exchange what a step of the "
        "supercell exchanges on 4, 16 and 64 simulated ranks; every send is counted. Not the whole model: "
        "these sources are compiled beside a program that asks for the exchanges.",
        1, measure, tables, draw, simulated=True,
    ),
)  # fmt: skip
