"""What `squall import` says that a run will not have of a WRF namelist, and what it rightly does not."""

import pytest

from namelists import FILTERED, FULL_PHYSICS, NOAH, NUDGED, SCHEMA, STARTED, lost, namelist
from squall.wrf.translate import translate
from squall.wrf.write import report

pytestmark = pytest.mark.regression
MYNN = {"bl_pbl_physics": 5, "sf_sfclay_physics": 5}


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ({"physics": {"mp_physics": 18}}, "mp_physics = 18: scheme 18 is replaced by WSM6 (6)"),
        (
            {"physics": {"mp_physics": 28}, "domains": {"wif_input_opt": 2}},
            "there is no black carbon among the aerosols",
        ),
        ({"physics": {"mp_physics": 28, "use_aero_icbc": True}}, "not QNWFA2D of the initial file"),
        ({"physics": {"mp_physics": 28, "use_mp_re": 0}}, "radiation takes the sizes of particles from the"),
        ({"physics": {"ra_lw_physics": 1, "ra_sw_physics": 4}}, "longwave 1 (RRTM) is replaced by RRTMGP"),
        ({"physics": {"ra_lw_physics": 4, "ra_sw_physics": 1}}, "longwave clouds are grey, as RRTM's (1)"),
        (
            {"physics": {"ra_lw_physics": 4, "ra_sw_physics": 2}},
            "shortwave 2 (Goddard's) is replaced by RRTMGP: with RRTMG, which is near it, the "
            "ground gets 29 W/m2 less sun",
        ),
        (
            {"physics": {"ra_lw_physics": 0, "ra_sw_physics": 4}},
            "longwave 0 is replaced by RRTMGP: a run has both kinds of radiation or none",
        ),
        (
            {"physics": {"ra_lw_physics": 3, "ra_sw_physics": 1, "swrad_scat": 2.0}},
            "longwave 3 (CAM's) is replaced by RRTMGP, which was not compared with it; clear air scatters as "
            "with swrad_scat = 1",
        ),
        (
            {"physics": {"ra_lw_physics": 4, "ra_sw_physics": 4, "icloud": 3}},
            "clouds act on radiation as with icloud = 1",
        ),
        (
            {"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 91, "isftcflx": 1}},
            "drag and exchange over the sea are those of isftcflx = 0",
        ),
        ({"physics": {"bl_pbl_physics": 2, "sf_sfclay_physics": 2, "isfflx": 0}}, "isfflx = 0"),
        ({"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 1, "isfflx": 2}}, "isfflx = 2"),
        (
            {"physics": FULL_PHYSICS, "dynamics": {"rad_nudge": 1}},
            "radiation is computed: temperature is not",
        ),
        ({"physics": {**FULL_PHYSICS, "topo_wind": 3}}, "the wind near the ground does not feel"),
        ({"physics": {"sf_ocean_physics": 1}}, "the ocean needs surface fluxes and radiation"),
        ({"physics": {**FULL_PHYSICS, "sf_ocean_physics": 2}}, "without currents between its columns"),
        ({"physics": {**FULL_PHYSICS, "sf_ocean_physics": 1, "oml_hml0": 0.0}}, "not as H0ML of the initial"),
        ({"physics": {**FULL_PHYSICS, "sf_ocean_physics": 1, "sst_update": 1}}, "no mixed layer in it"),
        ({"physics": {**FULL_PHYSICS, "sf_ocean_physics": 1, "sst_skin": 1}}, "no mixed layer in it"),
        ({"fire": {"ifire": 2}}, "sr_x and sr_y are not set: there is no grid for the fire"),
        ({"chem": {"chem_opt": 300}}, "chem_opt = 300: there is no chemistry"),
        (
            {"physics": {"mp_physics": 8}, "dynamics": {"moist_adv_opt": 2}},
            "numbers of particles have the limiter of moist_adv_opt",
        ),
        (
            {"dynamics": {"diff_opt": 2, "km_opt": 2, "tke_adv_opt": 2}},
            "TKE have the limiter of moist_adv_opt",
        ),
        (
            {"physics": {"bl_pbl_physics": 7, "sf_sfclay_physics": 7}},
            "surface layer 7 is replaced by revised MM5 (1); boundary layer 7 is replaced by YSU (1): "
            "near-surface fields will differ",
        ),
        (
            {"physics": {**MYNN, "bl_mynn_closure": 3.0, "bl_mynn_edmf_tke": 1, "icloud_bl": 0}},
            "level 3 is 2.6, which predicts the variance of water alone; radiation "
            "sees the clouds of the boundary layer: near-surface fields will differ",
        ),
        (
            {"physics": {**MYNN, "bl_mynn_mixlength": 2, "bl_mynn_tkeadvect": True}},
            "the lengths of eddies are those of bl_mynn_mixlength = 1",
        ),
        ({"physics": {**MYNN, "bl_pbl_physics": 6}}, "MYNN is the 2009 version, level 2.5 for 3"),
        ({"physics": {"cu_physics": 3, "clos_choice": 4}}, "clos_choice = 4: Grell and Freitas's scheme has"),
        ({"physics": {"cu_physics": 5}}, "cumulus scheme 5 is replaced by Kain-Fritsch (1)"),
        (
            {"physics": {"sf_surface_physics": 2, "bl_pbl_physics": 1, "sf_sfclay_physics": 1}},
            "the land surface model needs radiation and surface fluxes",
        ),
        (
            {"physics": {**FULL_PHYSICS, "sf_surface_physics": 3}},
            "land surface model 3 is replaced by Noah (2)",
        ),
        (
            {
                "physics": {**FULL_PHYSICS, "sf_surface_physics": 4},
                "noah_mp": {"dveg": 2, "opt_run": 5, "opt_alb": 1},
            },
            "dveg = 2: leaf areas are those of the table, under the year's greatest vegetation fraction; "
            "opt_run = 5: runoff is Noah's, with free drainage and no groundwater; "
            "opt_alb = 1: snow ages as in CLASS",
        ),
        (
            {"physics": {"fractional_seaice": 1}},
            "1: fractions of ice need the land model Noah",
        ),
        (
            {"physics": {**FULL_PHYSICS, "sf_surface_physics": 1, "fractional_seaice": 1}},
            "1: WRF stops: fractions of ice need the land model Noah",
        ),
        (
            {"physics": {**FULL_PHYSICS, **NOAH, "isfflx": 0, "fractional_seaice": 1}},
            "1: fractions of ice need the land model Noah",
        ),
        (
            {"dynamics": {"diff_6th_slopeopt": 1}},
            "diff_6th_slopeopt = 1: the sixth-order filter is not reduced",
        ),
        ({"time_control": {"restart": True}}, "WRF restart files are not read"),
        ({"fdda": NUDGED}, "nudging lasts for the whole run"),
        ({"physics": {"sst_update": 1}}, "without a boundary layer scheme the sea has no fluxes"),
        ({"physics": {"sst_skin": 1}}, "the sea-skin scheme needs boundary layer fluxes"),
        ({"fdda": {**NUDGED, "if_no_pbl_nudging_t": 1}}, "without a boundary layer scheme all layers"),
        ({"physics": {"topo_shading": 1}}, "terrain shadows need radiation"),
        ({"fdda": {**NUDGED, "if_zfac_uv": 1}}, "nudging is equally strong below and above the layer"),
        ({"dfi_control": {"dfi_opt": 3, "dfi_nfilter": 2}}, "dfi_nfilter = 2 is replaced by Dolph's filter"),
        ({"dfi_control": {"dfi_opt": 2}}, "the start is not between dfi_bckstop and dfi_fwdstop"),
        (
            {"time_control": STARTED, "dfi_control": {"dfi_opt": 2, **FILTERED}},
            "the filter integrates equally far forward and backward from the start, 1 h",
        ),
        ({"dfi_control": {"dfi_opt": 1}, "domains": {"time_step_dfi": 30}}, "not time_step_dfi"),
        ({"physics": {**FULL_PHYSICS, "aer_opt": 1}}, "there is no aerosol climatology"),
        ({"physics": {**FULL_PHYSICS, "aer_opt": 2, "aer_aod550_opt": 2}}, "AOD5502D is read from a file"),
        (
            {"physics": {**FULL_PHYSICS, "aer_opt": 2, "aer_ssa_opt": 2}},
            "aer_ssa_opt: the value of aer_type is used, not that of a file",
        ),
    ],
)
def test_what_has_no_counterpart_is_told(groups, expected):
    assert any(expected in line for line in lost(**groups))


def test_nothing_is_lost_of_what_squall_has():
    assert lost() == []


@pytest.mark.parametrize("surface_layer", [1, 2, 5])
def test_mynn_has_what_wrf_has_by_default(surface_layer):
    assert lost(physics={**MYNN, "sf_sfclay_physics": surface_layer, "icloud_bl": 1}) == []
    assert lost(physics={**MYNN, "bl_mynn_mixlength": 2}) == []
    assert lost(physics={**MYNN, "bl_mynn_tkeadvect": True}) == []


@pytest.mark.parametrize(
    "groups",
    [
        {"dynamics": {"moist_adv_opt": 2}},  # of water alone
        {"dynamics": {"tke_adv_opt": 2, "tracer_adv_opt": 2}},  # of which there is none
        {"physics": {"sf_surface_physics": 1}},  # which WRF calls after a surface layer only
        {"physics": {"isftcflx": 1, "topo_wind": 1, "isfflx": 0}},  # of fluxes
        {"physics": {"bl_pbl_physics": 1, "sf_sfclay_physics": 1, "bl_mynn_edmf": 0}},  # of another scheme
    ],
)
def test_what_has_no_effect_in_wrf_is_not_lost(groups):
    assert lost(**groups) == []


def test_how_close_a_stand_in_is_that_counts_as_the_same_is_told():
    both = namelist(physics={"ra_lw_physics": 1, "ra_sw_physics": 1})
    result = translate(both, SCHEMA)
    assert result.lost == []
    assert "(RRTMGP stands for RRTM: within 0.2 K/day and 1.5 W/m2" in report(result)
    rrtmg = translate(namelist(physics={"ra_lw_physics": 4, "ra_sw_physics": 4}), SCHEMA)
    assert "stands for" not in report(rrtmg)


def test_unknown_keys_and_nests_without_a_place_are_listed():
    nested = namelist(
        domains={"max_dom": 2, "parent_id": [1, 1], "parent_grid_ratio": [1, 3], "e_we": [100, 61]},
        physics={"bldt": 30},
    )
    result = translate(nested, SCHEMA)
    assert result.unknown == {"physics": ["bldt"]}
    assert (
        "nest d02: parent_id = 1, parent_grid_ratio = 3, e_we = 61: the namelist does not give its position"
        in report(result)
    )


@pytest.mark.parametrize(("number", "stress"), [(2, "potential"), (3, "ssib")])
def test_no_water_stress_of_noah_mp_is_lost(number, stress):
    groups = {"physics": {**FULL_PHYSICS, "sf_surface_physics": 4}, "noah_mp": {"opt_btr": number}}
    assert translate(namelist(**groups), SCHEMA).settings()["land.water_stress"][0] == stress
    assert not [line for line in lost(**groups) if "opt_btr" in line]
