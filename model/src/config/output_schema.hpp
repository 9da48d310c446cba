/// The keys of [output] and of a stream.
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema output_table();
TableSchema stream_table();

} // namespace squall
