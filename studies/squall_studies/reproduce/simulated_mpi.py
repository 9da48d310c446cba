"""The messages of a step, sent under SMPI, SimGrid's own MPI, against those that the planner counts."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from squall import locate
from squall.errors import UserError
from squall.lab.speed_domains import STORM
from squall.lab.variants import Changes
from squall_studies import planning
from squall_studies.reproduce import charts, curves
from squall_studies.reproduce.item import Context, Found, Published, Table
from squall_studies.reproduce.simulated import Run

#: Of the model: its decomposition and its halos, beside a program that makes them exchange.
_SOURCES = (
    "planner/skeleton/step.cpp", "model/src/parallel/halo.cpp", "model/src/parallel/decomposition.cpp",
    "model/src/parallel/edge_lines.cpp", "model/src/parallel/halo_copies.cpp", "model/src/core/profile.cpp",
    "model/src/core/array.cpp", "model/src/core/device.cpp",
)  # fmt: skip
_ITEM = "today-simulated-messages"
_OF = curves.table(_ITEM)
HALOS, MODEL = "its halos alone", "the model"
_PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node" suffix="" radical="0-{last}" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
"""


def measure(context: Context) -> Found:
    """A program of the model's own decomposition and halos, built with SMPI, exchanges what a step of the
    supercell exchanges; and the model itself steps, where that is built. Every send is in SMPI's trace."""
    folder = context.workspace.directory
    program, model = _build(folder), _model()
    rows = []
    for ranks in _OF["ranks"][: 1 if context.quick else None]:
        answer = planning.ask(Run("today", _OF["cells"], ranks).question())
        with context.status(f"{ranks} simulated ranks ..."):
            rows.append(_row(HALOS, answer, _sent(folder, program, answer)))
    for ranks in _OF["ranks_of_model"][: 1 if context.quick else None]:
        if model is None:
            break
        answer = planning.ask(Run("today", _OF["cells_of_model"], ranks).question())
        with context.status(f"the model on {ranks} simulated ranks ..."):
            rows.append(_row(MODEL, answer, _sent_by_the_model(context, model, answer["ranks"])))
    return {key: _OF[key] for key in ("cells", "cells_of_model")} | {"rows": rows}


def _row(program: str, answer: planning.Answer, sent: tuple[int, int]) -> Found:
    step = answer["step"]
    return {
        "program": program, "ranks": answer["ranks"], "planned": step["messages"],
        "planned_bytes": step["bytes"], "messages": sent[0], "bytes": sent[1],
    }  # fmt: skip


def _model() -> Path | None:
    """The program, built with SMPI; None: it is not."""
    folder = Path(os.environ.get("SQUALL_SMPI") or locate.cache("smpi"))
    program = folder / "model" / "squall-model"
    return program.resolve() if program.is_file() else None


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
    exchanges = folder / "exchanges.txt"
    exchanges.write_text("".join(map(_line, answer["exchanges"]["kinds"])))
    cells, periodic = answer["exchanges"]["cells"], answer["exchanges"]["periodic"]
    words = [*cells, *map(int, periodic), *answer["process_grid"], exchanges]
    return _traced(folder, answer["ranks"], [program, *words])


def _sent_by_the_model(context: Context, model: Path, ranks: int) -> tuple[int, int]:
    """The same, of runs of the model without output. smpirun parts words at spaces, so a run file has all."""
    folder, counts = context.workspace.directory, []
    cells = {f"domain.n{axis}": n for axis, n in zip("xyz", _OF["cells_of_model"], strict=True)}
    for steps in _OF["steps_of_model"]:
        changes: Changes = {
            **cells, "output.history": None, "run.duration": f"{STORM.time_step * steps} s",
            "run.directory": str(folder / "of-the-model"),
        }  # fmt: skip
        run_file = context.workspace.variant("under-smpi", STORM.name, changes)
        counts.append(_traced(folder, ranks, [model, run_file, "--overwrite", "--threads", 1]))
    (few, few_bytes), (many, many_bytes) = counts
    more = _OF["steps_of_model"][1] - _OF["steps_of_model"][0]
    return (many - few) // more, (many_bytes - few_bytes) // more


def _traced(folder: Path, ranks: int, program: Sequence[object]) -> tuple[int, int]:
    """What all simulated ranks of a program send, by SMPI's trace."""
    platform, trace = folder / "platform.xml", folder / "trace.txt"
    platform.write_text(_PLATFORM.format(last=ranks - 1))
    shutil.rmtree(folder / "trace.txt_files", ignore_errors=True)
    words = ["smpirun", "-np", ranks, "-platform", platform, "-trace-ti"]
    words += [f"--cfg=tracing/filename:{trace}", *program]
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
            *(str(row[key]) for key in ("program", "ranks", "planned", "messages", "planned_bytes", "bytes")),
            "yes" if (row["planned"], row["planned_bytes"]) == (row["messages"], row["bytes"]) else "no",
        ]
        for row in found["rows"]
    ]
    cells, of_model = (" x ".join(map(str, found[key])) for key in ("cells", "cells_of_model"))
    columns = ["", "ranks", "messages, planned", "sent", "bytes, planned", "sent", "the same"]
    if not any(row["program"] == MODEL for row in found["rows"]):
        rows.append([f"{MODEL}: not built with SMPI (tools/smpi)", *("" for _ in columns[1:])])
    return [Table(f"A step of {cells} cells; of the model, {of_model}", columns, rows)]


def draw(found: Found, published: Published | None) -> Figure:
    figure, _, axes = charts.beside(None)
    groups = [f"{row['program']},\n{row['ranks']} ranks" for row in found["rows"]]
    series = {
        "planned": [row["planned_bytes"] / 1e6 for row in found["rows"]],
        "sent under SMPI": [row["bytes"] / 1e6 for row in found["rows"]],
    }
    charts.bars(axes, groups, series)
    axes.tick_params("x", labelsize=6)
    axes.set_ylabel("MB a step")
    return figure


ITEMS = (curves.item(_ITEM, measure, tables, draw),)
