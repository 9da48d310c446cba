/// The keys of a fire and of its ignitions.
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema fire_table();
TableSchema ignition_table();

} // namespace squall
