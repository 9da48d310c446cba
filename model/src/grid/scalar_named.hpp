/// Scalars by their names in files.
#pragma once

#include <algorithm>
#include <string>

#include "grid/scalars.hpp"

namespace squall {

/// Index into ScalarSet::all; -1: there is none of it.
inline int scalar_named(const std::string &name, const ScalarSet &scalars) {
    const auto found = std::ranges::find(scalars.all, name, &Scalar::name);
    return found == scalars.all.end() ? -1 : static_cast<int>(found - scalars.all.begin());
}

} // namespace squall
