/// The registry of engines.

#include <map>

#include "engine.hpp"
#include "engines/netcdf.hpp"

namespace squall::io {
namespace {

using Create = std::unique_ptr<Writer> (*)(const Layout &, const std::string &);

const std::map<std::string, Create> registry = {
    {"netcdf", netcdf::create},
};

} // namespace

std::vector<std::string> engines() {
    std::vector<std::string> names;
    for (const auto &[name, create] : registry) names.push_back(name);
    return names;
}

std::unique_ptr<Writer> create(const Layout &layout, const std::string &file) {
    return registry.at(layout.spec.engine)(layout, file);
}

std::unique_ptr<Source> open_source(const std::string &file) { return netcdf::open(file); }

} // namespace squall::io
