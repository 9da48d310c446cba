/// The registry of placements.

#include <map>

#include "placement.hpp"
#include "placements/inline.hpp"

namespace squall::io {
namespace {

using Place = std::unique_ptr<Placement> (*)(const Layout &, MPI_Comm);

const std::map<std::string, Place> registry = {
    {"inline", place_inline},
};

} // namespace

std::vector<std::string> placements() {
    std::vector<std::string> names;
    for (const auto &[name, make] : registry) names.push_back(name);
    return names;
}

std::unique_ptr<Placement> place(const Layout &layout, MPI_Comm comm) {
    return registry.at(layout.spec.placement)(layout, comm);
}

} // namespace squall::io
