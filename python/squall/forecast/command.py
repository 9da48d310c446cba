"""The steps of a forecast: each is a command that could be typed, which is told before it is done."""

import shlex
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from squall import locate, machine
from squall.errors import UserError
from squall.fetch import SOURCES, Request, carry_out, land, plan, tables
from squall.forecast import latest, run_file, speed
from squall.forecast.choose import Asked, Choice, choose
from squall.forecast.places import Place
from squall.prepare.state import Settings
from squall.prepare.wants import Wants, area_of
from squall.runs import run_state

_SPACING = {"hrrr": 3000.0}  # m; of other sources:
_COMMON_SPACING = 9000.0
_NEVER = datetime(2000, 1, 1)  # where only the length of a time counts
_EVERY = timedelta(hours=3)

_OFFLINE = """\
It would have fetched {what}.
Without a network, start from GRIB, netCDF or met_em files: squall forecast {place} --source FILE.
Cases that need no data: squall cases."""
_HERE = """
Real weather whose analysis is here already, of January 2007: squall new storm.toml --case january-storm"""

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Forecast:
    """What is going to be done. `source`: a service's name, or the files of an analysis."""

    place: Place
    choice: Choice
    source: str | list[Path]
    start: datetime
    length: timedelta
    folder: Path
    terrain: Path | None = None

    @property
    def run_file(self) -> Path:
        return self.folder / f"{self.folder.name}.toml"

    def wants(self) -> Wants:
        """What it needs of a service."""
        return Wants(self.start, self.start + self.length, area_of(self.choice.domain), Settings().top)

    def requests(self) -> list[str]:
        """What it would ask a service for, in words."""
        if not isinstance(self.source, str):
            return []
        return [f"Fetches {_told(plan(self.source, self.wants(), _EVERY))}"]

    def lines(self) -> list[str]:
        """In words."""
        whose = self.source if isinstance(self.source, str) else ", ".join(p.name for p in self.source[:3])
        others = self.place.others
        cores, hours = machine.cores(), self.length.total_seconds() / 3600
        ends = datetime.now() + self.choice.takes
        return [
            f"Place:  {self.place.told()}" + (f"; not {'; '.join(others)}" if others else ""),
            *self.choice.lines(),
            f"Time:   {hours:g} h from {self.start:%Y-%m-%d %H:%M} UTC, from {whose}",
            f"Folder: {self.folder}",
            f"This takes about {minutes(self.choice.takes)} on {cores} core{'s' * (cores > 1)}"
            f"{', and the download' if isinstance(self.source, str) else ''}: until about {ends:%H:%M}.",
        ]


def minutes(duration: timedelta) -> str:
    """In words, such as "12 minutes"."""
    seconds = duration.total_seconds()
    if seconds < 90:
        return f"{max(10, round(seconds, -1)):.0f} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def settle(
    place: Place,
    asked: Asked,
    source: str | list[Path],
    start: datetime | None,
    folder: Path | None,
    terrain: Path | None,
    look: bool = True,
) -> Forecast:
    """Chooses what was not asked for: the domain by the machine's speed, the start by what the source has, or
    without a look at it by what it has as a rule. Raises UserError where it has nothing, or cannot be
    reached."""
    named = source if isinstance(source, str) else ""
    if named and named not in SOURCES:
        raise UserError(f"--source {named} is neither a file nor one of {', '.join(SOURCES)}.")
    length = asked.length
    if not isinstance(source, str):
        start, length = _times(source, start, length)
        asked = Asked(length, asked.spacing, asked.size, asked.levels, asked.nested)
    choice = choose(place, asked, _SPACING.get(named, _COMMON_SPACING), speed.of_storm())
    anytime = Wants(_NEVER, _NEVER + length, area_of(choice.domain), Settings().top)
    if start is None:
        start = _latest(named, anytime, place, look)
    elif named:  # what the source cannot is refused before anything is done
        plan(named, replace(anytime, start=start, end=start + length), _EVERY)
    terrain = terrain or locate.data_file("terrain.nc")
    folder = folder or Path("runs") / f"{place.slug}-{start:%Y%m%d%H}"
    return Forecast(place, choice, source, start, length, folder, terrain)


def _latest(source: str, anytime: Wants, place: Place, look: bool) -> datetime:
    now = datetime.now(UTC).replace(tzinfo=None)
    length = anytime.end - anytime.start
    first = next(latest.starts(source, now, length))
    if not look:
        return first
    try:
        return latest.find(source, anytime, _EVERY, now)
    except UserError as error:
        requests = plan(source, replace(anytime, start=first, end=first + length), _EVERY)
        raise UserError(f"{error}\n{offline(place, _told(requests))}", 1) from None


def _told(requests: list[Request]) -> str:
    """In words."""
    one = requests[0].target if len(requests) == 1 else f"{requests[0].target} to {requests[-1].target}"
    return f"{len(requests)} file{'s' * (len(requests) > 1)}, {one}"


def offline(place: Place, what: str) -> str:
    """What can be done where a service cannot be reached."""
    told = _OFFLINE.format(what=what, place=shlex.quote(f"{place.latitude:g},{place.longitude:g}"))
    return told + (_HERE if locate.data_file("analysis.grb2") else "")


def _times(files: list[Path], start: datetime | None, length: timedelta) -> tuple[datetime, timedelta]:
    """Start and length within what analysis files have; one time serves for any length."""
    from squall.prepare.sources import open_analysis

    times = open_analysis(files, [], None).times
    start = start or times[0]
    if start not in times:
        raise UserError(
            f"The files have no {start:%Y-%m-%d %H:%M} UTC: they have {times[0]:%Y-%m-%d %H:%M} to "
            f"{times[-1]:%Y-%m-%d %H:%M}."
        )
    return start, min(length, times[-1] - start) if times[-1] > start else length


def carry_out_all(of: Forecast, overwrite: bool, prepare: Callable[[Path], None], tell: Tell) -> int:
    """Does it, and returns the model's exit code if that is not 0. prepare: makes the files of a run file.
    Raises UserError."""
    begun = time.monotonic()
    _write_run_file(of, overwrite)
    tell(f"Run file: {of.run_file}")
    if isinstance(of.source, str):
        _fetch(of, of.source, tell)
    _fetch_tables(tell)
    _tell_command(tell, "prepare", of.run_file)
    prepare(of.run_file)
    _tell_command(tell, "run", of.run_file)
    from squall.runs import running

    code = running.run(running.Wishes(str(of.run_file), overwrite=overwrite))
    if code:
        return code
    _draw(of, tell)
    took = timedelta(seconds=time.monotonic() - begun)
    tell(f"\nIt took {minutes(took)}. As a page: squall watch {of.folder}")
    return 0


def _write_run_file(of: Forecast, overwrite: bool) -> None:
    """Leaves the run file, also where an earlier attempt at the same forecast did. Raises UserError where
    there is another one, and for a forecast that was run."""
    if isinstance(of.source, str):
        top: float | None = Settings().top
        analysis = [f"{of.source}/*.grib*"]
    else:
        top = None
        analysis = [str(file.resolve()) for file in of.source]
    text = run_file.text(of.run_file, of.place, of.choice, of.start, of.length, analysis, of.terrain, top)
    if not overwrite and of.run_file.exists():
        if of.run_file.read_text() != text:
            raise UserError(
                f"{of.run_file} is of another forecast, or was changed: choose another folder with -o, or "
                f"replace it with --overwrite."
            )
        if (of.folder / run_state.NAME).exists():
            raise UserError(
                f"{of.folder} has this forecast already: squall watch {of.folder}. To run it again, add "
                f"--overwrite, or choose another folder with -o."
            )
    of.folder.mkdir(parents=True, exist_ok=True)
    of.run_file.write_text(text)
    run_file.write_table(of.folder, of.place)


def _tell_command(tell: Tell, *words: object) -> None:
    tell(f"\n$ squall {shlex.join(str(word) for word in words)}")


def _fetch(of: Forecast, source: str, tell: Tell) -> None:
    requests = plan(source, of.wants(), _EVERY)
    _tell_command(tell, "fetch", source, of.run_file)
    for terms in dict.fromkeys(request.terms for request in requests if request.terms):
        tell(terms)
    try:
        carry_out.fetch(requests, of.folder / source, tell)
    except UserError as error:
        raise UserError(f"{error}\n{offline(of.place, _told(requests))}", 1) from None


def _fetch_tables(tell: Tell) -> None:
    """What all forecasts share: the radiation's tables, and land cover, without which all land is grass."""
    if not tables.installed() and tables.missing(tables.cache()):
        _tell_command(tell, "fetch", "radiation")
        tables.bring(tables.cache(), None, False, tell)
    if not land.cache().is_dir():
        _tell_command(tell, "fetch", "land")
        try:
            land.bring(land.cache(), None, False, tell)
        except UserError as error:
            tell(f"{error}\nWithout land cover all land is grass.")


def _draw(of: Forecast, tell: Tell) -> None:
    from squall.plot import Choice as Drawn
    from squall.plot import PictureFile

    def draw(name: str, words: str, chosen: Drawn, stream: str = "history") -> None:
        _tell_command(tell, "plot", of.folder, *words.split(), "-o", of.folder / name)
        picture = PictureFile(of.folder, chosen, of.folder / name, None, stream)
        tell(f"Picture: {picture.animate() if name.endswith('.gif') else picture.draw()}")

    draw("weather.png", "", Drawn())
    draw("weather.gif", "--animate", Drawn())
    draw("precipitation.png", "--field precipitation", Drawn(field="precipitation"))
    draw("temperature.png", "--field T2 --barbs", Drawn(field="T2", barbs=True))
    draw("gusts.png", "--field wind_gust", Drawn(field="wind_gust"))
    draw("series.png", f"--stream {run_file.SERIES}", Drawn(), run_file.SERIES)
