// What cannot be of the ground is refused: each kind by field, value, place and what to do.
#include <functional>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ground_case.hpp"

namespace squall {
namespace {

using testing_support::FakeInput;
using testing_support::LandWaterOfInput;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr int bad_row = 3, bad_column = 1; ///< grassland, beneath frozen ground; column 2 is water

struct Spoilt {
    std::string name;
    std::function<void(FakeInput &)> spoil;
    std::string said; ///< field, value and place
};

/// Has another value in one cell of a plane, or of all layers of a volume.
Spoilt in_one_cell(const std::string &field, double value, const std::string &said, int column = bad_column) {
    const auto spoil = [=](FakeInput &input) {
        FakeInput::Variable &variable = input.variables.at(field);
        variable.value = [=, before = variable.value](int k, int j, int i) {
            return j == bad_row && i == column ? value : before(k, j, i);
        };
    };
    std::string name = fmt::format("{}_is_{}", field, value);
    for (char &c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return {name, spoil, said};
}

Spoilt without(const std::string &field, const std::string &said) {
    return {field + "_is_missing", [=](FakeInput &input) { input.variables.erase(field); }, said};
}

Spoilt everywhere(const std::string &field, double value, const std::string &said) {
    return {field + "_is_a_share",
            [=](FakeInput &input) { input.plane(field, [=](int, int, int) { return value; }); }, said};
}

void set_depths(FakeInput &input, std::array<double, 4> depths) {
    input.variables["ZS"] = {{"soil_layers_stag"},
                             [=](int, int, int k) { return depths[static_cast<std::size_t>(k)]; }};
}

std::vector<Spoilt> all_spoilt() {
    const std::string cell = " at 0-based south_north 3, west_east 1 (10.00 N, 94.00 W): ",
                      index = " at 0-based index (3, 1) (10.00 N, 94.00 W): ",
                      layer = " at 0-based index (0, 3, 1) (10.00 N, 94.00 W): ",
                      never = "not a number, or never written";
    return {
        in_one_cell("LU_INDEX", 40, "LU_INDEX is 40" + index + "it must be from 0 to 27"),
        in_one_cell("LU_INDEX", missing, "LU_INDEX is nan" + index + never),
        in_one_cell("IVGTYP", 0, "IVGTYP is 0 on land" + cell + "it must be from 1 to 27, except 16, water"),
        in_one_cell("IVGTYP", 28, "IVGTYP is 28 on land" + cell),
        in_one_cell("IVGTYP", 16, "IVGTYP is 16 on land" + cell),
        in_one_cell("ISLTYP", 0, "ISLTYP is 0 on land" + cell + "it must be from 1 to "),
        in_one_cell("ISLTYP", 31, "ISLTYP is 31 on land" + cell),
        in_one_cell("SEAICE", 1,
                    "SEAICE is 1 where LU_INDEX is 7, land" + cell + "0.5 of a cell or more is "),
        in_one_cell("SEAICE", missing, "SEAICE is nan" + index + never),
        in_one_cell("TSK", 12, "TSK is 12" + index + "it must be from 150 to 400"),
        in_one_cell("TSK", missing, "TSK is nan" + index + never),
        in_one_cell("TSK", 190,
                    "TSK is 190 K over water at 0-based south_north 3, west_east 2 (10.00 N, "
                    "93.00 W): it must be from 220 to 330",
                    2),
        in_one_cell("TSLB", 12, "temperature (TSLB, TMN) is 12 K at a depth of 0.05 m on land" + cell),
        in_one_cell("TSLB", 600, "TSLB is 600" + layer + "it must be from 0 to 400"),
        in_one_cell("TSLB", missing, "TSLB is nan" + layer + never),
        in_one_cell("TMN", 0, "TMN is 0 K on land" + cell + "it must be from 150 to 400"),
        in_one_cell("SMOIS", 0, "SMOIS is 0 m3 m-3 on land" + cell + "it must be above 0 and at most 1"),
        in_one_cell("SMOIS", 7, "SMOIS is 7 m3 m-3 on land" + cell),
        in_one_cell("SMOIS", -0.5, "SMOIS is -0.5" + layer + "it must be from 0 to "),
        in_one_cell("SNOW", -3, "SNOW is -3" + index + "it must be from 0 to "),
        in_one_cell("SNOWH", -0.25, "SNOWH is -0.25" + index + "it must be from 0 to "),
        in_one_cell("VEGFRA", 150, "VEGFRA is 150" + index + "it must be from 0 to 100"),
        in_one_cell("VEGFRA", -1, "VEGFRA is -1" + index + "it must be from 0 to 100"),
        in_one_cell("SHDMIN", 90, "SHDMIN is 90 % and the maximum SHDMAX 80 %" + cell),
        everywhere("VEGFRA", 0.6,
                   "VEGFRA is 0.6 % in a forest, and as small in all other forests at 0-based "),
        everywhere("SHDMAX", 0.8,
                   "SHDMAX is 0.8 % in a forest, and as small in all other forests at 0-based "),
        without("LU_INDEX", "holds no land use (LU_INDEX)"),
        without("TSK", "holds no surface temperature (TSK or SST)"),
        without("TSLB", "holds no soil temperature (TSLB at ZS)"),
        without("SMOIS", "holds no soil moisture (SMOIS at ZS)"),
        without("VEGFRA", "has no variable VEGFRA; a wrfinput file has it"),
        {"MMINLU_is_unknown", [](FakeInput &input) { input.texts["MMINLU"] = "SIB"; },
         "has the land-use classes MMINLU = \"SIB\"; physics.surface_layer knows USGS and"},
        {"ZS_goes_upwards",
         [](FakeInput &input) {
             set_depths(input, {0.05, 0.25, 0.2, 1.5});
         },
         "ZS, the depths of TSLB, are 0.05, 0.25, 0.2, 1.5 m: they must increase from above 0"},
        {"ZS_is_negative",
         [](FakeInput &input) {
             set_depths(input, {-0.05, 0.25, 0.7, 1.5});
         },
         "ZS, the depths of TSLB, are -0.05, 0.25"},
        {"TSLB_has_other_layers",
         [](FakeInput &input) {
             input.dimensions["three"] = 3;
             input.variables.at("TSLB").dimensions[0] = "three";
         },
         "TSLB has shape (3, 5, 6), but (4, 5, 6) is needed"},
    };
}

class BadGround : public LandWaterOfInput, public testing::WithParamInterface<Spoilt> {
  protected:
    BadGround() {
        input.plane("XLONG", [](int, int, int i) { return -95.0 + i; });
        input.plane("IVGTYP", [](int, int, int i) { return i < 2 ? 7.0 : i < 4 ? 16.0 : 14.0; });
        input.dimensions["soil_layers_stag"] = 4;
    }
};

TEST_P(BadGround, IsRefusedByFieldValuePlaceAndRemedy) {
    GetParam().spoil(input);
    const auto remedies = {"recreate the file",
                           "write one with",
                           "a wrfinput file has it",
                           "knows USGS",
                           "set physics.surface_temperature",
                           "wrong staggering or a file of another"};
    for (const char *land : {"noah", "noah-mp"}) {
        config.physics.land = land;
        const std::string said = refusal();
        EXPECT_NE(said.find(GetParam().said), std::string::npos) << said;
        EXPECT_TRUE(said.starts_with(config.initial.file + ": ")) << said;
        EXPECT_TRUE(std::ranges::any_of(
            remedies, [&](const char *remedy) { return said.find(remedy) != std::string::npos; }))
            << "does not say what to do: " << said;
    }
}

INSTANTIATE_TEST_SUITE_P(OfAllKinds, BadGround, testing::ValuesIn(all_spoilt()),
                         [](const auto &test) { return test.param.name; });

TEST_F(LandWaterOfInput, OfWhichLeavesAreToBeReadIsRefusedWithoutThem) {
    config.physics.land = "noah-mp";
    config.land.leaf_area = "file";
    expect_refused("has no variable LAI; a wrfinput file has it");
    input.plane("LAI", [](int, int j, int i) { return j == bad_row && i == bad_column ? -2.0 : 1.0; });
    expect_refused("LAI is -2 at 0-based index (3, 1)");
    input.plane("LAI", [](int, int, int i) { return i == 0 ? 0.0 : 1.5; });
    const InitialState s = read(input);
    EXPECT_EQ(s.physics.surface.canopy.leaf_area(0, 0), real(0.05));
    EXPECT_EQ(s.physics.surface.canopy.leaf_area(1, 0), real(1.5));
}

TEST_F(LandWaterOfInput, OfWhichOneRankHasABadCellIsRefusedThereWithItsPlaceInTheDomain) {
    const Spoilt spoilt =
        in_one_cell("ISLTYP", 0, "ISLTYP is 0 on land at 0-based south_north 3, west_east 4", 4);
    spoilt.spoil(input);
    EXPECT_NO_THROW(read(input, make_patch(0, 2, 1, 6, 5, 4, {})));
    expect_refused(spoilt.said, make_patch(1, 2, 1, 6, 5, 4, {}));
}

TEST_F(LandWaterOfInput, HasLakesThatAreWaterWhereTheFileNumbersThemBeyondItsClasses) {
    input.numbers["ISLAKE"] = 28;
    in_one_cell("LU_INDEX", 28, "").spoil(input);
    const InitialState s = read(input);
    EXPECT_EQ(s.ground.land(bad_column, bad_row), real(0));
    EXPECT_EQ(s.ground.land(bad_column, bad_row - 1), real(1));
}

} // namespace
} // namespace squall
