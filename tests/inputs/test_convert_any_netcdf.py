"""`squall convert` of whatever netCDF and Zarr people have: it keeps all of it, or says by name what it
cannot keep. What comes out is compared by the libraries netCDF4 and zarr."""

import subprocess
import warnings

import netCDF4
import numpy as np
import pytest

from squall import locate
from squall.errors import UserError

pytestmark = pytest.mark.regression

ENGINES = {".nc": "netcdf", ".zarr": "zarr"}


@pytest.fixture
def convert():
    """`squall convert`, without the time that Python takes to start: what that command starts."""
    try:
        program = locate.io_binary()
    except UserError:
        pytest.skip("the output runtime is not built (make build)")

    def run(source, output, *options):
        command = [program, "convert", "--engine", ENGINES[output.suffix], *options, "--", source, output]
        return subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=300, check=False)

    return run


def _netcdf(path):
    """All that a netCDF file holds: global attributes; of variables dimensions, attributes, values."""
    with netCDF4.Dataset(path) as data:
        data.set_auto_maskandscale(False)
        data.set_auto_chartostring(False)
        variables = {
            name: (v.dimensions, {a: v.getncattr(a) for a in v.ncattrs()}, np.asarray(v[...]))
            for name, v in data.variables.items()
        }
        return {a: data.getncattr(a) for a in data.ncattrs()}, variables


def _same(one, other, types=True):
    np.testing.assert_array_equal(np.asarray(one), np.asarray(other))  # NaN is NaN
    if types:
        assert np.asarray(one).dtype == np.asarray(other).dtype


def _keeps_type(name, value):
    """Attributes of 8 and 16 bits become such of 32, but for fill values."""
    return name == "_FillValue" or np.asarray(value).dtype not in (np.int8, np.uint8, np.int16)


def _require_same(path, other):
    (globals_, variables), (other_globals, other_variables) = _netcdf(path), _netcdf(other)
    assert globals_.keys() == other_globals.keys()
    for name, value in globals_.items():
        _same(value, other_globals[name], types=_keeps_type(name, value))
    assert list(variables) == list(other_variables)
    for name, (dims, attributes, values) in variables.items():
        other_dims, other_attributes, other_values = other_variables[name]
        assert other_dims == dims
        _same(values, other_values)
        assert attributes.keys() == other_attributes.keys()
        for key, value in attributes.items():
            _same(value, other_attributes[key], types=_keeps_type(key, value))


def _in_zarr(store):
    zarr = pytest.importorskip("zarr", minversion="3")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of texts, which Zarr has no final word about
        return {name: np.asarray(array[...]) for name, array in zarr.open_group(store, mode="r").arrays()}


def _there_and_back(convert, file):
    """To netCDF, to Zarr, and back from that: the values are the same in each."""
    folder = file.parent
    for source, output in ((file, "copy.nc"), (file, "copy.zarr"), (folder / "copy.zarr", "back.nc")):
        said = convert(source, folder / output)
        assert said.returncode == 0, said.stderr
    _require_same(file, folder / "copy.nc")
    _require_same(file, folder / "back.nc")
    return _in_zarr(folder / "copy.zarr")


def _refused(convert, file, *words):
    for output in ("o.nc", "o.zarr"):
        said = convert(file, file.parent / output)
        assert said.returncode == 2, said.stdout
        assert str(file) in said.stderr
        for word in words:
            assert word in said.stderr
        assert not (file.parent / output).exists()


@pytest.mark.parametrize("name", ["nan_fill", "fixed_time", "no_record", "fixed_lower", "record_last"])
def test_what_others_write_is_kept(trial, convert, tmp_path, name):
    file = tmp_path / "in.nc"
    file.write_bytes(trial("12-convert-any-netcdf", f"{name}.nc").read_bytes())
    stored = _there_and_back(convert, file)
    _same(stored["T"], _netcdf(file)[1]["T"][2])
    with netCDF4.Dataset(tmp_path / "back.nc") as data, netCDF4.Dataset(file) as before:
        assert {n: d.size for n, d in data.dimensions.items()} == {
            n: d.size for n, d in before.dimensions.items()
        }


def test_unsigned_64_bit_integers_are_refused_by_name(trial, convert, tmp_path):
    file = tmp_path / "in.nc"
    file.write_bytes(trial("12-convert-any-netcdf", "uint64.nc").read_bytes())
    _refused(convert, file, "field n, of unsigned 64-bit integers")


def test_texts_of_variable_length_are_refused_by_name_and_what_is_chosen_is_kept(trial, convert, tmp_path):
    file = tmp_path / "in.nc"
    file.write_bytes(trial("12-convert-any-netcdf", "strings.nc").read_bytes())
    _refused(convert, file, "field name, of strings of variable length", "attribute T:list")


@pytest.mark.parametrize("form", ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4"])
def test_all_types_scalars_and_attributes_come_back(convert, tmp_path, form):
    file = tmp_path / "in.nc"
    old = form in ("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET")
    with netCDF4.Dataset(file, "w", format=form) as data:
        data.createDimension("Time", None)
        data.createDimension("y", 2)
        data.createDimension("x", 3)
        data.createDimension("letters", 5)
        data.createDimension("unused", 7)
        data.setncatts(
            {"TITLE": "ü", "empty": "", "f": np.float32(0.1), "d": 0.1, "whole": 5.0, "nan": np.nan}
        )
        data.setncatts({"many": np.arange(3, dtype="i4"), "nans": np.array([np.nan, np.inf, -np.inf], "f4")})
        if not old:
            data.setncatts({"large": np.int64(2**62 + 1), "larges": np.array([-(2**63), 2**53 + 1], "i8")})
        for n in range(200):
            data.setncattr(f"attribute_{n}", np.int32(n))
        for kind in ("f4", "f8", "i2", "i4", "i1", *(() if old else ("u1", "i8"))):
            v = data.createVariable(f"v_{kind}", kind, ("Time", "y", "x"), fill_value=np.array(7, kind))
            low, high = (-3e30, 3e30) if kind[0] == "f" else (np.iinfo(kind).min, np.iinfo(kind).max)
            v.set_auto_maskandscale(False)
            v.setncatts(
                {"scale_factor": 0.25, "add_offset": np.float32(3), "valid_range": np.array([1, 2], kind)}
            )
            v[0:2] = np.array([low, high, 0, 1, 2, 3] * 2, kind).reshape(2, 2, 3)
            data.createVariable(f"fixed_{kind}", kind, ("y", "x"))[:] = np.arange(6).reshape(2, 3)
            data.createVariable(f"scalar_{kind}", kind, ())[...] = 5
        letters = netCDF4.stringtochar(np.array(["ab", "cde"], "S5"))
        data.createVariable("text", "S1", ("Time", "letters"))[0:2] = letters
        data["text"].setncattr("_Encoding", "utf-8")  # as xarray's
        data.createVariable("letter", "S1", ())[...] = "x"
        data.createVariable("Time", "f8", ("Time",))[0:2] = [0.0, 1.0]
    stored = _there_and_back(convert, file)
    for name, (_, _, values) in _netcdf(file)[1].items():
        if values.dtype.kind != "S":
            _same(stored[name], values)
    assert stored["text"].tolist() == ["ab", "cde"]


@pytest.mark.parametrize("kind", ["u2", "u4"])
def test_types_that_squall_does_not_write_become_larger_ones(convert, tmp_path, kind):
    file = tmp_path / "in.nc"
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("x", 2)
        data.createVariable("n", kind, ("x",))[:] = [0, np.iinfo(kind).max - 1]
        data.setncattr("n", np.array(np.iinfo(kind).max, kind))
    assert convert(file, tmp_path / "o.nc").returncode == 0
    (attributes, variables), (before, _) = _netcdf(tmp_path / "o.nc"), _netcdf(file)
    assert variables["n"][2].tolist() == [0, np.iinfo(kind).max - 1]
    assert int(attributes["n"]) == int(before["n"])


def test_the_least_fill_value_of_64_bits_is_not_rounded(convert, tmp_path):
    file = tmp_path / "in.nc"
    fill = np.int64(-(2**63) + 2)
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("x", 2)
        data.createVariable("n", "i8", ("x",), fill_value=fill)[:] = [1, 2**53 + 1]
    _there_and_back(convert, file)


def test_big_endian_fields_and_filters_are_read(convert, tmp_path):
    file = tmp_path / "in.nc"
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("x", 1000)
        data.createVariable("a", ">f4", ("x",), endian="big")[:] = np.arange(1000)
        data.createVariable("b", "i4", ("x",), zlib=True, shuffle=True, fletcher32=True)[:] = np.arange(1000)
    said = convert(file, tmp_path / "o.zarr")
    assert said.returncode == 0, said.stderr
    stored = _in_zarr(tmp_path / "o.zarr")
    for name in ("a", "b"):
        assert stored[name].tolist() == list(range(1000))


def test_several_unlimited_dimensions(convert, tmp_path):
    file = tmp_path / "in.nc"
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("Time", None)
        data.createDimension("z", None)
        data.createVariable("T", "f4", ("Time", "z"))[:] = np.arange(6.0).reshape(2, 3)
        data.createVariable("h", "f4", ("z",))[:] = np.arange(3.0)
    _there_and_back(convert, file)


def test_what_has_no_points_is_refused_by_name(convert, tmp_path):
    file = tmp_path / "in.nc"
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("Time", None)
        data.createDimension("none", None)
        data.createVariable("T", "f4", ("Time", "none"))
        data.createVariable("t", "f4", ("Time",))[0:2] = 1
    said = convert(file, tmp_path / "o.zarr")
    assert said.returncode == 2
    assert "none" in said.stderr


def test_a_file_without_frames_yet_keeps_what_is_fixed(convert, tmp_path):
    file = tmp_path / "in.nc"
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("Time", None)
        data.createDimension("x", 3)
        data.createVariable("T", "f4", ("Time", "x"))
        data.createVariable("x", "f4", ("x",))[:] = [1, 2, 3]
    _there_and_back(convert, file)


def _with_group(data):
    data.createGroup("forecast").createDimension("x", 1)


def _with_compound(data):
    data.createDimension("x", 1)
    kind = data.createCompoundType(np.dtype([("a", "f4"), ("b", "i4")]), "pair")
    data.createVariable("c", kind, ("x",))


def _with_vlen(data):
    data.createDimension("x", 1)
    data.createVariable("v", data.createVLType("i4", "ragged"), ("x",))


def _with_enum(data):
    data.createDimension("x", 1)
    data.createVariable("e", data.createEnumType("i1", "colour", {"red": 0, "blue": 1}), ("x",), fill_value=0)


def _with_large_attribute(data):
    data.setncattr("u", np.uint64(2**63 + 1))


@pytest.mark.parametrize(
    ("add", "words"),
    [
        (_with_group, "the group forecast"),
        (_with_compound, "field c, of the compound type pair"),
        (_with_vlen, "field v, of the variable-length type ragged"),
        (_with_enum, "field e, of the enumerated type colour"),
        (_with_large_attribute, "attribute u, of unsigned 64-bit integers"),
    ],
    ids=["group", "compound", "vlen", "enum", "attribute"],
)
def test_what_squall_does_not_have_is_refused_by_name(convert, tmp_path, add, words):
    file = tmp_path / "in.nc"
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("y", 1)
        data.createVariable("T", "f4", ("y",))[:] = 1
        add(data)
    _refused(convert, file, words)
    if add is not _with_large_attribute:
        assert convert(file, tmp_path / "t.nc", "--fields", "T").returncode == 0


@pytest.mark.parametrize("name", ["a b", "µ", "T+", "T.2", "c", "temp(K)", "2m"])
def test_names_may_be_odd(convert, tmp_path, name):
    file = tmp_path / "in.nc"
    with netCDF4.Dataset(file, "w") as data:
        data.createDimension("Time", None)
        data.createDimension(f"d{name}", 3)
        data.createVariable(name, "f4", ("Time", f"d{name}"))[0] = [1, 2, 3]
    _there_and_back(convert, file)


def test_text_that_is_not_utf_8_is_kept_in_netcdf_and_named_for_zarr(convert, tmp_path):
    file = tmp_path / "in.nc"
    with netCDF4.Dataset(file, "w", format="NETCDF3_CLASSIC") as data:
        data.createDimension("x", 1)
        data.createVariable("T", "f4", ("x",))[:] = 1
        data.TITLE = "caf\u00e9 xx"
    raw = file.read_bytes()
    assert b"caf\xc3\xa9 xx" in raw
    file.write_bytes(raw.replace(b"caf\xc3\xa9 xx", b"caf\xe9 xxx"))
    assert convert(file, tmp_path / "o.nc").returncode == 0
    assert b"caf\xe9 xxx" in (tmp_path / "o.nc").read_bytes()
    said = convert(file, tmp_path / "o.zarr")
    assert said.returncode == 2
    assert "attribute TITLE: its text is not UTF-8" in said.stderr


def test_zarr_of_others_is_kept_or_refused_by_name(convert, tmp_path):
    zarr = pytest.importorskip("zarr", minversion="3")
    group = zarr.open_group(tmp_path / "in.zarr", mode="w", zarr_format=3)
    group.create_array("T", data=np.arange(6.0).reshape(2, 3), dimension_names=("y", "x"))
    assert convert(tmp_path / "in.zarr", tmp_path / "t.nc").returncode == 0
    assert _netcdf(tmp_path / "t.nc")[1]["T"][2].tolist() == [[0, 1, 2], [3, 4, 5]]
    group.create_array("n", data=np.array([2**63 + 1], "u8"), dimension_names=("n",))
    group.create_array("b", data=np.array([True]), dimension_names=("n",))
    group.create_group("inner")
    group.attrs["list"] = ["a", "b"]
    _refused(
        convert, tmp_path / "in.zarr", "field n, of unsigned 64-bit integers", "field b, of type bool",
        "the group inner", "attribute list",
    )  # fmt: skip
