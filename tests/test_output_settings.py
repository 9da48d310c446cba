"""Who writes, and into what, changes nothing but the time it takes."""

import json
import os
import resource
import subprocess

import netCDF4
import numpy as np
import pytest

from squall import locate
from squall.errors import UserError
from squall.lab.verify.bit_for_bit import differences
from squall.reader.dataset import open_run
from squall.runs import launch

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

SETTINGS = {
    "domain.nx": "64",
    "domain.nz": "16",
    "domain.dx": "400 m",
    "run.duration": "8 s",
    "output.history.interval": "4 s",
}

# Without shared memory between ranks, whose segments a limit on file sizes would forbid too.
NO_SEGMENTS = {"OMPI_MCA_btl": "self,tcp", "PMIX_MCA_gds": "hash"}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Runs the density current; returns the finished process and the run directory."""
    top = tmp_path_factory.mktemp("settings")

    def run(name, settings=None, ranks=1, file_limit=None, **environment):
        directory = top / name
        arguments = [str(locate.run_file("density-current")), "--overwrite", "--threads", "1"]
        for key, value in (SETTINGS | (settings or {}) | {"run.directory": str(directory)}).items():
            arguments += ["--set", f"{key}={value}"]
        start = launch.prepare(locate.model_binary(), arguments, ranks, 1)

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

        said = subprocess.run(
            start.command, env=os.environ | start.environment | environment, capture_output=True,
            text=True, timeout=120, check=False, preexec_fn=limit if file_limit else None,
        )  # fmt: skip
        return said, directory

    return run


@pytest.fixture(scope="module")
def reference(model):
    said, directory = model("reference", {"output.history.placement": "inline"})
    assert said.returncode == 0, said.stderr
    return directory


@pytest.mark.parametrize(
    ("ranks", "settings"),
    [
        (2, {"output.history.placement": "inline"}),
        (2, {"output.history.placement": "thread"}),
        (3, {"output.servers": "1"}),
        (4, {"output.servers": "2", "output.groups": "2"}),
    ],
)
def test_files_are_the_same_whoever_writes_them(model, reference, ranks, settings):
    name = "-".join([str(ranks), *settings.values()])
    said, directory = model(name, settings, ranks)
    assert said.returncode == 0, said.stderr
    theirs = sorted(reference.glob("history_*.nc"))
    assert len(theirs) == 3
    for file in theirs:
        assert (directory / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("engine", "ranks", "settings"),
    [
        ("netcdf", 1, {"output.restart.placement": "thread"}),
        ("netcdf-split", 3, {"output.servers": "1"}),
        ("netcdf-parallel", 2, {"output.restart.placement": "thread"}),
        ("pnetcdf", 4, {"output.servers": "2"}),
        ("zarr", 2, {"output.restart.placement": "thread"}),
        ("adios", 2, {"output.restart.placement": "inline"}),
    ],
)
def test_a_run_goes_on_from_a_restart_of_any_engine_with_the_same_bits(
    model, reference, engine, ranks, settings
):
    restart = {"output.restart.interval": "4 s", "output.restart.engine": engine}
    said, first = model(f"first-{engine}", restart | settings, ranks)
    if "is not in this build" in said.stderr:
        pytest.skip(f"no engine {engine} in this build")
    assert said.returncode == 0, said.stderr
    frame = min(path for path in first.glob("restart_*") if "00:00:04" in path.name)
    said, second = model(f"second-{engine}", {"run.restart_from": str(frame)}, 2)
    assert said.returncode == 0, said.stderr
    assert (second / "history_2000-01-01_00:00:08.nc").exists()
    assert differences(reference, second, whole=False) == []


@pytest.mark.parametrize("engine", ["zarr", "netcdf-split", "adios", "pnetcdf"])
def test_what_any_engine_wrote_opens_as_the_history(model, reference, engine):
    pytest.importorskip("mpi4py")
    settings = {"output.history.engine": engine, "output.history.path": "at_%H:%M:%S"}
    said, directory = model(f"opened-{engine}", settings, 2)
    if "is not in this build" in said.stderr:
        pytest.skip(f"no engine {engine} in this build")
    assert said.returncode == 0, said.stderr
    ours, theirs = open_run(directory), open_run(reference)
    assert list(ours.variables) == list(theirs.variables)
    assert ours["elapsed"].values.tolist() == [0, 4, 8]
    for name in ("T", "XTIME", "Times", "HGT", "ZNU"):
        np.testing.assert_array_equal(ours[name].values, theirs[name].values)
    for index in ({"Time": [2, 0], "bottom_top": slice(1, 9, 3)}, {"Time": 1, "west_east": [5, 60, 7]}):
        np.testing.assert_array_equal(ours["T"].isel(index).values, theirs["T"].isel(index).values)
    assert open_run(directory / "at_00:00:04").sizes["Time"] == 1


@pytest.mark.parametrize(
    "settings", [{"output.history.placement": "thread"}, {"output.servers": "1"}], ids=["thread", "servers"]
)
def test_a_file_that_may_not_grow_ends_the_run_with_status_1_and_a_reason(model, settings):
    many = {
        "run.duration": "60 s",
        "output.history.interval": "2 s",
        "output.history.frames_per_file": "100",
        "output.history.staging_limit": "300 kB",
    }
    said, directory = model("limit", many | settings, 3, file_limit=400_000, **NO_SEGMENTS)
    assert said.returncode == 1, said.stdout + said.stderr
    assert "history" in said.stderr
    assert str(directory) in said.stderr
    steps = []
    for published in sorted(directory.glob("history_*.nc")):  # what was stored before, whole
        with netCDF4.Dataset(published) as file:
            steps += list(np.rint(file["XTIME"][:] * 30).astype(int))
            assert not np.ma.is_masked(file["T"][:])
    assert steps == sorted(set(steps)), "a frame was published twice"
    assert steps[0] == 0
    lost = set(range(31)) - set(steps)
    assert lost
    # servers had the frames behind the lost one already: these are whole, in a file of their own
    assert steps[: min(lost)] == list(range(min(lost)))


def test_a_stream_of_its_own_holds_a_part_of_what_history_holds(model, reference):
    settings = {
        "output.low.interval": "8 s",
        "output.low.fields": '["U", "W", "T"]',
        "output.low.levels": "[0, 3]",
        "output.low.region": "[10, 49, 0, 0]",
        "output.low.stride": "2",
        "output.low.precision.T": "absolute 0.01",
    }
    said, directory = model("parts", settings, 2)
    assert said.returncode == 0, said.stderr
    name = "2000-01-01_00:00:08.nc"
    with (
        netCDF4.Dataset(directory / f"low_{name}") as part,
        netCDF4.Dataset(reference / f"history_{name}") as whole,
    ):
        assert part["U"].shape == (1, 4, 1, 21)
        np.testing.assert_array_equal(part["U"][:], whole["U"][:, 0:4, :, 10:51:2])
        np.testing.assert_array_equal(part["W"][:], whole["W"][:, 0:5, :, 10:50:2])
        error = np.abs(part["T"][:] - whole["T"][:, 0:4, :, 10:50:2])
        assert 0 < error.max() <= 0.01
        assert part.getncattr("WEST-EAST_GRID_DIMENSION") == 21


def test_a_run_says_what_output_cost_and_leaves_a_report(model):
    said, directory = model("report", {"output.servers": "1"}, 3)
    assert said.returncode == 0, said.stderr
    (line,) = [line for line in said.stdout.splitlines() if line.startswith("history ")]
    assert line.split()[1] == "3"
    report = json.loads((directory / "io-report.json").read_text())
    (stream,) = report["streams"]
    assert (stream["name"], stream["placement"], stream["frames"]) == ("history", "servers", 3)


@pytest.mark.parametrize("plan", [[], ["--plan"]])
def test_servers_that_leave_nobody_to_compute_are_refused(squall, tmp_path, plan):
    said = squall("run", "density-current", "--set", "output.servers=1", *plan)
    assert said.returncode == 2
    assert "density-current.toml: [output]" in said.stderr
    assert "more ranks" in said.stderr
    assert not (tmp_path / "runs").exists()
