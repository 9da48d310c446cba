"""Zarr stores where mpi4py, which the output runtime's own reader needs, is not there: as where `make demo`
set Squall up."""

import json
import sys

import numpy as np
import pytest
import xarray as xr

from squall import doctor, locate
from squall.errors import UserError
from squall.reader import history_file
from squall.reader.dataset import open_run

pytestmark = pytest.mark.regression


@pytest.fixture
def without_mpi(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    history_file._has_runtime.cache_clear()
    yield
    history_file._has_runtime.cache_clear()


@pytest.fixture
def store(wrfout, tmp_path, squall):
    """What the runtime made of a history, Times and XTIME included."""
    pytest.importorskip("zarr", minversion="3")
    try:
        locate.io_binary()
        locate.io_library()
    except UserError:
        pytest.skip("the output runtime is not built (make build)")
    said = squall("convert", wrfout(tmp_path / "wrfout.nc"), tmp_path / "wrfout.zarr")
    assert said.returncode == 0, said.stderr
    return tmp_path / "wrfout.zarr"


def test_it_is_read_by_the_package_zarr(without_mpi, store, tmp_path):
    assert isinstance(history_file.open_file(store), history_file._Zarr)
    history = open_run(store)
    with xr.open_dataset(tmp_path / "wrfout.nc") as data:
        assert history["elapsed"].values.tolist() == [0.0, 10800.0]
        np.testing.assert_array_equal(history["XTIME"].values, data["XTIME"].values)
        for name in ("T2", "U", "PHB"):
            np.testing.assert_array_equal(history[name].values, data[name].values)
    with xr.open_dataset(store, engine="squall") as data:
        assert data.sizes["Time"] == 2


def test_with_mpi_the_runtime_reads_it_and_what_it_reads_is_the_same(store):
    pytest.importorskip("mpi4py")
    history = open_run(store)
    assert isinstance(history_file.open_file(store), history_file.EngineFile)
    assert history["elapsed"].values.tolist() == [0.0, 10800.0]


def test_a_store_of_others_is_read_with_its_texts(wrfout, tmp_path):
    """The runtime does not read xarray's texts: without Times such a store has no date."""
    pytest.importorskip("zarr", minversion="3")
    with xr.open_dataset(wrfout(tmp_path / "wrfout.nc", drop=("XTIME",)), decode_cf=False) as data:
        letters = data["Times"].values.astype("S1")
        texts = [b"".join(row).decode() for row in letters]
        kept = data.drop_vars("Times").load().drop_encoding()
    kept.assign(Times=("Time", np.array(texts, "T"))).to_zarr(
        tmp_path / "other.zarr", zarr_format=3, consolidated=False
    )
    assert "_squall" not in json.loads((tmp_path / "other.zarr" / "zarr.json").read_text())["attributes"]
    history = open_run(tmp_path / "other.zarr")
    assert history["elapsed"].attrs["start"] == "2005-08-28T00:00:00"
    assert history["elapsed"].values.tolist() == [0.0, 10800.0]


def test_doctor_tells_of_mpi4py():
    assert "mpi4py" in [finding.what for finding in doctor._python()]
