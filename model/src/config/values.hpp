/// One value of a run file against the rule of its key.
#pragma once

#include "config/document.hpp"
#include "config/schema.hpp"

namespace squall {

/// Converts `value` to SI units and stores it in `slot`. Throws std::invalid_argument: the
/// offending text and what is wanted in its place.
void assign(const Value &value, const Rule &rule, const Slot &slot);

} // namespace squall
