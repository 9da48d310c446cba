"""Members of an ensemble, and analyses and forecasts of one time, are never mixed into one state."""

import eccodes as ec
import numpy as np
import pytest
import xarray as xr

import analytic
from analysed_columns import LAT, LON, assert_true, columns_of
from analytic import START, era5, every, lat_lon_keys
from squall.errors import UserError
from squall.prepare.run_file import read_plan
from squall.prepare.sources import open_analysis
from squall.prepare.sources.piece import window_around

pytestmark = pytest.mark.regression

U_OF_MEMBER = 20.0  # m/s more than the control's


def value(analysis, field, time=None):
    """Of the lowest level, near 45 N 5 E."""
    piece = analysis.at(time or analysis.times[0], field)[0]
    return float(piece.read(window_around(piece.grid, np.array([5.0]), np.array([45.0])))[0].mean())


def test_members_of_a_grib_file_are_refused_by_name(trial):
    path = trial("10-members", "members.grib2")
    with pytest.raises(UserError, match=r"2 members of an ensemble: 1, unnumbered\. .*--member 1.*member = "):
        open_analysis([path])


@pytest.mark.parametrize(
    ("member", "wind"), [("1", 20), ("01", 20), ("unnumbered", 0), ("control", 0), ("0", 0)]
)
def test_the_member_that_is_wanted_is_taken_whole(trial, member, wind):
    analysis = open_analysis([trial("10-members", "members.grib2")], member=member)
    assert value(analysis, "u") == pytest.approx(10 * np.cos(np.pi / 4) + wind, abs=2)
    assert {piece.member for piece in analysis.at(analysis.times[0], "temperature")} == {"1" if wind else ""}
    assert not any("more than once" in note for note in analysis.notes)


def test_fields_of_control_and_member_make_no_state_together(trial, tmp_path):
    """Also where no field is there of both: temperature of the control alone, wind of the member alone."""
    kept = []
    for message in _messages(trial("10-members", "members.grib2")):
        handle = ec.codes_new_from_message(message)
        of_member = ec.codes_get(handle, "productDefinitionTemplateNumber") == 1
        if of_member == (ec.codes_get(handle, "shortName") in ("u", "v")):
            kept.append(message)
        ec.codes_release(handle)
    (tmp_path / "a.grib").write_bytes(b"".join(kept))
    with pytest.raises(UserError, match="2 members of an ensemble: 1, unnumbered"):
        open_analysis([tmp_path / "a.grib"])
    with pytest.raises(UserError, match="no temperature on pressure or model levels"):
        open_analysis([tmp_path / "a.grib"], member="1")


def test_a_member_that_is_not_there_is_refused(trial):
    with pytest.raises(UserError, match="no member 7; the members are 0, 1"):
        open_analysis([trial("10-members", "number.nc")], member="7")
    with pytest.raises(UserError, match="no member 7; the files contain no members"):
        open_analysis([trial("01-netcdf-taken-for-grib", "without.nc")], member="7")


def test_members_of_a_netcdf_file(trial):
    path = trial("10-members", "number.nc")
    with pytest.raises(UserError, match="2 members of an ensemble: 0, 1"):
        open_analysis([path])
    assert value(open_analysis([path], member="0"), "temperature") == pytest.approx(250)
    assert value(open_analysis([path], member="1"), "temperature") == pytest.approx(255)


def ensemble(folder, name, labels, **attributes):
    """ERA5's files with members that are 5 K apart, along a dimension."""
    upper, surface = era5(LON, LAT)
    made = xr.concat([upper + 5.0 * n for n in range(len(labels))], name)
    if labels[0] is not None:
        made = made.assign_coords({name: (name, labels, attributes)})
    for variable in upper:
        made[variable].attrs = upper[variable].attrs
    made.to_netcdf(folder / "pl.nc")
    surface.to_netcdf(folder / "sfc.nc")
    return [folder / "pl.nc", folder / "sfc.nc"]


@pytest.mark.parametrize("name", ["member", "ensemble", "realization", "ens", "ensemble_member"])
def test_members_by_whatever_name(tmp_path, name):
    paths = ensemble(tmp_path, name, [3, 11])
    with pytest.raises(UserError, match="2 members of an ensemble: 3, 11"):
        open_analysis(paths)
    first, second = (value(open_analysis(paths, member=member), "temperature") for member in ("3", "11"))
    assert second - first == pytest.approx(5, abs=1e-3)


def test_members_by_standard_name_and_by_names(tmp_path):
    paths = ensemble(tmp_path, "which", ["gec00", "gep01"], standard_name="realization")
    with pytest.raises(UserError, match="gec00, gep01"):
        open_analysis(paths)
    assert open_analysis(paths, member="gep01").times == [START]


def test_members_without_numbers_count_from_0(tmp_path):
    with pytest.raises(UserError, match="members of an ensemble: 0, 1, 2"):
        open_analysis(ensemble(tmp_path, "number", [None] * 3))


def test_one_member_alone_is_taken(tmp_path):
    assert open_analysis(ensemble(tmp_path, "number", [7])).times == [START]
    columns, _ = columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"])
    assert_true(columns)


def test_members_in_files_of_their_own(tmp_path):
    upper, surface = era5(LON, LAT)
    for number in (0, 1):
        upper.assign_coords(number=number).to_netcdf(tmp_path / f"{number}.nc")
    surface.to_netcdf(tmp_path / "sfc.nc")
    with pytest.raises(UserError, match="2 members of an ensemble: 0, 1"):
        open_analysis(sorted(tmp_path.glob("*.nc")))
    assert open_analysis([tmp_path / "0.nc", tmp_path / "sfc.nc"]).times == [START]


def test_a_dimension_that_is_not_known_is_used_if_it_has_one_index(tmp_path):
    one, surface = era5(LON, LAT)
    surface.to_netcdf(tmp_path / "sfc.nc")
    one.expand_dims("quantile", axis=2).to_netcdf(tmp_path / "pl.nc")
    assert_true(columns_of([tmp_path / "pl.nc", tmp_path / "sfc.nc"])[0])
    two = xr.concat([one, one], "quantile")
    two.to_netcdf(tmp_path / "two.nc")
    with pytest.raises(UserError, match=r"temperature over the dimension quantile \(2 values\) .*not read"):
        open_analysis([tmp_path / "two.nc", tmp_path / "sfc.nc"])


def write(path, *kinds, edition=2):
    """One file with the analysis as often as there are kinds, each with its keys and its u (m/s) added."""
    grid, across = lat_lon_keys(LON, LAT), np.meshgrid(LON, LAT)
    with path.open("wb") as file:
        for keys, more in kinds:
            for name, field in analytic.UPPER.items():
                for p in analytic.LEVELS:
                    values = field(p, *across) + (more if name == "u" else 0)
                    about = {**grid, "typeOfLevel": "isobaricInhPa", "level": int(p / 100)}
                    about |= analytic.date_keys(START) | {"shortName": name} | keys
                    file.write(analytic.message(values, about, edition))
            for name in ("sp", "orog") if edition == 2 else ("sp", "z"):
                values = analytic.SURFACE["orog" if name == "z" else name](*across) * (
                    9.80665 if name == "z" else 1
                )
                about = {**grid, **analytic.date_keys(START), "shortName": name, **keys}
                if edition == 1:
                    about = {
                        **grid,
                        **analytic.date_keys(START),
                        "typeOfLevel": "surface",
                        "level": 0,
                    } | about
                file.write(analytic.message(values, about, edition))
    return path


def test_members_of_ecmwf_in_grib_1(tmp_path):
    local = {"centre": "ecmf", "setLocalDefinition": 1, "localDefinitionNumber": 1, "type": "pf"}
    local |= {"stream": "enfo", "numberOfForecastsInEnsemble": 50}
    path = write(tmp_path / "a.grib", *(({**local, "perturbationNumber": n}, n) for n in (2, 1)), edition=1)
    with pytest.raises(UserError, match="2 members of an ensemble: 1, 2"):
        open_analysis([path])
    both = [value(open_analysis([path], member=str(n)), "u") for n in (1, 2)]
    assert both[1] - both[0] == pytest.approx(1, abs=1e-2)


def test_number_0_of_a_deterministic_analysis_is_no_member(tmp_path):
    local = {"centre": "ecmf", "setLocalDefinition": 1, "localDefinitionNumber": 1, "type": "an"}
    analysis = open_analysis([write(tmp_path / "a.grib", (local, 0), edition=1)])
    assert analysis.at(START, "u")[0].member == ""


def test_mean_and_spread_of_an_ensemble_are_told_apart(tmp_path):
    derived = {"productDefinitionTemplateNumber": 2}
    path = write(
        tmp_path / "a.grib", ({**derived, "derivedForecast": 4}, 3), ({**derived, "derivedForecast": 0}, 0)
    )
    with pytest.raises(UserError, match="2 members of an ensemble: mean, spread"):
        open_analysis([path])
    assert_true(columns_of_member([path], "mean"))


def columns_of_member(paths, member):
    from analysed_columns import EUROPE
    from squall.prepare.make_columns import ColumnMaker
    from squall.prepare.regrid import Regridder
    from squall.prepare.report import Report

    regridder = Regridder(open_analysis(paths, member=member), EUROPE, Report())
    made = ColumnMaker(regridder, np.ones((EUROPE.ny, EUROPE.nx), np.float32)).make(START)
    made.sea_level_pressure = analytic.SURFACE["prmsl"](EUROPE.mass.longitude, EUROPE.mass.latitude)
    return made


def forecast(hours):
    """Keys of a forecast that is of START after some hours."""
    begun = {0: 15, 12: 14, 24: 14}[hours]
    return {
        "typeOfGeneratingProcess": 2, "typeOfProcessedData": 1, "dataDate": 20240100 + begun,
        "dataTime": 1200 if hours == 12 else 0, "forecastTime": hours,
    }  # fmt: skip


ANALYSIS = {"typeOfGeneratingProcess": 0, "typeOfProcessedData": 0}


@pytest.mark.parametrize("first", [True, False])
def test_of_analysis_and_forecast_of_one_time_the_analysis_is_taken_whole(tmp_path, first):
    kinds = [(ANALYSIS, 0.0), (forecast(12), U_OF_MEMBER)]
    path = write(tmp_path / "a.grib", *(kinds if first else kinds[::-1]))
    analysis = open_analysis([path])
    assert {piece.made.process for name in ("u", "temperature") for piece in analysis.at(START, name)} == {
        "analysis"
    }
    assert any("the analysis of 2024-01-15 00:00 is used" in note for note in analysis.notes)
    assert "forecast of 2024-01-14 12:00" in analysis.notes[0]


def test_of_two_forecasts_of_one_time_the_later_one_is_taken(tmp_path):
    path = write(tmp_path / "a.grib", (forecast(24), U_OF_MEMBER), (forecast(12), 0.0))
    starts = {piece.made.start for piece in open_analysis([path]).at(START, "u")}
    assert [f"{start:%d %H}" for start in starts] == ["14 12"]


def test_an_analysis_of_the_surface_goes_with_a_forecast_of_the_air(tmp_path):
    """What is lacking altogether comes from the other one: no level of two."""
    air = write(tmp_path / "a.grib", (forecast(12), 0.0))
    grid, across = lat_lon_keys(LON, LAT), np.meshgrid(LON, LAT)
    keys = {**grid, **analytic.date_keys(START), **ANALYSIS}
    sea = tmp_path / "b.grib"
    sea.write_bytes(
        b"".join(
            analytic.message(analytic.SURFACE[name](*across), {**keys, "shortName": name})
            for name in ("sp", "skt")
        )
    )
    analysis = open_analysis([sea, air])
    assert analysis.at(START, "surface_pressure")[0].made.process == "forecast"
    assert analysis.at(START, "skin_temperature")[0].made.process == "analysis"
    assert any("what it lacks: skin temperature" in note for note in analysis.notes)


def test_clouds_of_a_forecast_do_not_go_with_an_analysis(tmp_path):
    """Which has none: they are where the forecast's air is moist."""
    path = write(tmp_path / "a.grib", (ANALYSIS, 0.0), (forecast(12), U_OF_MEMBER))
    keys = lat_lon_keys(LON, LAT) | analytic.date_keys(START) | {"typeOfLevel": "isobaricInhPa"}
    cloud = np.full((len(LAT), len(LON)), 1e-4)
    with path.open("ab") as file:
        for level in (1000, 925, 850):
            about = {**keys, "level": level, "shortName": "clwmr", **forecast(12)}
            file.write(analytic.message(cloud, about))
    analysis = open_analysis([path])
    assert {piece.made.process for piece in analysis.at(START, "temperature")} == {"analysis"}
    assert not analysis.at(START, "cloud_water")


def test_errors_of_an_analysis_are_no_analysis(tmp_path):
    error = {"typeOfGeneratingProcess": 7}
    path = write(tmp_path / "a.grib", (error, 50.0), (ANALYSIS, 0.0))
    assert value(open_analysis([path]), "u") == pytest.approx(10, abs=12)
    assert {piece.made.process for piece in open_analysis([path]).at(START, "u")} == {"analysis"}
    with pytest.raises(UserError, match="temperature as the error of an analysis"):
        open_analysis([write(tmp_path / "b.grib", (error, 0.0))])


@pytest.mark.parametrize("step_name", ["step", "lead_time", "prediction_timedelta", "fhour"])
def test_forecasts_by_start_and_step_in_netcdf(tmp_path, step_name):
    """Two forecasts, 6 h apart, that have a time in common: the later one's is taken."""
    upper, _ = era5(LON, LAT, every(6, 1), new=False)
    both = []
    for n, start in enumerate(every(6, 2)):
        for step in (0, 6):
            at = (upper + 10.0 * n).assign_coords(time=[np.datetime64(start, "ns")])
            at = at.expand_dims(step=[np.timedelta64(step, "h").astype("timedelta64[ns]")])
            for name in upper:
                at[name].attrs = upper[name].attrs
            both.append(at)
    made = xr.combine_by_coords(both, combine_attrs="override")
    if step_name == "fhour":  # as a number
        made = made.assign_coords(step=("step", [0, 6], {"units": "hours"}))
    made = made.rename(step=step_name)
    made["time"].attrs["standard_name"] = "forecast_reference_time"
    made.to_netcdf(tmp_path / "pl.nc")
    analysis = open_analysis([tmp_path / "pl.nc"])
    assert analysis.times == every(6, 3)
    values = [value(analysis, "temperature", time) for time in analysis.times]
    assert values[1] - values[0] == pytest.approx(10, abs=0.01)
    assert values[2] == pytest.approx(values[1], abs=0.01)
    assert any("forecast" in note for note in analysis.notes)


def test_a_run_file_names_its_member(tmp_path, trial):
    text = (
        '[prepare]\nanalysis = ["{}"]\nmember = "1"\n[domain]\nnx = 10\nny = 10\ndx = "60 km"\n'
        '[initial]\nfile = "wrfinput_d01"\n'
    )
    (tmp_path / "run.toml").write_text(text.format(trial("10-members", "number.nc")))
    assert read_plan(tmp_path / "run.toml").member == "1"


def test_the_command_takes_a_member(trial, squall, tmp_path):
    path = trial("10-members", "number.nc")
    done = squall("prepare", path, "-o", "n", "--levels", 20)
    assert done.returncode == 2
    assert "2 members of an ensemble: 0, 1" in done.stderr
    done = squall("prepare", path, "-o", "n", "--levels", 20, "--member", 0)
    assert done.returncode == 0, done.stderr
    assert 'member = "0"' in (tmp_path / "n" / "forecast.toml").read_text()


def test_ncep_numbers_members_in_grib_1(tmp_path):
    """Octets 41 to 45 of section 1: 1 for ensembles, kind (1 control, 2 and 3 a pair), number, product."""
    for kind, number, name in ((1, 1, "0"), (2, 4, "-4"), (3, 4, "4")):
        made = b""
        for message in _messages(
            write(tmp_path / "a.grib", ({"centre": "kwbc", "subCentre": 2}, 0), edition=1)
        ):
            length = int.from_bytes(message[8:11], "big")
            own = message[11 : 8 + min(length, 28)].ljust(37, b"\0") + bytes([1, kind, number, 1, 1])
            own = (len(own) + 3).to_bytes(3, "big") + own
            whole = message[:8] + own + message[8 + length :]
            made += whole[:4] + len(whole).to_bytes(3, "big") + whole[7:]
        (tmp_path / "b.grib").write_bytes(made)
        assert open_analysis([tmp_path / "b.grib"]).at(START, "u")[0].member == name


def _messages(path):
    with path.open("rb") as file:
        while (handle := ec.codes_grib_new_from_file(file)) is not None:
            yield ec.codes_get_message(handle)
            ec.codes_release(handle)
