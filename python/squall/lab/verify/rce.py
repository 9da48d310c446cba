"""Radiative-convective equilibrium in a single column, by the protocol of RCEMIP over seas of 295, 300 and
305 K.

Wing et al. (2018, GMD 11, 793-813). What must hold in any equilibrium: the air loses by radiation what the
sea gives it as heat and vapour, and what evaporates rains. With temperature rain grows by what more the air
can lose, 1 to 3 % a degree (Held and Soden 2006, J. Climate 19, 5686-5699), and vapour by what more it can
hold, at least 6 %.

Temperature, vapour and what the air loses by radiation are to be among those of the intercomparison's models
over the same seas, in small domains and single columns (RCE_small; Wing et al. 2020, J. Adv. Model. Earth
Syst. 12, e2020MS002138), as means that Stauffer and Wing (2022, ibid. 14) made of them and published with
their scripts. No table of rain and of the radiation that leaves was found: these two bands are ours.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from scipy.constants import Stefan_Boltzmann

from squall.diagnose.constants import KAPPA, LATENT_HEAT, P0, THETA0
from squall.diagnose.interpolation import Interpolator
from squall.errors import UserError
from squall.lab.linear.atmosphere import Array
from squall.lab.verify.check import Check, Skipped
from squall.lab.verify.history import History
from squall.lab.verify.single_column import Band, SingleColumn
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

NAME = "rce"
SOURCE = "equilibrium itself"
OWN_SOURCE = "bands of our own"
MODELS_SOURCE = (
    "RCEMIP's models in small domains and single columns (Wing et al. 2020), by the profiles of Stauffer and "
    "Wing (2022); a tenth of their range beyond it is allowed"
)
RISE_SOURCE = "Held and Soden (2006); of vapour at most 11 % a degree, our own"
DAY = 86400.0

#: Of the sea [K], that of the case in the middle.
TEMPERATURES = (295, 300, 305)
#: How far the budgets of the last 40 days may be off [W m-2]: of some 110 that are turned over.
BUDGET_LIMIT, SETTLED = 3.0, 40.0
#: Likewise of water with what is stored of it, which nothing but the sampling of evaporation is between.
WATER_LIMIT = 0.3
#: Of the state over 300 K.
BANDS = {
    "precipitation": Band(2.0, 4.5, "mm/day"),
    "outgoing thermal radiation": Band(220.0, 290.0, "W/m2"),
}
#: Where temperatures are compared [Pa].
PRESSURES = (850e2, 700e2, 500e2, 300e2, 200e2)
#: By the sea's temperature: lowest and highest temperature of 27 models and variants there [K].
MODELS = {
    295: ((277.9, 283.2), (268.1, 274.1), (249.4, 257.3), (218.8, 228.2), (197.0, 206.7)),
    300: ((283.8, 287.6), (273.7, 278.7), (256.6, 263.5), (226.9, 235.7), (204.0, 213.8)),
    305: ((289.5, 292.6), (279.7, 284.8), (264.0, 269.9), (236.4, 245.6), (213.1, 222.4)),
}
#: Likewise of the eleven that resolve convection and whose vapour is there: that of the air around clouds
#: [mm], and what the lowest 15 km lose by radiation [W m-2].
MODELS_VAPOUR = {295: (18.0, 34.9), 300: (26.4, 51.1), 305: (40.8, 72.5)}
MODELS_COOLING = {295: (51.5, 106.6), 300: (64.3, 125.3), 305: (80.7, 149.0)}
BEYOND = 0.1
#: Growth from the coldest to the warmest sea.
RISES = {"precipitation": Band(1.0, 3.0, "%/K"), "water vapour": Band(6.0, 11.0, "%/K")}


class Column(SingleColumn):
    """Series by day."""

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.days = history.elapsed / DAY
        self.latent, self.sensible = self.series("LH"), self.series("HFX")
        self.outgoing = self.series("OLR")
        self.rain = self.series("RAINC") + self.series("RAINNC")
        self.cooling = self._cooling()
        self.vapour = self.water("QVAPOR")
        self.total_water = self.water()

    def _cooling(self) -> Array:
        """What the air loses by radiation [W m-2]."""
        emissivity, skin = self.series("EMISS"), self.series("TSK")
        downward = self.series("GLW")
        from_sea = emissivity * (Stefan_Boltzmann * skin**4 - downward) - self.series("GSW")
        sunlight = self.series("SWDNT") - self.series("SWUPT")
        return np.asarray(self.outgoing - sunlight - from_sea)

    def settled(self, values: Array) -> float:
        """Mean over the last days; the first frame has no radiation."""
        return float(values[self.days > self.days[-1] - SETTLED].mean())

    def temperatures(self) -> Array:
        """At PRESSURES, of the mean air of the last days [K]."""
        late = self.days > self.days[-1] - SETTLED
        pressure = self.profiles("P")[late].mean(axis=0) + self.history.field("PB")[:, 0, 0]
        theta = THETA0 + self.profiles("T")[late].mean(axis=0)
        temperature = theta * (pressure / P0) ** KAPPA
        at = Interpolator(np.log(pressure)[:, None], np.log(PRESSURES)[:, None])
        return np.asarray(at.linear(temperature[:, None])[:, 0])

    def growth(self, amount: Array) -> float:
        """Of what adds up, over the last days [day-1]."""
        late = np.flatnonzero(self.days > self.days[-1] - SETTLED)
        return float((amount[late[-1]] - amount[late[0]]) / (self.days[late[-1]] - self.days[late[0]]))

    def state(self) -> dict[str, float]:
        return {
            "precipitation": self.growth(self.rain),
            "outgoing thermal radiation": self.settled(self.outgoing),
            "water vapour": self.settled(self.vapour),
        }


def verify(workspace: Workspace) -> list[Check]:
    try:
        columns = {kelvin: _run(workspace, kelvin) for kelvin in TEMPERATURES}
    except UserError as error:
        if "squall fetch radiation" in str(error):
            raise Skipped("the radiation's tables are not here: squall fetch radiation") from error
        raise
    _draw(workspace, columns[TEMPERATURES[1]])
    return checks(columns)


def _run(workspace: Workspace, kelvin: int) -> Column:
    name = f"{NAME}-{kelvin}"
    run_file = workspace.variant(name, NAME, {"physics.surface_temperature": f"{kelvin} K"})
    return Column(History(workspace.run(name, run_file, {})))


def checks(columns: Mapping[int, Column]) -> list[Check]:
    state = columns[TEMPERATURES[1]].state()
    bands = [band.check(NAME, f"{name}, 300 K", state[name], OWN_SOURCE) for name, band in BANDS.items()]
    budgets = [check for kelvin, column in columns.items() for check in _budgets(kelvin, column)]
    among = [check for kelvin, column in columns.items() for check in _among_models(kelvin, column)]
    return [*budgets, *among, *bands, *(_rise(name, columns) for name in RISES)]


def _among_models(kelvin: int, column: Column) -> Iterator[Check]:
    def check(what: str, ours: float, low: float, high: float, unit: str) -> Check:
        more = BEYOND * (high - low)
        return Band(low - more, high + more, unit).check(NAME, f"{what}, {kelvin} K", ours, MODELS_SOURCE)

    for pressure, ours, (low, high) in zip(PRESSURES, column.temperatures(), MODELS[kelvin], strict=True):
        yield check(f"temperature at {pressure / 100:g} hPa", float(ours), low, high, "K")
    yield check("water vapour", column.settled(column.vapour), *MODELS_VAPOUR[kelvin], "mm")
    yield check("radiative cooling", column.settled(column.cooling), *MODELS_COOLING[kelvin], "W/m2")


def _budgets(kelvin: int, column: Column) -> Iterator[Check]:
    given = column.settled(column.latent) + column.settled(column.sensible)
    lost = column.settled(column.cooling)
    what = f"radiative cooling is what the sea gives, {kelvin} K"
    yield Check(NAME, what, given, lost, BUDGET_LIMIT, SOURCE, "W/m2")
    evaporation, rain = column.settled(column.latent), column.growth(column.rain) * LATENT_HEAT / DAY
    what = f"rain is what evaporates, {kelvin} K"
    yield Check(NAME, what, evaporation, rain, BUDGET_LIMIT, SOURCE, "W/m2")
    kept = rain + column.growth(column.total_water) * LATENT_HEAT / DAY
    what = f"rain and what the air stores is what evaporates, {kelvin} K"
    yield Check(NAME, what, evaporation, kept, WATER_LIMIT, SOURCE, "W/m2")


def _rise(name: str, columns: Mapping[int, Column]) -> Check:
    cold, warm = min(columns), max(columns)
    of = [columns[kelvin].state()[name] for kelvin in (cold, warm)]
    ours = 100 * float(np.log(of[1] / of[0])) / (warm - cold)
    return RISES[name].check(NAME, f"{name} grows", ours, RISE_SOURCE)


def _draw(workspace: Workspace, column: Column) -> None:
    with picture(workspace.picture(NAME), 8, 4) as figure:
        left, right = figure.subplots(1, 2)
        by_day = max(1, round(1 / (column.days[1] - column.days[0])))

        def daily(values: Array) -> Array:
            whole = (len(values) - 1) // by_day * by_day
            return np.asarray(values[1 : whole + 1].reshape(-1, by_day).mean(axis=1))

        left.plot(daily(column.days), daily(column.cooling), label="radiative cooling of the air")
        left.plot(
            daily(column.days), daily(column.latent + column.sensible), label="heat and vapour of the sea"
        )
        rate = np.diff(column.rain, prepend=column.rain[0]) / (column.days[1] - column.days[0])
        left.plot(daily(column.days), daily(rate) * LATENT_HEAT / DAY, label="rain, as heat", alpha=0.6)
        left.set(xlabel="time (days)", ylabel="W m$^{-2}$", ylim=(0, None))
        left.legend()
        style.plain(left, "both")
        right.plot(daily(column.days), daily(column.vapour))
        right.set(xlabel="time (days)", ylabel="water vapour (mm)", ylim=(0, None))
        style.plain(right, "both")
        figure.suptitle("Radiative-convective equilibrium over 300 K: a single column", fontsize=11)
