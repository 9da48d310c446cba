"""`squall lab reproduce`: every item can be listed, shown again from what it measured, and cited."""

import html
import json
import re
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from squall.errors import UserError
from squall.lab.io import bench
from squall.lab.workspace import Workspace
from squall_studies.reproduce import (
    adios2,
    catalogue,
    charts,
    document,
    hector,
    item,
    layers,
    runner,
    servers,
    teragrid,
)
from squall_studies.reproduce.item import Context, Item, Published, Table


def made_up(context):
    return {"quick": context.quick, "ms": [2.0, 1.0]}


def one_table(found):
    return [Table("Steps", ["tiles", "ms"], [[str(n + 1), f"{ms:.1f}"] for n, ms in enumerate(found["ms"])])]


def one_figure(found, published):
    figure, left, right = charts.beside(published)
    charts.published_bars(left, published)
    charts.bars(right, ["1", "2"], {"ms": found["ms"]})
    return figure


def made_up_item(name="hector-tiles", measure=made_up):
    return Item(name, "hector", "A <figure>", "What is measured.", 1, measure, one_table, one_figure)


def test_every_item_has_a_name_of_its_own_that_begins_with_its_study():
    names = [each.name for each in catalogue.ITEMS]
    assert len(set(names)) == len(names)
    for each in catalogue.ITEMS:
        assert each.name.startswith(f"{each.study}-")
        assert item.study(each.study).citation


def test_published_numbers_have_a_source_and_belong_to_an_item():
    for name in {each.study for each in catalogue.ITEMS}:
        for key, content in item._file(name).items():
            if key == "study":
                continue
            if key == "findings":
                assert set(content) <= {each.name for each in catalogue.ITEMS}
                continue
            published = Published(**content)
            assert published.source
            assert all(len(row) == len(published.columns) for row in published.rows)
            assert key in {each.name for each in catalogue.ITEMS}, key


def test_a_study_stands_for_its_items_and_an_unknown_name_is_refused_with_the_nearest():
    assert {each.study for each in catalogue.chosen(["tomcat"])} == {"tomcat"}
    assert [each.name for each in catalogue.chosen(["hector-tiles"])] == ["hector-tiles"]
    with pytest.raises(UserError, match=r"no item hector-tile\. Did you mean hector-tiles\?"):
        catalogue.chosen(["hector-tile"])


def test_what_was_measured_is_kept_with_machine_and_settings_and_shown_in_a_page_without_measuring(
    tmp_path, capsys
):
    items = [made_up_item()]
    assert runner.run(items, tmp_path, quick=True, repeats=1) == []
    said = " ".join(capsys.readouterr().out.split())
    kept = json.loads((tmp_path / "hector-tiles.json").read_text())
    assert kept["found"] == {"quick": True, "ms": [2.0, 1.0]}
    assert kept["machine"]["cores"] >= 1
    assert (tmp_path / "hector-tiles.png").stat().st_size > 0
    text = document.write(tmp_path, items).read_text()
    assert "A &lt;figure&gt;" in text
    assert "<svg" in text
    assert kept["machine"]["processor"] in text
    assert "squall lab reproduce hector-tiles --quick --repeats 1" in text
    assert "squall lab reproduce hector-tiles --quick --repeats 1" in said
    assert items[0].published().source in text.replace("&#x27;", "'")
    assert "<td class='number'>2.0</td>" in text
    assert not re.search(r"(src|href)=[\"'](?!#)", text)  # nothing lies beside the page
    ids = re.findall(r"id=[\"']([^\"']+)", text)
    assert len(set(ids)) == len(ids)


def test_an_item_without_published_numbers_says_so_wherever_it_is_shown(tmp_path, capsys):
    items = [made_up_item("hector-a")]
    runner.show_list(items)
    runner.run(items, tmp_path, quick=True, repeats=1)
    page = document.write(tmp_path, items).read_text()
    assert " ".join(capsys.readouterr().out.split()).count("not within reach") == 2
    assert "not within reach" in page
    assert not made_up_item().missing()


def test_what_a_study_found_in_words_stands_beside_ours_with_its_source(tmp_path, capsys):
    items = [made_up_item("hector-layouts"), made_up_item("hector-servers")]  # without numbers, and with
    runner.show_list(items)
    runner.run(items, tmp_path, quick=True, repeats=1)
    shown = " ".join(capsys.readouterr().out.split())
    page = html.unescape(document.write(tmp_path, items).read_text())
    for each in items:
        says, source = item._file("hector")["findings"][each.name].values()
        assert shown.count(f"The study: {says} ({source})") == 2
        assert f"The study: {says} ({source})" in page


def test_an_item_that_cannot_be_measured_here_says_why_and_the_others_go_on(tmp_path, capsys):
    def refuse(context):
        raise UserError("there is no second MPI")

    items = [made_up_item("hector-a", refuse), made_up_item()]
    assert runner.run(items, tmp_path, quick=False, repeats=1) == ["hector-a"]
    assert "there is no second MPI" in capsys.readouterr().out
    assert (tmp_path / "hector-tiles.json").is_file()


def test_a_page_without_results_and_a_file_of_something_else_are_refused(tmp_path):
    with pytest.raises(UserError, match="no results yet"):
        document.write(tmp_path, catalogue.ITEMS)
    (tmp_path / "hector-tiles.json").write_text('{"item": "another"}')
    with pytest.raises(UserError, match=r"hector-tiles\.json is not what"):
        document.write(tmp_path, catalogue.ITEMS)


def test_tiles_gain_over_the_fewest():
    found = {
        "threads": 2,
        "tiles": [
            {"size": 80, "tiles": 2, "seconds": 2.0},
            {"size": 80, "tiles": 8, "seconds": 1.5},
            {"size": 80, "tiles": 0, "seconds": 1.0},
        ],
    }
    [table] = hector.tile_tables(found)
    assert [row[-1] for row in table.rows] == ["0.0", "25.0", "50.0"]
    hector.draw_tiles(found, made_up_item().published())


def test_a_step_is_measured_in_every_process_grid(tmp_path, monkeypatch):
    asked = []

    def run(workspace, name, run_file, settings, layout, timing):
        asked.append((layout.ranks, settings["parallel.ranks_x"], settings["parallel.ranks_y"]))
        timing.write_text(json.dumps({"each_step": [9.0, 0.5, 0.25 * layout.ranks]}))

    monkeypatch.setattr(Workspace, "run", run)
    monkeypatch.setattr(hector.machine, "cores", lambda: 2)
    context = Context(Workspace(tmp_path), True, 1, lambda text: nullcontext())
    found = hector.measure_grids(context)
    assert asked == [(2, "1", "2"), (2, "2", "1"), (4, "1", "4"), (4, "2", "2"), (4, "4", "1")]
    assert found["grids"][0]["seconds"] == 0.5  # without the first step
    assert hector.grid_tables(found)[0].rows[-1][-1] == "more ranks than cores"


@pytest.fixture
def frames(monkeypatch):
    """What was asked to be written; a frame takes a second for each letter of its engine, and servers halve
    what ranks wait."""
    asked = []

    def measure(setup, cell, interval, plain=True):
        asked.append((setup.servers, str(cell)))
        if cell.engine == "pnetcdf":
            raise UserError("pnetcdf refuses\nmore")
        drain = float(len(cell.engine))
        perceived = drain if cell.placement == "inline" else drain / (2 * setup.servers)
        times = bench.Frame(perceived, drain, copy=0.1, raw=0.5, raw_fsync=1.0)
        return bench.Measurement(cell, 100, 50 if ":" in cell.codec else 100, (times,), 0, 1.0, 0, 0)

    monkeypatch.setattr(bench, "measure", measure)
    monkeypatch.setattr(
        bench,
        "engines",
        lambda: {"zarr": ["zstd", "none"], "netcdf": ["none"], "pnetcdf": ["none"], "sst": []},
    )
    return asked


def look(tmp_path):
    return Context(Workspace(tmp_path), True, 1, lambda text: nullcontext())


def drawn(item_, found):
    """All of it from what JSON holds."""
    found = json.loads(json.dumps(found))
    runner.figure(item_, {"found": found})
    return item_.tables(found)[0].rows


def test_a_frame_is_written_by_every_engine_that_makes_files(tmp_path, frames):
    found = adios2.measure_engines(look(tmp_path))
    assert [cell for _, cell in frames] == [
        "pnetcdf, inline, none",
        "netcdf, inline, none",
        "zarr, inline, none",
    ]
    assert found["missing"] == {"pnetcdf, inline, none": "pnetcdf refuses"}
    assert [row[:3] for row in drawn(adios2.ITEMS[0], found)] == [
        ["netcdf", "6.000", "1.0"],
        ["zarr", "4.000", "1.5"],
    ]


def test_a_frame_is_written_with_every_codec_at_two_levels(tmp_path, frames):
    rows = drawn(adios2.ITEMS[1], adios2.measure_codecs(look(tmp_path)))
    assert [(row[0], row[-1]) for row in rows] == [("zstd:1", "2.00"), ("zstd:5", "2.00"), ("none", "1.00")]


def test_frames_go_to_more_and_more_servers(tmp_path, frames, monkeypatch):
    monkeypatch.setattr(servers.machine, "cores", lambda: 2)
    rows = drawn(servers.ITEMS[0], servers.measure(look(tmp_path)))
    assert [cell for cell, _ in frames] == [1, 1, 2, 3]
    assert [row[1] for row in rows] == ["4000.0", "2000.0", "1000.0", "666.7"]


def test_a_frame_of_the_study_is_written_by_one_rank_and_by_all(tmp_path, frames, monkeypatch):
    monkeypatch.setattr(teragrid.machine, "cores", lambda: 2)
    rows = drawn(teragrid.ITEMS[0], teragrid.measure(look(tmp_path)))
    assert rows == [["1", "6.000", "", "870", ""], ["2", "6.000", "", "870", ""]]  # 145 frames of 6 s
    table, _ = teragrid.tables({"size": (600, 400, 20), "frames": [], "runs": 0})
    assert [column for column in table.columns if "145" in column] == [
        f"145 frames, {way}, extrapolated, s" for way in ("serial netCDF", "parallel HDF5")
    ]


def test_in_full_all_frames_of_the_study_are_written_and_the_best_run_counts(tmp_path, monkeypatch):
    asked = []

    def measure(setup, cell, interval, plain):
        asked.append((setup.frames, setup.ranks, cell.engine))
        slow = 1.0 if len(asked) % 3 else 0.5  # the third run is the best one
        times = (bench.Frame(2 * slow, 2 * slow, 0.1, 0.5, 1.0), bench.Frame(slow, slow, 0.1, 0.5, 1.0))
        return bench.Measurement(cell, 100, 100, times, 0, 1.0, 0, 0)

    monkeypatch.setattr(bench, "measure", measure)
    monkeypatch.setattr(bench, "engines", lambda: {"netcdf": ["none"], "netcdf-parallel": ["none"]})
    monkeypatch.setattr(teragrid.machine, "cores", lambda: 1)
    monkeypatch.setattr(teragrid.shutil, "disk_usage", lambda _: SimpleNamespace(free=1e12))
    context = Context(Workspace(tmp_path), True, 3, lambda text: nullcontext(), full=True)
    found = teragrid.measure(context)
    assert asked[:3] == [(145, 1, "netcdf")] * 3
    assert teragrid.tables(found)[0].rows[0] == [
        "1",
        "0.500",
        "0.500",
        "2",
        "2",
    ]  # 1.5 s in all of its frames
    assert "the best of 3 runs" in teragrid.tables(found)[0].columns[-1]
    monkeypatch.setattr(teragrid.shutil, "disk_usage", lambda _: SimpleNamespace(free=1e6))
    with pytest.raises(UserError, match=r"needs .* GB"):
        teragrid.measure(context)


def test_a_layer_that_the_build_lacks_or_that_refuses_is_not_a_number(tmp_path, frames, monkeypatch):
    monkeypatch.setattr(layers, "_LAYERS", {"serial netCDF": "netcdf", "gone": "no-such", "zarr": "zarr"})
    monkeypatch.setattr(layers.machine, "cores", lambda: 2)
    rows = drawn(layers.ITEMS[0], layers.measure(look(tmp_path)))
    assert [row[:3] for row in rows] == [[n, "6.000", "4.000"] for n in ("1", "2", "4")]
    assert rows[-1][-1] == "more ranks than cores"


def test_the_command_lists_studies_figures_and_minutes(squall):
    done = squall("lab", "reproduce", "--list")
    assert done.returncode == 0, done.stderr
    for each in catalogue.ITEMS:
        assert f"{each.name} (" in done.stdout
    assert squall("lab", "reproduce").returncode == 2
