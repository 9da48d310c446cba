"""Streams of statistics over time, and from when to when they are."""

import numpy as np
import pytest

from made_streams import only
from squall import io

pytestmark = pytest.mark.regression


def test_statistics_are_of_every_step_since_the_frame_before(made):
    steps, statistics = only(made, "steps"), only(made, "statistics")
    for frame, (first, last) in enumerate([(0, 0), (1, 5), (6, 10)]):
        p = steps["PSFC"].values[first : last + 1].astype(np.float64)
        np.testing.assert_allclose(statistics["PSFCMEAN"].values[frame], p.mean(0), rtol=1e-7)
        np.testing.assert_array_equal(statistics["PSFCMAX"].values[frame], p.max(0))
        np.testing.assert_array_equal(statistics["PSFCMIN"].values[frame], p.min(0))
        theta = steps["T"].values[first : last + 1]
        np.testing.assert_array_equal(statistics["TMAX"].values[frame], theta.max(0))
        np.testing.assert_array_equal(statistics["TLAST"].values[frame], theta[-1])
        np.testing.assert_allclose(
            statistics["TSUM"].values[frame], theta.sum(0, np.float64), rtol=1e-6, atol=1e-6
        )
        # Pressure is 1e5 Pa and varies by some Pa: what a variance in single precision would lose.
        assert 0 < p.var(0).max() < 1e5 or frame == 0
        np.testing.assert_allclose(statistics["PSFCVAR"].values[frame], p.var(0), rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(statistics["PSFCSTD"].values[frame], p.std(0), rtol=1e-4, atol=1e-4)
    fell = steps["RAINNC"].values[10].astype(np.float64) - steps["RAINNC"].values[5]
    np.testing.assert_allclose(statistics["RAINNCACC"].values[2], fell, atol=1e-7)
    assert np.isnan(statistics["RAINNCACC"].values[0]).all()
    np.testing.assert_allclose(statistics["RAINNCRATE"].values[2], fell / 30, rtol=1e-5, atol=1e-9)
    assert statistics["RAINNCRATE"].attrs["units"] == "mm s-1"
    assert statistics["PSFCVAR"].attrs["units"] == "Pa2"
    methods = {"MEAN": "mean", "VAR": "variance", "STD": "standard_deviation", "MIN": "minimum"}
    for name, method in methods.items():
        assert statistics[f"PSFC{name}"].attrs["cell_methods"] == f"Time: {method}"


def test_averages_of_rates_are_rates_of_averages_in_their_units(made):
    steps, rain = only(made, "steps"), only(made, "rain")
    cell = float(steps.attrs["DX"]) * float(steps.attrs["DY"])
    fell = steps["RAINNC"].values[10].astype(np.float64) - steps["RAINNC"].values[5]
    np.testing.assert_allclose(rain["RAINNCRATE"].values[2], fell.sum() * cell / 30, rtol=1e-5, atol=1e-6)
    assert rain["RAINNCRATE"].attrs["units"] == "mm s-1 m2"


def test_frames_of_what_is_made_over_time_say_from_when_to_when(made):
    statistics, tower, steps = (only(made, name) for name in ("statistics", "tower", "steps"))
    minutes = [[0, 0], [0, 0.5], [0.5, 1]]
    for stream in (statistics, tower):
        assert stream.Time.attrs["bounds"] == "Time_bnds"
        np.testing.assert_array_equal(stream["Time_bnds"].values, minutes)
        np.testing.assert_array_equal(stream["Time_bnds"].values[:, 1], stream.Time.values)
    assert "bounds" not in steps.Time.attrs  # whose frames are moments
    assert "Time_bnds" not in steps


def test_frames_of_every_engine_say_from_when_to_when(made_model):
    """Those of running fields, too, which are also of the time since the frame before."""
    engines = {"zarr", "netcdf-split", "netcdf-parallel", "pnetcdf", "adios"} & set(io.engines())
    streams = "".join(
        f'\n[output.{kind}-{engine}]\ninterval = "30 s"\nframes_per_file = 9\nengine = "{engine}"\n{fields}\n'
        for engine in engines
        for kind, fields in (
            ("statistics", 'fields = ["PSFC"]\nover_time = {{ PSFC = "mean" }}'),
            ("running", 'fields = ["W_UP_MAX"]'),
        )
    )
    said, directory = made_model("bounds", streams=streams)
    assert said.returncode == 0, said.stderr
    for path in (p for p in directory.iterdir() if p.suffix in (".nc", ".zarr", ".bp")):
        if path.name.startswith(("statistics", "running")):
            with io.Reader(str(path)) as file:
                assert [file.read("Time_bnds", n).tolist() for n in range(3)] == [[0, 0], [0, 0.5], [0.5, 1]]
                engines.discard(path.name.split("_")[0].removeprefix("running-"))
    assert not engines


def test_statistics_go_on_through_a_restart(made_model, made):
    said, directory = made_model("part", **{"run.restart_from": str(sorted(made.glob("restart_*"))[0])})
    assert said.returncode == 0, said.stderr
    whole, part = only(made, "statistics"), only(directory, "statistics")
    n = part.sizes["Time"]
    names = [name for name in whole.variables if name.startswith(("PSFC", "RAINNC", "T"))]
    assert {"PSFCVAR", "PSFCSTD", "RAINNCRATE", "TSUM", "TLAST", "Time_bnds"} < set(names)
    for name in names:
        np.testing.assert_array_equal(part[name].values, whole[name].values[-n:])
    np.testing.assert_array_equal(
        only(directory, "tower")["TMAX"].values[-1], only(made, "tower")["TMAX"].values[-1]
    )


def test_a_sample_of_several_steps_leaves_out_those_between(made_model):
    stream = '\n[output.{}]\ninterval = "{} s"\nframes_per_file = 100\nfields = ["T"]\n'
    methods = 'over_time = { T = "mean max last" }\nsample = "12 s"\n'.replace("{", "{{").replace("}", "}}")
    streams = stream.format("steps", 6) + stream.format("sampled", 24) + methods
    said, directory = made_model("sampled", streams=streams)
    assert said.returncode == 0, said.stderr
    steps, sampled = only(directory, "steps")["T"].values, only(directory, "sampled")
    for frame, end in enumerate((24, 48), 1):
        taken = steps[[(end - 12) // 6, end // 6]].astype(np.float64)
        np.testing.assert_allclose(sampled["TMEAN"].values[frame], taken.mean(0), rtol=1e-6, atol=1e-6)
        np.testing.assert_array_equal(sampled["TMAX"].values[frame], taken.max(0).astype(np.float32))
        np.testing.assert_array_equal(sampled["TLAST"].values[frame], steps[end // 6])
