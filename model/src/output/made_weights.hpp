/// What the cells of an average or of a coarser grid count by: their areas, or the mass of dry air in them.
#pragma once

#include <string>

#include "output/location.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

enum class WeightKind { area, mass, mass_per_area };
/// Of a stream that has one. In a column all cells have the same area, which then does not matter.
WeightKind weight_kind(const StreamConfig &stream);
/// Of the cells of a field at `where`: on layers, between them, or of whole columns.
std::string weight_name(WeightKind kind, Location where);
/// By which the field's is multiplied in a sum with that weight.
std::string unit_of(WeightKind kind);

/// Declares them as sources, on the points where the fields of `spec` ask for them.
void declare_weights(io::StreamSpec &spec, WeightKind kind);

} // namespace squall
