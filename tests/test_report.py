"""`squall report`: what output cost, told and drawn."""

import io
import json
import re

import pytest
from rich.console import Console

from pictures import assert_drawn
from squall.runs import report as reports
from stored_files import TOOL

pytestmark = [
    pytest.mark.regression,
    pytest.mark.skipif(not TOOL.exists(), reason=f"{TOOL} is not built"),
]


@pytest.fixture
def reported(tmp_path):
    """A run directory with a report of two streams, one of which lost a frame."""

    def frames(step, drain):
        for n in range(4):
            at = 1.0 + step * n
            yield {
                "number": n, "begun": at, "perceived": 0.02, "time": "2000-01-01T00:00:00",
                "committed": at + 0.02, "drain_begun": at + 0.03, "drain_ended": at + drain, "bytes": 10**8,
            }  # fmt: skip

    def stream(name, engine, step, drain, failed):
        timeline = list(frames(step, drain))
        timeline[-1] |= {"fault": "no space left on device"} if failed else {}
        return {
            "name": name, "engine": engine, "placement": "thread", "codec": "zstd",
            "frames": 4 - failed, "failed": failed, "skipped": 0, "bytes": 4 * 10**8,
            "stored_bytes": 10**8, "perceived_median": 0.02, "perceived_largest": 0.02,
            "perceived_total": 0.08, "drain_median": drain, "drain_largest": drain,
            "waits": 2, "waited": 0.5, "spilled": 0, "staging_peak": 10**8, "timeline": timeline,
        }  # fmt: skip

    report = {
        "squall_io_report": 1, "computing_ranks": 2, "servers": 0, "groups": 0, "seconds": 16.0,
        "streams": [stream("history", "zarr", 3.5, 1.5, 0), stream("restart", "netcdf", 4.0, 2.5, 1)],
    }  # fmt: skip
    (tmp_path / "io-report.json").write_text(json.dumps(report))
    return tmp_path


def test_report_shows_what_output_cost_and_draws_it(tool, reported):
    said = tool("report", reported)
    assert said.returncode == 0, said.stderr
    told = [re.split(r"\s{2,}", line.strip()) for line in said.stdout.splitlines()]
    assert said.stdout.splitlines()[0] == "2 computing ranks, no servers, 16 s"
    assert ["stream", "history", "restart"] in told
    assert ["engine, placement", "zarr, thread", "netcdf, thread"] in told
    assert ["frames", "4", "3 (1 failed)"] in told
    assert ["drain, median", "1.5 s", "2.5 s"] in told
    assert ["waits", "2 (500 ms)", "2 (500 ms)"] in told
    assert_drawn(reported / "io-report.png")


def test_no_word_of_the_report_is_cut_in_80_columns(reported):
    found = reports.load(reported)
    found.content["streams"] = [
        stream | {"name": f"{stream['name']}_{n}"} for n in range(4) for stream in found.streams
    ]
    console = Console(width=80, record=True, file=io.StringIO())
    for table in reports.tables(found, console.width):
        console.print(table)
    said = console.export_text()
    assert "…" not in said
    for n in range(4):
        assert f"history_{n}" in said
    assert said.count("compression ratio") > 1  # streams that do not fit come below
    assert all(len(line.rstrip()) <= 80 for line in said.splitlines())


def test_the_report_shows_what_a_terminal_would_obey(tool, reported):
    path = reported / "io-report.json"
    content = json.loads(path.read_text())
    content["streams"][0]["name"] = "hist\x1b[2J[red]"
    path.write_text(json.dumps(content))
    said = tool("report", reported)
    assert said.returncode == 0, said.stderr
    assert r"hist\x1b[2J[red]" in said.stdout
    assert "\x1b" not in said.stdout


def test_a_picture_of_what_is_printed_for_programs_is_refused(tool, reported):
    said = tool("report", reported, "--json", "-o", "a.png")
    assert said.returncode == 2
    assert "--json draws no picture: leave out --output" in said.stderr


def test_report_as_json_is_for_programs(tool, reported):
    said = tool("report", reported, "--json")
    streams = json.loads(said.stdout)["streams"]
    assert [stream["name"] for stream in streams] == ["history", "restart"]
    assert streams[0]["ratio"] == 4.0
    assert streams[0]["share"] == pytest.approx(0.005)
    assert not (reported / "io-report.png").exists()


def test_a_run_without_a_report_is_told_so(tool, tmp_path):
    said = tool("report", tmp_path)
    assert said.returncode == 2
    assert "io-report.json cannot be read" in said.stderr
