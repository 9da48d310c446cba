"""Streams that make something of the fields where these lie: what holds for all kinds."""

import re

import numpy as np
import pytest
import xarray as xr

from cf_checker import minded_of
from squall import io
from squall.reader.dataset import streams

pytestmark = pytest.mark.regression


def assert_same_bits(one, other):
    raw = {"mask_and_scale": False, "decode_times": False}
    with xr.open_dataset(one, **raw) as a, xr.open_dataset(other, **raw) as b:
        assert set(a.variables) == set(b.variables)
        for name in a.variables:
            ours, theirs = a[name].values, b[name].values
            same = (ours == theirs).all() if ours.dtype == object else ours.tobytes() == theirs.tobytes()
            assert same, f"{one.name}: {name}"


def test_a_checker_of_cf_minds_nothing_in_streams_of_any_kind(made):
    files = {name: next(iter(made.glob(f"{name}_2*.nc"))) for name in streams(made)}
    assert len(files) > 20
    assert minded_of(*files.values()) == []


def test_a_file_says_its_type_of_feature_where_all_its_fields_are_of_that(made):
    """CF 1.8, section 9.4; of columns that move the checker knows one vertical coordinate."""
    types = {
        "soundings": "trajectoryProfile",
        "under_way": "trajectoryProfile",
        "decks": "trajectory",
        "flights": "trajectory",
        "tower": "timeSeriesProfile",
        "ships": None,
        "at_cells": None,
        "stations": None,
    }
    for name, wanted in types.items():
        file = next(iter(made.glob(f"{name}_2*.nc")))
        with xr.open_dataset(file, decode_times=False) as data:
            assert data.attrs.get("featureType") == wanted, name
            assert ("cf_role" in data["ITIMESTEP"].attrs) == (wanted or "").endswith("Profile"), name


@pytest.mark.filterwarnings("ignore:In a future version of xarray:FutureWarning")
def test_xarray_combines_the_files_of_any_stream_without_being_told_how(made):
    combined = set()
    for name in streams(made):
        files = sorted(made.glob(f"{name}_2*.nc"))
        if len(files) == 1:
            continue
        with xr.open_mfdataset(files) as run:
            assert run.indexes["Time"].is_monotonic_increasing, name
            assert run.sizes["Time"] == len(files), name
        combined.add(name)
    assert {"at_cells", "tower", "decks", "upper_air", "isentropes", "zonal", "coarse", "volume"} < combined


#: In files of any engine, of each kind of feature.
OF_EVERY_ENGINE = {
    "grid": 'fields = ["T", "W_UP_MAX"]',
    "series": 'fields = ["PSFC"]\nstations = "stations.csv"',
    "profiles": 'fields = ["T", "height"]\nstations = "stations.csv"',
    "tracks": 'fields = ["T"]\ntrajectories = "aircraft.csv"',
    "means": 'fields = ["T"]\naverage = "zonal"\nover_time = {{ T = "mean" }}',
}


#: What a format has of its own: how it keeps texts and what is missing, and what the runtime reads again.
OF_THE_FORMAT = {"_FillValue", "_Encoding", "_squall"}


def described(data):
    """What a file says of its variables and of itself; dimensions without letters of texts."""

    def said(attributes):
        return {k: np.asarray(v).tolist() for k, v in attributes.items() if k not in OF_THE_FORMAT}

    def dimensions(variable):
        return [d for d in variable.dims if d != "DateStrLen" and not d.startswith("string")]

    variables = {name: (dimensions(v), said(v.attrs)) for name, v in data.variables.items()}
    return variables, said(data.attrs)


def test_files_of_every_engine_say_of_themselves_what_those_say_that_the_checker_sees(made_model):
    engines = [e for e in ("netcdf", "netcdf-parallel", "pnetcdf", "zarr") if e in io.engines()]
    streams = "".join(
        f'\n[output.{kind}-{engine}]\ninterval = "30 s"\nframes_per_file = 9\nengine = "{engine}"\n{what}\n'
        for engine in engines
        for kind, what in OF_EVERY_ENGINE.items()
    )
    said, directory = made_model("engines", 2, streams)
    assert said.returncode == 0, said.stderr
    for kind in OF_EVERY_ENGINE:
        found = {}
        for engine in engines:
            [path] = directory.glob(f"{kind}-{engine}_2*")
            options = {"engine": "zarr", "consolidated": False} if engine == "zarr" else {}
            with xr.open_dataset(path, decode_cf=False, **options) as data:
                assert data.sizes["Time"] == 3
                assert "Time" in data.coords
                found[engine] = described(data)
        assert all(one == found["netcdf"] for one in found.values()), kind


#: What servers can make of cells that they are sent.
OVER_DIMENSIONS = (
    "zonal meridional coarse integrals spread columns water volume peaks quantiles medians masses areas "
    "corner basin wet"
)
AT_PLACES = "stations at_cells tower flights decks ships under_way soundings"
BY_SERVERS = {"output.servers": "1"} | {
    f"output.{stream}.reduce": "servers" for stream in f"{OVER_DIMENSIONS} {AT_PLACES}".split()
}


def test_a_plan_says_who_makes_what(made_model):
    stream = '\n[output.more]\ninterval = "30 s"\nfields = ["T", "PSFC"]\naverage = "zonal"\n'
    cells = f"{(24 * 20 * 16 + 24 * 20) * 4 / 1e3:.1f} kB per frame"
    said, _ = made_model("plan", streams=stream, plan=True)
    assert f"2 fields computed on the ranks that hold the cells, {cells}: only results" in said.stdout
    staging = r"staging \S+ \S+ per frame on each rank, (\S+) kB on each server"
    kilobytes = []
    for who in ("ranks", "servers"):
        said, _ = made_model("plan", 2, stream + f'reduce = "{who}"\n', True, **{"output.servers": "1"})
        kilobytes.append(float(re.search(staging, said.stdout.split("  more ")[1].replace("\n", " "))[1]))
    assert f"2 fields computed on the servers, which receive all cells, {cells}" in said.stdout, said.stderr
    assert kilobytes[1] - kilobytes[0] == pytest.approx((24 * 20 * 16 + 24 * 20) * 4 / 1e3, abs=0.2)


@pytest.mark.parametrize(
    ("ranks", "settings"),
    [
        (2, {"threads": 2}),
        (4, {"output.stations.placement": "inline"}),
        (3, BY_SERVERS),
    ],
)
def test_files_are_the_same_on_any_number_of_ranks_and_threads(made_model, made, ranks, settings):
    said, directory = made_model(f"ranks{ranks}", ranks, **settings)
    assert said.returncode == 0, said.stderr
    for file in sorted(made.glob("*.nc")):
        if not file.name.startswith("restart"):
            assert_same_bits(file, directory / file.name)


@pytest.mark.parametrize(
    ("stream", "says"),
    [
        ('fields = ["T"]\nstations = "nowhere.csv"', "nowhere.csv"),
        ('fields = ["T"]\ntrajectories = "nowhere.csv"', "there is no file"),
        ('fields = ["T"]\ntrajectories = "stations.csv"', "no column `time`"),
        ('fields = ["W"]\ntrajectories = "aircraft.csv"', "W is defined between the layers"),
        ('fields = ["PSFC"]\ntrajectories = "aircraft.csv"', "PSFC has no height"),
        ('fields = ["T"]\ntrajectories = "ships.csv"\nstations = "stations.csv"', "exclude each other"),
        ('fields = ["T"]\ntrajectories = "ships.csv"\nover_time = {{ T = "max" }}', "for places that move"),
        ('fields = ["T"]\nover_time = {{ T = "maen" }}', 'there is no method "maen"; did you mean "mean"?'),
        (
            'fields = ["T"]\nover_time = {{ T2 = "mean" }}',
            "the stream has no field T2; add it to `fields`",
        ),
        ('fields = ["T"]\npressure_levels = ["850 hPa"]\nheight_levels = ["1 km"]', "exclude each other"),
        ('fields = ["T"]\npressure_levels = [850]', "has no unit"),
        ('fields = ["W"]\ntheta_levels = ["320 K"]', "W is defined between the layers"),
        ('fields = ["T"]\nover_time = {{ T = "max" }}\nsample = "9 s"', "not a whole number of time steps"),
        ('fields = ["T"]\ncoarsen = 2\nregion = [0, 3, 0, 3]', "cuts the grid"),
        ('fields = ["T"]\nsample = "6 s"', "has no effect without"),
        ('fields = ["T"]\ncoarsen = 4\naverage = "zonal"', "exclude each other"),
        ('fields = ["U"]\ncoarsen = 4', "U is defined on faces, not on cells; use wind_east"),
        ('fields = ["T"]\nlonlatbox = [0, 1, 0, 1]', "in an idealised case use region"),
        ('fields = ["T"]\naverage = "zonal"\nreduce = "rank"', "choose one of: ranks, servers"),
        ('fields = ["T"]\naverage = "zonal"\nreduce = "servers"', "servers cannot compute it: the placement"),
        ('fields = ["T"]\nweight = "area"', "without output.more.average or output.more.coarsen"),
        ('fields = ["T"]\ncoarsen = 2\nstatistic = "max"\nweight = "area"', "has no effect on"),
        ('fields = ["T"]\ncoarsen = 2\nquantiles = {{ T = "0.5" }}', "0.5 0.99 of 600 bins from 0 to 60"),
        (
            'fields = ["T"]\ncoarsen = 2\nquantiles = {{ T = "1.5 of 9 bins from 0 to 1" }}',
            "is not a list of quantiles from 0 to 1",
        ),
        (
            'fields = ["T"]\ncoarsen = 2\nquantiles = {{ W = "0.5 of 9 bins from 0 to 1" }}',
            "the stream has no field W",
        ),
        ('fields = ["T"]\nquantiles = {{ T = "0.5 of 9 bins from 0 to 1" }}', "has no effect without"),
        ('fields = ["T"]\naverage = "domain"\nmask = "land"', "needs the land mask of initial.file"),
        ('fields = ["T"]\naverage = "domain"\nmask = "basin"', "needs initial.file to have basin"),
        ('fields = ["T"]\naverage = "domain"\nmask = "basin = x"', 'such as "basin = 3"'),
        ('fields = ["T"]\naverage = "domain"\nmask = "a in b c"', 'such as "basin = 3"'),
        ('fields = ["T"]\naverage = "domain"\nmask = "basin in no.nc"', "there is no file"),
        ('fields = ["T"]\naverage = "domain"\nmask = "basun in basins.nc"', 'did you mean "basin"?'),
        ('fields = ["T"]\naverage = "domain"\nmask = "basin = 9 in basins.nc"', "no cell of"),
        ('fields = ["T"]\naverage = "domain"\nmask = "short in basins.nc"', "the domain has 20 x 24 cells"),
        ('fields = ["U"]\naverage = "domain"\nregion = [0, 3, 0, 3]', "U is defined on faces, not on cells"),
        ('fields = ["T"]\nstations = "stations.csv"\nstations_outside = "leave-out"', "places_outside"),
        ('fields = ["T"]\naverage = "column"\nweight = "area"', "all cells of a column have the same"),
        ('fields = ["T"]\naverage = "column"\nregion = [0, 3, 0, 3]', "needs whole columns; remove it"),
        ('fields = ["U"]\naverage = "volume"\nweight = "mass"', "U is defined on faces, whose mass is not"),
        (
            'fields = ["T"]\naverage = "volume"\npressure_levels = ["500 hPa"]',
            "averages over model layers, which output.more.pressure_levels replaces",
        ),
        ('fields = ["T"]\nstatistic = "max"', "without output.more.average or output.more.coarsen"),
    ],
)
def test_what_cannot_be_made_is_refused_before_the_first_step(made_model, stream, says):
    said, directory = made_model("refused", streams=f'\n[output.more]\ninterval = "30 s"\n{stream}\n')
    assert said.returncode != 0
    assert says in said.stderr.replace("\n", " "), said.stderr
    assert not list(directory.glob("*.nc"))
