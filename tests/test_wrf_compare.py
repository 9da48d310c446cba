"""`squall wrf compare`: what counts as the same, what is told of what differs, and its exit codes."""

import netCDF4
import numpy as np
import pytest

from growing_run import GrowingRun, needs
from squall import differing
from squall.differing import pieces
from squall.errors import UserError
from squall.wrf_output.compare import compare

FORMATS = ("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4_CLASSIC", "NETCDF4")
T = np.arange(24, dtype="f4").reshape(2, 3, 4)


def write(path, kind="NETCDF3_64BIT_DATA", change=lambda data: None, names=("Times", "T", "N")):
    """A small history; `change` alters it."""
    with netCDF4.Dataset(path, "w", format=kind) as data:
        for name, size in {"Time": None, "DateStrLen": 19, "y": 3, "x": 4}.items():
            data.createDimension(name, size)
        data.setncatts({"TITLE": "OUTPUT FROM WRF", "DX": np.float32(3000), "LEVELS": np.int32([1, 2])})
        dims = {"Times": ("S1", "Time DateStrLen"), "T": ("f4", "Time y x"), "N": ("i4", "x")}
        for name in names:
            data.createVariable(name, dims[name][0], dims[name][1].split())
        data["T"].units = "K"
        data["T"][:] = T
        data["N"][:] = [1, 2, 3, 4]
        for frame in range(2):
            data["Times"][frame] = np.frombuffer(b"2005-01-01_0%d:00:00" % frame, "S1")
        change(data)
    return path


@pytest.fixture
def pair(tmp_path):
    def made(change, kind="NETCDF3_64BIT_DATA", **ignored):
        other = write(tmp_path / "b.nc", kind, change)
        return compare(write(tmp_path / "a.nc", kind), other, **ignored)

    return made


@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_the_same_is_so_in_every_kind_of_netcdf(tmp_path, kind):
    found = compare(write(tmp_path / "a.nc", FORMATS[0]), write(tmp_path / "b.nc", kind))
    assert found.same, found.lines(True)
    assert found.lines(False)[0].startswith("Equal, bit for bit")


def put(name, value):
    return lambda data: data.variables[name].__setitem__(..., value)


def changed(index, value):
    def change(data):
        data["T"][index] = value

    return change


def test_nans_are_the_same_by_their_bits(tmp_path):
    quiet, other = (np.array([bits], "u4").view("f4")[0] for bits in (0x7FC00000, 0x7FC00001))
    a = write(tmp_path / "a.nc", change=changed((0, 0, 0), quiet))
    same = write(tmp_path / "same.nc", change=changed((0, 0, 0), quiet))
    unlike = write(tmp_path / "unlike.nc", change=changed((0, 0, 0), other))
    assert compare(a, same).same
    told = "\n".join(compare(a, unlike).lines(False))
    assert "nan (0x7fc00000)" in told
    assert "nan (0x7fc00001)" in told


def test_zeros_of_two_signs_differ(tmp_path):
    a = write(tmp_path / "a.nc", change=changed((0, 0, 0), 0.0))
    b = write(tmp_path / "b.nc", change=changed((0, 0, 0), -0.0))
    told = compare(a, b).lines(False)
    assert "values of T: 1 of 24 differ, the first at [Time=0, y=0, x=0]" in told
    assert "    B: -0.0" in told


@pytest.mark.parametrize("piece", [4, 20, 60, 1 << 20])
def test_the_first_difference_and_the_largest_are_told_however_it_is_read(pair, monkeypatch, piece):
    monkeypatch.setattr(differing, "PIECE", piece)

    def change(data):
        data["T"][0, 2, 1] = 9.5  # was 9
        data["T"][1, 1, 3] = 117.0  # was 19
        data["T"][1, 2, 0] = np.nan

    told = pair(change).lines(False)
    at = told.index("values of T: 3 of 24 differ, the first at [Time=0, y=2, x=1]")
    assert told[at + 1 : at + 4] == [
        "    A: 9.0",
        "    B: 9.5",
        "    largest difference: 98 at [Time=1, y=1, x=3]",
    ]


def test_letters_that_differ_are_shown_with_their_text(pair):
    def change(data):
        data["Times"][1] = np.frombuffer(b"2005-01-01_06:00:00", "S1")

    told = pair(change).lines(False)
    assert '    A: "2005-01-01_01:00:00"' in told
    assert '    B: "2005-01-01_06:00:00"' in told


def test_attributes_count_with_their_types(pair):
    def change(data):
        data.DX = np.float64(3000)
        data.LEVELS = np.int32([1, 3])
        data["T"].units = "degrees"
        data["T"].description = "new"

    found = pair(change)
    told = found.lines(True)
    assert len(found.differences) == 4
    assert told[told.index("global attribute DX") + 1 :][:2] == [
        "    A: 3000.0 (float)",
        "    B: 3000.0 (double)",
    ]
    assert told[told.index("T:description") + 1 :][:2] == ["    A: none", '    B: "new" (char)']
    first = found.lines(False)
    assert "T:units" not in first
    assert first[-1] == (
        "Others that differ: 1 global attribute, 2 attributes of variables. --all lists them."
    )


def test_characters_after_a_zero_and_texts_for_characters_are_seen(pair):
    def tail(data):
        data["T"].units = "K\0x"

    assert not pair(tail).same

    def text(data):
        data.setncattr_string("TITLE", "OUTPUT FROM WRF")

    assert '    B: "OUTPUT FROM WRF" (string)' in pair(text, "NETCDF4").lines(True)


def test_an_attribute_can_be_ignored_everywhere(pair):
    def change(data):
        data.TITLE = "another"
        data["T"].TITLE = "new"

    assert not pair(change).same
    assert pair(change, ignored=["TITLE"]).same


def test_dimensions_and_variables_that_one_file_lacks_are_told(tmp_path):
    a = write(tmp_path / "a.nc")

    def change(data):
        data.createDimension("z", 5)
        data.createVariable("W", "f8", ("z",))

    told = compare(a, write(tmp_path / "b.nc", change=change)).lines(True)
    assert told[told.index("dimension z") + 1 :][:2] == ["    A: none", "    B: 5"]
    assert told[told.index("variable W") + 1 :][:2] == ["    A: none", "    B: double (z)"]


def test_a_dimension_that_is_no_longer_unlimited_and_more_frames_differ(tmp_path):
    a = write(tmp_path / "a.nc")
    b = write(tmp_path / "b.nc", change=lambda data: data["T"].__setitem__(2, 0))
    told = compare(a, b).lines(True)
    assert told[told.index("dimension Time") + 1 :][:2] == ["    A: 2, unlimited", "    B: 3, unlimited"]
    assert "    its values were not compared" in told


def test_the_order_of_variables_is_told_and_does_not_count(tmp_path):
    a, b = write(tmp_path / "a.nc"), write(tmp_path / "b.nc", names=("N", "T", "Times"))
    found = compare(a, b)
    assert found.same
    assert "order" in found.lines(False)[-1]


def test_groups_belong_to_a_file(tmp_path):
    def change(data):
        data.createGroup("inner").createVariable("V", "f4", ("x",))[:] = 1

    a, b = write(tmp_path / "a.nc", "NETCDF4"), write(tmp_path / "b.nc", "NETCDF4", change)
    assert "variable inner/V" in compare(a, b).lines(True)


@pytest.mark.parametrize("shape", [(), (7,), (0, 4), (2, 3, 4), (5, 1, 9)])
@pytest.mark.parametrize("piece", [8, 40, 100, 4000])
def test_pieces_cover_a_variable_once_and_stay_small(monkeypatch, shape, piece):
    monkeypatch.setattr(differing, "PIECE", piece)
    seen = np.zeros(shape, int)
    for start, count in pieces(shape, 8):
        box = seen[tuple(slice(s, s + n) for s, n in zip(start, count, strict=True)) or ...]
        box += 1
        assert box.size * 8 <= max(piece, 8)
    assert np.all(seen == 1)


def test_nothing_and_what_is_no_data_are_refused(tmp_path):
    a = write(tmp_path / "a.nc")
    (tmp_path / "text").write_text("no data")
    (tmp_path / "folder").mkdir()
    for name, said in {"gone": "no file", "text": "cannot be read", "folder": "holds frames"}.items():
        with pytest.raises(UserError, match=said):
            compare(a, tmp_path / name)


@pytest.mark.regression
def test_it_exits_with_0_1_and_2(squall, tmp_path):
    write(tmp_path / "a.nc")
    write(tmp_path / "b.nc", "NETCDF4")
    write(tmp_path / "c.nc", change=changed((0, 0, 0), 5))
    assert squall("wrf", "compare", "a.nc", "b.nc").returncode == 0
    unlike = squall("wrf", "compare", "a.nc", "c.nc")
    assert unlike.returncode == 1
    assert unlike.stderr == ""
    gone = squall("wrf", "compare", "a.nc", "gone.nc")
    assert gone.returncode == 2
    assert "There is no file gone.nc" in gone.stderr


@pytest.mark.regression
@pytest.mark.parametrize("engine", ["zarr", "netcdf-split"])
def test_an_engine_s_directory_lacks_nothing_of_the_file(squall, tmp_path, engine):
    needs(engine)
    for name, kind in {"file": "netcdf", "other": engine}.items():
        with GrowingRun(tmp_path / name, kind, 2) as run:
            run.add()
            run.add()
    files = [next((tmp_path / name).glob("history_*[0-9]")) for name in ("file", "other")]
    same = squall("wrf", "compare", *files)
    assert same.returncode == 0, same.stdout + same.stderr
    with netCDF4.Dataset(files[0], "a") as data:
        data["T"][1, 2, 5, 7] += 1
        data["HGT"].units = "km"
    told = squall("wrf", "compare", *files, "--all").stdout
    assert (
        "values of T: 1 of 288 differ, the first at [Time=1, bottom_top=2, south_north=5, west_east=7]"
        in told
    )
    assert "HGT:units" in told
