#include "read/source.hpp"

#include <algorithm>
#include <filesystem>

#include "engines/engine.hpp"
#include "read/source_check.hpp"

namespace squall::io {

std::unique_ptr<Source> open_source(const std::string &path) {
    std::error_code problem; // of which the engine tells
    const auto what = std::filesystem::status(path, problem);
    if (std::filesystem::exists(what) && !std::filesystem::is_regular_file(what) &&
        !std::filesystem::is_directory(what)) // a pipe would wait for ever
        throw Error("neither a file nor a directory; check the path");
    const auto &built = built_engines();
    const auto engine =
        std::ranges::find_if(built, [&](const Engine *e) { return e->recognises && e->recognises(path); });
    // The words of netcdf about what it cannot read are the best.
    auto source = (engine != built.end() ? *engine : &engine_named("netcdf"))->open(path);
    check_source(*source);
    return source;
}

} // namespace squall::io
