"""Published tests of transport on the globe, on grids that take seconds: squall-transport.

Norms and diagnostics are those of the papers, of exact solutions; limits are what the second-order moments
reach on these grids. Run files in run-files/transport have the grids of the papers.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import xarray as xr

from squall.lab.verify.check import Check
from squall.lab.verify.globe import Mixing, Norms, mixing, norms, run
from squall.lab.workspace import Workspace
from squall.results import picture

WILLIAMSON = "Williamson et al. (1992), case 1"
VORTICES = "Nair and Jablonowski (2008), exact solution after one rotation"
DEFORMATION = "Nair and Lauritzen (2010), case 4"
CORRELATED = "Lauritzen et al. (2012), correlated bells after half the period"
TERMINATOR = "Lauritzen et al. (2015), the sum of chlorine, 4e-6 everywhere"
DCMIP = "Kent et al. (2014), test "
CLOCK = "a day a day since the air was in the lowest layer"
RADON = "emission times lifetime times 1 - exp(-t / lifetime)"
DAY = 86400.0
EARTH_RADIUS = 6.37122e6  # m, of squall-transport


@dataclass(frozen=True)
class GlobeCase:
    """A case: its name, and what is checked of its runs."""

    name: str
    checks: Callable[["GlobeCase", Workspace], list[Check]]

    def verify(self, workspace: Workspace) -> list[Check]:
        return self.checks(self, workspace)

    def at_most(self, quantity: str, ours: float, limit: float, source: str) -> Check:
        return Check(self.name, quantity, None, ours, limit, source, rule="at most")

    def at_least(self, quantity: str, ours: float, limit: float, source: str) -> Check:
        return Check(self.name, quantity, None, ours, limit, source, rule="at least")


def grid(nlon: int, step: str) -> dict[str, str]:
    return {"grid.nlon": str(nlon), "grid.nlat": str(nlon // 2), "run.time_step": step}


def error_of(data: xr.Dataset, tracer: str) -> Norms:
    """At the end, of the exact solution in the file."""
    return norms(data, data[tracer].values[-1], data[f"{tracer}_exact"].values[-1])


def drift(data: xr.Dataset, quantity: str) -> float:
    """By how much a total has changed, of itself."""
    total = data[quantity].values
    return float(np.abs(total / total[0] - 1).max())


def draw(case: GlobeCase, workspace: Workspace, data: xr.Dataset, names: list[str], frame: int = -1) -> None:
    """Maps of a layer in the middle or, of tests that are the same at all longitudes, sections."""
    section = case.name == "globe-dcmip-1-2"
    where = {"time": frame, **({"lon": 0} if section else {"lev": data.sizes["lev"] // 2})}
    with picture(workspace.picture(case.name), 8, 3.5 * len(names)) as figure:
        for axis, name in zip(np.atleast_1d(figure.subplots(len(names), 1)), names, strict=True):
            shown = data[name].isel(where)
            across, up = (data["lat"], data["lev"] / 100) if section else (data["lon"], data["lat"])
            figure.colorbar(axis.contourf(across, up, shown, 21), ax=axis)
            if section:
                axis.invert_yaxis()
            axis.set_title(f"{name}, {data['time'].values[frame].astype('datetime64[h]')}")


def _solid_body(case: GlobeCase, workspace: Workspace) -> list[Check]:
    checks = []
    for angle, limits in SOLID_BODY.items():
        changed = {**grid(128, "1 h"), "wind.angle": str(angle)}
        data = run(workspace, f"{case.name}-{angle}", "solid-body", changed)
        found = error_of(data, "q")
        draw(case, workspace, data, ["q", "q_exact"])
        where = f"axis tilted by {angle} degrees"
        checks += [
            case.at_most(f"l2, {where}", found.l2, limits[0], WILLIAMSON),
            case.at_most(f"largest error, {where}", found.largest, limits[1], WILLIAMSON),
            case.at_most(
                f"change of a constant, {where}", float(np.ptp(data["one"].values)), 1e-6, WILLIAMSON
            ),
            case.at_most(f"change of mass, {where}", drift(data, "q_mass"), 1e-13, WILLIAMSON),
        ]
    return checks


def _vortices(case: GlobeCase, workspace: Workspace) -> list[Check]:
    coarse = run(workspace, f"{case.name}-64", "moving-vortices", grid(64, "1 h"))
    fine = run(workspace, f"{case.name}-128", "moving-vortices", grid(128, "30 min"))
    before, after = error_of(coarse, "q"), error_of(fine, "q")
    draw(case, workspace, fine, ["q", "q_exact"])
    return [
        case.at_most("l1, 128 x 64", after.l1, VORTEX_LIMITS[0], VORTICES),
        case.at_most("l2, 128 x 64", after.l2, VORTEX_LIMITS[1], VORTICES),
        case.at_most("largest error, 128 x 64", after.largest, VORTEX_LIMITS[2], VORTICES),
        case.at_least("l2 at 64 x 32 over that at 128 x 64", before.l2 / after.l2, 2.7, VORTICES),
    ]


def _deformation(case: GlobeCase, workspace: Workspace) -> list[Check]:
    data = run(workspace, case.name, "deformation", grid(128, "30 min"))
    checks = [
        case.at_most(f"l2 of {tracer}", error_of(data, tracer).l2, limit, DEFORMATION)
        for tracer, limit in DEFORMATION_LIMITS.items()
    ]
    middle = len(data["time"]) // 2
    draw(case, workspace, data, list(DEFORMATION_LIMITS), middle)
    mixed: Mixing = mixing(data, data["bells"].values[middle], data["correlated"].values[middle])
    for what, limit in MIXING_LIMITS.items():
        checks.append(case.at_most(f"mixing, {what}", getattr(mixed, what), limit, CORRELATED))
    least = min(float(data[name].values.min()) for name in DEFORMATION_LIMITS)
    checks.append(case.at_least("least mixing ratio", least, 0.0, DEFORMATION))
    return checks


def _terminator(case: GlobeCase, workspace: Workspace) -> list[Check]:
    found, least = {}, {}
    for limiter in ("positive-definite", "none"):
        changed = {**grid(128, "30 min"), "advection.limiter": limiter}
        data = run(workspace, f"{case.name}-{limiter}", "terminator", changed)
        total = data["cl"].values[-1].astype(float) + 2 * data["cl2"].values[-1].astype(float)
        draw(case, workspace, data, ["cl", "cl2"])
        found[limiter] = norms(data, total, np.full(total.shape, 4e-6))
        least[limiter] = min(float(data[name].values.min()) for name in ("cl", "cl2"))
    with_limiter = found["positive-definite"]
    return [
        case.at_most("l2 of the sum, no limiter", found["none"].l2, TERMINATOR_LIMIT, TERMINATOR),
        case.at_most("l2 of the sum, limiter", with_limiter.l2, TERMINATOR_LIMIT, TERMINATOR),
        case.at_most("largest error of the sum, limiter", with_limiter.largest, TERMINATOR_LIMIT, TERMINATOR),
        case.at_least("least mixing ratio, limiter", least["positive-definite"], 0.0, TERMINATOR),
    ]


def _dcmip(
    number: str, tracers: dict[str, float], small: dict[str, str], kept: dict[str, float] | None = None
) -> GlobeCase:
    """`kept`: tracers whose mass stays, up to what share of it; all, to rounding, where it is not said."""

    def checks(case: GlobeCase, workspace: Workspace) -> list[Check]:
        data = run(workspace, case.name, f"dcmip-{number}", small)
        source = DCMIP + number
        draw(case, workspace, data, [name for tracer in tracers for name in (tracer, f"{tracer}_exact")][:4])
        return [
            *(
                case.at_most(f"l2 of {tracer}", error_of(data, tracer).l2, limit, source)
                for tracer, limit in tracers.items()
            ),
            *(
                case.at_most(f"change of the mass of {tracer}", drift(data, f"{tracer}_mass"), limit, source)
                for tracer, limit in (kept or dict.fromkeys(tracers, 1e-13)).items()
            ),
        ]

    return GlobeCase(f"globe-dcmip-{number}", checks)


def _mass(case: GlobeCase, workspace: Workspace) -> list[Check]:
    data = run(workspace, case.name, "mass", {})
    with picture(workspace.picture(case.name), 8, 4) as figure:
        axis = figure.subplots()
        for name in ("q_mass", "air_mass"):
            axis.plot(data["time"], data[name] / data[name][0] - 1, label=name)
        axis.set_ylabel("change of the total")
        axis.legend()
    return [
        case.at_most(f"change of {name} in a year", drift(data, name), 1e-12, "conservation to rounding")
        for name in ("q_mass", "air_mass")
    ]


def _age(case: GlobeCase, workspace: Workspace) -> list[Check]:
    """Radon's case in a wind without vertical parts: what is above the ground ages, and radon comes into
    balance with its decay."""
    changed = {
        **grid(48, "1 h"), "vertical.nz": "10", "run.duration": "10 d", "wind.flow": "solid-body",
        "wind.period": "12 d", "wind.angle": "45",
        "output.history.fields": '["age", "radon_mass"]', "output.history.interval": "1 d",
    }  # fmt: skip
    data = run(workspace, case.name, "radon", changed)
    days = data["age"].isel(time=-1).values / DAY
    emitted = 3.69e-21 * 2 * np.pi * EARTH_RADIUS**2 * sum(np.sin(np.deg2rad([60, 70])))
    lifetime = 5.517 * DAY
    expected = emitted * lifetime * (1 - np.exp(-10 * DAY / lifetime))
    off = float(data["radon_mass"].values[-1] / expected - 1)
    draw(case, workspace, data, ["age"])
    return [
        Check(case.name, "least age above the ground", 10.0, float(days[1:].min()), 1e-5, CLOCK, "d"),
        Check(case.name, "largest age above the ground", 10.0, float(days[1:].max()), 1e-5, CLOCK, "d"),
        case.at_most("largest age in the lowest layer", float(days[0].max()), 0.0, CLOCK),
        case.at_most("mass of radon, off its balance", abs(off), RADON_LIMIT, RADON),
    ]


# What is reached, with a tenth to spare.
SOLID_BODY = {0: (0.0021, 0.0027), 45: (0.0069, 0.0063), 90: (0.088, 0.122)}
VORTEX_LIMITS = (0.0009, 0.0034, 0.02)
DEFORMATION_LIMITS = {"bells": 0.038, "correlated": 0.012, "hills": 0.0067, "cylinders": 0.233}
MIXING_LIMITS = {"real": 0.00122, "unmixing": 0.000175, "overshooting": 0.00054}
TERMINATOR_LIMIT = 1e-6  # of single precision in the file; in one family the sum stays to rounding
RADON_LIMIT = 0.0042  # half a step of an hour is 0.38 % of the lifetime: a step emits, then decays

CASES = [
    GlobeCase("globe-solid-body", _solid_body),
    GlobeCase("globe-moving-vortices", _vortices),
    GlobeCase("globe-deformation", _deformation),
    GlobeCase("globe-terminator", _terminator),
    GlobeCase("globe-mass", _mass),
    GlobeCase("globe-age", _age),
    _dcmip(
        "1-1", {"q1": 0.25, "q2": 0.012, "q3": 0.205, "q4": 0.0117}, {**grid(72, "2 h"), "vertical.nz": "30"}
    ),
    _dcmip("1-2", {"q": 0.2}, {**grid(48, "30 min"), "vertical.nz": "30"}),
    # The wind blows through the mountains, and takes along what has come down to them.
    _dcmip(
        "1-3",
        {"q2": 0.65, "q3": 0.435, "q4": 0.5},
        {**grid(72, "2 h"), "vertical.nz": "15"},
        kept={"q3": 1e-6},
    ),
]
