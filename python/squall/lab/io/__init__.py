"""`squall lab io`: measures output against the limits of the machine and of the engines' own libraries.

Every measurement is one start of the program `squall-io-bench`, which writes frames and measures
its yardsticks between them, so that both see the same state of the machine:

- copy: one copy of the frame's bytes in memory, on all ranks at once
- raw: the same bytes written to a file per rank, with and without fsync
- plain: the loop that the engine's library offers by itself, on the same values, with fsync

What is judged are ratios within one measurement, medians over its frames; the first frame, in
which memory is touched for the first time, is shown apart.
"""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from squall.lab.io import bench, goals, matrix, show
from squall.results import write_json


def draw_again(file: Path, output: Path) -> None:
    """The picture of what `json` of `run` wrote, into the folder `output`."""
    measurements = bench.read(file)
    output.mkdir(parents=True, exist_ok=True)
    show.draw(output / "io.png", measurements)
    print(f"Picture: {output / 'io.png'}")


def run(setup: bench.Setup, choice: Sequence[Sequence[str]], output: Path, json: Path | None) -> None:
    """Measures the engines, placements and codecs of `choice` (empty: all), prints the table, draws
    the picture into `output`, writes `json`. Raises UserError on a name that is not known."""
    console = Console()
    measurements, failed = matrix.measure(setup, matrix.combinations(*choice), console)
    verdicts = goals.verdicts(measurements)
    if measurements:
        show.table(console, measurements)
        show.draw(output / "io.png", measurements)
    show.goals(console, measurements, verdicts, failed)
    if measurements:
        console.print(f"Picture: {output / 'io.png'}")
    if json:
        write_json(json, show.to_json(setup, measurements, verdicts, failed))
