"""`squall lab pipeline` draws the plots of a run in every way, and judges by the run's own time."""

import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from rich.console import Console

from squall import locate
from squall.errors import UserError
from squall.io import library as io_library
from squall_studies.pipeline import others, planes, show
from squall_studies.pipeline.rounds import Run
from squall_studies.pipeline.setup import AFTERWARDS, Setup, chosen
from squall_studies.reproduce import in_situ, runner

PLACED = "the rank on core 0; what drains, sends and plots on 1"
SETUP = Setup((80, 80, 40), 8, 4, 2, (AFTERWARDS, "files"), messages=False)


def run_of(way, own, last, start=0.0):
    frames = [start + own * k / 4 for k in range(4)]
    return Run(
        way, own, own * 1.01, last, 0.02, committed=frames, waits=[(t - 0.1, t) for t in frames],
        writes=[(t, t + 0.2) for t in frames], plots=[(t + 0.3, t + 0.5) for t in frames],
    )  # fmt: skip


RUNS = [run_of(AFTERWARDS, 10.0, 16.0), run_of("files", 10.0, 10.4), run_of(AFTERWARDS, 20.0, 34.0),
        run_of("files", 20.0, 22.0)]  # fmt: skip


def test_medians_are_of_ratios_within_a_round():
    afterwards, files = show.to_json(SETUP, PLACED, RUNS, [])["ways"]
    assert afterwards["last_plot"] == pytest.approx((1.6 + 1.7) / 2)
    assert files["last_plot"] == pytest.approx((1.04 + 1.1) / 2)
    assert files["waits"] == pytest.approx((0.4 / 10 + 0.4 / 20) / 2)
    assert files["latency"] == pytest.approx(0.3)
    assert files["plot"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("afterwards", "meanwhile", "words"),
    [(16.0, 10.4, "reached: files, last plot at 1.040"), (16.0, 10.6, "missed: files, last plot at 1.060"),
     (14.0, 10.4, "Nothing is judged: plots afterwards end at 1.40")],
)  # fmt: skip
def test_the_goal_is_judged_where_plots_afterwards_take_long_enough(afterwards, meanwhile, words):
    console = Console(record=True, width=200)
    runs = [run_of(AFTERWARDS, 10.0, afterwards), run_of("files", 10.0, meanwhile)]
    show.table(console, show.to_json(SETUP, PLACED, runs, []))
    assert words in console.export_text()


def test_rounds_measured_in_pieces_are_those_of_one_measurement(tmp_path):
    whole = show.to_json(replace(SETUP, repeats=4), PLACED, RUNS, [planes.Sent("ucx", 4, 1024, 1e-4, 1e7)])
    pieces = [tmp_path / "morning.json", tmp_path / "evening.json"]
    for piece, runs, sent in zip(pieces, (RUNS[:2], RUNS[2:]), ([], whole["messages"]), strict=True):
        content = show.to_json(SETUP, PLACED, runs, [planes.Sent(**one) for one in sent])
        piece.write_text(json.dumps(content))
    found = json.loads(json.dumps(show.together(pieces)))
    assert found["ways"] == json.loads(json.dumps(whole["ways"]))
    assert {name: found[name] for name in ("setup", "messages")} == json.loads(
        json.dumps({name: whole[name] for name in ("setup", "messages")})
    )
    assert [(run["way"], run["own"]) for run in found["runs"]] == [
        (AFTERWARDS, 10.0), (AFTERWARDS, 20.0), ("files", 10.0), ("files", 20.0)
    ]  # fmt: skip


def test_pieces_may_be_of_other_ways_but_not_of_another_case(tmp_path):
    console = Console(record=True, width=200)
    pieces = [tmp_path / "morning.json", tmp_path / "evening.json"]
    first = show.to_json(replace(SETUP, repeats=1), PLACED, RUNS[:2], [])
    evening = [RUNS[2], run_of("evpath", 20.0, 20.8)]
    second = show.to_json(replace(SETUP, repeats=1, ways=(AFTERWARDS, "evpath")), PLACED, evening, [])
    for piece, content in zip(pieces, (first, second), strict=True):
        piece.write_text(json.dumps(content))
    found = show.together(pieces)
    assert found["setup"]["ways"] == [AFTERWARDS, "files", "evpath"]
    assert [(way["way"], len(way["last_plots"])) for way in found["ways"]] == [
        (AFTERWARDS, 2), ("files", 1), ("evpath", 1)
    ]  # fmt: skip
    show.table(console, found)
    assert "Goal of 1.05 reached: evpath, last plot at 1.040" in console.export_text()
    other = show.to_json(replace(SETUP, every=2), PLACED, RUNS[:2], [])
    pieces[1].write_text(json.dumps(other))
    with pytest.raises(UserError, match=r"evening.json has every 2, .*morning.json has 4"):
        show.together(pieces)


def test_messages_measured_alone_are_shown_alone_and_beside_rounds(tmp_path):
    alone = Setup((80, 80, 40), 0, 0, 0, (AFTERWARDS, "files"), messages=True)
    sent = [planes.Sent(plane, queue, size, 1e-3, 5e6)
            for plane, queue in (("files", None), ("ucx", 0)) for size in (1024, 1 << 20)]  # fmt: skip
    pieces = [tmp_path / "rounds.json", tmp_path / "messages.json"]
    for piece, setup, runs, messages in zip(pieces, (SETUP, alone), (RUNS, []), ([], sent), strict=True):
        piece.write_text(json.dumps(show.to_json(setup, PLACED, runs, messages)))
    for files, rounds in ((pieces, True), (pieces[1:], False)):
        console = Console(record=True, width=200)
        found = show.together(files)
        show.table(console, found)
        said = console.export_text()
        assert "ucx, queue 0" in said
        assert "1 KiB" in said
        assert "5.0" in said
        assert ("Goal of 1.05" in said) == rounds
        show.draw(tmp_path / "picture.png", found)
        assert (tmp_path / "picture.png").stat().st_size > 5_000


def test_messages_are_read_as_the_program_prints_them():
    lines = [
        "files          1024 B       0.50 ms        1.2 MB/s",
        "ucx:4     67108864 B     125.00 ms      640.0 MB/s",
    ]
    first, last = planes.parse("\n".join(lines))
    assert first == planes.Sent("files", None, 1024, 0.5e-3, 1.2e6)
    assert last == planes.Sent("ucx", 4, 67108864, 0.125, 640e6)
    assert (first.way, last.way) == ("files", "ucx, queue 4")


def test_what_other_programs_take_of_the_processor_is_told_and_nothing_of_its_own(monkeypatch):
    before = others._busy()
    subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.2: pass"], check=True)
    assert others._busy() - before > 0.15
    monkeypatch.setattr(others, "_busy", lambda: others._own() + 1.5 * time.monotonic())
    counted = others.Others()
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    assert counted.cores() == pytest.approx(1.5, rel=0.01)


def test_a_way_that_is_not_known_is_refused_with_those_that_are():
    with pytest.raises(UserError, match=r"no way telepathy; there are: pnetcdf then plots; files; evpath"):
        chosen(["telepathy"])
    assert chosen(["files"]) == (AFTERWARDS, "files")


def test_every_frame_is_plotted_in_every_way(squall, tmp_path):
    try:
        locate.model_binary()
        io_library.library()
    except (UserError, io_library.Error):
        pytest.skip("squall-model is not built (make build)")
    done = squall(
        "lab", "pipeline", "--size", 24, 24, 12, "--steps", 4, "--every", 4, "--repeats", 1, "--no-messages",
        "--ways", "files,evpath", "--results", "found.json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    ways = {way["way"]: way for way in found["ways"]}
    assert {AFTERWARDS, "files"} <= set(ways) <= {AFTERWARDS, "files", "evpath"}
    for run in found["runs"]:
        assert len(run["plots"]) == len(run["committed"]) == found["setup"]["frames"] == 2
        assert 0 < run["plots"][0][0] < run["last_plot"]
        assert run["last_plot"] == run["plots"][-1][1]
        if run["way"] == AFTERWARDS:
            assert run["plots"][0][0] > run["model"]
    assert ways[AFTERWARDS]["last_plot"] > ways[AFTERWARDS]["model"]
    picture = tmp_path / "runs" / "pipeline" / "pipeline.png"
    assert picture.stat().st_size > 10_000
    assert len(list((tmp_path / "runs" / "pipeline").glob("files-plots/*.png"))) == 2
    again = squall("lab", "pipeline", "found.json", "-o", "again")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again" / "pipeline.png").stat().st_size > 10_000


@pytest.fixture
def rounds_made(monkeypatch):
    """Rounds are those of RUNS and one over the network; what was set up."""
    asked = []
    made = [*RUNS, run_of("evpath", 10.0, 10.2), run_of("evpath", 20.0, 20.4)]
    monkeypatch.setattr(
        in_situ.rounds, "fitted", lambda setup, *_: asked.append(setup) or replace(setup, steps=8, every=4)
    )
    monkeypatch.setattr(in_situ.rounds, "measure", lambda setup, *_: made)
    return asked, made


def test_the_item_tells_the_last_plot_over_that_of_plots_afterwards_as_the_study_does(rounds_made, context):
    [item] = in_situ.ITEMS
    found = json.loads(json.dumps(item.measure(context)))
    [setup] = rounds_made[0]
    assert (setup.ways, setup.repeats, setup.messages) == ((AFTERWARDS, "files", "evpath", "ucx"), 1, False)
    times, cores = item.tables(found)
    assert [row[:3] for row in times.rows] == [
        [AFTERWARDS, "1.00", "1.65"],
        ["files", f"{1.07 / 1.65:.2f}", "1.07"],
        ["evpath", f"{1.02 / 1.65:.2f}", "1.02"],
    ]  # fmt: skip
    assert cores.rows == [[found["placed"]]]
    assert item.published().rows[-1] == ["streamed by SST", 0.5]
    figure = runner.figure(item, {"found": found})
    assert [axes.get_title() for axes in figure.axes[:2]] == ["published", "Squall, this machine"]
    assert len(figure.axes) == 2 + 3  # a row of who did what for each way


def test_the_item_says_what_it_lacks_where_there_is_nothing_to_compare(rounds_made, context):
    rounds_made[1][:] = [run_of("files", 10.0, 10.4)]
    with pytest.raises(UserError, match=r"only files of the ways.*libpnetcdf-dev"):
        in_situ.measure(context)
