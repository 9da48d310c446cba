/// The keys of [nest.<name>].
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema nest_table();

} // namespace squall
