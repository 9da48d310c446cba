"""What becomes of the nests of a WRF namelist: their place, schemes, files and life."""

import tomllib

import pytest

from namelists import NESTED, SCHEMA, lost, namelist
from squall.errors import UserError
from squall.wrf.translate import translate
from squall.wrf.write import run_file

pytestmark = pytest.mark.regression


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


def test_keys_that_nests_are_made_of_are_none_that_nobody_knows():
    keys = {"interp_method_type": 1, "blend_width": 3, "vert_refine_method": 0, "vert_refine_fact": 1}
    files = {"input_from_file": [True, True, False], "fine_input_stream": [0, 2, 0]}
    made = translate(namelist(domains=NESTED | keys, time_control=files), SCHEMA)
    assert not made.unknown
    assert any("fine_input_stream" in entry.lost for entry in made.lost)


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
    with pytest.raises(UserError, match=r"start_year, start_month, ... = .2008, 13, 5.* is not a date"):
        translate(namelist(domains=NESTED, time_control=dates), SCHEMA)


def test_a_nest_without_its_parents_cumulus_scheme_says_so():
    told = translate(namelist(domains=NESTED, physics={"cu_physics": [1, 1, 0]}), SCHEMA).settings()
    assert told["nest.d03.cumulus"][0] == "none"
    assert "nest.d02.cumulus" not in told


@pytest.mark.parametrize(
    ("physics", "expected"),
    [
        ({"physics_suite": "tropical", "cu_physics": [-1, -1, 0]}, {"d03.cumulus": "none"}),
        (
            {"physics_suite": "tropical", "cu_physics": [3, 1, 3], "ishallow": 1},
            {"d02.cumulus": "kain-fritsch", "d03.cumulus": "grell-freitas-shallow"},
        ),
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
    assert "cumulus scheme 14 is replaced by Kain-Fritsch (1)" in line


def test_a_nest_that_names_its_suites_scheme_has_its_parents():
    told = lost(domains=NESTED, physics={"physics_suite": "conus", "mp_physics": [8, -1, 6]})
    (line,) = [line for line in told if "mp_physics = 8, not 6" in line]
    assert "nest d03" in line


@pytest.mark.parametrize(
    ("key", "groups"),
    [
        ("windfarm_opt", {"physics": {"windfarm_opt": [0, 0, 1], "bl_pbl_physics": 5}}),
        ("tracer_opt", {"dynamics": {"tracer_opt": [0, 0, 2]}}),
    ],
)
def test_what_a_nest_alone_would_have_is_told(key, groups):
    (line,) = [line for line in lost(domains=NESTED, **groups) if key in line]
    assert line.startswith("nest d03")
    assert f"it uses its parent's {key} = 0, not" in line


#: On d03, which has a file of its own and takes 12 steps in one of d01's.
BURNING = {
    "ifire": [0, 0, 2], "fire_fuel_read": [0, 0, -1], "fire_num_ignitions": [0, 0, 1],
    "fire_ignition_start_lon1": [0, 0, -107.5], "fire_ignition_start_lat1": [0, 0, 39.7],
    "fire_ignition_radius1": [0, 0, 50], "fire_ignition_start_time1": [0, 0, 600],
    "fire_upwinding": [9, 9, 3], "fire_fmc_read": [1, 1, 0], "fmoist_run": [False, False, True],
    "fmoist_interp": [False, False, True], "fmoist_freq": [0, 0, 6],
}  # fmt: skip
GRID = NESTED | {"sr_x": [1, 1, 10], "sr_y": [1, 1, 5]}
OWN_FILES = {"input_from_file": [True, True, True]}


def test_a_fire_on_a_nest_becomes_the_runs():
    made = translate(
        namelist(domains=GRID, fire=BURNING, time_control=OWN_FILES, dynamics={"tracer_opt": 3}), SCHEMA
    )
    assert not [entry.lost for entry in made.lost]
    told = {key: value for key, (value, _) in made.settings().items()}
    assert {key: told[key] for key in told if key.startswith(("fire.", "ignition.", "tracer."))} == {
        "fire.nest": "d03", "fire.fuel": "file", "fire.refinement_y": 5, "fire.upwinding": "eno",
        "fire.moisture": "model", "fire.moisture_interval": "30 s", "fire.roughness": "0.1 m",
        "ignition.line1.start": ["39.7 degrees", "-107.5 degrees"], "ignition.line1.radius": "50 m",
        "ignition.line1.start_time": "600 s", "tracer.fire_smoke.smoke": 0.02,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("groups", "because"),
    [
        ({"fire": BURNING | {"ifire": [0, 2, 2]}}, "nest d02: parent_id = 1"),
        ({"fire": BURNING | {"ifire": [2, 0, 2]}}, "the outermost domain does not burn: a run has one fire"),
        ({"fire": BURNING | {"ifire": [0, 0, 1]}}, "its fire (ifire = 1) is left out: a run has one"),
        ({"fire": BURNING, "time_control": {}}, "its fuel need a file of the nest (input_from_file)"),
        (
            {"fire": BURNING, "domains": GRID | {"sr_x": [1, 1, 0]}},
            "sr_x and sr_y are not set: there is no grid for the fire",
        ),
        (
            {"fire": BURNING, "domains": GRID | {"vortex_interval": [None, 15, None]}},  # around it
            "its fire (ifire = 2) is left out: a run has one, of ifire = 2, on a domain that does not move",
        ),
    ],
)
def test_what_of_fires_on_nests_is_lost_is_told(groups, because):
    told = lost(**{"domains": GRID, "time_control": OWN_FILES} | groups)
    assert any(because in line for line in told), told
    assert not any("left out" in line for line in lost(domains=NESTED, fire={"ifire": [0, 0, 0]}))


def test_a_nest_that_would_be_nudged_is_told():
    told = lost(domains=NESTED, fdda={"grid_fdda": [1, 1, 0], "gfdda_end_h": [6, 6, 6]})
    (line,) = [line for line in told if "grid_fdda" in line]
    assert "nest d02" in line
    assert "it follows its parent and is not nudged (grid_fdda = 1)" in line


def test_nests_begin_when_the_outermost_domain_is_filtered():
    assert nests_own(dfi_control={"dfi_opt": 1}) == {"d02.start": "3600 s", "d03.start": "3600 s"}
    assert nests_own(dfi_control={"dfi_opt": 2}) == {"d02.start": "1 min", "d03.start": "1 min"}
    told = lost(domains=NESTED, dfi_control={"dfi_opt": 1})
    assert ["filtered" in line for line in told if "nest d0" in line] == [True, True]


def test_files_of_the_sea_and_of_nests_are_looked_for_beside_the_namelist(tmp_path):
    made = translate(
        namelist(
            domains=NESTED,
            time_control={"input_from_file": [True, True, False], "auxinput4_inname": "sea_d<domain>",
                          "auxinput15_inname": "haze_d<domain>"},
            physics={"sst_update": 1, "bl_pbl_physics": 1, "sf_sfclay_physics": 1, "aer_opt": 2,
                     "aer_aod550_opt": 2, "ra_lw_physics": 4, "ra_sw_physics": 4},
            fdda={"grid_fdda": 1, "guv": 3e-4, "gfdda_end_h": 6},
        ),
        SCHEMA,
    )  # fmt: skip
    text = tomllib.loads(run_file(made, SCHEMA, tmp_path / "wrf" / "namelist.input", tmp_path / "a.toml"))
    assert text["boundary"]["lower_file"] == "wrf/sea_d01"
    assert text["nudging"]["file"] == "wrf/wrffdda_d01"
    assert text["physics"]["aerosol_file"] == "wrf/haze_d01"
    assert text["nest"]["d02"]["initial_file"] == "wrf/wrfinput_d02"
    assert text["nest"]["d02"]["lower_file"] == "wrf/sea_d02"
    assert text["nest"]["d02"]["aerosol_file"] == "wrf/haze_d02"


def test_a_scheme_that_a_nest_cannot_have_of_its_own_is_told():
    told = lost(domains=NESTED, physics={"mp_physics": [6, 6, 8]}, dynamics={"moist_adv_opt": [1, 1, 2]})
    (line,) = [line for line in told if "nest d03" in line]
    assert "it uses its parent's mp_physics = 6, not 8" in line
    assert "it uses its parent's moist_adv_opt = 1, not 2" in line
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


WEATHER = {"bl_pbl_physics": [1, 1, 0], "sf_sfclay_physics": [1, 1, 1], "mp_physics": 6}


def test_a_nest_that_resolves_eddies_in_a_parent_that_does_not_has_mixing_of_its_own():
    dynamics = {
        "diff_opt": [1, 1, 2], "km_opt": [4, 4, 2], "c_k": [0.15, 0.15, 0.1],
        "mix_full_fields": [False, False, True],
    }  # fmt: skip
    assert nests_own(physics=WEATHER, dynamics=dynamics) == {
        "d03.boundary_layer": "resolved",
        "d03.diffusion": "tke",
        "d03.diffusion_surfaces": "physical",
        "d03.mix_full_fields": True,
        "d03.c_k": 0.1,
    }
    assert not any("nest d0" in line for line in lost(domains=NESTED, physics=WEATHER, dynamics=dynamics))


def test_a_nest_may_predict_tke_beside_its_boundary_layer():
    physics = WEATHER | {"bl_pbl_physics": [1, 1, 1]}
    dynamics = {"diff_opt": [1, 1, 2], "km_opt": [4, 4, 2]}
    assert nests_own(physics=physics, dynamics=dynamics) == {
        "d03.diffusion": "tke",
        "d03.diffusion_surfaces": "physical",
        "d03.c_k": 0.15,
    }
    assert not any("nest d03" in line for line in lost(domains=NESTED, physics=physics, dynamics=dynamics))


def test_viscosity_that_only_the_parent_has_is_none_in_the_nest():
    dynamics = {"diff_opt": [1, 1, 1], "km_opt": [4, 4, 4], "kvdif": [10, 0, 0]}
    assert nests_own(dynamics=dynamics) == {"d02.vertical_viscosity": "0 m2/s"}
    assert nests_own(dynamics=dynamics | {"diff_opt": [1, 0, 0]}) == {"d02.diffusion": "none"}


def test_a_boundary_layer_of_a_nest_alone_is_told():
    told = lost(domains=NESTED, physics={"bl_pbl_physics": [0, 1, 0], "sf_sfclay_physics": 1})
    assert any("nest d02" in line and "the outermost domain has no surface layer" in line for line in told)


def test_a_filter_that_only_a_nest_has_comes_with_its_strength():
    dynamics = {"diff_6th_opt": [0, 2, 0], "diff_6th_factor": [0.12, 0.05, 0.05]}
    assert nests_own(dynamics=dynamics) == {
        "d02.sixth_order": "monotonic", "d02.sixth_order_factor": 0.05, "d03.sixth_order": "none",
    }  # fmt: skip


def test_a_radiation_interval_by_the_spacing_is_told_where_the_parents_is_not():
    told = lost(domains=NESTED, physics={"ra_lw_physics": 4, "ra_sw_physics": 4, "radt": [27, 0, 0]})
    assert any("nest d02" in line and "radt = 27, not a value from its grid spacing" in line for line in told)


def test_how_often_a_nest_without_cumulus_would_call_it_is_not_told():
    physics = {"mp_physics": 6, "cu_physics": [1, 0, 0], "cudt": [5, 0, 0]}
    assert not any("nest d02" in line for line in lost(domains=NESTED, physics=physics))
    assert nests_own(physics=physics) == {"d02.cumulus": "none"}


def test_an_interpolation_that_is_not_there_is_told():
    told = lost(domains={**NESTED, "interp_method_type": 4})
    assert any("nest d02" in line and "interp_method_type = 4" in line for line in told)


@pytest.mark.parametrize(
    ("gwd_opt", "expected"),
    [
        ([1, 1, 0], {"d03.gravity_wave_drag": "none"}),
        ([0, 1, 1], {"d02.gravity_wave_drag": "kim-arakawa"}),
        ([1], {}),
        ([3, 3, 0], {}),
    ],
)
def test_a_nest_has_drag_by_mountains_of_its_own(gwd_opt, expected):
    told = translate(namelist(domains=NESTED, dynamics={"gwd_opt": gwd_opt}), SCHEMA).settings()
    found = {key.removeprefix("nest."): value for key, (value, _) in told.items() if "gravity" in key}
    found.pop("physics.gravity_wave_drag", None)
    assert found == expected


def test_drag_of_other_statistics_is_told_as_lost():
    for told in (
        lost(dynamics={"gwd_opt": 3}),
        lost(domains=NESTED, dynamics={"gwd_opt": [1, 3, 3]}),
    ):
        assert "gwd_opt = 3 needs other orography statistics" in " ".join(told)
    assert not any("gwd_opt" in line for line in lost(dynamics={"gwd_opt": 1}))
