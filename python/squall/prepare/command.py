"""Runs the preparation: opens the analyses, fits the domain, and makes and writes each time."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.fit import Wishes, fit
from squall.prepare.geography import NONE, Geography, Land, cache, of_plan
from squall.prepare.land_gaps import Known, filled
from squall.prepare.make_columns import ColumnMaker
from squall.prepare.make_state import build_state
from squall.prepare.nests import levels_inside, place
from squall.prepare.orography import Orography, of_folder, of_heights
from squall.prepare.regrid import Regridder
from squall.prepare.report import Report
from squall.prepare.rim import build_rim
from squall.prepare.run_file import Plan
from squall.prepare.same_at_all_times import compare
from squall.prepare.sources import Analysis, history, met_em, open_analysis, open_heights
from squall.prepare.sources.file_kind import is_netcdf
from squall.prepare.sources.piece import Array
from squall.prepare.sources.wrf_domain import OwnDomain
from squall.prepare.state import Settings, State
from squall.prepare.terrain import Terrain, from_parent, make_terrain
from squall.prepare.wrfbdy import BoundaryWriter
from squall.prepare.wrffdda import NudgingWriter
from squall.prepare.wrfinput import write_wrfinput
from squall.prepare.wrflowinp import write_wrflowinp

Progress = Callable[[str, int, int], None]  # what is done, how many steps of how many

DURATION = timedelta(hours=12)  # of a run whose file does not say
NO_LAND = "land use: none; install it with squall fetch land, or name a data set with prepare.geography"
NO_LAND_AS_SAID = 'land use: none, because prepare.geography = "none"; squall fetch land installs it'


@dataclass
class Prepared:
    """The results of a preparation, for the report."""

    analysis: Analysis
    domain: Domain
    settings: Settings
    terrain: Terrain
    times: list[datetime]
    report: Report
    state_lines: list[str] = field(default_factory=list)
    filled: list[str] = field(default_factory=list)  # in the initial file, made up
    files: list[Path] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    has_mountains: bool = False  # within cells, in the initial file


def open_plan(plan: Plan) -> tuple[Analysis, Domain]:
    """The analysis and the domain of a plan; errors as of what they are made from."""
    analysis = open_analysis(plan.analysis, plan.ends, plan.member)
    return analysis, choose_domain(plan, analysis)


def choose_domain(plan: Plan, analysis: Analysis) -> Domain:
    """The domain of the plan; if the plan defines none, that of metgrid files or histories."""
    own = _own(plan)
    if own is not None and plan.wishes == Wishes():
        return own.domain
    return fit(analysis.grid, plan.wishes)


def settled(plan: Plan) -> Plan:
    """The plan with its land data named explicitly if they depend on what was fetched, so that it can be
    repeated anywhere."""
    if plan.geography is not None or _own(plan) is not None:
        return plan
    return replace(plan, geography=cache() if cache().is_dir() else NONE)


def _own(plan: Plan) -> OwnDomain | None:
    """The domain that metgrid's files are made for, or that a history is of."""
    first = plan.analysis[0]
    if first.is_file() and is_netcdf(first) and met_em.is_met_em(first):
        return met_em.own_domain(first)
    return history.own_domain(first) if history.is_history(first) else None


def prepare_all(plan: Plan, analysis: Analysis, outermost: Domain, progress: Progress) -> list[Prepared]:
    """The domain and then those of its nests that have a file; errors as of `prepare`, and of nests that do
    not fit before that."""
    domains = place(outermost, plan.nests, plan.settings.boundary_rows)
    made: dict[int, Prepared] = {}
    for domain in domains:
        if domain.parent_id and plan.nests[domain.grid_id - 2].initial_file is None:
            continue

        def of_domain(what: str, done: int, steps: int, name: str = f"d{domain.grid_id:02d}") -> None:
            progress(f"{name}: {what}", done, steps)

        parent = made.get(domain.parent_id)
        made[domain.grid_id] = prepare(plan.of(domain.grid_id), analysis, domain, of_domain, parent)
    return list(made.values())


def prepare(
    plan: Plan,
    analysis: Analysis,
    domain: Domain,
    progress: Progress,
    parent: Prepared | None = None,
) -> Prepared:
    """Writes the initial and the boundary file. Raises UserError for what cannot be
    done; files that are not complete are not left behind.

    parent: of a nest, whose ground meets its parent's.
    """
    times = _times(plan, analysis)
    steady = plan.boundary is not None and len(times) == 1  # nests have none of their own
    settings = replace(
        levels_inside(_settings(plan, analysis, times), plan.nests, domain.grid_id), steady_boundary=steady
    )
    settings.vertical_grid()  # refused before the work
    unequal = _compare_times(plan, analysis, times)
    report = Report()
    for note in analysis.notes:
        report.note(note)
    steps = len(times) + 1
    progress("terrain", 0, steps)
    regridder = Regridder(analysis, domain, report)
    own = _own_of(plan, domain)
    geography = of_plan(plan.geography) if own is None else None
    plan = _with_heights(plan, geography)
    terrain = _terrain(plan, own, regridder, times[0], settings.boundary_rows, parent)
    land = None if geography is None else geography.land(domain)
    if land is not None:
        land = filled(land, _known(plan, terrain, regridder, times[0]))
        _put_land(terrain, land)
    elif own is None:
        terrain.notes.append(NO_LAND_AS_SAID if plan.geography == NONE else NO_LAND)
    orography = _orography(plan, own, geography, domain).on_land(terrain.land)
    terrain.notes += orography.notes
    made = Prepared(analysis, domain, settings, terrain, times, report)
    made.warnings += unequal
    made.has_mountains = bool(orography.values)
    maker = ColumnMaker(regridder, terrain.land, plan.sea_surface_temperature)
    progress(f"{times[0]:%Y-%m-%d %H:%M}", 1, steps)
    columns = maker.make(times[0])
    if land is not None:
        columns.ground.land_use, columns.ground.land_climate = land.use, land.climate
    elif own is not None:
        columns.ground.land_use, columns.ground.land_climate = own.land_use, own.land_climate
    columns.ground.orography = orography.values
    state = build_state(columns, domain, terrain.height, terrain.land, settings)
    made.filled = write_wrfinput(plan.initial, state, domain, analysis.origin, terrain.notes)
    made.state_lines = state.report.lines()
    made.files = [plan.initial]
    if plan.lower is not None:
        seas = ((time, *maker.sea(time)) for time in times)
        write_wrflowinp(plan.lower, domain, settings, seas)
        made.files.append(plan.lower)
    if plan.boundary is not None or plan.nudging is not None:
        _write_later(plan, made, maker, state, progress)
    elif plan.lower is None and len(times) > 1 and not domain.parent_id:
        made.warnings.append("the run file has no boundary.file, so only the first time was used")
    progress("done", steps, steps)
    return made


def _times(plan: Plan, analysis: Analysis) -> list[datetime]:
    """The analysis times from the run's start to the first one at or after its end."""
    times = analysis.times
    if plan.start is not None:
        if plan.start not in times:
            listed = ", ".join(f"{time:%Y-%m-%dT%H:%M}" for time in times[:8])
            raise UserError(
                f"The analysis does not contain the run's start, {plan.start:%Y-%m-%dT%H:%M}. It has {listed}"
                f"{' ...' if len(times) > 8 else ''}: change run.start or prepare.analysis."
            )
        times = times[times.index(plan.start) :]
    if plan.duration is not None:
        end = times[0] + plan.duration
        after = [n for n, time in enumerate(times) if time >= end]
        if len(times) > 1 and not after:
            raise UserError(
                f"The analysis ends at {times[-1]:%Y-%m-%d %H:%M} UTC, before the run ends at "
                f"{end:%Y-%m-%d %H:%M}: add files, or shorten run.duration to "
                f"{(times[-1] - times[0]).total_seconds() / 3600:g} h."
            )
        times = times[: after[0] + 1] if after else times
    return times


def _compare_times(plan: Plan, analysis: Analysis, times: list[datetime]) -> list[str]:
    """Warnings of what lacks at some of the times that go into a file; errors as of `compare`."""
    if plan.boundary is None and plan.nudging is None and plan.lower is None:
        return []
    top = plan.settings.top if plan.top is None else plan.top
    return compare(analysis, times, top, sea=plan.lower is not None)


def _settings(plan: Plan, analysis: Analysis, times: list[datetime]) -> Settings:
    """The settings with the requested top, or the highest that the analysis reaches; for a history, its own
    top."""
    if plan.top is None and history.is_history(plan.analysis[0]):
        return replace(plan.settings, top=history.top_of(plan.analysis[0]) or plan.settings.top)
    if plan.top is not None or analysis.kind != "pressure":
        return plan.settings
    highest = max(min(analysis.levels(time)) for time in times)
    return replace(plan.settings, top=max(plan.settings.top, highest))


def _terrain(
    plan: Plan,
    own: OwnDomain | None,
    regridder: Regridder,
    time: datetime,
    rows: int,
    parent: Prepared | None,
) -> Terrain:
    if own is not None and plan.terrain is None:
        return Terrain(own.height, own.land, [f"terrain and land mask: {own.whose}"])
    domain, land = regridder.domain, regridder.plane(time, "land_mask")
    if parent is None:
        height, whose = _analysis_height(regridder, time), "the analysis"
    else:
        height, whose = from_parent(parent.domain, parent.terrain.height, domain), "the parent"
        if plan.terrain is None:
            land = from_parent(parent.domain, parent.terrain.land, domain)
    return make_terrain(domain, height, land, plan.terrain, plan.terrain_smoothing, rows, whose)


def _orography(plan: Plan, own: OwnDomain | None, geography: Geography | None, domain: Domain) -> Orography:
    """Subgrid orography from WPS tiles, from the files that define the domain, or else from terrain
    heights."""
    made = None if geography is None else of_folder(geography.folder, domain)
    if made is not None:
        return made
    if own is not None and plan.terrain is None:
        notes = [f"subgrid orography: {own.whose}"] if own.orography else []
        return Orography(own.orography, notes)
    if plan.terrain is None:
        return Orography(
            notes=["subgrid orography: none; it needs terrain heights finer than the analysis's"]
        )
    return of_heights(open_heights(plan.terrain), domain)


def _own_of(plan: Plan, domain: Domain) -> OwnDomain | None:
    """The files' own land data, if they are for this domain and the plan names no other."""
    own = _own(plan) if plan.geography in (None, NONE) else None
    return own if own is not None and own.domain == domain else None


def _with_heights(plan: Plan, geography: Geography | None) -> Plan:
    """Heights of the same folder, where the plan names none."""
    if geography is None or geography.heights is None or plan.terrain is not None:
        return plan
    return replace(plan, terrain=geography.heights)


def _known(plan: Plan, terrain: Terrain, regridder: Regridder, time: datetime) -> Known:
    """What terrain heights and analysis contain for cells in gaps of the land-use data set."""
    masks = regridder.analysis.at(time, "land_mask")
    domain = regridder.domain
    spacing = masks[0].grid.spacing / min(domain.dx, domain.dy) if masks else np.inf
    return Known(terrain.height, plan.terrain is not None, regridder.plane(time, "land_mask"), spacing)


def _put_land(terrain: Terrain, land: Land) -> None:
    """The mask of land use in place of that of heights or the analysis; water is not below the sea."""
    terrain.land = land.mask
    terrain.height = np.where(land.mask < 0.5, np.maximum(terrain.height, 0), terrain.height).astype(
        np.float32
    )
    terrain.notes = [note for note in terrain.notes if not note.startswith("land mask")] + land.notes


def _analysis_height(regridder: Regridder, time: datetime) -> Array:
    height = regridder.plane(time, "terrain")
    if height is None:
        everywhere = np.ones((regridder.domain.ny, regridder.domain.nx), np.float32)
        height = ColumnMaker(regridder, everywhere).make(time, with_ground=False).terrain
    return height


def _write_later(plan: Plan, made: Prepared, maker: ColumnMaker, first: State, progress: Progress) -> None:
    """The files of all times that the plan names; the columns of a time are made once for both."""
    domain, times, settings = made.domain, made.times, made.settings
    ground = made.terrain.height, made.terrain.land
    with ExitStack() as stack:
        boundary, nudging = None, None
        if plan.boundary is not None:
            boundary = stack.enter_context(BoundaryWriter(plan.boundary, domain, settings.boundary_rows))
            boundary.add(first)
            made.files.append(plan.boundary)
        if plan.nudging is not None:
            nudging = stack.enter_context(NudgingWriter(plan.nudging, domain))
            nudging.add(first)
            made.files.append(plan.nudging)
        for n, time in enumerate(times[1:], start=2):
            progress(f"{time:%Y-%m-%d %H:%M}", n, len(times) + 1)
            columns = maker.make(time, with_ground=False)
            if nudging is not None:
                nudging.add(build_state(columns, domain, *ground, settings))
            if boundary is not None:
                boundary.add(build_rim(columns, domain, *ground, settings, boundary.width))
        if boundary is not None and len(times) == 1:
            _hold(boundary, made, times[0] + (plan.duration or DURATION))


def _hold(boundary: BoundaryWriter, made: Prepared, end: datetime) -> None:
    boundary.hold_until(end)
    made.warnings.append(
        "the analysis has one time: the lateral boundaries stay constant up to "
        f"{end:%Y-%m-%d %H:%M} UTC. Weather from outside cannot enter, so after about a day most of the "
        "domain is no longer a useful forecast."
    )
