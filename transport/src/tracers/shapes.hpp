/// Distributions of tracers at the start, by formula.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "winds/flow.hpp"

namespace squall::transport {

/// Mixing ratio at a place, at a height above the sea [m].
using Shape3 = std::function<double(const Direction3 &where, double height)>;

struct NamedShape {
    std::string name, meaning;
    Shape3 value;
    bool layered = false; ///< whether it depends on the height
};

const std::vector<NamedShape> &shapes();
std::vector<std::string> shape_names();
/// Throws std::invalid_argument for one that there is not.
const NamedShape &shape_of(const std::string &name);

} // namespace squall::transport
