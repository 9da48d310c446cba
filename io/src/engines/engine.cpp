#include "engines/engine.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace squall::io {

std::vector<std::string> engines() {
    std::vector<std::string> names;
    for (const auto *e : built_engines()) names.push_back(e->name);
    return names;
}

std::vector<EngineInfo> engine_infos() {
    std::vector<EngineInfo> all;
    for (const auto *e : built_engines())
        all.push_back({e->name, e->makes, e->codecs, e->distribution != Distribution::to_first, "",
                       e->options, e->connect != nullptr});
    for (const auto &[name, reason] : missing_engines()) all.push_back({name, "", {}, false, reason});
    return all;
}

const Engine &engine_named(const std::string &name) {
    for (const auto *e : built_engines())
        if (e->name == name) return *e;
    for (const auto &[absent, reason] : missing_engines())
        if (absent == name)
            throw Error(fmt::format("engine \"{}\" is not in this build: {}; this build has: {}", name,
                                    reason, fmt::join(engines(), ", ")));
    throw Error(
        fmt::format("there is no engine \"{}\"; choose one of: {}", name, fmt::join(engines(), ", ")));
}

const Salvage *salvage_of(const std::string &path) {
    if (!std::filesystem::is_regular_file(path)) return nullptr;
    for (const auto *e : built_engines())
        if (e->salvage.recognises && e->salvage.recognises(path)) return &e->salvage;
    return nullptr;
}

} // namespace squall::io
