#include "common/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace squall::io {
namespace {

/// Letters to insert, drop or exchange (Levenshtein).
std::size_t distance(const std::string &a, const std::string &b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const auto change = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string advice(const std::string &unknown, const std::vector<std::string> &known) {
    if (known.empty()) return "there are none";
    const auto all = fmt::format("choose one of: {}", fmt::join(known, ", "));
    const auto nearest =
        std::ranges::min_element(known, {}, [&](const std::string &word) { return distance(unknown, word); });
    if (distance(unknown, *nearest) > std::max<std::size_t>(unknown.size() / 3, 1)) return all;
    return fmt::format("did you mean {}? ({})", *nearest, all);
}

} // namespace squall::io
