"""Rules for WRF's output besides the history: levels, extremes, diagnostics, time series."""

from pathlib import Path

from squall.errors import UserError
from squall.wrf.namelist import Value
from squall.wrf.rules import Outcome, Rule, Setting, Values
from squall.wrf.run_rules import frames_in_a_file, interval_keys, interval_of, late, late_keys, quantity
from squall.wrf.schemes import SUITE, number_of

# What WRF puts on levels, U_PL, V_PL, T_PL, RH_PL, GHT_PL, S_PL, TD_PL, Q_PL, by our names.
_WINDS = ["wind_east", "wind_north", "wind_speed"]
_ON_LEVELS = [*_WINDS, "temperature", "relative_humidity", "height", "dew_point", "QVAPOR"]
# What nwp_diagnostics adds to the history; the last, what drops send back, where there are any.
_NWP = ["WSPD10MAX", "W_UP_MAX", "W_DN_MAX", "UP_HELI_MAX"]
_ECHOES = "REFD_MAX"
# What output_diagnostics takes the extremes, mean and spread of, where the surface gives off something.
_CLIMATE = ["T2", "Q2", "U10", "V10", "wind_speed_10m", "TSK"]
_FOUR = "mean min max standard_deviation"
_RAIN = ["RAINC", "RAINNC"]


def _stream(v: Values, number: int, name: str, settings: dict[str, Setting]) -> dict[str, Setting] | None:
    """A stream of its own for WRF's auxiliary history; None where that is never written."""
    interval = interval_of(v, f"auxhist{number}")
    if interval <= 0 or v.whole(f"io_form_auxhist{number}") == 0:
        return None
    out: dict[str, Setting] = {
        f"output.{name}.interval": quantity(interval),
        f"output.{name}.frames_per_file": frames_in_a_file(v, f"auxhist{number}"),
    }
    return out | {f"output.{name}.{key}": value for key, value in settings.items()}


def _auxiliary(number: int, **keys: Value | list[float]) -> dict[str, Value | list[float]]:
    own = {f"diags.{key}": value for key, value in keys.items()}
    return (
        own
        | interval_keys(f"auxhist{number}")
        | late_keys(f"auxhist{number}")
        | {
            f"time_control.io_form_auxhist{number}": 0,
            f"time_control.frames_per_auxhist{number}": 999999,
        }
    )


def _pressures(v: Values) -> Outcome:
    if v.whole("p_lev_diags") == 0:
        return Outcome()
    levels = v.numbers("press_levels")[: v.whole("num_press_levels")]
    if not levels:
        raise UserError("p_lev_diags is on, but press_levels and num_press_levels give no level.")
    texts: list[str] = [f"{level / 100:.10g} hPa" for level in levels]
    settings = _stream(v, 23, "pressure", {"fields": _ON_LEVELS, "pressure_levels": texts})
    if settings is None:
        return Outcome(lost="auxhist23 is never written; set auxhist23_interval and io_form_auxhist23")
    return Outcome(settings, late(v, "auxhist23"))


def _heights(v: Values) -> Outcome:
    if v.whole("z_lev_diags") == 0:
        return Outcome()
    levels = v.numbers("z_levels")[: v.whole("num_z_levels")]
    above_sea = [f"{level:.10g} m" for level in levels if level >= 0]
    above_ground = [f"{-level:.10g} m" for level in levels if level < 0]
    if not levels:
        raise UserError("z_lev_diags is on, but z_levels and num_z_levels give no level.")
    settings: dict[str, Setting] = {}
    kinds = (("heights", "height_levels", above_sea), ("heights_above_ground", "ground_levels", above_ground))
    for name, key, texts in kinds:
        if texts:
            stream = _stream(v, 22, name, {"fields": _ON_LEVELS, key: texts})
            if stream is None:
                return Outcome(
                    lost="auxhist22 is never written; set auxhist22_interval and io_form_auxhist22"
                )
            settings |= stream
    return Outcome(settings, late(v, "auxhist22"))


def _climate(v: Values) -> Outcome:
    if v.whole("output_diagnostics") == 0:
        return Outcome()
    over_time = dict.fromkeys(_CLIMATE, _FOUR) | dict.fromkeys(_RAIN, "accumulation")
    settings = _stream(v, 3, "extremes", {"fields": [*_CLIMATE, *_RAIN], "over_time": over_time})
    if settings is None:
        return Outcome(lost="auxhist3 is never written; set auxhist3_interval and io_form_auxhist3")
    lost = (
        "the times of the extremes (TT2MIN and others) are not written, nor are mean, maximum and "
        "standard deviation of the rain per step (RAINCVMAX, RAINNCVMEAN and others)"
    )
    return Outcome(settings, "; ".join(filter(None, (lost, late(v, "auxhist3")))))


def _nwp(v: Values) -> Outcome:
    if v.whole("nwp_diagnostics") == 0:
        return Outcome()
    echoes = [_ECHOES] if number_of(v, "mp") > 0 else []
    return Outcome(
        {"output.history.fields": ["default", *_NWP, *echoes]},
        "W_MEAN and GRPL_MAX are not written" + ("" if echoes else ", nor REFD_MAX without microphysics"),
    )


def tslist(file: Path) -> str:
    """WRF's list of places for time series as a table of stations. Raises UserError: file and line."""
    rows = ["name,longitude,latitude"]
    for number, line in enumerate(file.read_text().splitlines()[3:], 4):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        try:
            prefix, latitude, longitude = words[-3], float(words[-2]), float(words[-1])
        except (IndexError, ValueError):
            raise UserError(
                f"{file}:{number}: a station needs a name, a prefix, latitude and longitude."
            ) from None
        rows.append(f"{prefix},{longitude:.10g},{latitude:.10g}")
    if len(rows) == 1:
        raise UserError(f"{file} contains no station: in WRF's tslist they start on the fourth line.")
    return "\n".join(rows) + "\n"


# What WRF's time series hold: values near the ground, and the profiles UU, VV, TH, QV and PH.
TIME_SERIES: dict[str, Setting] = {
    "output.stations.fields": ["T2", "Q2", "U10", "V10", "PSFC", "RAINNC"],
    "output.stations.interpolation": "nearest",
    "output.stations.places_outside": "leave-out",
    "output.profiles.fields": ["U", "V", "theta", "QVAPOR", "height"],
    "output.profiles.interpolation": "nearest",
    "output.profiles.places_outside": "leave-out",
}

STREAM_RULES = [
    Rule(
        _auxiliary(23, p_lev_diags=0, num_press_levels=0, press_levels=[]),
        "`[output.pressure]` with `pressure_levels`",
        _pressures,
        "WRF's U_PL and V_PL are eastward and northward winds",
    ),
    Rule(
        _auxiliary(22, z_lev_diags=0, num_z_levels=0, z_levels=[]),
        "`[output.heights]` with `height_levels`; levels below 0: `[output.heights_above_ground]` with "
        "`ground_levels`",
        _heights,
    ),
    Rule(
        {"time_control.output_diagnostics": 0} | _auxiliary(3),
        "`[output.extremes]` with `over_time`",
        _climate,
        "except times of extremes, and statistics of the rain per step",
    ),
    Rule(
        {"time_control.nwp_diagnostics": 0, "physics.mp_physics": -1, **SUITE},
        "`output.history.fields`, with the fields since the last frame",
        _nwp,
        "except W_MEAN and GRPL_MAX",
    ),
]
