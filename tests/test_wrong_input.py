"""What people give by mistake, to every command: it ends with a message that names it, without a traceback.

In this process, so that all of it takes seconds. What the model and the programs behind commands refuse is
tested with them.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import netCDF4
import pytest

from squall import cli, locate
from squall.commands.complaints import complaining
from squall.errors import UserError
from watched import write_earth


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with a run, and with much that is none."""
    folder = tmp_path_factory.mktemp("wrong")
    run = write_earth(folder / "run", [0, 3600], nx=12, ny=9, nz=3)
    (folder / "text.nc").write_text("not netCDF\n")
    (folder / "empty.nc").touch()
    (folder / "cut.nc").write_bytes(sorted(run.glob("*.nc"))[0].read_bytes()[:3000])
    with netCDF4.Dataset(folder / "plain.nc", "w") as data:
        data.createDimension("x", 3)
        data.createVariable("A", "f4", ("x",))[:] = 1
    (folder / "emptydir").mkdir()
    (folder / "x.grib2").write_bytes(b"GRIB" + bytes(50))
    (folder / "binary.toml").write_bytes(b"\xff\xfe\x00\x01")
    (folder / "broken.toml").write_text("[run\n")
    (folder / "key.toml").write_text('[run]\nduraton = "1 h"\n')
    (folder / "namelist.input").write_text("&time_control\n run_days = \n")
    (folder / "binary.input").write_bytes(bytes(range(256)))
    (folder / "store.zarr").mkdir()
    (folder / "store.zarr" / "zarr.json").write_text("{}")
    for name, text in {"badstatus": "{", "oldstatus": '{"squall_status": 7}'}.items():
        (folder / name).mkdir()
        (folder / name / "status.json").write_text(text)
    (folder / "badreport").mkdir()
    (folder / "badreport" / "io-report.json").write_text("[]")
    damaged = Path(shutil.copytree(run, folder / "damaged"))
    (file := sorted(damaged.glob("*.nc"))[1]).write_bytes(file.read_bytes()[:2000])
    return folder


@pytest.fixture
def said(inputs, monkeypatch, capsys):
    """Runs a command in that folder; returns its exit code and what it said."""
    monkeypatch.chdir(inputs)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("SQUALL_IO", str(inputs / "no-such-program"))

    def run(words):
        with pytest.raises(SystemExit) as ended, complaining():
            cli.app(words, prog_name="squall")
        captured = capsys.readouterr()
        return ended.value.code, captured.err

    return run


# The words, and what the message has to have: what is wrong, and what to do or what there is.
WRONG = [
    ("plot nowhere", "no run directory or history file nowhere"),
    ("plot emptydir", "Name the run directory that has them, or a file"),
    ("plot text.nc", "text.nc cannot be read as a history: it is neither netCDF"),
    ("plot empty.nc", "empty.nc cannot be read as a history: it is neither netCDF"),
    ("plot cut.nc", "cut.nc cannot be read as a history: it is damaged"),
    ("plot plain.nc", "dimensions as WRF calls them"),
    ("plot store.zarr", "not a group of Zarr version 3"),
    ("plot x.grib2", "x.grib2 cannot be read as a history"),
    ("plot damaged --field theta", "01-00-00.nc cannot be read as a history: it is damaged"),
    ("plot run --field NOTHING", "no field NOTHING. Its fields are theta,"),
    ("plot run --field theta --contours X", "no field X"),
    ("plot run --field theta --level 850_foo", "--level 850_foo: expected an index, a height, a pressure"),
    ("plot run --field theta --level 99", "the index must be from 0 to 2"),
    ("plot run --field theta --level 1hPa", "the layers lie between"),
    ("plot run --field PSFC --level 850hPa", "PSFC has no levels"),
    ("plot run --field theta --time noon", "--time noon: expected"),
    ("plot run --field theta --time 400h", "the frames range from"),
    ("plot run --field theta --range a,b", "--range a,b: expected LOW,HIGH"),
    ("plot run --field theta --range 200,310,0.25", "choose a STEP such as 5.5"),
    ("plot run --field theta --colours nice", "no such colour map. Examples are viridis"),
    ("plot run --field theta --section x=nowhere", "--section x=nowhere: expected an index or a distance"),
    ("plot run --field theta -o text.nc/a.png", "text.nc/a.png cannot be written"),
    ("plot run --dpi many", "--dpi"),
    ("plot run --stream nothing", "run has no nothing files"),
    ("plot run --station A", "this stream has no stations"),
    ("plot run --animate -o a.png", "must end in .gif"),
    ("plot run run", "unexpected extra argument"),
    ("plot run --field theta --level 500", 'A height or pressure needs a unit: "500 m", "500 hPa"'),
    ("plot run --field THETA", "Did you mean theta?"),
    ("info", "Missing argument 'RUN|FILE'"),
    ("info nowhere", "no run directory or file nowhere"),
    ("info emptydir", "Name the run directory that has them, or a file"),
    ("info binary.toml", "binary.toml cannot be read as a history"),
    ("info damaged", "is damaged, or not written to its end"),
    ("info store.zarr", "not a group of Zarr version 3"),
    ("info run --stream x", "run has no x files"),
    ("diff run nowhere", "no run directory or file nowhere"),
    ("diff run plain.nc", "no field in common"),
    ("diff run run --fields X", "Neither has a field X. Those of A are"),
    ("diff run run --fields ,", "write it like T,U,V"),
    ("diff run", "Missing argument 'B'"),
    ("forecast Atlantis", "The place Atlantis is not known"),
    ("forecast 95,0", "write degrees north and east"),
    ("forecast -95,0", "write degrees north and east"),
    ("forecast -33.9 18.4 --hours x", "--hours"),
    ("forecast 48 10 20", "unexpected extra argument"),
    ("forecast 35.3N,97.5", "is not known. Write its latitude and longitude"),
    ("forecast Paris -3", "No such option"),
    ("forecast Paris --size 120", "write it like 120x96"),
    ("forecast Paris --source nowhere.grib2", "there is no file nowhere.grib2"),
    ("forecast Paris --source text.nc", "text.nc"),
    ("stop nowhere", "no run directory nowhere"),
    ("stop emptydir", "emptydir is not a run directory"),
    ("stop text.nc", "text.nc is a file: name the run directory"),
    ("status badstatus", "badstatus/status.json cannot be read"),
    ("status oldstatus", "not a status file of this version"),
    ("status text.nc", "text.nc is a file: name the run directory"),
    ("status run --wait-for lunch", "give a state (done, died, stopped, running, ended) or a frame"),
    ("status run --timeout soon", "--timeout"),
    ("support nowhere", "no run directory nowhere"),
    ("transport run nowhere.toml", "There is no run file nowhere.toml"),
    ("transport run emptydir", "emptydir is a directory; a run needs a run file"),
    ("transport new key.toml", "key.toml exists already"),
    ("transport new c.toml --case nothing", "There is no run file nothing"),
    ("transport prepare nowhere.toml x.grib2", "nowhere.toml: No such file"),
    ("transport prepare key.toml x.grib2", "key.toml: key nlon is missing in [grid]"),
    ("support emptydir", "emptydir is not a run directory"),
    ("report emptydir", "A run writes its report when it ends; name the run directory"),
    ("report text.nc", "text.nc is not a report"),
    ("report badreport", "not a report of this version"),
    ("watch nowhere", "no run directory or history file nowhere"),
    ("watch text.nc", "text.nc cannot be read as a history"),
    ("watch run --port 99999", "--port"),
    ("watch run --port abc", "--port"),
    ("watch run --host 999.1.1.1", "Cannot listen on 999.1.1.1"),
    ("run nowhere", "There is no run file nowhere. `squall cases` lists"),
    ("run emptydir", "emptydir is a directory; a run needs a run file"),
    ("run supercell.toml", "Did you mean supercell?"),
    ("run density-curent", "Did you mean density-current?"),
    ("run density-current --threads few", "--threads"),
    ("run density-current -n 0", "--ranks"),
    ("run density-current -n -2", "--ranks"),
    ("run density-current --threads -1", "greater than or equal to 1"),
    ("run density-current --nodes 2", "add --submit, or leave --nodes out"),
    ("plan density-current -n 2", "--machine"),
    ("plan density-current --machine nowhere -n 2", "`squall lab calibrate` makes one"),
    ("plan density-current --machine broken.toml -n 2", "broken.toml cannot be read"),
    ("new text.nc/a.toml", "Cannot write text.nc/a.toml: Not a directory"),
    ("new key.toml", "key.toml exists already; choose another name"),
    ("new a.toml --case nothing", "`squall cases` lists"),
    ("new a.toml --from-wrfinput plain.nc", "plain.nc is not a WRF initial file"),
    ("import nowhere", "no namelist nowhere"),
    ("import emptydir", "emptydir cannot be read: Is a directory"),
    ("import namelist.input", "not a WRF namelist.input"),
    ("import cut.nc", "is a binary file, not a namelist"),
    ("import binary.input", "is a binary file, not a namelist"),
    ("prepare nowhere", "There is no file nowhere. Give analysis files, or a run file"),
    ("prepare emptydir -o p", "a folder, but not a run directory: name the files in it"),
    ("prepare run", "Choose where to write with -o DIRECTORY"),
    ("prepare text.nc -o p", "text.nc: text, not GRIB or netCDF"),
    ("prepare x.grib2 -o p", "fetch it again"),
    ("prepare broken.toml", "broken.toml is not valid TOML"),
    ("prepare run -o p --center north", "write it like 40,-95"),
    ("prepare run -o text.nc/p", "text.nc/p: Not a directory. Choose another path"),
    ("fetch nothing key.toml", "There is no source nothing. The sources are era5"),
    ("fetch gfs", "Name the run file"),
    ("fetch gfs emptydir", "emptydir cannot be read: Is a directory"),
    ("fetch gfs key.toml --every often", '"often" is not a time'),
    ("convert run a.xyz", "Use .nc (netcdf), .zarr (zarr)"),
    ("convert run a.nc", "SQUALL_IO names"),
    ("wrf relink emptydir", "Run ./configure and ./compile there"),
    ("wrf check nowhere", "no namelist nowhere/namelist.input"),
    ("wrf compare text.nc plain.nc", "text.nc cannot be read"),
    ("wrf time run --wrf emptydir --forms x", "numbers separated by commas, such as 2,11"),
    ("help nothing", "`squall help` lists all pages"),
    ("completion powershell", "not one of 'bash', 'zsh', 'fish'"),
    ("plto run", "Did you mean 'plot'?"),
]


def _need_the_model():
    """It tells which keys a run file has."""
    try:
        locate.model_binary()
    except UserError:
        pytest.skip("squall-model is not built (make build)")


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[words for words, _ in WRONG])
def test_what_is_wrong_is_named_and_ends_the_command(said, words, message):
    if words.startswith("new "):
        _need_the_model()
    code, told = said(words.split())
    assert code in (1, 2)
    assert message in told
    assert "Traceback" not in told


def test_there_are_many_of_them():
    assert len({words for words, _ in WRONG}) >= 90


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("run binary.toml", "binary.toml:1:1: Encountered invalid utf-8 sequence"),
        ("run broken.toml", "broken.toml:1:5: "),
        ("run key.toml", 'did you mean "duration"?'),
        ('run density-current --set domain.dx="3_kg"', "domain.dx: "),
        ("run density-current --set domain.nx=-5", "domain.nx: "),
        ("run density-current --set nothing=1", "nothing"),
    ],
)
def test_what_the_model_refuses_is_named_without_what_a_terminal_obeys(squall, inputs, words, message):
    """A line of a binary file was shown as it is."""
    _need_the_model()
    known = {path.name: str(path) for path in inputs.glob("*.toml")}
    told = squall(*(known.get(word, word.replace("_", " ")) for word in words.split()))
    assert told.returncode == 2
    assert message in told.stderr
    assert "Traceback" not in told.stderr
    assert all(c.isprintable() or c == "\n" for c in told.stderr)


_ALL = "import sys; from squall.cli import main; sys.argv[1:] = WORDS; main()"


def typed(words, **how):
    """A command in a process of its own, whose standard output is what a test wants it to be."""
    code = _ALL.replace("WORDS", repr(words.split()))
    return subprocess.run([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, check=False, **how)


@pytest.mark.parametrize("words", ["cases", "info run --json", "completion bash", "help", "--help"])
def test_a_full_disk_behind_the_output_is_told_in_words(inputs, words):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "w") as full:
        told = typed(words, stdout=full, cwd=inputs)
    assert told.returncode == 1
    assert told.stderr == (
        "squall: The output cannot be written: No space left on device. Make room, or write elsewhere.\n"
    )


@pytest.mark.parametrize("words", ["cases", "info run --json", "completion bash"])
def test_a_reader_that_has_seen_enough_ends_a_command_in_silence(inputs, words):
    reading, writing = os.pipe()
    os.close(reading)
    told = typed(words, stdout=writing, cwd=inputs)
    os.close(writing)
    assert (told.returncode, told.stderr) == (1, "")


@pytest.mark.parametrize("words", ["cases", "info run", "completion bash"])
def test_a_closed_output_is_nothing_wrong(inputs, words):
    code = _ALL.replace("WORDS", repr(words.split()))
    told = subprocess.run(
        ["sh", "-c", 'exec "$0" -c "$1" >&-', sys.executable, code], stderr=subprocess.PIPE, text=True,
        check=False, cwd=inputs,
    )  # fmt: skip
    assert (told.returncode, told.stderr) == (0, "")


def test_every_command_for_users_has_been_given_something_wrong():
    import typer

    commands = typer.main.get_command(cli.app).commands
    tried = {words.split()[0] for words, _ in WRONG}
    assert set(commands) - tried - {"lab"} == {"cases", "doctor", "stitch", "check", "recover"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_may_not_be_written_to_is_named(said, inputs):
    (inputs / "locked").mkdir(mode=0o500, exist_ok=True)
    code, told = said(["prepare", "run", "-o", "locked/p"])
    assert code == 1
    assert "locked/p: Permission denied" in told
