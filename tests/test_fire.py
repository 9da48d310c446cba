"""A fire on the ground: what its runs write, how it acts on the air, what is refused, what WRF's becomes."""

import subprocess

import numpy as np
import pytest
from netCDF4 import Dataset

from namelists import SCHEMA, lost, namelist
from squall import locate
from squall.errors import UserError
from squall.wrf import fuels
from squall.wrf.translate import translate
from squall.wrf.write import verdict

pytestmark = pytest.mark.regression

RUN_FILE = locate.CHECKOUT / "run-files/grass-fire.toml"
SMALL = [
    "domain.nx=14", "domain.ny=12", "domain.nz=10", "vertical.top=1000 m", "run.duration=12 s",
    "fire.refinement_x=8", "fire.refinement_y=6", "fire.boundary_guard=3", "ignition.line.start_time=1 s",
    'ignition.line.start=["150 m", "200 m"]', 'ignition.line.end=["200 m", "400 m"]',
    "output.history.interval=0.5 s",
]  # fmt: skip


def model(folder, *settings):
    words = [word for setting in (*SMALL, *settings) for word in ("--set", setting)]
    command = [locate.model_binary(), RUN_FILE, "--set", f"run.directory={folder}", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def fields(folder, *names):
    with Dataset(next(folder.glob("*.nc"))) as file:
        return [np.asarray(file[name][:], dtype=np.float64) for name in names]


@pytest.fixture(scope="module")
def burnt(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fire") / "run"
    said = model(folder)
    assert said.returncode == 0, said.stderr
    return folder


def test_the_heat_of_a_run_is_that_of_the_fuel_that_burnt(burnt):
    heat, latent, left, water = fields(burnt, "FGRNHFX", "FGRNQFX", "FUEL_FRAC", "FMC_G")
    load, dt = 0.674, 0.5
    gone = load * (1 - left[-1])
    assert gone.sum() > 10  # of 12 s: kg in cells of 52 m2
    dry = gone / (1 + water[-1])
    assert heat.sum(axis=0) * dt == pytest.approx(dry * 17.433e6, rel=1e-4, abs=50)
    assert latent.sum(axis=0) * dt == pytest.approx((gone - dry + 0.56 * dry) * 2.5e6, rel=1e-4, abs=10)


def test_the_air_gets_the_mean_of_the_fires_fluxes(burnt):
    of_fire, of_air, left, mean_left = fields(burnt, "FGRNHFX", "GRNHFX", "FUEL_FRAC", "AVG_FUEL_FRAC")
    frames, ny, nx = of_air.shape
    assert of_fire.shape == (frames, ny * 6, nx * 8)
    blocks = (frames, ny, 6, nx, 8)
    assert of_air == pytest.approx(of_fire.reshape(blocks).mean(axis=(2, 4)), rel=1e-5)
    assert mean_left == pytest.approx(left.reshape(blocks).mean(axis=(2, 4)), rel=1e-5)
    assert of_air.max() > 10e3


def test_the_air_over_the_fire_is_warmed_and_rises(burnt):
    theta, w, heat = fields(burnt, "T", "W", "GRNHFX")
    hottest = np.unravel_index(heat[-1].argmax(), heat[-1].shape)
    assert theta[-1, 0][hottest] - theta[0, 0][hottest] > 0.5
    assert w[-1, 1][hottest] > 0.05


def test_smoke_has_its_share_of_the_mass_that_burnt(burnt):
    smoke, mub, mu, znw, left, water = fields(burnt, "smoke", "MUB", "MU", "ZNW", "FUEL_FRAC", "FMC_G")
    depth = -np.diff(znw.reshape(-1, znw.shape[-1])[-1])[:, None, None]
    air = (mub.reshape(-1, *mu.shape[1:])[-1] + mu[-1]) * depth / 9.81 * 50 * 50
    dry = 0.674 * (1 - left[-1]) / (1 + water[-1]) * (50 / 8) * (50 / 6)
    assert (smoke[-1] * air).sum() == pytest.approx(0.02 * dry.sum(), rel=1e-3)


def test_a_fire_without_feedback_leaves_the_air_alone(tmp_path):
    for folder, setting in (("none", "ignition.line.start_time=20 s"), ("alone", "fire.feedback=0")):
        said = model(tmp_path / folder, setting, "output.history.interval=12 s")
        assert said.returncode == 0, said.stderr
    (one,), (other,) = (fields(tmp_path / folder, "T") for folder in ("none", "alone"))
    assert (one == other).all()


def test_the_run_ends_when_fire_comes_near_the_sides(tmp_path):
    said = model(tmp_path / "run", "fire.boundary_guard=30")
    assert said.returncode != 0
    assert "fire.boundary_guard" in said.stdout + said.stderr


@pytest.mark.parametrize(
    ("setting", "because"),
    [
        ("fire.refinement_x=0", "fire.refinement_x"),
        ("fire.fuel_category=15", "fire.fuel_category"),
        ("fire.upwinding=weno7", "fire.upwinding"),
        ("fire.moisture=model", "needs the weather at 2 m"),
        ("fire.fuel=file", "needs initial.file"),
        ("fire.nest=inner", "is no nest of this run"),
        ('ignition.line.end=["900 m", "100 m"]', "ignition.line.end: 900 m from the western side is outside"),
        ('ignition.line.start=["40 degrees", "20 degrees"]', "need initial.file of a real case"),
        ("ignition.line.end_time=0.5 s", "is before its start_time"),
        ('output.history.fields=["LFN"]|output.history.stride=2', "is on the fire's cells"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_key_and_place(tmp_path, setting, because):
    said = model(tmp_path / "run", *setting.split("|"))
    assert said.returncode != 0
    assert because in said.stdout + said.stderr


#: As in em_fire, with keys of each kind.
FIRE = {
    "ifire": 2, "fire_fuel_read": 0, "fire_fuel_cat": 3, "fire_num_ignitions": 2, "fire_wind_height": 1.0,
    "fire_ignition_ros1": 0.1, "fire_ignition_start_x1": 1005, "fire_ignition_start_y1": 500,
    "fire_ignition_end_x1": 1005, "fire_ignition_end_y1": 1900, "fire_ignition_radius1": 18,
    "fire_ignition_start_time1": 2, "fire_ignition_end_time1": 502, "fire_upwinding": 3,
    "fire_boundary_guard": -1, "fire_print_msg": 2, "fire_mountain_type": 1,
}  # fmt: skip


def em_fire(**more):
    return {
        "domains": {"sr_x": 10, "sr_y": 10}, "fire": {**FIRE, **more}, "dynamics": {"tracer_opt": 3},
        "physics": {"mp_physics": 0}, "bdy_control": {"specified": False, "open_xs": True, "open_xe": True,
                                                      "open_ys": True, "open_ye": True},
    }  # fmt: skip


def test_wrfs_fire_and_its_ignitions_are_translated():
    made = translate(namelist(**em_fire()), SCHEMA)
    told = {key: value for key, (value, _) in made.settings().items()}
    assert verdict(made) == "Runs as it says."
    assert not made.unknown
    fire = {key: value for key, value in told.items() if key.startswith(("fire.", "ignition.", "tracer."))}
    assert fire == {
        "fire.fuel_category": 3, "fire.wind_height": "1 m", "fire.upwinding": "eno", "fire.boundary_guard": 0,
        "fire.roughness": "0.1 m", "ignition.line1.start": ["1005 m", "500 m"],
        "ignition.line1.end": ["1005 m", "1900 m"], "ignition.line1.radius": "18 m",
        "ignition.line1.rate": "0.1 m/s", "ignition.line1.start_time": "2 s",
        "ignition.line1.end_time": "502 s", "tracer.fire_smoke.smoke": 0.02,
    }  # fmt: skip


def test_wrfs_test_tracers_are_carried():
    made = translate(namelist(dynamics={"tracer_opt": 2}), SCHEMA)
    assert [key for key in made.settings() if key.startswith("tracer.")] == [
        f"tracer.tr17_{n}.convective_mixing" for n in range(1, 9)
    ]


@pytest.mark.parametrize(
    ("keys", "because"),
    [
        ({"ifire": 1}, "the only fire model is that of ifire = 2"),
        ({"fire_sfc_flx": 1}, "heat goes into the air exponentially with height"),
        ({"fs_firebrand_gen_lim": 10}, "there are no firebrands"),
        ({"fire_is_real_perim": True}, "no observed perimeter is read"),
        ({"fire_upwinding": 4}, "the slope of the level set is Godunov's"),
        ({"fire_ignition_radius2": 10.0}, "ignition 2 has no place"),
    ],
)
def test_what_of_wrfs_fire_is_lost_is_said(keys, because):
    assert any(because in line for line in lost(**em_fire(**keys)))


def table_of_fuels(**other):
    """WRF's namelist.fire with these fuels, else with those that a run has."""
    names = {"fgi": "load", "fueldepthm": "depth", "savr": "surface_to_volume", "fuelmce": "extinction",
             "weight": "weight"}  # fmt: skip
    table = {key: [fuel[name] for fuel in SCHEMA.fuels] for key, name in names.items()}
    table |= {"ichap": [int(fuel["chaparral"]) for fuel in SCHEMA.fuels], "fueldens": [32.0] * 13}
    for key, (category, value) in other.items():
        table[key][category - 1] = value
    lines = [f" {key} = {', '.join(map(str, values))}" for key, values in table.items()]
    return "\n".join(["&fuel_categories", *lines, "/", ""])


@pytest.mark.parametrize(
    ("text", "settings", "because"),
    [
        ("&fuel_scalars fuelmc_g = 0.18 /\n" + table_of_fuels(), {"fire.fuel_moisture": 0.18}, ""),
        (table_of_fuels(), {}, ""),
        (table_of_fuels(fgi=(4, 2.468)), {}, ""),  # a category that does not burn here
        (table_of_fuels(fgi=(3, 0.675)), {}, ""),  # as rounded in the file that comes with WRF
        (table_of_fuels(fgi=(3, 1.076)), {}, "fuel is Anderson's, other than in namelist.fire in category 3"),
        (table_of_fuels(ichap=(3, 1)), {}, "in category 3"),
        ("&fuel_scalars cmbcnst = 2e7 /", {}, "dry fuel gives off 1.7433e+07 J/kg"),
        ("&fuel_scalars no_fuel_cat = 0 /", {}, "the category without fuel is 14"),
    ],
)  # fmt: skip
def test_the_fuels_beside_a_namelist_are_looked_at(tmp_path, text, settings, because):
    (tmp_path / "namelist.fire").write_text(text)
    made = translate(namelist(**em_fire()), SCHEMA)
    before = {key: value for key, (value, _) in made.settings().items()}
    fuels.take(made, tmp_path, SCHEMA)
    assert {key: value for key, (value, _) in made.settings().items()} == before | settings
    told = "; ".join(entry.lost for entry in made.lost)
    assert because in told
    assert bool(told) == bool(because)


def test_fuels_that_wrf_could_not_read_are_refused(tmp_path):
    (tmp_path / "namelist.fire").write_text("&fuel_scalars\n fuelmc_g = 0.1 0.2.3\n")
    with pytest.raises(UserError, match=r"namelist\.fire:"):
        fuels.take(translate(namelist(**em_fire()), SCHEMA), tmp_path, SCHEMA)


def test_a_fire_burns_on_the_nest_that_is_named(tmp_path):
    nest = {"i_parent_start": 4, "j_parent_start": 4, "nx": 24, "ny": 18, "parent_grid_ratio": 3}
    said = model(
        tmp_path / "run", "fire.nest=inner", *(f"nest.inner.{key}={value}" for key, value in nest.items()),
        'ignition.line.start=["150 m", "100 m"]', 'ignition.line.end=["200 m", "200 m"]',
        "run.time_step=0.5 s", "run.duration=6 s", "output.history.interval=6 s",
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    outer, inner = sorted((tmp_path / "run").glob("*.nc"))
    with Dataset(outer) as parent, Dataset(inner) as file:
        assert "FIRE_AREA" not in parent.variables
        assert file["FIRE_AREA"].shape[1:] == (18 * 6, 24 * 8)
        assert file["FIRE_AREA"][-1].max() == 1
        assert file["GRNHFX"][-1].max() > 10e3
