"""Real columns for tests of derived fields: WRF's own output, and what tests say of differences."""

import functools
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from squall.reader.dataset import open_run
from squall.reader.history_file import kept_open

DATA = Path(os.environ.get("SQUALL_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


def needed(name):
    """The path of a file of the data that verification uses; skips the test where it is missing."""
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is missing: SQUALL_DATA names the folder of the reference data")
    return path


@functools.cache
def real(name):
    """A history of that data, all frames, in memory: what is not, is read again by each that looks at it."""
    with kept_open():
        return open_run(needed(name)).load()


def storm(microphysics):
    """WRF's supercell after an hour, with `kessler`, `wsm6` or `thompson`. Its file has no pressure, which
    follows from the equation of state of what it has (Skamarock et al. 2019, NCAR/TN-556, equations 2.3 and
    2.6)."""
    cases = {"kessler": "supercell/wrf_reference.nc"}
    with xr.open_dataset(needed(cases.get(microphysics, f"physics/supercell_{microphysics}.nc"))) as file:
        frame = file.isel(Time=2).load()
    with xr.open_dataset(needed("supercell/wrfinput_d01")) as file:
        base = file.isel(Time=0).load()
    frame = frame.assign({name: base[name] for name in ("PHB", "MUB", "PB", "DNW", "HGT")})
    phi = (frame["PH"] + frame["PHB"]).values.astype(float)
    mass = -frame["DNW"].values[:, None, None] * (frame["MU"] + frame["MUB"]).values
    density = mass / np.diff(phi, axis=0)
    moist = (frame["T"] + 300) * (1 + 461.6 / 287 * frame["QVAPOR"])
    pressure = 1e5 * (287 * density * moist / 1e5) ** 1.4
    return frame.assign(P=pressure - frame["PB"])


def difference(what, ours, theirs, unit, *, rms, most=None):
    """Prints how far two arrays are apart, and asserts it by numbers. Where either is missing is left out,
    but not more than a tenth of the points."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    both = np.isfinite(ours) & np.isfinite(theirs)
    assert both.mean() > 0.9, f"{what}: compared at {both.mean():.0%} of points"
    off = (ours - theirs)[both]
    found_rms, found_most = float(np.sqrt(np.mean(off**2))), float(np.abs(off).max())
    print(
        f"{what}: bias {off.mean():.3g}, rms {found_rms:.3g}, most {found_most:.3g} {unit}; "
        f"spread {theirs[both].std():.3g} {unit}, {both.sum()} points"
    )
    assert found_rms <= rms, f"{what}: rms {found_rms:.4g} {unit}, allowed {rms:g}"
    if most is not None:
        assert found_most <= most, f"{what}: at most {found_most:.4g} {unit}, allowed {most:g}"


def frames_of(model, folder, *domains):
    """Runs `run.toml` of a folder on one thread. The frames of each domain, by default of the outermost."""
    said = subprocess.run(
        [model, "run.toml", "--threads", "1"], cwd=folder, capture_output=True, text=True, timeout=300,
        check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    with kept_open():
        return [open_run(folder / "runs" / "run", domain=n).load() for n in domains or (1,)]
