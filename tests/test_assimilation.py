"""What analyses do in a run beside starting it: the sea over time, and nudging; and steps of a length that
changes. Each has the same bits on any ranks and through a restart."""

import json
import shutil
from datetime import timedelta

import numpy as np
import pytest
from netCDF4 import Dataset

import made_up_columns as made_up
from analysed_runs import GRID, LAND, ROWS, SETTINGS, assert_same_bits, run, sea_at, write_inputs
from squall.prepare.wrflowinp import write_wrflowinp
from squall.reader.dataset import open_run

pytestmark = pytest.mark.regression


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("analysed"))


def test_the_sea_follows_its_file_and_the_bits_stay(files, tmp_path):
    whole = assert_same_bits(files, tmp_path, boundary='lower_file = "wrflowinp_d01"')
    sea = LAND < 0.5
    sea[-3:] = False
    minute = 1 / 60  # the last step began a minute before
    assert whole["TSK"].values[-1][sea] == pytest.approx(292 + (1 - minute) / 3, abs=1e-4)
    assert whole["SEAICE"].values[-1][-1, 0] == pytest.approx(1 - (1 - minute) / 6, abs=1e-6)


def test_ice_that_goes_leaves_open_water(files, tmp_path):
    lower = [sea_at(0), sea_at(0.99 * 6)]
    write_wrflowinp(files / "wrflowinp_fast", GRID, SETTINGS, [
        (made_up.START, *lower[0][1:]), (made_up.START + timedelta(hours=1), *lower[1][1:])])  # fmt: skip
    whole = assert_same_bits(files, tmp_path, boundary='lower_file = "wrflowinp_fast"')
    skin = whole["TSK"].values[:, -2, 1]
    warm = 292 + 2 * 0.99 * np.array([19, 39, 59]) / 60
    assert skin[1] < 291  # under ice
    assert skin[2:] == pytest.approx(warm[1:], abs=1e-3)
    assert whole["ALBEDO"].values[-1][-2, 1] == pytest.approx(0.08)
    wrf = run(files, tmp_path / "wrf", 'run.compatibility="wrf"', boundary='lower_file = "wrflowinp_fast"')
    assert np.all(wrf["TSK"].values[-1][LAND < 0.5] <= 292)  # the first analysis holds until the next


def test_cells_partly_under_ice_are_between_ice_and_water(files, tmp_path):
    """With fractional_sea_ice; the share goes from 1 to 0.3, beside water as warm as it can be there."""
    lower = [sea_at(0), sea_at(0.7 * 6)]
    write_wrflowinp(files / "wrflowinp_part", GRID, SETTINGS, [
        (made_up.START, *lower[0][1:]), (made_up.START + timedelta(hours=1), *lower[1][1:])])  # fmt: skip
    part = {"boundary": 'lower_file = "wrflowinp_part"', "physics": "fractional_sea_ice = true"}
    whole = assert_same_bits(files, tmp_path, 'physics.land="noah"', **part)
    share, sea = whole["SEAICE"].values[:, -2, 1], whole["SST"].values[:, -2, 1]
    assert share == pytest.approx([1, *(1 - 0.7 * np.array([19, 39, 59]) / 60)], abs=1e-6)
    assert sea[[1, 3]] == pytest.approx([271.4, 275], abs=1e-4)
    albedo = whole["ALBEDO"].values[1:, -2, 1]
    assert albedo == pytest.approx(share[1:] * 0.65 + (1 - share[1:]) * 0.08, abs=1e-5)
    with Dataset(sorted((tmp_path / "whole/runs/run").glob("restart_*"))[0]) as frame:
        ice, skin, water, x = (frame[name][0, -2, 1] for name in ("TSK_SAVE", "TSK", "SST", "SEAICE"))
    assert 240 < ice <= 273.16
    assert skin == pytest.approx(x * ice + (1 - x) * water, abs=1e-3)
    solid = run(files, tmp_path / "solid", 'physics.land="noah"', boundary=part["boundary"])
    heat, of_ice = (history["HFX"].values[-1, -2, 1] for history in (whole, solid))
    assert heat != pytest.approx(of_ice, abs=1)  # where less than a half is open water without fractions


def test_leaves_of_the_land_follow_the_file_and_the_bits_stay(files, tmp_path):
    """With Noah-MP over groundwater, leaf area grows from 1 to 2.2 in six hours."""
    times = [(made_up.START + timedelta(hours=h), *sea_at(h)[1:]) for h in (0, 6)]
    write_wrflowinp(files / "wrflowinp_leaves", GRID, SETTINGS, times)
    for name, areas in (("wrfinput_d01", [1.0]), ("wrflowinp_leaves", [1.0, 2.2])):
        with Dataset(files / name, "a") as file:
            lai = file.createVariable("LAI", "f4", ("Time", "south_north", "west_east"))
            lai[:] = np.array(areas)[:, None, None] * np.ones(LAND.shape)
    options = {
        "leaf_area": "file",
        "leaf_cover": "leaf-area",
        "runoff": "groundwater",
        "frozen_soil": "koren",
    }
    settings = ['physics.land="noah-mp"', *(f'land.{key}="{value}"' for key, value in options.items())]
    whole = assert_same_bits(files, tmp_path, *settings, boundary='lower_file = "wrflowinp_leaves"')
    land = LAND > 0.5
    area, table = whole["LAI"].values[:, land], whole["ZWT"].values[:, land]
    assert area[[1, 3]].mean(axis=1) == pytest.approx([1 + 0.2 * 19 / 60, 1 + 0.2 * 59 / 60], abs=1e-4)
    assert np.all(table[0] == 2.5)
    assert np.all(np.abs(table[-1] - 2.5) < 0.2)
    assert not np.all(table[-1] == 2.5)


def test_fractions_of_ice_need_noah(files, tmp_path):
    said = run(files, tmp_path / "run", physics="fractional_sea_ice = true", fails=True)
    assert 'physics.fractional_sea_ice needs physics.land = "noah"' in said


def test_beside_partly_frozen_cells_an_ocean_layer_has_open_water(files, tmp_path):
    ocean = {"physics": 'ocean = "mixed-layer"'}
    both = {"physics": 'ocean = "mixed-layer"\nfractional_sea_ice = true'}
    skin = [
        run(files, tmp_path / name, 'physics.land="noah"', **settings)["TSK"].values
        for name, settings in (("ocean", ocean), ("both", both))
    ]
    open_water = (LAND < 0.5) & (np.arange(LAND.shape[0]) < LAND.shape[0] - 8)[:, None]
    cooled = [(of[-1] - of[0])[open_water] for of in skin]
    most = float(np.abs(cooled[0]).max())
    assert most > 1e-3
    assert cooled[1] == pytest.approx(cooled[0], abs=0.3 * most)


def test_ice_stays_where_the_file_says_nothing_of_it(files, tmp_path):
    write_wrflowinp(files / "iceless", GRID, SETTINGS, [sea_at(0), sea_at(6)])
    with Dataset(files / "iceless", "a") as file:
        file.renameVariable("SEAICE", "OTHER")
    history = run(files, tmp_path / "run", boundary='lower_file = "iceless"')
    assert np.all(history["SEAICE"].values[-1][-3:][LAND[-3:] < 0.5] == 1)
    assert history["SST"].values[-1][-1, 0] == pytest.approx(292 + 59 / 180, abs=1e-4)


def test_the_sun_warms_the_skin_of_a_calm_sea(files, tmp_path):
    whole = assert_same_bits(files, tmp_path, physics='sea_skin = "zeng-beljaars"')
    sea = LAND < 0.5
    sea[-3:] = False
    departure = (whole["TSK"].values - whole["SST"].values)[-1][sea]
    assert np.all(whole["SST"].values[-1][sea] == 292)
    assert -1 < departure.min() < departure.max() < 1.5
    assert departure.std() > 0


def test_a_file_of_a_sea_that_cannot_be_is_refused(files, tmp_path):
    time, temperature, ice = sea_at(0)
    for impossible in (12, np.nan):
        bad = np.where(LAND > 0.5, np.nan, temperature)  # of land it says nothing
        bad[1, 2] = impossible
        name = f"of_{impossible}"
        write_wrflowinp(files / name, GRID, SETTINGS, [(time, bad, ice)])
        said = run(files, tmp_path / name, boundary=f'lower_file = "{name}"', fails=True)
        assert f"SST is {impossible} over the sea in record 0 at 0-based south_north 1, west_east 2" in said
    late = [(time + timedelta(hours=1), temperature, ice)]
    write_wrflowinp(files / "late", GRID, SETTINGS, late)
    said = run(files, tmp_path / "b", boundary='lower_file = "late"', fails=True)
    assert "begins at 2020-03-01_13:00:00, but the run begins at 2020-03-01T12:00:00" in said


def test_ground_that_cannot_be_on_one_rank_ends_the_run_on_all_and_is_said_once(files, tmp_path):
    with Dataset(files / "wrfinput_d01") as file:
        land = np.argwhere(np.asarray(file["LU_INDEX"][0]) != file.ISWATER)
    j, i = land[land[:, 0].argmax()]  # in the north, of the last rank alone
    copy = files / "wrfinput_bad"
    shutil.copy(files / "wrfinput_d01", copy)
    with Dataset(copy, "a") as file:
        file["ISLTYP"][0, j, i] = 0
    said = run(
        files, tmp_path / "run", 'physics.land="noah"', 'initial.file="wrfinput_bad"', ranks=3, fails=True
    )
    assert said.count(f"ISLTYP is 0 on land at 0-based south_north {j}, west_east {i} (") == 1
    assert "it must be from 1 to" in said
    assert "recreate the file" in said


def test_steps_follow_the_courant_number_to_the_times_of_output(files, tmp_path):
    adaptive = "adaptive_time_step = true\nacoustic_substeps = 8\n"
    whole = assert_same_bits(files, tmp_path, run=adaptive)
    assert list(whole["elapsed"].values) == [0, 1200, 2400, 3600]
    with Dataset(sorted((tmp_path / "whole/runs/run").glob("restart_*"))[0]) as frame:
        assert float(frame["SECONDS"][:].squeeze()) == 2400
        longest, steps = float(frame["LONGEST_STEP"][:].squeeze()), int(frame["STEP"][:].squeeze())
    assert longest == pytest.approx(80, abs=1e-6)  # 8 s per km
    assert 2400 / 80 <= steps < 38  # 40 of a minute each
    run(files, tmp_path / "short", "run.target_courant_horizontal=0.25", run=adaptive)
    log = (tmp_path / "short/runs/run/run.log").read_text()
    told = [line for line in log.splitlines() if "  step " in line]
    length, courant = (float(told[-1].split(word)[1].split()[0]) for word in ("  step ", "Courant "))
    assert 20 < length < 45
    assert courant == pytest.approx(0.25, abs=0.03)


@pytest.mark.long
def test_nests_keep_step_with_steps_that_change(files, tmp_path):
    """With levels, radiation and cumulus of their own."""
    adaptive = "adaptive_time_step = true\nacoustic_substeps = 8\n"
    nest = """
[nest.inner]
i_parent_start = 8
j_parent_start = 7
nx = 24
ny = 18
start = "10 min"
nz = 30
radiation_interval = "5 min"
cumulus = "tiedtke"
"""
    cumulus = 'cumulus = "kain-fritsch"'
    assert_same_bits(files, tmp_path, tiled=True, run=adaptive, physics=cumulus, more=nest)

    def budgets(folder):
        return json.loads((tmp_path / folder / "runs/run/status.json").read_text())["budgets"]

    assert [(b["from"], b["to"]) for b in budgets("whole")] == [(0, 3600), (600, 3600)]
    for folder in ("cut", "tiles"):
        assert budgets(folder) == budgets("whole"), folder
        one = open_run(tmp_path / "whole/runs/run", domain=2)
        other = open_run(tmp_path / folder / "runs/run", domain=2)
        assert list(one["elapsed"].values) == [1200, 2400, 3600]
        for name in ("U", "W", "T", "MU"):
            assert one[name].values.tobytes() == other[name].values.tobytes(), (folder, name)


def inside(history, name, analysed):
    """Root mean square of a field's departure, away from the rim."""
    r = ROWS + 1
    return np.sqrt(np.mean((history[name].values[-1] - analysed)[:, r:-r, r:-r] ** 2))


def test_nudging_draws_the_whole_domain_to_the_analyses(files, tmp_path):
    rates = "".join(f'{of} = "2e-3 s-1"\n' for of in ("wind", "temperature", "moisture"))
    strong = '[nudging]\nfile = "wrffdda_d01"\n' + rates
    free = run(files, tmp_path / "free")
    drawn = assert_same_bits(files, tmp_path, more=strong)
    with Dataset(files / "wrffdda_d01") as file:

        def at_end(name):
            old, new = (file[f"{name}_NDG_{age}"][0] for age in ("OLD", "NEW"))
            return old + (new - old) / 6

        for ours, theirs in (("U", "U"), ("V", "V"), ("T", "T"), ("QVAPOR", "Q")):
            without, by = (inside(history, ours, at_end(theirs)) for history in (free, drawn))
            assert by < 0.55 * without, (ours, by, without)


def test_nudging_takes_the_share_of_a_departure_that_its_equation_says(files, tmp_path):
    """dx/dt = ... + G (x_a - x) (Stauffer and Seaman 1990): what is added to the analyses everywhere is
    after ten steps in the air to 1 - (1 - G dt)^10; nothing else changes by it so soon."""
    departures = {"U": 4.0, "V": -3.0, "T": 2.0, "Q": -1e-3}
    shutil.copytree(files, tmp_path / "inputs")
    with Dataset(tmp_path / "inputs/wrffdda_d01", "a") as file:
        for name, departure in departures.items():
            for age in ("OLD", "NEW"):
                file[f"{name}_NDG_{age}"][:] += departure
    short = (
        "run.duration=20 s", "run.time_step=2 s", "physics.microphysics=vapour",
        "output.restart.interval=20 s", "output.history.interval=20 s",
    )  # fmt: skip
    rates = {"wind": 2e-3, "temperature": 3e-3, "moisture": 1e-3}
    table = '[nudging]\nfile = "wrffdda_d01"\n' + "".join(f'{of} = "{g} s-1"\n' for of, g in rates.items())
    to_more = run(tmp_path / "inputs", tmp_path / "to_more", *short, more=table)
    to_analyses = run(files, tmp_path / "to_analyses", *short, more=table)
    inside = np.s_[-1, :, ROWS + 2 : -ROWS - 2, ROWS + 2 : -ROWS - 2]
    for name, rate in (("U", "wind"), ("V", "wind"), ("T", "temperature"), ("Q", "moisture")):
        ours = "QVAPOR" if name == "Q" else name
        change = (to_more[ours].values[inside] - to_analyses[ours].values[inside]).astype(float)
        expected = (1 - (1 - 2 * rates[rate]) ** 10) * departures[name]
        assert change.mean() == pytest.approx(expected, rel=0.01), ours
        assert change.std() < 0.02 * abs(expected), ours


def test_nudging_may_spare_the_boundary_layer_and_ends_on_a_ramp(files, tmp_path):
    more = '[nudging]\nfile = "wrffdda_d01"\nwind = "2e-3 s-1"\n'
    spared = assert_same_bits(files, tmp_path, more=more + "wind_in_boundary_layer = false\n")
    everywhere = run(files, tmp_path / "all", more=more)
    with Dataset(files / "wrffdda_d01") as file:
        analysed = file["U_NDG_OLD"][0] + (file["U_NDG_NEW"][0] - file["U_NDG_OLD"][0]) / 6

    def departure(history, k):
        r = ROWS + 1
        return np.sqrt(np.mean((history["U"].values[-1] - analysed)[k, r:-r, r:-r] ** 2))

    assert departure(spared, 0) > 1.3 * departure(everywhere, 0)
    assert departure(spared, 15) < 1.1 * departure(everywhere, 15)
    ended = run(files, tmp_path / "ended", more=more + 'end = "5 min"\nramp = "10 min"\n')
    assert departure(ended, 15) > 1.2 * departure(everywhere, 15)
    said = run(files, tmp_path / "long", "run.duration=7 h", more=more, fails=True)
    assert "ends at 2020-03-01_18:00:00" in said  # the boundary, of the same analyses


SPECTRAL = '[nudging]\nfile = "wrffdda_d01"\nscheme = "spectral"\n'


def long_waves(field, waves_x, waves_y):
    """What a filter leaves of (..., ny, nx): of n cells and one more point, which is 0, the first Fourier
    components of both directions."""

    def along(values, axis, waves):
        n = values.shape[axis]
        spectrum = np.fft.rfft(values, n + 1, axis=axis)
        keep = np.arange(spectrum.shape[axis]) <= waves
        shape = [-1 if a == axis % values.ndim else 1 for a in range(values.ndim)]
        return np.fft.irfft(spectrum * keep.reshape(shape), n + 1, axis=axis).take(range(n), axis=axis)

    return along(along(field, -1, waves_x), -2, waves_y)


def test_spectral_nudging_draws_long_waves_alone(files, tmp_path):
    """Of a departure of the first and of the fifth wave the first goes, by the share that its equation says;
    of temperature half as much in the layer of the lid, and nothing above."""
    shutil.copytree(files, tmp_path / "inputs")
    with Dataset(tmp_path / "inputs/wrffdda_d01", "a") as file:
        nz, ny, nx = file["T_NDG_OLD"].shape[1:]
        x, y = np.arange(nx) / (nx + 1), np.arange(ny)[:, None] / (ny + 1)
        pattern = np.cos(2 * np.pi * x) * np.sin(2 * np.pi * y) + np.cos(2 * np.pi * 5 * x) + 0 * y
        sizes = {"U": 4.0, "V": -3.0, "T": 0.5, "Q": -1e-3}
        for name, size in sizes.items():
            for age in ("OLD", "NEW"):
                file[f"{name}_NDG_{age}"][..., :ny, :nx] += size * pattern
    short = (
        "run.duration=6 s", "run.time_step=1 s", "physics.microphysics=vapour",
        "output.restart.interval=6 s", "output.history.interval=6 s",
    )  # fmt: skip
    rates = {"wind": 2e-3, "temperature": 3e-3, "moisture": 1e-3}
    table = SPECTRAL + "".join(f'{of} = "{g} s-1"\n' for of, g in rates.items())
    table += 'geopotential = "0 s-1"\nwaves_x = 2\nwaves_y = 1\nwind_above = 4\nwind_growth = 2\nlid = 12\n'
    to_more = run(tmp_path / "inputs", tmp_path / "to_more", *short, more=table)
    to_analyses = run(files, tmp_path / "to_analyses", *short, more=table)
    inside = np.s_[:, ROWS + 2 : -ROWS - 2, ROWS + 2 : -ROWS - 2]
    drawn = long_waves(pattern, 2, 1)
    layer = np.arange(1, nz + 1)[:, None, None]
    of_wind = np.clip((layer - 4) / 2, 0, 1)
    of_air = np.where(layer < 12, 1, np.where(layer == 12, 0.5, 0))
    for name, rate, weight in (
        ("U", "wind", of_wind), ("V", "wind", of_wind), ("T", "temperature", of_air),
        ("Q", "moisture", of_air),
    ):  # fmt: skip
        ours = "QVAPOR" if name == "Q" else name
        change = (to_more[ours].values[-1] - to_analyses[ours].values[-1])[..., :ny, :nx].astype(float)
        expected = sizes[name] * drawn * (1 - (1 - weight * rates[rate]) ** 6)
        error = (change - expected)[inside]
        assert np.sqrt(np.mean(error**2)) < 0.03 * np.sqrt(np.mean(expected[inside] ** 2)), ours


STRONG = "".join(f'{of} = "2e-3 s-1"\n' for of in ("wind", "temperature", "moisture"))


def test_spectral_nudging_has_the_same_bits(files, tmp_path):
    spared = 'geopotential = "2e-3 s-1"\nwind_in_boundary_layer = false\n'
    spared += "geopotential_in_boundary_layer = false\n"
    assert_same_bits(files, tmp_path, tiled=True, more=SPECTRAL + STRONG + spared)


def test_spectral_nudging_draws_long_waves_as_grid_nudging_does_and_lifts_by_vertical_wind(files, tmp_path):
    """Geopotential itself follows from temperature and mass: air rises by -G / g times its departure."""
    tables = {
        "free": "",
        "grid": SPECTRAL.replace("spectral", "grid") + STRONG,
        "spectral": SPECTRAL + STRONG + 'geopotential = "0 s-1"\n',
        "lifted": SPECTRAL + STRONG + 'geopotential = "2e-3 s-1"\n',
    }
    runs = {name: run(files, tmp_path / name, more=table) for name, table in tables.items()}
    with Dataset(files / "wrffdda_d01") as file:
        old, new = ({of: file[f"{of}_NDG_{age}"][0] for of in ("U", "T", "PH")} for age in ("OLD", "NEW"))
    departure = {
        (name, of): long_waves(history[of].values[-1] - old[of] - (new[of] - old[of]) / 6, 3, 3)
        for name, history in runs.items()
        for of in old
    }
    for of in ("U", "T"):
        free, grid, spectral = (float(np.sqrt(np.mean(departure[name, of] ** 2))) for name in list(runs)[:3])
        assert spectral < 0.55 * free, of
        assert spectral == pytest.approx(grid, rel=0.05), of
    inside = np.s_[2:-1, ROWS + 2 : -ROWS - 2, ROWS + 2 : -ROWS - 2]
    lift = (runs["lifted"]["W"].values[-1] - runs["spectral"]["W"].values[-1])[inside]
    expected = 2e-3 / 9.81 * departure["lifted", "PH"][inside]
    assert np.sqrt(np.mean((lift - expected) ** 2)) < 0.06 * np.sqrt(np.mean(expected**2))


def test_more_waves_than_the_domain_has_are_refused(files, tmp_path):
    said = run(files, tmp_path / "run", more=SPECTRAL + "waves_x = 40\n", fails=True)
    assert "nudging.waves_x = 40: the domain has" in said
