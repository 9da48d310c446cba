"""`squall lab io` and `squall lab codecs` report everything that they measured."""

import io
import json
import math
import re

import netCDF4
import numpy as np
import pytest
from rich.console import Console

from pictures import assert_drawn
from squall import locate
from squall.errors import UserError
from squall.lab import io as lab_io
from squall.lab.io import bench, codecs, goals, show
from squall.locate import CHECKOUT

pytestmark = pytest.mark.regression


@pytest.fixture(scope="module", autouse=True)
def built():
    try:
        bench.program()
    except UserError:
        pytest.skip("squall-io-bench is not built")
    assert locate.model_binary()


def _lab_io(squall, tmp_path, *arguments):
    done = squall(
        *("lab", "io", "--size", 24, 20, 8, "--fields", 3, "--frames", 3, "--results", "found.json"),
        *arguments,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads((tmp_path / "found.json").read_text())


def test_the_report_holds_every_cell_of_the_matrix_with_all_its_measures(squall, tmp_path):
    said, found = _lab_io(squall, tmp_path, "--engines", "netcdf", "--codecs", "none")
    assert found["failed"] == {}
    cells = [m["combination"]["placement"] for m in found["measurements"]]
    assert cells == ["inline", "thread", "servers"]
    for m in found["measurements"]:
        assert m["bytes"] == 24 * 20 * 8 * 3 * 4
        assert m["stored_bytes"] > m["bytes"]
        assert len(m["frames"]) == 3
        for frame in m["frames"]:
            measured = [frame[name] for name in ("perceived", "drain", "copy", "raw", "raw_fsync")]
            assert min(measured) > 0
        assert m["memory"] > 0
    assert found["measurements"][0]["of_baseline"] > 0
    assert found["measurements"][2]["server_memory"] > 0
    assert {goal["cell"].split(", ")[1] for goal in found["goals"]} == set(cells)
    assert "Goals reached: 3 of 3." in said  # of memory
    assert "Times are not judged: a frame has 0.046 MB, and their goals are for 120 MB or more" in said
    assert_drawn(tmp_path / "runs" / "io" / "io.png")


def slow(engine, placement, bytes_of_frame, memory=0):
    """A measurement whose times all miss their goals."""
    frame = bench.Frame(perceived=1.0, drain=2.0, copy=0.1, raw=0.2, raw_fsync=0.5, baseline=1.0)
    cell = bench.Combination(engine, placement, "none")
    return bench.Measurement(cell, bytes_of_frame, bytes_of_frame, (frame,) * 3, 0, 5.0, memory, 0)


def judged(bytes_of_frame, **more):
    """Whether each goal is reached, by its first words, and what is said."""
    measured = [slow(*cell, bytes_of_frame, **more) for cell in (("zarr", "inline"), ("netcdf", "thread"))]
    verdicts = goals.verdicts(measured)
    console = Console(width=120, record=True, file=io.StringIO())
    show.goals(console, measured, verdicts, {})
    return [(v.goal.split(" of ")[0], v.reached) for v in verdicts], console.export_text()


MEMORY = f"memory at most staging_limit + 64 MB = {goals.MEMORY / 1e6:.0f} MB"


def test_times_of_frames_of_the_default_size_are_judged():
    found, said = judged(4 * math.prod(bench.Setup(CHECKOUT).size) * bench.Setup(CHECKOUT).fields)
    assert found == [
        ("at least 0.8", False), ("at least 0.9", False), (MEMORY, True),
        ("perceived at most 1.5 copies", False), (MEMORY, True),
    ]  # fmt: skip
    assert "Goals reached: 2 of 5." in said
    assert "missed netcdf, thread, none: perceived at most 1.5 copies: 10.00" in said
    assert "not judged" not in said


@pytest.mark.parametrize("setup", [bench.quick(bench.Setup(CHECKOUT)), bench.Setup(CHECKOUT, (200, 200, 49))])
def test_of_smaller_frames_memory_alone_is_judged_and_said_why(setup):
    size = 4 * math.prod(setup.size) * setup.fields
    found, said = judged(size)
    assert found == [(MEMORY, True)] * 2
    assert f"Times are not judged: a frame has {size / 1e6:.2g} MB" in " ".join(said.split())
    found, said = judged(size, memory=goals.MEMORY + 1)
    assert found == [(MEMORY, False)] * 2
    assert "Goals reached: 0 of 2." in said


@pytest.mark.long
def test_servers_are_measured_by_messages_where_that_is_asked_for(squall, tmp_path):
    _, found = _lab_io(squall, tmp_path, "--engines", "null", "--placements", "servers", "--messages")
    (measured,) = found["measurements"]
    assert measured["bytes"] == 24 * 20 * 8 * 3 * 4
    assert min(frame["drain"] for frame in measured["frames"]) > 0


def test_points_are_cheaper_compressed_only_on_a_network_that_is_slower_than_the_codec_saves():
    twice = codecs.Trade("storm", "lz4", ratio=2.0, speed=1e9)
    assert twice.cheaper_below == pytest.approx(0.5e9)
    assert codecs.Trade("noise", "lz4", ratio=0.99, speed=1e9).cheaper_below == 0


def test_a_name_that_is_not_known_is_refused_with_those_that_are(squall):
    done = squall("lab", "io", "--engines", "netcdf,no-such-engine")
    assert done.returncode == 2
    assert "no-such-engine" in done.stderr
    assert "netcdf" in done.stderr


def test_every_codec_is_measured_on_the_fields_of_a_history(squall, tmp_path):
    if "zarr" not in bench.engines():
        pytest.skip("this build has no engine zarr")
    file = tmp_path / "coded.nc"
    coded = 0x3F000000 | np.random.default_rng(1).integers(256, size=(32, 64, 64)) << 16
    with netCDF4.Dataset(file, "w") as history:
        for name, size in zip(("Time", "z", "y", "x"), (None, *coded.shape), strict=True):
            history.createDimension(name, size)
        history.createVariable("CODED", "f4", ("Time", "z", "y", "x"))[0] = coded.astype("u4").view("f4")
    done = squall("lab", "codecs", file, "--results", "found.json")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())["codecs"]
    assert [trade["codec"] for trade in found] == list(codecs.CODECS)
    for trade in found:
        assert 2 < trade["ratio"] < 4, trade  # 8 of 32 bits are random: less than a quarter is impossible
        assert trade["speed"] > 0


@pytest.mark.parametrize(
    "arguments", [("--model", "warm-bubble", "--codecs", "zstd"), ("--quick", "--frames", 9)]
)
def test_an_option_that_another_would_ignore_is_refused(squall, arguments):
    said = squall("lab", "io", *arguments)
    assert said.returncode == 2
    assert f"{arguments[0]} and {arguments[-2]} cannot be combined" in said.stderr


def test_the_picture_of_the_codecs_shows_what_the_table_beside_it_says(tmp_path):
    """Both are of docs/img/codecs.json: `squall lab codecs docs/img/codecs.json -o docs/img` draws it."""
    page = (CHECKOUT / "docs" / "explanation" / "io-performance.md").read_text()
    cell = r"([\d.]+)"
    rows = re.findall(rf"^\| `(\S+:\d)` \| {cell} \| {cell} \| {cell} \| {cell} \|$", page, re.M)
    trades = codecs.read(CHECKOUT / "docs" / "img" / "codecs.json")
    assert len(rows) * 2 == len(trades) == 2 * len(codecs.CODECS)
    for name, *numbers in rows:
        of_codec = [trade for trade in trades if trade.codec == name]
        told = [f"{value:.2f}" for trade in of_codec for value in (trade.ratio, trade.speed / 1e9)]
        assert told == numbers
    codecs.run([CHECKOUT / "docs" / "img" / "codecs.json"], tmp_path, None)
    assert_drawn(tmp_path / "codecs.png")


def test_the_picture_of_output_shows_what_the_table_beside_it_says(tmp_path):
    """Both are of docs/img/io.json: `squall lab io docs/img/io.json -o docs/img` draws it."""
    page = (CHECKOUT / "docs" / "explanation" / "io-performance.md").read_text()
    row = re.compile(
        r"^\| (.*?) ?\| `(\w+)` \| (\d+) ms \| ([\d.]+) \| ([\d.]+) s \| \**([\d.]*)\** ?\|", re.M
    )
    file = CHECKOUT / "docs" / "img" / "io.json"
    found = bench.read(file)
    rows = row.findall(page)
    assert len(rows) == len(found) > 30
    for (_, placement, *told), m in zip(rows, found, strict=True):
        assert placement == m.combination.placement
        copies = f"{m.in_copies:.2f}" if m.in_copies < 10 else f"{m.in_copies:.1f}"
        assert told[:3] == [f"{1e3 * m.perceived:.0f}", copies, f"{m.drain:.2f}"]
        if told[3]:
            assert told[3] == f"{m.of_raw:.2f}"
    plain = {m.combination.engine: m for m in found if m.library_of_raw and m.combination.codec == "none"}
    engines, loop, squall = (
        re.findall(rf"^\| {name} \| (.*) \|$", page, re.M)[0].replace("`", "").split(" | ")
        for name in ("of raw", "its library alone", "`squall`, `inline`")
    )
    assert engines == list(plain)
    for of_engine, m in (loop, "library_of_raw"), (squall, "of_raw"):
        assert of_engine == [f"{getattr(plain[name], m):.2f}" for name in engines]
    names = [name for name, *_ in rows if name]
    assert [re.findall("`(.*?)`", name)[0] for name in names] == [
        m.combination.engine for m in found if m.combination.placement == "inline"
    ]
    lab_io.draw_again(file, tmp_path)
    assert_drawn(tmp_path / "io.png")
