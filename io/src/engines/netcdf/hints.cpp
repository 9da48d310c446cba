#include "engines/netcdf/hints.hpp"

#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace squall::io::netcdf {
namespace {

std::string trim(const std::string &text) {
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

/// Throws Error.
std::vector<std::pair<std::string, std::string>> parse(const std::string &hints) {
    std::vector<std::pair<std::string, std::string>> all;
    std::istringstream in(hints);
    for (std::string hint; std::getline(in, hint, ';');) {
        if (trim(hint).empty()) continue;
        const auto equals = hint.find('=');
        const auto key = trim(hint.substr(0, equals));
        const auto value = equals == std::string::npos ? "" : trim(hint.substr(equals + 1));
        if (key.empty() || value.empty() || key.size() >= MPI_MAX_INFO_KEY ||
            value.size() >= MPI_MAX_INFO_VAL)
            throw Error(fmt::format(
                "option hints: \"{}\" is not a hint; write key=value, with ; between hints", trim(hint)));
        all.emplace_back(key, value);
    }
    return all;
}

} // namespace

std::string hints_fault(const Layout &layout) {
    try {
        parse(layout.option("hints", ""));
    } catch (const Error &e) {
        return e.what();
    }
    return "";
}

Hints::Hints(const Layout &layout) {
    const auto hints = parse(layout.option("hints", ""));
    MPI_Info_create(&info_);
    for (const auto &[key, value] : hints) MPI_Info_set(info_, key.c_str(), value.c_str());
}

void Hints::suggest(const char *key, const char *value) {
    int length = 0, given = 0;
    MPI_Info_get_valuelen(info_, key, &length, &given);
    if (!given) MPI_Info_set(info_, key, value);
}

} // namespace squall::io::netcdf
