/// The keys of [land], and where they have no effect.
#pragma once

#include "config/checks.hpp"
#include "config/schema.hpp"

namespace squall {

TableSchema land_table();

/// Notes the table without the scheme that it is about.
void check_land(Reading &reading);

} // namespace squall
