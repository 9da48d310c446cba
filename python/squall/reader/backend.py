"""`xarray.open_dataset(RUN_or_FILE, engine="squall")`."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import xarray as xr
from xarray.backends import BackendEntrypoint

from squall.reader.dataset import decode, undecoded
from squall.reader.open_readers import mark_of
from squall.runs.manifest import ENDING


class SquallBackend(BackendEntrypoint):
    """Opens run directories and the output of any engine, during a run or after it.

    `stream` and `domain` select from a run directory; `chunks={}` makes Dask arrays with the files' own
    chunks.
    """

    description = "Open runs of Squall: directories, and files of any of its engines"

    def open_dataset(  # type: ignore[override]
        self,
        filename_or_obj: str | os.PathLike[Any],
        *,
        mask_and_scale: bool = True,
        decode_times: bool = True,
        concat_characters: bool = True,
        decode_coords: Any = True,
        drop_variables: str | Iterable[str] | None = None,
        use_cftime: bool | None = None,
        decode_timedelta: Any = None,
        stream: str = "history",
        domain: int = 1,
    ) -> xr.Dataset:
        dropped = [drop_variables] if isinstance(drop_variables, str) else list(drop_variables or ())
        found = undecoded(Path(filename_or_obj).expanduser(), stream, domain)
        dataset = decode(
            found.drop_vars(dropped, errors="ignore"),
            mask_and_scale=mask_and_scale,
            decode_times=decode_times,
            concat_characters=concat_characters,
            decode_coords=decode_coords,
            use_cftime=use_cftime,
            decode_timedelta=decode_timedelta,
        )
        dataset.encoding["source"] = str(filename_or_obj)
        return dataset

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """True for run directories and for formats that no other backend opens; Zarr, by its ending, and
        netCDF have their own."""
        if not isinstance(filename_or_obj, str | os.PathLike):
            return False
        path = Path(filename_or_obj).expanduser()
        mark = mark_of(path)
        if mark is not None:
            return (mark.name != "zarr.json" or path.suffix != ".zarr") and _in_a_run(path)
        return path.is_dir() and any(path.glob(f"*{ENDING}"))


def _in_a_run(path: Path) -> bool:
    return any(path.parent.glob(f"*{ENDING}"))
