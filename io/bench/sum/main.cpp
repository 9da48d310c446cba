/// squall-io-sum: what sums whose bits depend on no order cost, as JSON: beside sums in order, and beside
/// reading the terms. `squall lab diagnostics` runs it.

#include <algorithm>
#include <bit>
#include <chrono>
#include <iostream>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "reduce/sum.hpp"

namespace {

using Clock = std::chrono::steady_clock;

/// Kept, so that the compiler leaves nothing out.
volatile double total = 0;
volatile std::uint32_t bits = 0;

/// Nanoseconds for each term: the median of some passes over all rows.
template <class F> double time_of(const std::vector<float> &terms, std::int64_t row, F of_row) {
    constexpr int passes = 7;
    std::vector<double> each;
    for (int n = 0; n < passes; ++n) {
        const auto start = Clock::now();
        for (std::size_t at = 0; at < terms.size(); at += static_cast<std::size_t>(row)) of_row(&terms[at]);
        const std::chrono::duration<double, std::nano> took = Clock::now() - start;
        each.push_back(took.count() / static_cast<double>(terms.size()));
    }
    std::ranges::nth_element(each, each.begin() + passes / 2);
    return each[passes / 2];
}

nlohmann::ordered_json measure(const std::vector<float> &terms, std::int64_t row) {
    const auto reproducible = [row](const float *x) {
        squall::io::Sum sum;
        sum.add(x, row);
        total = sum.value();
    };
    const auto in_order = [row](const float *x) {
        double sum = 0;
        for (std::int64_t i = 0; i < row; ++i) sum += static_cast<double>(x[i]);
        total = sum;
    };
    const auto read = [row](const float *x) {
        std::uint32_t all = 0;
        for (std::int64_t i = 0; i < row; ++i) all ^= std::bit_cast<std::uint32_t>(x[i]);
        bits = all;
    };
    return {{"row", row},
            {"reproducible", time_of(terms, row, reproducible)},
            {"in_order", time_of(terms, row, in_order)},
            {"read", time_of(terms, row, read)}};
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Measures the nanoseconds per term of sums of single-precision rows, one after the other.");
    std::vector<std::int64_t> rows{100, 1000, 100000};
    std::int64_t terms = 1 << 26;
    app.add_option("--rows", rows, "terms of each sum")->check(CLI::PositiveNumber);
    app.add_option("--terms", terms, "terms in total; more than caches hold")->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    auto all = nlohmann::ordered_json::array();
    for (const auto row : rows) {
        std::vector<float> x(static_cast<std::size_t>(std::max(terms / row, std::int64_t(1)) * row));
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = 280 + 0.37F * static_cast<float>(i % 97);
        all.push_back(measure(x, row));
    }
    std::cout << all << "\n";
}
