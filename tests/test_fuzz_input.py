"""Spoilt input files: each is refused by name, or harmless; none crashes the model or runs to nonsense.

`data/wrfinput_summer.gz` is a cut of 12 x 10 x 27 cells out of a wrfinput file of WRF 3.1.1's
real-data program (16 July 2005 00 UTC, 135 km; from wrf-model/WRFDA's history, public domain).
"""

import gzip
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from netCDF4 import Dataset

from squall import locate
from squall.errors import UserError
from squall.lab.verify.data import Skipped, folder

pytestmark = pytest.mark.regression

try:
    MODEL = locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

RUN_FILE = """\
[run]
duration = "300 s"
time_step = "300 s"

[domain]
boundary_west = "open"
boundary_east = "open"
boundary_south = "open"
boundary_north = "open"

[dynamics]
coriolis = "file"
hypsometric = 1

[physics]
microphysics = "kessler"

[initial]
file = "{input}"

[output.history]
interval = "300 s"
"""

FORMATS = ("NETCDF3_CLASSIC", "NETCDF4")

#: Fields of a history that must be finite wherever a run ends well.
AIR = ("U", "V", "W", "T", "PH", "MU", "P", "QVAPOR", "QCLOUD", "QRAIN", "RAINNC")


class Copy:
    """A netCDF file on its way into another: dimensions, attributes and values by name."""

    def __init__(self, source: Path) -> None:
        with Dataset(source) as file:
            file.set_auto_mask(False)
            self.attributes = {name: file.getncattr(name) for name in file.ncattrs()}
            self.sizes = {name: len(d) for name, d in file.dimensions.items()}
            self.dimensions = {name: v.dimensions for name, v in file.variables.items()}
            self.variable_attributes = {
                name: {a: v.getncattr(a) for a in v.ncattrs()} for name, v in file.variables.items()
            }
            self.values = {name: v[:] for name, v in file.variables.items()}

    def drop(self, name: str) -> None:
        del self.values[name]

    def write(self, path: Path, data_model: str) -> None:
        with Dataset(path, "w", format=data_model) as file:
            file.setncatts(self.attributes)
            for name, size in self.sizes.items():
                file.createDimension(name, None if name == "Time" else size)
            for name, values in self.values.items():
                variable = file.createVariable(name, values.dtype, self.dimensions[name])
                variable.setncatts(self.variable_attributes[name])
                variable[:] = values


@pytest.fixture(scope="module")
def intact(tmp_path_factory) -> dict[str, Path]:
    """The file before it is spoilt, in each format."""
    folder = tmp_path_factory.mktemp("intact")
    plain = folder / "plain"
    packed = Path(__file__).parent / "data" / "wrfinput_summer.gz"
    with gzip.open(packed) as source, plain.open("wb") as target:
        shutil.copyfileobj(source, target)
    paths = {}
    for data_model in FORMATS:
        paths[data_model] = folder / data_model
        Copy(plain).write(paths[data_model], data_model)
    return paths


@pytest.fixture
def attempt(tmp_path):
    """Runs a step from the input file in the test's directory, or plans it; returns the finished process."""

    def run(path: Path, boundary: Path | None = None, *options: str) -> subprocess.CompletedProcess[str]:
        text = RUN_FILE.format(input=path)
        if boundary is not None:
            text = text.replace('"open"', '"specified"') + BOUNDARY.format(boundary=boundary)
        run_file = tmp_path / "run.toml"
        run_file.write_text(text)
        return subprocess.run(
            [MODEL, str(run_file), "--threads", "1", "--overwrite", *options],
            cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=60, check=False,
        )  # fmt: skip

    return run


#: What a real case adds to the run file.
BOUNDARY = """
[boundary]
file = "{boundary}"
"""


def expect_refusal(said: subprocess.CompletedProcess[str], *parts: str) -> None:
    assert said.returncode in (1, 2), f"exit code {said.returncode}: {said.stdout}{said.stderr}"
    for part in ("squall-model: ", *parts):
        assert part in said.stderr


def expect_refusal_or_sense(said: subprocess.CompletedProcess[str], tmp_path: Path, name: str) -> None:
    """A clear error, or a run whose every value is finite."""
    if said.returncode != 0:
        blown_up = "Courant" in said.stderr or "not finite" in said.stderr
        expect_refusal(said, *([] if blown_up else [name]))
        return
    frames = sorted((tmp_path / "runs" / "run").glob("history_*.nc"))
    assert len(frames) == 2, said.stdout
    for frame in frames:
        with Dataset(frame) as file:
            for field in AIR:
                assert np.isfinite(np.ma.filled(file[field][:], np.nan)).all(), field


@pytest.mark.parametrize("data_model", FORMATS)
def test_the_intact_file_runs(intact, attempt, tmp_path, data_model):
    said = attempt(intact[data_model])
    assert said.returncode == 0, said.stderr
    expect_refusal_or_sense(said, tmp_path, "")


def point(name: str, value: float) -> Callable[[Copy], None]:
    """Puts a value into the middle of a variable's first record."""

    def spoil(copy: Copy) -> None:
        values = copy.values[name]
        values[(0, *(n // 2 for n in values.shape[1:]))] = value

    return spoil


def everywhere(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Copy], None]:
    def spoil(copy: Copy) -> None:
        copy.values[name] = change(copy.values[name]).astype(copy.values[name].dtype)

    return spoil


def without(name: str) -> Callable[[Copy], None]:
    return lambda copy: copy.drop(name)


def attribute(name: str, value: object) -> Callable[[Copy], None]:
    return lambda copy: copy.attributes.__setitem__(name, value)


def on_cells(name: str, axis: str) -> Callable[[Copy], None]:
    """Drops the last face of a staggered variable."""

    def spoil(copy: Copy) -> None:
        along = copy.dimensions[name].index(f"{axis}_stag")
        copy.values[name] = np.delete(copy.values[name], -1, axis=along)
        copy.dimensions[name] = tuple(d.removesuffix("_stag") for d in copy.dimensions[name])

    return spoil


def date(text: str) -> Callable[[Copy], None]:
    return everywhere("Times", lambda old: np.array([list(text.ljust(old.shape[1], "\0"))], "S1"))


def no_record(copy: Copy) -> None:
    for name, values in copy.values.items():
        copy.values[name] = values[:0]


#: What is done to the file, and what the refusal must say besides the file's name.
SPOILT = {
    **{f"without {name}": (without(name), f"no variable {name}")
       for name in ("Times", "U", "PH", "MU", "T", "QVAPOR", "HGT", "ZNW", "COSALPHA", "F", "P_TOP")},
    **{f"NaN in {name}": (point(name, np.nan), f"{name} is nan")
       for name in ("V", "T", "QVAPOR", "MU", "PHB", "XLAT", "MAPFAC_UX", "QRAIN")},
    "infinite wind": (point("U", np.inf), "U is inf"),
    "never written": (point("PH", 9.96921e36), "PH is 9.96921e+36"),
    "fast wind": (point("V", 1e12), "V is 1000000000000"),
    "u on cells": (on_cells("U", "west_east"), "wrong staggering"),
    "ph on layers": (on_cells("PH", "bottom_top"), "wrong staggering"),
    "negative mass": (point("MU", -1.5e5), "is not positive"),
    "no mass": (everywhere("MU", lambda mu: mu - 7e4), "pressure of"),
    "terrain above the first level": (point("HGT", 3000), "HGT is at 3000 m"),
    "terrain below sea and all": (point("HGT", -1e6), "HGT is -1000000"),
    "g/kg": (everywhere("QVAPOR", lambda q: 1000 * q), "QVAPOR is"),
    "negative vapour": (point("QVAPOR", -0.01), "QVAPOR is -0.01"),
    "kelvin": (everywhere("T", lambda t: t + 300), "are inconsistent"),
    "upside down": (everywhere("ZNW", lambda znw: znw[:, ::-1]), "ZNW"),
    "bent coefficients": (point("DNW", 0.5), "DNW is 0.5"),
    "no base temperature": (point("T00", 3.0), "T00 is 3"),
    "top below the ground": (point("P_TOP", 2e5), "P_TOP is 200000"),
    "no such day": (date("2005-02-30_00:00:00"), "2005-02-30"),
    "no such date": (date("yesterday"), "yesterday"),
    "no spacing": (attribute("DX", np.float32(0)), "DX = 0"),
    "another grid": (attribute("GRIDTYPE", "E"), "on grid E"),
    "no record": (no_record, "no record"),
}  # fmt: skip


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_variable_is_refused_by_name(intact, attempt, tmp_path, what):
    spoil, said = SPOILT[what]
    copy = Copy(intact["NETCDF3_CLASSIC"])
    spoil(copy)
    path = tmp_path / "wrfinput_spoilt"
    copy.write(path, FORMATS[sum(map(ord, what)) % 2])
    run = attempt(path)
    expect_refusal(run, str(path), said)
    assert attempt(path, None, "--plan").stderr == run.stderr


@pytest.mark.parametrize("data_model", FORMATS)
@pytest.mark.parametrize("part", [0.0, 0.01, 0.6, 0.97])
def test_a_file_cut_short_is_refused(intact, attempt, tmp_path, data_model, part):
    path = tmp_path / "wrfinput_cut"
    content = intact[data_model].read_bytes()
    path.write_bytes(content[: int(part * len(content))])
    expect_refusal(attempt(path), str(path))


@pytest.mark.parametrize("data_model", FORMATS)
@pytest.mark.parametrize("seed", range(8))
def test_flipped_bytes_never_crash_the_model(intact, attempt, tmp_path, data_model, seed):
    """Half of them in the first part of the file, where the header is, each a few bytes."""
    random = np.random.default_rng(1000 + seed)
    content = bytearray(intact[data_model].read_bytes())
    end = len(content) if seed % 2 else 16000
    for place in random.integers(0, end, size=1 + seed):
        content[place] ^= int(random.integers(1, 256))
    path = tmp_path / "wrfinput_flipped"
    path.write_bytes(content)
    expect_refusal_or_sense(attempt(path), tmp_path, str(path))


@pytest.fixture(scope="module")
def real_case() -> Path:
    """The folder of a real case with its boundary file, of the reference data."""
    try:
        return folder("conus_2005-07-16")
    except Skipped as reason:
        pytest.skip(str(reason))


#: Where a boundary file says when its records begin.
THIS_TIME = "md___thisbdytimee_x_t_d_o_m_a_i_n_m_e_t_a_data_"

#: What is done to the boundary file, and what the refusal must say besides its name.
SPOILT_BOUNDARY = {
    "without U_BXS": (without("U_BXS"), "U_BXS"),
    "without its times": (without(THIS_TIME), THIS_TIME),
    "NaN in T_BTYE": (point("T_BTYE", np.nan), "T_BTYE is nan"),
    "NaN in MU_BYS": (point("MU_BYS", np.nan), "MU_BYS is nan"),
    "no record": (no_record, "record"),
    "another year": (everywhere(THIS_TIME, lambda t: np.where(t == b"5", b"6", t)), "2006"),
}


@pytest.mark.parametrize("what", SPOILT_BOUNDARY)
def test_a_spoilt_boundary_file_is_refused_by_name(real_case, attempt, tmp_path, what):
    spoil, said = SPOILT_BOUNDARY[what]
    copy = Copy(real_case / "wrfbdy_d01")
    spoil(copy)
    path = tmp_path / "wrfbdy_spoilt"
    copy.write(path, "NETCDF3_CLASSIC")
    run = attempt(real_case / "wrfinput_d01", path)
    expect_refusal(run, str(path), said)
    assert attempt(real_case / "wrfinput_d01", path, "--plan").stderr == run.stderr


def test_the_boundary_file_of_another_domain_is_refused(real_case, attempt):
    other = real_case.parent / "conus_2008-02-05" / "wrfbdy_d01"
    run = attempt(real_case / "wrfinput_d01", other)
    expect_refusal(run, str(other))
    assert attempt(real_case / "wrfinput_d01", other, "--plan").stderr == run.stderr


def test_a_plan_reads_every_record_that_the_run_will_need_and_no_other(real_case, attempt, tmp_path):
    copy = Copy(real_case / "wrfbdy_d01")
    copy.values["T_BYS"][-1] = np.nan
    path = tmp_path / "wrfbdy_spoilt"
    copy.write(path, "NETCDF3_CLASSIC")
    last = (len(copy.values["T_BYS"]) - 1) * 6 * 3600  # s
    sooner, later = (
        attempt(real_case / "wrfinput_d01", path, "--plan", "--set", f"run.duration={seconds} s",
                "--set", f"output.history.interval={seconds} s")
        for seconds in (last, last + 300)
    )  # fmt: skip
    assert sooner.returncode == 0, sooner.stderr
    expect_refusal(later, str(path), "T_BYS is nan")


def test_a_plan_refuses_a_restart_frame_that_the_run_would_refuse(intact, attempt, tmp_path):
    path = tmp_path / "history.nc"
    shutil.copyfile(intact["NETCDF4"], path)
    options = ("--set", f"run.restart_from={path}")
    run, plan = (
        attempt(intact["NETCDF4"], None, *options),
        attempt(intact["NETCDF4"], None, *options, "--plan"),
    )
    expect_refusal(plan, "it is not a restart file of this model")
    assert plan.stderr == run.stderr


@pytest.mark.parametrize("kind", ["cut short", "another file"])
def test_a_plan_refuses_radiation_tables_that_the_run_would_refuse(intact, attempt, tmp_path, kind):
    for name in ("rrtmgp-gas-lw-g128", "rrtmgp-gas-sw-g112", "cloudysky_lw", "cloudysky_sw"):
        content = intact["NETCDF4"].read_bytes()
        (tmp_path / f"{name}.nc").write_bytes(content[:5000] if kind == "cut short" else content)
    options = ("--set", "physics.radiation=rrtmgp", "--set", f"physics.radiation_tables={tmp_path}")
    run, plan = (attempt(intact["NETCDF4"], None, *options, *more) for more in ((), ("--plan",)))
    expect_refusal(plan, str(tmp_path / "rrtmgp-gas-lw-g128.nc"))
    assert (plan.stderr, plan.returncode) == (run.stderr, run.returncode)


def test_a_plan_of_intact_files_is_accepted(real_case, attempt):
    said = attempt(real_case / "wrfinput_d01", real_case / "wrfbdy_d01", "--plan")
    assert said.returncode == 0, said.stderr


@pytest.mark.parametrize("seed", range(6))
def test_flipped_bytes_of_a_boundary_file_never_crash_the_model(real_case, attempt, tmp_path, seed):
    random = np.random.default_rng(2000 + seed)
    content = bytearray((real_case / "wrfbdy_d01").read_bytes())
    if seed == 0:
        content = content[: len(content) // 2]
    for place in random.integers(0, len(content) if seed % 2 else 16000, size=1 + 2 * seed):
        content[place] ^= int(random.integers(1, 256))
    path = tmp_path / "wrfbdy_flipped"
    path.write_bytes(content)
    expect_refusal_or_sense(attempt(real_case / "wrfinput_d01", path), tmp_path, str(path))
