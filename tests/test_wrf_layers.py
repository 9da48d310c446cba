"""WRF's I/O layers as Squall answers them: calls recorded from WRF make the files that WRF would make.

tests/fortran/wrf_calls.f90 calls a layer as WRF did (tests/data/wrf_calls.txt), with values that say where a
point is.
"""

import json
import os
import shutil
import signal
import subprocess
import time

import netCDF4
import numpy as np
import pytest

from recorded_calls import (
    CALLS,
    READ,
    WRITTEN,
    Expected,
    assert_file_is,
    input_file,
    reads_of_what_was_written,
)
from squall import io, locate
from squall.errors import UserError
from squall.wrf_output import compare

pytestmark = pytest.mark.regression

SOURCE = locate.CHECKOUT / "tests" / "fortran" / "wrf_calls.f90"
ENGINE = {"pnc": "pnetcdf", "adios2": "adios", "ncd": "netcdf"}
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_io": "^ompio",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
}


@pytest.fixture(scope="module")
def drivers(tmp_path_factory):
    """The program that calls a layer, by the layer's name."""
    if not shutil.which("mpifort"):
        pytest.skip("mpifort is not here: tools/bootstrap")
    try:
        library = locate.wrf_library()
    except UserError as error:  # built without Fortran
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("drivers")
    made = {}
    for layer in ENGINE:
        source = SOURCE.read_text()
        for of_field in ("FIELD_COMMUNICATORS", "COMMUNICATORS"):
            comm = (
                "comm, iocomm," if of_field.startswith("FIELD") else "MPI_COMM_WORLD, MPI_COMM_WORLD,"
            ) * (layer != "adios2")
            source = source.replace(of_field, comm)
        source = source.replace("HISTORY ", "'HISTORY', " if layer == "adios2" else "").replace(
            "LAYER", layer
        )
        (folder / f"{layer}.f90").write_text(source)
        made[layer] = folder / layer
        command = [
            "mpifort",
            "-w",
            "-fallow-argument-mismatch",
            "-ffree-line-length-none",
            f"{layer}.f90",
            "-o",
            layer,
        ]
        command += [
            f"-L{library.parent}",
            "-lsquall_wrf",
            f"-Wl,-rpath,{library.parent}",
            "-Wl,--allow-shlib-undefined",
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return made


def need(layer, *engines):
    for engine in (ENGINE[layer], *engines):
        if engine not in io.engines():
            pytest.skip(f"no engine {engine} in this build")


def call(program, lines, folder, ranks=4, settings="", check=True):
    """Runs the calls in a folder; returns the finished process."""
    (folder / "calls.txt").write_text("\n".join(lines) + "\n")
    if settings:
        (folder / "squall_io.toml").write_text(settings)
    command = ["mpirun", "-n", str(ranks), str(program), "calls.txt"]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | ENVIRONMENT, capture_output=True, text=True, timeout=300
    )
    if check:
        assert "wrong: 0" in done.stdout, done.stdout + done.stderr
        assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def folder(tmp_path):
    for name in READ:
        input_file(tmp_path / name, CALLS)
    return tmp_path


def made(folder, name):
    """The file that a layer made under the name that WRF gave it."""
    exact = folder / name
    return exact if exact.exists() else folder / name.replace(":", "_")


@pytest.mark.parametrize("layer", ["pnc", "ncd"])
def test_calls_of_wrf_make_the_files_that_wrf_makes(drivers, folder, layer):
    need(layer)
    call(drivers[layer], CALLS, folder)
    for name in WRITTEN:
        assert_file_is(made(folder, name), Expected(CALLS, name))
    assert not list(folder.glob("*.part"))


@pytest.fixture(scope="module")
def reference(drivers, tmp_path_factory):
    """The folder of a run through layer pnc, whose files are WRF's."""
    need("pnc")
    folder = tmp_path_factory.mktemp("reference")
    for name in READ:
        input_file(folder / name, CALLS)
    call(drivers["pnc"], CALLS, folder)
    return folder


def assert_equal_files(reference, folder, ignored=()):
    for name in WRITTEN:
        found = compare.compare(made(reference, name), made(folder, name), ignored)
        assert not found.differences, found.differences[:3]


SERVERS = "servers = 2\ngroups = 2\n"
ZARR = '[streams.history]\nengine = "zarr"\n[streams.restart]\nengine = "netcdf-split"\n'


@pytest.mark.parametrize(
    ("layer", "ranks", "settings"),
    [
        ("adios2", 4, ""),
        ("pnc", 6, SERVERS),
        ("pnc", 6, SERVERS + ZARR),
        ("pnc", 4, ZARR + '[streams.all]\nplacement = "inline"\n'),
        ("ncd", 1, ZARR),
    ],
    ids=["adios2", "servers", "servers-zarr-split", "inline-zarr-split", "ncd-zarr-split"],
)
def test_engines_and_placements_make_the_same_files(drivers, folder, reference, layer, ranks, settings):
    need(layer, *(("zarr", "netcdf-split") if "zarr" in settings else ()))
    call(drivers[layer], CALLS, folder, ranks, settings)
    # WRF's empty texts are one zero, which ADIOS2 takes for the end of the text.
    assert_equal_files(reference, folder, {"stagger", "units"} if layer == "adios2" else ())


@pytest.mark.parametrize(("layer", "settings"), [("pnc", ""), ("pnc", ZARR), ("adios2", ""), ("ncd", "")])
def test_a_restart_file_is_read_back_whatever_wrote_it(drivers, folder, layer, settings):
    need(layer, *(("zarr", "netcdf-split") if settings else ()))
    call(drivers[layer], CALLS, folder, settings=settings)
    restart = next(name for name in WRITTEN if "rst" in name)
    lines = reads_of_what_was_written(CALLS, restart)
    assert len(lines) > 20
    call(drivers[layer], lines, folder)


ODD = """
open_write 1 'odd_2008-02-05_12:00:00' 'DATASET=AUXHIST7,GRIDID=1{size}'
state 1 101
put_numbers 1 'SOME' '' '' 106 3 1 2 3 0
put_numbers 1 'SOME' '' '' 106 2 4 5 0
put_text 1 'EMPTY' '' '' '' 0
put_text 1 'THISBDYTIME' '2008-02-05_12:00:00' '' '2008-02-05_12:00:00' 0
write 1 '2008-02-05_12:00:00' 'D' 105 'ZYX' 'k' 'j' 'i' 1 1 1 3 4 5 {d} 0
write 1 '2008-02-05_12:00:00' 'L' 107 'YX' 'j' 'i' '' 1 1 1 4 5 1 {l} 0
write 1 '2008-02-05_12:00:00' 'L' 107 'YX' 'j' 'i' '' 1 1 1 4 5 1 {l} -12
write 1 '2008-02-05_12:00:00' 'M' 107 'YX' 'j' 'i' '' 1 1 1 9 5 1 {l} -20
write 1 '2008-02-05_12:00:00' 'N' 104 'QX' 'j' 'i' '' 1 1 1 4 5 1 {l} -19
write 1 '2008-02-05_12:00:00' 'O' 108 'YX' 'j' 'i' '' 1 1 1 4 5 1 {l} -1016
put_text 1 'units' '' 'nothing' 'm' -5
commit_write 1
state 1 102
put_text 1 'units' '' 'D' 'm' -1011
put_numbers 1 'SOME' '' '' 106 2 6 7 0
put_numbers 1 'LATE' '' '' 106 1 8 0
put_text 1 'THISBDYTIME' '2008-02-05_12:00:00' '' '2008-02-05_12:00:00' 0
write 1 '2008-02-05_12:00:00' 'D' 105 'ZYX' 'k' 'j' 'i' 1 1 1 3 4 5 {d} 0
write 1 '2008-02-05_12:00:00' 'nothing' 105 'ZYX' 'k' 'j' 'i' 1 1 1 3 4 5 {d} -5
write 1 '2008-02-05 12:00' 'L' 107 'YX' 'j' 'i' '' 1 1 1 4 5 1 {l} -1017
write 1 '2008-02-05_12:00:00' 'L' 107 'YX' 'j' 'i' '' 1 1 1 5 5 1 {l} -15
write 1 '2008-02-05_12:00:00' 'L' 107 'YX' 'j' 'i' '' 1 1 1 4 5 1 {l} 0
write 1 '2008-02-05_12:00:00' 'L' 107 'YX' 'j' 'i' '' 1 1 1 4 5 1 {l} -12
close 1
close 1 -14
open_read 2 'odd_2008-02-05_12:00:00' 0
get_text 2 'THISBDYTIME' '2008-02-05_12:00:00' '' '2008-02-05_12:00:00' 0
get_text 2 'THISBDYTIME' '2008-02-06_12:00:00' '' '' -3
get_text 2 'NOTHING' '' '' '' -2
get_numbers 2 'SOME' '' '' 106 2 0
get_numbers 2 'SOME' '' '' 104 2 -6
read 2 '2008-02-05_12:00:00' 'L' 107 'YX' '' '' '' 1 1 1 4 5 1 {l} 0
read 2 '2008-02-05_12:00:00' 'D' 105 'ZYX' '' '' '' 1 1 1 3 4 5 {d} 0
read 2 '2008-02-05_12:00:00' 'D' 106 'ZYX' '' '' '' 1 1 1 3 4 5 {d} -6
read 2 '2008-02-05_12:00:00' 'D' 105 'YX' '' '' '' 1 1 1 4 5 1 {l} -1004
read 2 '2008-02-05_13:00:00' 'D' 105 'ZYX' '' '' '' 1 1 1 3 4 5 {d} -3
step_time 2 1 '2008-02-05_12:00:00' 0
step_time 2 1 '' -4
step_time 2 -1 '2008-02-05_12:00:00' 0
step_time 2 1 '2008-02-05_12:00:00' 0
read 2 '2008-02-05_12:00:00' 'nothing' 105 'ZYX' '' '' '' 1 1 1 3 4 5 {d} -5
close 2
open_read 3 'no_such_file' -1021
"""


def odd_calls(size=""):
    """On two ranks, of which the second has no points; with halos."""
    d = " ".join(["0 0 -1 4 5 7 1 1 1 3 4 5", "0 0 -1 4 5 7 1 1 1 0 0 0"] * 2)
    rest = " ".join(["0 -1 1 5 7 1 1 1 1 4 5 1", "0 -1 1 5 7 1 1 1 1 0 0 1"] * 2)
    return [line for line in ODD.format(size=size, d=d, l=rest).splitlines() if line]


def test_every_status_is_the_one_that_wrf_knows(drivers, tmp_path):
    need("pnc")
    call(drivers["pnc"], odd_calls(), tmp_path, 2)
    with netCDF4.Dataset(tmp_path / "odd_2008-02-05_12_00_00") as data:
        assert data["D"].dimensions == ("Time", "k", "j", "i")
        assert data["D"].MemoryOrder == "XYZ"
        assert list(data.SOME) == [6, 7]  # said again after the training pass
        assert data.LATE == 8
        assert set(np.unique(data["L"][:])) == {0, 1}
        assert data["D"].dtype == "f8"


def test_a_model_in_double_precision_writes_single_where_wrf_says_so(drivers, tmp_path):
    need("pnc")
    lines = odd_calls(",REAL_OUTPUT_SIZE=4")
    del lines[lines.index("close 1") :]
    call(drivers["pnc"], [*lines, "close 1"], tmp_path, 2)
    with netCDF4.Dataset(tmp_path / "odd_2008-02-05_12_00_00") as data:
        assert data["D"].dtype == "f4"
        assert data["D"].FieldType == 104


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[streams.histroy]\n", 'squall_io.toml, line 1: there is no key "histroy"; did you mean "history"?'),
        (
            '\n[streams.all]\nplacment = "thread"\n',
            'line 3: there is no key "placment"; did you mean "placement"?',
        ),
        ('staging_limit = "lots"\n', 'line 1: "lots" is not a size; write bytes, or a number with k, M or G'),
        ("servers = 'two'\n", 'line 1: servers is "two"; it must be a whole number'),
        ("servers = 4\n", "servers"),
        ("streams = 3\n", "line 1: streams must be a table"),
        ("[streams.all\n", "line 1"),
        ('[streams.restart]\nengine = "netcfd"\n', "stream wrfrst_d01"),
    ],
)
def test_wrong_settings_end_the_run_and_say_where(drivers, folder, settings, said):
    need("pnc")
    done = call(drivers["pnc"], CALLS, folder, settings=settings, check=False)
    assert done.returncode != 0
    assert said in done.stderr, done.stderr


def test_a_file_that_cannot_be_written_ends_the_run_and_is_named(drivers, folder):
    need("pnc")
    (folder / "taken").write_text("a file where a directory must be")
    settings = '[streams.restart]\ndirectory = "taken"\n'
    done = call(drivers["pnc"], CALLS, folder, settings=settings, check=False)
    assert done.returncode != 0
    assert "stream wrfrst_d01" in done.stderr
    assert "taken" in done.stderr
    name = WRITTEN[0]  # published before
    assert_file_is(made(folder, name), Expected(CALLS, name))


def test_a_stream_that_may_lose_frames_does_not_end_the_run(drivers, folder):
    need("pnc")
    (folder / "taken").write_text("a file where a directory must be")
    settings = '[streams.restart]\ndirectory = "taken"\non_error = "continue"\n'
    call(drivers["pnc"], CALLS, folder, settings=settings)
    for name in WRITTEN[:2]:
        assert_file_is(made(folder, name), Expected(CALLS, name))


@pytest.mark.parametrize(
    ("layer", "settings"),
    [("pnc", ""), ("pnc", SERVERS), ("ncd", "")],
    ids=["thread", "servers", "ncd"],
)
def test_a_program_that_ends_mpi_alone_leaves_whole_files(drivers, folder, layer, settings):
    """As real.exe, which does not end the layers."""
    need(layer)
    call(drivers[layer], [*CALLS, "leave"], folder, 6 if settings else 4, settings)
    for name in WRITTEN:
        assert_file_is(made(folder, name), Expected(CALLS, name))
    assert not list(folder.glob("*.part"))


@pytest.mark.parametrize("settings", ["", SERVERS], ids=["thread", "servers"])
def test_files_written_before_a_kill_are_whole_and_checked(drivers, folder, settings):
    """A model that never ends after its last call is killed."""
    need("pnc")
    lines = [line for line in CALLS if not line.startswith("exit")]
    (folder / "calls.txt").write_text("\n".join([*lines, "wait"]) + "\n")
    if settings:
        (folder / "squall_io.toml").write_text(settings)
    ranks = "6" if settings else "4"
    command = ["mpirun", "-n", ranks, str(drivers["pnc"]), "calls.txt"]
    run = subprocess.Popen(command, cwd=folder, env=os.environ | ENVIRONMENT, start_new_session=True)
    try:
        deadline = time.monotonic() + 120
        while not all(
            made(folder, name).exists() for name in WRITTEN
        ):  # closed files are published meanwhile
            assert time.monotonic() < deadline
            assert run.poll() is None
            time.sleep(0.05)
    finally:
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    for name in WRITTEN:
        assert_file_is(made(folder, name), Expected(CALLS, name))


def test_the_report_is_where_the_settings_say(drivers, folder):
    need("ncd")
    call(drivers["ncd"], CALLS, folder, ranks=1, settings='report = "report.json"\n')
    assert [s["name"] for s in json.loads((folder / "report.json").read_text())["streams"]] == [
        "wrfout_d01",
        "wrfout_d02",
        "wrfrst_d01",
    ]
