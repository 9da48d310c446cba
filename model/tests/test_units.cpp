// Quantities with units: every way of writing one gives the same SI value, and a wrong one is
// refused with the text and what is wanted.
#include <gtest/gtest.h>

#include <stdexcept>

#include "config/units.hpp"

namespace squall {
namespace {

std::string refusal(const std::string &text, const std::string &expected) {
    try {
        parse_quantity(text, expected);
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
    return "accepted";
}

TEST(Units, QuantitiesBecomeSi) {
    EXPECT_DOUBLE_EQ(parse_quantity("600 s", "s"), 600);
    EXPECT_DOUBLE_EQ(parse_quantity("5 d", "s"), 432000);
    EXPECT_DOUBLE_EQ(parse_quantity("2 h", "s"), 7200);
    EXPECT_DOUBLE_EQ(parse_quantity("30 min", "s"), 1800);
    EXPECT_DOUBLE_EQ(parse_quantity("100 km", "m"), 1e5);
    EXPECT_DOUBLE_EQ(parse_quantity("50 m", "m"), 50);
    EXPECT_DOUBLE_EQ(parse_quantity("-15 K", "K"), -15);
    EXPECT_DOUBLE_EQ(parse_quantity("1000 hPa", "Pa"), 1e5);
    EXPECT_DOUBLE_EQ(parse_quantity("10 m/s", "m s-1"), 10);
    EXPECT_DOUBLE_EQ(parse_quantity("36 km/h", "m/s"), 10);
    EXPECT_DOUBLE_EQ(parse_quantity("45 degrees", "degree"), 45);
    EXPECT_DOUBLE_EQ(parse_quantity("15 W/m2", "W m-2"), 15);
    EXPECT_DOUBLE_EQ(parse_quantity("551.58 W m-2", "W/m2"), 551.58);
}

TEST(Units, ProductsMayBeWrittenInEveryUsualWay) {
    for (const char *text :
         {"75 m2/s", "75 m2 s-1", "75 m^2/s", "75 m^2 s^-1", "75m2/s", "+75  m2 / s", "7.5e1 m m/s"})
        EXPECT_DOUBLE_EQ(parse_quantity(text, "m2 s-1"), 75) << text;
    for (const char *text : {"0.003 1/s", "0.003 s-1", "3e-3 s^-1"})
        EXPECT_DOUBLE_EQ(parse_quantity(text, "s-1"), 0.003) << text;
}

TEST(Units, RefusalsShowTheTextAndAnExample) {
    const std::string wanted = "; expected a time in s, min, h or d, such as \"600 s\"";
    EXPECT_EQ(refusal("600 m", "s"), "\"600 m\" is a length" + wanted);
    EXPECT_EQ(refusal("600", "s"), "\"600\" has no unit" + wanted);
    EXPECT_EQ(refusal("600 sec", "s"), "unknown unit \"sec\" in \"600 sec\"" + wanted);
    EXPECT_EQ(refusal("soon", "s"), "\"soon\" does not start with a number" + wanted);
    EXPECT_EQ(refusal("nan s", "s"), "\"nan s\" does not start with a number" + wanted);
    EXPECT_EQ(refusal("1e999 s", "s"), "\"1e999 s\" is out of range" + wanted);
    EXPECT_EQ(refusal("1e308 d", "s"), "\"1e308 d\" is out of range" + wanted);
    EXPECT_EQ(refusal("3 K m", "s"), "\"3 K m\" is in K m" + wanted);
    for (const char *text : {"", " ", "5 s/", "5 s-", "5 m2s", "5 °", "-", "5 s 600"})
        EXPECT_NE(refusal(text, "s"), "accepted") << text;
}

TEST(Units, ValuesAreShownInTheUnitOfRunFiles) {
    EXPECT_EQ(format_quantity(600, "s"), "600 s");
    EXPECT_EQ(format_quantity(0.25, ""), "0.25");
    EXPECT_EQ(format_quantity(75, "m2 s-1"), "75 m2/s");
}

} // namespace
} // namespace squall
