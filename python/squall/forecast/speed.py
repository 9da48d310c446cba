"""How fast this machine computes, from a few steps of the supercell on all of its cores."""

import json
import statistics
import subprocess
import tempfile
import tomllib
from pathlib import Path

from squall import locate, machine
from squall.errors import UserError
from squall.new import tables_of
from squall.run_files.run_file import Line, render, toml

_STEPS, _WARM = 40, 10  # steps, and how many of them do not count
_STEP = 12  # s
_ROWS = 30  # of cells for each core


def of_storm() -> float:
    """Seconds that a cell takes in a step of the supercell (dynamics, warm rain, turbulence). Raises
    UserError where the model does not run."""
    document = tomllib.loads(locate.run_file("supercell").read_text())
    tables = {name: keys for name, keys in tables_of(document).items() if not name.startswith("output")}
    tables["domain"] |= {"nx": 40, "ny": min(_ROWS * machine.cores(), 600), "nz": 40}
    with tempfile.TemporaryDirectory() as folder:
        tables["run"] |= {
            "duration": f"{_STEPS * _STEP} s",
            "time_step": f"{_STEP} s",
            "directory": f"{folder}/run",
        }
        run_file, timing = Path(folder) / "speed.toml", Path(folder) / "timing.json"
        lines = {name: [Line(key, toml(value)) for key, value in of.items()] for name, of in tables.items()}
        run_file.write_text(render(["How fast this machine computes."], lines))
        done = subprocess.run(
            [locate.model_binary(), run_file, "--timing", timing], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise UserError(f"The model does not run here:\n{done.stderr.strip()}", 1)
        told = json.loads(timing.read_text())
    return float(statistics.median(told["each_step"][_WARM:])) / int(told["cells"])
