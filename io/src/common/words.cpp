#include "squall/io_words.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace squall::io {
namespace {

/// A word as it is compared.
std::string folded(std::string_view word) {
    std::string kept;
    for (const unsigned char c : word)
        if (c != '-' && c != '_') kept.push_back(static_cast<char>(std::tolower(c)));
    return kept;
}

/// Characters to insert, drop or replace, and neighbours to exchange, that turn `a` into `b` (the optimal
/// string alignment of Damerau 1964 and Levenshtein 1966).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    // row[j]: distance of the first i characters of `a` to the first j of `b`; above: for i - 1, for i - 2.
    std::vector<std::size_t> row(b.size() + 1), above, second;
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        second = std::exchange(above, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j - 1] + (a[i - 1] != b[j - 1]), above[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], second[j - 2] + 1);
        }
    }
    return row.back();
}

/// Fewer characters are the beginning of too many words.
constexpr std::size_t shortest_beginning = 3;

} // namespace

std::string near_word(std::string_view word, const std::vector<std::string> &known) {
    const std::string meant = folded(word);
    if (meant.empty()) return "";
    const bool beginning = meant.size() >= shortest_beginning;
    // Of a single character nothing would be left.
    const std::size_t most = std::min(std::max<std::size_t>(meant.size() / 3, 1), meant.size() - 1);
    std::string best;
    std::pair<bool, std::size_t> least{};
    for (const std::string &candidate : known) {
        const std::string other = folded(candidate);
        const std::size_t distance = edit_distance(meant, other);
        const bool begins = beginning && other.starts_with(meant);
        if (!begins && distance > most) continue;
        const std::pair from(!begins, distance);
        if (best.empty() || from < least) best = candidate, least = from;
    }
    return best;
}

std::string near_or_all(std::string_view word, const std::vector<std::string> &known) {
    if (known.empty()) return "there are none";
    if (const auto near = near_word(word, known); !near.empty())
        return fmt::format("did you mean \"{}\"?", near);
    return fmt::format("choose one of: {}", fmt::join(known, ", "));
}

std::string near_and_all(std::string_view word, const std::vector<std::string> &known) {
    const auto said = near_or_all(word, known);
    if (near_word(word, known).empty()) return said;
    return fmt::format("{} (choose one of: {})", said, fmt::join(known, ", "));
}

} // namespace squall::io
