/// The registry of engines; which ones there are is found out when the build is configured.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "engine_list.hpp"
#include "read/feed.hpp"
#include "read/source_check.hpp"

namespace squall::io {

const std::vector<const Engine *> &built_engines() { return built; }

std::vector<std::string> engines() {
    std::vector<std::string> names;
    for (const auto *e : built) names.push_back(e->name);
    return names;
}

std::vector<EngineInfo> engine_infos() {
    std::vector<EngineInfo> all;
    for (const auto *e : built)
        all.push_back({e->name, e->makes, e->codecs, e->distribution != Distribution::to_first, "",
                       e->options, e->connect != nullptr});
    for (const auto &[name, reason] : missing) all.push_back({name, "", {}, false, reason});
    return all;
}

const Engine &engine_named(const std::string &name) {
    for (const auto *e : built)
        if (e->name == name) return *e;
    for (const auto &[absent, reason] : missing)
        if (absent == name)
            throw Error(fmt::format("engine \"{}\" is not in this build: {}; this build has: {}", name,
                                    reason, list(engines())));
    throw Error(fmt::format("there is no engine \"{}\"; choose one of: {}", name, list(engines())));
}

std::unique_ptr<Source> open_source(const std::string &path) {
    std::error_code problem; // of which the engine tells
    const auto what = std::filesystem::status(path, problem);
    if (std::filesystem::exists(what) && !std::filesystem::is_regular_file(what) &&
        !std::filesystem::is_directory(what)) // a pipe would wait for ever
        throw Error("neither a file nor a directory; check the path");
    const auto engine =
        std::ranges::find_if(built, [&](const Engine *e) { return e->recognises && e->recognises(path); });
    // The words of netcdf about what it cannot read are the best.
    auto source = (engine != built.end() ? *engine : &engine_named("netcdf"))->open(path);
    check_source(*source);
    return source;
}

std::unique_ptr<Feed> open_feed(const std::string &where) {
    const auto engine =
        std::ranges::find_if(built, [](const Engine *e) { return e->connect && e->subscribe; });
    return (engine != built.end() ? *engine : &engine_named("sst"))->subscribe(where);
}

const Salvage *salvage_of(const std::string &path) {
    if (!std::filesystem::is_regular_file(path)) return nullptr;
    for (const auto *e : built)
        if (e->salvage.recognises && e->salvage.recognises(path)) return &e->salvage;
    return nullptr;
}

} // namespace squall::io
