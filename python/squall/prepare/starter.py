"""Run files for real weather: the one that goes with files prepared without one, and that of a forecast."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from squall.geo.domain import Domain
from squall.prepare.command import DURATION, Prepared
from squall.prepare.geography import NONE
from squall.prepare.run_file import Plan
from squall.quantity import spell
from squall.run_files.by_spacing import EDDIES_RESOLVED, RESOLVED, suite_for
from squall.run_files.time_steps import step_up_to

_TEXT = """\
# {heading}; all keys: docs/reference/run-file.md.

[run]
start = "{start:%Y-%m-%dT%H:%M:%S}"
duration = "{duration}"
time_step = "{time_step:g} s"        # at most about 5 s per kilometre of grid spacing
acoustic_substeps = 4
{run}
[domain]
nx = {domain.nx}
ny = {domain.ny}
nz = {levels}
dx = "{dx}"
dy = "{dy}"

# The source of the files below: `squall prepare` with this run file makes them again.
[prepare]
analysis = [{analysis}]
{own}projection = "{projection.name}"
center_latitude = "{domain.center_latitude:.6g} degrees"
center_longitude = "{domain.center_longitude:.6g} degrees"
true_latitude_1 = "{projection.true_latitude_1:.6g} degrees"
true_latitude_2 = "{projection.true_latitude_2:.6g} degrees"
standard_longitude = "{projection.standard_longitude:.6g} degrees"
{top}
[initial]
file = "wrfinput_d01"

[boundary]
file = "wrfbdy_d01"          # used on all four sides

[dynamics]
coriolis = "file"
w_damping = true

[physics]
suite = {suite:<21}# its schemes: squall run --plan; its radiation: squall fetch radiation, once
{drag}{eddies}
[damping]
scheme = "implicit-w"        # absorbing layer below the top, against reflected waves
depth = "5 km"
coefficient = "0.2 s-1"

[output.history]
interval = "1 h"
{more}"""


_DRAG = 'gravity_wave_drag = "kim-arakawa"   # by subgrid orography\n'
_EDDIES = """\
boundary_layer = "resolved"  # the grid resolves large eddies; [diffusion] handles smaller ones

[diffusion]
scheme = "tke"
surfaces = "physical"
mix_full_fields = true
"""


@dataclass(frozen=True)
class Start:
    """What differs between such run files. heading: the first comment, up to its last sentence; analysis:
    files as seen from the run file; top [Pa]: None for as high as they reach; run, own: further lines of
    [run] and [prepare]; drag: by subgrid orography; more: further tables."""

    heading: str
    start: datetime
    duration: timedelta
    domain: Domain
    levels: int
    top: float | None
    analysis: list[str]
    run: str = ""
    own: str = ""
    drag: bool = False
    more: str = ""


def text(of: Start) -> str:
    """The text of a run file."""
    domain = of.domain
    spacing = min(domain.dx, domain.dy)
    return _TEXT.format(
        heading=of.heading,
        start=of.start,
        duration=spell(of.duration.total_seconds(), "time"),
        time_step=time_step(domain, of.duration),
        domain=domain,
        levels=of.levels,
        dx=spell(domain.dx, "length"),
        dy=spell(domain.dy, "length"),
        analysis=", ".join(f'"{file}"' for file in of.analysis),
        run=of.run,
        own=of.own,
        suite=f'"{suite_for(spacing)}"',
        drag=_DRAG if of.drag and spacing > RESOLVED else "",
        eddies=_EDDIES if spacing <= EDDIES_RESOLVED else "",
        projection=domain.projection,
        top="" if of.top is None else f'top = "{spell(of.top, "pressure")}"\n',
        more=of.more,
    )


def run_file_text(made: Prepared, plan: Plan, folder: Path) -> str:
    """The text of a run file in `folder` for what a plan has prepared."""
    times = made.times
    terrain = f'terrain = "{_from(plan.terrain, folder)}"\n' if plan.terrain else ""
    named = plan.geography
    geography = f'geography = "{_from(named, folder)}"\n' if named else ""
    if named == NONE:
        geography = (
            'geography = "none"           # after squall fetch land, remove this line to use its data\n'
        )
    member = f'member = "{plan.member}"\n' if plan.member is not None else ""
    told = ", ".join([path.name for path in plan.analysis[:3]] + ["..."] * (len(plan.analysis) > 3))
    return text(
        Start(
            heading=f"A forecast from {told}.\n# Made by `squall prepare`",
            start=times[0],
            duration=plan.duration or (times[-1] - times[0] if len(times) > 1 else DURATION),
            domain=made.domain,
            levels=plan.settings.levels,
            top=made.settings.top,
            analysis=[_from(path, folder) for path in plan.analysis],
            own=member + terrain + geography,
            drag=made.has_mountains,
        )
    )


def _from(path: Path, folder: Path) -> str:
    """A path as seen from a folder, if it lies in it; else from the root."""
    path, folder = path.resolve(), folder.resolve()
    return str(path.relative_to(folder) if path.is_relative_to(folder) else path)


def time_step(domain: Domain, duration: timedelta) -> float:
    """Seconds: at most 5 for each km between points on the Earth, an hour and the run whole numbers of
    them; below a second parts of one."""
    points = domain.mass
    finest = min(domain.dx / float(points.map_factor_x.max()), domain.dy / float(points.map_factor_y.max()))
    return float(step_up_to(5e-3 * finest, int(duration.total_seconds())))
