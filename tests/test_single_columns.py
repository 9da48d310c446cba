"""Single columns of published cases, for fewer hours: what their verification measures, in seconds."""

import numpy as np
import pytest

from squall import locate, new
from squall.diagnose.constants import LATENT_HEAT
from squall.errors import UserError
from squall.lab.verify import dycoms, gabls2, rce, wangara
from squall.lab.verify.history import History
from squall.lab.verify.single_column import SingleColumn
from squall.lab.workspace import Workspace

pytestmark = pytest.mark.regression

try:
    locate.model_binary()
except UserError:
    pytest.skip("squall-model is not built (make build)", allow_module_level=True)


@pytest.fixture(scope="module")
def column(tmp_path_factory):
    """Runs a case with changes and returns its history."""

    def run(case, changes):
        space = Workspace(tmp_path_factory.mktemp("column"))
        return History(space.run("run", space.variant("run", case, changes), {}))

    return run


@pytest.fixture(scope="module")
def cloud(column):
    quick = {"run.time_step": "20 s", "physics.radiation_interval": "20 s"}
    quick["output.history.fields"] = ["default", "RTHRATEN"]
    return dycoms.Column(column("dycoms", quick | {"run.duration": "2 h"}))


def test_a_stratocumulus_begins_as_it_was_observed_and_stays(cloud):
    assert cloud.cloud_water[0] == pytest.approx(62, abs=8)
    assert cloud.inversion[0] == pytest.approx(840, abs=20)
    assert cloud.base[0] == pytest.approx(600, abs=30)
    assert cloud.inversion[-1] == pytest.approx(850, abs=40)
    assert 20 < cloud.cloud_water[-1] < 90


def test_a_stratocumulus_is_cooled_at_its_top_alone(cloud):
    """Of 70 W m-2 that leave above the cloud some 40 do so in the two layers at its top."""
    history = cloud.history
    heating = history.field("RTHRATEN")[:, 0, 0]
    z = history.layer_height()[:, 0, 0]
    coldest = z[heating.argmin()]
    assert abs(coldest - cloud.inversion[-1]) < 60
    assert heating.min() * 3600 < -2
    assert np.abs(heating[z < cloud.base[-1] - 60]).max() * 3600 < 0.05


def test_what_the_surface_gives_stays_what_is_prescribed(cloud):
    for frame in range(1, len(cloud.hours)):
        assert cloud.history.field("HFX", frame)[0, 0] == pytest.approx(15, abs=1e-3)
        assert cloud.history.field("LH", frame)[0, 0] == pytest.approx(115, abs=1e-2)
        assert cloud.history.field("UST", frame)[0, 0] == pytest.approx(0.25, abs=1e-6)


@pytest.fixture(scope="module", params=wangara.SCHEMES)
def morning(request, column):
    quick = {"domain.nz": 55, "run.time_step": "20 s", "run.duration": "4 h"}
    return wangara.Column(column("wangara", wangara.changes(request.param) | quick))


def test_a_mixed_layer_grows_as_at_wangara(morning):
    assert morning.mixed_layer(12) == pytest.approx(1000, abs=200)
    assert morning.half_way(12) == pytest.approx(283.1, abs=0.5)


def test_the_heat_that_a_surface_gives_is_that_of_its_table(morning):
    """0.216 K m/s at 13 h at a density of 1.255 kg m-3."""
    assert morning.history.field("HFX")[0, 0] == pytest.approx(272, abs=1)
    frames = range(len(morning.hours))
    weight = morning.history.density(0)[:, 0, 0] * np.diff(morning.bottom)
    gained = float(((morning.theta[-1] - morning.theta[0]) * weight).sum())
    flux = [morning.theta_flux(n) * morning.history.density(n)[0, 0, 0] for n in frames]
    given = float(np.trapezoid(flux, morning.hours * 3600))
    assert gained == pytest.approx(given, rel=0.02)


def test_the_morning_begins_where_heat_turns_upward():
    """Between the hours around it; what flows in the evening before does not count."""
    rows = np.array([(16, 0.1, 0.02), (20, 0.1, -0.01), (29, 0.1, -0.01), (30, 0.1, -0.01), (31, 0.1, 0.03)])
    assert gabls2.begins(rows) == pytest.approx(30.25)


def test_a_column_under_a_sun_that_stands_is_never_dark(column):
    """Insolation is that of RCEMIP, 551.58 cos(42.05 degrees) = 409.6 W m-2, at every hour."""
    changes = {"physics.radiation": "broadband", "run.duration": "1 d"}
    tropics = rce.Column(column("rce", changes))
    sunlight = [tropics.history.field("SWDNT", n)[0, 0] for n in range(1, len(tropics.days))]
    assert sunlight == pytest.approx([409.6] * len(sunlight), abs=0.1)
    assert 150 < tropics.outgoing[-1] < 310
    assert tropics.vapour[0] == pytest.approx(52, abs=2)
    assert tropics.cooling[-1] > 60
    # Those of the protocol's sounding, 303.4 K (p / 1014.8 hPa)^0.1963 of virtual temperature, a day later.
    assert tropics.temperatures() == pytest.approx([290.6, 280.7, 263.6, 238.8, 220.6], abs=1.5)


def test_a_case_brings_the_tables_that_it_names(tmp_path):
    copied = new.put_beside("wangara", tmp_path / "mine.toml")
    names = {"wangara-sounding.txt", "wangara-surface.csv", "wangara-wind.csv"}
    assert {file.name for file in copied} == names


SCHEMES = [
    ("wsm6", "tiedtke", "ysu"),
    ("wsm6", "kain-fritsch", "ysu"),
    ("wsm6", "tiedtke", "mynn"),
    ("wsm6", "tiedtke-1989", "ysu"),
    ("wsm6", "grell-freitas-shallow", "ysu"),
    ("thompson", "kain-fritsch", "mynn"),
    ("thompson", "kain-fritsch", "mynn-edmf"),
    ("kessler", "none", "ysu"),
]


@pytest.mark.parametrize(("microphysics", "cumulus", "boundary_layer"), SCHEMES, ids=map("-".join, SCHEMES))
def test_what_evaporates_rains_or_stays(column, microphysics, cumulus, boundary_layer):
    """Each scheme moves water by the mass of dry air: moist air's is more by 2 % at the ground."""
    schemes = {"microphysics": microphysics, "cumulus": cumulus, "boundary_layer": boundary_layer}
    changes = {f"physics.{name}": scheme for name, scheme in schemes.items()}
    changes |= {"physics.radiation": "broadband", "physics.surface_temperature": "305 K"}
    changes |= {"run.duration": "2 d", "output.history.interval": "300 s"}
    air = SingleColumn(column("rce", changes))
    rained = sum(air.series(name) for name in ("RAINC", "RAINNC") if air.history.has(name))
    evaporated = np.concatenate([[0], np.cumsum(air.series("LH")[1:])]) * 300 / LATENT_HEAT
    water = air.water()
    missing = evaporated - rained - (water - water[0])
    assert evaporated[-1] > 5
    # Without convergence from around the column the older Tiedtke scheme's clouds and Grell's stay shallow.
    assert rained[-1] > 1 or cumulus in ("none", "tiedtke-1989", "grell-freitas-shallow")
    assert np.abs(missing).max() < 1e-3 * evaporated[-1]
