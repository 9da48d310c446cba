"""Preparation: from columns to a state that the model's own equations hold still."""

from dataclasses import replace

import eccodes
import numpy as np
import pytest

import made_up_columns as made_up
from squall.errors import UserError
from squall.lab.verify import data
from squall.lab.verify.check import Skipped
from squall.lab.verify.detour import WrfInput
from squall.lab.verify.history import normalised_rms
from squall.lab.verify.prepared import LIMITS, SUMMER, WINTER
from squall.prepare.base_atmosphere import BaseAtmosphere
from squall.prepare.columns import Columns
from squall.prepare.levels import make_vertical_grid, stretched_eta
from squall.prepare.make_state import build_state
from squall.prepare.mass_balance import remove_divergence
from squall.prepare.state import Settings
from squall.prepare.vertical import surface_pressure

GRID = made_up.domain()
HILL = made_up.hill(GRID, 1800.0)
LAND = np.ones_like(HILL)


def build(columns, terrain=HILL, **settings):
    return build_state(columns, GRID, terrain, LAND, Settings(**settings))


def test_levels_thicken_smoothly_from_the_lowest_layer_to_the_top():
    base = BaseAtmosphere()
    eta = stretched_eta(50, 5000.0, 40.0, 1.2, base)
    thickness = np.diff(base.height(eta * (base.p00 - 5000) + 5000))
    assert len(eta) == 51
    assert (eta[0], eta[-1]) == (1.0, 0.0)
    assert thickness[0] == pytest.approx(40, rel=0.01)
    assert np.all(thickness[1:] / thickness[:-1] <= 1.2001)
    assert np.all(thickness[1:] / thickness[:-1] >= 0.999)
    assert thickness[-1] < 600


def test_few_levels_still_reach_the_top():
    base = BaseAtmosphere()
    eta = stretched_eta(20, 5000.0, 100.0, 1.1, base)
    assert np.all(np.diff(eta) < 0)
    assert base.height(eta * 95000 + 5000)[1] == pytest.approx(100, rel=0.2)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"levels": 10, "lowest_layer": 5.0}, "more levels"),
        ({"levels": 300, "lowest_layer": 200.0}, "fewer levels"),
        ({"eta": (1.0, 0.6, 0.7, 0.0)}, "must decrease"),
        ({"eta": (0.9, 0.6, 0.3, 0.0)}, "from 1 at the surface"),
    ],
)
def test_impossible_levels_are_refused_with_what_to_change(settings, says):
    with pytest.raises(UserError, match=says):
        Settings(**settings).vertical_grid()


@pytest.mark.parametrize(("levels", "told"), [(14, True), (35, False), (40, False)])
def test_layers_that_are_too_thick_for_ice_clouds_are_told(levels, told):
    report = build(made_up.weather(GRID, HILL), levels=levels).report
    thick = [line for line in report.lines() if "ice clouds persist too long" in line]
    assert bool(thick) == told == (report.thickest > 2000)
    if told:
        assert f"up to {report.thickest:.0f} m thick" in thick[0]
    assert 30_000 / levels < report.thickest < 90_000 / levels, "layers thicken upwards"


def test_hybrid_layers_add_up_to_the_column():
    grid = make_vertical_grid(stretched_eta(40, 5000.0, 50.0, 1.2, BaseAtmosphere()), 5000.0, 0.2)
    for mu in (60000.0, 95000.0):
        masses = -grid.dnw * (grid.c1h * mu + grid.c2h)
        assert masses.sum() == pytest.approx(mu, rel=1e-6)
        assert masses.min() > 0
    assert grid.c3f[grid.znw < 0.2].max() == 0


@pytest.mark.parametrize("hypsometric", [1, 2])
@pytest.mark.parametrize("moist_theta", [True, False])
@pytest.mark.parametrize("etac", [0.0, 0.2])
def test_vertical_acceleration_is_rounding_in_every_form_of_the_equations(hypsometric, moist_theta, etac):
    state = build(
        made_up.weather(GRID, HILL / 2), hypsometric=hypsometric, moist_theta=moist_theta, etac=etac
    )
    assert 0 < state.report.acceleration < 2e-4
    # It is the balance that does it: a millionth of the temperature is felt.
    assert state.vapour.max() > 0.005
    assert state.water["QCLOUD"].max() > 1e-5


def test_pressure_at_the_ground_is_that_of_the_atmosphere_at_its_height():
    columns = made_up.isothermal(GRID, 260.0, HILL / 3)
    state = build(columns)
    expected = 101325 * np.exp(-9.81 * HILL.astype(float) / (287 * 260.0))
    assert np.abs(state.surface_pressure - expected).max() < 1.0
    mass = (state.base.mub + state.mu + np.float32(5000)).astype(float)
    assert np.abs(mass - expected).max() < 1.0


def test_pressure_at_the_ground_of_a_real_analysis_is_found_from_its_heights():
    """On the points of a GFS field set itself, whose surface pressure is known."""
    try:
        file = data.folder("analysis") / "gfs.t12z.pgrbf120.2p5deg.grib2"
    except Skipped as reason:
        pytest.skip(str(reason))
    fields = grib_fields(file)
    levels = sorted(
        {level for name, kind, level in fields if (name, kind) == ("gh", "isobaricInhPa")}, reverse=True
    )
    height, temperature = (
        np.stack([fields[name, "isobaricInhPa", level] for level in levels]) for name in ("gh", "t")
    )
    ground, known = fields["orog", "surface", 0], fields["sp", "surface", 0]
    made = made_up.START
    columns = Columns(
        made, 100 * made_up.single(levels), temperature, 0 * height, height, height, height, known, ground
    )
    departure = surface_pressure(columns, ground.astype(float), slice(None)) - known
    sea, mountains = ground < 10, ground > 1000
    assert mountains.sum() > 1000
    assert np.sqrt((departure[sea] ** 2).mean()) < 2
    assert np.sqrt((departure[mountains] ** 2).mean()) < 30
    assert abs(departure.mean()) < 2


def grib_fields(path):
    """Values by name, kind of level and level."""
    found = {}
    with path.open("rb") as file:
        while (message := eccodes.codes_grib_new_from_file(file)) is not None:
            key = tuple(eccodes.codes_get(message, name) for name in ("shortName", "typeOfLevel", "level"))
            rows = eccodes.codes_get(message, "Nj")
            found[key] = eccodes.codes_get_values(message).reshape(rows, -1).astype(np.float32)
            eccodes.codes_release(message)
    return found


def test_an_isothermal_atmosphere_stays_isothermal():
    state = build(made_up.isothermal(GRID, 260.0, HILL))
    pressure = state.base.pb.astype(float) + state.p
    temperature = (state.theta + 300.0) * (pressure / 1e5) ** (2 / 7)
    inside = pressure < 1e5  # below the lowest level of the analysis air is made up
    assert np.abs(temperature - 260)[inside].max() < 1e-3
    assert 0.1 < (temperature - 260)[~inside].max() < 0.5
    height = (state.base.phb.astype(float) + state.ph) / 9.81
    expected = 287 * 260 / 9.81 * np.log(101325 / pressure)
    middle = 0.5 * (height[1:] + height[:-1])
    assert np.abs(middle - expected)[:20].max() < 10  # the middle in height is not quite that in pressure


def test_below_the_ground_of_the_analysis_air_warms_downwards():
    plateau = np.full_like(HILL, 1500.0)
    columns = made_up.weather(GRID, plateau)
    state = build(columns, terrain=np.zeros_like(HILL), remove_divergence=False)
    pressure = state.base.pb[0].astype(float) + state.p[0]
    lowest = (state.theta[0] + 300.0) * (pressure / 1e5) ** (2 / 7)
    warming = lowest - columns.temperature_2m
    assert warming.mean() == pytest.approx(6.5e-3 * 1475, rel=0.1)
    assert state.u[0] == pytest.approx(columns.u_10m, abs=0.01)
    assert state.report.lowered == pytest.approx(1500)


def test_levels_that_follow_the_ground_give_the_same_air_as_pressure_levels():
    """Model levels of a hydrostatic atmosphere whose temperature is a line in ln p."""
    sigma = np.array([0.998, 0.99, 0.97, 0.94, 0.9, 0.84, 0.76, 0.66, 0.54, 0.42, 0.3, 0.2, 0.12, 0.06, 0.03])
    levels = (len(sigma), GRID.ny, GRID.nx)
    ground = HILL / 2
    columns = made_up.isothermal(GRID, 270.0, ground)
    columns.pressure = made_up.single(sigma[:, None, None] * columns.surface_pressure)
    columns.temperature = made_up.single(270.0, levels)
    columns.mixing_ratio = made_up.single(0.0, levels)
    columns.u = made_up.single(7.0, (len(sigma), GRID.ny, GRID.nx + 1))
    columns.v = made_up.single(0.0, (len(sigma), GRID.ny + 1, GRID.nx))
    columns.height = made_up.single(287 * 270 / 9.81 * np.log(101325 / columns.pressure))
    state = build(columns, terrain=ground, remove_divergence=False)
    assert np.abs(state.surface_pressure - columns.surface_pressure).max() < 1
    pressure = state.base.pb.astype(float) + state.p
    temperature = (state.theta + 300.0) * (pressure / 1e5) ** (2 / 7)
    assert np.abs(temperature - 270).max() < 0.2
    assert np.abs(state.u - 7).max() < 1e-4


def test_water_vapour_is_at_most_saturated_and_never_negative():
    columns = made_up.weather(GRID, HILL)
    columns.mixing_ratio = columns.mixing_ratio * 3
    columns.mixing_ratio[-3:] = -1e-6
    state = build(columns)
    assert state.vapour.min() == 0
    assert state.report.supersaturated > 1000
    assert state.report.negative_vapour > 0
    assert any("saturation" in line for line in state.report.lines())


def test_the_weight_of_the_vapour_is_not_counted_as_dry_air():
    dry, moist = (
        build(made_up.isothermal(GRID, 290.0, HILL, vapour=vapour), remove_divergence=False)
        for vapour in (0.0, 0.008)
    )
    v = moist.vertical
    mu = moist.base.mub.astype(float) + moist.mu
    weight = (-v.dnw[:, None, None] * (v.c1h[:, None, None] * mu + v.c2h[:, None, None]) * moist.vapour).sum(
        0
    )
    assert 80 < weight.min() < weight.max() < 250
    total = mu + weight + v.top
    assert np.abs(total - moist.surface_pressure).max() < 3
    assert dry.mu.mean() - moist.mu.mean() == pytest.approx(weight.mean(), rel=0.2)


def test_removing_the_divergence_leaves_the_boundary_rows_and_almost_all_of_the_wind():
    kept = build(made_up.weather(GRID, HILL), remove_divergence=False)
    removed = build(made_up.weather(GRID, HILL))
    balance = removed.report.mass
    assert balance.before * 36 > 1
    assert balance.after < 0.2 * balance.before
    assert 0 < balance.wind_rms < balance.wind_greatest < 10
    changed = removed.u != kept.u
    assert changed[:, 5:-5, 6:-6].any()
    assert not changed[:, :5].any()
    assert not changed[:, -5:].any()
    assert not changed[:, :, :6].any()
    again = remove_divergence(removed, GRID, 5, steady=False)
    assert again.before < 1.1 * again.after + 1e-5


def test_no_mass_blows_into_a_domain_whose_boundary_holds_still():
    state = build(made_up.weather(GRID, HILL), steady_boundary=True)
    inflow = state.report.mass.inflow
    again = remove_divergence(state, GRID, 5, steady=False)
    assert abs(inflow) * 36 > 0.5
    assert abs(again.inflow) < 1e-3 * abs(inflow)


def test_a_small_domain_keeps_its_wind():
    grid = made_up.domain(12, 12)
    terrain = made_up.hill(grid, 100.0)
    state = build_state(made_up.weather(grid, terrain), grid, terrain, np.ones_like(terrain), Settings())
    assert state.report.mass is None


def spoil(name, where, value):
    def change(columns):
        getattr(columns, name)[where] = value

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (spoil("temperature", (3, 4, 5), np.nan), r"temperature is nan K at level 3, row 4, column 5"),
        (spoil("temperature", np.s_[:], 15.0), "the valid range is 130 to 350"),
        (spoil("surface_pressure", np.s_[:], 1013.0), "surface_pressure is 1013 Pa"),
        (spoil("pressure", 5, 90000.0), "does not decrease"),
        (spoil("height", (4, 0, 0), 100.0), "height does not increase from level 3"),
        (spoil("u", (0, 0, 0), 400.0), r"u is 400 m s-1"),
        (lambda c: setattr(c, "v", c.v[:, 1:]), "v has shape"),
        (lambda c: setattr(c, "mixing_ratio", c.mixing_ratio * 100), "mixing_ratio"),
    ],
)
def test_columns_that_are_no_atmosphere_are_refused_by_name_and_place(change, says):
    columns = made_up.weather(GRID, HILL)
    change(columns)
    with pytest.raises(UserError, match=says) as refused:
        build(columns)
    assert "2020-03-01 12:00" in str(refused.value)


def test_a_top_above_the_analysis_is_refused_with_the_top_that_would_do():
    with pytest.raises(UserError, match=r"ends at 30 hPa.*set prepare.top to 30 hPa"):
        build(made_up.weather(GRID, HILL), top=1000.0)


def test_terrain_of_another_domain_is_refused():
    with pytest.raises(UserError, match="rows and columns"):
        build(made_up.weather(GRID, HILL), terrain=HILL[1:])


@pytest.mark.parametrize("case", [WINTER, SUMMER], ids=lambda case: case.folder)
def test_what_comes_back_from_pressure_levels_is_wrfs_state(case):
    try:
        source = WrfInput(data.folder(case.folder) / "wrfinput_d01")
    except Skipped as reason:
        pytest.skip(str(reason))
    state = case._state(source, False)
    fields = {"U": state.u, "V": state.v, "T": state.theta, "PH": state.ph, "MU": state.mu}
    for name, ours in {**fields, "QVAPOR": state.vapour}.items():
        assert 1e-5 < normalised_rms(source[name], ours.astype(float)) < LIMITS[name], name
    # Nothing of the base state comes by way of the levels.
    assert np.abs(state.base.mub - source["MUB"]).max() < 0.05
    assert np.abs(state.base.phb - source["PHB"]).max() < 0.1


def test_settings_are_those_of_the_state():
    settings = Settings(levels=30)
    state = build_state(made_up.weather(GRID, HILL), GRID, HILL, LAND, settings)
    assert state.settings == settings
    assert replace(settings, levels=31).vertical_grid().nz == 31
