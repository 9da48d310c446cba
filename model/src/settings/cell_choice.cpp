#include "settings/cell_choice.hpp"

#include <filesystem>
#include <sstream>

namespace squall {
namespace {

/// The one word of a text; "" if there are none or several.
std::string only_word(const std::string &text) {
    std::istringstream in(text);
    std::string word, rest;
    in >> word;
    return in >> rest ? "" : word;
}

} // namespace

std::optional<CellChoice> cell_choice(const std::string &words) {
    if (words == "land" || words == "sea") return CellChoice{"LANDMASK", {}, words == "sea", ""};
    CellChoice choice;
    const auto in = words.find(" in ");
    if (in != std::string::npos && (choice.file = only_word(words.substr(in + 4))).empty())
        return std::nullopt;
    const auto chosen = words.substr(0, in);
    const auto equals = chosen.find('=');
    choice.field = only_word(chosen.substr(0, equals));
    if (choice.field.empty()) return std::nullopt;
    if (equals == std::string::npos) return choice;
    std::istringstream number(only_word(chosen.substr(equals + 1)));
    double value = 0;
    if (!(number >> value) || !number.eof() || !std::isfinite(value)) return std::nullopt;
    choice.value = value;
    return choice;
}

std::string file_of(const CellChoice &choice, const std::string &run_file, const std::string &initial_file) {
    if (choice.file.empty()) return initial_file;
    return (std::filesystem::path(run_file).parent_path() / choice.file).string();
}

} // namespace squall
