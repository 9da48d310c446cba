"""What the tests of the commands share."""

import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from filelock import FileLock

import commands
import installed_io
from browser import WEB
from made_streams import runner
from squall import locate
from squall.errors import UserError
from squall.reader.dataset import open_run
from stored_files import TOOL
from synthetic import write_history


def pytest_configure(config):
    """Programs of one rank share a folder of Open MPI, which the first to end removes while another begins:
    each process of tests has a folder of its own."""
    folder = tempfile.mkdtemp(prefix="mpi-")
    os.environ["OMPI_MCA_orte_tmpdir_base"] = folder  # noqa: SIM112  (so is its name)
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Tests of no other tier are unit tests. With pytest-xdist the tests of a file, which share their runs,
    stay together, but where they are marked `spread`; the longest begin first."""
    for item in items:
        if not {"regression", "long"} & set(item.keywords):
            item.add_marker(pytest.mark.unit)
        if "spread" not in item.keywords:
            item.add_marker(pytest.mark.xdist_group(str(item.path)))
    items.sort(key=_seconds, reverse=True)


def _seconds(item):
    told = item.get_closest_marker("seconds")
    return told.args[0] if told else 0


@pytest.fixture(scope="session", autouse=True)
def no_fetched_land(tmp_path_factory):
    """The user's cache without its land, which tests would else prepare from where it was fetched."""
    given = os.environ.get("XDG_CACHE_HOME")
    cache = Path(given) if given else Path.home() / ".cache"
    if not (cache / "squall" / "land").is_dir():
        yield
        return
    without = tmp_path_factory.mktemp("cache")
    (without / "squall").mkdir()
    for entry in [*cache.iterdir(), *(cache / "squall").iterdir()]:
        if entry not in (cache / "squall", cache / "squall" / "land"):
            (without / entry.relative_to(cache)).symlink_to(entry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(without))
        yield


@pytest.fixture
def tool(squall):
    """Runs a command of `squall` about files."""
    return lambda *arguments: squall(*arguments, SQUALL_IO=str(TOOL))


@pytest.fixture
def squall(tmp_path):
    """Runs the command `squall` in an empty directory; returns the finished process."""

    def run(*arguments, **environment):
        return commands.squall(arguments, tmp_path, **environment)

    return run


@pytest.fixture(scope="session")
def density_current(tmp_path_factory):
    """A run directory of a cold pool whose front (-1 K at the lowest level) is known."""

    def cold(seconds, x, y, z):
        return -10.0 * np.clip(1 - np.abs(x) / (5000 + 10 * seconds), 0, None) + 0 * z

    return write_history(
        tmp_path_factory.mktemp("run") / "cold", "density-current",
        nx=256, ny=1, nz=16, dx=200, top=6400, times=[0, 300, 600, 900], theta_pert=cold,
    )  # fmt: skip


@pytest.fixture(scope="session")
def channel(tmp_path_factory):
    """A run directory of a channel with temperature falling northwards, a frame a day."""

    def front(seconds, x, y, z):
        return -25 * np.tanh((y - 4e6 - seconds * np.sin(2 * np.pi * x / 4e6)) / 1.2e6) + 0.004 * z

    return write_history(
        tmp_path_factory.mktemp("run") / "channel", "baroclinic-wave",
        nx=20, ny=40, nz=8, dx=2e5, top=16000, times=[86400 * day for day in range(6)], theta_pert=front,
    )  # fmt: skip


@pytest.fixture(scope="session")
def mountain(tmp_path_factory):
    """A run directory of flow over a bell-shaped mountain of 1000 m."""
    return write_history(
        tmp_path_factory.mktemp("run") / "mountain", "mountain-hydrostatic",
        nx=80, ny=1, nz=20, dx=2000, top=20000, times=[0, 3600],
        theta_pert=lambda seconds, x, y, z: 0.003 * z, terrain=lambda x: 1000 / (1 + (x / 10000) ** 2),
    )  # fmt: skip


@pytest.fixture(scope="session")
def wrfinput(tmp_path_factory):
    """A file in WRF's layout with 12 x 10 x 27 cells over North America, whose maker knows no CF."""
    path = tmp_path_factory.mktemp("wrf") / "wrfout_d01_2005-07-16_00:00:00"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "data" / "wrfinput_summer.gz").read_bytes()))
    return path


@pytest.fixture(scope="session")
def history(wrfinput):
    """Two frames of it, half an hour apart, with dates and with x and y as Squall's own files have them."""
    first = open_run(wrfinput).load()
    later = first["XTIME"].values + np.timedelta64(30, "m")
    second = first.assign_coords(
        XTIME=("Time", later), Time=("Time", later), elapsed=("Time", first["elapsed"].values + 1800)
    )
    both = xr.concat([first, second], "Time", data_vars="minimal", coords="minimal", compat="override")
    x, y = (
        ((np.arange(n) - (n - 1) / 2) * 1e5) for n in (both.sizes["west_east"], both.sizes["south_north"])
    )
    return both.assign_coords(west_east=x, south_north=y)


@pytest.fixture(scope="session")
def made_model(tmp_path_factory):
    """Runs a small supercell with streams of everything that may be made of fields."""
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")
    return runner(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def made(made_model):
    """The directory of such a run on one rank."""
    said, directory = made_model("one")
    assert said.returncode == 0, said.stderr
    return directory


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    """Where io is installed to, out of the build that is tested."""
    build = locate.model_binary().parents[1] / "io"
    if not (build / "cmake_install.cmake").is_file():
        pytest.skip(f"no build to install from: {build} is not there")
    folder = tmp_path_factory.mktemp("prefix")
    installed_io.execute("cmake", "--install", build, "--prefix", folder)
    return folder


@pytest.fixture(scope="session")
def npm_modules(tmp_path_factory):
    """What the page of `squall watch` is built with, installed from its lock file if it is not there."""
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here, with which the page is built")
    modules, lock = WEB / "node_modules", WEB / "package-lock.json"
    installed = modules / ".package-lock.json"
    with FileLock(tmp_path_factory.getbasetemp().parent / "npm.lock"):  # files of tests run side by side
        if not installed.is_file() or installed.stat().st_mtime < lock.stat().st_mtime:
            got = subprocess.run(
                ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=WEB, capture_output=True,
                text=True, check=False, timeout=300,
            )  # fmt: skip
            if got.returncode:
                pytest.skip(f"npm cannot install what the page is built with: {got.stderr[-500:]}")
    return modules
