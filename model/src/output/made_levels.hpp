/// The levels onto which a stream interpolates fields.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output/location.hpp"
#include "settings/config.hpp"
#include "squall/io.hpp"

namespace squall {

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

} // namespace squall
