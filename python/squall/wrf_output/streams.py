"""The streams that a WRF namelist has written, and how: as WRF reads it, not as Squall's model would."""

from collections.abc import Iterator
from dataclasses import dataclass

from squall.wrf.namelist import Namelist, Value
from squall.wrf.rules import Values
from squall.wrf.run_rules import frames_in_a_file, interval_of
from squall.wrf_output.layers import SPLIT, Layer, of_io_form
from squall.wrf_output.schema import AUXILIARY


@dataclass(frozen=True)
class Stream:
    """`interval`: in seconds. `file`: what WRF calls its files, with <date>. `key`: io_form's "group.key".
    `classic`: netCDF files are classic, without compression."""

    name: str
    domain: int
    io_form: int
    interval: float
    frames_per_file: int
    file: str
    key: str
    classic: bool = False

    @property
    def layer(self) -> Layer | None:
        return of_io_form(self.io_form)

    @property
    def split(self) -> bool:
        """Whether each rank writes a file of its own."""
        return self.io_form >= SPLIT


def written(namelist: Namelist) -> Iterator[Stream]:
    """By domain, those with an interval."""
    names = ("history", "restart", *(f"auxhist{n}" for n in range(1, AUXILIARY + 1)))
    for domain in range(1, int(namelist.column("domains.max_dom") or 1) + 1):
        for name in names:
            stream = _stream(namelist, name, domain)
            if stream is not None:
                yield stream


def _stream(namelist: Namelist, name: str, domain: int) -> Stream | None:
    usual = name in ("history", "restart")
    io_form = int(_single(namelist, f"io_form_{name}", 2 if usual else 0))
    frames = f"frames_per_{'outfile' if name == 'history' else name}"
    # Restarts have one interval for all domains.
    counted = 1 if name == "restart" else domain
    keys = [f"{name}_interval{unit}" for unit in ("", "_d", "_h", "_m", "_s")]
    values = Values({key: namelist.column(f"time_control.{key}", counted) or 0 for key in keys})
    default_frames = {"history": 10, "restart": 1}.get(name, 999999)
    values[frames] = _or(namelist.column(f"time_control.{frames}", domain), default_frames)
    interval = interval_of(values, name)
    if interval <= 0 or io_form == 0:
        return None
    prefix, key = {"history": ("wrfout", "history_outname"), "restart": ("wrfrst", "rst_outname")}.get(
        name, (name, f"{name}_outname")
    )
    file = str(_single(namelist, key, f"{prefix}_d<domain>_<date>")).replace("<domain>", f"{domain:02d}")
    in_file = 1 if name == "restart" else frames_in_a_file(values, frames.removeprefix("frames_per_"))
    classic = bool(_single(namelist, "use_netcdf_classic", False))
    return Stream(name, domain, io_form, interval, in_file, file, f"time_control.io_form_{name}", classic)


def _single(namelist: Namelist, key: str, default: Value) -> Value:
    """Of a key that all domains have in common."""
    return _or(namelist.column(f"time_control.{key}"), default)


def _or(given: Value | None, default: Value) -> Value:
    return default if given is None else given
