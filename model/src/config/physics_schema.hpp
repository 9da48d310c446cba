/// The keys of [physics].
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema physics_table();

} // namespace squall
