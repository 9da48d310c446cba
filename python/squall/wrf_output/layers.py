"""WRF's I/O layers that Squall stands in for, and the values of io_form that choose them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Layer:
    """`name`: as in WRF's `ext_<name>_ioinit`. `archives`: what WRF's builds call its archive, by configure
    and by CMake. `parallel`: whether it needs a WRF with MPI. `engine`: what Squall writes in its place
    unless squall_io.toml says otherwise."""

    name: str
    library: str
    archives: tuple[str, str]
    io_form: int
    parallel: bool
    engine: str

    @property
    def prefix(self) -> str:
        return f"ext_{self.name}_"

    @property
    def io_forms(self) -> str:
        return f"{self.io_form} and {SPLIT + self.io_form}" if self.name == "ncd" else f"{self.io_form}"


SPLIT = 100  # added to an io_form that each rank writes a file of its own with

LAYERS = (
    Layer("pnc", "PnetCDF", ("wrfio_pnf", "io_pnetcdf"), 11, True, "pnetcdf"),
    Layer("adios2", "ADIOS2", ("wrfio_adios2", "io_adios2"), 14, True, "adios"),
    Layer("ncd", "netCDF", ("wrfio_nf", "io_netcdf"), 2, False, "netcdf"),
)

#: Other layers of WRF, for messages.
OTHERS = {
    0: "no output", 1: "WRF's binary format", 5: "GRIB 1", 7: "ESMF", 10: "GRIB 2", 12: "PIO",
    13: "parallel netCDF-4",
}  # fmt: skip


def all_io_forms() -> str:
    """Those that Squall stands in for, in words."""
    forms = [str(form) for layer in LAYERS for form in (layer.io_form, _split(layer)) if form is not None]
    return listed(sorted(forms, key=int))


def of_io_form(io_form: int) -> Layer | None:
    """The layer that writes with this io_form; None: one that Squall does not stand in for."""
    return next((layer for layer in LAYERS if io_form in (layer.io_form, _split(layer))), None)


def _split(layer: Layer) -> int | None:
    return SPLIT + layer.io_form if layer.name == "ncd" else None


def of_archive(stem: str) -> Layer | None:
    """The layer whose archive is lib<stem>.a."""
    return next((layer for layer in LAYERS if stem in layer.archives), None)


def listed(words: Sequence[str]) -> str:
    """a, b and c"""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
