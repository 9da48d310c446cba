"""`squall lab io` and `squall lab codecs` report everything that they measured."""

import json
import re

import pytest

from squall import locate
from squall.errors import UserError
from squall.lab import io as lab_io
from squall.lab.io import bench, codecs
from squall.locate import CHECKOUT
from synthetic import write_history


@pytest.fixture(scope="module", autouse=True)
def built():
    try:
        bench.program()
    except UserError:
        pytest.skip("squall-io-bench is not built")
    assert locate.model_binary()


def _lab_io(squall, tmp_path, *arguments):
    done = squall(
        *("lab", "io", "--size", 24, 20, 8, "--fields", 3, "--frames", 3, "--json", "found.json"), *arguments
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
    assert "Goals reached" in said
    assert (tmp_path / "runs" / "io" / "io.png").stat().st_size > 0


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
    history = write_history(
        tmp_path / "cold", "density-current",
        nx=32, ny=16, nz=8, dx=200, top=6400, times=[0], theta_pert=lambda s, x, y, z: x + y + z,
    )  # fmt: skip
    file = next(history.glob("*.nc"))
    done = squall("lab", "codecs", file, "--json", "found.json")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())["codecs"]
    assert [trade["codec"] for trade in found] == list(codecs.CODECS)
    assert all(trade["ratio"] > 1 and trade["speed"] > 0 for trade in found)


@pytest.mark.parametrize(
    "arguments", [("--model", "warm-bubble", "--codecs", "zstd"), ("--quick", "--frames", 9)]
)
def test_an_option_that_another_would_ignore_is_refused(squall, arguments):
    said = squall("lab", "io", *arguments)
    assert said.returncode == 2
    assert f"{arguments[0]} and {arguments[-2]} exclude each other" in said.stderr


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
    assert (tmp_path / "codecs.png").stat().st_size > 20_000


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
    assert (tmp_path / "io.png").stat().st_size > 20_000
