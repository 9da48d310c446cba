/// Sums that do not depend on the order of their terms.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "reduce/sum.hpp"

namespace squall::io::test {
namespace {

double sum_of(const std::vector<double> &terms) {
    Sum sum;
    sum.add(terms.data(), static_cast<std::int64_t>(terms.size()));
    return sum.value();
}

double one_by_one(const std::vector<double> &terms) {
    Sum sum;
    for (const double x : terms) sum.add(x);
    return sum.value();
}

/// Terms of either sign whose exponents are spread over so many powers of two.
std::vector<double> terms_over(int exponents, std::size_t n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> mantissa(-1, 1);
    std::uniform_int_distribution<int> exponent(-exponents / 2, exponents / 2);
    std::vector<double> terms(n);
    for (auto &x : terms) x = std::ldexp(mantissa(random), exponent(random));
    return terms;
}

/// In parts of random lengths that are added up in random order.
double in_parts(const std::vector<double> &terms, std::mt19937_64 &random) {
    std::vector<Sum> parts;
    for (std::size_t at = 0; at < terms.size();) {
        const auto n = std::min(terms.size() - at, 1 + random() % 3000);
        auto &part = parts.emplace_back();
        if (random() % 2)
            part.add(&terms[at], static_cast<std::int64_t>(n));
        else
            for (std::size_t i = at; i < at + n; ++i) part.add(terms[i]);
        at += n;
    }
    while (parts.size() > 1) {
        std::swap(parts[random() % parts.size()], parts.back());
        const auto last = parts.back();
        parts.pop_back();
        parts[random() % parts.size()].add(last);
    }
    return parts[0].value();
}

} // namespace

TEST(Sum, IsTheSameInEveryOrderAndDivision) {
    std::mt19937_64 random(1);
    for (const int exponents : {0, 10, 60, 200, 1500}) {
        auto terms = terms_over(exponents, 20000, 7);
        const double sum = sum_of(terms);
        EXPECT_EQ(sum, one_by_one(terms)) << exponents;
        for (int n = 0; n < 20; ++n) {
            std::ranges::shuffle(terms, random);
            ASSERT_EQ(in_parts(terms, random), sum) << exponents;
        }
    }
}

TEST(Sum, OfTermsAtTheEdgesOfUnitsIsTheSameInEveryOrder) {
    std::mt19937_64 random(2);
    std::vector<double> terms; // halves of units are where digits could carry
    for (int unit = -3; unit <= 3; ++unit)
        for (const double near : {1.0, 0.5, 1.5, std::nextafter(0.5, 0), std::nextafter(0.5, 1), 3.0})
            for (const int shift : {-1, 0, 1, 38, 39})
                for (const int sign : {-1, 1}) terms.push_back(std::ldexp(sign * near, 40 * unit + shift));
    for (int n = 0; n < 200; ++n) {
        std::ranges::shuffle(terms, random);
        const auto some = terms.begin() + 5 + static_cast<std::ptrdiff_t>(random() % 100);
        std::vector<double> part(terms.begin(), some);
        const double sum = sum_of(part);
        ASSERT_EQ(one_by_one(part), sum);
        for (int m = 0; m < 20; ++m) {
            std::ranges::shuffle(part, random);
            ASSERT_EQ(in_parts(part, random), sum);
        }
    }
}

/// Rows of all lengths around those of vectors, whose terms take any number of units apart.
TEST(Sum, OfSinglePrecisionIsThatOfItsTermsOneByOne) {
    std::mt19937_64 random(3);
    for (const int exponents : {0, 8, 16, 17, 40, 90, 250})
        for (const std::size_t n : {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 200, 4096, 5000}) {
            std::vector<float> terms;
            for (const double x : terms_over(exponents, n, static_cast<unsigned>(random())))
                terms.push_back(random() % 9 == 0 ? 0 : static_cast<float>(x));
            for (const float larger : {0.0F, 1e-30F, 3e7F, 1e30F}) { // of a row that came before
                Sum row, each;
                row.add(&larger, 1), each.add(static_cast<double>(larger));
                row.add(terms.data(), std::ssize(terms));
                for (const float x : terms) each.add(static_cast<double>(x));
                ASSERT_EQ(row.precise(), each.precise())
                    << n << " terms over " << exponents << " powers of two, after " << larger;
            }
        }
}

TEST(Sum, OfSinglePrecisionMindsTermsThatAreNoNumbers) {
    std::vector<float> terms(50, 1);
    terms[37] = -std::numeric_limits<float>::infinity();
    Sum sum;
    sum.add(terms.data(), 50);
    EXPECT_EQ(sum.value(), -std::numeric_limits<double>::infinity());
    terms[49] = std::numeric_limits<float>::quiet_NaN();
    sum.add(terms.data(), 50);
    EXPECT_TRUE(std::isnan(sum.value()));
}

TEST(Sum, IsTheNearestToWhatAMachineOfManyDigitsHas) {
    for (const int exponents : {0, 20, 40}) { // with 20000 terms 113 digits hold all of their sum
        const auto terms = terms_over(exponents, 20000, 3);
        __extension__ using Wide = __float128;
        Wide exact = 0;
        for (const double x : terms) exact += x;
        EXPECT_EQ(sum_of(terms), static_cast<double>(exact)) << exponents;
    }
    EXPECT_EQ(sum_of({1e16, 1, -1e16}), 1);
    EXPECT_EQ(sum_of({1e-300, -1e-300, 3e-310}), 3e-310);
}

/// As no sum of a fixed number of digits has it.
TEST(Sum, LosesNothingOfTermsHoweverSmallBesideOthers) {
    EXPECT_EQ(sum_of({1e200, 1, 1e-200, -1e200, -1}), 1e-200);
    EXPECT_EQ(sum_of({0x1p60, 0x1p7, 0x1p-900}), 0x1p60 + 0x1p8); // a tie but for the last
    EXPECT_EQ(sum_of({0x1p60, 0x1p7, -0x1p-900}), 0x1p60);
    EXPECT_EQ(sum_of({0x1p60, 0x1p7}), 0x1p60); // a tie: to even
    const std::vector<float> far{1e30F, 1e-30F, -1e30F, 1e-38F};
    Sum sum;
    sum.add(far.data(), std::ssize(far));
    EXPECT_EQ(sum.value(), static_cast<double>(1e-30F) + static_cast<double>(1e-38F));
}

TEST(Sum, OfNoNumbersIsWhatIeeeSays) {
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::nan("");
    EXPECT_EQ(sum_of({}), 0);
    EXPECT_EQ(sum_of({0, -0.0}), 0);
    EXPECT_EQ(sum_of({1, infinity}), infinity);
    EXPECT_EQ(sum_of({-infinity, 1e300}), -infinity);
    EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity})));
    EXPECT_TRUE(std::isnan(sum_of({1, nan, infinity})));
    const auto most = std::numeric_limits<double>::max();
    EXPECT_EQ(sum_of({most, most, -most}), most);
    EXPECT_EQ(sum_of({most, most}), infinity);
    EXPECT_EQ(sum_of({5e-324, 5e-324}), 1e-323);
    EXPECT_EQ(sum_of({0x1p950, 3, -0x1p950}), 3);
    const double odd = std::nextafter(0x1p950, infinity);
    EXPECT_EQ(sum_of({odd, 0x1p897, -0x1p840}), odd); // rounded once: a little less than a tie
    EXPECT_EQ(sum_of({most, 0x1p970, -0x1p840}), most);
}

TEST(Sum, TravelsAsBytes) {
    for (const int exponents : {0, 100, 1900}) {
        const auto terms = terms_over(exponents, 1000, 5);
        Sum sum;
        sum.add(terms.data(), 1000);
        Packer packed;
        sum.pack(packed);
        Unpacker bytes(packed.bytes);
        EXPECT_EQ(Sum::unpack(bytes).precise(), sum.precise()) << exponents;
    }
}

} // namespace squall::io::test
