/// The keys of [prepare] and of its nests.
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema prepare_table();

} // namespace squall
