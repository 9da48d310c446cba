/// Columns of Noah-MP between steps: how they begin, and where they lie.
#pragma once

#include "physics/noah_mp/column.hpp"
#include "physics/surface_columns.hpp"

namespace squall::noah_mp {

/// What is carried of a column but for its soil and the mass and depth of its snow.
void get(const CanopyColumns &columns, int i, Column &column);
void put(const CanopyColumns &columns, int i, const Column &column);

/// Sets what an initial file does not say, by the temperature of the surface [K], and makes the rest such as
/// Noah-MP wants it: snow of at most 2000 kg m-2 in layers, soil with the ice of its temperature; a glacier
/// frozen, below -10 degrees Celsius, and under some snow. As WRF's NOAHMP_INIT. Of `column` the temperature
/// and moisture of soil and the mass and depth of snow are read.
void begin(const noah::Soil &soil, bool glacier, real surface, Column &column);

} // namespace squall::noah_mp
