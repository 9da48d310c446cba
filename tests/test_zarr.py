"""Stores of the engine `zarr`, opened with the tools that people have."""

import os
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

zarr = pytest.importorskip("zarr", minversion="3")

MODEL = Path(os.environ.get("SQUALL_MODEL", "build/release/model/squall-model"))
PROGRAM = MODEL.resolve().parents[1] / "io" / "tests" / "io_zarr_program"
NZ, NY, NX = 5, 11, 13

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason=f"{PROGRAM} is not built")
CODECS = ["none", "zstd", "blosc-zstd", "blosc-lz4:3"]


def temperature(frame):
    k, j, i = np.meshgrid(np.arange(NZ), np.arange(NY), np.arange(NX), indexing="ij")
    return (100000 * frame + 1000 * k + 20 * j + i + 0.25).astype("f4")


class Run:
    """A run that adds a frame when it is told to."""

    def __init__(self, path, codec):
        self.path = path
        self._process = subprocess.Popen(
            [PROGRAM, "write", path, codec], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self):
        return self

    def add(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline().strip().isdigit()

    def __exit__(self, *_):
        self._process.communicate(timeout=60)
        assert self._process.returncode == 0


def write(path, codec, frames):
    with Run(path, codec) as run:
        for _ in range(frames):
            run.add()
    return path


def read(path, field, frame):
    done = subprocess.run(
        [PROGRAM, "read", path, field, str(frame)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return np.array(done.stdout.split(), "f8")


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("consolidated", [True, False])
def test_xarray_opens_a_store_without_a_warning(tmp_path, codec, consolidated):
    path = write(tmp_path / "a.zarr", codec, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = xr.open_zarr(path, consolidated=consolidated, chunks=None).load()
    np.testing.assert_array_equal(data["T"], [temperature(0), temperature(1)])
    assert data["T"].dims == ("Time", "bottom_top", "south_north", "west_east")
    assert data["T"].dtype == "f4"
    assert data["T"].attrs["units"] == "K"
    assert [str(t) for t in data["Times"].values] == ["2000-01-01_00:00:00", "2000-01-01_01:00:00"]
    assert data["XTIME"].values[1] == np.datetime64("2000-01-01T01:00:00")
    np.testing.assert_array_equal(data["STEP"], [0, 1])
    np.testing.assert_allclose(data["HGT"][7, 3], 7.03)
    np.testing.assert_allclose(data["RAIN"], 25, atol=1e-3)
    assert np.isnan(data["MASKED"][0, 3])
    assert data["MASKED"][0, 2] == 1
    assert data.attrs["DX"] == 1000


def test_frames_appear_one_by_one_and_whole_while_the_run_goes_on(tmp_path):
    with Run(tmp_path / "a.zarr", "blosc-zstd") as run:
        for n in range(3):
            run.add()
            data = xr.open_zarr(run.path, chunks=None)
            assert data.sizes["Time"] == n + 1
            np.testing.assert_array_equal(data["T"][n], temperature(n))


def test_a_reader_that_opened_before_a_frame_came_keeps_what_it_saw(tmp_path):
    with Run(tmp_path / "a.zarr", "zstd") as run:
        run.add()
        before = xr.open_zarr(run.path, chunks=None)
        run.add()
        assert before.sizes["Time"] == 1
        np.testing.assert_array_equal(before["T"][0], temperature(0))


def test_zarr_python_notices_a_flipped_bit(tmp_path):
    path = write(tmp_path / "a.zarr", "none", 1)
    shard = next((path / "T").glob("c.0.*"))
    content = bytearray(shard.read_bytes())
    content[17] ^= 1
    shard.write_bytes(content)
    with pytest.raises(ValueError, match="checksum"):
        zarr.open_group(path, mode="r")["T"][0]


@pytest.mark.parametrize(
    ("compressor", "shards"),
    [
        (None, None),
        (zarr.codecs.ZstdCodec(level=5, checksum=True), None),
        (zarr.codecs.BloscCodec(cname="lz4hc", shuffle="bitshuffle"), (1, 8, 8)),
        (zarr.codecs.ZstdCodec(), (1, 8, 8)),
    ],
)
@pytest.mark.parametrize("kind", ["f4", "f8", "i2", "u1", "i8"])
def test_squall_reads_the_stores_of_others(tmp_path, kind, compressor, shards):
    values = np.arange(2 * 7 * 9).reshape(2, 7, 9).astype(kind)
    values[1] = 0  # a chunk of nothing but the fill value is not stored
    group = zarr.open_group(tmp_path / "b.zarr", mode="w")
    array = group.create_array(
        "v", shape=values.shape, chunks=(1, 4, 4), shards=shards, dtype=kind, compressors=compressor,
        fill_value=0, dimension_names=["time", "y", "x"],
    )  # fmt: skip
    array[:] = values
    for frame in range(2):
        np.testing.assert_array_equal(read(tmp_path / "b.zarr", "v", frame), values[frame].ravel())
