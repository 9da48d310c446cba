/// The table [run] of the run file.
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema run_table();

} // namespace squall
