// Suites of physics schemes, and combinations of schemes that make no sense.
#include <filesystem>

#include <gtest/gtest.h>

#include "config/read.hpp"
#include "fake_wrfinput.hpp"
#include "physics/boundary_layer_scheme.hpp"
#include "physics/cumulus_scheme.hpp"
#include "physics/land_scheme.hpp"
#include "physics/microphysics_scheme.hpp"
#include "physics/suites.hpp"
#include "physics/surface_layer_scheme.hpp"
#include "settings/nests.hpp"

namespace squall {
namespace {

using testing_support::FakeInput;

class Physics : public testing::Test {
  protected:
    Physics() {
        const auto *test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) / (std::string("physics_") + test->name());
        std::filesystem::create_directories(folder_);
        FakeInput input;
        input.dimensions["west_east"] = 40, input.dimensions["west_east_stag"] = 41;
        input.dimensions["south_north"] = 40, input.dimensions["south_north_stag"] = 41;
        for (const double dx : {12000., 4000.}) {
            input.numbers["DX"] = input.numbers["DY"] = dx;
            input.write(folder_ / (dx > 5000 ? "coarse" : "fine"));
        }
    }
    ~Physics() override { std::filesystem::remove_all(folder_); }

    Config read(const std::string &tables, const std::string &initial = "coarse") const {
        const std::string text = "[run]\nduration = \"1 h\"\ntime_step = \"20 s\"\n" + tables +
                                 "[initial]\nfile = \"" + initial + "\"\n";
        return parse_config(text, (folder_ / "run.toml").string(), {});
    }
    std::string refusal(const std::string &tables) const {
        try {
            read(tables);
        } catch (const ConfigError &e) {
            return e.what();
        }
        return "accepted";
    }

    std::filesystem::path folder_;
};

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

// Without radiation, whose tables a machine may lack, and so without land.
const std::string suite = "[physics]\nsuite = \"regional\"\nradiation = \"none\"\nland = \"none\"\n";

/// What a built-in case says to a table of physics.
std::string refusal_of_case(const std::string &physics) {
    try {
        parse_config("[run]\nduration = \"60 s\"\ntime_step = \"1 s\"\n[domain]\nnx = 40\nny = 30\n"
                     "nz = 10\ndx = \"1 km\"\n[vertical]\ntop = \"15 km\"\n[initial]\ncase = "
                     "\"supercell\"\n" +
                         physics,
                     "storm.toml", {});
    } catch (const ConfigError &e) {
        return e.what();
    }
    return "accepted";
}

TEST_F(Physics, OfASuiteIsWhatTheRunFileLeavesOut) {
    const Config c = read(suite);
    EXPECT_EQ(c.physics.microphysics, "wsm6");
    EXPECT_EQ(c.physics.surface_layer, "revised-mm5");
    EXPECT_EQ(c.physics.boundary_layer, "ysu");
    EXPECT_EQ(c.physics.cumulus, "kain-fritsch");
    EXPECT_EQ(c.physics.land, "none");
    EXPECT_EQ(c.diffusion.scheme, "smagorinsky-2d");
    EXPECT_EQ(read(suite + "[diffusion]\nscheme = \"none\"\n").diffusion.scheme, "none");
    EXPECT_EQ(read("").diffusion.scheme, "none");
}

TEST_F(Physics, OfASuiteHasNoCumulusWhereTheGridResolvesIt) {
    EXPECT_EQ(read(suite, "fine").physics.cumulus, "none");
    EXPECT_EQ(read(suite + "cumulus = \"kain-fritsch\"\n", "fine").physics.cumulus, "kain-fritsch");
    const std::string nest = "[nest.inner]\ni_parent_start = 10\nj_parent_start = 10\nnx = 30\nny = 30\n";
    EXPECT_EQ(with_nests(read(suite + nest))[1].physics.cumulus, "none");
    EXPECT_EQ(with_nests(read(suite + nest + "parent_grid_ratio = 2\n"))[1].physics.cumulus, "kain-fritsch");
    EXPECT_EQ(with_nests(read(suite + "cumulus = \"kain-fritsch\"\n" + nest))[1].physics.cumulus,
              "kain-fritsch");
}

TEST_F(Physics, OfSuitesNamedAsWrfsHasCumulusAtAnySpacing) {
    for (const auto &[name, scheme] :
         {std::pair<std::string, std::string>("conus", "tiedtke-1989"), {"tropical", "tiedtke"}}) {
        const std::string of_name =
            "[physics]\nsuite = \"" + name + "\"\nradiation = \"none\"\nland = \"none\"\n";
        EXPECT_EQ(read(of_name, "fine").physics.cumulus, scheme) << name;
    }
}

TEST_F(Physics, OfResolvedConvectionHasNoCumulusOnAnyCells) {
    const std::string storms = "[physics]\nsuite = \"convection\"\nradiation = \"none\"\nland = \"none\"\n";
    for (const std::string initial : {"coarse", "fine"}) {
        const Config c = read(storms, initial);
        EXPECT_EQ(c.physics.cumulus, "none");
        EXPECT_EQ(describe_physics(c)[0], "microphysics thompson, boundary_layer mynn, surface_layer "
                                          "revised-mm5, diffusion smagorinsky-2d");
    }
    EXPECT_EQ(suites().at("convection").scheme("land", 3000), "noah");
    EXPECT_EQ(suites().at("convection").scheme("radiation", 3000),
              suites().at("conus").scheme("radiation", 3000));
}

TEST_F(Physics, IsToldWithItsSuiteAndWhatIsNotOfIt) {
    const std::vector<std::string> lines = describe_physics(read(suite));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], "microphysics wsm6, cumulus kain-fritsch, boundary_layer ysu, surface_layer "
                        "revised-mm5, diffusion smagorinsky-2d");
    EXPECT_EQ(lines[1], "suite regional; changed: radiation none, land none");
    EXPECT_EQ(describe_physics(read("")), std::vector<std::string>{"none: dry air"});
}

TEST_F(Physics, OfEverySuiteIsThere) {
    for (const auto &[name, one] : suites()) {
        const auto &is = one.schemes;
        EXPECT_TRUE(microphysics_schemes().contains(is.at("microphysics"))) << name;
        EXPECT_TRUE(name == "convection" || cumulus_schemes().contains(is.at("cumulus"))) << name;
        EXPECT_TRUE(boundary_layer_schemes().contains(is.at("boundary_layer"))) << name;
        EXPECT_TRUE(surface_layer_schemes().contains(is.at("surface_layer"))) << name;
        EXPECT_TRUE(land_schemes().contains(is.at("land"))) << name;
    }
}

TEST_F(Physics, OfASuiteIsRefusedByTheSuitesLineWithWhatWouldWork) {
    const std::string without = refusal("[physics]\nsuite = \"regional\"\nradiation = \"none\"\n");
    EXPECT_SAYS(without, "run.toml:5");
    EXPECT_SAYS(without, "or land = \"slab\" or \"none\" (land comes from physics.suite = \"regional\"");
    EXPECT_SAYS(refusal(suite + "boundary_layer = \"none\"\n"),
                "has no effect with physics.boundary_layer = \"none\"; set boundary_layer = \"ysu\", or "
                "surface_layer = \"none\" (surface_layer comes from");
    EXPECT_SAYS(refusal("[physics]\nsuite = \"conuss\"\n"),
                "choose one of: none, conus, convection, regional, tropical");
    EXPECT_SAYS(refusal_of_case(suite), "needs initial.file");
}

TEST_F(Physics, OfSunlightOnTheGroundNeedsRadiation) {
    const std::string broadband = "[physics]\nradiation = \"broadband\"\n";
    const Config c = read(broadband + "slope_radiation = true\ntopographic_shading = true\n");
    EXPECT_TRUE(c.physics.slope_radiation && c.physics.topographic_shading);
    EXPECT_EQ(c.physics.shadow_length, 25e3);
    EXPECT_SAYS(refusal("[physics]\nslope_radiation = true\n"),
                "physics.slope_radiation has no effect without physics.radiation");
    EXPECT_SAYS(refusal(broadband + "slope_radiation = true\nshadow_length = \"9 km\"\n"),
                "physics.shadow_length has no effect without physics.topographic_shading = true");
}

TEST_F(Physics, OfAerosolNeedsASpectrumAndADepth) {
    const std::string broadband = "[physics]\nradiation = \"broadband\"\n";
    EXPECT_SAYS(refusal(broadband + "aerosol_optical_depth = 0.1\n"), "already accounts for aerosol");
    EXPECT_SAYS(refusal("[physics]\naerosol_optical_depth = 0.1\n"),
                "physics.aerosol_optical_depth has no effect without physics.radiation");
    EXPECT_SAYS(refusal(broadband + "aerosol_type = \"urban\"\n"),
                "physics.aerosol_type has no effect without physics.aerosol_optical_depth");
    EXPECT_SAYS(refusal(broadband + "aerosol_file = \"AOD_d01\"\n"), "already accounts for aerosol");
    EXPECT_SAYS(refusal_of_case(broadband + "aerosol_file = \"AOD_d01\"\n"),
                "is given on the cells of initial.file");
    EXPECT_SAYS(refusal(broadband + "aerosol_optical_depth = 0.1\naerosol_file = \"AOD_d01\"\n"),
                "exclude each other");
    const std::string spectral = "[physics]\nradiation = \"rrtmgp\"\naerosol_optical_depth = 0.1\n";
    EXPECT_SAYS(refusal(spectral + "aerosol_type = \"urban\"\naerosol_angstrom_exponent = 1.3\n"
                                   "aerosol_single_scattering_albedo = 0.9\naerosol_asymmetry = 0.7\n"),
                "physics.aerosol_type has no effect with aerosol_angstrom_exponent");
    EXPECT_SAYS(refusal(broadband + "aerosol_type = \"dust\"\n"), "choose one of: maritime, rural, urban");
    const std::string carried = "aerosol_type = \"carried\"\nmicrophysics = ";
    EXPECT_SAYS(refusal(broadband + carried + "\"thompson-aerosol\"\n"),
                "physics.aerosol_type = \"carried\" needs physics.radiation = \"rrtmgp\"");
    EXPECT_SAYS(refusal("[physics]\nradiation = \"rrtmgp\"\n" + carried + "\"thompson\"\n"),
                "\"thompson\" carries no aerosol");
    EXPECT_SAYS(refusal(spectral + carried + "\"thompson-aerosol\"\n"),
                "physics.aerosol_optical_depth and physics.aerosol_type = \"carried\" exclude each other");
}

TEST_F(Physics, RadiatesWithoutTablesWhereItNeedsNone) {
    EXPECT_EQ(read("[physics]\nradiation = \"broadband\"\n").physics.radiation, "broadband");
    EXPECT_SAYS(refusal("[physics]\nradiation = \"broadband\"\nradiation_tables = \"tables\"\n"),
                "physics.radiation_tables has no effect without physics.radiation = \"rrtmgp\"");
    const std::string missing = refusal("[physics]\nsuite = \"regional\"\nradiation_tables = \"/nowhere\"\n");
    EXPECT_SAYS(missing, "squall fetch radiation");
    EXPECT_SAYS(missing, "physics.radiation = \"broadband\"");
}

TEST_F(Physics, MixesTheColumnOnce) {
    for (const std::string scheme : {"tke", "smagorinsky-3d"}) // which then mix horizontally only
        EXPECT_EQ(refusal(suite + "[diffusion]\nscheme = \"" + scheme + "\"\nsurfaces = \"physical\"\n"),
                  "accepted");
    EXPECT_SAYS(refusal(suite + "[diffusion]\nvertical = \"10 m2/s\"\n"),
                "mixes vertically, as physics.boundary_layer = \"ysu\" already does; leave it out");
    EXPECT_EQ(refusal(suite + "[diffusion]\nscheme = \"constant\"\nhorizontal = \"10 m2/s\"\n"), "accepted");
    EXPECT_EQ(refusal("[physics]\nmicrophysics = \"wsm6\"\nboundary_layer = \"bulk\"\n[diffusion]\nscheme = "
                      "\"tke\"\nsurfaces = \"physical\"\n"),
              "accepted");
}

TEST_F(Physics, OfMountainsWithinCellsNeedsAFileAndNoSuiteHasIt) {
    EXPECT_EQ(read(suite).physics.gravity_wave_drag, "none");
    const Config c = read(suite + "gravity_wave_drag = \"kim-arakawa\"\n");
    EXPECT_EQ(c.physics.gravity_wave_drag, "kim-arakawa");
    EXPECT_SAYS(describe_physics(c)[1], "changed: gravity_wave_drag kim-arakawa");
    EXPECT_SAYS(refusal("[physics]\ngravity_wave_drag = \"kim\"\n"), "kim-arakawa");
}

TEST_F(Physics, OfHillsWithinCellsActsThroughYsuAlone) {
    EXPECT_EQ(read(suite + "terrain_wind = \"jimenez-dudhia\"\n").physics.terrain_wind, "jimenez-dudhia");
    EXPECT_SAYS(
        refusal(suite + "boundary_layer = \"mynn\"\nterrain_wind = \"mass-ovens\"\n"),
        "physics.terrain_wind = \"mass-ovens\" has no effect with physics.boundary_layer = \"mynn\"; set "
        "boundary_layer = \"ysu\"");
    EXPECT_SAYS(refusal_of_case("[physics]\nsurface_layer = \"revised-mm5\"\nboundary_layer = \"ysu\"\n"
                                "microphysics = \"kessler\"\nsurface_temperature = \"300 K\"\n"
                                "terrain_wind = \"jimenez-dudhia\"\n"),
                "physics.terrain_wind = \"jimenez-dudhia\" needs initial.file, for the subgrid orography");
}

TEST_F(Physics, OfAnOceanNeedsFluxesAndTheSeaToItself) {
    const std::string radiating =
        "[physics]\nsuite = \"regional\"\nradiation = \"broadband\"\nland = \"none\"\n";
    const std::string ocean = "ocean = \"mixed-layer\"\n";
    EXPECT_EQ(read(radiating + ocean + "ocean_lapse_rate = \"50 K/km\"\n").physics.ocean_lapse_rate, 0.05);
    EXPECT_SAYS(refusal(suite + ocean), "physics.ocean = \"mixed-layer\" needs the radiation at the sea");
    EXPECT_SAYS(
        refusal("[physics]\nmicrophysics = \"wsm6\"\nradiation = \"broadband\"\n" + ocean),
        "needs the stress and the fluxes of a surface layer; set physics.surface_layer = \"revised-mm5\"");
    EXPECT_SAYS(refusal(radiating + ocean + "sea_skin = \"zeng-beljaars\"\n"),
                "as physics.sea_skin = \"zeng-beljaars\" does; leave one of the two out");
    EXPECT_SAYS(refusal(radiating + ocean + "[boundary]\nlower_file = \"sea\"\n"),
                "which boundary.lower_file (or a nest's lower_file) prescribes; leave one of the two out");
    EXPECT_SAYS(refusal(suite + "ocean_layer_depth = \"30 m\"\n"),
                "physics.ocean_layer_depth has no effect without physics.ocean = \"mixed-layer\"");
}

TEST_F(Physics, WithoutFluxesOfHeatHasMm5sSurfaceLayerAndNoLand) {
    EXPECT_FALSE(read(suite + "heat_fluxes = false\n").physics.heat_fluxes);
    EXPECT_SAYS(
        refusal(suite + "surface_layer = \"mynn\"\nheat_fluxes = false\n"),
        "physics.heat_fluxes = false needs physics.surface_layer = \"revised-mm5\" or \"mm5\", not \"mynn\"");
    EXPECT_SAYS(refusal("[physics]\nsuite = \"regional\"\nradiation = \"broadband\"\nheat_fluxes = false\n"),
                "leaves physics.land = \"noah\" nothing to do; set land = \"none\"");
}

TEST_F(Physics, OfCloudsThatRadiationDoesNotSeeNeedsSuchRadiation) {
    const std::string broadband = "[physics]\nsuite = \"regional\"\nradiation = \"broadband\"\n";
    EXPECT_FALSE(read(broadband + "cloud_radiation = false\n").physics.cloud_radiation);
    EXPECT_SAYS(refusal(suite + "cloud_radiation = false\n"),
                "physics.cloud_radiation has no effect without");
    EXPECT_SAYS(
        refusal(broadband + "longwave_ice = false\n"),
        "physics.longwave_ice = false is for the grey clouds of physics.radiation = \"rrtmgp-dudhia\"; "
        "\"broadband\" has none: leave it out");
    EXPECT_SAYS(
        refusal(broadband + "newtonian_cooling = true\n"),
        "stands for radiation, which physics.radiation = \"broadband\" computes; leave one of the two out");
    EXPECT_TRUE(read(suite + "newtonian_cooling = true\n").physics.newtonian_cooling);
}

TEST_F(Physics, OfASlabNeedsNoRadiationAndThatOfNoahDoes) {
    const std::string dark = "[physics]\nsuite = \"regional\"\nradiation = \"none\"\n";
    EXPECT_EQ(read(dark + "land = \"slab\"\n").physics.land, "slab");
    EXPECT_SAYS(refusal(dark + "land = \"noah\"\n"), "or land = \"slab\" or \"none\"");
}

TEST_F(Physics, OfLandHasOptionsWhereItHasLeaves) {
    const std::string noah_mp =
        "[physics]\nsuite = \"regional\"\nradiation = \"broadband\"\nland = \"noah-mp\"\n";
    const Config c = read(noah_mp + "[land]\nrunoff = \"groundwater\"\nleaf_area = \"file\"\n");
    EXPECT_TRUE(c.land.has_groundwater() && c.land.reads_leaf_area());
    EXPECT_SAYS(refusal(noah_mp + "[land]\nrunoff = \"none\"\n"), "runoff");
    EXPECT_SAYS(refusal(suite + "[land]\nrunoff = \"groundwater\"\n"),
                "[land] has no effect with physics.land = \"");
}

TEST_F(Physics, OfPlumesNeedsABoundaryLayerThatHasThem) {
    const std::string plumes = "boundary_layer = \"mynn-edmf\"\n";
    EXPECT_TRUE(read(suite + plumes + "plume_turbulence = true\n").physics.plume_turbulence);
    EXPECT_EQ(read(suite + plumes + "eddy_variance = \"balanced\"\n").physics.eddy_variance, "balanced");
    EXPECT_SAYS(refusal(suite + "plume_turbulence = true\n"),
                "physics.plume_turbulence has no effect without physics.boundary_layer = \"mynn-edmf\"");
    EXPECT_SAYS(refusal(suite + "eddy_variance = \"balanced\"\n"), "physics.eddy_variance has no effect");
}

TEST_F(Physics, NeedsWhatItStandsOn) {
    EXPECT_SAYS(refusal("[physics]\nmicrophysics = \"wsm6\"\nboundary_layer = \"ysu\"\n"),
                "set physics.surface_layer = \"revised-mm5\"");
    EXPECT_SAYS(refusal("[physics]\nmicrophysics = \"vapour\"\ncumulus = \"kain-fritsch\"\n"),
                "detrains cloud water; set physics.microphysics, such as \"wsm6\"");
    EXPECT_SAYS(refusal("[physics]\nmicrophysics = \"wsm6\"\nland = \"slab\"\n"),
                "needs the fluxes of a surface layer");
    EXPECT_SAYS(refusal("[physics]\nsurface_layer = \"revised-mm5\"\nboundary_layer = \"ysu\"\n"),
                "needs water vapour; set physics.microphysics");
}

} // namespace
} // namespace squall
