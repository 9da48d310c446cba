/// Words that the declaration of what a stream makes, and those who put it, have in common. Names of sources
/// are in no file, but in messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output/location.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

inline std::string source_name(const std::string &field) { return field + " on the grid"; }

/// Of the levels' coordinate at the points of a field.
std::string coordinate_name(Location where);

enum class LevelKind { pressure, height, ground, theta };

/// The levels that a stream has instead of the model's.
struct LevelSet {
    LevelKind kind = LevelKind::pressure;
    std::string dimension;
    std::vector<double> values; ///< SI
    std::vector<io::Attribute> attributes;
};
std::optional<LevelSet> levels_of(const StreamConfig &stream);

/// Which cells count, where not all do.
inline const std::string counting_name = "cells that count";

/// What the cells of an average or of a coarser grid count by.
enum class WeightKind { area, mass, mass_per_area };
/// Of a stream that has one. In a column all cells have the same area, which then does not matter.
WeightKind weight_kind(const StreamConfig &stream);
/// Of the cells of a field at `where`: on layers, between them, or of whole columns.
std::string weight_name(WeightKind kind, Location where);
/// By which the field's is multiplied in a sum with that weight.
std::string unit_of(WeightKind kind);

} // namespace squall
