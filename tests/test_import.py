"""What becomes of a WRF namelist: `squall import`, and the reference page that is made from its rules."""

import tomllib
from pathlib import Path

import pytest

from namelists import FILTERED, FULL_PHYSICS, MINIMAL, NOAH, NUDGED, SCHEMA, STARTED, namelist, settings
from squall.lab.verify.data import Skipped, folder
from squall.wrf import reference
from squall.wrf.namelist import Namelist, columns_of, read
from squall.wrf.translate import RULES, translate
from squall.wrf.write import run_file

pytestmark = pytest.mark.regression

DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_a_plain_namelist_becomes_a_run_file_of_few_lines(tmp_path):
    text = run_file(translate(namelist(), SCHEMA), SCHEMA, tmp_path / "namelist.input", tmp_path / "a.toml")
    assert tomllib.loads(text) == {
        "run": {"duration": "6 h", "time_step": "1 min"},
        "dynamics": {"coriolis": "file"},
        "diffusion": {"scheme": "smagorinsky-2d"},
        "physics": {"microphysics": "wsm6"},
        "initial": {"file": "wrfinput_d01"},
        "boundary": {"file": "wrfbdy_d01"},
        "output": {
            "history": {
                "interval": "1 h", "path": "wrfout_d01_%Y-%m-%d_%H:%M:%S", "frames_per_file": 10,
            }
        },
    }  # fmt: skip


ADAPTIVE = {"use_adaptive_time_step": True}
SPECTRAL = {
    "grid_fdda": 2, "guv": 3e-4, "gt": 3e-4, "gph": 2e-4, "xwavenum": 4, "ywavenum": 2, "gfdda_end_h": 24,
    "if_zfac_uv": 1, "k_zfac_uv": 5, "dk_zfac_uv": 4,
}  # fmt: skip
SPARED = {**SPECTRAL, "if_no_pbl_nudging_uv": 1}
RAMP = {"gfdda_end_h": 24, "if_ramping": 1, "dtramp_min": 60.0}
DARK = {"ra_lw_physics": 0, "ra_sw_physics": 0}
DUDHIA = {"ra_lw_physics": 1, "ra_sw_physics": 1}
OCEAN = {"sf_ocean_physics": 1, "oml_hml0": 30.0, "oml_gamma": 0.1, "oml_relaxation_time": 86400.0}


@pytest.mark.parametrize(
    ("groups", "key", "value"),
    [
        (
            {
                "time_control": {
                    "run_hours": 0,
                    "start_year": 2020,
                    "start_month": 2,
                    "start_day": 28,
                    "start_hour": 12,
                    "end_year": 2020,
                    "end_month": 3,
                    "end_day": 1,
                    "end_hour": 0,
                }
            },
            "run.duration",
            "36 h",
        ),
        (
            {"domains": {"time_step": 2, "time_step_fract_num": 1, "time_step_fract_den": 2}},
            "run.time_step",
            "2.5 s",
        ),
        ({"domains": {"time_step": 72}}, "run.acoustic_substeps", None),  # 300 s/km x 72 s / 12 km = 1.8: 4
        ({"domains": {"time_step": 96}}, "run.acoustic_substeps", 6),  # 2.4
        ({"dynamics": {"time_step_sound": 5}}, "run.acoustic_substeps", 6),
        ({"dynamics": {"gwd_opt": 0}}, "physics.gravity_wave_drag", None),
        ({"dynamics": {"gwd_opt": 1}}, "physics.gravity_wave_drag", "kim-arakawa"),
        ({"dynamics": {"damp_opt": 3, "zdamp": [4000.0, 5000.0]}}, "damping.depth", "4000 m"),
        ({"dynamics": {"damp_opt": 2, "dampcoef": 0.003}}, "damping.coefficient", "0.003 s-1"),
        ({"dynamics": {"damp_opt": 1, "dampcoef": 0.1}}, "damping.diffusion_number", 0.1),
        ({"dynamics": {"diff_opt": 2, "km_opt": 2, "c_k": 0.1}}, "diffusion.c_k", 0.1),
        ({"dynamics": {"km_opt": 1, "khdif": 75}}, "diffusion.horizontal", "75 m2/s"),
        ({"dynamics": {"km_opt": 1}}, "diffusion.scheme", None),
        ({"dynamics": {"diff_6th_opt": 2}}, "diffusion.sixth_order", "monotonic"),
        ({"dynamics": {"diff_6th_opt": 1, "diff_6th_factor": 0.2}}, "diffusion.sixth_order_factor", 0.2),
        (
            {"dynamics": {"diff_opt": 2, "km_opt": 2}, "physics": {"bl_pbl_physics": 1}},
            "diffusion.scheme",
            "tke",  # which then mixes horizontally only, as in WRF
        ),
        ({"dynamics": {"km_opt": 1, "khdif": 75}}, "diffusion.prandtl", None),  # 1/3 is the default
        ({"dynamics": {"km_opt": 4, "kvdif": 30}}, "diffusion.vertical", "30 m2/s"),
        ({"dynamics": {"diff_opt": 2, "km_opt": 4, "kvdif": 30}}, "diffusion.vertical", None),
        (
            {"dynamics": {"km_opt": 4, "kvdif": 30}, "physics": {"bl_pbl_physics": 1}},
            "diffusion.vertical",
            None,
        ),
        ({"dynamics": {"km_opt": 2}}, "diffusion.scheme", "tke"),
        ({"dynamics": {"km_opt": 2}}, "diffusion.surfaces", None),  # coordinate is the default
        ({"dynamics": {"km_opt": 3}}, "diffusion.scheme", None),  # 3D Smagorinsky on coordinate surfaces
        ({"dynamics": {"use_input_w": True}}, "initial.vertical_wind", "file"),
        ({"dynamics": {"use_input_w": False}}, "initial.vertical_wind", None),
        ({"domains": {"hypsometric_opt": 1}}, "dynamics.hypsometric", 1),
        ({"domains": {"hypsometric_opt": 2}}, "dynamics.hypsometric", None),  # the initial file tells
        (
            {
                "domains": {"hypsometric_opt": 1},
                "bdy_control": {"specified": False, "periodic_x": True, "periodic_y": True},
            },
            "dynamics.hypsometric",
            None,
        ),
        ({"dynamics": {"epssm": 0.5}}, "dynamics.off_centring", 0.5),
        ({"domains": {"use_adaptive_time_step": True}}, "run.adaptive_time_step", True),
        ({"domains": {**ADAPTIVE, "target_hcfl": 0.6}}, "run.target_courant_horizontal", 0.6),
        ({"domains": {**ADAPTIVE, "max_step_increase_pct": [10, 51]}}, "run.max_step_increase", 0.1),
        ({"domains": {**ADAPTIVE, "starting_time_step": 30}}, "run.time_step", "30 s"),
        ({"domains": {**ADAPTIVE, "max_time_step": 80}}, "run.max_time_step", "80 s"),
        ({"physics": {**FULL_PHYSICS, "sst_update": 1}}, "boundary.lower_file", "wrflowinp_d01"),
        ({"physics": {**FULL_PHYSICS, "sst_skin": 1}}, "physics.sea_skin", "zeng-beljaars"),
        ({"physics": {**FULL_PHYSICS, **NOAH, "fractional_seaice": 1}}, "physics.fractional_sea_ice", True),
        ({"fdda": NUDGED}, "nudging.file", "wrffdda_d01"),
        ({"fdda": {"grid_fdda": 1}}, "nudging.file", None),  # all coefficients are 0, as in WRF
        ({"fdda": {**NUDGED, "gq": 1e-5}}, "nudging.moisture", "1e-05 s-1"),
        ({"fdda": NUDGED}, "nudging.scheme", None),
        ({"fdda": SPECTRAL}, "nudging.scheme", "spectral"),
        ({"fdda": SPECTRAL}, "nudging.waves_x", 4),
        ({"fdda": SPECTRAL}, "nudging.waves_y", 2),
        ({"fdda": SPECTRAL}, "nudging.geopotential", "0.0002 s-1"),
        ({"fdda": SPECTRAL}, "nudging.moisture", "0 s-1"),
        ({"fdda": SPECTRAL}, "nudging.wind_above", 5),
        ({"fdda": SPECTRAL}, "nudging.wind_growth", 4),
        ({"fdda": SPECTRAL}, "nudging.temperature_above", None),
        ({"fdda": {**SPECTRAL, "ktrop": 20}}, "nudging.lid", 20),
        ({"fdda": SPARED, "physics": FULL_PHYSICS}, "nudging.wind_above", None),
        ({"fdda": SPARED, "physics": FULL_PHYSICS}, "nudging.wind_growth", 4),
        (
            {"physics": FULL_PHYSICS, "fdda": {**NUDGED, "if_no_pbl_nudging_t": [1, 0]}},
            "nudging.temperature_in_boundary_layer",
            False,
        ),
        ({"physics": {"sst_update": 1}}, "boundary.lower_file", None),
        ({"physics": {"sst_skin": 1}}, "physics.sea_skin", None),
        (
            {"fdda": {**NUDGED, "if_no_pbl_nudging_q": 1}},
            "nudging.moisture_in_boundary_layer",
            None,
        ),
        ({"physics": {**FULL_PHYSICS, "slope_rad": 1}}, "physics.slope_radiation", True),
        ({"physics": {**FULL_PHYSICS, "topo_shading": 1}}, "physics.topographic_shading", True),
        ({"physics": {**FULL_PHYSICS, "isfflx": 0}}, "physics.heat_fluxes", False),
        ({"physics": {**FULL_PHYSICS, "isfflx": 0, "sf_surface_physics": 2}}, "physics.land", None),
        ({"physics": {**FULL_PHYSICS, "isfflx": 1, "sf_surface_physics": 2}}, "physics.land", "noah"),
        ({"physics": {**FULL_PHYSICS, **DARK, "sf_surface_physics": 1}}, "physics.land", "slab"),
        ({"physics": {**FULL_PHYSICS, "icloud": 0}}, "physics.cloud_radiation", False),
        ({"physics": {**DUDHIA, "mp_physics": 3}}, "physics.longwave_ice", False),
        ({"physics": {**DUDHIA, "mp_physics": 4}}, "physics.longwave_ice", None),
        ({"dynamics": {"rad_nudge": 1}}, "physics.newtonian_cooling", True),
        ({"physics": {**FULL_PHYSICS, "topo_wind": 1}}, "physics.terrain_wind", "jimenez-dudhia"),
        ({"physics": {**FULL_PHYSICS, "topo_wind": 2}}, "physics.terrain_wind", "mass-ovens"),
        ({"physics": {**FULL_PHYSICS, "topo_wind": 1, "bl_pbl_physics": 2}}, "physics.terrain_wind", None),
        ({"physics": {**FULL_PHYSICS, "sf_ocean_physics": 1}}, "physics.ocean", "mixed-layer"),
        ({"physics": {**FULL_PHYSICS, "sf_ocean_physics": 2}}, "physics.ocean", "mixed-layer"),
        ({"physics": {**FULL_PHYSICS, "sf_ocean_physics": 1, "sst_update": 1}}, "physics.ocean", None),
        ({"physics": {**FULL_PHYSICS, **OCEAN}}, "physics.ocean_layer_depth", "30 m"),
        ({"physics": {**FULL_PHYSICS, **OCEAN}}, "physics.ocean_lapse_rate", "0.1 K/m"),
        ({"physics": {**FULL_PHYSICS, **OCEAN}}, "physics.ocean_relaxation_time", "86400 s"),
        (
            {"physics": {**FULL_PHYSICS, "topo_shading": 1, "shadlen": 40000.0}},
            "physics.shadow_length",
            "40 km",
        ),
        ({"physics": {"slope_rad": 1}}, "physics.slope_radiation", None),
        ({"fdda": {**NUDGED, "gfdda_end_h": 24}}, "nudging.end", "24 h"),
        ({"fdda": {**NUDGED, **RAMP}}, "nudging.ramp", "60 min"),
        ({"fdda": {**NUDGED, **RAMP}}, "nudging.end", "24 h"),
        ({"fdda": {**NUDGED, **RAMP, "dtramp_min": -60.0}}, "nudging.ramp", "60 min"),
        ({"fdda": {**NUDGED, **RAMP, "dtramp_min": -60.0}}, "nudging.end", "23 h"),
        ({"dfi_control": {"dfi_opt": 1}}, "digital_filter.scheme", "launch"),
        (
            {"time_control": STARTED, "dfi_control": {"dfi_opt": 1, **FILTERED}},
            "digital_filter.span",
            "30 min",
        ),
        ({"time_control": STARTED, "dfi_control": {"dfi_opt": 2, **FILTERED}}, "digital_filter.span", "2 h"),
        ({"time_control": STARTED, "dfi_control": {"dfi_opt": 3, **FILTERED}}, "digital_filter.span", "1 h"),
        ({"dfi_control": {"dfi_opt": 3}}, "digital_filter.span", "1 h"),
        ({"dfi_control": {"dfi_opt": 2}}, "digital_filter.scheme", "diabatic"),
        ({"dfi_control": {"dfi_opt": 3}}, "digital_filter.scheme", "twice"),
        ({"physics": {**FULL_PHYSICS, "aer_opt": 2}}, "physics.aerosol_optical_depth", 0.12),
        ({"physics": {**FULL_PHYSICS, "aer_opt": 2}}, "physics.aerosol_asymmetry", 0.9),
        (
            {
                "physics": {**FULL_PHYSICS, "aer_opt": 2, "aer_aod550_opt": 2},
                "time_control": {"auxinput15_inname": "AOD_d<domain>"},
            },
            "physics.aerosol_file",
            "AOD_d01",
        ),
        (
            {"physics": {**FULL_PHYSICS, "aer_opt": 2, "aer_asy_opt": 3}},
            "physics.aerosol_asymmetry",
            None,
        ),
        (
            {"physics": {**FULL_PHYSICS, "aer_opt": 2, "aer_type": 3, "aer_ssa_opt": 3}},
            "physics.aerosol_type",
            "maritime",
        ),
        ({"physics": {**FULL_PHYSICS, "aer_opt": 2, "aer_type": 3}}, "physics.aerosol_type", None),
        ({"physics": {"aer_opt": 2}}, "physics.aerosol_optical_depth", None),
        (
            {"physics": {**FULL_PHYSICS, "mp_physics": 28, "aer_opt": 3}},
            "physics.aerosol_type",
            "carried",
        ),
        ({"physics": {**FULL_PHYSICS, "aer_opt": 3}}, "physics.aerosol_type", None),
        ({"physics": {"mp_physics": 28, "aer_opt": 3}}, "physics.aerosol_type", None),
        ({"dfi_control": {"dfi_opt": 1, "dfi_nfilter": 1}}, "digital_filter.weights", "lanczos"),
        ({"dynamics": {"w_damping": 1}}, "dynamics.w_damping", True),
        ({"dynamics": {"moist_adv_opt": 2}}, "dynamics.limiter", "monotonic"),
        ({"physics": {"mp_physics": 0}}, "physics.microphysics", "vapour"),
        ({"physics": {"mp_physics": 2}}, "physics.microphysics", "lin"),
        ({"physics": {"mp_physics": 3}}, "physics.microphysics", "wsm3"),
        ({"physics": {"mp_physics": 4}}, "physics.microphysics", "wsm5"),
        ({"physics": {"mp_physics": 8}}, "physics.microphysics", "thompson"),
        ({"physics": {"mp_physics": 10}}, "physics.microphysics", "morrison"),
        ({"physics": {"mp_physics": 28}}, "physics.microphysics", "thompson-aerosol"),
        ({"physics": {"mp_physics": 10, "morr_rimed_ice": 0}}, "physics.microphysics", "morrison-graupel"),
        ({"physics": {"physics_suite": "CONUS", "mp_physics": -1}}, "physics.microphysics", "thompson"),
        ({"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 1}}, "physics.boundary_layer", "ysu"),
        ({"physics": {**FULL_PHYSICS, "sf_surface_physics": 1}}, "physics.land", "slab"),
        ({"physics": {**FULL_PHYSICS, "sf_surface_physics": 4}}, "physics.land", "noah-mp"),
        ({"physics": {"cu_physics": 1}}, "physics.cumulus", "kain-fritsch"),
        ({"physics": {"cu_physics": 6}}, "physics.cumulus", "tiedtke-1989"),
        ({"physics": {"cu_physics": 16}}, "physics.cumulus", "tiedtke"),
        ({"physics": {"cu_physics": 3}}, "physics.cumulus", "grell-freitas"),
        ({"physics": {"cu_physics": 3, "ishallow": 1}}, "physics.cumulus", "grell-freitas-shallow"),
        ({"physics": {"cu_physics": 1, "ishallow": 1}}, "physics.cumulus", "kain-fritsch"),
        ({"physics": {"cu_physics": 1, "cudt": 5}}, "physics.cumulus_interval", "5 min"),
        ({"physics": {"sf_surface_physics": 1}}, "physics.land", None),
        ({"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 1}}, "physics.surface_layer", "revised-mm5"),
        ({"physics": {"bl_pbl_physics": 2, "sf_sfclay_physics": 2}}, "physics.surface_layer", "eta"),
        ({"physics": {"bl_pbl_physics": 2, "sf_sfclay_physics": 2}}, "physics.boundary_layer", "myj"),
        ({"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 91}}, "physics.surface_layer", "mm5"),
        ({"physics": {"bl_pbl_physics": 5, "sf_sfclay_physics": 5}}, "physics.boundary_layer", "mynn-edmf"),
        ({"physics": {"bl_pbl_physics": 6, "sf_sfclay_physics": 5}}, "physics.boundary_layer", "mynn"),
        (
            {"physics": {"bl_pbl_physics": 5, "sf_sfclay_physics": 5, "bl_mynn_mixlength": 2}},
            "physics.boundary_layer",
            "mynn-edmf-blended",
        ),
        (
            {"physics": {"bl_pbl_physics": 5, "sf_sfclay_physics": 5, "bl_mynn_tkeadvect": True}},
            "physics.boundary_layer",
            "mynn-edmf-advected",
        ),
        ({"physics": {"bl_pbl_physics": 5, "sf_sfclay_physics": 5}}, "physics.surface_layer", "mynn"),
        ({"physics": {"bl_pbl_physics": 7, "sf_sfclay_physics": 1}}, "physics.boundary_layer", "ysu"),
        ({"physics": {"bl_pbl_physics": 0, "sf_sfclay_physics": 1}}, "physics.surface_layer", None),
        (
            {"time_control": {"history_interval": 0, "history_interval_s": 90}},
            "output.history.interval",
            "90 s",
        ),
        (
            {"time_control": {"restart_interval_d": 1, "io_form_restart": 102}},
            "output.restart.engine",
            "netcdf-split",
        ),
        ({"time_control": {"io_form_history": 11}}, "output.history.engine", "pnetcdf"),
        ({"namelist_quilt": {"nio_tasks_per_group": 4, "nio_groups": 2}}, "output.servers", 8),
        ({"namelist_quilt": {"nio_tasks_per_group": 4, "nio_groups": 2}}, "output.groups", 2),
        (
            {"bdy_control": {"specified": False, "periodic_x": True, "symmetric_ys": True, "open_ye": True}},
            "domain.boundary_north",
            "open",
        ),
        ({"bdy_control": {"specified": True, "periodic_x": True}}, "domain.boundary_south", "specified"),
        ({"bdy_control": {"relax_zone": 9}}, "boundary.relaxation_rows", 9),
        ({"physics": {"ra_lw_physics": 4, "ra_sw_physics": 4}}, "physics.radiation", "rrtmgp"),
        ({"physics": {"ra_lw_physics": 1, "ra_sw_physics": 1}}, "physics.radiation", "rrtmgp-dudhia"),
        ({"physics": {"ra_lw_physics": 4, "ra_sw_physics": 1}}, "physics.radiation", "rrtmgp-dudhia"),
        ({"physics": {"ra_lw_physics": 1, "ra_sw_physics": 4}}, "physics.radiation", "rrtmgp"),
        (
            {"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 1, "isftcflx": 1}},
            "physics.surface_layer",
            "revised-mm5-donelan",
        ),
        (
            {"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 1, "isftcflx": 2}},
            "physics.surface_layer",
            "revised-mm5-garratt",
        ),
        ({"dynamics": {"pert_coriolis": True}}, "dynamics.coriolis", "file-departure"),
        ({"dynamics": {"pert_coriolis": True, "do_coriolis": False}}, "dynamics.coriolis", None),
        (
            {"physics": {"ra_lw_physics": 4, "ra_sw_physics": 4, "radt": 30}},
            "physics.radiation_interval",
            "30 min",
        ),
    ],
)
def test_keys_are_translated(groups, key, value):
    assert settings(**groups).get(key) == value


def test_what_the_namelist_lacks_is_as_wrf_has_it():
    dynamics = {key: value for key, value in MINIMAL["dynamics"].items() if key != "damp_opt"}
    without = Namelist({name: columns_of(keys) for name, keys in (MINIMAL | {"dynamics": dynamics}).items()})
    result = translate(without, SCHEMA).settings()
    assert result["damping.scheme"][0] == "implicit-w"  # WRF 4's default
    assert result["damping.scheme"][1].absent


def test_every_setting_that_a_rule_can_make_is_a_key_of_the_run_file():
    """Rules that only ever say what Squall does anyway would pass unseen otherwise."""
    extreme = namelist(
        time_control={
            "restart_interval": 60,
            "io_form_restart": 11,
            "io_form_history": 11,
            "frames_per_outfile": 3,
        },
        dynamics={
            "diff_opt": 2,
            "km_opt": 3,
            "mix_full_fields": True,
            "c_s": 0.18,
            "damp_opt": 2,
            "top_lid": True,
        },
        domains={"nproc_x": 2, "nproc_y": 3, "tile_sz_x": 8, "tile_sz_y": 9},
        namelist_quilt={"nio_tasks_per_group": 1},
    )
    for path in translate(extreme, SCHEMA).settings():
        table, key = path.rsplit(".", 1)
        assert key in SCHEMA.table(table).keys, path


def test_no_two_rules_set_the_same_key():
    result = translate(namelist(), SCHEMA)
    made = [key for entry in (*result.translated, *result.lost) for key in entry.settings]
    assert len(made) == len(set(made))
    assert len(RULES) > 40


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("&nonsense\n a = 1\n/\n", "no group &time_control or &domains"),
        (
            "&time_control\n start_year = 2000, end_year = 1999\n/\n&domains\n time_step = 6\n/\n",
            "ends at 1999-03-14 12:00:00, before it starts at 2000-03-13 12:00:00: check end_year",
        ),
        (
            "&time_control\n start_month = 2, start_day = 30\n/\n&domains\n time_step = 6\n/\n",
            "February 1993 has 28 days; did you mean 1993-02-28?",
        ),
        (
            "&time_control\n run_hours = 0, end_year = 1993, end_day = 13\n/\n&domains\n time_step = 6\n/\n",
            "a run of no length",
        ),
    ],
)
def test_what_is_no_runnable_namelist_is_refused(text, expected, squall, tmp_path):
    (tmp_path / "namelist.input").write_text(text)
    said = squall("import", "namelist.input", "-o", "a.toml")
    assert said.returncode == 2
    assert expected in said.stderr
    assert not (tmp_path / "a.toml").exists()


def test_columns_and_cases_of_letters_are_read_as_wrf_reads_them(tmp_path):
    (tmp_path / "namelist.input").write_text(
        "&TIME_CONTROL\n Run_Hours = 6, ! a comment\n/\n&domains\n time_step = 60\n dx = 9000, 3000,\n"
        " e_we = 3*50\n/\n"
    )
    found = read(tmp_path / "namelist.input")
    assert found.column("time_control.run_hours") == 6
    assert found.column("domains.dx", 2) == 3000
    assert found.column("domains.e_we", 3) == 50
    assert found.column("domains.dx", 3) is None


@pytest.mark.parametrize("case", ["conus_2008-02-05", "conus_2005-07-16"])
def test_the_namelists_of_the_reference_runs_give_their_settings(case, squall, tmp_path):
    try:
        data = folder(case)
    except Skipped as reason:
        pytest.skip(str(reason))
    said = squall("import", data / "namelist.input", "-o", "real.toml")
    assert said.returncode == 0, said.stderr
    made = tomllib.loads((tmp_path / "real.toml").read_text())
    assert made["dynamics"] == {"coriolis": "file", "hypsometric": 1, "moist_theta": False}
    assert made["physics"] == {"microphysics": "kessler"}
    assert made["diffusion"] == {"scheme": "smagorinsky-2d"}
    assert made["run"] == {"duration": "1 d", "time_step": "10 min"}
    assert "damping" not in made
    plan = squall("run", "real.toml", "--plan")
    assert plan.returncode == 0, plan.stderr
    assert "144 steps" in plan.stdout


def test_the_reference_page_is_made_from_the_rules():
    assert (DOCS / "reference" / "wrf-namelist.md").read_text() == reference.page(), (
        "run .venv/bin/python -m squall.wrf.reference > docs/reference/wrf-namelist.md"
    )
