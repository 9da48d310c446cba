"""What becomes of a WRF namelist: `squall import`, and the reference page that is made from its rules."""

import tomllib
from pathlib import Path

import pytest

from namelists import MINIMAL, SCHEMA, lost, namelist, settings
from squall.errors import UserError
from squall.lab.verify.data import Skipped, folder
from squall.wrf import reference
from squall.wrf.namelist import Namelist, columns_of, read
from squall.wrf.translate import RULES, translate
from squall.wrf.write import report, run_file

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
FULL_PHYSICS = {"bl_pbl_physics": 1, "sf_sfclay_physics": 1, "ra_lw_physics": 4, "ra_sw_physics": 4}


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
        ({"dynamics": {"damp_opt": 3, "zdamp": [4000.0, 5000.0]}}, "damping.depth", "4000 m"),
        ({"dynamics": {"damp_opt": 2, "dampcoef": 0.003}}, "damping.coefficient", "0.003 s-1"),
        ({"dynamics": {"diff_opt": 2, "km_opt": 2, "c_k": 0.1}}, "diffusion.c_k", 0.1),
        ({"dynamics": {"km_opt": 1, "khdif": 75}}, "diffusion.horizontal", "75 m2/s"),
        ({"dynamics": {"km_opt": 1}}, "diffusion.scheme", None),
        ({"dynamics": {"diff_6th_opt": 2}}, "diffusion.sixth_order", "monotonic"),
        ({"dynamics": {"diff_6th_opt": 1, "diff_6th_factor": 0.2}}, "diffusion.sixth_order_factor", 0.2),
        (
            {"dynamics": {"diff_opt": 2, "km_opt": 2}, "physics": {"bl_pbl_physics": 1}},
            "diffusion.scheme",
            "smagorinsky-2d",
        ),
        ({"dynamics": {"km_opt": 1, "khdif": 75}}, "diffusion.prandtl", None),  # 1/3 is the default
        ({"dynamics": {"km_opt": 4, "kvdif": 30}}, "diffusion.vertical", "30 m2/s"),
        ({"dynamics": {"diff_opt": 2, "km_opt": 4, "kvdif": 30}}, "diffusion.vertical", None),
        (
            {"dynamics": {"km_opt": 4, "kvdif": 30}, "physics": {"bl_pbl_physics": 1}},
            "diffusion.vertical",
            None,
        ),
        ({"dynamics": {"km_opt": 2}}, "diffusion.scheme", None),  # TKE on coordinate surfaces
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
        ({"physics": {"sst_update": 1}}, "boundary.lower_file", "wrflowinp_d01"),
        ({"physics": {"sst_skin": 1}}, "physics.sea_skin", "zeng-beljaars"),
        ({"fdda": {"grid_fdda": 1}}, "nudging.file", "wrffdda_d01"),
        ({"fdda": {"grid_fdda": 1, "gq": 1e-5}}, "nudging.moisture", "1e-05 s-1"),
        (
            {"fdda": {"grid_fdda": 1, "if_no_pbl_nudging_t": [1, 0]}},
            "nudging.temperature_in_boundary_layer",
            False,
        ),
        ({"fdda": {"grid_fdda": 1, "gfdda_end_h": 24}}, "nudging.end", "24 h"),
        ({"fdda": {"grid_fdda": 1, "if_ramping": 1, "dtramp_min": 60.0}}, "nudging.ramp", "60 min"),
        ({"dfi_control": {"dfi_opt": 1}}, "digital_filter.scheme", "launch"),
        ({"dfi_control": {"dfi_opt": 1, "dfi_nfilter": 1}}, "digital_filter.weights", "lanczos"),
        ({"dynamics": {"w_damping": 1}}, "dynamics.w_damping", True),
        ({"dynamics": {"moist_adv_opt": 2}}, "dynamics.limiter", "monotonic"),
        ({"physics": {"mp_physics": 0}}, "physics.microphysics", "vapour"),
        ({"physics": {"mp_physics": 8}}, "physics.microphysics", "thompson"),
        ({"physics": {"physics_suite": "CONUS", "mp_physics": -1}}, "physics.microphysics", "thompson"),
        ({"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 1}}, "physics.boundary_layer", "ysu"),
        ({"physics": {**FULL_PHYSICS, "sf_surface_physics": 1}}, "physics.land", "slab"),
        ({"physics": {**FULL_PHYSICS, "sf_surface_physics": 2}}, "physics.land", "noah"),
        ({"physics": {"cu_physics": 1}}, "physics.cumulus", "kain-fritsch"),
        ({"physics": {"cu_physics": 16}}, "physics.cumulus", "tiedtke"),
        ({"physics": {"cu_physics": 1, "cudt": 5}}, "physics.cumulus_interval", "5 min"),
        ({"physics": {"sf_surface_physics": 1}}, "physics.land", None),
        ({"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 1}}, "physics.surface_layer", "revised-mm5"),
        ({"physics": {"bl_pbl_physics": 5, "sf_sfclay_physics": 5}}, "physics.boundary_layer", "mynn"),
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
        ({"physics": {"ra_lw_physics": 1, "ra_sw_physics": 1}}, "physics.radiation", "broadband"),
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


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ({"physics": {"mp_physics": 10}}, "mp_physics = 10: WSM6 (6) stands in for scheme 10"),
        ({"physics": {"ra_lw_physics": 1, "ra_sw_physics": 1}}, "stand in for RRTM (longwave 1)"),
        ({"physics": {"ra_lw_physics": 1, "ra_sw_physics": 2}}, "RRTMGP stands in for longwave 1"),
        (
            {"physics": {"bl_pbl_physics": 2, "sf_sfclay_physics": 2}},
            "the revised MM5 surface layer (1) stands in for surface layer 2; YSU (1) stands in for boundary "
            "layer 2: near-surface fields will differ",
        ),
        ({"physics": {"cu_physics": 6}}, "new Tiedtke (16) stands in for cumulus scheme 6"),
        ({"physics": {"cu_physics": 5}}, "Kain-Fritsch (1) stands in for cumulus scheme 5"),
        ({"physics": {"sf_surface_physics": 1}}, "sf_surface_physics = 1: land needs radiation"),
        (
            {"physics": {**FULL_PHYSICS, "sf_surface_physics": 4}},
            "Noah (2) stands in for land surface model 4",
        ),
        (
            {"dynamics": {"diff_6th_slopeopt": 1}},
            "diff_6th_slopeopt = 1: the sixth-order filter is as strong",
        ),
        ({"dynamics": {"damp_opt": 1}}, "damp_opt = 1: there is no diffusive sponge"),
        ({"bdy_control": {"spec_exp": 0.33}}, "relaxation falls off linearly"),
        ({"time_control": {"restart": True}}, "WRF's restart files are not read"),
        ({"fdda": {"grid_fdda": 2}}, "grid_fdda = 2: there is no spectral nudging"),
        ({"fdda": {"grid_fdda": 1}}, "nudging lasts as long as the run"),
        ({"fdda": {"grid_fdda": 1, "if_zfac_uv": 1}}, "below a layer nudging is as strong"),
        ({"dfi_control": {"dfi_opt": 3}}, "nothing is integrated backward"),
    ],
)
def test_what_has_no_counterpart_is_told(groups, expected):
    assert any(expected in line for line in lost(**groups))


def test_nothing_is_lost_of_what_squall_has():
    assert lost() == []


NESTED = {
    "max_dom": 3,
    "parent_id": [0, 1, 2],
    "i_parent_start": [1, 13, 15],
    "j_parent_start": [1, 14, 16],
    "e_we": [42, 49, 61],
    "e_sn": [42, 46, 61],
    "parent_grid_ratio": [1, 3, 5],
    "parent_time_step_ratio": [1, 3, 4],
    "feedback": 1,
    "smooth_option": 0,
}


def test_nests_become_tables_of_their_own():
    settings = {
        key: value for key, (value, _) in translate(namelist(domains=NESTED), SCHEMA).settings().items()
    }
    assert {key: value for key, value in settings.items() if key.startswith("nest.d02.")} == {
        "nest.d02.i_parent_start": 13, "nest.d02.j_parent_start": 14, "nest.d02.nx": 48, "nest.d02.ny": 45,
        "nest.d02.parent_grid_ratio": 3, "nest.d02.feedback": True, "nest.d02.smoothing": "none",
    }  # fmt: skip
    assert settings["nest.d03.parent"] == "d02"
    assert settings["nest.d03.parent_time_step_ratio"] == 4


def test_what_a_nest_says_of_its_file_its_life_and_its_parent_is_taken():
    told = {
        key: value
        for key, (value, _) in translate(
            namelist(
                domains={**NESTED, "smooth_option": 2, "interp_method_type": 1, "blend_width": 3},
                time_control={
                    "input_from_file": [True, True, False],
                    "start_year": [2008, 2008, 2008], "start_month": [2, 2, 2], "start_day": [5, 5, 5],
                    "start_hour": [12, 18, 18], "end_year": [2008, 2008, 2008], "end_month": [2, 2, 2],
                    "end_day": [6, 6, 6], "end_hour": [12, 12, 6],
                },
            ),
            SCHEMA,
        ).settings().items()
    }  # fmt: skip
    inner = {key.removeprefix("nest.d02."): value for key, value in told.items() if "d02" in key}
    assert inner.items() >= {
        "smoothing": "smooth-desmooth", "interpolation": "bilinear", "initial_file": "wrfinput_d02",
        "blend_rows": 3, "start": "21600 s",
    }.items()  # fmt: skip
    assert "end" not in inner
    assert told["nest.d03.end"] == "64800 s"
    assert "nest.d03.initial_file" not in told


def test_minutes_of_a_date_may_be_more_than_an_hour_as_in_wrf():
    dates = {
        "start_year": [2008] * 3, "start_month": [2] * 3, "start_day": [5] * 3, "end_year": [2008] * 3,
        "end_month": [2] * 3, "end_day": [5] * 3, "end_minute": [90, 90, 60],
    }  # fmt: skip
    told = translate(
        namelist(
            domains=NESTED, time_control={"run_hours": 0, "start_hour": [0] * 3, "end_hour": [0] * 3, **dates}
        ),
        SCHEMA,
    ).settings()
    assert told["run.duration"][0] == "90 min"
    assert told["nest.d03.end"][0] == "3600 s"
    assert "nest.d02.end" not in told


def test_a_nests_date_that_is_none_is_refused():
    parts = {"year": [2008] * 3, "month": [2, 2, 13], "day": [5] * 3}
    dates = {f"{which}_{part}": values for which in ("start", "end") for part, values in parts.items()}
    with pytest.raises(UserError, match=r"start_year, start_month, ... = .2008, 13, 5.* is no date"):
        translate(namelist(domains=NESTED, time_control=dates), SCHEMA)


def test_a_nest_without_its_parents_cumulus_scheme_says_so():
    told = translate(namelist(domains=NESTED, physics={"cu_physics": [1, 1, 0]}), SCHEMA).settings()
    assert told["nest.d03.cumulus"][0] == "none"
    assert "nest.d02.cumulus" not in told


@pytest.mark.parametrize(
    ("physics", "expected"),
    [
        ({"physics_suite": "tropical", "cu_physics": [-1, -1, 0]}, {"d03.cumulus": "none"}),
        ({"physics_suite": "tropical", "cu_physics": [-1, 1, 1]}, {"d02.cumulus": "kain-fritsch"}),
        (
            {"physics_suite": "tropical", "cu_physics": [0, -1, 0]},
            {"d02.cumulus": "tiedtke", "d03.cumulus": "none"},
        ),
        ({"mp_physics": 0, "cu_physics": [0, 1, 1]}, {}),
    ],
)
def test_a_nests_cumulus_may_be_its_suites(physics, expected):
    assert nests_own(physics={"mp_physics": -1} | physics) == expected


def test_what_stands_in_for_a_nests_cumulus_is_told():
    told = lost(domains=NESTED, physics={"cu_physics": [1, 14, 14]})
    (line,) = [line for line in told if "cumulus scheme" in line]
    assert "nest d02" in line
    assert "Kain-Fritsch (1) stands in for cumulus scheme 14" in line


def test_a_nest_that_names_its_suites_scheme_has_its_parents():
    told = lost(domains=NESTED, physics={"physics_suite": "conus", "mp_physics": [8, -1, 6]})
    (line,) = [line for line in told if "mp_physics = 8, not 6" in line]
    assert "nest d03" in line


def test_a_nest_that_would_be_nudged_is_told():
    told = lost(domains=NESTED, fdda={"grid_fdda": [1, 1, 0], "gfdda_end_h": [6, 6, 6]})
    (line,) = [line for line in told if "grid_fdda" in line]
    assert "nest d02" in line
    assert "it follows its parent, no analyses (grid_fdda = 1)" in line


def test_nests_begin_when_the_outermost_domain_is_filtered():
    assert nests_own(dfi_control={"dfi_opt": 1}) == {"d02.start": "3600 s", "d03.start": "3600 s"}
    told = lost(domains=NESTED, dfi_control={"dfi_opt": 1})
    assert ["is filtered" in line for line in told if "nest d0" in line] == [True, True]


def test_files_of_the_sea_and_of_nests_are_looked_for_beside_the_namelist(tmp_path):
    made = translate(
        namelist(
            domains=NESTED,
            time_control={"input_from_file": [True, True, False], "auxinput4_inname": "sea_d<domain>"},
            physics={"sst_update": 1}, fdda={"grid_fdda": 1, "gfdda_end_h": 6},
        ),
        SCHEMA,
    )  # fmt: skip
    text = tomllib.loads(run_file(made, SCHEMA, tmp_path / "wrf" / "namelist.input", tmp_path / "a.toml"))
    assert text["boundary"]["lower_file"] == "wrf/sea_d01"
    assert text["nudging"]["file"] == "wrf/wrffdda_d01"
    assert text["nest"]["d02"]["initial_file"] == "wrf/wrfinput_d02"
    assert text["nest"]["d02"]["lower_file"] == "wrf/sea_d02"


def test_a_scheme_that_a_nest_cannot_have_of_its_own_is_told():
    told = lost(domains=NESTED, physics={"bl_pbl_physics": [1, 1, 0]}, dynamics={"km_opt": [4, 4, 2]})
    (line,) = [line for line in told if "nest d03" in line]
    assert "it has its parent's bl_pbl_physics = 1, not 0" in line
    assert "it has its parent's km_opt = 4, not 2" in line
    assert not any("nest d02" in line for line in told)


def test_a_nest_is_held_to_the_nest_around_it():
    told = lost(domains=NESTED, dynamics={"smdiv": [0.1, 0.5, 0.5]})
    assert any("nest d02" in line and "its parent's smdiv = 0.1, not 0.5" in line for line in told)
    assert not any("nest d03" in line for line in told)
    own = nests_own(dynamics={"epssm": [0.1, 0.5, 0.5]})
    assert own == {"d02.off_centring": 0.5}


def nests_own(**groups):
    """Keys of nests that say something of physics, by nest."""
    told = translate(namelist(domains=NESTED, **groups), SCHEMA).settings()
    place = ("parent", "i_parent", "j_parent", "nx", "ny", "feedback", "smoothing")
    return {
        key.removeprefix("nest."): value
        for key, (value, _) in told.items()
        if key.startswith("nest.") and not key.split(".")[2].startswith(place)
    }


@pytest.mark.parametrize(
    ("scheme", "off", "numbers", "told"),
    [
        (
            {"physics": {"ra_lw_physics": 4, "ra_sw_physics": 4}}, {},
            {"physics": {"radt": [27, 9, 9]}}, {"radiation_interval": "9 min"},
        ),
        (
            {"physics": {"mp_physics": 6, "cu_physics": [1, 1, 1]}}, {"physics": {"cu_physics": [0, 0, 0]}},
            {"physics": {"cudt": [5, 0, 0]}}, {"cumulus_interval": "0 min"},
        ),
        (
            {"dynamics": {"diff_opt": 1, "km_opt": 4}}, {"dynamics": {"diff_opt": 2, "km_opt": 2}},
            {"dynamics": {"c_s": [0.25, 0.18, 0.18]}}, {"c_s": 0.18},
        ),
        (
            {"dynamics": {"diff_opt": 1, "km_opt": 1}}, {"dynamics": {"diff_opt": 1, "km_opt": 4}},
            {"dynamics": {"khdif": [300, 100, 100]}}, {"horizontal_viscosity": "100 m2/s"},
        ),
        (
            {"dynamics": {"diff_6th_opt": [2, 2, 2]}}, {"dynamics": {"diff_6th_opt": [0, 0, 0]}},
            {"dynamics": {"diff_6th_factor": [0.12, 0.06, 0.06]}}, {"sixth_order_factor": 0.06},
        ),
        (
            {"dynamics": {"damp_opt": 3}}, {"dynamics": {"damp_opt": 0}},
            {"dynamics": {"zdamp": [5000, 4000, 4000]}}, {"damping_depth": "4000 m"},
        ),
    ],
)  # fmt: skip
def test_numbers_of_a_nests_schemes_are_its_own_where_these_are_on(scheme, off, numbers, told):
    def own(others):
        groups = {}
        for group, keys in (*numbers.items(), *others.items()):
            groups[group] = {**keys, **groups.get(group, {})}
        return nests_own(**groups)

    assert own(scheme) == {f"d02.{key}": value for key, value in told.items()}, "d03 has those of d02"
    assert own(off) == {}


def test_a_filter_that_only_a_nest_has_comes_with_its_strength():
    dynamics = {"diff_6th_opt": [0, 2, 0], "diff_6th_factor": [0.12, 0.05, 0.05]}
    assert nests_own(dynamics=dynamics) == {
        "d02.sixth_order": "monotonic", "d02.sixth_order_factor": 0.05, "d03.sixth_order": "none",
    }  # fmt: skip


def test_a_radiation_interval_by_the_spacing_is_told_where_the_parents_is_not():
    told = lost(domains=NESTED, physics={"ra_lw_physics": 4, "ra_sw_physics": 4, "radt": [27, 0, 0]})
    assert any("nest d02" in line and "radt = 27, not one by the spacing" in line for line in told)


def test_how_often_a_nest_without_cumulus_would_call_it_is_not_told():
    physics = {"mp_physics": 6, "cu_physics": [1, 0, 0], "cudt": [5, 0, 0]}
    assert not any("nest d02" in line for line in lost(domains=NESTED, physics=physics))
    assert nests_own(physics=physics) == {"d02.cumulus": "none"}


def test_an_interpolation_that_is_not_there_is_told():
    told = lost(domains={**NESTED, "interp_method_type": 4})
    assert any("nest d02" in line and "interp_method_type = 4" in line for line in told)


def test_unknown_keys_and_nests_without_a_place_are_listed():
    nested = namelist(
        domains={"max_dom": 2, "parent_id": [1, 1], "parent_grid_ratio": [1, 3], "e_we": [100, 61]},
        physics={"bldt": 30},
    )
    result = translate(nested, SCHEMA)
    assert result.unknown == {"physics": ["bldt"]}
    assert "nest d02: parent_id = 1, parent_grid_ratio = 3, e_we = 61: the namelist does not say" in report(
        result
    )


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
        ("&time_control\n run_hours = 1\n/\n&domains\n dx = 1000\n/\n", "has no time_step"),
        (
            "&time_control\n run_hours = 0, end_year = 1993, end_day = 13\n/\n&domains\n time_step = 6\n/\n",
            "nothing to run",
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
