#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "frames/expression.hpp"

namespace squall::transport {
namespace {

double value(const std::string &text) { return Expression(text)({}); }

std::string fault(const std::string &text) {
    try {
        Expression made(text);
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
    return "";
}

TEST(Expressions, ProductsComeBeforeSumsAndWhatIsLeftFirst) {
    EXPECT_EQ(value("1 + 2 * 3"), 7);
    EXPECT_EQ(value("(1 + 2) * 3"), 9);
    EXPECT_EQ(value("7 - 4 - 2"), 1);
    EXPECT_EQ(value("8 / 4 / 2"), 1);
    EXPECT_EQ(value("-2 * -3 - -1"), 7);
    EXPECT_EQ(value("1.5e3*.5"), 750);
    EXPECT_EQ(value("max(1, min(5, 3)) + abs(-2) + sqrt(16) + log10(1000)"), 12);
    EXPECT_EQ(value("log(exp(2))"), std::log(std::exp(2.0)));
}

TEST(Expressions, NamesStandForTheirValuesWhereverTheyAre) {
    const Expression made("o3 / air * 1e9 + o3");
    EXPECT_EQ(made.names(), (std::vector<std::string>{"o3", "air"}));
    EXPECT_EQ(made(std::array{6.0, 3.0}), 2e9 + 6);
}

TEST(Expressions, WhatIsNoneIsRefusedWhereItGoesWrong) {
    EXPECT_NE(fault("1 +").find("character 4: it ends where a value was expected"), std::string::npos);
    EXPECT_NE(fault("(1 + 2").find("\")\" is missing"), std::string::npos);
    EXPECT_NE(fault("a b").find("character 3: there is \"b\" where an operator"), std::string::npos);
    EXPECT_NE(fault("2 ^ 3").find("\"^\" where an operator"), std::string::npos);
    EXPECT_NE(fault("sin(1)").find("there is no function \"sin\""), std::string::npos);
    EXPECT_NE(fault("min(1)").find("\",\" is missing"), std::string::npos);
    EXPECT_NE(fault("").find("it ends"), std::string::npos);
    EXPECT_NE(fault("1..2").find("operator"), std::string::npos);
    EXPECT_NE(fault(std::string(300, '(')).find("too many"), std::string::npos);
    std::string deep = "1";
    for (int n = 0; n < 40; ++n) deep = "1 + (" + deep + ")";
    EXPECT_NE(fault(deep).find("too many parentheses"), std::string::npos);
}

} // namespace
} // namespace squall::transport
