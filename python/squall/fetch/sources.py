"""The requests of each source for what a run file wants."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from typing import Literal

from squall.errors import UserError
from squall.prepare.wants import Wants

Value = str | int | list[str] | list[int]

#: Where the open buckets are. A variable of the environment names a mirror: SQUALL_GFS, SQUALL_HRRR.
BUCKETS = {
    "gfs": "https://noaa-gfs-bdp-pds.s3.amazonaws.com",
    "hrrr": "https://noaa-hrrr-bdp-pds.s3.amazonaws.com",
}


def bucket(source: str) -> str:
    """The address of a source's files, without a slash at its end."""
    return os.environ.get(f"SQUALL_{source.upper()}", BUCKETS[source]).rstrip("/")


@dataclass(frozen=True)
class Request:
    """One request and the file that its answer goes to.

    client: what asks: Copernicus's `cdsapi`, ECMWF's `ecmwf-opendata`, or plain HTTPS with ranges of bytes.
    what: the data set of cdsapi, the source of ecmwf-opendata, or the address of a GRIB file that has an
    index beside it. body: keys of the request, or for HTTPS the records that are wanted: "fields", each
    NAME:LEVEL as in the index.
    """

    client: Literal["cdsapi", "ecmwf-opendata", "https"]
    what: str
    body: dict[str, Value]
    target: str
    terms: str = field(default="", compare=False)

    def text(self) -> str:
        """As it is asked, for people."""
        return f"{self.client}: {self.what} -> {self.target}\n{json.dumps(self.body, indent=2)}"


_ERA5_LEVELS = (
    1, 2, 3, 5, 7, 10, 20, 30, 50, 70, 100, 125, 150, 175, 200, 225, 250, 300, 350, 400, 450, 500, 550, 600,
    650, 700, 750, 775, 800, 825, 850, 875, 900, 925, 950, 975, 1000,
)  # fmt: skip
_ERA5_ON_LEVELS = [
    "geopotential", "temperature", "u_component_of_wind", "v_component_of_wind", "specific_humidity",
]  # fmt: skip
_ERA5_SURFACE = [
    "surface_pressure", "mean_sea_level_pressure", "geopotential", "land_sea_mask", "2m_temperature",
    "2m_dewpoint_temperature", "10m_u_component_of_wind", "10m_v_component_of_wind", "skin_temperature",
    "sea_surface_temperature", "sea_ice_cover", "snow_depth",
    *(f"soil_temperature_level_{n}" for n in range(1, 5)),
    *(f"volumetric_soil_water_layer_{n}" for n in range(1, 5)),
]  # fmt: skip


def era5(wants: Wants, every: timedelta) -> list[Request]:
    """By `cdsapi` from Copernicus's Climate Data Store: a request a month for levels and one for the
    surface, which is what that store takes days and times in."""
    requests = []
    terms = "Needs an account, and the dataset's terms accepted: https://cds.climate.copernicus.eu/how-to-api"
    for (year, month), group in groupby(wants.times(every), key=lambda time: (time.year, time.month)):
        times = list(group)
        common: dict[str, Value] = {
            "product_type": ["reanalysis"],
            "year": [f"{year}"],
            "month": [f"{month:02d}"],
            "day": sorted({f"{time:%d}" for time in times}),
            "time": sorted({f"{time:%H:00}" for time in times}),
            "area": list(wants.area),
            "data_format": "grib",
            "download_format": "unarchived",
        }
        levels = [f"{level}" for level in wants.levels(_ERA5_LEVELS)]
        on_levels = common | {"variable": _ERA5_ON_LEVELS, "pressure_level": levels}
        stamp = f"{year}{month:02d}"
        requests += [
            Request("cdsapi", "reanalysis-era5-pressure-levels", on_levels, f"era5_pl_{stamp}.grib", terms),
            Request("cdsapi", "reanalysis-era5-single-levels", common | {"variable": _ERA5_SURFACE},
                    f"era5_sfc_{stamp}.grib", terms),
        ]  # fmt: skip
    return requests


_GFS_LEVELS = (
    1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650,
    700, 750, 800, 850, 900, 925, 950, 975, 1000,
)  # fmt: skip
_NCEP_ON_LEVELS = ("TMP", "UGRD", "VGRD", "HGT")
_NCEP_SURFACE = [
    "PRES:surface", "HGT:surface", "LAND:surface", "TMP:surface", "ICEC:surface", "WEASD:surface",
    "SNOD:surface", "TMP:2 m above ground", "UGRD:10 m above ground", "VGRD:10 m above ground",
]  # fmt: skip
_SOIL = ("0-0.1", "0.1-0.4", "0.4-1", "1-2")


def _ncep(wants: Wants, levels: tuple[int, ...], humidity: str, pressure: str, soil: bool) -> list[str]:
    """Records as NCEP's indices name them."""
    names = [*_NCEP_ON_LEVELS, humidity]
    wanted = [f"{name}:{level} mb" for level in wants.levels(levels) for name in names]
    wanted += [*_NCEP_SURFACE, f"{pressure}:mean sea level", f"{humidity}:2 m above ground"]
    if soil:
        wanted += [f"{name}:{layer} m below ground" for layer in _SOIL for name in ("TSOIL", "SOILW")]
    return wanted


def _cycle(start: datetime, hours: int) -> datetime:
    """The run of a forecast model that a start belongs to: every so many hours of a day."""
    return start.replace(hour=start.hour // hours * hours, minute=0, second=0)


def _leads(wants: Wants, every: timedelta, cycle: datetime) -> list[int]:
    """Hours from the start of a forecast to each time that is wanted."""
    return [int((time - cycle).total_seconds() // 3600) for time in wants.times(every)]


def _check(leads: list[int], of: str, last: int, dense: int = 10_000, step: int = 1) -> None:
    """Raises UserError for leads that a forecast does not have: beyond its last, or that are no multiple
    of `step` beyond `dense` hours."""
    if leads[-1] > last:
        raise UserError(
            f"{of} ends {last} h after its start, but the run needs {leads[-1]} h. Shorten run.duration, "
            f"or use era5 for a past date."
        )
    beyond = [lead for lead in leads if lead > dense and lead % step]
    if beyond:
        raise UserError(
            f"{of} is available only every {step} h beyond {dense} h, so not at {beyond[0]} h: use "
            f"--every '{step} h'."
        )


def gfs(wants: Wants, every: timedelta) -> list[Request]:
    """From NOAA's open bucket of the last years: of each file of the globe every quarter of a degree only
    the records that are wanted, by ranges of bytes that its index gives."""
    cycle = _cycle(wants.start, 6)
    fields = _ncep(wants, _GFS_LEVELS, "RH", "PRMSL", soil=True)
    leads = _leads(wants, every, cycle)
    _check(leads, "GFS", 384, 120, 3)
    requests = []
    for lead in leads:
        file = f"gfs.t{cycle:%H}z.pgrb2.0p25.f{lead:03d}"
        address = f"{bucket('gfs')}/gfs.{cycle:%Y%m%d}/{cycle:%H}/atmos/{file}"
        requests.append(
            Request("https", address, {"fields": fields}, f"gfs_{cycle:%Y%m%d%H}_f{lead:03d}.grib2")
        )
    return requests


_HRRR_LEVELS = tuple(range(50, 1001, 25))
_CONUS = (53, -135, 21, -60)  # that HRRR covers, about: north, west, south, east


def hrrr(wants: Wants, every: timedelta) -> list[Request]:
    """From NOAA's open bucket: 3 km over the United States, a run every hour."""
    north, west, south, east = wants.area
    if north > _CONUS[0] or west < _CONUS[1] or south < _CONUS[2] or east > _CONUS[3]:
        raise UserError(
            f"HRRR covers the contiguous United States, about {_CONUS[2]} to {_CONUS[0]} N and {-_CONUS[1]} "
            f"to {-_CONUS[3]} W; the domain with its margin needs {south} to {north} N and {-west} to "
            f"{-east} "
            "W. Use gfs or era5."
        )
    cycle = _cycle(wants.start, 1)
    fields = _ncep(wants, _HRRR_LEVELS, "SPFH", "MSLMA", soil=False)
    leads = _leads(wants, every, cycle)
    _check(leads, f"HRRR of {cycle:%H} UTC", 48 if cycle.hour % 6 == 0 else 18)
    requests = []
    for lead in leads:
        file = f"hrrr.t{cycle:%H}z.wrfprsf{lead:02d}.grib2"
        address = f"{bucket('hrrr')}/hrrr.{cycle:%Y%m%d}/conus/{file}"
        requests.append(
            Request("https", address, {"fields": fields}, f"hrrr_{cycle:%Y%m%d%H}_f{lead:02d}.grib2")
        )
    return requests


_OPEN_LEVELS = (10, 50, 100, 150, 200, 250, 300, 400, 500, 600, 700, 850, 925, 1000)
_OPEN_SURFACE = ["sp", "msl", "z", "lsm", "2t", "2d", "10u", "10v", "skt", "sd"]
_OPEN_SOIL = ["sot", "vsw"]


def ecmwf(wants: Wants, every: timedelta) -> list[Request]:
    """By `ecmwf-opendata`: ECMWF's forecast every quarter of a degree, of the last few days."""
    if every < timedelta(hours=3) or every % timedelta(hours=3):
        raise UserError("ECMWF's open data are available every 3 hours: use --every '3 h' or a multiple.")
    cycle = _cycle(wants.start, 12)
    if (wants.start - cycle) % timedelta(hours=3):
        raise UserError(
            "ECMWF's open data are available at 00, 03, 06, ... UTC: set run.start to one of these hours."
        )
    steps = _leads(wants, every, cycle)
    _check(steps, "ECMWF's open forecast", 240, 144, 6)
    terms = "Creative Commons CC-BY-4.0: credit ECMWF when you publish results"
    common: dict[str, Value] = {
        "date": f"{cycle:%Y%m%d}", "time": cycle.hour, "stream": "oper", "type": "fc", "step": steps,
    }  # fmt: skip
    levels = common | {"levtype": "pl", "levelist": wants.levels(_OPEN_LEVELS),
                       "param": ["gh", "t", "u", "v", "q"]}  # fmt: skip
    soil = common | {"levtype": "sol", "levelist": [1, 2, 3, 4], "param": _OPEN_SOIL}
    stamp = f"{cycle:%Y%m%d%H}"
    return [
        Request("ecmwf-opendata", "ecmwf", levels, f"ecmwf_pl_{stamp}.grib2", terms),
        Request("ecmwf-opendata", "ecmwf", common | {"levtype": "sfc", "param": _OPEN_SURFACE},
                f"ecmwf_sfc_{stamp}.grib2", terms),
        Request("ecmwf-opendata", "ecmwf", soil, f"ecmwf_soil_{stamp}.grib2", terms),
    ]  # fmt: skip


Source = Callable[[Wants, timedelta], list[Request]]

SOURCES: dict[str, Source] = {"era5": era5, "gfs": gfs, "hrrr": hrrr, "ecmwf": ecmwf}


def plan(source: str, wants: Wants, every: timedelta) -> list[Request]:
    """The requests of a source. Raises UserError for one that there is not, or that cannot."""
    if source not in SOURCES:
        raise UserError(f"There is no source {source}. The sources are {', '.join(SOURCES)}.")
    if every < timedelta(hours=1) or every % timedelta(hours=1):
        raise UserError("--every must be a whole number of hours, such as '3 h'.")
    if wants.start.minute or wants.start.second:
        raise UserError("The sources have data on the hour: set run.start to a full hour.")
    return SOURCES[source](wants, every)
