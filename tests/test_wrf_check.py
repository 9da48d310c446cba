"""`squall wrf check`: what goes through Squall by a namelist, and what squall_io.toml may not say."""

import io

import pytest
from rich.console import Console

from squall.errors import UserError
from squall.wrf_output.check import check
from squall.wrf_output.schema import SESSION, STREAM, bytes_of

NAMELIST = """ &time_control
 history_interval = 60, 0,
 history_interval_s = 0, 30,
 frames_per_outfile = 1, 12,
 restart_interval = 7200,
 io_form_history = {history}
 io_form_restart = {restart}
 auxhist7_interval = 0, 10,
 io_form_auxhist7 = {auxhist7}
 /
 &domains
 max_dom = 2,
 /
 &namelist_quilt
 nio_tasks_per_group = {servers},
 /
"""


@pytest.fixture
def run(tmp_path):
    """A run's folder, as it is found."""

    def made(toml=None, history=2, restart=2, auxhist7=11, servers=0):
        text = NAMELIST.format(history=history, restart=restart, auxhist7=auxhist7, servers=servers)
        (tmp_path / "namelist.input").write_text(text)
        if toml is not None:
            (tmp_path / "squall_io.toml").write_text(toml)
        return check(tmp_path)

    return made


def rows(found):
    return {row[0]: row[1:] for row in (found._row(stream) for stream in found.streams)}


def test_names_of_files_are_whole_in_a_terminal_of_80_columns(run):
    console = Console(width=80, file=io.StringIO(), record=True)
    console.print(run("servers = 1\n", history=11, restart=11).table())
    heading, *lines = console.export_text().splitlines()
    names = "".join(line[heading.index("Files") :].strip() for line in lines)
    assert names.startswith("wrfout_d01_<date>wrfrst_d01_<date>")


def test_streams_with_an_interval_are_told_by_domain(run):
    assert rows(run()) == {
        "d01 history": ["2 netCDF", "netcdf, thread, codec deflate:2", "1 h", "1", "wrfout_d01_<date>"],
        "d01 restart": ["2 netCDF", "netcdf, thread, codec deflate:2", "5 d", "1", "wrfrst_d01_<date>"],
        "d02 history": ["2 netCDF", "netcdf, thread, codec deflate:2", "30 s", "12", "wrfout_d02_<date>"],
        "d02 restart": ["2 netCDF", "netcdf, thread, codec deflate:2", "5 d", "1", "wrfrst_d02_<date>"],
        "d02 auxhist7": [
            "11 PnetCDF",
            "pnetcdf, thread, codec none",
            "10 min",
            "999999",
            "auxhist7_d02_<date>",
        ],
    }


def test_a_stream_s_table_comes_before_that_of_all(run):
    found = run(
        '[streams.all]\nplacement = "inline"\ncodec = "zstd"\n'
        '[streams.history]\nengine = "zarr"\ncodec = "none"\ndirectory = "frames"\n'
        '[streams.auxhist7]\nengine = "adios"\nburst_dir = "/local"\n'
    )
    told = rows(found)
    assert told["d01 history"][1] == "zarr, inline, codec none"
    assert told["d01 history"][4] == "frames/wrfout_d01_<date>"
    assert told["d01 restart"][1] == "netcdf, inline, codec zstd"
    assert told["d02 auxhist7"][1] == "adios, inline, codec zstd, by way of /local"
    assert not found.warnings


def test_an_io_form_that_squall_does_not_replace_is_warned_of(run):
    found = run("[streams.history]\ncodec = 'zstd'", history=13)
    assert rows(found)["d01 history"][:2] == ["13 parallel netCDF-4", "no: WRF writes it"]
    assert len(found.through) == 3
    told = "\n".join(found.warnings)
    assert "namelist.input:6: &time_control io_form_history = 13: WRF writes history by itself" in told
    assert "[streams.history]: has no effect" in told
    assert not found.errors


def test_files_of_each_rank_are_warned_of_and_most_those_of_restarts(run):
    found = run(restart=102)
    assert rows(found)["d01 restart"][4] == "wrfrst_d01_<date>_<rank>"
    assert "io_form_restart = 102" in found.warnings[0]
    assert "Only a run with as many ranks" in found.warnings[0]


def test_with_servers_of_wrf_nothing_goes_through_squall(run):
    found = run(servers=2)
    assert found.through == []
    assert "nio_tasks_per_group = 2" in found.warnings[0]
    assert "Set it to 0" in found.warnings[0]


def test_without_netcdf_4_nothing_is_compressed(run, tmp_path):
    run()
    path = tmp_path / "namelist.input"
    path.write_text(path.read_text().replace("&time_control", "&time_control\n use_netcdf_classic = .true.,"))
    assert rows(check(tmp_path))["d01 history"][1] == "netcdf, thread, codec none"


def test_servers_write_where_the_layer_has_them(run):
    found = run("servers = 2\n")
    assert rows(found)["d02 auxhist7"][1] == "pnetcdf, servers, codec none"
    assert rows(found)["d01 history"][1] == "netcdf, thread, codec deflate:2"
    assert "Servers: 2, of the ranks that mpiexec starts; WRF computes on the others" in found.lines()
    assert not found.errors


def test_servers_that_write_nothing_are_warned_of(run):
    assert "no stream is written by the servers" in run("servers = 2\n", auxhist7=2).warnings[0]


def test_servers_that_are_not_there_or_cannot_write_are_errors(run):
    found = run('[streams.all]\nplacement = "servers"\n')
    assert "history, which one rank of WRF writes with io_form 2" in found.errors[0]
    assert "auxhist7 is to be written by servers, but there are none" in found.errors[-1]


def test_a_codec_that_the_layer_s_engine_lacks_is_an_error(run):
    found = run("[streams.all]\ncodec = 'zstd:3'")
    assert len(found.errors) == 1
    assert "squall_io.toml:2 [streams.all]: auxhist7 is written by engine pnetcdf" in found.errors[0]


WRONG = {
    "staging_limt = '1G'": ":1: unknown key staging_limt; did you mean staging_limit?",
    "strems = 3": ":1: unknown key strems; did you mean streams?",
    "timeout = 'soon'": ':1: timeout = "soon" is not a number of seconds',
    "watchdog = -1": ":1: watchdog = -1 is not",
    "timeout = true": ":1: timeout = True is not",
    "staging_limit = '1T'": ':1: staging_limit = "1T" is not a number of bytes',
    "\n[streams.histori]": ":2 [streams.histori]: WRF has no stream histori; did you mean history?",
    "[streams.auxhist25]": "WRF has no stream auxhist25",
    "[streams.all]\nengin = 'zarr'": ":2 [streams.all]: unknown key engin; did you mean engine?",
    "[streams.all]\nplacement = 'server'": 'placement = "server" is not "inline", "thread" or "servers"',
    "[streams.history]\ncodec = 'gzip'": 'codec = "gzip" is not "NAME"',
    "[streams.history]\noptions = { chunk = 3 }": "is not a table of texts",
    "[streams.history]\nwhen_full = 'spill'": "needs spill_dir",
    "[streams.history]\nstaging_limit = '5G'": "is above that of all streams together, 4G",
    "[streams]\nhistory = 3": ":2 [streams.history]: history is a table",
    "streams = 3": "streams holds tables",
}


@pytest.mark.parametrize("toml", WRONG)
def test_what_nobody_knows_is_an_error_with_its_line(run, toml):
    with pytest.raises(UserError) as error:
        run(toml)
    assert WRONG[toml] in str(error.value)
    assert "squall_io.toml" in str(error.value)


def test_all_that_is_wrong_is_told_at_once(run):
    with pytest.raises(UserError) as error:
        run("timeout = 'x'\n[streams.all]\nengin = 'y'\n[streams.history]\nplacement = 'z'")
    lines = str(error.value).split("\n")
    assert [line.rpartition("squall_io.toml:")[2].split(":")[0].split()[0] for line in lines] == [
        "1",
        "3",
        "5",
    ]


def test_what_is_no_toml_is_refused(run):
    with pytest.raises(UserError, match="is not valid TOML"):
        run("a = ")


def test_defaults_are_allowed_values():
    for table in (SESSION, STREAM):
        for name, key in table.keys.items():
            assert key.default is None or key.kind.fits(key.default), name
    assert bytes_of("512M") == 512 << 20
    assert bytes_of("3 k") == 3072
    assert bytes_of(7) == 7


@pytest.mark.regression
def test_it_exits_with_1_for_what_would_end_the_run(squall, run, tmp_path):
    run()
    fine = squall("wrf", "check")
    assert fine.returncode == 0, fine.stderr
    assert "5 of 5 streams go through Squall" in fine.stdout
    (tmp_path / "squall_io.toml").write_text("[streams.history]\nengine = 'pnetcdf'\ncodec = 'zstd'\n")
    assert squall("wrf", "check", tmp_path).returncode == 1
    (tmp_path / "namelist.input").unlink()
    gone = squall("wrf", "check")
    assert gone.returncode == 2
    assert "There is no namelist" in gone.stderr
