"""Studies at their scale: curves of simulated runs, held to published points and findings."""

import json
import tomllib

import pytest

from squall import locate
from squall.errors import UserError
from squall_studies import calibration, planning
from squall_studies import numbers as pages
from squall_studies.reproduce import charts, curves, runner, simulated
from squall_studies.reproduce.item import Context
from squall_studies.reproduce.simulated import Curve, Run, Shape

CELLS = (200, 100, 20)
OPTIONS = ("PnetCDF", "split files", "ADIOS2", "burst buffer", "burst buffer, codec")
NUMBERS = locate.CHECKOUT / "planner" / "NUMBERS.md"


def answer(seconds, machine="a machine"):
    stream = {"perceived": seconds, "drain": 2 * seconds, "busy": {"copy": 0.1, "targets": 0.2}}
    return {
        "streams": [stream], "step": {"seconds": 0.5}, "machine": machine, "calibrated": "here",
        "method": "simgrid", "run": {"cost": 1.01},
    }  # fmt: skip


def a_curve(**changes):
    values = {
        "name": "adios2-simulated-options", "study": "adios2", "x": (1, 8), "quick": (1,), "label": "nodes",
        "seconds": "a frame",
        "series": {name: lambda n: Run("today", CELLS, n) for name in OPTIONS},
        "value": simulated.perceived, "calibrated": "a point", "at": ("PnetCDF", 8),
        "shapes": (
            Shape("it falls", lambda p: p["ADIOS2"][8] < p["ADIOS2"][1], "it does not"),
            Shape("it rises", lambda p: p["ADIOS2"][8] > p["ADIOS2"][1], "it does not"),
        ),
    }  # fmt: skip
    return Curve(**(values | changes))


@pytest.fixture
def asked(monkeypatch):
    """Questions; a frame of n ranks takes 8 / n s, of which 93 s are PnetCDF's on 8 nodes."""
    questions = []

    def ask(question):
        questions.append(question)
        return answer(8 / question.ranks)

    monkeypatch.setattr(planning, "ask", ask)
    return questions


def test_a_curve_tells_published_from_simulated_and_which_findings_come_out(asked, context):
    curve = a_curve()
    found = curve.measure(context)
    assert len(asked) == 2 * len(OPTIONS)
    points, against, findings = curve.tables(found)
    assert points.rows[-1][:2] == ["8", "1"]
    by_name = {row[0]: row[-1] for row in against.rows}
    assert by_name["PnetCDF, 8 nodes"] == "calibrated on"
    assert by_name["burst buffer, 8 nodes"] == "-9 %"  # 1 s for 1.1
    assert by_name["mean error of what was predicted"] == "63 %"  # of -88, -9 and +92 %
    assert [row[1:] for row in findings.rows[:2]] == [["yes", ""], ["no", "it does not"]]
    _, against, _ = curve.tables(found | {"method": "closed-form"})
    assert "calibrated on" not in {row[-1] for row in against.rows}
    item = curve.item("A figure", "Measured.")
    runner.figure(item, {"found": found})


def test_a_look_lacks_the_points_that_findings_need(asked, context):
    curve = a_curve()
    found = curve.measure(Context(context.workspace, True, 1, context.status))
    _, findings = curve.tables(found)  # no published point was simulated
    assert [row[1] for row in findings.rows[:2]] == ["no", "no"]


def test_a_run_says_engine_placement_and_servers_to_the_planner():
    run = Run(
        "today", CELLS, 64, "netcdf", placement="servers", servers=4, way="quilt", local=True,
        method="closed-form",
    )  # fmt: skip
    question = run.question()
    assert {'output.history.engine="netcdf"', "output.servers=4", "domain.nx=200"} <= set(question.settings)
    assert (question.way, question.local, question.ranks) == ("quilt", True, 64)
    assert question.method == "closed-form"


def test_ours_are_held_to_the_best_of_the_study_and_a_refusal_is_told(monkeypatch, context):
    def ask(question):
        if any("pnetcdf" in setting for setting in question.settings):
            raise UserError("too many ranks")
        return answer(0.1 if any("thread" in setting for setting in question.settings) else 0.9)

    monkeypatch.setattr(planning, "ask", ask)
    item = simulated.ours(Run("today", CELLS, 8), 2, "adios2-simulated-squall", "adios2")
    found = item.measure(context)
    [table] = item.tables(found)
    beaten = {row[0]: row[-1] for row in table.rows}
    assert beaten["zarr, zstd, thread"] == "yes"
    assert beaten["zarr, zstd, inline"] == "no: ranks lose more"
    assert "too many ranks" in {row[4] for row in table.rows}
    assert table.columns[-1] == "less than 0.52 s, and 1.02 of the steps"
    assert item.missing() == ""
    late = found | {"rows": [row | {"cost": 12.3} for row in found["rows"]]}
    not_stored = "a frame is not stored when the next comes"
    assert {row[-1] for row in item.tables(late)[0].rows} == {
        f"no: {not_stored}",
        f"no: ranks lose more, {not_stored}",
        "",
    }
    runner.figure(item, {"found": found})


@pytest.mark.parametrize(
    ("least", "most", "scale"), [(95.0, 288.0, "linear"), (3.7, 56.0, "log"), (0.4, 93.0, "log")]
)
def test_seconds_are_on_an_axis_whose_ticks_tell_of_them(least, most, scale):
    figure, _, axes = charts.beside(None)
    axes.plot([1, 2], [least, most])
    charts.seconds_axis(axes)
    figure.draw_without_rendering()
    low, high = axes.get_ylim()
    assert axes.get_yscale() == scale
    assert sum(low <= tick <= high for tick in axes.get_yticks()) >= 2


def holds(name, number, points):
    """Whether a finding of an item comes out of points."""
    return simulated._holds(curves.curve(name).shapes[number], points)


def test_findings_are_told_from_points():
    flat, rising = {1: 20.0, 2: 21.0}, {1: 5.0, 2: 11.0}
    assert holds("hector-simulated-layers", 0, {"serial": flat})
    assert not holds("hector-simulated-layers", 0, {"serial": rising})
    assert not holds("hector-simulated-layers", 0, {"serial": {1: 100.0, 2: 101.0}})
    assert holds("hector-simulated-layers", 1, {"PnetCDF": rising})
    assert not holds("hector-simulated-layers", 1, {"PnetCDF": flat})
    of_servers = {4: 2.0, 12: 1.0, 64: 3.0}
    assert holds("hector-simulated-servers", 0, {"WRF's servers": of_servers})
    assert not holds("hector-simulated-servers", 0, {"WRF's servers": of_servers | {4: 0.5}})
    levels = {"InfiniBand": {12: 2.0, 24: 1.0}, "Gigabit Ethernet": {12: 2.0, 24: 1.5}}
    assert holds("council-simulated-networks", 0, levels)
    assert not holds("council-simulated-networks", 0, levels | {"Gigabit Ethernet": {12: 2.0, 24: 1.1}})
    assert not holds(
        "council-simulated-networks", 0, {"InfiniBand": {12: 2.0}, "Gigabit Ethernet": {12: 2.0}}
    )
    split = {"split files": {1: 2.0, 8: 3.1}}
    assert holds("adios2-simulated-options", 0, split)
    assert not holds("adios2-simulated-options", 0, {"split files": {1: 2.0, 8: 2.9}})
    assert holds("adios2-simulated-options", 2, {"burst buffer": {1: 8.0, 8: 1.4}})
    assert not holds("adios2-simulated-options", 2, {"burst buffer": {1: 8.0, 8: 1.6}})


def test_a_run_of_a_curve_has_what_its_table_says_at_x():
    nodes = curves.curve("teragrid-simulated-hdf5").series
    assert nodes["serial netCDF"](8) == Run("sdsc-ia64", (600, 400, 20), 16, "netcdf", way="serial")
    striped = curves.curve("hector-simulated-stripes").series["PnetCDF, 16 MiB"](4)
    assert striped.storage == {"stripe_count": 4, "stripe_size": 16 << 20}
    threads = curves.curve("hector-simulated-layouts").series["XT5, ranks x 6 threads"](96)
    assert (threads.ranks, threads.threads) == (16, 6)


@pytest.mark.parametrize("file", sorted(locate.machines_folder().glob("*.toml")), ids=lambda file: file.stem)
def test_a_machine_that_comes_with_squall_can_be_planned_for_and_says_where_its_numbers_are_from(file):
    text = file.read_text()
    assert "assumed" in text
    cores = tomllib.loads(text)["nodes"]["cores"]
    run = Run(file.stem, CELLS, 2 * cores, "zarr").question()
    found = planning.ask(planning.Question(run.run_file, run.machine, run.ranks, settings=run.settings))
    assert found["nodes"] == 2
    assert found["streams"][0]["perceived"] > 0


@pytest.mark.parametrize("way", ["serial", "collective", "split", "aggregated"])
def test_other_programs_ways_to_write_can_be_asked_for(way):
    run = Run("sdsc-ia64", CELLS, 8, "netcdf", way=way)
    assert planning.ask(run.question())["streams"][0]["perceived"] > 0


#: Whether each finding of a study comes out, in their order (planner/README.md).
COME_OUT = {
    "hector-simulated-layers": [True, True],
    "hector-simulated-servers": [True],
    "teragrid-simulated-hdf5": [True, True],
    "council-simulated-networks": [True],
    "adios2-simulated-options": [False, True, True],
}


@pytest.mark.parametrize("name", COME_OUT)
def test_simulated_findings_come_out_as_they_are_told(name, context):
    [item] = [item for item in curves.ITEMS if item.name == name]
    try:
        # A quick look has the points that findings need.
        found = item.measure(Context(context.workspace, True, 1, context.status))
    except UserError as refused:
        if "is not in this build" not in str(refused):
            raise
        pytest.skip(str(refused))
    if found["method"] != "simgrid":
        pytest.skip("squall-planner is built without SimGrid")
    findings = item.tables(found)[-1]
    told = [row[1] == "yes" for row in findings.rows if row[1]]
    assert told == COME_OUT[name], findings.rows
    for row in pages.points(name, item.tables(found)):
        assert f"| {' | '.join(row)} |" in NUMBERS.read_text(), (
            "python -m squall_studies.numbers > planner/NUMBERS.md"
        )


@pytest.mark.parametrize("name", [name for name in pages.BESTS if "hector" not in name])  # takes a minute
def test_published_bests_are_beaten_as_they_are_told(name, context):
    if planning.ask(Run("today", CELLS, 2).question())["method"] != "simgrid":
        pytest.skip("squall-planner is built without SimGrid")
    rows = pages.against_best(name, Context(context.workspace, True, 1, context.status))
    told = NUMBERS.read_text()
    assert rows
    for row in rows:
        assert f"| {' | '.join(row)} |" in told, "python -m squall_studies.numbers > planner/NUMBERS.md"


def test_cores_take_what_was_measured():
    kept = json.loads((locate.machines_folder() / "calibration.json").read_text())
    made_by = "python -m squall_studies.calibration > planner/machines/calibration.json"
    assert kept == calibration.content(), made_by


def test_the_page_of_numbers_has_the_messages_that_are_planned():
    assert set(pages.messages()) <= set(NUMBERS.read_text().splitlines())
