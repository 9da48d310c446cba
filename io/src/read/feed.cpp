#include "read/feed.hpp"

#include <algorithm>

#include "engines/engine.hpp"

namespace squall::io {

std::unique_ptr<Feed> open_feed(const std::string &where) {
    const auto &built = built_engines();
    const auto engine =
        std::ranges::find_if(built, [](const Engine *e) { return e->connect && e->subscribe; });
    return (engine != built.end() ? *engine : &engine_named("sst"))->subscribe(where);
}

} // namespace squall::io
