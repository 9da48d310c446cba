"""The run file of a forecast, and the place whose weather it writes as a series."""

from datetime import datetime, timedelta
from pathlib import Path

from squall.forecast.choose import NEST_RATIO, Choice
from squall.forecast.places import Place
from squall.prepare import starter
from squall.quantity import spell

#: The stream of the weather at the place, and its table of stations.
SERIES, TABLE = "place", "place.csv"

_MORE = """
[output.place]               # the weather at {name}: squall plot {folder} --stream place
interval = "{interval}"
frames_per_file = {frames}
path = "place.nc"
fields = ["T2", "wind_speed_10m", "wind_gust", "precipitation_rate", "cloud_cover", "sea_level_pressure"]
stations = "{table}"
"""
_NEST = """
[nest.inner]
center_latitude = "{place.latitude:.4f} degrees"
center_longitude = "{place.longitude:.4f} degrees"
nx = {nx}
ny = {ny}
parent_grid_ratio = {ratio}
initial_file = "wrfinput_d02"
"""


def _series_interval(step: float) -> float:
    """About ten minutes: whole steps, an hour whole intervals [s]."""
    steps = round(3600 / step)
    return 3600 / max(n for n in range(1, 7) if steps % n == 0)


def text(
    path: Path,
    place: Place,
    choice: Choice,
    start: datetime,
    length: timedelta,
    analysis: list[str],
    terrain: Path | None,
    top: float | None,
) -> str:
    """What the run file `path` says. analysis: files, as seen from there; top [Pa]: None for as high as they
    reach."""
    folder = path.parent
    interval = _series_interval(choice.step)
    more = _MORE.format(
        name=place.name,
        folder=folder,
        table=TABLE,
        interval=spell(interval, "time"),
        frames=int(length.total_seconds() / interval) + 1,
    )
    if choice.nested:
        more += _NEST.format(place=place, nx=choice.domain.nx, ny=choice.domain.ny, ratio=NEST_RATIO)
    return starter.text(
        starter.Start(
            heading=f"The weather around {place.told()}.\n# Made by `squall forecast`",
            start=start,
            duration=length,
            domain=choice.domain,
            levels=choice.levels,
            top=top,
            analysis=analysis,
            run=f'directory = "{folder}"\n',
            own=f'terrain = "{terrain.resolve()}"\n' if terrain else "",
            more=more,
        )
    )


def write_table(folder: Path, place: Place) -> None:
    """The table of the place, beside the run file."""
    where = f"{place.latitude:.4f},{place.longitude:.4f}"
    (folder / TABLE).write_text(f"name,latitude,longitude\n{place.short},{where}\n")
