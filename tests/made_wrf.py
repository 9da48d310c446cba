"""The folder of a WRF run of two domains, whose files the output runtime writes: a program that adds an hour
when it is told to. For tests of what looks at such runs."""

import json
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from growing_run import Program
from squall.geo import Domain, Projection

EARTH = Domain(Projection("lambert", 30, 60, -97), 20, 16, 6e4, 6e4, 38, -97)
START = datetime(2000, 1, 1)
NZ = 3
STEP = 600  # s of model time, which take WRF 0.5 s

NAMELIST = """
 &time_control
 run_hours = 6,
 start_year = 2000, 2000, start_month = 01, 01, start_day = 01, 01, start_hour = 00, 00,
 history_interval = 60, 60, io_form_history = 11,
 /
 &domains
 time_step = 600, max_dom = 2, e_we = 21, 25, e_sn = 17, 19, e_vert = 4, 4, dx = 60000, dy = 60000,
 parent_id = 0, 1, i_parent_start = 1, 5, j_parent_start = 1, 6, parent_grid_ratio = 1, 3,
 /
"""


def domains(idealised=False):
    """Attributes, latitudes and longitudes of d01 and d02."""
    found = []
    for number, domain in enumerate([EARTH, EARTH.child(3, 4, 5, 24, 18)], start=1):
        about = dict(domain.wrf_attributes()) | {
            "GRID_ID": number, "PARENT_ID": number - 1, "I_PARENT_START": (1, 5)[number - 1],
            "J_PARENT_START": (1, 6)[number - 1], "PARENT_GRID_RATIO": (1, 3)[number - 1],
            "WEST-EAST_GRID_DIMENSION": domain.nx + 1, "SOUTH-NORTH_GRID_DIMENSION": domain.ny + 1,
            "START_DATE": "2000-01-01_00:00:00", "TITLE": " OUTPUT FROM WRF V4.7.1 MODEL",
        }  # fmt: skip
        if idealised:
            about |= {"MAP_PROJ": 0, "CEN_LAT": 0.0, "CEN_LON": 0.0}
        found.append((about, domain.mass.latitude * (not idealised), domain.mass.longitude * (not idealised)))
    return found


class MadeWrf(Program):
    """The program; a frame is an hour."""

    def __init__(self, folder, engine="netcdf", **options):
        self.folder = Path(folder)
        super().__init__(__file__, folder, engine, json.dumps(options))


def say(folder, *lines):
    with (folder / "rsl.error.0000").open("a") as log:
        log.writelines(f"{line}\n" for line in lines)


def main(folder, engine, idealised=False, report=False, frames_per_file=1):
    from mpi4py import MPI

    from squall import io

    folder.mkdir(exist_ok=True)
    (folder / "namelist.input").write_text(NAMELIST)
    if report:
        (folder / "squall_io.toml").write_text('report = "squall_report.json"\n')
    say(folder, "WRF V4.7.1 MODEL")
    session = io.Session(MPI.COMM_WORLD, report=str(folder / "squall_report.json") if report else "")
    flat, air = ["south_north", "west_east"], ["bottom_top", "south_north", "west_east"]
    streams = []
    for domain, (about, latitude, longitude) in enumerate(domains(idealised), start=1):
        ny, nx = latitude.shape
        for kind in ("wrfout", "wrfrst"):
            minutes = {"units": "minutes since 2000-01-01 00:00:00", "description": "minutes since start"}
            fields = [
                io.Field("Times", str, letters=19),
                io.Field("XTIME", "f4", attributes=minutes),
                *(io.Field(name, "f4", flat, attributes={"units": f"degree_{to}"})
                  for name, to in (("XLAT", "north"), ("XLONG", "east"))),
                io.Field("T2", "f4", flat, attributes={"units": "K", "description": "TEMP at 2 M"}),
                io.Field("T", "f4", air, attributes={"units": "K", "description": "theta"}),
            ]  # fmt: skip
            name = f"{kind}_d{domain:02d}"
            spec = io.StreamSpec(
                name, f"{folder}/{name}_%Y-%m-%d_%H_%M_%S", engine=engine, placement="inline", replace=True,
                dimensions={"bottom_top": NZ, "south_north": ny, "west_east": nx}, fields=fields,
                attributes=about, frames_per_file=frames_per_file if kind == "wrfout" else 1,
            )  # fmt: skip
            streams.append((session.open(spec), kind, domain, latitude, longitude))
    for hour, _ in enumerate(sys.stdin):
        now = START + timedelta(hours=hour)
        for step in range(1, 7 if hour else 1):
            at = now - timedelta(hours=1) + timedelta(seconds=step * STEP)
            for part in (3, 1):  # the nest's steps, then those of the domain around it
                domain = 2 if part == 3 else 1
                say(folder, f"Timing for main: time {at:%Y-%m-%d_%H:%M:%S} on domain   {domain}:    "
                    f"{0.5 / part:.5f} elapsed seconds")  # fmt: skip
        for stream, kind, domain, latitude, longitude in streams:
            if kind == "wrfrst" and hour % 2 == 0:
                continue
            with stream.begin(3600.0 * hour) as frame:
                frame.put("Times", f"{now:%Y-%m-%d_%H:%M:%S}")
                frame.put("XTIME", 60.0 * hour)
                frame.put("XLAT", latitude.astype("f4"))
                frame.put("XLONG", longitude.astype("f4"))
                warm = 280 + 10 * domain + hour + np.linspace(0, 5, latitude.shape[1]) + 0 * latitude
                frame.put("T2", warm.astype("f4"))
                frame.put("T", np.broadcast_to(warm.astype("f4"), (NZ, *warm.shape)).copy())
        print(hour, flush=True)
    for stream, *_ in streams:
        stream.close()
    session.close()
    say(folder, f"d01 {START + timedelta(hours=hour):%Y-%m-%d_%H:%M:%S} wrf: SUCCESS COMPLETE WRF")


if __name__ == "__main__":
    os.environ.setdefault("OMPI_MCA_btl", "self")
    main(Path(sys.argv[1]), sys.argv[2], **json.loads(sys.argv[3]))
