/// The keys of [wind_farm].
#pragma once

#include "config/checks.hpp"
#include "config/schema.hpp"

namespace squall {

TableSchema wind_farm_table();

/// Notes keys without turbines, types that are not told wholly, and a boundary layer that knows no
/// turbulence.
void check_wind_farm(Reading &reading);

} // namespace squall
