"""The examples of squall_io: built against an installed package, they write the same in every language."""

import re
import sys

import numpy as np
import pytest
import xarray as xr

from installed_io import execute, need
from squall import locate

pytestmark = pytest.mark.regression

SOURCES = locate.CHECKOUT / "example-programs" / "heat"
SETTINGS = {
    "inline": ("netcdf", "inline", 0),
    "thread": ("zarr", "thread", 0),
    "servers": ("netcdf", "servers", 1),
}


@pytest.fixture(scope="session")
def programs(prefix, tmp_path_factory):
    """The examples' commands by language."""
    build = tmp_path_factory.mktemp("examples")
    execute("cmake", "-S", SOURCES, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    execute("cmake", "--build", build)
    found = {name: [build / f"heat-{name}"] for name in ("c", "cpp", "f90")}
    return found | {"py": [sys.executable, SOURCES / "heat.py"]}


@pytest.fixture(scope="session")
def outputs(programs, prefix, tmp_path_factory):
    """The file that a language's example writes with a setting, written once."""
    folder, written = tmp_path_factory.mktemp("heat"), {}

    def output(language, setting):
        engine, placement, servers = SETTINGS[setting]
        path = folder / f"{language}-{setting}.{'zarr' if engine == 'zarr' else 'nc'}"
        if path not in written:
            execute(
                "mpirun", "-n", 3, "--oversubscribe", *programs[language], path, engine, placement, servers,
                SQUALL_IO_LIBRARY=str(next(prefix.glob("lib*/**/libsquall_io.so"))),
            )  # fmt: skip
            written[path] = True
        return path

    return output


def opened(path):
    """The file as a user sees it: without what engine zarr notes for its own reader."""
    data = xr.open_zarr(path) if path.suffix == ".zarr" else xr.open_dataset(path)
    data.attrs.pop("_squall", None)
    return data


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("language", ["cpp", "f90", "py"])
def test_every_language_writes_what_c_does(outputs, language, setting):
    need(language)
    with opened(outputs("c", "inline")) as expected, opened(outputs(language, setting)) as found:
        assert found.sizes == {"time": 5, "y": 32, "x": 48}
        assert 1 < float(found["T"][-1].max()) < 100  # it has spread
        xr.testing.assert_identical(found.load(), expected.load())
        assert [v.dtype for v in found.variables.values()] == [
            expected[name].dtype for name in found.variables
        ]


@pytest.mark.parametrize("setting", ["thread", "servers"])
def test_c_writes_the_same_in_any_placement(outputs, setting):
    with opened(outputs("c", "inline")) as expected, opened(outputs("c", setting)) as found:
        xr.testing.assert_identical(found.load(), expected.load())


def compiled(command, prefix, folder):
    """Runs a compiler's command line with pkg-config looking into the installed package, in a folder."""
    path = next(prefix.glob("lib*/**/pkgconfig"))
    execute("bash", "-c", f"cd {folder} && {command}", PKG_CONFIG_PATH=str(path))


@pytest.mark.parametrize(("language", "compiler"), [("c", "mpicc"), ("f90", "mpifort")])
def test_the_readme_says_how_to_build_without_cmake(prefix, tmp_path, language, compiler):
    need(language)
    line = re.search(rf"^    ({compiler} .*)$", (SOURCES / "README.md").read_text(), re.M).group(1)
    compiled(re.sub(r"(heat\.\w+)", rf"{SOURCES}/\1", line), prefix, tmp_path)
    assert (tmp_path / f"heat-{language}").is_file()


def test_fortran_writes_and_reads_sections_scalars_and_texts(prefix, tmp_path):
    need("f90")
    source = locate.CHECKOUT / "tests" / "fortran" / "round_trip.f90"
    line = f"mpifort {source} -o program $(pkg-config --cflags --libs squall_io_fortran)"
    compiled(line, prefix, tmp_path)
    said = execute("mpirun", "-n", 1, tmp_path / "program", tmp_path / "a.nc").stdout.splitlines()
    assert said[0].startswith('1 there is no key "engin"; did you mean "engine"? (choose one of')
    assert said[1] == "1 the array's type is none"
    assert said[2] == "s 1 55"
    assert said[3] == "xy 4 3 1"
    assert said[4:6] == ["28. 29. 34. 35. 40. 41.", "T"]
    assert said[6] == "7 abc 1.5 2.5 a title"
    assert said[7] == "1 field A: there is no frame 1, the file has 1"
    assert said[8] == "2000-01-01_01"
    assert said[9].startswith("1 the libraries were unlocked")


def test_fortran_declares_who_owns_what_and_when(prefix, tmp_path):
    need("f90")
    source = locate.CHECKOUT / "tests" / "fortran" / "declared.f90"
    compiled(f"mpifort {source} -o program $(pkg-config --cflags --libs squall_io_fortran)", prefix, tmp_path)
    said = execute("mpirun", "-n", 2, "--oversubscribe", tmp_path / "program", tmp_path / "a.nc").stdout
    assert said.splitlines() == ["takers 1", "2000-02-30 360_day", "90000"]
    with xr.open_dataset(tmp_path / "a.nc", decode_times=False, mask_and_scale=False) as data:
        assert data["T"][0].values.tolist() == [[1, 2, 3, 4, -9], [101, 102, 103, 104, -9]]
        assert data["N"].values.tolist() == [2**40]
        assert data["flag"].values.tolist() == [-127]
        assert data["flag_status"].values.tolist() == [0]
        assert data["name"].values.tolist() == ["gust front"]
        assert data["P_mean"].values.tolist() == [[350, 35]]  # of cells 2 to 5, at either level
        assert data["P_median"].values.tolist() == [51]
        assert data["time"].values.tolist() == [60.0]
        assert data["time_bnds"].values.tolist() == [[59.0, 60.0]]


def test_fortran_opens_and_closes_files_itself(prefix, tmp_path):
    need("f90")
    source = locate.CHECKOUT / "tests" / "fortran" / "client_files.f90"
    compiled(f"mpifort {source} -o program $(pkg-config --cflags --libs squall_io_fortran)", prefix, tmp_path)
    said = execute("mpirun", "-n", 1, tmp_path / "program", tmp_path / "out").stdout.splitlines()
    assert said == [
        "1 stream history: begin without a file; open one first",
        "1 stream history: closing a file, but none is open",
    ]
    for name, numbers in (("wrfout_d01", [1, 3]), ("wrfrst_d01", [4])):
        with xr.open_dataset(tmp_path / "out" / name, engine="netcdf4", decode_times=False) as data:
            assert data["A"].values.tolist() == [[number] * 4 for number in numbers]
            assert data.attrs.get("JULDAY") == (36 if len(numbers) == 2 else None)


@pytest.mark.parametrize("ranks", [1, 3])
def test_fortran_hands_on_arrays_in_any_order_and_stops_at_no_failure(prefix, tmp_path, ranks):
    need("f90")
    source = locate.CHECKOUT / "tests" / "fortran" / "legacy_arrays.f90"
    compiled(f"mpifort {source} -o program $(pkg-config --cflags --libs squall_io_fortran)", prefix, tmp_path)
    line = ("mpirun", "-n", ranks, "--oversubscribe", tmp_path / "program", tmp_path / "a.nc")
    said = execute(*line).stdout.splitlines()
    assert all(" 1 " in line for line in said if not line.startswith("read back")), said
    assert "read back 90" in said
    assert said[-1].startswith('format_time 1 "%Q"')
    z, y, x = np.meshgrid(range(1, 4), range(1, 6), range(1, 7), indexing="ij")
    with xr.open_dataset(tmp_path / "a.nc") as data:
        for name in "XZY", "ZYX":
            assert (data[name][0] == x + 10 * y + 100 * z).all()
        assert (data["FIXED"] == x + 10 * y + 100 * z).all()
        assert (data["YX"][0] == (x + 10 * y)[0]).all()
        assert data["Z"][0].values.tolist() == [1, 2, 3]
        assert data["C"].values.tolist() == [b"letters"]
        assert data["SCALAR"].values.tolist() == [2**40]
        strip = data["STRIP"][0].transpose("z", "y", "width")
        assert (strip == (x + 10 * y + 100 * z)[:, :, :2]).all()


def test_fortran_makes_fields_at_places_over_time_and_onto_levels(prefix, tmp_path):
    need("f90")
    source = locate.CHECKOUT / "tests" / "fortran" / "made.f90"
    compiled(f"mpifort {source} -o program $(pkg-config --cflags --libs squall_io_fortran)", prefix, tmp_path)
    said = execute("mpirun", "-n", 2, "--oversubscribe", tmp_path / "program", tmp_path).stdout
    assert [line.split() for line in said.splitlines()] == [
        ["most", "1111.00", "1138.00"],
        ["tower", "119.50", "438.00"],
        ["ship", "212.50"],
        ["level", "273.00", "123.00"],
        ["coarse", "117.00", "137.50"],
    ]


@pytest.mark.parametrize("program", ["squall-model", "squall-io"])
def test_installed_programs_find_their_library_from_anywhere(program, tmp_path):
    build = locate.model_binary().parents[1]
    if not (build / "cmake_install.cmake").is_file():
        pytest.skip(f"no build to install from: {build} is not there")
    execute("cmake", "--install", build, "--prefix", tmp_path / "prefix")
    moved = (tmp_path / "prefix").rename(tmp_path / "elsewhere")
    assert "Usage:" in execute(moved / "bin" / program, "--help").stdout
