/// Fields that are made of others onto levels, with names resolved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "declare/made.hpp"

namespace squall::io {

struct OntoLevels {
    enum class Outside { missing, nearest, extrapolate };

    std::string name, of;             ///< the result, and the source
    Type type = Type::f32;            ///< of the source
    std::optional<double> fill;       ///< values of the source that do not count
    std::vector<std::int64_t> domain; ///< extents of the source
    std::size_t over = 0;             ///< dimension of the source in whose place the levels are
    Companion coordinate;
    std::vector<double> levels;
    bool logarithmic = false; ///< linear in the logarithm of the coordinate
    Outside outside = Outside::missing;
    double missing = 0; ///< fill value of the result
};

/// Completes a field that is made onto levels. Returns what is wrong with it, or "".
std::string complete_levels(const StreamSpec &spec, Field &field);
/// Of a declaration that was completed: one for each such field and source.
std::vector<OntoLevels> levels_of(const StreamSpec &spec);

} // namespace squall::io
