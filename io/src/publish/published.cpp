#include "publish/published.hpp"

#include <filesystem>

#include "declare/layout.hpp"
#include "engines/engine.hpp"
#include "read/source.hpp"

namespace squall::io {

bool is_published(const Layout &layout, const std::string &file, std::int64_t frame) {
    std::error_code problem;
    if (!layout.engine->open || !std::filesystem::exists(file, problem)) return false;
    try {
        return layout.engine->open(file)->frames > frame;
    } catch (const std::exception &) { // in the making, or of somebody else
        return false;
    }
}

} // namespace squall::io
