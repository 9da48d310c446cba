"""Runs to be watched, and the server as `squall watch` starts it, for tests of it and of its page."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from dataclasses import replace

import netCDF4
import numpy as np

from squall.geo import Domain, Projection
from synthetic import write_history

SECONDS = 120  # for what takes one on a machine that is not busy


def warm(seconds, x, y, z):
    return 8 * np.sin(x / 3e5 + seconds / 5e4) * np.cos(y / 4e5) + 0.005 * z


EARTH = Domain(Projection("lambert", 30, 60, -97), 40, 30, 3e4, 3e4, 38, -97)


def write_earth(directory, times, nx=40, ny=30, nz=6, domain=None):
    """A run on a Lambert projection, as `write_history` makes it, in a manifest as the model keeps it."""
    write_history(
        directory, "january-storm", nx=nx, ny=ny, nz=nz, dx=3e4, top=9000, times=times, theta_pert=warm
    )
    domain = domain or replace(EARTH, nx=nx, ny=ny)
    for file in sorted(directory.glob("history_*.nc")):
        with netCDF4.Dataset(file, "a") as data:
            if "XLAT" in data.variables:
                continue
            data.setncatts(domain.wrf_attributes())
            place = {"XLAT": domain.mass.latitude, "XLONG": domain.mass.longitude,
                     "SINALPHA": domain.mass.sin_alpha, "COSALPHA": domain.mass.cos_alpha,
                     "HGT": np.zeros((ny, nx))}  # fmt: skip
            for name, values in place.items():
                data.createVariable(name, "f4", ("Time", "south_north", "west_east"))[0] = values
            moist = data.createVariable("QVAPOR", "f4", ("Time", "bottom_top", "south_north", "west_east"))
            moist[0] = 0.008 * np.exp(-np.arange(nz) / 2)[:, None, None]
            surface = data.createVariable("PSFC", "f4", ("Time", "south_north", "west_east"))
            surface[0] = 1e5 + 100 * np.arange(nx)[None, :]
    return directory


def write_nest(run, times):
    """A nest in a run of `write_earth`: a third of its spacing, over cells 10 to 19 and 8 to 15 of it."""
    nest = EARTH.child(3, 10, 8, 30, 24)
    made = write_earth(run.parent / f"{run.name}-nest", times, nx=30, ny=24, domain=nest)
    for file in made.glob("history_d01_*"):
        file.rename(run / file.name.replace("d01", "d02"))


def publish(run, made, seconds):
    """A frame of another directory comes into a run, as a writer of Squall's publishes it."""
    (file,) = (path for path in made.glob("history_*.nc") if _elapsed(path) == seconds)
    shutil.copyfile(file, run / f"{file.name}.part")
    (run / f"{file.name}.part").rename(run / file.name)
    with (run / "history.manifest.jsonl").open("a") as manifest:
        stored = {"event": "stored", "frame": 0, "time": file.stem[-19:].replace("_", "T")}
        for event in (stored, {"event": "published"}):
            manifest.write(json.dumps(event | {"file": file.name}) + "\n")


def _elapsed(path):
    with netCDF4.Dataset(path) as data:
        return round(float(data["XTIME"][0]) * 60)


@contextlib.contextmanager
def serving(*runs):
    """`squall watch` of runs in a process of its own; the address that it prints."""
    command = [sys.executable, "-c", "from squall.cli import main; main()", "watch", *map(str, runs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ) as server:
        try:
            address = next(found[0] for line in server.stdout if (found := re.search(r"http://\S+", line)))
            yield address
        finally:
            server.terminate()


class Tunnel:
    """A way to a server's port by one of its own, as `ssh -L` makes it; it can be cut and made again."""

    def __init__(self, port):
        self._to, self._at = port, 0
        self._ends = []
        self.mend()

    @property
    def port(self):
        return self._at

    def mend(self):
        self._door = socket.create_server(("127.0.0.1", self._at))
        self._at = self._door.getsockname()[1]
        threading.Thread(target=self._let_in, args=[self._door], daemon=True).start()

    def cut(self):
        for end in (self._door, *self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def _let_in(self, door):
        with contextlib.suppress(OSError):  # it was cut
            while True:
                near = door.accept()[0]
                far = socket.create_connection(("127.0.0.1", self._to))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=_hand_on, args=[one, other], daemon=True).start()


def _hand_on(one, other):
    with contextlib.suppress(OSError):
        while data := one.recv(65536):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)


def write_stations(run, times):
    """A stream of stations in a run of `write_earth`, one file; of each the cell in which it lies."""
    places = {"Nashville": (31, 17), "Amarillo": (8, 9)}
    with netCDF4.Dataset(run / "towns_2000-01-01_00:00:00.nc", "w") as data:
        data.setncatts({"START_DATE": "2000-01-01_00:00:00"})
        for name, size in {"Time": None, "station": len(places), "letters": 20}.items():
            data.createDimension(name, size)
        xtime = data.createVariable("XTIME", "f8", ("Time",))
        xtime.units = "minutes since 2000-01-01 00:00:00"
        xtime[:] = np.array(times) / 60
        names = data.createVariable("station_name", "S1", ("station", "letters"))
        names[:] = netCDF4.stringtochar(np.array(list(places), "S20"))
        for axis, along in (("x", 0), ("y", 1)):
            at = data.createVariable(axis, "f8", ("station",))
            at[:] = [(cell[along] + 0.5) * EARTH.dx for cell in places.values()]
        pressure = data.createVariable("PSFC", "f4", ("Time", "station"))
        pressure.setncatts({"units": "Pa", "long_name": "surface pressure"})
        pressure[:] = 1e5 - 100 * np.arange(len(times))[:, None] - 1000 * np.arange(len(places))
        gust = data.createVariable("gust", "f4", ("Time", "station"), fill_value=1e37)
        gust.setncatts({"units": "m s-1", "long_name": "GUST"})
        gust[:] = np.where(np.arange(len(times))[:, None] == 0, 1e37, 12.5)
    with (run / "towns.manifest.jsonl").open("w") as manifest:
        manifest.write(json.dumps({"event": "published", "file": "towns_2000-01-01_00:00:00.nc"}) + "\n")
