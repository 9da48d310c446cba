#include "settings/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace squall {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    // row[j]: distance of the part of `a` seen so far to the first j characters of `b`.
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string> &known) {
    const auto from = [&](const std::string &a) {
        return std::pair(!a.starts_with(word), edit_distance(word, a));
    };
    const auto closer = [&](const std::string &a, const std::string &b) { return from(a) < from(b); };
    const auto found = std::min_element(known.begin(), known.end(), closer);
    return found == known.end() ? "" : *found;
}

} // namespace squall
