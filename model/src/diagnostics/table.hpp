/// The table of derived fields: what the run file, the reference page and the output know of them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "diagnostics/derived_field.hpp"
#include "diagnostics/running_field.hpp"

namespace squall {

/// All, by kind; what one computation makes stands together.
const std::vector<DerivedField> &derived_fields();

/// All that is kept from frame to frame.
const std::vector<RunningField> &running_fields();

/// In words, for messages and the reference page: "water vapour".
std::string in_words(Need need);

/// What a run that has `met` lacks for a field, in words; empty if nothing.
std::string lacking(const std::vector<Need> &needs, const std::set<Need> &met);

} // namespace squall
