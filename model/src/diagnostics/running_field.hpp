/// Fields of what happened since the stream's last frame: the largest, the smallest, the change.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diagnostics/derived_field.hpp"

namespace squall {

/// What is kept of a value from step to step.
enum class Keep {
    largest,
    smallest,
    change ///< the value at the last frame: shown is the change since, per hour
};

struct RunningField {
    std::string name, description, units;
    std::string standard_name; ///< of CF; empty where CF has none
    std::string source;        ///< the formula and where it is from
    std::vector<Need> needs;
    Keep keep;
    real (*value)(const SeenAir &, int i, int j); ///< of a column now; `missing` does not count
    std::string cell_methods;
};

} // namespace squall
