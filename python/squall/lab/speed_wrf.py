"""What `squall lab speed --wrf` times: Squall and a WRF that somebody built, in turn, on one core.

A ratio of speeds holds only of two programs on one machine in the same minutes. Each repeat therefore runs
WRF, then Squall, on the same input with the same time step and the same schemes. WRF's "Timing for main" and
Squall's own clock both tell the elapsed seconds of every step, without start and output. A step's time is the
median of the repeats, and a case's the mean of its steps after the first.
"""

import json
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from squall.lab import speed_forecasts
from squall.lab.variants import Changes
from squall.lab.verify import baroclinic_wave, data, full_physics, imported, supercell
from squall.lab.verify.built_wrf import INPUTS, BuiltWrf
from squall.lab.verify.real_weather import CASE, starting_from
from squall.lab.workspace import Layout, Workspace
from squall.results import show_table
from squall.wrf import namelist_edit

GOAL, GOAL_OF_SUITE = 5.0, 3.0
_STEP = re.compile(r"^Timing for main: time \S+ on domain +1: +([\d.]+) elapsed", re.M)

#: WRF's idealised cases as the reference data were made, without output.
_IDEAL = """\
&time_control
 start_year = 1, start_month = 1, start_day = 1, start_hour = 0,
 end_year = 1, end_month = 1, end_day = 2, end_hour = 0,
 run_seconds = {seconds}, history_interval = 100000, frames_per_outfile = 1, restart = .false.,
 io_form_history = 2, io_form_restart = 2, io_form_input = 2, io_form_boundary = 2,
/
&domains
 time_step = {step}, max_dom = 1, e_we = {e_we}, e_sn = {e_sn}, e_vert = {e_vert}, dx = {dx}, dy = {dx},
 grid_id = 1, parent_id = 0, i_parent_start = 1, j_parent_start = 1, parent_grid_ratio = 1,
 parent_time_step_ratio = 1,
/
&physics
 mp_physics = {mp}, ra_lw_physics = 0, ra_sw_physics = 0, sf_sfclay_physics = 0, sf_surface_physics = 0,
 bl_pbl_physics = 0, cu_physics = 0,
/
&fdda
/
&dynamics
 hybrid_opt = 0, rk_ord = 3, smdiv = 0.1, emdiv = 0.01, epssm = 0.1, time_step_sound = {sound},
 moist_adv_opt = 1, scalar_adv_opt = 1, tke_adv_opt = 1, non_hydrostatic = .true., use_theta_m = 1,
 khdif = 0, kvdif = 0, {dynamics}
/
&bdy_control
 {sides}
/
&namelist_quilt
 nio_tasks_per_group = 0, nio_groups = 1,
/
"""


@dataclass(frozen=True)
class Beside:
    """A case as both models run it. `folder`: of the reference data; `written`: writes Squall's run file;
    `namelist`: WRF's; `step`: in seconds; `goal`: how many times WRF's speed Squall's is to be."""

    name: str
    folder: str
    written: Callable[[Workspace, "Beside"], Path]
    namelist: str
    steps: int
    step: int
    goal: float = GOAL

    @property
    def run_name(self) -> str:
        return "beside-" + self.folder.replace("/", "-")

    def inputs(self) -> list[Path]:
        """Initial file, and boundary file where there is one. Raises Skipped without the reference data."""
        folder = data.folder(self.folder)
        return [(folder / name).resolve() for name in INPUTS if (folder / name).exists()]


@dataclass(frozen=True)
class Ratio:
    """Seconds a step of both on one core."""

    name: str
    wrf: float
    squall: float
    goal: float = GOAL

    @property
    def times(self) -> float:
        """How many times WRF's speed Squall's is."""
        return self.wrf / self.squall


def _wave() -> Beside:
    text = _IDEAL.format(
        seconds=60 * 600, step=600, e_we=41, e_sn=81, e_vert=65, dx=100000, mp=0, sound=4,
        dynamics="diff_opt = 1, km_opt = 1, damp_opt = 0,",
        sides="periodic_x = .true., symmetric_ys = .true., symmetric_ye = .true.,",
    )  # fmt: skip
    written = _variant("baroclinic-wave", baroclinic_wave.CHANGES)
    return Beside("baroclinic wave", "baroclinic_wave", written, text, 60, 600)


def _storm() -> Beside:
    text = _IDEAL.format(
        seconds=150 * 12, step=12, e_we=42, e_sn=42, e_vert=41, dx=2000, mp=1, sound=6,
        dynamics="diff_opt = 2, km_opt = 2, mix_full_fields = .true., damp_opt = 2, zdamp = 5000., "
        "dampcoef = 0.003,",
        sides="open_xs = .true., open_xe = .true., open_ys = .true., open_ye = .true.,",
    )  # fmt: skip
    return Beside("supercell", "supercell", _variant("supercell", supercell.CHANGES), text, 150, 12)


def _day(day: speed_forecasts.Day) -> Beside:
    """Six hours of a day with all physics; the namelist is the reference data's, without its output."""
    changes: Changes = {**full_physics.CHANGES, "physics.land": day.land}
    text = _six_hours(data.folder("physics") / f"namelist_{day.name}.input")
    return Beside(f"{day.name}, all physics", day.folder, _variant(CASE, changes), text, 60, 360)


def _suite() -> Beside:
    """Six winter hours over the plains with WRF's suite CONUS (Thompson, RRTMG, Eta similarity, MYJ, Noah,
    Tiedtke), from the run file that `squall import` makes of WRF's namelist."""
    folder = "physics2/plains"
    source = data.folder(folder) / "namelist_conus.input"

    def written(workspace: Workspace, beside: Beside) -> Path:
        return imported.translated(workspace, beside.run_name, source)

    return Beside("plains, suite CONUS", folder, written, _six_hours(source), 120, 180, GOAL_OF_SUITE)


def _six_hours(namelist: Path) -> str:
    """The text of a namelist of the reference data for a run of six hours without output."""
    return namelist_edit.edited(
        namelist,
        {
            "time_control.run_hours": "6",
            "time_control.history_interval": "100000",
            "time_control.iofields_filename": None,
            "time_control.ignore_iofields_warning": None,
        },
    )


def _variant(case: str, changes: Changes) -> Callable[[Workspace, Beside], Path]:
    """Writes a run file that comes with Squall, with its changes, for the same input as WRF's."""

    def written(workspace: Workspace, beside: Beside) -> Path:
        initial, *boundary = beside.inputs()
        files = starting_from(initial, boundary[0]) if boundary else {"initial.file": str(initial)}
        return workspace.variant(beside.run_name, case, {**files, **changes})

    return written


def measure(wrf: BuiltWrf, workspace: Workspace, repeats: int, console: Console) -> list[Ratio]:
    """All cases. Raises Skipped without the reference data, and UserError where a program fails."""
    found = []
    for case in (_wave(), _storm(), *(_day(day) for day in speed_forecasts.DAYS), _suite()):
        theirs, ours = [], []
        for _ in range(repeats):
            with console.status(f"{case.name}, WRF and Squall in turn ..."):
                theirs.append(run_wrf(wrf, workspace, case))
                ours.append(run_squall(workspace, case))
        found.append(Ratio(case.name, per_step(theirs), per_step(ours), case.goal))
    return found


def per_step(runs: Sequence[Sequence[float]]) -> float:
    """Seconds of a step: the mean over the steps, after the first, of the median of the repeats."""
    medians: list[float] = [statistics.median(same) for same in zip(*runs, strict=True)]
    return statistics.fmean(medians[1:])


def run_wrf(wrf: BuiltWrf, workspace: Workspace, case: Beside) -> list[float]:
    """The seconds of each step of WRF. Its folder stays, with the tables that WRF's Thompson microphysics
    takes minutes to compute."""
    folder = workspace.directory / f"{case.run_name}-wrf"
    folder.mkdir(parents=True, exist_ok=True)
    for file in case.inputs():
        (folder / file.name).unlink(missing_ok=True)
        (folder / file.name).symlink_to(file)
    return [float(found) for found in _STEP.findall(wrf.integrate(folder, case.namelist))]


def run_squall(workspace: Workspace, case: Beside) -> list[float]:
    """The seconds of each step of Squall."""
    timing = workspace.directory / "timing.json"
    settings = {"run.duration": f"{case.steps * case.step} s", "output.history.interval": "0 s"}
    workspace.run(case.run_name, case.written(workspace, case), settings, Layout(1, 1), timing)
    seconds: list[float] = json.loads(timing.read_text())["each_step"]
    return seconds


def show(console: Console, ratios: Sequence[Ratio]) -> None:
    """The table of ratios, with their goals."""
    rows = [
        [r.name, f"{1e3 * r.wrf:.1f}", f"{1e3 * r.squall:.1f}", f"{r.times:.2f}", f"{r.goal:g}"]
        for r in ratios
    ]
    columns = ("case", "WRF, ms", "Squall, ms", "times", "goal")
    show_table(console, "Squall and WRF in turn, one core", columns, rows)
    reached = sum(r.times >= r.goal for r in ratios)
    console.print(
        f"Milliseconds a step, and how many times WRF's speed Squall's is: {reached} of {len(ratios)} goals "
        "reached. The ratio is of this WRF, as it was compiled, on this machine.",
        highlight=False,
    )


def to_json(ratios: Sequence[Ratio]) -> list[dict[str, Any]]:
    """The ratios, as written to a file of results."""
    return [{**asdict(ratio), "times": ratio.times} for ratio in ratios]
