"""A file is what its first bytes say, whatever its name or words in it; what it is else is told, with what to
do."""

import bz2
import gzip
import io
import subprocess
import tarfile
import zipfile

import netCDF4
import numpy as np
import pytest

from analysed_columns import LAT, LON
from analytic import START, regular_grib
from squall.errors import UserError
from squall.prepare.sources import open_analysis, open_heights
from squall.prepare.sources.file_kind import kind_of
from squall.prepare.sources.piece import window_around
from squall.prepare.sources.whole_netcdf import missing_bytes

FORMATS = ("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4", "NETCDF4_CLASSIC")


def test_netcdf_that_was_made_of_grib_is_netcdf(trial):
    """Its attributes GRIB_... stand within the first bytes."""
    path = trial("01-netcdf-taken-for-grib", "new_store.nc")
    assert b"GRIB" in path.read_bytes()[:1024]
    assert kind_of(path) == "netcdf"
    assert len(open_analysis([path]).levels(open_analysis([path]).times[0])) == 8


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_of_netcdf_is_netcdf(tmp_path, form):
    with netCDF4.Dataset(tmp_path / "a.grib", "w", format=form) as file:
        file.GRIB_edition = "GRIB 2"
        file.createDimension("x", 2)
    assert kind_of(tmp_path / "a.grib") == "netcdf"


def test_hdf5_after_a_block_of_the_users_is_netcdf(tmp_path):
    with netCDF4.Dataset(tmp_path / "a.nc", "w") as file:
        file.createDimension("x", 2)
    (tmp_path / "b.nc").write_bytes(b"# a heading".ljust(512, b"\0") + (tmp_path / "a.nc").read_bytes())
    assert kind_of(tmp_path / "b.nc") == "netcdf"


def test_grib_after_the_heading_of_a_transmission_is_grib(tmp_path):
    path = regular_grib(tmp_path / "a.grib", LON[:4], LAT[:4], surface={})
    path.write_bytes(b"\x01\r\r\n001\r\r\nYTPA50 KWBC 150000\r\r\n" + path.read_bytes())
    assert kind_of(path) == "grib"
    assert open_analysis([path]).times


def test_an_archive_of_the_store_tells_what_is_in_it(trial):
    with pytest.raises(UserError, match=r"a zip archive: unpack it .*data_stream-oper_stepType-instant.nc"):
        open_analysis([trial("21-messages-that-mislead", "era5.nc")])


def test_an_empty_file_is_told_so(trial):
    with pytest.raises(UserError, match=r"empty.grib: empty, it has 0 bytes; fetch or copy it again"):
        open_analysis([trial("21-messages-that-mislead", "empty.grib")])


def archive(make):
    made = io.BytesIO()
    make(made)
    return made.getvalue()


def tar(to):
    with tarfile.open(fileobj=to, mode="w") as file:
        file.addfile(tarfile.TarInfo("a.grib2"))


def broken_zip(to):
    with zipfile.ZipFile(to, "w") as file:
        file.writestr("a.nc", b"x" * 100)
    to.truncate(60)


OTHERS = {
    "gzip": (gzip.compress(b"GRIB\0\0\0\2"), "gunzip"),
    "bzip2": (bz2.compress(b"GRIB"), "bunzip2"),
    "xz": (b"\xfd7zXZ\x00GRIB", "unxz"),
    "tar": (archive(tar), "tar xf"),
    "broken zip": (archive(broken_zip), "damaged zip archive"),
    "hdf4": (b"\x0e\x03\x13\x01\0\0\0\0", "HDF4"),
    "wgrib2's index": (b"1:0:d=2024011500:TMP:500 mb:anl:\n", "the index of a GRIB file"),
    "ecCodes's index": (b"\x07GRBIDX1\xff\xff\x0e/tmp/a.grib", "an index of GRIB files"),
    "web page": (b"\n<!DOCTYPE html><title>GRIB\0\0\0\2 service: sign in</title>", "a web page"),
    "xml": (b'<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', "XML"),
    "json": (b'{"error": "no such GRIB file"}', "JSON"),
    "git lfs": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "git lfs pull"),
    "wps": (b"\0\0\0\4\0\0\0\5\0\0\0\4", "WPS's intermediate format"),
    "cdl": (b"netcdf era5 {\ndimensions:\n", "ncgen"),
    "grads": (b"dset ^gfs.grib2\n", "DSET"),
    "bufr": (b"BUFR\0\0\0\4", "observations"),
    "zeros": (bytes(5000), "begins with zeros only"),
    "text": (b"The word GRIB stands here.\n", 'it begins "The word GRIB'),
    "bytes": (b"\xfa\xce\0\1" * 9, "begins with the bytes fa ce 00 01"),
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_a_file_is_else_is_told(tmp_path, what):
    (tmp_path / "a.grib2").write_bytes(OTHERS[what][0])
    for opens in (lambda path: open_analysis([path]), open_heights):
        with pytest.raises(UserError, match=OTHERS[what][1]):
            opens(tmp_path / "a.grib2")


def test_a_netcdf_file_that_was_cut_off_is_told_so(trial):
    with pytest.raises(
        UserError, match=r"cut.nc: cannot be opened .*; the file may be truncated: fetch it again"
    ):
        open_analysis([trial("19-prepare-tracebacks", "cut.nc")])


@pytest.mark.parametrize("form", FORMATS[:3])
@pytest.mark.parametrize("only", [True, False])
def test_a_classic_file_that_was_cut_off_holds_no_zeros(tmp_path, form, only):
    """The library reads zeros beyond its end, without a word."""
    with netCDF4.Dataset(tmp_path / "a.nc", "w", format=form) as file:
        file.setncattr("odd", np.array([1, 2, 3], "i2"))
        file.createDimension("t", None)
        file.createDimension("x", 1001)
        file.createVariable("first", "f4", ("x",))[:] = 1
        file.createVariable("t", "f8", ("t", "x"))[:] = np.ones((3, 1001))
        if not only:
            file.createVariable("other", "i2", ("t", "x"))[:] = np.ones((3, 1001))
    assert missing_bytes(tmp_path / "a.nc") == 0
    whole = (tmp_path / "a.nc").read_bytes()
    # The last value of an odd number of them is filled up to four bytes, which may be missing.
    for left in (40, len(whole) // 2, len(whole) - 4):
        (tmp_path / "b.nc").write_bytes(whole[:left])
        with pytest.raises(UserError, match=r"b.nc: truncated: at least \d+ bytes are missing"):
            open_analysis([tmp_path / "b.nc"])


def test_a_message_whose_values_cannot_be_unpacked_is_named(tmp_path):
    """Section 5 says how values are packed: here in a way that nobody knows."""
    path = regular_grib(tmp_path / "a.grib", LON, LAT)
    whole = path.read_bytes()
    at = whole.index(b"\x00\x00\x00\x15\x05")
    path.write_bytes(whole[: at + 9] + b"\x00\x63" + whole[at + 11 :])
    piece = open_analysis([path]).at(START, "temperature")[0]
    window = window_around(piece.grid, np.array([5.0]), np.array([45.0]))
    with pytest.raises(UserError, match=r"a.grib: t .* its values cannot be read: .*fetch it again"):
        piece.read(window)


def test_a_file_that_may_not_be_read_is_named(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match="no file"):
        open_analysis([tmp_path / "none.nc"])
    with pytest.raises(UserError, match="a folder, but not a run directory: name the files in it"):
        open_analysis([tmp_path / "folder"])
    (tmp_path / "folder" / ".zgroup").write_text('{"zarr_format": 2}')
    with pytest.raises(UserError, match="a Zarr store, but not the history of a run"):
        open_analysis([tmp_path / "folder"])


@pytest.mark.parametrize("name", ["cut.nc", "noleap.nc", "360_day.nc"])
def test_the_command_ends_without_a_traceback(trial, squall, name):
    done: subprocess.CompletedProcess[str] = squall(
        "prepare", trial("19-prepare-tracebacks", name), "-o", "o", "--levels", 20
    )
    assert done.returncode == (2 if name == "cut.nc" else 0), done.stderr
    assert "Traceback" not in done.stderr
