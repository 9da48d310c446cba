/// The keys of a tracer.
#pragma once

#include "config/schema.hpp"

namespace squall {

TableSchema tracer_table();

} // namespace squall
