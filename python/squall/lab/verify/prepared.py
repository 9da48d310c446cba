"""States prepared from pressure levels, against the states of WRF that the levels were taken from.

WRF's own initial file is interpolated to the pressure levels of an analysis and prepared back to its
levels: how far the fields are from WRF's, how noisy the first hour is beside one from WRF's file, and
how far the forecast is from WRF's after 3 hours.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from squall.lab.first_hour import Noise, pressure_noise
from squall.lab.variants import Changes
from squall.lab.verify import real_weather
from squall.lab.verify.check import Check
from squall.lab.verify.detour import WrfInput
from squall.lab.verify.history import History, normalised_rms
from squall.lab.verify.wrf_reference import Reference, reference
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.prepare.base_atmosphere import BaseAtmosphere
from squall.prepare.make_state import build_state
from squall.prepare.state import Settings, State
from squall.prepare.wrfinput import write_wrfinput
from squall.reader.dataset import open_run
from squall.results import picture

HOUR = 3600.0
MARGIN = 6  # rows at the sides: those of the boundary file and one more
SOURCE = "WRF's own wrfinput_d01, by way of 23 pressure levels"

# How far a field may be from the one it was made from: what lies between two pressure levels is lost.
LIMITS = {"U": 0.05, "V": 0.05, "T": 0.1, "PH": 0.08, "MU": 0.005, "QVAPOR": 0.05}
FORECAST_LIMIT = 0.08

#: Three hours, to see how a run starts.
CHANGES: Changes = {
    "run.duration": "3 h",
    "dynamics.hypsometric": 1,
    "output.history.interval": "10 min",
}


@dataclass(frozen=True)
class PreparedCase:
    """A folder of the reference data and when it begins; called as a case of verification."""

    folder: str
    start: str
    title: str

    @property
    def name(self) -> str:
        return f"{self.folder}-prepared"

    def verify(self, workspace: Workspace) -> list[Check]:
        wrf = reference(self.folder, self.start)
        source = WrfInput(wrf.file("wrfinput_d01"))
        states = {changed: self._state(source, changed) for changed in (True, False)}
        checks = self._fields(source, states[False])
        checks.append(self._balance(states[True]))
        runs = {
            "WRF's file": self._run(workspace, wrf, "wrf", wrf.file("wrfinput_d01")),
            "prepared": self._run(workspace, wrf, "full", self._write(workspace, source, states[True])),
            "prepared, divergence kept": self._run(
                workspace, wrf, "kept", self._write(workspace, source, states[False])
            ),
        }
        noise = {label: pressure_noise(open_run(run), MARGIN) for label, run in runs.items()}
        self._draw(workspace, noise)
        return checks + self._noise(noise) + self._forecast(wrf, History(runs["prepared"]))

    def _state(self, source: WrfInput, remove_divergence: bool) -> State:
        """On WRF's levels and base state. With all of its wind, for comparison, or as is the default."""
        base = BaseAtmosphere(*(float(source[name]) for name in ("P00", "T00", "TLP", "TISO")))
        settings = Settings(
            top=float(source["P_TOP"]),
            eta=tuple(source["ZNW"]),
            etac=0.0,
            hypsometric=1,
            moist_theta=False,
            base=base,
        )
        settings = replace(settings, remove_divergence=remove_divergence)
        terrain, land = (source[name].astype(np.float32) for name in ("HGT", "LANDMASK"))
        return build_state(source.columns(), source.domain(), terrain, land, settings)

    def _write(self, workspace: Workspace, source: WrfInput, state: State) -> Path:
        kind = "full" if state.settings.remove_divergence else "kept"
        path = workspace.directory / f"{self.name}-{kind}-input" / "wrfinput_d01"
        write_wrfinput(path, state, source.domain())
        return path

    def _run(self, workspace: Workspace, wrf: Reference, kind: str, file: Path) -> Path:
        name = f"{self.name}-{kind}"
        changes = {**real_weather.starting_from(file, wrf.file("wrfbdy_d01")), **CHANGES}
        return workspace.run(name, workspace.variant(name, real_weather.CASE, changes), {})

    def _fields(self, source: WrfInput, state: State) -> list[Check]:
        ours = {
            "U": state.u,
            "V": state.v,
            "T": state.theta,
            "PH": state.ph,
            "MU": state.mu,
            "QVAPOR": state.vapour,
        }
        return [
            Check(
                self.name, f"nRMSE of {name} at the start", 0.0,
                normalised_rms(source[name], values.astype(np.float64)), LIMITS[name], SOURCE, rule="at most",
            )
            for name, values in ours.items()
        ]  # fmt: skip

    def _balance(self, state: State) -> Check:
        source = "rounding of the geopotential in single precision"
        ours = state.report.acceleration
        return Check(self.name, "maximum |dw/dt| at the start", 0.0, ours, 2e-4, source, "m/s2", "at most")

    def _noise(self, noise: dict[str, list[Noise]]) -> list[Check]:
        """No noisier than from WRF's file: the mean of the first hour."""
        mean = {label: float(np.mean([n.tendency for n in curve[:6]])) for label, curve in noise.items()}
        theirs = mean["WRF's file"]
        what = "mean |dp/dt| at the ground in the first hour"
        return [
            Check(self.name, what, theirs, mean["prepared"], theirs, SOURCE, "hPa/h", "at most"),
            Check(
                self.name, f"{what}, divergence kept", theirs, mean["prepared, divergence kept"],
                1.08 * theirs, SOURCE, "hPa/h", "at most",
            ),
        ]  # fmt: skip

    def _forecast(self, wrf: Reference, history: History) -> list[Check]:
        number = wrf.frame_at(3 * HOUR)
        frame = history.frame_at(3 * HOUR)
        return [
            Check(
                self.name, f"nRMSE of {name} after 3 h", 0.0,
                normalised_rms(wrf.field(name, number), history.field(name, frame)), FORECAST_LIMIT,
                "WRF 4.7.1's forecast from its own initial file", rule="at most",
            )
            for name in LIMITS
        ]  # fmt: skip

    def _draw(self, workspace: Workspace, noise: dict[str, list[Noise]]) -> None:
        with picture(workspace.picture(self.name), 6, 3.5) as figure:
            axes = figure.subplots()
            for label, curve in noise.items():
                axes.plot([n.seconds / 60 for n in curve], [n.tendency for n in curve], "o-", label=label)
            axes.set(
                xlabel="minutes",
                ylabel="mean |dp/dt| at the ground (hPa h$^{-1}$)",
                ylim=(0, None),
            )
            axes.set_title(self.title, loc="left")
            axes.legend()
            style.plain(axes)


WINTER = PreparedCase("conus_2008-02-05", "2008-02-05_12:00:00", "Started from 5 February 2008 12 UTC")
SUMMER = PreparedCase("conus_2005-07-16", "2005-07-16_00:00:00", "Started from 16 July 2005 00 UTC")
