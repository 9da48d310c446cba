/// The known word that is closest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace squall {

/// Insertions, deletions and replacements of one character that turn `a` into `b` (Levenshtein).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Of the `known` that begin with `word`, of all where none does, the first with the least distance to it;
/// "" where nothing is known.
std::string nearest(std::string_view word, const std::vector<std::string> &known);

} // namespace squall
