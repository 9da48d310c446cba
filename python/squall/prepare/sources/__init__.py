"""The file formats of analyses."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from squall.errors import UserError
from squall.prepare.sources import jet
from squall.prepare.sources.analysis import Analysis
from squall.prepare.sources.file_kind import kind_of
from squall.prepare.sources.piece import Piece, Unread, fail
from squall.prepare.sources.whole_netcdf import refuse_cut_off

__all__ = ["Analysis", "open_analysis", "open_heights", "read_weather"]


def open_analysis(
    paths: Sequence[Path], times: Sequence[datetime] = (), member: str | None = None, even: bool = True
) -> Analysis:
    """All fields of some files, of any kinds together. Raises UserError for what cannot be read. times: of
    the built-in analysis, whose name stands for a path. member: of an ensemble; None: there is one.
    even: times that are not evenly apart are refused."""
    pieces = (
        piece for path in paths for piece in (jet.pieces(times) if str(path) == jet.NAME else _pieces(path))
    )
    return Analysis(pieces, [str(path) for path in paths], member, even)


def read_weather(paths: Sequence[Path]) -> Iterator[Piece]:
    """Fields of the weather that acts on tracers, in GRIB and netCDF files: boundary layer, fluxes, rain,
    convection. Amounts and means hold over a period that ends at the piece's time."""
    from squall.prepare.sources import grib, netcdf

    for path in paths:
        if path.is_file():
            yield from grib.read_weather(path) if kind_of(path) == "grib" else netcdf.read_weather(path)


def open_heights(path: Path) -> Piece:
    """The piece "terrain" of a data set of heights, in m but not checked: it may hold the sea's depth.
    A folder is a data set of geogrid."""
    if (path / "index").is_file():
        return _tiles(path)
    for piece in _pieces(path, heights=True):
        if isinstance(piece, Piece) and piece.field == "terrain":
            return piece
    raise UserError(
        f"{path}: no terrain height on a grid. prepare.terrain needs a GRIB or netCDF file with one, or a "
        f"folder of geogrid tiles."
    )


def _tiles(folder: Path) -> Piece:
    from squall.prepare.sources.geogrid_tiles import TileSet

    data = TileSet(folder)
    return Piece(
        field="terrain",
        time=None,
        kind="surface",
        levels=(0.0,),
        grid=data.grid,
        units="m",
        where=str(folder),
        load=lambda window: data.load(window)[None],
    )


def _refuse_other_folder(folder: Path) -> None:
    """Raises UserError for one that is neither a run's nor a store of one."""
    from squall.prepare.sources import history
    from squall.reader.open_readers import mark_of

    if (folder / "run.toml").is_file() or any(folder.glob("history*")) or any(folder.glob("wrfout*")):
        return
    if mark_of(folder) is None and not (folder / ".zgroup").is_file():
        raise fail(
            str(folder), f"a folder, but not a run directory: name the files in it, such as {folder}/*.grib2"
        )
    if not history.is_history(folder):
        raise fail(str(folder), "a Zarr store, but not the history of a run: convert it to netCDF")


def _pieces(path: Path, heights: bool = False) -> Iterator[Piece | Unread]:
    from squall.prepare.sources import grib, history, met_em, netcdf

    if path.is_dir():
        _refuse_other_folder(path)
        yield from history.read(path)
        return
    if kind_of(path) == "grib":
        yield from grib.read(path)
        return
    refuse_cut_off(path)
    if met_em.is_met_em(path):
        yield from met_em.read(path)
    elif not heights and history.is_history(path):
        yield from history.read(path)
    else:
        yield from netcdf.read_heights(path) if heights else netcdf.read(path)
