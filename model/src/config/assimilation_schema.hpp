/// The tables of the run file about what analyses do beside starting a run: [nudging] and [digital_filter].
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema nudging_table();
TableSchema digital_filter_table();

} // namespace squall
