/// The keys of [prepare].
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema prepare_table();

} // namespace squall
