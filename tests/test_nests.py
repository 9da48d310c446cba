"""Nests: where they may lie, what they write, and what passes between them and their parents."""

import json
import subprocess

import numpy as np
import pytest
from matplotlib.patches import Rectangle

import commands
import squall.plot
from squall import locate
from squall.errors import UserError
from squall.lab.verify import bit_for_bit, storm_with_nests
from squall.reader.dataset import open_run

pytestmark = [pytest.mark.regression, pytest.mark.seconds(40)]

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)

STORM = (
    storm_with_nests.storm(20, 18)
    + """
[tracer.smoke]
source = ["21 km", "19 km", "500 m"]
rate = "3 kg/s"

[tracer.far]
source = ["3 km", "3 km", "500 m"]
rate = "3 kg/s"

[output.history]
interval = "1 min"
frames_per_file = 10

[output.most]
interval = "1 min"
frames_per_file = 10
fields = ["W", "T"]
over_time = { W = "max", T = "mean" }
"""
)
NEST = storm_with_nests.nest(7, 6, 24, 24)


def run(folder, text, *more):
    run_file = folder / "storm.toml"
    run_file.write_text(text)
    command = [locate.model_binary(), run_file, "--set", f"run.directory={folder / 'out'}", *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def storm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nested")
    done = run(folder, STORM + NEST)
    assert done.returncode == 0, done.stderr
    return folder / "out"


@pytest.mark.parametrize(("path", "file"), [("wrfout_d01.nc", "wrfout_d02.nc"), ("of.nc", "of_d02.nc")])
def test_a_nests_files_are_found_whatever_they_are_called(tmp_path, path, file):
    done = run(tmp_path, STORM + NEST, "--set", f"output.history.path={path}", "--set", "run.duration=1 min")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / file).is_file()
    assert open_run(tmp_path / "out", domain=2).sizes["west_east"] == 24
    assert open_run(tmp_path / "out", stream="history_d02").sizes["west_east"] == 24
    frames = squall.follow(tmp_path / "out", domain=2, timeout=60)
    assert [frame.sizes["west_east"] for frame in frames] == [24, 24]


def test_a_nest_writes_a_history_of_its_own(storm):
    nest = open_run(storm, domain=2)
    assert nest.sizes["west_east"] == 24
    assert nest.sizes["Time"] == 3
    told = {
        name: int(nest.attrs[name])
        for name in ("GRID_ID", "PARENT_ID", "I_PARENT_START", "PARENT_GRID_RATIO")
    }
    assert told == {"GRID_ID": 2, "PARENT_ID": 1, "I_PARENT_START": 7, "PARENT_GRID_RATIO": 3}
    assert nest.attrs["SQUALL_DOMAIN_NAME"] == "inner"
    assert "SQUALL_DOMAIN_NAME" not in open_run(storm).attrs
    assert nest.attrs["DX"] == pytest.approx(2000 / 3)
    assert float(nest.attrs["DT"]) == 4


def test_the_status_of_the_run_lists_the_nest_and_its_stream(storm):
    told = json.loads((storm / "status.json").read_text())
    outer, inner = told["domains"]
    assert (outer["domain"], inner["domain"], inner["parent"], inner["name"]) == (1, 2, 1, "inner")
    assert (inner["nx"], inner["dx"], inner["time_step"]) == (24, pytest.approx(2000 / 3), 4)
    streams = {stream["name"]: stream for stream in told["streams"]}
    assert {"history": 1, "history_d02": 2}.items() <= {n: s["domain"] for n, s in streams.items()}.items()
    assert streams["history_d02"]["frames"] == streams["history"]["frames"] == 3


def test_the_parent_has_the_nests_averages_but_for_its_outermost_row(storm):
    parent, nest = open_run(storm), open_run(storm, domain=2)
    fine = nest["W"].isel(Time=-1).values
    means = fine.reshape(fine.shape[0], 8, 3, 8, 3).mean(axis=(2, 4))
    coarse = parent["W"].isel(Time=-1).values[:, 5:13, 6:14]
    scale = np.abs(coarse).max()
    assert scale > 1, "there is a storm to compare"
    np.testing.assert_allclose(coarse[:, 1:-1, 1:-1], means[:, 1:-1, 1:-1], atol=1e-5 * scale)
    ring = np.abs(coarse - means)
    ring[:, 1:-1, 1:-1] = 0
    assert ring.max() > 1e-5 * scale, "the row along the sides is the parent's own"


def test_a_source_within_a_nest_gives_off_as_much_there_as_it_says(storm):
    nest = open_run(storm, domain=2).isel(Time=-1)
    thickness = -nest["DNW"].values[:, None, None] * (nest["MUB"] + nest["MU"]).values
    given_off = float((nest["smoke"].values * thickness).sum()) / 9.81 * float(nest.attrs["DX"]) ** 2
    assert given_off == pytest.approx(3 * 120, rel=1e-4)
    assert float(np.abs(nest["far"]).max()) < 1e-15, "what lies outside of the nest has hardly come in yet"
    assert float(open_run(storm).isel(Time=-1)["far"].max()) > 0


def test_what_is_made_over_time_has_every_step_of_the_nest(storm):
    most = open_run(storm, domain=2, stream="most")
    history = open_run(storm, domain=2)
    for frame in (1, 2):
        top, now = most["WMAX"].isel(Time=frame).values, history["W"].isel(Time=frame).values
        assert (top >= now).all()
        assert (top > now).any()


STREAMS = """
[output.history_d02]
interval = "30 s"
fields = ["W"]
"""


def test_a_table_says_what_a_nests_stream_does_otherwise(tmp_path):
    text = STORM.replace('time_step = "12 s"', 'time_step = "6 s"') + NEST + STREAMS
    done = run(tmp_path, text, "--set", "run.duration=1 min")
    assert done.returncode == 0, done.stderr
    parent, nest = open_run(tmp_path / "out"), open_run(tmp_path / "out", domain=2)
    assert (parent.sizes["Time"], nest.sizes["Time"]) == (2, 3)
    assert "W" in nest
    assert "U" not in nest


def test_a_nest_lives_from_its_start_to_its_end(tmp_path):
    life = 'start = "24 s"\nend = "84 s"\n'
    text = STORM.replace('interval = "1 min"', 'interval = "12 s"')
    done = run(tmp_path, text + NEST + life)
    assert done.returncode == 0, done.stderr
    parent, nest = open_run(tmp_path / "out"), open_run(tmp_path / "out", domain=2)
    assert parent.sizes["Time"] == 11
    seconds = (nest["XTIME"] - parent["XTIME"][0]) / np.timedelta64(1, "s")
    np.testing.assert_allclose(seconds, [24, 36, 48, 60, 72, 84], atol=1e-3)
    # It begins as its parent is then, interpolated: where cells have one middle the two are the same.
    first, then = nest.isel(Time=0)["T"].values, parent.isel(Time=2)["T"].values
    np.testing.assert_array_equal(first[:, 1::3, 1::3], then[:, 5:13, 6:14])
    assert np.ptp(then[:, 5:13, 6:14]) > 3
    # The parent has its averages up to its end, and then goes on by itself.
    for frame, same in ((7, True), (8, False)):
        fine, coarse = nest["W"].isel(Time=5).values, parent["W"].isel(Time=frame).values
        means = fine.reshape(fine.shape[0], 8, 3, 8, 3).mean(axis=(2, 4))[:, 1:-1, 1:-1]
        off = np.abs(coarse[:, 6:12, 7:13] - means).max() / np.abs(means).max()
        assert (off < 1e-5) == same


@pytest.fixture(scope="module")
def later(tmp_path_factory):
    """(text of a run whose nest begins later and ends before it, its directory)"""
    life = 'start = "24 s"\nend = "84 s"\n'
    text = STORM.replace("frames_per_file = 10", "frames_per_file = 1") + NEST + life
    text = text.replace('interval = "1 min"', 'interval = "12 s"')  # what ended must write no more
    folder = tmp_path_factory.mktemp("later")
    assert run(folder, text + '[output.restart]\ninterval = "12 s"\n').returncode == 0
    return text, folder / "out"


@pytest.mark.parametrize("at", ["12 s", "24 s", "48 s", "84 s", "96 s"])
def test_a_nest_that_begins_later_has_the_same_bits_through_a_restart(later, tmp_path, at):
    text, whole = later
    restart = f'[output.restart]\ninterval = "{at}"\n'
    done = run(tmp_path, text + restart, "--set", f"run.duration={at}")
    assert done.returncode == 0, done.stderr
    last = sorted((tmp_path / "out").glob("restart_*"))[-1]
    done = run(tmp_path, text, "--set", f"run.restart_from={last}")
    assert done.returncode == 0, done.stderr
    for domain in (1, 2):
        one, other = open_run(whole, domain=domain), open_run(tmp_path / "out", domain=domain)
        for name in ("U", "W", "T", "MU", "QVAPOR"):
            assert one[name].values.tobytes() == other[name].values.tobytes(), (domain, name)


@pytest.mark.parametrize("rule", ["bilinear", "nearest"])
def test_a_nest_begins_by_the_interpolation_asked_for(tmp_path, rule):
    done = run(tmp_path, STORM + NEST + f'interpolation = "{rule}"\n', "--set", "run.duration=1 min")
    assert done.returncode == 0, done.stderr
    parent, nest = open_run(tmp_path / "out"), open_run(tmp_path / "out", domain=2)
    coarse, fine = parent["T"].isel(Time=0).values, nest["T"].isel(Time=0).values
    if rule == "nearest":
        wanted = np.repeat(np.repeat(coarse[:, 5:13, 6:14], 3, axis=1), 3, axis=2)
        # Two-way, the parent has its nest's means, summed in single precision.
        np.testing.assert_allclose(fine, wanted, atol=2e-5 * np.abs(wanted).max())
        return
    assert fine.max() <= coarse[:, 4:14, 5:15].max() + 1e-4
    assert np.isfinite(nest["T"].values).all()


def test_smoothing_leaves_less_of_what_is_short_in_the_parent(tmp_path):
    short = {}
    for smoothing in ("none", "smooth-desmooth", "1-2-1"):
        (tmp_path / smoothing).mkdir()
        done = run(tmp_path / smoothing, STORM + NEST + f'smoothing = "{smoothing}"\n')
        assert done.returncode == 0, done.stderr
        w = open_run(tmp_path / smoothing / "out")["W"].isel(Time=-1).values[:, 7:11, 8:12]
        short[smoothing] = np.abs(np.diff(w, 2, axis=-1)).max()
    assert short["none"] > short["smooth-desmooth"] > short["1-2-1"]


@pytest.fixture(scope="module")
def one_way(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one-way")
    assert run(folder, STORM + NEST + "feedback = false\n").returncode == 0
    return folder / "out"


def test_one_way_the_parent_does_not_know_of_the_nest(one_way, tmp_path):
    assert run(tmp_path, STORM).returncode == 0
    alone, beside = open_run(tmp_path / "out"), open_run(one_way)
    for name in ("U", "V", "W", "T", "PH", "MU", "QVAPOR"):
        assert alone[name].values.tobytes() == beside[name].values.tobytes(), name


def test_numbers_of_its_own_are_those_of_the_nest_alone(one_way, tmp_path):
    own = 'sixth_order = "monotonic"\nsixth_order_factor = 0.5\n'
    assert run(tmp_path, STORM + NEST + "feedback = false\n" + own).returncode == 0
    found = {}
    for name, out in (("parents", one_way), ("own", tmp_path / "out")):
        found[name] = [open_run(out, domain=n)["W"].isel(Time=-1).values for n in (1, 2)]
    assert found["own"][0].tobytes() == found["parents"][0].tobytes()
    short = [np.abs(np.diff(found[name][1], 2, axis=-1)).max() for name in ("own", "parents")]
    print("W of two grid lengths with the filter and without", short)
    assert short[0] < 0.98 * short[1]


def weather(boundary_layer):
    """The storm over a sea, in a parent with a scheme of the boundary layer."""
    surface_layer = "eta" if boundary_layer == "myj" else "revised-mm5"
    sea = f"""surface_layer = "{surface_layer}"
boundary_layer = "{boundary_layer}"
surface_temperature = "302 K"

[diffusion]
scheme = "smagorinsky-2d"

[output.restart]
interval = "1 min"

[initial]"""
    return STORM.replace("[initial]", sea).replace("frames_per_file = 10", "frames_per_file = 1")


EDDIES = """boundary_layer = "resolved"
diffusion = "tke"
diffusion_surfaces = "physical"
mix_full_fields = true
"""
#: The boundary layer of the parent, what the nest has of its own, and the energies that they carry.
MIXING = {
    "eddies in ysu": ("ysu", EDDIES, [set(), {"TKE"}]),
    "eddies in mynn": ("mynn", EDDIES, [{"QKE"}, {"TKE"}]),
    "mynn in ysu": ("ysu", 'boundary_layer = "mynn"\n', [set(), {"QKE"}]),
    "mynn in mynn": ("mynn", 'diffusion = "none"\n', [{"QKE"}, {"QKE"}]),
    "myj in myj": ("myj", 'diffusion = "none"\n', [{"QKE"}, {"QKE"}]),
    "plumes in mynn": ("mynn", 'boundary_layer = "mynn-edmf-advected"\n', [{"QKE"}, {"QKE"}]),
    "plumes in plumes": ("mynn-edmf", 'diffusion = "none"\n', [{"QKE"}, {"QKE"}]),
}


#: Those that every change is tested by; the others take the same way.
ALWAYS = ("eddies in mynn", "mynn in ysu")


@pytest.mark.parametrize(
    ("parents", "own", "carried"),
    [
        pytest.param(*of, id=name, marks=[pytest.mark.long] * (name not in ALWAYS))
        for name, of in MIXING.items()
    ],
)
def test_a_nest_mixes_by_a_scheme_of_its_own_to_the_same_bits(parents, own, carried, tmp_path):
    text = weather(parents) + NEST + own
    run_file, out = tmp_path / "storm.toml", tmp_path / "out"
    assert run(tmp_path, text).returncode == 0
    energies = [open_run(out, domain=n) for n in (1, 2)]
    assert [{"TKE", "QKE"} & set(found.data_vars) for found in energies] == carried
    for found, names in zip(energies, carried, strict=True):
        for name in names:
            assert 0.01 < float(found[name].isel(Time=-1).max()) < 30
    again = ["--set", f"run.directory={tmp_path / 'two'}"]
    commands.squall(["run", run_file, "-n", "2", *again], tmp_path).check_returncode()
    assert bit_for_bit.differences(out, tmp_path / "two", whole=True) == []
    (at,) = out.glob("restart_*_00:01:00.nc")
    again = ["--set", f"run.directory={tmp_path / 'on'}", "--set", f"run.restart_from={at}"]
    subprocess.run([locate.model_binary(), run_file, *again], check=True, capture_output=True, timeout=300)
    assert bit_for_bit.differences(out, tmp_path / "on", whole=False) == []


def test_a_parent_does_not_feel_how_a_one_way_nest_mixes(tmp_path):
    found = {}
    for name, keys in (("parents", ""), ("own", EDDIES)):
        (tmp_path / name).mkdir()
        done = run(tmp_path / name, weather("ysu") + NEST + "feedback = false\n" + keys)
        assert done.returncode == 0, done.stderr
        found[name] = [open_run(tmp_path / name / "out", domain=n)["U"].isel(Time=-1).values for n in (1, 2)]
    assert found["own"][0].tobytes() == found["parents"][0].tobytes()
    assert np.abs(found["own"][1] - found["parents"][1]).max() > 1e-3


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ('boundary_layer = "none"', "for a nest that resolves eddies"),
        (
            'boundary_layer = "resolved"\ndiffusion = "smagorinsky-3d"',
            'needs diffusion_surfaces = "physical"',
        ),
        ('diffusion = "constant"', "needs horizontal_viscosity, vertical_viscosity or both"),
        ('vertical_viscosity = "5 m2/s"', "already does; set vertical_viscosity = 0"),
        (
            'diffusion = "none"\ndiffusion_surfaces = "physical"',
            "has no effect without a scheme of diffusion",
        ),
    ],
)
def test_mixing_of_a_nest_that_cannot_be_is_refused(keys, told, tmp_path):
    done = run(tmp_path, weather("ysu") + NEST + keys + "\n", "--plan")
    assert done.returncode == 2, done.stdout
    assert told in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("nest", "told"),
    [
        (
            NEST.replace("nx = 24", "nx = 25"),
            "nest.inner.nx = 25 is not a multiple of parent_grid_ratio = 3; 24 or 27",
        ),
        (NEST.replace("start = 7", "start = 11"), "it can begin at 10 at the latest"),
        (NEST.replace("start = 7", "start = 3"), "i_parent_start"),
        (NEST + 'parent = "outer"\n', 'nest.inner.parent = "outer" does not lead to the outermost domain'),
        (NEST + NEST.replace("inner", "other"), "nest.other and nest.inner overlap"),
        (NEST.replace("ny = 24\n", ""), 'key "ny" is missing in [nest.inner]'),
        ("[nest]\ninner = 3\n", "[nest] holds one table per nest"),
        (
            NEST.replace("i_parent_start = 7\n", ""),
            "nest.inner: i_parent_start and j_parent_start go together",
        ),
        (NEST + 'smoothing = "121"\n', 'did you mean "1-2-1"?'),
        (NEST + 'initial_file = "wrfinput_d02"\n', "nest.inner.initial_file: the outermost domain has none"),
        (NEST + 'start = "30 s"\n', "nest.inner.start = 30 s is not a whole number of time steps"),
    ],
)
def test_a_nest_that_cannot_be_is_refused_with_what_would_work(tmp_path, nest, told):
    done = run(tmp_path, STORM + nest, "--plan")
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split())


def test_a_plan_tells_when_a_nest_lives(tmp_path):
    done = run(tmp_path, STORM + NEST + 'start = "24 s"\n', "--plan")
    assert "life           from 24 s to the end of the run" in done.stdout


def test_a_plan_tells_of_each_nest(tmp_path):
    done = run(tmp_path, STORM + NEST, "--plan")
    assert done.returncode == 0, done.stderr
    assert "nest inner" in done.stdout
    assert "in cells 7 to 14 west-east and 6 to 13 south-north of the outermost domain" in done.stdout
    assert "30 steps of 4 s" in done.stdout
    assert "history_d02" in done.stdout


def test_a_picture_of_the_parent_shows_where_the_nest_lies(storm):
    figure = squall.plot.figure(open_run(storm), field="W", level="5 km")
    (nest,) = [patch for ax in figure.axes for patch in ax.patches if isinstance(patch, Rectangle)]
    assert nest.get_xy() == pytest.approx((12, 10))
    assert (nest.get_width(), nest.get_height()) == pytest.approx((16, 16))
    assert any(text.get_text() == "inner" for ax in figure.axes for text in ax.texts)


def test_a_picture_of_the_nest_is_of_it_alone(storm):
    figure = squall.plot.figure(open_run(storm, domain=2), field="W", level="5 km")
    assert not [patch for ax in figure.axes for patch in ax.patches if isinstance(patch, Rectangle)]


@pytest.mark.parametrize(
    ("keys", "noted"),
    [("parent_grid_ratio = 2\n", True), ("parent_grid_ratio = 2\nfeedback = false\n", False), ("", False)],
)
def test_an_even_ratio_with_feedback_is_noted_by_the_plan_and_in_the_log(tmp_path, keys, noted):
    told = "feedback with parent_grid_ratio = 2: WRF expects odd ratios"
    nest = NEST.replace("= 24", "= 16" if keys else "= 24") + keys
    plan = run(tmp_path, STORM + nest, "--plan")
    assert plan.returncode == 0, plan.stderr
    assert (told in plan.stdout) == noted
    done = run(tmp_path, STORM + nest, "--set", "run.duration=12 s")
    log = (tmp_path / "out" / "run.log").read_text()
    assert ("nest inner: " + told in log) == noted, done.stderr
