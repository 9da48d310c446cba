/// What a message says of a word that nobody knows. For programs that refuse words as the library does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace squall::io {

/// Of the known words the one that `word` was probably meant to be: one that begins so, else the nearest that
/// differs in at most a third of the characters. Case, - and _ make no difference. "" if none is near: a
/// guess that is wrong misleads more than no guess.
std::string near_word(std::string_view word, const std::vector<std::string> &known);

/// `did you mean "a"?` if a known word is near, else `choose one of: a, b, c`.
std::string near_or_all(std::string_view word, const std::vector<std::string> &known);

/// `did you mean "a"? (choose one of: a, b, c)`; without the question if no known word is near.
std::string near_and_all(std::string_view word, const std::vector<std::string> &known);

} // namespace squall::io
